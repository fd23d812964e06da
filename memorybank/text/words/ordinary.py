"""Words that are ordinary in texts about software, whatever the project: how rare a word is cannot be counted in a bank of a few notes.

A bank with one note contains each of its words in every note, and lacks all others. There, `test` and `Mailpit` would say equally much about a prompt.
"""

from __future__ import annotations

__light__ = True

COMMON = 0.08
"""Share of all texts about software, roughly, that contain one of the words of the first list."""
_USUAL = 0.025
"""The same for the second list."""

_COMMON_WORDS = str.split("""
    alreadi alwai app applic base better branch call case class code command complet config configur contain correct current data default differ dir
    directori doc document error exist fail file first folder function good handl id instead issu last line list local log long main messag method miss
    multipl name never new number old open option part path place possibl present print problem project read replac repo repositori request result return
    review right second section server set setup sever short similar simpl singl small sourc specif state step string support sure system tabl task team
    test text three tool type user usual valu variabl version whole word yesterdai
    アプリ エラー クラス コマンド コード システム テスト データ ファイル プロジェクト メッセージ ユーザー 一覧 今後 全部 処理 出力 別々 動作 名前 問題 変数
    変更 実行 実装 対象 手順 機能 画面 結果 自動 表示 設定 開発 関数
""")
_USUAL_WORDS = str.split("""
    abov accept access account action activ actual address admin allow api appear argument arrai assert async attribut avail back backend background bar
    begin behavior behind block bodi boolean bottom box break broken brows browser bug build button byte callback cancel cell charact chart child choic
    clean clear click client close color colour column comment compon comput conflict consist consol constant contact content context control convert copi
    count counter cover css cursor custom daili dark dashboard date decim delet depend descript design detail dev develop diagram dialog dict dictionari
    disabl disk displai docstring doubl download draw drop duplic dynam easi edit editor effect element empti enabl end endpoint ensur enter entri enum env
    environ equal even event everi exampl except execut expect explicit express extra extract fals fast featur field filter final fine font footer form
    format found frame free front frontend full gener github global googl grid group guid half hard header heading height helper hidden hide hint hour html
    http icon idea identifi ignor imag immut improv indent index info inform inlin input insert insid integ integr interfac intern item java javascript
    json kei keyboard kind label languag larg later latest layout leak left length letter level librari licens light limit link lint linter load logic
    login logo loop lower machin magic manag manual map mark markdown match memori menu merg minim minut mobil mode model modul month move navig nest next
    none normal notic null numer object onlin order output outsid overflow packag pad page pagin paramet parent pars parser particular pass password
    pattern peopl person phone pictur pixel plai plain plan plugin point popup posit prefix press previou privat process produc profil progress prompt
    proper properti public pull push python queri queue quick quot random rang raw react readabl readm real reason record recurs reduc refactor refer regex
    regist regular relat reload renam render reorder repeat report repres resolv respons reus reusabl revers revert rewrit role root rout row rule rust
    save scenario schema screen script scroll search select send sentenc separ sequenc servic session shell shorter shown side sidebar sign simplifi site
    size slow snippet somewher sort space spell split sql stack standard static statu store strategi stream struct structur style sub subject submit suit
    summari swap switch symbol syntax tab tag target templat term termin theme ticket titl toggl tooltip top total trace track transform translat tree
    trigger true tupl tutori typo ui undefin underscor uniqu unit unus upload upper url util valid vector view visibl wait warn web websit week whitespac
    wide widget width window wrap wrapper yaml year yellow zero
    metadata auto verifi modifi codebas etc defin bash fallback fetch automat max agent pre failur workflow flag compil explicitli db
    architectur extens timeout resourc correctli oper usag parallel absolut critic debug multi todo gap init interact enhanc partial infrastructur
    checklist runtim filenam expos cli exit handler locat addit comprehens analysi cleanup restor scope spec propos specifi invalid
    declar clarifi localhost focus mismatch resolut compact extend
    アイコン アルゴリズム イベント インターフェース インデント ウィンドウ オブジェクト オプション カラム キー クリック コピー コメント コントローラー
    コンポーネント サイズ サイト サイドバー サンプル サーバ サーバー サービス スクリプト スタイル ステータス スペース セッション ソース ソート タイトル
    タイプ タグ タスク タブ チェック チーム ツール ディレクトリ デザイン デバッグ デフォルト ドキュメント バグ バージョン パス パスワード パターン
    パッケージ パラメータ ヒント フィールド フォルダ フォルダー フォント フォーマット フォーム フラグ ブラウザ ブランチ ブロック プログラム ヘッダー
    ヘルパー ページ ボタン マニュアル メソッド メニュー メモリ メール モジュール モデル モード ライブラリ ラベル リクエスト リスト リファクタリング
    リポジトリ リンク ループ レイアウト レスポンス レビュー ログ ログイン 一致 一般 上部 下部 不要 中身 予定 仕様 仕組 位置 例外 個別 共通 内部 分割 分岐
    初期 制限 削除 動的 区切 単体 原因 参照 取得 名称 回数 固定 基準 変換 外部 失敗 字列 定数 定義 導入 差分 引数 形式 役割 必須 意味 所要 手動 抽出 指定
    接続 操作 整形 整数 整理 文字 文章 文言 既存 日付 日本 明示 更新 本語 条件 枠線 検索 検討 構成 構造 標準 権限 正規 汎用 状態 理由 生成 画像 番号 省略
    移動 種類 管理 簡潔 統一 置換 英語 行数 行目 表現 表記 複数 規則 規表 計算 記号 記述 設計 許可 詳細 調整 警告 送信 通常 速度 配列 重複 開始 関係 関連
    階層 項目 順序 順番 高速 右上 左上 右側 左側 中央 配置 余白 保存 入力 選択 背景 単純 単語 大文 小文 拡大 縮小
    完了 解決 環境 改善 正常 完全 存在 部分 依存 適用 箇所 推奨 全体 適切 優先 有効 情報 明確 成功
    終了 一時 統合 反映 以降 経由 正確 大幅 編集 強制 完成 不可 該当 要件 保証 発生 特定 拡張 重要 対策 具体 確実 根本 最適 効果 作業 範囲
    検出 最新 把握 停止 自体 準備 了解 両方 提案 安定 分析 防止 無効 最大 新規 影響 同期 専用 大量 制御 解析 現状 構築 強化 判定 軽量
    記載 解消 提供 即座 初回 共有 一度 認識 維持 競合 発見 削減 不足 十分 判明 主要 自身 消費 最小 意図 公式 提示 対処 方式 進捗
    レベル メタデータ サポート パフォーマンス セキュリティ ダウンロード アップロード バックグラウンド スレッド プロセス アクセス ネットワーク
    タイムアウト ポイント リソース バックエンド フロントエンド インストール ビルド テキスト リアルタイム アプリケーション フォールバック
    スキップ プレビュー メイン コンソール ターミナル デスクトップ リファレンス 命名 要素 個所 サーバーサイド エンドポイント クライアント
""")
SHARES = {**dict.fromkeys(_USUAL_WORDS, _USUAL), **dict.fromkeys(_COMMON_WORDS, COMMON)}
"""{word of a query, as `recall.query` labels it: share of the texts about software that contain it, roughly}."""
_PAIRS: dict[str, float] = {}


def share_of(term: str) -> float:
    """Return the share of the texts about software that contain a term of `terms.content_terms`, roughly; 0 if it is not ordinary."""
    share = SHARES.get(term)
    if share is not None or term.isascii():
        return share or 0.0
    if not _PAIRS:  # a word of katakana is several terms
        for word, share in SHARES.items():
            if not word.isascii():
                _PAIRS.update((pair, max(share, _PAIRS.get(pair, 0.0))) for pair in map(str.__add__, word, word[1:]))
    return _PAIRS.get(term, 0.0)
