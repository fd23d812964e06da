"""Left-over work is done in slices: a budget of processor time, portions that grow by what the last one cost, and the next slice continues."""

import pytest

from memorybank.clock import FixedClock
from memorybank.cycle.base import describe
from memorybank.cycle.slices import WorkSlice
from tests.conftest import NOW


class Machine(FixedClock):
    """A clock whose processor time passes only when work is done; real time passes `busy` times as fast."""

    def __init__(self, busy=1.0):
        super().__init__(NOW)
        self.seconds = 0.0
        self.busy = busy

    def cpu(self):
        return self.seconds

    def monotonic(self):
        return self.seconds * self.busy


def do(work, machine, items, cost):
    """Do the items at `cost` ms each. Return the sizes of the portions."""
    sizes = []
    for portion in work.portions(items):
        machine.seconds += cost * len(portion) / 1000
        sizes.append(len(portion))
    return sizes


@pytest.fixture
def sliced(bank):
    layout = bank().layout

    def make(*, busy=1.0, deadline=10_000, **options):
        machine = Machine(busy)
        return WorkSlice(describe(layout, machine), deadline, **options), machine

    return make


@pytest.mark.parametrize("cost", [0.5, 5, 20])
def test_a_slice_stays_within_its_budget_and_uses_most_of_it(sliced, cost):
    work, machine = sliced(budget=300)
    sizes = do(work, machine, range(10_000), cost)
    assert sum(sizes) == work.done
    assert 300 * 0.6 <= machine.seconds * 1000 <= 300
    assert work.spent() == pytest.approx(work.done * cost)


def test_on_a_busy_machine_the_deadline_ends_it(sliced):
    work, machine = sliced(busy=4.0, deadline=400, budget=300)
    do(work, machine, range(10_000), 2)
    assert machine.seconds * 1000 <= 100 and work.left() >= 0


def test_what_fits_depends_on_how_busy_the_machine_is(sliced):
    for busy, fitting in ((1.0, [50, 200]), (4.0, [50])):
        work, machine = sliced(busy=busy, deadline=400, budget=300)
        machine.seconds += 0.05  # the start of the process
        assert [each for each in (50, 200, 260) if work.fits(each)] == fitting


def test_items_that_are_expensive_take_one_portion_and_no_more(sliced):
    work, machine = sliced(budget=300)
    assert do(work, machine, range(100), 100) == [8], "the first portion shows the cost; afterwards nothing is left"


def test_the_next_slice_continues_where_this_one_stopped(sliced):
    waiting, rounds = list(range(500)), 0
    while waiting:
        work, machine = sliced(budget=100)
        do(work, machine, waiting, 1)
        waiting = waiting[work.done :]
        rounds += 1
    assert 5 <= rounds <= 10


def test_work_that_stops_early_counts_what_was_done(sliced):
    work, _ = sliced()
    for portion in work.portions(range(100)):
        if work.done:
            break
        assert len(portion) == 8
    assert work.done == 8


def test_without_time_or_items_nothing_begins(sliced):
    assert list(sliced(budget=5)[0].portions(range(3))) == []
    assert list(sliced(deadline=0)[0].portions(range(3))) == []
    assert list(sliced()[0].portions(())) == []


def test_a_hook_s_own_start_counts_towards_the_budget(bank):
    """`started` is passed by a hook's process, which exists for its event alone; in a longer process the budget begins with the base."""
    layout, machine = bank().layout, Machine()
    machine.seconds = 0.25
    assert WorkSlice(describe(layout, machine, 0.0), 10_000, budget=300).left() == pytest.approx(50)
    assert WorkSlice(describe(layout, machine), 10_000, budget=300).left() == pytest.approx(300)
