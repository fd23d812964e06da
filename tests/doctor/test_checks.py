"""Every check against planted faults (found, and mended where it says so) and against a healthy bank (silent)."""

import pytest

from memorybank.doctor.table import CHECKS

from .conftest import Patient
from .faults import CONFLICT, FAULTS, TOKEN

BY_ID = {check.id: check for check in CHECKS}
EACH = [pytest.param(name, fault, id=f"{name}-{number}") for name, faults in FAULTS.items() for number, fault in enumerate(faults, 1)]


def test_every_check_has_a_planted_fault():
    assert FAULTS.keys() == BY_ID.keys() and len(BY_ID) == len(CHECKS) >= 30


def test_a_healthy_bank_is_silent(patient):
    assert patient.findings() == []


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
