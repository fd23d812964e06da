"""The record of what was said: a person's words, an agent's last words, the causes it stated during the turn, and the files of a turn."""

import pytest

from memorybank.cycle.fold import logs

PRIVATE = {"acl": "session", "privacy": "private", "hold": True}
ANSWER = "The nightly export stops because the ledger is locked."


@pytest.fixture
def rows(base, cache):
    """rows(query) → the rows that the cache returns after everything is folded."""

    def ask(query):
        logs.fold(base, cache, wait=True)
        return cache.execute(query).fetchall()

    return ask


def test_each_sentence_of_a_person_is_a_passage_and_pasted_text_is_none(session, rows):
    session().prompt("Why does the nightly export stop? 夜間の書き出しが止まる。\n\n```\nTraceback: pasted ledger error\n```\n")
    assert rows("SELECT kind, text FROM passages ORDER BY id") == [("said", "Why does the nightly export stop?"), ("said", "夜間の書き出しが止まる。")]


def test_an_answer_is_cut_into_passages_below_their_heading(session, rows):
    work = session()
    work.prompt("Why does the nightly export stop?")
    work.turn_end(f"## Cause\n\n{ANSWER}\n\n## Fix\n\n- Release the lock after each batch of rows.\n- Retry the export once when it fails.")
    assert rows("SELECT heading, text FROM passages WHERE kind = 'answer' ORDER BY id") == [
        ("Cause", ANSWER),
        ("Fix", "Release the lock after each batch of rows."),
        ("Fix", "Retry the export once when it fails."),
    ]


def test_remarks_are_kept_where_they_state_a_cause_or_a_decision(session, rows):
    work = session()
    work.prompt("Why does the nightly export stop?")
    said = "Let me look at the export script next.\n\nIt stops because the ledger is locked by the vacuum."
    work.turn_end("Done with it.", remarks=[{"after": "", "text": said}])
    assert rows("SELECT text, failure FROM passages WHERE kind = 'remark'") == [("It stops because the ledger is locked by the vacuum.", None)]


def test_a_prompt_that_a_host_wrote_begins_no_turn_and_says_nothing(session, rows):
    session().prompt("Never push to the main branch.", human=False)
    assert rows("SELECT 1 FROM passages UNION ALL SELECT 1 FROM turns UNION ALL SELECT 1 FROM statements") == []


def test_what_is_too_short_to_be_found_is_not_kept(session, rows):
    work = session()
    work.prompt("go")
    work.turn_end("Done.")
    assert rows("SELECT text FROM passages") == [] and len(rows("SELECT 1 FROM turns")) == 1


def test_a_turn_has_the_files_that_were_edited_in_it(session, rows):
    work = session()
    work.prompt("Rename the ledger everywhere.")
    for path in ("src/b.py", "src/a.py", "src/b.py"):
        work.edit(path)
    work.edit("src/broken.py", status="failure", error="EACCES")
    work.read("src/read.py")
    work.prompt("Now the documentation, please.")
    work.edit("docs/ledger.md")
    assert rows("SELECT t.offset = 0, name FROM turn_files JOIN turns t ON t.id = turn ORDER BY t.id, name") == [
        (1, "src/a.py"),
        (1, "src/b.py"),
        (0, "docs/ledger.md"),
    ]


def test_passages_keep_who_may_see_them_and_join_no_turn_of_another_scope(session, rows):
    """The part of a turn that everybody may see is never combined with what only its session may see."""
    work = session()
    work.prompt("Why does the nightly export stop?", **PRIVATE)
    work.turn_end(ANSWER)
    work.edit("src/export.py")
    found = rows("SELECT kind, acl, privacy, hold, turn IS NOT NULL FROM passages ORDER BY id")
    assert found == [("said", "session", "private", 1, 1), ("answer", "user", "public", 0, 0)]
    assert rows("SELECT name FROM turn_files") == []


def test_what_a_person_states_or_expects_is_a_statement_with_its_subject(session, rows):
    work = session()
    work.prompt("Never push to the main branch. Did you add a test for the parser?")
    work.prompt("必ず日本語のテストも書いてください。")
    work.turn_end("Never push to the main branch, always rebase first.")
    found = rows("SELECT kind, text FROM statements ORDER BY offset, place")
    assert ("constraint", "Never push to the main branch.") in found
    assert ("expectation", "Did you add a test for the parser?") in found
    assert any("日本語のテスト" in text for _, text in found)
    assert not any("rebase" in text for _, text in found), "what an agent says is no rule"


def test_every_passage_is_found_by_each_of_its_terms_and_counted_once(base, cache, session, rows):
    work = session()
    work.prompt("Why does the nightly export of the ledger stop? The ledger is full.")
    work.turn_end(ANSWER)
    for number, terms in rows("SELECT id, terms FROM passage_terms"):
        for term in terms.split(" "):
            assert (number,) in cache.execute("SELECT rowid FROM passage_text WHERE passage_text MATCH ?", (f'"{term}"',)).fetchall()
    counted = {}
    for (terms,) in rows("SELECT terms FROM passage_terms"):
        for term in terms.split(" "):
            counted[term] = counted.get(term, 0) + 1
    assert dict(rows("SELECT * FROM frequencies")) == counted and counted["ledger"] == 3
