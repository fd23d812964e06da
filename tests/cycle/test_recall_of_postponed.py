"""What was put off until a part of the work comes when a prompt begins that part."""

from contextlib import closing

import pytest

from memorybank.cycle.fold import schema
from memorybank.cycle.know import postponed
from memorybank.cycle.know.earlier import Earlier
from memorybank.storage import database

from .conftest import NOW
from .recalling import Remembering, assert_gives_way_when_rejected, prompt

CASES = [
    (
        "add the berths",
        "The berths are in.\n\n## What I would defer\n\n- Ferry times → Phase 6\n\nCorrections while a pilot waits: not yet, revisit in phase 6.",
        "ok, start phase 6",
        ("Ferry times → Phase 6", "Corrections while a pilot waits: not yet, revisit in phase 6."),
    ),
    (
        "桟橋を追加して",
        "桟橋を追加しました。満潮の通知はフェーズ6で対応します。",
        "フェーズ6の実装計画を立てて",
        ("満潮の通知はフェーズ6で対応します。",),
    ),
]


@pytest.fixture
def remembering(bank, fixed_clock):
    return Remembering(bank(), fixed_clock)


def told(remembering, asked):
    injection = remembering.fold().preview(prompt(asked)).injection
    return injection.text if injection is not None else ""


def put_off(remembering, asked):
    remembering.fold()
    with closing(database.open_writable(schema.path(remembering.scratch.layout), schema.TABLES, schema.VERSION)) as cache:
        cache.create_function("sees", 8, lambda *_row: False)
        return [one.said for one in postponed.until(Earlier(cache, "now", NOW), asked)]


@pytest.mark.parametrize(("asked", "answered", "begins", "shown"), CASES)
def test_it_comes_when_its_part_begins(remembering, asked, answered, begins, shown):
    work = remembering.session(days_ago=3)
    work.prompt(asked)
    work.turn_end(answered)
    text = told(remembering, begins)
    assert len(put_off(remembering, begins)) == len(shown)
    assert [text.count(sentence) for sentence in shown] == [1] * len(shown)
    assert put_off(remembering, begins.replace("6", "7")) == []


@pytest.mark.parametrize(("asked", "answered", "begins", "shown"), CASES)
def test_it_was_due_when_somebody_began_the_part_before(remembering, asked, answered, begins, shown):
    work = remembering.session(days_ago=3)
    work.prompt(asked)
    work.turn_end(answered)
    later = remembering.session("later", days_ago=2)
    later.prompt(begins)
    later.turn_end("Done." if begins.isascii() else "完了しました。")
    assert put_off(remembering, begins) == []


def test_what_is_done_is_not_put_off(remembering):
    work = remembering.session(days_ago=3)
    work.prompt("what is the state?")
    work.turn_end("Phase 6 is implemented and the ferry times are complete.")
    assert put_off(remembering, "start phase 6") == []


def test_a_document_that_is_named_after_the_part_is_named(remembering):
    work = remembering.session(days_ago=3)
    work.prompt("write the plan of the locks")
    work.edit("docs/phases/phase-8.1-locks.md", "a", "b")
    work.edit("docs/phases/phase-8-berths.md", "a", "b")
    work.edit("src/phase-8.1.ts", "a", "b")
    work.turn_end("The plan of the locks is written.")
    text = told(remembering, "let's document this as a phase 8.1")
    assert "docs/phases/phase-8.1-locks.md" in text and "phase-8-berths" not in text and "phase-8.1.ts" not in text


def test_what_the_reader_may_not_see_is_not_shown(remembering):
    work = remembering.session(days_ago=3)
    work.prompt("add the berths", privacy="agent-only", agent="other")
    work.turn_end("Ferry times: not yet, revisit in phase 6.", privacy="agent-only", agent="other")
    assert put_off(remembering, "start phase 6") == []


def filled(remembering):
    for number in range(40):
        hull = remembering.session(f"hull{number}", days_ago=20 + number)
        hull.prompt(f"what is the color of hull {number}?")
        hull.turn_end(f"The hull {number} has the color `#aa{number:02}ff`.")
    return remembering


@pytest.mark.parametrize(
    ("answered", "later", "begins", "shown"),
    [
        (
            "The berths are in. Ferry times: not yet, revisit in phase 6. The color of the locks is deferred until phase 6.",
            "The ferry times are dropped, so phase 6 comes without ferry times.",
            "start phase 6",
            ["The color of the locks is deferred until phase 6."],
        ),
        (
            "桟橋を追加しました。満潮の通知はフェーズ6で対応します。干潮の色はフェーズ６まで保留です。",
            "満潮の通知はフェーズ6では対応しません。",
            "フェーズ6を始めて",
            ["干潮の色はフェーズ６まで保留です。"],
        ),
    ],
)
def test_what_was_dropped_later_is_not_put_off(remembering, answered, later, begins, shown):
    work = filled(remembering).session(days_ago=3)
    work.prompt("add the berths")
    work.turn_end(answered)
    dropped = remembering.session("later", days_ago=2)
    dropped.prompt("and the rest?")
    dropped.turn_end(later)
    assert put_off(remembering, begins) == shown


@pytest.mark.parametrize(
    ("answered", "begins"),
    [
        ("Ferry times: not yet, revisit in phase 6. The color of the locks is deferred until phase 6.", "start phase 6"),
        ("満潮の通知はフェーズ6で対応します。干潮の色はフェーズ６まで保留です。", "フェーズ6を始めて"),
    ],
)
def test_two_sentences_of_one_passage_are_one_memory(remembering, answered, begins):
    work = filled(remembering).session(days_ago=3)
    work.prompt("add the berths")
    work.turn_end(answered)
    text = told(remembering, begins)
    assert [text.count(sentence) for sentence in put_off(remembering, begins)] == [1, 1]
    assert_gives_way_when_rejected(remembering, prompt(begins))


@pytest.mark.parametrize(
    "denies", ["don't start phase 6 yet", "what is left to do in phase 6?", "フェーズ6はまだ始めないで", "フェーズ6の実装は終わりましたか"]
)
def test_who_only_asks_or_waits_did_not_begin_it(remembering, denies):
    work = filled(remembering).session(days_ago=3)
    work.prompt("add the berths")
    work.turn_end("Ferry times: not yet, revisit in phase 6.")
    later = remembering.session("later", days_ago=2)
    later.prompt(denies)
    later.turn_end("I wait.")
    assert put_off(remembering, "start phase 6") == ["Ferry times: not yet, revisit in phase 6."]


def test_many_steps_hide_no_phase(remembering):
    work = filled(remembering).session(days_ago=9)
    work.prompt("add the berths")
    work.turn_end("Ferry times: not yet, revisit in phase six.")
    later = remembering.session("later", days_ago=2)
    for number in range(postponed._MOST_READ // 4):
        later.prompt(f"go on with hull {number}")
        later.turn_end("\n\n".join(f"The next step of mast {number}.{part} is at the stage of painting, part of its hull." for part in range(5)))
    assert put_off(remembering, "start phase 6") == ["Ferry times: not yet, revisit in phase six."]
