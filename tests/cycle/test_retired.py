"""Retired sessions: what leaves the cache a month after they were finished, what stays, and what is there again when somebody continues one (ADR 0109)."""

import os

import pytest

from memorybank.bank import Bank
from memorybank.clock import DAY, FixedClock
from memorybank.config.cycle import CycleSettings, Deadlines
from memorybank.cycle import importance, rebuild
from memorybank.cycle.base import CycleContext
from memorybank.cycle.event import SESSION_END, SESSION_START, TURN_END, Event
from memorybank.cycle.finish import finished, macro, outbox, summaries
from memorybank.cycle.fold import cache as fold_cache
from memorybank.cycle.fold import logs, retired, schema
from memorybank.cycle.fold.logs import grown as grown_logs
from memorybank.cycle.improve import samples
from memorybank.cycle.recall import outcomes
from memorybank.cycle.router import HookRouter
from memorybank.log import events, organize
from memorybank.log import lines as lines_of_log
from memorybank.log.organize import OrganizeStep
from memorybank.storage import database
from memorybank.storage.layout import Layout

from .conftest import MINUTE, NOW, Session, content

LIGHT = 200.0
"""Milliseconds in which the heavy steps do not fit."""
OLD = NOW - 40 * DAY


def work_done(work, name="a"):
    """One turn: a command fails, an edit repairs it; another failure stays open; a memory is shown and not used yet."""
    work.prompt(f"検索が日本語を見つけるようにして src/{name}.py")
    work.before("Bash", f"t-{name}")
    work.run(f"pytest tests/{name}.py", error=f"AssertionError: {name} is not found", tool_use_id=f"t-{name}")
    work.edit(f"src/{name}.py", "return 1", "return pairs")
    work.run(f"pytest tests/{name}.py")
    work.run(f"make {name}", error=f"make: no rule for {name}")
    work.run(f"touch {name}.txt")
    work.expose({"memory": "note:a.md", "rank": 1, "score": 0.5, "anchors": ["file:docs/later.md"], "tokens": 1, "shown": True}, event="tool_before")
    work.before("Bash", f"open-{name}")
    work.turn_end(f"The search of {name} finds Japanese words because the tokenizer pairs them.")


@pytest.fixture
def old(session):
    """A session of forty days ago with one turn, that has ended."""
    work = session("old", at=OLD)
    work_done(work)
    work.end()
    return work


def finish(base, cache):
    outbox.gather(base, cache, lambda: LIGHT)
    macro.finish(base, cache, lambda: LIGHT)


def retire(base, cache):
    finish(base, cache)
    retired.retire_all(cache)


def fresh(base):
    """The content of a cache that is made of the logs alone."""
    made = database.in_memory(schema.TABLES, schema.VERSION)
    logs.fold(base, made, wait=True)
    finished.catch_up(base, made)
    found = content(made)
    made.close()
    return found


def counts(cache):
    return {table: len(rows) for table, rows in content(cache).items()}


WORKING = ("met", "steps_since", "turn_commands", "contexts")
"""What only the continuation of a session reads."""
KNOWN = ("turns", "turn_files", "passages", "passage_terms", "frequencies", "statements", "failures", "remedies", "forms", "chains", "exposures", "sharers")
"""What knowledge is made of."""


def test_the_working_rows_of_an_old_session_leave_the_cache_and_what_it_taught_stays(base, cache, old):
    finish(base, cache)
    before = content(cache)
    assert [table for table in WORKING if not before[table]] == []
    retired.retire_all(cache)
    after = content(cache)
    assert [table for table in WORKING if after[table]] == []
    assert {table: after[table] for table in KNOWN} == {table: before[table] for table in KNOWN}
    said = {row[0] for row in cache.execute("SELECT offset FROM passages")}
    assert {row[0] for row in cache.execute("SELECT offset FROM events")} == said, "recall reads the importance of a passage's event"


@pytest.mark.parametrize("days", [30, 32])
def test_a_session_retires_a_month_after_its_last_event(base, cache, session, days):
    work = session("one", at=NOW - days * DAY)
    work_done(work)
    work.end()
    retire(base, cache)
    assert cache.execute("SELECT retired FROM files").fetchall() == [(int(days > 31),)]


def test_an_unfinished_session_never_retires(base, cache, session, old):
    """Its end still has to be made from these rows."""
    logs.fold(base, cache, wait=True)
    cache.execute("INSERT INTO meta VALUES (?, ?)", (fold_cache.FINISHED_AT, NOW))
    retired.retire_all(cache)
    assert cache.execute("SELECT retired FROM files").fetchall() == [(0,)]
    finish(base, cache)
    old.run("make more")
    logs.fold(base, cache, wait=True)
    retired.retire_all(cache)
    assert cache.execute("SELECT retired FROM files").fetchall() == [(0,)], "it was continued after its end"


def test_the_importance_of_what_was_said_stays(base, cache, old):
    finish(base, cache)
    places = cache.execute("SELECT DISTINCT file, offset FROM passages").fetchall()
    before = [importance.of_event(cache, *place) for place in places]
    assert len(before) == 3 and None not in before
    retired.retire_all(cache)
    assert [importance.of_event(cache, *place) for place in places] == before


@pytest.mark.parametrize("limit", [None, 1, 4, 100])
def test_a_continued_session_has_all_rows_again(base, cache, old, limit):
    """In portions as hooks fold: not one of them does more lines than its limit."""
    retire(base, cache)
    assert content(cache) != fresh(base)
    work_done(old, "b")
    for _ in range(40):
        assert logs.fold(base, cache, limit=limit, wait=True) <= (limit or 99)
    assert content(cache) == fresh(base)
    assert not os.path.exists(fold_cache.restoring_path(base.layout))
    finish(base, cache)
    assert content(cache) == fresh(base)
    retired.retire_all(cache)
    assert content(cache) != fresh(base)


def test_two_sessions_may_be_continued_at_once(base, cache, session, old):
    other = session("other", at=OLD)
    work_done(other, "c")
    other.end()
    retire(base, cache)
    old.run("make more")
    other.run("make more")
    for _ in range(60):
        logs.fold(base, cache, session="old", limit=2, wait=True)
        logs.fold(base, cache, session="other", limit=3, wait=True)
    assert content(cache) == fresh(base)


def test_a_damaged_portion_is_begun_again(base, cache, old):
    retire(base, cache)
    old.run("make more")
    logs.fold(base, cache, limit=3, wait=True)
    with open(fold_cache.restoring_path(base.layout), "wb") as stream:
        stream.write("壊れた".encode() * 500)
    for _ in range(20):
        logs.fold(base, cache, limit=3, wait=True)
    assert content(cache) == fresh(base)


def test_no_text_of_a_session_is_left_in_a_portion_when_the_cache_is_removed(base, cache, old):
    """A purge removes the caches."""
    retire(base, cache)
    old.run("make more")
    logs.fold(base, cache, limit=3, wait=True)
    assert os.path.exists(fold_cache.restoring_path(base.layout))
    fold_cache.remove(base.layout)
    assert [name for name in os.listdir(base.layout.cache) if name.startswith("restoring")] == []


def test_a_session_that_is_finished_twice_is_judged_by_all_of_its_events(base, cache, old):
    """Another worktree may write a second round for the same lines."""
    retire(base, cache)
    before = cache.execute("SELECT * FROM attempts ORDER BY 1, 2").fetchall()
    round_ = next(step for step in organize.read(base.layout) if step.step == organize.SYNC)
    again = OrganizeStep(round_.session, organize.SYNC, NOW + 1, round_.covered_to, round_.lines, round_.head, {})
    organize.append(base.layout, [again], base.clock)
    finished.catch_up(base, cache)
    assert cache.execute("SELECT * FROM attempts ORDER BY 1, 2").fetchall() == before != []


def test_statistics_count_retired_sessions(base, cache, session, old):
    recent = session("recent")
    work_done(recent, "d")
    finish(base, cache)
    middle = cache.execute("SELECT at FROM events ORDER BY at LIMIT 1 OFFSET 5").fetchone()[0]
    instants = (NOW, OLD - 1, middle, NOW - 20 * DAY)
    before = [outcomes.collect_stats(cache, until, base).to_json() for until in instants]
    assert before[0]["turns"] == 2 and before[2]["turns"] == 0 and before[3]["turns"] == 1
    retired.retire_all(cache)
    assert [outcomes.collect_stats(cache, until, base).to_json() for until in instants] == before


def test_the_page_shows_an_old_session_as_before(base, cache, old):
    bank = Bank.open(base.layout.root, clock=FixedClock(NOW))
    finish(base, cache)
    before = bank.activity.sessions()
    assert before[0][0].calls == 5 and before[0][0].summary
    retired.retire_all(cache)
    assert bank.activity.sessions() == before
    with database.transaction(cache):
        summaries.shorten(cache, NOW + 60 * DAY)
    assert cache.execute("SELECT detail, length(text) FROM summaries").fetchall() == [("", summaries.BEGINNING)]
    assert bank.activity.sessions() == before, "the summary of a very old session is made from its log"


def happens(base, event):
    unhurried = CycleSettings(deadlines_ms=Deadlines(session_end=10_000, outbox_session_start=10_000, outbox_turn_end=10_000))
    HookRouter(CycleContext(base.layout, unhurried, base.clock), frozenset()).finish(Event(host="claude-code", name=event, session_id="own"))


@pytest.mark.parametrize(("event", "retires"), [(TURN_END, True), (SESSION_END, True), (SESSION_START, False)])
def test_hooks_retire_at_the_ends_of_turns_and_sessions(base, cache, old, event, retires):
    finish(base, cache)
    happens(base, event)
    assert cache.execute("SELECT retired FROM files WHERE session = 'old'").fetchone() == (int(retires),)


TOLERATED = 1.3
"""The factor by which the rows of a table may grow."""
PER_SESSION = {"files", "retired", "finished", "summaries"}
"""Tables with a row for each session."""
PER_THING_SAID = {"turns", "turn_files", "passages", "passage_text", "passage_terms", "statements", "failures", "remedies", "exposures", "forms"}
"""Tables with rows for what was said, what failed, what was shown, and which commands a session ran."""
OF_PASSAGES = {"events"}
"""Tables with rows for events that have a passage."""


def grown(base, folder, sessions, calls):
    """A rebuilt cache of old sessions: ({table: number of rows}, used pages, number of events). calls: of each session, besides those of `work_done`"""
    of_bank = CycleContext(Layout(str(folder)), base.settings, base.clock)
    for number in range(sessions):
        work = Session(of_bank.layout, base.clock, f"s{number:03}", NOW - (35 + number) * DAY)
        work_done(work, f"part{number % 2}")
        for call in range(calls):
            work.before("Bash", f"t{call}")
            work.run(f"python -m tools check src/part{call % 7}.py", tool_use_id=f"t{call}", output="ok", latency_ms=call)
            work.at += 20 * MINUTE * (call % 3)
        work.end()
    connection = fold_cache.writable(of_bank.layout)
    finish(of_bank, connection)
    rebuild.rebuild(of_bank)
    connection = fold_cache.writable(of_bank.layout)
    pages, free = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count"))
    (events,) = connection.execute("SELECT sum(prompts + calls + turns) FROM retired").fetchone()
    found = counts(connection), pages - free, events
    fold_cache.close()
    return found


@pytest.mark.slow
def test_no_table_grows_with_the_events_of_old_sessions(base, tmp_path, request):
    """Four times as many events in as many sessions leave no more rows and pages."""
    sessions = 12 if request.config.getoption("--all") else 3
    few, pages_of_few, events_of_few = grown(base, tmp_path / "few", sessions, 30)
    many, pages_of_many, events_of_many = grown(base, tmp_path / "many", sessions, 132)
    assert events_of_many > 3.5 * events_of_few
    assert {table: (few[table], many[table]) for table in many if many[table] > TOLERATED * few[table]} == {}
    assert pages_of_many <= TOLERATED * pages_of_few


@pytest.mark.slow
def test_with_sessions_grows_what_they_taught_and_no_other_table(base, tmp_path, monkeypatch):
    monkeypatch.setattr(samples, "MOST_ATTEMPTS", 5)
    few, _, _ = grown(base, tmp_path / "few", 21, 2)
    many, _, _ = grown(base, tmp_path / "many", 84, 2)
    more = {table for table in many if many[table] > TOLERATED * few[table]}
    assert more - PER_SESSION - PER_THING_SAID - OF_PASSAGES == set()
    assert many["turns"] == 84
    assert {table: many[table] for table in more if many[table] > 8 * many["turns"]}.keys() <= {"passage_text"}


def test_the_end_of_a_session_looks_at_no_retired_log_and_sees_that_one_is_missing(base, cache, session, old, monkeypatch):
    """Ten thousand logs would be looked at otherwise. A retired session that goes on is folded by its own hooks, and by commands."""
    retire(base, cache)
    session("young").run("make")
    logs.fold(base, cache)
    old.run("make more")
    looked, size = [], lines_of_log.size
    monkeypatch.setattr(lines_of_log, "size", lambda path: looked.append(os.path.basename(path)) or size(path))
    assert grown_logs(base, cache, None, 0) == [] and events.name_of(old.session) not in looked
    assert [name for name, _ in grown_logs(base, cache, None)] == [events.name_of(old.session)]
    assert [name for name, _ in grown_logs(base, cache, old.session, NOW)] == [events.name_of(old.session)]
    os.unlink(events.path_of(base.layout, old.session))
    assert [name for name, _ in grown_logs(base, cache, None, 0)] == [events.name_of(old.session)]
