"""The words of generated histories: the subjects of a project, each said in several ways in English and in Japanese.

An entry is (name in paths, English sayings, Japanese sayings). The first saying is the usual one; people use the others instead of it.
"""

_split = str.split


def _entries(text: str) -> list[tuple[str, list[str], list[str]]]:
    """Parse one entry per line: `name | saying, saying | 言い方, 言い方`."""
    rows = [[part.strip() for part in line.split("|")] for line in text.strip().splitlines()]
    return [(name, [word.strip() for word in english.split(",")], [word.strip() for word in japanese.split(",")]) for name, english, japanese in rows]


AREAS = _entries("""
billing | billing, invoices, customer charges, payment statements | 請求, 請求書, 課金, 支払い明細
accounts | accounts, user accounts, sign-up profiles, memberships | アカウント, 会員, 利用者登録, ユーザー情報
search | search, lookup, the query engine, find-as-you-type | 検索, 探索機能, 絞り込み, サーチ
inventory | inventory, stock, warehouse counts, goods on hand | 在庫, 倉庫, 棚卸し, ストック
shipping | shipping, delivery, parcels, dispatch | 配送, 出荷, 荷物, 発送
catalog | catalog, product listings, the assortment, items for sale | カタログ, 商品一覧, 品揃え, 商品情報
orders | orders, purchases, the checkout, bought baskets | 注文, 購入, 受注, 買い物かご
messaging | messaging, mails to customers, outgoing letters, newsletters | メール送信, お知らせ, 配信, 案内文
calendar | calendar, bookings, appointments, reservations | 予定表, 予約, 日程, カレンダー
analytics | analytics, usage figures, statistics, metrics | 分析, 統計, 利用状況, 指標
documents | documents, uploaded papers, attachments, file storage | 書類, 添付, 文書管理, アップロード
payroll | payroll, salaries, wages, monthly pay | 給与, 給料, 賃金, 月給計算
support | support, tickets, the help desk, customer questions | 問い合わせ, サポート, チケット, 相談窓口
devices | devices, sensors, field units, connected meters | 端末, センサー, 機器, 計測器
partners | partners, resellers, the affiliate programme, third-party shops | 取引先, 代理店, 提携先, パートナー
identity | identity, login, single sign-on, credentials | 認証, ログイン, 本人確認, サインイン
""")
ASPECTS = _entries("""
export | export, CSV download, data dump, spreadsheet output | 出力, エクスポート, CSV書き出し, ダウンロード
import | import, bulk upload, file loading, row ingestion | 取り込み, 一括登録, インポート, 読み込み
report | report, overview page, summary sheet, monthly figures | 帳票, レポート, 集計表, 月次まとめ
audit | audit trail, change history, operator log, evidence record | 監査記録, 変更履歴, 操作ログ, 証跡
retry | retry, second attempt, resending, backoff | 再試行, 再送, リトライ, やり直し処理
limits | limit, ceiling, throttling, maximum allowance | 上限, 制限値, 割り当て, 流量制御
preview | preview, draft view, dry look, trial rendering | 下見, プレビュー, 仮表示, 事前確認
archive | archive, cold storage, shelf for old ones, retention | 保管, アーカイブ, 長期保存, 過去分の退避
permissions | permission check, access control, visibility, role set-up | 権限, アクセス制御, 閲覧許可, 役割設定
sync | sync, mirroring, two-way matching, replication | 同期, ミラー, 突き合わせ, 二重化
pricing | pricing, rate calculation, discounting, tariff table | 価格, 料率, 割引, 料金表
reminders | reminder, nudge, due-date alert, follow-up notice | 催促, リマインド, 期日通知, 督促
labels | labelling, tagging, sticker print, categorisation | ラベル, 分類, タグ付け, 札
filters | filter, narrowing down, facet bar, criteria box | 条件指定, フィルタ, 抽出条件, ふるい分け
templates | template, boilerplate, layout, form letter | 雛形, テンプレート, 定型文, 書式
merge | merge, deduplication, joining of doubles, record unification | 統合, 重複排除, 名寄せ, まとめ処理
""")
DETAILS = _entries("""
header | column headers, headings | 見出し行, 列名
rounding | rounding, half cents | 端数, 丸め
timezone | time zones, local midnight | 時差, 日付境界
encoding | character encoding, garbled letters | 文字コード, 文字化け
paging | pagination, the next page | ページ送り, 続きの頁
totals | totals, sums at the bottom | 合計, 総額
locale | number format, decimal comma | 桁区切り, 小数点
empty | empty results, blank rows | 空の結果, 空行
order | sort order, ascending | 並び順, 昇順
currency | currency, exchange rate | 通貨, 為替
duplicate | double entries, repeated keys | 二重登録, 重複キー
deadline | deadline, due day | 締切, 期日
thumbnail | thumbnails, small pictures | 縮小画像, サムネイル
checksum | checksum, integrity | 検査値, 整合性
batch | batch size, chunking | 一括件数, 分割処理
cursor | cursor, resume position | 読み取り位置, 再開点
webhook | webhook, callback | コールバック, 通知先
cancel | cancellation, abort | 取り消し, 中止
address | postal address, street | 住所, 番地
surname | family name, kana reading | 氏名, ふりがな
holiday | bank holidays, closed days | 祝日, 休業日
consent | consent, opt-in | 同意, 許諾
expiry | expiry, lifetime | 有効期限, 失効
barcode | barcode, scan | バーコード, 読み取り
weight | weight, kilograms | 重さ, キログラム
signature | signature, seal | 押印, 電子署名
footer | footer, closing line | 脚注, 末尾の文
avatar | avatar, portrait | 顔写真, アイコン
threshold | threshold, warning level | しきい値, 警告水準
queue | queue, backlog | 待ち行列, 滞留
snapshot | snapshot, frozen state | 断面, 凍結時点
token | access token, refresh | アクセストークン, 再発行
tax | tax, VAT | 消費税, 税率
refund | refund, money back | 返金, 払い戻し
region | region, prefecture | 地域, 都道府県
margin | margin, white space | 余白, 間隔
contrast | contrast, dark mode | 配色, 暗い背景
tooltip | tooltip, hint | 吹き出し, ヒント
keyboard | keyboard shortcut, focus | 操作キー, フォーカス
width | column width, overflow | 列幅, はみ出し
phone | phone number, country prefix | 電話番号, 国番号
quantity | quantity, pieces | 数量, 個数
lot | lot number, batch of goods | ロット番号, 製造番号
carrier | carrier, courier | 運送会社, 宅配業者
coupon | coupon, voucher | 割引券, クーポン
contract | contract, agreement | 契約, 約款
overtime | overtime, extra hours | 残業, 時間外
shift | shift, working hours | 勤務帯, シフト
battery | battery, charge level | 電池, 残量
firmware | firmware, device software | ファームウェア, 内蔵ソフト
humidity | humidity, moisture | 湿度, 水分
escalation | escalation, second level | 上位対応, 引き継ぎ
satisfaction | satisfaction, rating stars | 満足度, 評価点
commission | commission, provision | 手数料, 報奨金
password | passphrase, strength | 合言葉, 強度
lockout | lockout, too many attempts | ロック, 試行回数
session | session length, idle time | 接続時間, 無操作時間
quota | storage quota, space left | 容量枠, 残り容量
mimetype | content type, file kind | 形式, ファイル種別
watermark | watermark, background mark | 透かし, 背景印
attachment | attachment, enclosed file | 同封資料, 添付物
subject | subject line, title | 件名, 表題
unsubscribe | unsubscribe, opting out | 配信停止, 退会
bounce | bounces, undeliverable | 不達, 宛先不明
invite | invitation, guest | 招待, 参加者
recurrence | recurrence, every week | 繰り返し, 毎週
overlap | overlap, double booking | 重なり, 二重予約
funnel | funnel, drop-off | 離脱, 遷移率
cohort | cohort, age group | 集団, 年代
outlier | outliers, spikes | 外れ値, 突出
""")
SYMPTOMS_EN = """
comes out wrong since the last release
takes far too long for large customers
loses its last line
shows the old value after a change
breaks when the field is missing
ignores what was chosen
is not sorted as people expect
fails for names with umlauts
counts some things twice
needs one more option
should also work for guests
must not run at night
has to be readable by the finance people
stops half way without a word
does not match what the page shows
needs a clearer message
should remember the last choice
runs out of memory on Mondays
gives different results each time
must support the new contract
is far too strict
accepts nonsense
needs to be split in two steps
ought to be faster
""".strip().splitlines()
SYMPTOMS_JA = """
前回の公開からおかしくなりました
件数が多いと遅すぎます
最後の行が欠けます
変更しても古い値のままです
項目が無いと落ちます
選んだ内容を無視しています
順番が期待と違います
旧字体の名前で失敗します
二重に数えています
選択肢を一つ増やしたいです
ゲストでも使えるようにしたいです
夜間は動かないようにしたいです
経理の人にも読めるようにしたいです
途中で黙って止まります
画面の値と合いません
もっと分かりやすい文言が必要です
前回の選択を覚えていてほしいです
月曜日に記憶が足りなくなります
毎回結果が変わります
新しい契約に対応させる必要があります
厳しすぎます
おかしな値を受け付けます
二段階に分けたいです
もっと速くしたいです
""".strip().splitlines()
CODENAMES = _split("""
falcon heron osprey kestrel plover wren merlin curlew lapwing dunlin gannet petrel shrike siskin linnet dipper avocet godwit whimbrel turnstone knot ruff teal
pintail gadwall garganey pochard scaup eider smew goosander bittern egret spoonbill crake moorhen coot grebe tern skua puffin razorbill fulmar shearwater
basalt gneiss schist marble granite slate shale flint chert quartz feldspar mica topaz beryl zircon garnet agate jasper onyx opal amber jet coral pearl
cedar larch spruce juniper hazel alder rowan linden hornbeam beech aspen willow poplar elder hawthorn blackthorn medlar quince damson bullace
cirrus stratus cumulus nimbus squall zephyr sirocco mistral bora chinook monsoon drizzle hoarfrost graupel rime sleet
adze auger bradawl burin chisel clamp gimlet gouge mallet mandrel rasp reamer spokeshave trammel vise awl bevel dowel
fjord esker moraine tarn corrie drumlin kame kettle scree arete cirque couloir serac nunatak delta estuary lagoon isthmus atoll
""")
"""Names without a meaning: nobody can guess from the purpose of a file that it has such a code name."""
SHADES = _split("grey northern little dusky greater pale spotted black common ringed hooded alpine marsh lesser")
IDENTIFIERS = _split("""
row_key total_due next_page is_stale raw_value batch_id locale_tag opened_at closed_by retry_after max_items owner_ref unit_price line_no parent_id
tax_code region_key due_on signed_by source_hash page_token last_seen group_name sort_field is_draft reply_to shift_start lot_ref weight_g cut_off
""")
MISC_STEMS = _split("""
bootstrap clock colors cookies dates decorators diffing env errors events feature_flags fonts formatters forms geometry health hooks http icons json_tools
keys layout logging math money names navigation numbers pagers paths pools router sanitize serializers settings_page shapes sidebar signals slots strings
styles tables telemetry text_tools theme timers tokens tooltips tracing trees types units urls uuids validators vectors widgets workers
""")
VENDOR = _split("acme-forms borealis-ui cobalt-pdf dovetail-orm emberline fastgrid gluon-csv harbor-mail ironqueue jadecal kitebar lumen-charts")
