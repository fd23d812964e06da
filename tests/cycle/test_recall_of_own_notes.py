"""Among many notes of sessions, one word that is the subject of a note of people is enough to find it, if a prompt asks or wants something made."""

import pytest

from memorybank.clock import FixedClock
from tests.conftest import NOW
from tests.cycle.recalling import Remembering, prompt

ENGLISH = {
    "shared/glossary.md": "# Glossary\n\n- **berth**: a place where one boat lies for the night\n- **skiff**: any boat under four metres, billed by the hour\n",
    "shared/voucher.md": "# Vouchers\n\nA voucher is worth its printed amount for three years. Never pay the rest in cash.\n",
    "shared/mail.md": "# Newsletter\n\nSent from harbour@kestrel.example on the first Thursday, at most 400 a minute or the provider blocks us.\n",
    "implementation/printing.md": "# Receipts and the thermal printer\n\nThe printer cuts after 42 columns. Umlauts need code page 858.\n",
    "implementation/tides.md": "# Tides\n\nWe take the table of the port authority, updated in December. Never compute them.\n",
    "shared/support.md": "# Answers to guests\n\n- Refund: up to 24 hours before, later only with a doctor's note\n- Rain check: once per season\n",
    "planning/kiosk.md": "# Kiosk\n\nThe terminal at pier 3 runs Debian 11 and Firefox ESR, no updates before the season ends.\n",
    "planning/why.md": "# Why one file and no server\n\nThe harbour office has no admin. Everything must survive a copy to a stick.\n",
}
JAPANESE = {
    "shared/用語.md": "# 用語\n\n- **リコール**: 出版社の都合で回収する本。廃棄とは別\n- **ブックトラック**: 返ってきた本を一時的に置く棚。在架には数えない\n"
    "- **取り置き**: 一週間まで。電話で一度だけ延ばせる\n",
    "shared/担当.md": "# 担当\n\n購入と会計は森。サーバと帳票は岸。看板は若葉印刷（窓口は原さん、返事は木曜）。\n",
    "implementation/ポスターの設定.md": "# ポスターの設定\n\n用紙は A3 横、余白 12mm。裁ち落としは付けない。\n",
    "implementation/メールの設定.md": "# メールの設定\n\n送信元は noreply@toshokan.example。携帯キャリア宛は一分に 60 通まで。\n",
    "shared/スタンプ.md": "# スタンプカード\n\n一日一回まで。十個で一冊延長できる。\n",
    "shared/問い合わせ.md": "# 問い合わせの返し方\n\n- 弁償: 同じ本を買ってもらう。現金は受け取らない\n- コピー: 半分まで。地図は不可\n",
    "shared/書き方.md": "# 書き方\n\n## 画面\n\n- 「本」と書き「図書」は使わない\n",
    "planning/休館日.md": "# 休館日\n\n第三月曜と年末年始。祝日は開ける。\n",
}
FOUND = [
    (ENGLISH, "what do we call it, berth or mooring?", "shared/glossary.md"),
    (ENGLISH, "can a skiff be booked for half a day?", "shared/glossary.md"),
    (ENGLISH, "how long is a voucher good for?", "shared/voucher.md"),
    (ENGLISH, "a guest wants his voucher paid out, may we?", "shared/voucher.md"),
    (ENGLISH, "write the newsletter for october", "shared/mail.md"),
    (ENGLISH, "do we refund a booking two hours before?", "shared/support.md"),
    (ENGLISH, "can we update the kiosk to node 22?", "planning/kiosk.md"),
    (JAPANESE, "秋まつりのポスターの文面を書いて", "implementation/ポスターの設定.md"),
    (JAPANESE, "延長の停止をお知らせするメールを作ってください。", "implementation/メールの設定.md"),
    (JAPANESE, "ブックトラックの本は在庫に入りますか", "shared/用語.md"),
    (JAPANESE, "スタンプは一日に何回押せますか？", "shared/スタンプ.md"),
    (JAPANESE, "取置って何日までですか？", "shared/用語.md"),
    (JAPANESE, "弁償のお金はどう受け取るんでしたっけ", "shared/問い合わせ.md"),
]
SILENT = [
    (ENGLISH, "sort the list of boats by name"),
    (ENGLISH, "rename printer.py to output.py"),
    (ENGLISH, "why does the test for the map fail?"),
    (ENGLISH, "what is a good name for this function?"),
    (ENGLISH, "the tests of the kiosk failed again, see above"),
    (ENGLISH, "who called this function?"),
    (JAPANESE, "テストが落ちるので直して"),
    (JAPANESE, "設定ファイルを読み込む処理を書いて"),
    (JAPANESE, "ログイン画面のボタンを青にして"),
    (JAPANESE, "なぜ検索が遅いのですか"),
    (JAPANESE, "理由を教えて"),
    (JAPANESE, "例外の返し方を統一して"),
]
WORK = {
    "English": [
        ("make the list of boats faster", "The printer and the newsletter were not touched."),
        ("sort the kiosk menu", "It is sorted by name, as the vouchers."),
    ],
    "Japanese": [
        ("一覧の並びを直して", "ポスターとスタンプの画面はそのままです。"),
        ("メールの誤字を直して", "メールの件名を直しました。ブックトラックの表はそのままです。"),
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def remembering(shared_bank):
    """{the notes: a bank with these and 25 notes of sessions}"""
    found = {}
    for notes, work in ((ENGLISH, WORK["English"]), (JAPANESE, WORK["Japanese"])):
        made = Remembering(shared_bank(notes), FixedClock(NOW))
        for number in range(25):
            asked, answer = work[number % 2]
            opening = f"---\nsession_id: old-{number}\nagent_created: main\n---\n"
            made.note(f"sync/sessions/2025-08-{number + 1:02}-s{number}.md", f"{opening}# {asked} {number}\n\n## Results\n\n{answer}\n")
        found[id(notes)] = made.index()
    return found


def shown(remembering, notes, text):
    recalled = remembering[id(notes)].preview(prompt(text)).shown
    return [one.memory.key for one in recalled if not one.memory.key.startswith("sync/")]


@pytest.mark.parametrize(("notes", "text", "key"), FOUND)
def test_one_word_names_the_subject_of_a_note_of_people(remembering, notes, text, key):
    assert key in shown(remembering, notes, text)


@pytest.mark.parametrize(("notes", "text"), SILENT)
def test_other_words_and_prompts_that_ask_nothing_bring_none(remembering, notes, text):
    assert shown(remembering, notes, text) == []
