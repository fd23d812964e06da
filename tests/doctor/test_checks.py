"""Every check against planted faults (found, and mended where it says so) and against a healthy bank (silent)."""

import importlib
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from memorybank import bytecode
from memorybank.doctor import run
from memorybank.doctor.table import CHECKS

from .conftest import Patient
from .faults import CONFLICT, FAULTS, TOKEN

ROOT = Path(__file__).resolve().parents[2]
BY_ID = {check.id: check for check in CHECKS}
EACH = [pytest.param(name, fault, id=f"{name}-{number}") for name, faults in FAULTS.items() for number, fault in enumerate(faults, 1)]


def test_every_check_has_a_planted_fault():
    assert FAULTS.keys() == BY_ID.keys() and len(BY_ID) == len(CHECKS) >= 30


def test_a_healthy_bank_is_silent(patient):
    assert patient.findings() == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "fault"), EACH)
def test_a_planted_fault_is_found_and_mended(patient, name, fault):
    assert patient.findings(name) == []
    fault.plant(patient)
    found = patient.findings(name)
    assert [each.level for each in found[:1]] == [fault.level], found
    assert fault.said in f"{found[0].what} {found[0].where}", found[0]
    assert found[0].suggestion or found[0].fix or found[0].level == "UNKNOWN", "a person must know what to do"
    assert (found[0].fix is not None) == (BY_ID[name].fix is not None and fault.level != "UNKNOWN" and fault.mended)
    if found[0].fix is None:
        return
    assert found[0].fix == BY_ID[name].fix.id
    (mended,) = patient.mend(name)
    assert mended.refused == "" and mended.done
    assert patient.findings(name) == []
    assert patient.mend(name) == []


@pytest.mark.parametrize("name", [check.id for check in CHECKS if check.fix and check.fix.question])
def test_what_is_not_derived_is_left_alone_until_somebody_agrees(patient, name):
    FAULTS[name][0].plant(patient)
    before = patient.snapshot()
    (refused,) = patient.mend(name, agrees=False)
    assert refused.done == () and refused.refused
    assert patient.snapshot() == before


def test_what_recall_keeps_back_is_named_and_alarms_nobody(patient):
    """Said once of what an earlier version excluded, and gone with the next change; each occasion by itself, with who excluded it, and since when."""
    FAULTS["recall.kept_back"][0].plant(patient)
    (check,) = (check for check in CHECKS if check.id == "recall.kept_back")
    ignored, excluded = run.examine(patient.context, [check])
    assert ignored.level == "WARN" and "the next change of the policy drops them" in ignored.suggestion
    assert (excluded.level, excluded.what) == ("OK", "finding@prompt is not shown at prompt: suppressed by learning since policy 1")
    patient.bank.policy.set("top_k", "4", "fewer")
    assert [(found.level, found.what) for found in run.examine(patient.context, [check])] == [("OK", excluded.what)]


def test_the_index_is_not_made_again_for_a_cache_of_hooks(patient):
    """It takes half a minute with ten thousand notes."""
    FAULTS["index.sound"][2].plant(patient)
    before = (patient.root / "cache" / "bank.sqlite3").read_bytes()
    (mended,) = patient.mend("index.sound")
    assert mended.done == ("removed cache/cycle.sqlite3",)
    assert (patient.root / "cache" / "bank.sqlite3").read_bytes() == before


def test_the_index_of_a_repository_that_renamed_files_is_sound(patient):
    """SQLite 3.40 calls a table damaged whose primary key is not its first columns (tests/storage/test_database.py)."""
    FAULTS["notes.claims"][0].plant(patient)
    patient.bank.index.update()
    (check,) = (check for check in CHECKS if check.id == "index.sound")
    assert list(run.examine(patient.context, [check])) == []


def test_looking_changes_nothing(patient):
    before = patient.snapshot()
    patient.findings()
    assert patient.snapshot() == before


def test_fixes_leave_notes_as_they_are(patient):
    """Of every fix that asks nothing: not one byte of active/, archive objects, settings or bookmarks changes."""
    for name, faults in FAULTS.items():
        if BY_ID[name].fix and not BY_ID[name].fix.question and name != "bank.writable":
            faults[0].plant(patient)
    before = patient.truth()
    patient.mend(*(name for name in BY_ID if BY_ID[name].fix and not BY_ID[name].fix.question))
    assert patient.truth() == before


def test_a_fresh_clone_alarms_nobody(patient, tmp_path):
    """It has no index, no catalogues, no logs and no hooks: unknown at most."""
    (tmp_path / "clone").mkdir()
    patient.git("clone", "-q", str(patient.repository), str(tmp_path / "clone"))
    clone = Patient(tmp_path / "clone", patient.home, patient.clock, patient.patch)
    assert {each.level for each in clone.findings()} == {"UNKNOWN"}


def test_a_linked_worktree_alarms_nobody(patient, tmp_path):
    """It shares the logs of the main worktree; caches and everything derived are its own."""
    patient.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = Patient(tmp_path / "linked", patient.home, patient.clock, patient.patch)
    assert {each.level for each in linked.findings()} == {"UNKNOWN"}


def test_no_secret_is_repeated(patient):
    for plant in FAULTS["safety.secrets"]:
        plant.plant(patient)
    assert not any(TOKEN in f"{each}" for each in patient.findings())


def test_code_about_conflicts_and_plain_rules_are_no_faults(patient):
    patient.write("active/shared/git.md", f"# Conflicts\n\nThey look so:\n\n```\n{CONFLICT}```\n\nRun the tests before a push.\n")
    patient.write("active/shared/絵文字.md", "# 絵文字\n\n家族 👨\u200d👩\u200d👧 と旗 🏳\ufe0f。テストを先に実行してください。\n")
    patient.mend("index.current")
    assert patient.findings() == []


def test_a_secret_is_found_wherever_it_stands_in_a_long_note(patient):
    """Its line is right, also behind a line of a hundred thousand characters."""
    patient.write("active/shared/long.md", "# Long\n" + "a line of words\n" * 9_000 + f"token {TOKEN}\n")
    patient.write("active/shared/wide.md", "# Wide\n\n" + "word " * 20_000 + f"\n{TOKEN}\n")
    assert [each.where for each in patient.findings("safety.secrets")] == ["active/shared/long.md:9002", "active/shared/wide.md:4"]


HOSTILE = ("password=", "<<<<<<< x\n", "-\n", "curl ", "send/secret/", "AI,\n", "`", "秘密", "指示を")


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE)
def test_what_is_written_to_be_slow_ends(patient, unit):
    """A stranger's note of 100 kB costs a second or two, not minutes: looked through in a process of its own that is given up else."""
    patient.write("active/shared/hostile.md", unit * (100_000 // len(unit.encode())))
    code = (
        "import os, sys; from memorybank.clock import Clock; from memorybank.doctor import run; from memorybank.doctor.context import DoctorContext;"
        "from memorybank.doctor.table import CHECKS; from memorybank.storage.layout import describe;"
        "run.examine(DoctorContext(describe(sys.argv[1]), Clock(), os.environ), [check for check in CHECKS if check.id.startswith(('safety', 'notes'))])"
    )
    subprocess.run([sys.executable, "-c", code, str(patient.root)], env={**patient.environ, "PYTHONPATH": str(ROOT)}, timeout=60, check=True)


def test_a_module_that_was_loaded_from_the_file_of_commands_has_its_compiled_file(patient):
    """Every command of an installation loads `memorybank.cli.main` from there; the spec of the module then names no source."""
    main = importlib.import_module("memorybank.cli.main")
    patient.patch.setattr(main, "__spec__", ModuleSpec("memorybank.cli.main", bytecode.Segments("/nowhere")))
    assert patient.findings("install.byte_code") == []
