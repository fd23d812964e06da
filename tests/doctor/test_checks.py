"""Every check against a planted fault (found, and mended where it says so) and against a healthy bank (silent)."""

import os
from collections.abc import Callable
from typing import NamedTuple

import pytest

from memorybank.clock import HOUR
from memorybank.doctor.table import CHECKS

from .conftest import Patient

BY_ID = {check.id: check for check in CHECKS}


class Fault(NamedTuple):
    """plant: breaks a healthy bank; level: what doctor says; said: words of the finding."""

    plant: Callable[[Patient], object]
    level: str
    said: str = ""


def _stale_temp(patient: Patient) -> None:
    path = patient.write("active/planning/.mb-tmp-999999999-1", "half a note")
    old = (patient.clock.instant - 2 * HOUR) / 1000
    os.utime(path, (old, old))


def _opened(patient: Patient) -> None:
    (patient.root / "log").chmod(0o755)


def _world_writable(patient: Patient) -> None:
    (patient.root / "active" / "planning" / "roadmap.md").chmod(0o666)


FAULTS: dict[str, tuple[Fault, ...]] = {
    "bank.layout": (
        Fault(lambda patient: patient.write("summary.md/inner", "x"), "FAIL", "must be a file"),
        Fault(lambda patient: (patient.root / "active").rename(patient.root / "elsewhere"), "WARN", "no folder for notes"),
    ),
    "bank.private": (Fault(_opened, "WARN", "other users"),),
    "bank.writable": (Fault(_world_writable, "FAIL", "every user"),),
    "bank.temps": (Fault(_stale_temp, "WARN", "temporary"),),
    "config.valid": (Fault(lambda patient: patient.write("config/rotation_config.json", "{"), "FAIL", "JSON"),),
    "config.effective": (Fault(lambda patient: patient.write("config/rotation_config.json", '{"rotation_polcy": {}}'), "WARN", "rotation_policy"),),
    "config.outside": (Fault(lambda patient: patient.write("config/episodes_config.json", '{"timezone": "UTC", "url": "http://evil.example"}'), "FAIL"),),
    "safety.ignored": (
        Fault(lambda patient: patient.write(".gitignore", "log/\nbackups/"), "WARN", "cache/"),
        Fault(lambda patient: (patient.root / ".gitignore").unlink(), "WARN", "no .gitignore"),
    ),
}
EACH = [pytest.param(name, fault, id=f"{name}-{number}") for name, faults in FAULTS.items() for number, fault in enumerate(faults, 1)]


def test_every_check_has_a_planted_fault():
    assert FAULTS.keys() == BY_ID.keys()


def test_a_healthy_bank_is_silent(patient):
    assert patient.findings() == []


@pytest.mark.parametrize(("name", "fault"), EACH)
def test_a_planted_fault_is_found_and_mended(patient, name, fault):
    fault.plant(patient)
    found = patient.findings(name)
    assert [each.level for each in found[:1]] == [fault.level], found
    assert fault.said in found[0].what, found[0]
    assert found[0].suggestion or found[0].fix, "a person must know what to do"
    if found[0].fix is None:
        return
    assert BY_ID[name].fix is not None and found[0].fix == BY_ID[name].fix.id
    (mended,) = patient.mend(name)
    assert mended.refused == "" and mended.done
    assert patient.findings(name) == []
    assert patient.mend(name) == []
