"""When a watched bank is looked at. The ear, the clock and the person at the keyboard are scripted; nothing waits."""

from itertools import pairwise

import pytest

from memorybank.bank import Bank
from memorybank.clock import FixedClock
from memorybank.errors import ConfigInvalid, LockTimeout, ResourceExhausted
from memorybank.storage.lock import Lock
from memorybank.watch import LONGEST_SECONDS, PATROL_SECONDS, QUIET_SECONDS, WatchLoop, settle

NOW = 1_758_112_496_789


class Scripted(FixedClock):
    """Seconds pass only when somebody waits or sleeps; at their seconds the events of the script happen."""

    def __init__(self, *script) -> None:
        super().__init__(NOW)
        self.seconds = 0.0
        self.script = sorted(script, key=lambda step: step[0])
        self.last_event_at: float | None = None
        self.set = False
        self.armed = self.closed = 0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._until(self.seconds + seconds)

    def wait(self, seconds: float) -> None:
        end = self.seconds + seconds
        while not self.set and self.seconds < end:
            following = self.script[0][0] if self.script else end
            self._until(min(following, end))

    def arm(self) -> None:
        self.armed += 1

    def clear(self) -> None:
        self.set, self.last_event_at = False, None

    def mark_event(self) -> None:
        self.set, self.last_event_at = True, self.seconds

    def close(self) -> None:
        self.closed += 1

    def _until(self, second: float) -> None:
        while self.script and self.script[0][0] <= second:
            at, happens = self.script.pop(0)
            self.seconds = max(self.seconds, at)
            happens()
        self.seconds = max(self.seconds, second)


def ctrl_c() -> None:
    raise KeyboardInterrupt


@pytest.fixture
def watched(bank):
    """watched(scratch, (second, what happens), …, publish=False) → what was told: (second, added, changed, removed), or an error's code."""

    def run(scratch, *script, publish=False):
        told = []
        clock = Scripted()

        def hear(happens):
            def heard():
                happens()
                clock.mark_event()

            return heard

        clock.script = sorted([(at, happens if happens is ctrl_c else hear(happens)) for at, happens in script], key=lambda step: step[0])

        def swept(swept):
            told.append((round(clock.seconds, 3), swept.report.added, swept.report.changed, swept.report.removed))

        watch = WatchLoop(
            lambda: Bank.open(str(scratch.root), clock=clock), clock, clock, swept, lambda error: told.append((round(clock.seconds, 3), error.code)), publish
        )
        try:
            watch.run()
        finally:
            run.clock, run.watch = clock, watch
        return told

    return run


def test_it_looks_once_at_the_start_and_once_at_the_end(bank, watched):
    scratch = bank({"a.md": "# A\n"})
    assert watched(scratch, (30, ctrl_c)) == [(0.0, 1, 0, 0)]
    assert (watched.watch.sweeps, watched.clock.closed) == (2, 1)


def test_a_change_is_folded_after_a_moment_of_quiet(bank, watched):
    scratch = bank()
    told = watched(scratch, (10, lambda: scratch.write("共有/語.md", "# 語\n")), (20, ctrl_c))
    assert told == [(10 + QUIET_SECONDS, 1, 0, 0)]


def test_changes_in_quick_succession_are_one_look(bank, watched):
    scratch = bank()
    script = [(10 + number / 10, lambda number=number: scratch.write(f"{number}.md", "# N\n")) for number in range(20)]
    assert watched(scratch, *script, (30, ctrl_c)) == [(12.2, 20, 0, 0)]


def test_who_never_stops_is_looked_at_every_five_seconds(bank, watched):
    scratch = bank()
    script = [(10 + number / 10, lambda number=number: scratch.write(f"{number}.md", "# N\n")) for number in range(120)]
    told = watched(scratch, *script, (60, ctrl_c))
    assert sum(added for _, added, _, _ in told) == 120
    assert told[0][0] == 10 + LONGEST_SECONDS
    assert all(later[0] - sooner[0] <= LONGEST_SECONDS + 0.11 for sooner, later in pairwise(told))


def test_nobody_works_while_nothing_happens(bank, watched):
    """One look a minute, no sleep, no polling."""
    watched(bank({"a.md": "# A\n"}), (10 * PATROL_SECONDS + 1, ctrl_c))
    assert watched.watch.sweeps == 12 and watched.clock.slept == []


def test_a_change_that_nobody_heard_is_found_within_a_minute(bank, watched):
    scratch = bank()
    clock_silent = []

    def unheard():
        scratch.write("a.md", "# A\n")
        clock_silent.append(1)

    told = []
    clock = Scripted((10, unheard), (100, ctrl_c))
    WatchLoop(lambda: Bank.open(str(scratch.root), clock=clock), clock, clock, lambda swept: told.append(clock.seconds), told.append).run()
    assert told == [PATROL_SECONDS]


def test_what_happens_during_a_look_is_for_the_next(bank, watched, monkeypatch):
    """The flag is cleared before anything is looked at."""
    scratch = bank({"a.md": "# A\n"})
    order = []
    real = Bank.open.__func__

    def opening(cls, *arguments, **options):
        if len(order) == 1:
            watched.started.mark_event()
        order.append("look")
        return real(cls, *arguments, **options)

    clock = Scripted((10, lambda: clock.mark_event()), (20, ctrl_c))
    watched.started = clock
    monkeypatch.setattr(Bank, "open", classmethod(opening))
    WatchLoop(lambda: Bank.open(str(scratch.root), clock=clock), clock, clock, lambda swept: None, lambda error: None).run()
    assert len(order) == 4, "start, the change, what happened meanwhile, the end"


def test_the_index_is_that_of_a_rebuild_at_the_end(bank, watched, fixed_clock):
    scratch = bank({f"shared/note-{number}.md": f"# Note {number}\n\n検索 {number}\n" for number in range(30)}, days_old=3)

    def work(number: int):
        def done():
            scratch.write(f"planning/new-{number}.md", f"# New {number}\n\n[link](../shared/note-{number}.md)\n", days_old=1)
            (scratch.active / f"shared/note-{number}.md").unlink()
            (scratch.active / f"shared/note-{number + 10}.md").rename(scratch.active / f"shared/moved-{number}.md")
            scratch.write(f"shared/note-{number + 20}.md", "# Changed\n", days_old=2)

        return done

    watched(scratch, *((10 + number, work(number)) for number in range(9)), (30, ctrl_c), publish=True)
    names = ["content", "keyword", "importance", "temporal"]
    paths = [scratch.root / f"indexes/{name}_index.json" for name in names]
    before = [path.read_bytes() for path in paths]
    bank = Bank.open(str(scratch.root), clock=fixed_clock)
    assert bank.index.check() == []
    bank.index.rebuild()
    assert [path.read_bytes() for path in paths] == before


def test_settings_that_changed_hold_for_the_next_look(bank, watched):
    """Another process folds by the new settings; who went on with the old ones would fold everything back each time."""
    scratch = bank({"a.md": "# A\n"})
    change = '{"keyword_extraction": {"min_frequency": 1}}'
    told = watched(scratch, (10, lambda: scratch.configure("index", change)), (20, ctrl_c))
    assert told == [(0.0, 1, 0, 0), (10 + QUIET_SECONDS, 1, 0, 0)]


def test_settings_that_cannot_be_read_are_told_once_and_watching_goes_on(bank, watched):
    scratch = bank()

    def configured(text):
        return lambda: scratch.configure("index", text)

    told = watched(scratch, (10, configured("{bad")), (12, lambda: None), (20, configured("{}")), (21, lambda: scratch.write("a.md", "# A\n")), (30, ctrl_c))
    assert told == [(10 + QUIET_SECONDS, "config_invalid"), (21 + QUIET_SECONDS, 1, 0, 0)]


def test_the_first_look_raises_what_it_meets(bank, watched):
    scratch = bank()
    scratch.configure("index", "{bad")
    with pytest.raises(ConfigInvalid):
        watched(scratch, (30, ctrl_c))
    assert watched.clock.closed == 1


def test_an_index_that_somebody_else_updates_is_asked_again(bank, watched):
    scratch = bank({"a.md": "# A\n"})
    (scratch.root / "cache").mkdir()
    other = Lock(str(scratch.root / "cache/fold.lock"), "another process", FixedClock(NOW))
    other.__enter__()
    told = watched(scratch, (7, lambda: other.__exit__(None, None, None)), (30, ctrl_c))
    assert [count for _, *count in told] == [[1, 0, 0]] and 7 <= told[0][0] < 13


def test_a_lock_that_never_opens_is_said_at_the_end(bank, watched):
    scratch = bank({"a.md": "# A\n"})
    (scratch.root / "cache").mkdir()
    with Lock(str(scratch.root / "cache/fold.lock"), "another process", FixedClock(NOW)), pytest.raises(LockTimeout):
        watched(scratch, (30, ctrl_c))


def test_each_look_that_changed_something_is_an_operation(bank, watched):
    scratch = bank({"a.md": "# A\n"})
    watched(scratch, (10, lambda: scratch.write("b.md", "# B\n")), (200, ctrl_c))
    report = Bank.open(str(scratch.root)).metrics.read()
    assert report.usage.index_updates == 2 and watched.watch.sweeps > 4


@pytest.mark.parametrize("second", [0.0, 10.0, 10.1, 10.3, 15.0])
def test_interrupted_at_any_time_it_leaves_the_index_as_the_notes_lie(bank, watched, second, fixed_clock):
    scratch = bank({"a.md": "# A\n"})
    watched(scratch, (10, lambda: scratch.write("b.md", "# B\n")), (second, ctrl_c), (16, ctrl_c))
    assert Bank.open(str(scratch.root), clock=fixed_clock).index.check() == []


def test_interrupted_within_a_fold_it_repeats_it_whole(bank, watched, monkeypatch, fixed_clock):
    """KeyboardInterrupt in the middle of the transaction: rolled back, and folded again by the last look."""
    from memorybank.index import links

    scratch = bank({"a.md": "# A\n"})
    real = links.settle
    calls = []

    def interrupted(*arguments):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(links, "settle", interrupted)
    told = watched(scratch, (10, lambda: scratch.write("b.md", "# B\n")), (50, ctrl_c))
    assert told == [(0.0, 1, 0, 0), (10 + QUIET_SECONDS, 1, 0, 0)] and len(calls) == 3
    assert Bank.open(str(scratch.root), clock=fixed_clock).index.check() == []


def test_settling_returns_at_once_when_nothing_was_heard():
    clock = Scripted()
    settle(clock, clock)
    assert clock.slept == []


def test_a_full_disk_is_told_and_watching_goes_on(bank, watched, monkeypatch):
    from memorybank.bank.indexes import Indexes

    scratch = bank({"a.md": "# A\n"})
    real = Indexes.sweep
    calls = []

    def full(self, **options):
        calls.append(1)
        if len(calls) in (2, 3):
            raise ResourceExhausted("no space left on device")
        return real(self, **options)

    monkeypatch.setattr(Indexes, "sweep", full)
    told = watched(scratch, (10, lambda: None), (20, lambda: None), (30, lambda: scratch.write("b.md", "# B\n")), (40, ctrl_c))
    assert told == [(0.0, 1, 0, 0), (10 + QUIET_SECONDS, "resource"), (30 + QUIET_SECONDS, 1, 0, 0)]
