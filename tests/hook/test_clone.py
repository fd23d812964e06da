"""A fresh clone: the first session recalls by title, says that the index is not ready, and its turn ends build the index in slices."""

import json
from itertools import count

import pytest

from memorybank.bank import Bank
from memorybank.clock import FixedClock
from memorybank.config.settings import load
from memorybank.index import readiness
from memorybank.index.fold import fold
from memorybank.index.schema import VERSION
from memorybank.index.working import open_index
from memorybank.storage import database
from tests.conftest import NOW

NUMBERS = count(1)
QUESTION = "When is the staging database reset?"
BODY = "Where are the dumps of the weather station, on the flamingo server?"
JAPANESE = "検証環境の初期化はいつですか"


@pytest.fixture
def clone(host):
    """A project with some hundred notes and no cache. A busy machine does not end its slices."""
    host.bank.configure("cycle", json.dumps({"deadlines_ms": {"outbox_turn_end": 8_000, "process": 10_000}}))
    for number in range(160):
        host.bank.write(f"planning/n{number:03}.md", f"# Plan {number} of the orchard\n\nTrees of row {number} are pruned in week {number}.\n")
    host.bank.write("planning/n080.md", "# Plan 80 of the orchard\n\nThe flamingo server keeps the dumps of the weather station.\n")
    host.bank.write("設計/検証環境.md", "---\ntags: [検証]\n---\n# 検証環境の初期化\n\n月曜の朝に初期化される。\n")
    return host


def ask(host, prompt):
    return host.said("UserPromptSubmit", prompt=prompt, prompt_id=f"p{next(NUMBERS)}")


def stop(host):
    done = host.fire(host.payload("Stop", stop_hook_active=False, last_assistant_message=f"Done, {next(NUMBERS)}.", background_tasks=[]))
    assert (done.returncode, done.stderr) == (0, b"")


def waiting(host):
    connection = database.open_reading(host.bank.layout.database, VERSION)
    try:
        return readiness.of(connection).waiting
    finally:
        if connection is not None:
            connection.close()


def test_the_first_prompt_is_answered_by_title_and_later_ones_in_full(clone):
    answer = ask(clone, QUESTION)
    assert "scripts/reset_staging.sh" in answer, "the paragraph of the note that its title found"
    assert "The index lacks 162 of 162 notes. They were searched by title and tags only; 'memorybank index' completes the index." in answer
    assert "月曜の朝" in ask(clone, JAPANESE)
    assert ask(clone, BODY) == "", "the body of a note is not searched yet"
    assert not (clone.bank.root / "cache" / "bank.sqlite3").exists(), "a prompt indexes nothing"
    left = []
    while not left or left[-1] != 0:
        stop(clone)
        left.append(waiting(clone))
        assert len(left) < 60, left
    assert left == sorted(left, reverse=True)
    clone.session = "another"
    answer = ask(clone, BODY)
    assert "The flamingo server keeps" in answer and "The index lacks" not in answer


def test_between_two_slices_both_halves_are_found(clone):
    with open_index(clone.bank.layout, load(clone.bank.layout), FixedClock(NOW)) as index:
        fold(index, only=["shared/staging.md", *(f"planning/n{number:03}.md" for number in range(60))], portion=True)
    assert waiting(clone) is None, "nobody counted"
    for question, note in ((QUESTION, "shared/staging.md"), (JAPANESE, "設計/検証環境.md")):
        answer = ask(clone, question)
        assert f"[note {note};" in answer and "The index lacks 101 of 162 notes." in answer


def test_a_note_that_may_be_restricted_is_not_found_by_title(clone):
    clone.bank.write("shared/secret.md", "---\nacl: session\nsession_id: other\n---\n# Zanzibar launch code\n\nhunter2\n")
    assert ask(clone, "what is the zanzibar launch code") == ""


def test_recall_shows_what_the_hook_shows(clone, capfd):
    """The command indexes, as every command does; from then on hook and command read the same. Where nothing can be written, both answer by title."""
    memory = Bank.open(str(clone.bank.root), read_only=True).memory
    before = ask(clone, QUESTION)
    assert memory.recall(QUESTION).injection.text == before and memory.recall(QUESTION).notice.startswith("The index lacks 162 of 162 notes.")
    clone.session = "second"
    found = Bank.open(str(clone.bank.root)).memory.recall(QUESTION)
    assert found.notice == "" and waiting(clone) == 0
    assert ask(clone, QUESTION) == found.injection.text


def test_a_question_that_no_title_answers_is_met_with_silence(clone):
    assert ask(clone, "please rename the variable in the parser module") == ""
