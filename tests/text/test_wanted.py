"""What kind of answer a question wants, and which texts contain one."""

import pytest

from memorybank.text.prompts.wanted import NUMBER, PERSON, PLACE, REASON, TIME, contains, kinds_wanted, subject


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("why did we leave the old broker?", REASON),
        ("what was wrong with the export", REASON),
        ("at what time does the sweep run", TIME),
        ("how often does the meter report?", NUMBER),
        ("what's the cutoff at the moment", NUMBER),
        ("where does the importer live", PLACE),
        ("who may delete a member?", PERSON),
        ("どうして手書きのSQLなの？", REASON),
        ("掃除は今何時に始まる？", TIME),
        ("1人何冊まで？", NUMBER),
        ("取り込みはどこにある？", PLACE),
        ("誰が会員を消せる？", PERSON),
    ],
)
def test_a_question_wants_a_kind(question, kind):
    assert kind in kinds_wanted(question)


@pytest.mark.parametrize("text", ["rename the class to Meter", "which library renders the bills?", "クラスの名前を変えて", "請求書はどのライブラリで作る？"])
def test_others_tell_none(text):
    assert kinds_wanted(text) == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (TIME, "cron starts it at 05:40"),
        (NUMBER, "it gives up after five attempts"),
        (PLACE, "I removed the old importer"),
        (PERSON, "only an owner invites people"),
        (REASON, "because the vendor ships a blob"),
        (TIME, "毎週月曜に動きます"),
        (NUMBER, "上限は15冊です"),
        (PLACE, "取り込みを削除しました"),
        (PERSON, "司書だけができます"),
        (REASON, "読めなかったためです"),
    ],
)
def test_a_text_contains_an_answer(kind, text):
    assert contains(kind, text)


@pytest.mark.parametrize(("kind", "text"), [(TIME, "the list is sorted"), (NUMBER, "the list is sorted"), (PLACE, "the list is sorted"), (REASON, "Done.")])
def test_or_none(kind, text):
    assert not contains(kind, text)


def test_what_only_asks_is_no_subject():
    assert subject("how many calls does a key have these days").split() == ["calls", "does", "a", "key", "have"]
    assert subject("夜間の同期は今何時？").split() == ["夜間の同期は", "？"]
