"""SIGKILL before and after the k-th change of the disk, in a process of its own: nothing is lost and the next command finishes."""

import os
import signal
import traceback

import pytest

from memorybank.clock import FixedClock
from tests.crash.explorer import counted, prepare, scratch
from tests.crash.promises import violations
from tests.crash.recorder import Killing, Passing, replaced
from tests.crash.scenarios import LATER, NOTES, SCENARIOS
from tests.rotation.rotation_rows import tree

_kills: dict[str, int] = {}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_killed_command_loses_nothing_and_the_next_one_finishes(scenario, request):
    _, counting = counted(scenario)
    stride = 1 if request.config.getoption("--all") else 61 * scenario.slow
    points = [(k, after) for k in range(len(counting.calls)) for after in (False, True)][::stride]
    for k, after in points:
        with scratch() as folder:
            layout = prepare(scenario, folder)
            assert killed(scenario, layout, k, after) == signal.SIGKILL, f"the child ended by itself before primitive {k}"
            where = f"killed {'after' if after else 'before'} primitive {k} ({counting.calls[k]})"
            assert violations(tree(layout.root), NOTES, returning=scenario.returning, pruning=scenario.pruning) == [], where
            with replaced(Passing()):
                scenario.again(layout, FixedClock(scenario.start + LATER))
            assert scenario.done(layout) == [], where
    _kills[scenario.name] = len(points)


def killed(scenario, layout, k: int, after: bool) -> int:
    """Run the command in a child process that kills itself; the signal that ended it, 0 when it ended by itself."""
    child = os.fork()
    if child == 0:
        try:
            with replaced(Killing(k, after=after)):
                scenario.run(layout, FixedClock(scenario.start))
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def test_enough_kills(capsys, request):
    if len(_kills) < len(SCENARIOS):
        pytest.skip("counts the kills of the tests above, so it runs with them")
    with capsys.disabled():
        print(f"\nreal kills: {sum(_kills.values())}, 0 violations")
    assert sum(_kills.values()) >= (600 if request.config.getoption("--all") else 40)
