"""Every state that a crash or power loss can leave, enumerated from a recorded trace of the real commands.

After each recorded step: everything applied; unsynced bytes lost, or zeros; unsynced names lost, only additions lost, only removals
lost; both lost; the last write torn; and mixtures, where one file or folder alone is lost or kept. In each state every note must be
whole somewhere, the log must tell the truth, and the next command must finish the work.
"""

import os

import pytest

from memorybank.clock import FixedClock
from memorybank.storage import appending, disk
from memorybank.storage.layout import Layout
from tests.crash.disk_model import Model
from tests.crash.explorer import Found, explore, prepare, record, scratch
from tests.crash.recorder import Passing, Recorder, replaced
from tests.crash.scenarios import LATER, SCENARIOS

FLOOR = 1_000
_found: dict[str, Found] = {}


@pytest.mark.every_case
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_no_crash_loses_a_note_and_the_next_command_finishes(scenario, request):
    """Promises I1 and I2 in every enumerated state, I5 in a sample of them (in every one under --all)."""
    follow, plain = (1, 1) if request.config.getoption("--all") else (48, 24)
    with scratch() as folder:
        found = explore(record(scenario, folder), folder, follow=follow, plain=plain)
    _found[scenario.name] = found
    assert found.wrong == []


def test_enough_states_were_enumerated(capsys):
    """A model that generates too little proves nothing."""
    if len(_found) < len(SCENARIOS):
        pytest.skip("counts the states of the tests above, so it runs with them")
    states, followed = sum(found.states for found in _found.values()), sum(found.followed for found in _found.values())
    with capsys.disabled():
        print(f"\ncrash states: {states} distinct, {followed} of them followed by the next command, 0 violations")
    assert states >= FLOOR


@pytest.mark.parametrize("scenario", [scenario for scenario in SCENARIOS if scenario.slow == 1], ids=lambda scenario: scenario.name)
def test_a_power_loss_after_a_kill_loses_nothing_either(scenario, request):
    """A killed run leaves names and bytes that are visible and not durable; what the next command builds on them must become durable."""
    with scratch() as folder:
        recorded = record(scenario, folder)
        stride = 1 if request.config.getoption("--all") else max(1, len(recorded.trace) // 2)
        for killed_at in range(0, len(recorded.trace), stride):
            model = Model(recorded.before).after(recorded.trace[: killed_at + 1])
            root = model.killed(os.path.join(folder, f"killed{killed_at}"))
            recorder = Recorder(root)
            with replaced(recorder):
                scenario.again(Layout(root), FixedClock(scenario.start + LATER))
            assert scenario.done(Layout(root)) == [], f"killed after step {killed_at}"
            assert explore(recorded, folder, follow=0, trace=recorder.trace, model=model).wrong == [], f"killed after step {killed_at}"


def test_what_an_earlier_process_created_becomes_durable_with_what_is_added_to_it(tmp_path):
    """A name that a killed process left unsynced would take the durable line, or the durable folder, with it."""
    (tmp_path / "log").mkdir()
    (tmp_path / "log/notes.jsonl").write_bytes(b"{}\n")
    (tmp_path / "active").mkdir()
    recorder = Recorder(str(tmp_path))
    with replaced(recorder):
        appending.append(str(tmp_path / "log/notes.jsonl"), b"{}\n", durable=True, clock=FixedClock(0))
        disk.make_directories(str(tmp_path / "active"), durable=True)
    assert [step[1] for step in recorder.trace if step[0] == "sync_folder"] == ["log", "."]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_twice_equals_once(scenario):
    """Running the same command again right away changes no note, object or backup."""
    with scratch() as folder:
        layout = prepare(scenario, folder)
        with replaced(Passing()):
            scenario.run(layout, FixedClock(scenario.start))
            first = Model(layout.root)
            scenario.again(layout, FixedClock(scenario.start + LATER))
        before, after = next(first.variants()), next(Model(layout.root).variants())
        assert truth_of(after) == truth_of(before)
        assert scenario.done(layout) == []


def truth_of(state) -> dict[str, bytes]:
    return {path: data for path, data in state.items() if path.startswith(("active/", "archive/by_date/", "backups/"))}
