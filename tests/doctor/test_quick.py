"""The quick checks: what `status` asks."""

import subprocess
import sys
from pathlib import Path

from memorybank.doctor import run
from memorybank.doctor.table import CHECKS

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("rich", "zstandard", "yaml", "rapidfuzz", "memorybank.bank", "memorybank.index", "memorybank.rotation", "memorybank.hosts", "memorybank.search")


def test_they_are_silent_about_a_healthy_bank(patient):
    assert run.quick(patient.layout, patient.clock, patient.environ) == ()


def test_they_find_what_stops_commands_and_write_nothing(patient):
    patient.write("config/rotation_config.json", "{")
    patient.write("episodes/episodic_memory.json", "[")
    before = patient.snapshot()
    found = run.quick(patient.layout, patient.clock, patient.environ)
    assert {each.id for each in found if each.level == "FAIL"} == {"config.valid", "episodes.readable"}
    assert patient.snapshot() == before


def test_they_load_no_room_that_they_do_not_need(patient):
    code = (
        "import os, sys; from memorybank.clock import Clock; from memorybank.doctor import run; from memorybank.storage.layout import describe;"
        "run.quick(describe(sys.argv[1]), Clock()); print('\\n'.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(patient.root)],
        env={**patient.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert loaded.isdisjoint(HEAVY), sorted(loaded & set(HEAVY))


def test_some_are_quick_and_not_all():
    assert 5 <= sum(check.quick for check in CHECKS) < len(CHECKS) / 2
