"""Episodes at the end of a session: offline, in time, in nobody's way."""

from memorybank.clock import DAY, FixedClock, isoformat
from memorybank.cycle.base import describe
from memorybank.cycle.finish import episode_step
from memorybank.episodes import store
from memorybank.episodes.running import Running
from memorybank.log import events, lines

NOW = 1_758_112_496_789


def bank_of(bank, days=3):
    """One log with days that ended, written to just now."""
    import os

    scratch = bank()
    common = {"session_id": "s", "host": "claude-code", "agent_id": "main", "agent_role": "main", "epoch": 1, "event": "prompt", "signature": "0" * 64}
    text = "Let the parser read ranges of dates with any tilde, and say so in the documentation."
    entries = [{"id": f"s-{day}", "timestamp": isoformat(NOW - day * DAY), "inputs": {"text": text}, **common} for day in range(days, -1, -1)]
    path = events.path_of(scratch.layout, "s")
    lines.append(path, entries, clock=FixedClock(NOW))
    os.utime(path, ns=(NOW * 1_000_000, NOW * 1_000_000))
    return scratch


def dates(scratch):
    return [entry.date for entry in store.read(scratch.layout).entries]


def test_days_that_ended_are_told_without_asking_anybody(bank):
    scratch = bank_of(bank)
    assert len(episode_step.run(describe(scratch.layout, FixedClock(NOW)), lambda: True).written) == 3
    assert dates(scratch) == ["2025-09-14", "2025-09-15", "2025-09-16"]


def test_what_does_not_fit_waits(bank):
    scratch = bank_of(bank)
    left = iter((True, False))
    assert episode_step.run(describe(scratch.layout, FixedClock(NOW)), lambda: next(left)).left == 2
    assert dates(scratch) == ["2025-09-14"]


def test_it_is_a_draft_for_who_set_up_a_model(bank, monkeypatch):
    scratch = bank_of(bank, 1)
    monkeypatch.setenv("MEMORYBANK_SUMMARIZER", "ollama")
    monkeypatch.setenv("MEMORYBANK_LLM_MODEL", "m")
    episode_step.run(describe(scratch.layout, FixedClock(NOW)), lambda: True)
    assert [entry.draft for entry in store.read(scratch.layout).entries] == [True]


def test_it_waits_for_nobody_and_touches_no_broken_list(bank):
    scratch = bank_of(bank)
    base = describe(scratch.layout, FixedClock(NOW))
    with Running(scratch.layout, "memorybank episodes update", base.clock):
        assert episode_step.run(base, lambda: True) is None
    path = scratch.root / "episodes" / store.NAME
    path.parent.mkdir()
    path.write_text("[broken", encoding="utf-8")
    assert episode_step.run(base, lambda: True) is None and path.read_text(encoding="utf-8") == "[broken"


def test_old_logs_are_left_to_the_command(bank):
    scratch = bank_of(bank)
    base = describe(scratch.layout, FixedClock(NOW + 5 * DAY))
    assert episode_step.run(base, lambda: True).written == []
