"""The fold: the rows that lines give in the cache, folded step by step or all at once."""

import os

import pytest

from memorybank.clock import DAY
from memorybank.config.cycle import CycleSettings, Deadlines
from memorybank.cycle import importance
from memorybank.cycle.base import CycleContext
from memorybank.cycle.event import SESSION_END, TURN_END, Event
from memorybank.cycle.fold import cache as fold_cache
from memorybank.cycle.fold import logs, schema
from memorybank.cycle.improve import samples
from memorybank.cycle.router import HookRouter
from memorybank.log import events
from memorybank.storage import database

from .conftest import MINUTE, NOW


def test_an_intent_has_no_outcome_of_its_own_with_or_without_a_result(base, cache, session):
    """An unknown outcome teaches nothing: a call that was begun and never ended is neither a failure nor an attempt."""
    work = session()
    work.before("Bash", "t1", inputs={"command": "make"})
    work.run("make", tool_use_id="t1")
    work.before("Bash", "t2", inputs={"command": "sleep"})
    work.turn_end("done")
    work.end()
    logs.fold(base, cache, wait=True)
    samples.finish(cache, work.session, 1 << 40)
    assert cache.execute("SELECT event, status FROM events WHERE event LIKE 'tool%'").fetchall() == [
        ("tool_before", None),
        ("tool_after", "success"),
        ("tool_before", None),
    ]
    assert cache.execute("SELECT count(*) FROM failures").fetchone() == (0,)
    assert cache.execute("SELECT fingerprint, first_failed FROM attempts").fetchall() == [("make", 0)]


def test_a_correction_marks_the_turn_it_answers_and_no_other(base, cache, session):
    work = session()
    work.prompt("one")
    before = work.run("first")
    work.prompt("two")
    wrong = work.run("second")
    also = work.edit("src/a.py", agent="a1")
    correction = work.prompt("no, use the other", signal=-1)
    after = work.run("third")
    logs.fold(base, cache, wait=True)
    signals = dict(cache.execute("SELECT event_id, signal FROM events WHERE event LIKE 'tool%'"))
    assert signals == {before: 0, wrong: -1, also: -1, after: 0}
    assert cache.execute("SELECT signal FROM events WHERE event_id = ?", (correction,)).fetchone() == (0.5,), "it is about the turn that it answers"


def test_an_interrupted_turn_is_marked_like_a_corrected_one(base, cache, session):
    work = session()
    work.prompt("go")
    call = work.run("make all")
    work.turn_end(status="partial", reason="interrupted")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT signal FROM events WHERE event_id = ?", (call,)).fetchone() == (-1,)


def test_what_a_person_says_carries_their_signal(base, cache, session):
    work = session()
    prompt = work.prompt("fix src/a.py", anchors=["file:src/a.py"])
    call = work.read("src/a.py")
    notice = work.prompt("<task-notification>", human=False)
    logs.fold(base, cache, wait=True)
    signals = dict(cache.execute("SELECT event_id, signal FROM events"))
    assert [signals[event] for event in (prompt, call, notice)] == [0.5, 0, 0]


def test_a_call_that_a_person_stopped_or_refused_is_marked_alone(base, cache, session):
    work = session()
    work.prompt("go")
    before = work.run("make one")
    refused = work.run("make two", status="partial", reason="interrupted")
    logs.fold(base, cache, wait=True)
    assert dict(cache.execute("SELECT event_id, signal FROM events WHERE event LIKE 'tool%'")) == {before: 0, refused: -1}


def test_the_context_remembers_the_last_human_prompt_and_the_last_error(base, cache, session):
    work = session()
    work.prompt("検索の順位を直して", task_id="ABC-1")
    work.run("pytest", error="AssertionError: 1 != 2")
    work.prompt("<task-notification>done", human=False)
    logs.fold(base, cache, wait=True)
    row = cache.execute("SELECT prompt, epoch FROM contexts WHERE session = 's1' AND agent = 'main'").fetchone()
    assert row == ("検索の順位を直して", 1)
    work.epoch = 2
    work.prompt("next")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT prompt, epoch FROM contexts").fetchall() == [("next", 2)]


def test_an_exposure_is_used_when_its_own_context_touches_an_anchor_it_brought_up(base, cache, session):
    work = session()
    shown = {"memory": "note:a.md", "rank": 1, "score": 0.8, "anchors": ["file:src/b.py"], "tokens": 20, "shown": True}
    work.expose(shown, {**shown, "memory": "group:x", "anchors": ["file:src/never.py"]}, {**shown, "memory": "note:shadow.md", "shown": False})
    work.read("src/b.py", agent="a1")
    logs.fold(base, cache, wait=True)
    used = "SELECT memory, used_at IS NOT NULL FROM exposures ORDER BY rowid"
    assert cache.execute(used).fetchall() == [("note:a.md", 0), ("group:x", 0), ("note:shadow.md", 0)], "another agent's context"
    work.read("src/b.py")
    logs.fold(base, cache, wait=True)
    assert cache.execute(used).fetchall() == [("note:a.md", 1), ("group:x", 0), ("note:shadow.md", 1)]


def test_novelty_looks_at_earlier_lines_of_the_same_session_alone(base, cache, session):
    for name in ("s1", "s2"):
        work = session(name)
        work.run("make the same thing")
        work.run("make the same thing")
        logs.fold(base, cache, wait=True)
    assert [row[0] for row in cache.execute("SELECT novelty FROM events ORDER BY file, offset")] == [1.0, 0.0, 1.0, 0.0]


def test_novelty_looks_back_two_hundred_events_and_no_further(base, cache, session):
    work = session()
    for number in range(201):
        work.run(f"program{number}")
    work.run("program0")
    work.run("program200")
    logs.fold(base, cache, wait=True)
    novelties = [row[0] for row in cache.execute("SELECT novelty FROM events ORDER BY offset")]
    assert novelties[-2] > 0.3 and novelties[-1] == 0


def test_what_was_said_is_reused_when_a_passage_of_it_is_and_shared_by_the_files_of_its_turn(base, cache, session):
    work = session("s1")
    work.prompt("Why does the nightly export stop?")
    work.edit("src/export.py", "old", "new")
    work.turn_end("The nightly export stops because the ledger is locked.", id="theanswer")
    lonely = session("lonely")
    lonely.prompt("Why is the kettle cold today?")
    lonely.turn_end("The kettle is cold because nobody plugged it in.", id="alone")
    for number in range(2):
        later = session(f"later-{number}", at=NOW - MINUTE)
        later.expose({"memory": "answer:theanswer.0", "rank": 1, "score": 0.5, "terms": ["ledger", "lock"], "tokens": 9, "shown": number == 0})
        later.turn_end("So the ledger lock it is.")
        later.edit("src/export.py", "new", "newer")
    logs.fold(base, cache, wait=True)
    said, other = (
        importance.of_event(cache, *cache.execute("SELECT file, offset FROM events WHERE event_id = ?", (name,)).fetchone()) for name in ("theanswer", "alone")
    )
    assert (said.reuse, other.reuse) == (pytest.approx(0.1), 0.0), "a shadow is no reuse"
    assert said.cross_impact > other.cross_impact == 0.0


def test_what_an_agent_touched_before_is_no_use(base, cache, session):
    work = session()
    work.read("src/known.py")
    work.expose({"memory": "note:a.md", "rank": 1, "score": 0.8, "anchors": ["file:src/known.py"], "tokens": 20, "shown": True})
    work.read("src/known.py")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT awaited, used_at FROM exposures").fetchall() == [(0, None)]


@pytest.mark.parametrize(("between", "used"), [(19, 1), (20, 0)])
def test_a_use_comes_within_twenty_results(base, cache, session, between, used):
    work = session()
    work.expose({"memory": "note:a.md", "rank": 1, "score": 0.8, "anchors": ["file:src/b.py"], "tokens": 20, "shown": True})
    for number in range(between):
        work.read(f"other/{number}.py")
    work.read("src/b.py")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT used_at IS NOT NULL FROM exposures").fetchall() == [(used,)]


@pytest.mark.parametrize(
    ("said", "used"),
    [
        ("The vacuum of the ledger runs every Tuesday.", "said"),
        ("毎週火曜に ledger を vacuum する。", "said"),
        ("The ledger is fine.", None),
        ("Done.", None),
    ],
)
def test_an_answer_that_carries_the_distinctive_words_is_a_use(base, cache, session, said, used):
    """Two words of four, in any language. One word is a coincidence, and their absence says nothing."""
    work = session()
    work.expose({"memory": "rule:a", "rank": 1, "score": 0.8, "terms": ["ledger", "vacuum", "tuesday", "quota"], "tokens": 20, "shown": True})
    work.turn_end(said, agent="a1")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT used FROM exposures").fetchall() == [(None,)], "another agent's answer"
    work.turn_end(said)
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT used FROM exposures").fetchall() == [(used,)]


def test_an_edit_that_carries_the_distinctive_words_is_a_use(base, cache, session):
    work = session()
    work.expose({"memory": "rule:a", "rank": 1, "score": 0.8, "terms": ["ledger", "vacuum"], "tokens": 20, "shown": True})
    work.edit("src/a.py", "ledger vacuum", "nothing")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT used FROM exposures").fetchall() == [(None,)], "what it took out is no use"
    work.edit("src/a.py", "old", "ledger.vacuum()")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT used FROM exposures").fetchall() == [("said",)]


def test_running_what_a_problem_recommends_is_a_use(base, cache, session):
    work = session()
    work.expose({"memory": "problem:a", "rank": 1, "score": 0.8, "anchors": ["form:bun run test"], "tokens": 20, "shown": True})
    work.run("bun run build")
    work.run("cd app && bun run test --watch | tail -3")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT used FROM exposures").fetchall() == [("form:bun run test",)]


def test_a_failure_that_was_warned_of_is_met_and_not_used(base, cache, session):
    later = session("later")
    later.expose({"memory": "problem:x", "rank": 1, "score": 0.8, "why": [], "anchors": ["fails:make", "file:fix.py"], "tokens": 20, "shown": True})
    later.run("make", error="KeyError: absent")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT awaited, warned, met_at IS NOT NULL, used_at FROM exposures").fetchall() == [(1, "fails:make", 1, None)]
    later.read("fix.py")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT used FROM exposures").fetchall() == [("file:fix.py",)]


def test_a_line_is_folded_once_however_often_it_stands_in_the_log(base, cache, session):
    work = session()
    work.run("make", id="same")
    work.run("make", id="same")
    assert logs.fold(base, cache, wait=True) == 2
    assert cache.execute("SELECT count(*) FROM events").fetchone() == (1,)


def test_a_line_of_another_session_in_this_file_is_no_line(base, cache, session):
    """Copying a log file must not make its events count twice."""
    from memorybank.log import events

    session("s1").run("make")
    path = events.path_of(base.layout, "s1")
    with open(path, "rb") as source, open(events.path_of(base.layout, "a-copy"), "wb") as copy:
        copy.write(source.read())
    assert logs.fold(base, cache, wait=True) == 2
    assert cache.execute("SELECT name FROM events JOIN files ON id = file").fetchall() == [("s1.jsonl",)]


def test_lines_that_hold_nonsense_are_folded_without_a_word(base, cache, session):
    work = session()
    work.line("tool_after", inputs=None, outputs=[1], status=7, error={"a": 1}, anchors="file:x", files=None, latency_ms="long", cost=3, fingerprint=9)
    work.line("prompt", inputs="[PURGED]", signal="strong")
    work.line("turn_end", outputs="[PURGED]", remarks=[None, {"after": 3}, {"after": ["x"], "text": {}}])
    work.line("exposure", trigger=None, exposures=[None, {"memory": 3}, {"memory": "note:a", "anchors": [1], "rank": None}])
    work.line("unheard_of", at=NEVER)
    work.run("make", at=NEVER)
    assert logs.fold(base, cache, wait=True) == 6
    assert cache.execute("SELECT count(*) FROM exposures").fetchone() == (1,)


NEVER = -99_999_999_999_999


def test_a_fold_stops_at_its_limit_and_goes_on_there(base, cache, session):
    one, two = session("one"), session("two")
    for _ in range(5):
        one.run("make")
        two.run("make")
    assert [logs.fold(base, cache, limit=4) for _ in range(4)] == [4, 4, 2, 0]
    assert cache.execute("SELECT count(*) FROM events").fetchone() == (10,)


def test_a_hook_folds_its_own_session(base, cache, session):
    session("one").run("make")
    session("two").run("make")
    assert logs.fold(base, cache, session="two") == 1
    assert cache.execute("SELECT session FROM events JOIN files ON id = file").fetchall() == [("two",)]


def test_a_busy_cache_is_left_to_whoever_has_it(base, cache, session):
    session().run("make")
    other = database.open_writable(schema.path(base.layout), schema.TABLES, schema.VERSION, busy_seconds=0)
    with database.transaction(cache):
        assert logs.fold(base, other) == 0
    assert logs.fold(base, other) == 1
    other.close()


def test_a_log_that_was_cut_is_folded_anew(base, cache, session):
    from memorybank.log import events

    work = session()
    work.run("make one")
    path = events.path_of(base.layout, "s1")
    with open(path, "rb") as stream:
        kept = stream.read()
    work.run("make two")
    logs.fold(base, cache, wait=True)
    with open(path, "wb") as stream:
        stream.write(kept)
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT fingerprint FROM events").fetchall() == [("make one",)]
    with open(path, "wb") as stream:
        stream.write(b"")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT count(*) FROM events").fetchone() == (0,)


def test_sessions_that_nobody_added_to_lately_are_looked_at_by_those_who_write_them_and_at_the_end_of_any(base, cache, session):
    """With years of sessions, a hook must not ask the disk for the size of each log at every turn. Nothing is lost by that."""

    def folded(name):
        (offset,) = cache.execute("SELECT offset FROM files WHERE name = ?", (f"{name}.jsonl",)).fetchone()
        return offset == os.path.getsize(events.path_of(base.layout, name))

    def happens(event, name):
        unhurried = CycleSettings(deadlines_ms=Deadlines(session_end=10_000, outbox_session_start=10_000, outbox_turn_end=10_000))
        HookRouter(CycleContext(base.layout, unhurried, base.clock), frozenset()).finish(Event(host="claude-code", name=event, session_id=name))

    old, recent = session("old", NOW - 8 * DAY), session("recent", NOW - 6 * DAY)
    old.run("make")
    recent.run("make")
    happens(TURN_END, "own")
    assert folded("old") and folded("recent"), "what is new is always folded"
    old.run("make again")
    recent.run("make again")
    happens(TURN_END, "own")
    assert folded("recent") and not folded("old")
    happens(TURN_END, "old")
    assert folded("old"), "whoever goes on with it folds it"
    old.run("make once more")
    happens(TURN_END, "own")
    assert not folded("old")
    happens(SESSION_END, "own")
    assert folded("old")
    os.remove(events.path_of(base.layout, "recent"))
    happens(TURN_END, "own")
    assert cache.execute("SELECT name FROM files").fetchall() == [("old.jsonl",)], "a log that is gone is seen at once"


def test_a_cleared_cache_keeps_only_what_no_log_contains(base, cache, session):
    """The next fold begins at the first line of each log, so a row that stays would be counted twice."""
    session().run("pytest -q", error="Error: no module named sky")
    assert logs.fold(base, cache, wait=True) > 0
    rendering = ("s1", "digest", NOW, "text")
    cache.execute("INSERT INTO renderings VALUES (?, ?, ?, ?)", rendering)
    fold_cache.clear(cache)
    tables = {statement.split()[2] for statement in schema.TABLES if statement.startswith("CREATE TABLE")}
    assert {table for table in tables if cache.execute(f"SELECT 1 FROM {table}").fetchone()} == {"renderings"}
    assert cache.execute("SELECT * FROM renderings").fetchall() == [rendering]
