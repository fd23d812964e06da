"""A person's words are shown as theirs, with the day on which they were said, and once in a context, whatever they come from."""

import os

import pytest

from memorybank.bank import Bank
from memorybank.cycle.finish import learned_notes, session_note
from memorybank.cycle.fold import schema
from memorybank.cycle.know import learned, standing
from memorybank.reasons.reason import Reason
from memorybank.storage import database
from tests.conftest import NOW
from tests.cycle.recalling import Remembering, before, prompt, start
from tests.cycle.test_recall_mentioned import OTHERS

LIMIT = "The limit must never be above 200, because the iOS app runs out of memory when it decodes larger pages."
RULES = {
    LIMIT: "The limit of 200 orders per page is too small, make it 1000.",
    "ページの上限は絶対に200を超えないこと。": "注文ページの上限を200から1000に上げてください。",
    "Exports must always be written as utf-8-sig, since Excel reads anything else as Shift_JIS.": "Can the exports be plain utf-8 for Excel?",
}


@pytest.fixture
def memory(bank, fixed_clock):
    """A bank with ten sessions; `said(text)` adds one, five days ago, with what a person stated, and its note."""
    remembering = Remembering(bank({"planning/plan.md": "# Plan\n\nNothing yet.\n"}, git=True), fixed_clock)
    for number, texts in enumerate(OTHERS * 3):
        work = remembering.session(f"other-{number}", days_ago=8 + number)
        for request, answer in zip(texts[::2], texts[1::2], strict=True):
            work.prompt(request)
            work.turn_end(answer)

    def said(text):
        work = remembering.session("earlier", days_ago=5)
        work.prompt("Raise the limit of the orders, please.")
        work.turn_end("MAX_LIMIT is 500 now.")
        work.prompt(f"That is too much. {text}")
        work.turn_end("MAX_LIMIT is 200 now.")
        work.end()
        remembering.fold()
        layout = remembering.base.layout
        connection = database.open_writable(schema.path(layout), schema.TABLES, schema.VERSION)
        written = learned_notes.write(remembering.base, connection, lambda: 9_999)
        connection.close()
        for key in written:
            os.utime(layout.note_path(key), (NOW / 1000, NOW / 1000))
        return written

    remembering.said = said
    return remembering


def shown(injection):
    return injection.text if injection is not None else ""


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_shown_once_as_the_words_of_a_person_with_their_day(memory, rule):
    assert memory.said(rule)
    memory.index()
    text = shown(memory.ask(prompt(RULES[rule])))
    assert text.count(rule.split("。")[0].rstrip(".")) == 1, text
    assert "written by an agent" not in text
    source = next(line for line in text.split("\n") if "learned/rule-" in line)
    assert "2025-09-12" in source and "said by a person" in source and "2025-09-17" not in source


def test_what_a_start_showed_as_a_rule_is_not_shown_again_from_its_session(memory):
    memory.said(LIMIT)
    os.remove(memory.base.layout.note_path(next(iter(session_note.unedited(memory.base.layout, learned.FOLDER)))))
    assert LIMIT in shown(memory.ask(start()))
    assert LIMIT not in shown(memory.ask(prompt(RULES[LIMIT])))


def test_what_a_prompt_showed_from_a_session_is_not_shown_again_as_a_rule(memory):
    memory.said("Never touch the folder vendor/maps, the vendor ships it.")
    for key in session_note.unedited(memory.base.layout, learned.FOLDER):
        os.remove(memory.base.layout.note_path(key))
    first = shown(memory.ask(prompt("May I touch the folder vendor/maps of the vendor?")))
    assert "vendor ships it" in first
    assert "vendor ships it" not in shown(memory.ask(before("Edit", {"file_path": "vendor/maps/a.js", "old_string": "a", "new_string": "b"})))


def test_a_note_that_a_person_rewrote_is_shown_as_theirs(memory):
    (key,) = memory.said(LIMIT)
    path = memory.base.layout.note_path(key)
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text + "\nThe warehouse fetches 200 orders at a time, so the limit of pages is fine.\n")
    memory.index()
    assert "said by a person" not in shown(memory.ask(prompt(RULES[LIMIT])))


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("Never push to main directly, open a pull request, even for one-line changes.", "git push origin main"),
        ("mainへの直接プッシュは禁止です。", "git push origin main"),
    ],
)
def test_a_silent_moment_whose_memory_the_context_has_says_so(memory, rule, command):
    memory.said(rule)
    call = before("Bash", {"command": command})
    assert rule in shown(memory.ask(start()))
    known = Bank.open(str(memory.scratch.root), clock=memory.clock).memory
    silent = known.recall(command, tool="Bash", session="now")
    assert silent.injection is None and silent.reason == Reason("silence.already_shown")
    assert known.recall(command, tool="Bash", session="another").injection is not None
    assert known.recall("ls -la", tool="Bash", session="now").reason == Reason("silence.no_match")
    assert shown(memory.ask(call)) == ""


@pytest.mark.parametrize(
    ("text", "has_all"),
    [
        (LIMIT, True),
        ("and release notes: plain sentences, none of that docs(x): stuff, and leave off the co-authored-by line pls", False),
    ],
)
def test_a_rule_that_is_a_part_of_a_sentence_does_not_stand_for_it(memory, text, has_all):
    memory.said(text)
    connection = database.open_reading(schema.path(memory.base.layout), schema.VERSION)
    quoted = [name for (name,) in connection.execute("SELECT memory FROM passages WHERE kind = 'said'") if standing.rules_in(connection, name)]
    assert quoted and any(standing.rules_in(connection, name, 0.7) for name in quoted) == has_all
    connection.close()
