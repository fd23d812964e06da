"""Ctrl-C while `doctor --fix` mends: wherever it comes, nothing of a person's is touched, nothing is more broken than it was, and the next run mends all."""

import shutil

import pytest

from memorybank.doctor import run
from memorybank.doctor.table import CHECKS

from ..crash.recorder import Counting, Interrupting, replaced
from .faults import FAULTS

pytestmark = pytest.mark.slow

MENDED = [check.id for check in CHECKS if check.fix is not None and check.id != "hooks.byte_code"]
"""All but the one that takes a second to do and is a single replaced file outside the bank."""
POINTS = 3
"""Of some 300; `--all` takes every one."""


def mend(patient, found) -> None:
    for fixed in run.carry_out(patient.context, run.due_fixes(found, CHECKS), lambda question: True):
        assert fixed.refused == "", fixed


def broken(found) -> set[str]:
    return {each.id for each in found if each.level == "FAIL"}


def test_ctrl_c_anywhere_in_a_fix_leaves_a_sound_bank(patient, tmp_path, request):
    for name in MENDED:
        FAULTS[name][0].plant(patient)
    machine, kept = patient.home.parent, tmp_path / "kept"
    shutil.copytree(machine, kept, symlinks=True)
    before, faults = patient.truth(), patient.findings()
    counting = Counting()
    with replaced(counting):
        mend(patient, faults)
    assert patient.findings() == []
    every = [(k, after) for k in range(len(counting.calls)) for after in (False, True)]
    for k, after in every if request.config.getoption("--all") else every[:: len(every) // POINTS]:
        shutil.rmtree(machine)
        shutil.copytree(kept, machine, symlinks=True)
        with replaced(Interrupting(k, after=after)), pytest.raises(KeyboardInterrupt):
            mend(patient, faults)
        where = f"{'after' if after else 'before'} primitive {k} ({counting.calls[k]})"
        assert before.items() <= patient.truth().items(), where
        left = patient.findings()
        assert broken(left) <= broken(faults), where
        mend(patient, left)
        # Between the removal of a damaged index and the new one there is none, which is no fault: the next command builds it.
        assert [each for each in patient.findings() if each.level != "UNKNOWN" or each.id not in ("index.current", "index.published")] == [], where
