"""The same thing in another writing is found: variant characters, umlauts, dates, numbers, beginnings; and what a query excludes is not."""

import pytest

from memorybank.text.character_forms import one_form

NOTES = {
    "a/meeting.md": "# Architecture meeting\n\nOn 3 March 2025 we agreed to split the monolith.\n",
    "a/renewal.md": "# 契約更新\n\n契約は令和6年4月1日に更新した。\n",
    "a/budget.md": "# Hardware\n\nThe limit is ¥1,200,000 for the year.\n",
    "a/people.md": "# 担当\n\n渡邊さんと齋藤さんが請求書を担当する。髙橋さんは休み。\n",
    "a/backup.md": "# 資料庫備份\n\n每天凌晨備份資料庫。\n",
    "a/street.md": "# Straßenverzeichnis\n\nDas Verzeichnis und seine Überprüfung.\n",
    "a/cpp.md": "# Compile times\n\nTemplates in C++ slow the build.\n",
    "a/csharp.md": "# Billing\n\nThe worker is written in C#.\n",
    "a/c.md": "# Bindings\n\nThe C interface is stable. C is fine, C it is.\n",
    "a/authorization.md": "# Authorization model\n\nRoles are read from Keycloak.\n",
    "a/authors.md": "# Writers\n\nThe authors review it.\n",
    "a/redux-yes.md": "# Redux in the admin app\n\nRedux, redux and more redux.\n",
    "a/redux-no.md": "# State of the shop\n\nZustand replaced redux.\n",
    "a/naming.md": "# Naming rule\n\nCall it the single source of truth.\n",
    "a/tables.md": "# Truth tables\n\nThe source of a truth table: truth and its source. Source, truth.\n",
    "a/null.md": "# SQL\n\nNOT IN with a NULL in the list yields no rows.\n",
    "a/triage.md": "# Triage\n\n🐛 is labelled within a day.\n",
    **{f"b/other{number}.md": f"# Other {number}\n\nNothing to see here. 別の話。\n" for number in range(12)},
}


def keys(answer):
    return [hit.key for hit in answer.hits]


@pytest.fixture
def asked(ask):
    return ask(NOTES)


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("03.03.2025", "a/meeting.md"),
        ("20250303", "a/meeting.md"),
        ("the third of March", "a/meeting.md"),
        ("March the third", "a/meeting.md"),
        ("2025年3月3日", "a/meeting.md"),
        ("2024-04-01", "a/renewal.md"),
        ("1 April 2024", "a/renewal.md"),
        ("1200000", "a/budget.md"),
        ("120万円", "a/budget.md"),
        ("渡辺", "a/people.md"),
        ("渡邉さん", "a/people.md"),
        ("斉藤", "a/people.md"),
        ("高橋", "a/people.md"),
        ("数据库备份", "a/backup.md"),
        ("STRASSENVERZEICHNIS", "a/street.md"),
        ("Ueberpruefung", "a/street.md"),
        ("C++", "a/cpp.md"),
        ("c#", "a/csharp.md"),
        ("auth* Keycloak", "a/authorization.md"),
        ("redux NOT admin", "a/redux-no.md"),
        ('redux NOT "admin app"', "a/redux-no.md"),
        ('"source of truth', "a/naming.md"),
        ("NOT IN NULL", "a/null.md"),
        ("🐛", "a/triage.md"),
    ],
)
def test_the_note_is_found_in_another_writing(asked, question, best):
    assert keys(asked(question))[:1] == [best]


def test_a_beginning_finds_every_word_that_begins_with_it(asked):
    assert set(keys(asked("auth*"))) == {"a/authorization.md", "a/authors.md"}


def test_no_hit_contains_what_is_excluded(asked):
    assert set(keys(asked("redux"))) == {"a/redux-yes.md", "a/redux-no.md"}
    assert keys(asked("redux NOT admin")) == ["a/redux-no.md"]
    assert keys(asked("redux NOT admin", type="recent")) == ["a/redux-no.md"]


def test_in_capitals_not_is_a_word_like_any_other(asked):
    assert set(keys(asked("REDUX NOT ADMIN"))) == {"a/redux-yes.md", "a/redux-no.md"}


@pytest.mark.parametrize("emphasised", ["*redux*", "**redux**", "src/*.py redux"])
def test_an_asterisk_of_markdown_or_of_a_pattern_completes_nothing(asked, emphasised):
    assert "a/authors.md" not in keys(asked(emphasised)) and "a/redux-no.md" in keys(asked(emphasised))


def test_the_match_is_marked_as_the_note_writes_it(asked):
    hit = asked("渡辺").hits[0]
    assert [hit.snippet[begin:end] for begin, end in hit.marks] == ["渡邊"]


@pytest.mark.parametrize(("written", "form"), [("渡邉邊辺", "渡辺辺辺"), ("数據库", "数拠庫"), ("后後里裏面麵", "后後里裏面麵"), ("ABC ひカ", "ABC ひカ")])
def test_a_class_of_characters_has_one_form_and_words_of_their_own_stay(written, form):
    assert one_form(written) == form and one_form(form) == form
