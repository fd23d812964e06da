"""An answer is refuted only on evidence: in doubt it stays. Hiding a right answer is worse than showing a wrong one with the correction after it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.prompts.objections import DENIED
from memorybank.text.prompts.refuting import corrected, limits, refutes

UPLOAD = ("What limits the upload size?", "The upload size is limited by nginx to 20 MB.")
CACHED = ("How long are prices cached?", "Prices are cached for 60 seconds in Redis.")
TAX = ("Where is the tax rate table loaded?", "The tax rate table is loaded in app/tax.py at import time.")
PARTNERS = ("How does the API authenticate partners?", "Partners authenticate with mutual TLS.")
CURRENCY = ("What is the default currency of a new shop?", "The default currency of a new shop is JPY, set in Shop.create.")
CHECKOUT = ("How long does checkout take at p95?", "Checkout takes 3.2 seconds at p95 because of the fraud check.")
SHARDS = ("How many shards does the search index have?", "The search index has 3 shards.")
BASKET = ("What is the maximum basket size?", "The maximum basket size is 40 items.")
SECRET = ("How often does the webhook secret rotate?", "The webhook secret rotates every 90 days.")
INVOICES = ("Where are the invoice PDFs stored?", "Invoice PDFs are stored in the S3 bucket invoices-prod.")
EVENTS = ("What broker do the inventory events go through?", "Inventory events go through RabbitMQ.")
MAILS = ("Which template engine renders the invoice mails?", "The invoice mails are rendered with Mako.")
EXPORT = ("Why is the nightly export so slow?", "The nightly export is slow because it opens one connection per row.")
TENANT = ("スキーマの切り替えは何で決まりますか？", "スキーマは X-Tenant ヘッダーで決まります。")
IMAGES = ("商品画像はどこに保存されていますか？", "商品画像は shop-media バケットに保存されています。")
RETURNS = ("返品の受付期限は何日ですか？", "返品の受付期限は14日です。")
POINTS = ("バスケットの上限は何点ですか？", "バスケットの上限は40点です。")
AUDIT = ("監査ログの保存期間はどれくらいですか？", "監査ログの保存期間は1年です。")
BATCH = ("バッチは何時に走りますか？", "夜間バッチは午前2時に走ります。")
CLOSING = ("請求書の締め日はいつですか？", "請求書の締め日は毎月20日です。")
STOCK = ("在庫の同期は何分ごとですか？", "在庫の同期は10分ごとに行われます。")
CODES = ("顧客コードは何桁ですか？", "顧客コードは8桁です。")
LIBRARY = ("メール送信のライブラリは何を使っていますか？", "メール送信には smtplib を使っています。")
REFUNDS = ("返金の処理は誰が承認しますか？", "返金の処理はサポート担当が承認します。")
MONEY = ("決済の通貨は何ですか？", "決済の通貨は USD です。")
SHARDS_JA = ("検索インデックスのシャードはいくつですか？", "検索インデックスのシャードは3つです。")

STAYS = [
    ("No, you are right.", UPLOAD, "Done."),
    ("No, that's correct, I just wanted to be sure.", UPLOAD, "Done."),
    ("No, that is right: nginx limits it.", UPLOAD, "Good."),
    ("No, exactly, 20 MB.", UPLOAD, "Good."),
    ("No, we keep it at that.", UPLOAD, "Done."),
    ("No. 3 on the list is next: add the audit column.", UPLOAD, "Added."),
    ("No. 2 on my list is next: raise the 30 MB limit in the docs.", UPLOAD, "Added."),
    ("No, the upload works fine now, thanks.", UPLOAD, "Good."),
    ("No, it works now, 12 uploads went through.", UPLOAD, "Good."),
    ("No, the 5 MB test file is in fixtures.", UPLOAD, "OK."),
    ("No, only nginx.", UPLOAD, "OK."),
    ("Not the upload, PR 12 comes next.", UPLOAD, "OK."),
    ("That's wrong. Run the tests again, 3 fail.", UPLOAD, "All pass."),
    ("No, it's 20 MB as you say.", UPLOAD, "OK."),
    ("いや、あと2つ質問があります。", IMAGES, "はい。"),
    ("No way, I didn't know that nginx does this. Thanks.", UPLOAD, "OK."),
    ("No, I was only curious about the upload.", UPLOAD, "OK."),
    ("No, Kenji wrote that part of nginx.conf.", UPLOAD, "OK."),
    ("No, it is great that nginx limits the upload size.", UPLOAD, "OK."),
    ("That is not correct English in the error message, please fix the text.", UPLOAD, "Done."),
    ("That's wrong in the README too: it says USD. Please fix it there.", CURRENCY, "Fixed in the README: JPY."),
    ("That's not true for staging though, there it is a static token.", PARTNERS, "Noted: staging uses a static token."),
    ("That's not right on Windows, it uses a static token there.", PARTNERS, "Noted."),
    ("That can't be right for our users! Please make the fraud check asynchronous.", CHECKOUT, "The fraud check is asynchronous now."),
    ("Wrong! Such things must be lazy. Change it.", TAX, "It is loaded on first use now."),
    ("Wrong tab, sorry.", TAX, "OK."),
    ("That's wrong, sorry, I was in the other window.", TAX, "OK."),
    ("Wrong, sorry, ignore my last message about app/billing.py.", TAX, "OK."),
    ("Are you sure? I thought it was 5.", SHARDS, "Yes, I checked config/search.yml: the search index has 3 shards."),
    ("I thought it was 99.", BASKET, ""),
    ("Isn't it 6?", SHARDS, "No, it has 3 shards."),
    ("That's not wrong, but please put it into docs/tax.md.", TAX, "Written."),
    ("No, that's wrong.", CACHED, "I checked again: prices are cached for 60 seconds in Redis."),
    ("Hmm, really?", CACHED, "You're right to ask, but it is 60 seconds."),
    ("Actually it's perfect, thanks.", CACHED, "You're welcome."),
    ("Could we make it 99 items?", BASKET, "The maximum basket size is 99 items now."),
    ("いや、合ってます。", TENANT, "わかりました。"),
    ("いや、それで正しいです。", TENANT, "わかりました。"),
    ("いや、助かりました。", IMAGES, "わかりました。"),
    ("いや、すごい。ありがとう。", IMAGES, "どういたしまして。"),
    ("違います、今のは別の件でした。", IMAGES, "わかりました。"),
    ("違います、ごめんなさい、今のは別のチャットの話でした。", IMAGES, "わかりました。"),
    ("違う、そっちのタブに書くつもりだった。", IMAGES, "わかりました。"),
    ("いや、その通りです。X-Tenant です。", TENANT, "はい。"),
    ("いや、ヘッダーの名前はいいと思います。", TENANT, "はい。"),
    ("いや、スキーマは3つとも見ました。", TENANT, "はい。"),
    ("いいえ、それで問題ありません。", TENANT, "はい。"),
    ("いや、勉強になりました。", TENANT, "はい。"),
    ("いや、商品画像の移行は明日の10時からです。", IMAGES, "はい。"),
    ("それは間違った設計ですね。イベント駆動に直したいので、まず設計案をください。", BATCH, "案を書きました。"),
    ("違います、5つでは？", SHARDS_JA, "config/search.yml を確認しましたが、シャードは3つです。5つだったのは旧環境です。"),
    ("本当ですか？利用規約には30日と書いてあります。", RETURNS, ""),
    ("本当ですか？利用規約には30日と書いてあります。", RETURNS, "利用規約は古く、返品の受付期限は14日です。"),
    ("うーん、7年だったはずですが。", AUDIT, "確認しました。監査ログの保存期間は1年です。"),
    ("ステージングでは違います。そちらは午前5時です。", BATCH, "承知しました。"),
    ("READMEの方は間違っています。7桁と書いてあります。", CODES, "直しました。"),
    ("間違えた、今のは無視して。", CODES, "はい。"),
    ("いや、顧客コードの話はここまでにしましょう。", CODES, "はい。"),
    ("そうじゃなくて、テストの話に戻りましょう。", CODES, "はい。"),
    ("99点にできますか？", POINTS, "バスケットの上限を99点にしました。"),
    ("いや、ちょうど40点で合っています。99点は旧仕様です。", POINTS, "はい。"),
]
"""What must refute nothing: prompt, (question, answer), reply."""
BAUD = ("What baud rate does the scale use?", "9600 baud.")
STAYS += [
    ("That is not correct English in the error text. It says 30 MB there.", UPLOAD, "Fixed."),
    ("No, use port 9090 for the upload, nginx limits it.", UPLOAD, "Done."),
    ("No, please raise the upload size to 30 MB.", UPLOAD, "Done."),
    ("It used to be 4800 in the old version.", BAUD, "Yes, it was 4800 there."),
    ("It also works with 19200.", BAUD, "Right, 19200 works as well."),
    ("And the display runs at 115200.", BAUD, "Yes, the display runs at 115200 baud."),
    ("It has 8 workers.", ("Which port?", "The server listens on port 8080."), "Yes, 8 workers."),
    ("But not on the M0, it has no locks there.", ("Can I call flush() from an interrupt?", "Yes, flush() is interrupt-safe."), "You're right, not on the M0."),
    ("The mirror of the backups is in eu-west-2.", ("Which region hosts the backups?", "eu-north-1."), "Noted, the mirror is in eu-west-2."),
    ("The upload doesn't show a progress bar though.", UPLOAD, "You're right, I'll add one."),
    ("It runs in Docker.", ("Which database do we use?", "PostgreSQL 16."), "Yes, in Docker."),
    ("I see. Kenji wants eight.", ("How many workers are there?", "Four workers."), "Right, Kenji wants eight."),
    ("長いですね。8時間にしてください。", ("セッションの有効期間は?", "24時間です。"), "8時間にしました。"),
    ("昔は /tmp でしたね。", ("ログはどこ?", "/var/log/app です。"), "はい、/tmp でした。"),
    ("テストが1件落ちてます。", ("テストは何件?", "60件です。"), "すみません、1件直します。"),
    ("Claude Rule should appear as Claude Rule.", ("Deduplicate the list.", "The list has 3 entries in `ContextTree`."), "Updated: `ClaudeRule`."),
]

GOES = [
    ("It's not nginx, it's the CDN.", UPLOAD, ""),
    ("nginxではなくCDNです。", ("アップロードの上限は何で決まりますか？", "アップロードの上限は nginx の設定で決まります。"), ""),
    ("いや、nginxじゃないです。CDNです。", ("アップロードの上限は何で決まりますか？", "アップロードの上限は nginx の設定で決まります。"), ""),
    ("違う違う、CDNだよ", ("アップロードの上限は何で決まりますか？", "アップロードの上限は nginx の設定で決まります。"), ""),
    ("No, the app limits it to 50 MB.", UPLOAD, ""),
    ("lol no, it's ja_JP.UTF-8 everywhere", ("Which locale does the PDF renderer use?", "The PDF renderer uses the locale en_US."), "Right, ja_JP.UTF-8."),
    ("Huh? I thought it was 99. Please check again.", BASKET, "I checked again: the maximum basket size is 99 items."),
    ("You misread the table. It rotates every 30 days.", SECRET, "Sorry, the webhook secret rotates every 30 days."),
    ("That can't be right, we moved off S3 last year. They go to Cloudflare R2 now.", INVOICES, "Indeed, invoice PDFs are stored in Cloudflare R2."),
    ("wrong. it's kafka, topic inventory.v2", EVENTS, "Thanks, inventory events go through the Kafka topic inventory.v2."),
    ("No, it's Kafka.", EVENTS, ""),
    ("No, the inventory events go through Kafka.", EVENTS, ""),
    ("Nope. It's 80 MB since June.", UPLOAD, ""),
    ("No, nginx does not limit the upload size.", UPLOAD, ""),
    ("I don't think so. Look at app/mailer.py again.", MAILS, "I looked again: the invoice mails are rendered with Jinja2."),
    ("That's wrong.", MAILS, "My mistake: the invoice mails are rendered with Jinja2."),
    ("That's not right, it is 300 seconds.", CACHED, ""),
    ("Actually it's 5 minutes.", CACHED, ""),
    ("It's 300 seconds, not 60.", CACHED, ""),
    ("Are you sure? I thought it was 5.", SHARDS, "You're right, the search index has 5 shards."),
    ("Incorrect, partners authenticate with a static token.", PARTNERS, ""),
    ("That's outdated: since May partners use a static token.", PARTNERS, ""),
    ("Isn't it 99?", BASKET, "You're right, the maximum basket size is 99 items."),
    ("You got that wrong, the export waits for a lock.", EXPORT, ""),
    ("違います。10月から午前4時に変わりました。", BATCH, ""),
    ("いや、それは古い情報です。今は月末締めです。", CLOSING, "失礼しました。請求書の締め日は月末です。"),
    ("そうじゃなくて、5分ごとですよ。settings.py に書いてあります。", STOCK, "訂正します。在庫の同期は5分ごとです。"),
    ("それ間違ってますよ。正しくは SendGrid の SDK です。", LIBRARY, ""),
    ("うーん、7年だったはずですが。規程を確認してください。", AUDIT, "確認しました。監査ログの保存期間は7年です。"),
    ("ちがう。去年から10桁。", CODES, "失礼しました。顧客コードは10桁です。"),
    ("本当ですか？利用規約には30日と書いてあります。", RETURNS, "利用規約のとおり、返品の受付期限は30日です。"),
    ("あれ、99点じゃなかったでしたっけ？", POINTS, "確認しました。バスケットの上限は99点です。"),
    ("NO。JPYです。", MONEY, "失礼しました。決済の通貨は JPY です。"),
    ("いや、返金の承認は経理だけです。", REFUNDS, ""),
    ("いや、10桁です。", CODES, ""),
    ("8桁ではなく10桁です。", CODES, ""),
    ("実は去年から10桁です。", CODES, ""),
    ("それは違います。", CODES, "ご指摘の通り、顧客コードは10桁です。"),
    ("6つじゃないですか？", SHARDS_JA, "確かに、シャードは6つです。"),
    ("正しくは shop-assets バケットです。", IMAGES, ""),
    ("いえ、商品画像は shop-assets バケットです。", IMAGES, ""),
    ("それは違うと思います。スキーマはサブドメインで決まります。", TENANT, ""),
    (
        "嘘ですよね。採番は receipt_no_seq です。",
        ("採番はどこで行いますか？", "採番は app/receipts.py で行います。"),
        "失礼しました。採番は receipt_no_seq で行います。",
    ),
]
"""What must refute the answer."""


@pytest.mark.parametrize(("prompt", "known", "reply"), STAYS)
def test_without_evidence_an_answer_stays(prompt, known, reply):
    question, answer = known
    assert not refutes(prompt, answer, reply, question)
    assert not refutes(prompt, answer, "", question)


@pytest.mark.parametrize(("prompt", "known", "reply"), GOES)
def test_what_contradicts_an_answer_refutes_it(prompt, known, reply):
    question, answer = known
    assert refutes(prompt, answer, reply, question)


@pytest.mark.parametrize("prompt", ["That's not it.", "それは違います。", "No, that's wrong.", "I don't think so, look again"])
def test_an_objection_without_another_statement_needs_an_agent_that_says_something_else(prompt):
    question, answer = CACHED
    assert not refutes(prompt, answer, "", question)
    assert not refutes(prompt, answer, "Prices are cached for 60 seconds, I checked it.", question)
    assert refutes(prompt, answer, "I looked again: prices are cached for 300 seconds.", question)


def test_the_tables_are_long_enough():
    japanese = [[prompt for prompt, *_ in table if not prompt.isascii()] for table in (STAYS, GOES)]
    assert len(STAYS) >= 40 and len(GOES) >= 30
    assert len(japanese[0]) >= 20 and len(japanese[1]) >= 15


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("You misread the table. It rotates every 30 days.", "It rotates every 30 days."),
        ("That can't be right for our users! Please make the fraud check asynchronous.", ""),
        ("No, you are right.", ""),
        ("No. 3 on the list is next: add the audit column.", ""),
        ("That's outdated: since May we read them from Vault.", "Since May we read them from Vault."),
        ("いや、合ってます。", ""),
        ("違います、今のは別の件でした。", ""),
        ("違います。正しくは午前4時です。", "正しくは午前4時です。"),
    ],
)
def test_a_correction_consists_of_sentences_that_read_alone(prompt, said):
    assert corrected(prompt) == said


@pytest.mark.parametrize(
    ("prompt", "known", "limited"),
    [
        ("That's not true for staging though, there it is a static token.", PARTNERS, True),
        ("That's not right on Windows, it uses a static token there.", PARTNERS, True),
        ("ステージングでは違います。そちらは午前5時です。", BATCH, True),
        ("That is not correct English in the error message, please fix the text.", UPLOAD, False),
        ("That's wrong in the README too, please fix it there.", CURRENCY, False),
        ("That's not right, it is 300 seconds.", CACHED, False),
        ("違います、今のは別の件でした。", IMAGES, False),
    ],
)
def test_a_correction_of_one_case_is_told_from_one_of_the_answer(prompt, known, limited):
    assert limits(prompt) is limited
    assert not (limited and refutes(prompt, known[1], "", known[0]))


_ANYWHERE = re.compile(
    r"\bnot (?:in |on |at |the |by |from |every )?[`\"“]?([\w./@:-]*\w)|([\w./@:-]*\w|[ァ-ヶー]+|[一-龥]+)\S{0,4}?(?:では|じゃ)(?:なく|ない|あり)",
    re.IGNORECASE,
)
"""Looks for what is denied at each character."""
_PARTS = ["not ", "the ", "ではなく", "じゃない", "では", "nginx", "カー", "設定", "は", "a_b", " ", ".", "/", "「", "」", "`", "、", "\n"]


@given(st.lists(st.sampled_from(_PARTS), max_size=14).map("".join))
def test_what_is_denied_is_found_from_its_beginning(text):
    assert DENIED.findall(text) == _ANYWHERE.findall(text)


@pytest.mark.parametrize("word", ["nginx", "設定値", "src/app.py"])
def test_a_denial_is_not_tried_at_each_character_of_a_word(word):
    """Otherwise a pasted line of one word takes the square of its length."""
    text = f"{word}ではない"
    assert DENIED.match(text) is not None
    assert [at for at in range(1, len(word)) if DENIED.match(text, at)] == []
