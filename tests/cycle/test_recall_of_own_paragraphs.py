"""A question or request in other words reaches the paragraph or list item of a note of people, and quiet prompts stay quiet."""

import pytest

from memorybank.clock import DAY, FixedClock
from memorybank.cycle.know import rejected
from tests.conftest import NOW
from tests.cycle.recalling import Remembering, prompt

ENGLISH = {
    "shared/conventions.md": "# Conventions\n\n- Weights are integer grams in the database and in JSON. Only the app shows kilos.\n"
    "- Every endpoint writes an audit line; never print the name of an owner.\n",
    "planning/why-no-orm.md": "# Plain Go and sqlc instead of Ent\n\nDecided in March by Ruth and Tomas. Our reports are window functions, and no generator"
    " we tried could express them. To be looked at again when sqlc supports composite types.\n",
    "shared/glossary.md": "# Words\n\n- **referral**: an animal that another practice sends to us; the first visit is free\n"
    "- **refund**: only for unopened food, within 14 days, never in cash\n- **shift**: eight hours of one nurse, from 06:00\n",
    "planning/roadmap.md": "# Roadmap\n\n- This spring: reminders for vaccinations, scans of passports.\n"
    "- Not planned: dark mode, a chatbot (tried in 2023, owners asked it for doses), coupons.\n",
    "implementation/lab.md": "# The laboratory\n\nThe laboratory of Corvex sends results over SFTP, at most every ten minutes. The process `fetch_corvex`"
    " deletes a file after it was read, so keep the backup of the raw folder.\n",
    "implementation/releases.md": "# Releases\n\n1. main is on staging after each merge.\n2. Production: only Ruth starts the workflow, with a tag.\n"
    "3. Never between 16:00 and 19:00: evening surgery needs the x-rays then.\n",
}  # fmt: skip
JAPANESE = {
    "shared/規約.md": "# 規約\n\n- コミットの件名は「種別(範囲): 内容」。\n- 画面とチャットに届け先の住所を出さない。出してよいのは町名まで。\n",
    "shared/用語.md": "# 用語\n\n- **再配達**: 不在で持ち戻った荷物を翌日以降に運ぶこと。当日の分は数えない。\n"
    "- **破損**: 外箱の角がつぶれたものから。写真が三枚ないと受け付けない。\n- **締切**: その便に載せられる最後の時刻。十五分前に画面を閉じる。\n",
    "planning/地図の方針.md": "# 地図の方針\n\n地図は国土地理院のタイルを使う。Mapbox は月の上限を超えた年に請求が三倍になったのでやめた。\n",
    "implementation/データの癖.md": "# データの癖\n\n- 集荷所の CSV は Shift_JIS で来る。\n- 早朝 4 時までの伝票は前の日の便として数える。\n",
    "implementation/本番.md": "# デプロイの手順\n\n1. 検証環境で一晩動かす。\n"
    "2. 本番は岡さんの承認のあと `make ship` で出す。\n3. 繁忙期（12月10日から28日）は本番を触らない。\n",
    "planning/予算.md": "# 予算\n\nAWS は月12万円まで。Lambda の同時実行は 40 まで。超えそうなら総務の秋山さんに先に言う。\n",
}
FOUND = [
    (
        ENGLISH,
        "Hello! A student asked me why we do not simply use an object mapper such as Ent for the reports, and I could not answer. Do you know?",
        "window functions",
    ),
    (
        ENGLISH,
        "Good morning. One owner was sent to us by Hallam. I am not sure what a referral costs, could you tell me?",
        "the first visit is free",
    ),
    (ENGLISH, "can she be reimbursed for the food?", "unopened food"),
    (ENGLISH, "A pet shop would like to print discount codes on leaflets. Did we not talk about that?", "coupons"),
    (ENGLISH, "fetch_corvex hangs since noon", "keep the backup of the raw folder"),
    (ENGLISH, "Everything is merged. Could you please put it into production before the others come back?", "evening surgery"),
    (ENGLISH, "can we go live at five?", "Never between 16:00 and 19:00"),
    (JAPANESE, "荷物が壊れていたという連絡が来たときは、どこから受け付けるのでしたっけ。", "写真が三枚"),
    (JAPANESE, "お客様から、期限は何分前に切れるのかと聞かれました。どうお答えすればよいでしょうか。", "十五分前"),
    (JAPANESE, "Mapboxに戻すのはどう？", "三倍になった"),
    (JAPANESE, "これ今夜本番に出していい？", "12月10日から28日"),
    (JAPANESE, "リリースお願いします", "岡さんの承認"),
    (JAPANESE, "お世話になっております。早朝の伝票が、翌日の便に入っているように見えます。これは正しいのでしょうか。", "前の日の便"),
]
SILENT = [
    (ENGLISH, "Thank you, that looks good. Please go on with the next one."),
    (ENGLISH, "the build is red since ten, nothing else changed. why?"),
    (ENGLISH, "It is nearly twelve and somebody is on the phone, could you please rename the button to Save?"),
    (ENGLISH, "write a summary of the last week"),
    (ENGLISH, "add a table for the photos of the rooms"),
    (ENGLISH, "why did the deploy job take twenty minutes?"),
    (ENGLISH, "make the second column wider and sort it by date"),
    (ENGLISH, "drop the lock when the process dies"),
    (JAPANESE, "ありがとうございます。次もお願いします。"),
    (JAPANESE, "画面の余白を少し広げてください"),
    (JAPANESE, "なぜテストが落ちるのですか。昨日は通っていました。"),
    (JAPANESE, "この関数の名前を変えてほしいです"),
    (JAPANESE, "一覧の並びを日付の新しい順にしたいです"),
    (JAPANESE, "リリースノートの誤字を直して"),
    (JAPANESE, "どういう条件で呼ばれるのか調べてください"),
    (JAPANESE, "本番のログを見て原因を教えてください"),
]


@pytest.fixture(scope="module")
def remembering(shared_bank):
    """{the notes: a bank with these, two months old}"""
    found = {}
    for notes in (ENGLISH, JAPANESE):
        found[id(notes)] = Remembering(shared_bank(notes), FixedClock(NOW + 60 * DAY)).index()
    return found


@pytest.mark.parametrize(("notes", "asked", "said"), FOUND)
def test_a_paragraph_is_found_by_what_it_is_about(remembering, notes, asked, said):
    found = remembering[id(notes)].preview(prompt(asked))
    assert found.injection is not None
    assert said in found.injection.text


@pytest.mark.parametrize(("notes", "asked"), SILENT)
def test_words_of_everyday_language_find_nothing(remembering, notes, asked):
    found = remembering[id(notes)].preview(prompt(asked))
    assert found.injection is None or found.injection.text == ""


MONDAYS = {
    **ENGLISH,
    "planning/mondays.md": "# Mondays\n\nHedda counts the opened syringes at the close of the week, and puts the sheet into the blue binder.\n\n"
    + "".join(f"On day {day} somebody writes down what the cupboard holds and what is missing. " for day in range(40)),
}
JAPANESE_MONDAYS = {
    **JAPANESE,
    "planning/月曜.md": "# 月曜の作業\n\n台車の空気圧は佐野さんが測り、青いノートに控える。\n\n"
    + "".join(f"棚の{place}番目の引き出しの中身を確かめる。" for place in range(80)),
}
TWO_QUESTIONS = [
    (MONDAYS, "can she be reimbursed for the food? and in which binder does the sheet with the opened syringes go?", "unopened food", "blue binder"),
    (JAPANESE_MONDAYS, "Mapboxに戻すのはどう？ 台車の空気圧を控える青いノートは？", "三倍になった", "佐野さん"),
]


@pytest.mark.parametrize(("notes", "asked", "first", "second"), TWO_QUESTIONS)
def test_a_note_that_answers_the_other_half_stays_behind_the_paragraph(bank, notes, asked, first, second):
    text = Remembering(bank(notes), FixedClock(NOW + 60 * DAY)).index().preview(prompt(asked)).injection.text
    assert 0 < text.find(first) < text.find(second)


@pytest.mark.parametrize(("notes", "asked", "first", "second"), TWO_QUESTIONS)
@pytest.mark.parametrize("was_rejected", [True, False])
def test_a_note_gives_way_only_to_a_paragraph_that_may_be_shown(bank, notes, asked, first, second, was_rejected):
    remembering = Remembering(bank(notes), FixedClock(NOW + 60 * DAY)).index()
    begin = asked[: asked.index("?" if asked.isascii() else "？") + 1]
    (memory,) = remembering.preview(prompt(begin)).shown
    if was_rejected:
        rejected.add(remembering.scratch.layout, memory.memory.memory, is_rejected=True, by=rejected.COMMAND, what="", clock=remembering.clock)
    else:
        assert first in remembering.ask(prompt(begin)).text
    text = remembering.preview(prompt(asked)).injection.text
    assert second in text and first not in text
