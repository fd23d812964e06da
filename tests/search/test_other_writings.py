"""The same thing in another writing is found: variant characters, umlauts, dates, numbers, beginnings. What a query excludes is not, and copies come
last."""

import pytest

from memorybank.errors import UsageError
from memorybank.text.words.character_forms import one_form

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
    "a/fix.md": "# Retry\n\nRepaired in 3f2a1c9.\n",
    "a/long-fix.md": "# Timeout\n\nRepaired in b81d20e4c6a97f3355aa0011223344556677889a.\n",
    "a/slip.md": "# Cluster\n\nThe kuberentes cluster was moved.\n",
    **{f"a/cluster{number}.md": f"# Pods {number}\n\nKubernetes restarts them.\n" for number in range(4)},
    "a/triage.md": "# Triage\n\n🐛 is labelled within a day.\n",
    **{f"b/other{number}.md": f"# Other {number}\n\nNothing to see here. 別の話。\n" for number in range(12)},
}


def keys(answer):
    return [hit.key for hit in answer.hits]


@pytest.fixture(scope="module")
def asked(shared_ask):
    return shared_ask(NOTES)


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


@pytest.mark.parametrize(
    ("hash", "note"),
    [
        ("3f2a1c9", "a/fix.md"),
        ("3f2a1c9d00112233445566778899aabbccddeeff", "a/fix.md"),
        ("3f2a1c", "a/fix.md"),
        ("b81d20e", "a/long-fix.md"),
        ("b81d20e4c6a97f3355aa0011223344556677889a", "a/long-fix.md"),
    ],
)
def test_a_commit_is_found_by_a_hash_of_any_length(asked, hash, note):
    assert keys(asked(hash))[:1] == [note]


def test_a_slip_that_one_note_contains_does_not_hide_the_word(asked):
    assert set(keys(asked("kuberentes"))) == {"a/slip.md", *(f"a/cluster{number}.md" for number in range(4))}
    assert keys(asked("kuberentes cluster"))[0] == "a/slip.md"


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


@pytest.mark.parametrize(("written", "form"), [("渡邉邊辺", "渡辺辺辺"), ("数據库", "数据庫"), ("后後里裏面麵", "后後里裏面麵"), ("ABC ひカ", "ABC ひカ")])
def test_a_class_of_characters_has_one_form_and_words_of_their_own_stay(written, form):
    assert one_form(written) == form and one_form(form) == form


def test_copies_of_a_better_hit_come_last(ask):
    told = "The staging database is reset every Monday at six. Nobody may keep data there. Use the seed script afterwards. "
    copies = {f"a/copy{number}.md": f"# Staging database\n\n{told}See the calendar for holidays.\n" for number in range(4)}
    asked = ask(copies | {"a/other.md": "# Seed script\n\nThe seed script fills the staging tables of a new developer.\n"})
    found = keys(asked("staging database seed script"))
    assert found[1] == "a/other.md" and set(found) == {*copies, "a/other.md"}
    assert keys(asked("staging database seed script", limit=2)) == found[:2]


def test_the_same_question_in_other_words_finds_what_either_finds(asked):
    first, second = keys(asked("compile times")), keys(asked("請求書"))
    both = keys(asked("compile times", also=("請求書",)))
    assert "a/people.md" not in first and "a/cpp.md" not in second
    assert set(both) == {*first, *second} and both[:2] in (["a/cpp.md", "a/people.md"], ["a/people.md", "a/cpp.md"])


def test_a_wording_that_finds_nothing_changes_nothing(asked):
    plain = asked("single source of truth")
    other = asked("single source of truth", also=("zzzz", "single source of truth"))
    assert [(hit.key, pytest.approx(hit.score)) for hit in plain.hits] == [(hit.key, hit.score) for hit in other.hits]
    assert keys(asked("zzzz", also=("compile times",))) == keys(asked("compile times"))


def test_a_hit_of_one_wording_is_as_good_as_its_best_wording(asked):
    found = {hit.key: hit.is_weak for hit in asked("weekday holiday calendar compile", also=("compile times",)).hits}
    assert found["a/cpp.md"] is False


def test_wordings_and_the_limit(asked):
    assert len(asked("redux", also=("kubernetes", "auth*"), limit=3).hits) == 3
    with pytest.raises(UsageError, match="one text"):
        asked("redux", "content", also=("kubernetes",))
