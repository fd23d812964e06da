"""What doctor says of a bank in which a command was killed: never that something is broken, and after the next run nothing at all."""

import os

import pytest

from memorybank.clock import FixedClock
from memorybank.doctor import run
from memorybank.doctor.context import DoctorContext
from memorybank.doctor.table import CHECKS
from tests.crash.explorer import counted, prepare, scratch
from tests.crash.recorder import Passing, replaced
from tests.crash.scenarios import LATER, SCENARIOS
from tests.crash.test_kills import killed

LOOKED_AT = [check for check in CHECKS if check.id.partition(".")[0] in ("bank", "notes", "index", "log", "archive", "backups", "episodes")]
ENVIRON = {"HOME": "/nowhere", "MEMORYBANK_TRUST": "all", "PATH": os.environ.get("PATH", "")}
NO_KEY = "log.key"
"""One scenario writes its session under a key that it does not keep."""
NO_TEXT = "byte 15 is not UTF-8; shown as \N{REPLACEMENT CHARACTER}"
"""The notes of the scenarios have such a byte from the beginning, because none may be lost or changed."""


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_kill_breaks_nothing_that_doctor_looks_at(scenario, request):
    _, counting = counted(scenario)
    stride = 3 if request.config.getoption("--all") else 211 * scenario.slow
    for k, after in [(k, after) for k in range(len(counting.calls)) for after in (False, True)][::stride]:
        with scratch() as folder:
            layout = prepare(scenario, folder)
            killed(scenario, layout, k, after)
            where = f"killed {'after' if after else 'before'} primitive {k} ({counting.calls[k]})"
            clock = FixedClock(scenario.start + LATER)
            assert [finding for finding in examined(layout, clock) if finding.level == "FAIL"] == [], where
            mend(layout, clock, where)
            with replaced(Passing()):
                scenario.again(layout, clock)
            mend(layout, clock, where)
            assert scenario.done(layout) == [], where
            clock = FixedClock(clock.instant + scenario.lasts)
            found = [finding for finding in examined(layout, clock) if finding.level in ("WARN", "FAIL")]
            assert [finding for finding in found if finding.id != NO_KEY and finding.what != NO_TEXT] == [], where


def examined(layout, clock):
    return run.examine(DoctorContext(layout, clock, ENVIRON), LOOKED_AT)


def mend(layout, clock, where: str) -> None:
    found = examined(layout, clock)
    for fixed in run.carry_out(DoctorContext(layout, clock, ENVIRON), run.due_fixes(found, LOOKED_AT), lambda question: False):
        assert fixed.refused == "", (fixed, where)
