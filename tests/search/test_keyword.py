"""Keyword search answers questions in English and Japanese, best first, each hit with the passage that answers."""

import pytest

from memorybank.errors import UsageError

FILLER = {f"shared/other{chr(97 + n)}.md": f"# Other {chr(97 + n)}\n\nNothing to see here.\n\n別の話。\n" for n in range(12)}
NOTES = {
    "planning/storage.md": "---\ntitle: Storage decision\ntags: [adr]\ncreated: 2025-05-08\n---\n\n"
    "# Storage\n\nIntroduction.\n\nWe chose SQLite because it needs no server.\n\nEnd.\n",
    "planning/auth.md": "# Authentication tokens\n\nTokens expire after an hour.\nThe refresh token lives for a week.\n",
    "implementation/検索.md": "# 検索の実装\n\n全文検索エンジンはSQLiteを使う。\n\n日本語は二文字ずつに分ける。\n",
    "sync/2025-09-10.md": "# 日誌\n\n2025年9月10日に障害が起きた。原因は証明書の期限切れ。\n",
    **FILLER,
}


def keys(answer):
    return [hit.key for hit in answer.hits]


@pytest.fixture(scope="module")
def asked(shared_ask):
    return shared_ask(NOTES)


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("Why did we choose SQLite?", "planning/storage.md"),
        ("How long do tokens live?", "planning/auth.md"),
        ("日本語はどう分ける？", "implementation/検索.md"),
        ("障害の原因は何ですか", "sync/2025-09-10.md"),
        ("what happened on 10 September 2025", "sync/2025-09-10.md"),
        ("2025-09-10", "sync/2025-09-10.md"),
        ("2025年5月8日", "planning/storage.md"),
        ('"refresh token"', "planning/auth.md"),
        ("証", "sync/2025-09-10.md"),
        ("authenticaton", "planning/auth.md"),
        ("authen", "planning/auth.md"),
        ("adr", "planning/storage.md"),
    ],
)
def test_the_note_that_answers_comes_first(asked, question, best):
    assert keys(asked(question))[0] == best


def test_words_are_alternatives(asked):
    assert set(keys(asked("sqlite zebra token"))) >= {"planning/storage.md", "planning/auth.md"}


def test_a_quoted_phrase_must_stand_as_it_is(asked):
    assert keys(asked('"token refresh"')) == []
    assert keys(asked('"needs no server"')) == ["planning/storage.md"]
    assert keys(asked('"全文検索"')) == ["implementation/検索.md"]
    assert keys(asked('"検索全文"')) == []


def test_a_hit_names_the_lines_of_its_best_passage_in_the_file(asked):
    (hit,) = asked("sqlite needs no server", limit=1).hits
    text = NOTES[hit.key].split("\n")
    first, last = hit.lines
    assert "We chose SQLite because it needs no server." in text[first - 1 : last]
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["SQLite", "needs", "server"]


def test_where_only_the_title_matches_the_note_is_shown_from_its_first_words(ask):
    (hit,) = ask({"a.md": "---\ntitle: Zebra\n---\n\n\nFirst words.\n"})("zebra").hits
    assert hit.lines[0] == 6
    assert hit.snippet == "First words."


def test_an_empty_answer_is_no_error(asked):
    assert asked("zzyzx").hits == ()
    assert asked("象").hits == ()


def test_an_empty_bank_answers(ask):
    assert ask({})("anything").hits == ()


def test_a_query_without_words_is_a_usage_error(asked):
    with pytest.raises(UsageError):
        asked('""')
    with pytest.raises(UsageError):
        asked("word", limit=0)
    with pytest.raises(UsageError):
        asked("word", type="semantic")


def test_the_title_counts_more_than_the_body(ask):
    body = "Some text about this and that and more.\n"
    assert keys(ask({"a.md": f"# Plain\n\nrotation. {body}", "b.md": f"# Rotation\n\nplain. {body}", **FILLER})("rotation"))[0] == "b.md"


def test_importance_breaks_ties(ask):
    ratings = (("a", 1, "red"), ("b", 9, "blue"), ("c", 5, "pink"))
    notes = {f"{name}.md": f"---\nrating: {rating}\n---\nzebra crossing {colour}\n" for name, rating, colour in ratings}
    assert keys(ask(notes)("zebra crossing")) == ["b.md", "c.md", "a.md"]


def test_pieces_of_a_series_borrow_from_their_neighbours(ask):
    """The answer stands in a remark that does not repeat what it is about; alone, the shorter remark would win."""
    talk = ["Good morning.", "Which database shall it be?", "After all that was said, PostgreSQL.", "Fine.", "Lunch?", "PostgreSQL.", "Bye."]
    notes = {f"talk/t{n:02d}.md": f"{line}\n" for n, line in enumerate(talk, 1)} | FILLER
    found = keys(ask(notes)("which database, PostgreSQL?"))
    assert found.index("talk/t03.md") < found.index("talk/t06.md")
    alone = keys(ask({key.replace("/t", "/t-").replace(".md", "x.md"): text for key, text in notes.items()})("which database, PostgreSQL?"))
    assert alone.index("talk/t-03x.md") > alone.index("talk/t-06x.md")


def test_long_numbered_notes_speak_for_themselves(ask):
    long = "Words that fill a paragraph until it speaks for itself. " * 12
    asked = ask({"n/p1.md": f"{long} zebra crossing\n", "n/p2.md": f"{long}\n", "n/p3.md": f"{long}\n"})
    assert keys(asked("zebra crossing")) == ["n/p1.md"]


def test_a_mark_stands_in_the_file_as_written_in_crlf_and_with_a_byte_order_mark(ask):
    (hit,) = ask({"a.md": b"\xef\xbb\xbf---\r\ntitle: T\r\n---\r\n\r\nfirst\r\nThe zebra here\r\n"})("zebra").hits
    assert hit.lines == (6, 6)
    assert hit.snippet == "The zebra here"


def test_common_words_alone_are_answered_within_the_budget(ask, monkeypatch):
    """Where every word stands nearly everywhere, titles and then importance decide, and few postings are ranked."""
    from memorybank.search import lookup

    monkeypatch.setattr(lookup, "POSTINGS", 5)
    asked = ask(FILLER | {"a.md": "# Nothing\n\nNothing to see.\n", "b.md": "---\nrating: 10\n---\nnothing\n"})
    found = keys(asked("nothing see", limit=5))
    assert found[0] == "a.md"
    assert len(found) == 5
    assert keys(asked("nothing to see zebra", limit=3))


def test_rare_words_find_the_candidates_and_common_ones_order_them(ask, monkeypatch):
    from memorybank.search import lookup

    monkeypatch.setattr(lookup, "POSTINGS", 5)
    notes = FILLER | {"x.md": "zebra\n", "y.md": "zebra, nothing to see\n"}
    assert keys(ask(notes)("zebra nothing see"))[:2] == ["y.md", "x.md"]


@pytest.mark.parametrize(("typed", "found"), [("zebar", "a.md"), ("zebr", "a.md"), ("certifcate", "b.md"), ("kettle", None), ("zeabr", None)])
def test_a_word_that_no_note_contains_is_completed_or_corrected(ask, typed, found):
    answer = keys(ask({"a.md": "# 動物\n\nzebra\n", "b.md": "# 証明書\n\ncertificate\n"})(typed))
    assert answer == ([found] if found else [])
