"""The k-th primitive fails, once or from then on: the command succeeds or raises a typed error, nothing is lost, the next run finishes."""

import errno

import pytest

from memorybank.clock import DAY, FixedClock
from memorybank.errors import MemorybankError
from tests.crash.explorer import prepare, scratch
from tests.crash.promises import violations
from tests.crash.recorder import CHANGES, READS, Counting, Failing, Passing, replaced
from tests.crash.scenarios import DUE, LATER, NOTES, SCENARIOS
from tests.rotation.rotation_rows import tree

NUMBERS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS, errno.EMFILE)
MORE = (errno.ENOENT, errno.EINTR, errno.EDQUOT, errno.EPERM)
_cases: dict[str, int] = {}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_failing_disk_loses_nothing(scenario, request):
    with scratch() as folder:
        counting = Counting(CHANGES + READS)
        layout = prepare(scenario, folder)
        with replaced(counting):
            scenario.run(layout, FixedClock(scenario.start))
    total = len(counting.calls)
    if request.config.getoption("--all"):
        numbers = NUMBERS + (MORE if scenario.slow == 1 else MORE[1:])
        cases = [(k, number, forever) for k in range(total) for number in numbers for forever in (False, True)]
        cases = [case for case in cases if possible(case[1], counting.calls[case[0] :], case[2])]
    else:
        cases = [(k, NUMBERS[k % len(NUMBERS)], k % 2 == 0) for k in range(0, total, 31 * scenario.slow)]
    for k, number, forever in cases:
        with scratch() as folder:
            layout = prepare(scenario, folder)
            where = f"{errno.errorcode[number]} {'from' if forever else 'at'} primitive {k} ({counting.calls[k]})"
            try:
                with replaced(Failing(k, number, forever=forever)):
                    scenario.run(layout, FixedClock(scenario.start))
            except MemorybankError as error:
                assert error.message, where
            except OSError as error:
                pytest.fail(f"{where}: {error!r} is no typed error")
            assert violations(tree(layout.root), NOTES, returning=scenario.returning, pruning=scenario.pruning) == [], where
            # A run that could not read the bookmarks takes the announcement of a deletion back, so the deletion is due again some days later.
            for day in range(DUE + 1 if scenario.pruning else 1):
                with replaced(Passing()):
                    scenario.again(layout, FixedClock(scenario.start + LATER + day * DAY))
                unfinished = scenario.done(layout)
                if not unfinished:
                    break
            assert unfinished == [], where
    _cases[scenario.name] = len(cases)


def possible(number: int, calls: list[str], forever: bool) -> bool:
    """No system says of a file that is there that there is nothing to unlink."""
    return number != errno.ENOENT or "unlink" not in (calls if forever else calls[:1])


def test_enough_faults(capsys, request):
    if len(_cases) < len(SCENARIOS):
        pytest.skip("counts the cases of the tests above, so it runs with them")
    with capsys.disabled():
        print(f"\nI/O errors: {sum(_cases.values())} cases, each a success or a typed error, 0 violations")
    assert sum(_cases.values()) >= (2_500 if request.config.getoption("--all") else 60)
