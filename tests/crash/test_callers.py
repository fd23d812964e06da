"""Every command that changes a person's file, against kills, power losses and editors, at every step that it makes on the disk.

1. A kill: no version of the person's text is lost, and after the same command ran again the files are those of a run that was not killed.
2. An editor saves, in place or by renaming: its text is found afterwards, at its name or as a kept version that the person hears of.
3. A power loss, also one after a kill and during the next command: no version of the person's text is lost.

A plain run takes every n-th step, `--all` every step. How many states were tried is printed.
"""

import os
import shutil
from contextlib import suppress

import pytest

from memorybank.clock import DAY, MINUTE, FixedClock
from memorybank.errors import MemorybankError
from memorybank.rotation.maintain import prune_backups
from tests.crash.callers import CALLERS, World, normalised
from tests.crash.disk_model import Model
from tests.crash.explorer import scratch
from tests.crash.promises import unpacked
from tests.crash.recorder import Counting, Passing, Recorder, replaced
from tests.rotation.rotation_rows import settings

START = 1_758_112_496_789
AGAIN = START + 10 * MINUTE
_tried = {"kills": 0, "next commands": 0, "power losses": 0, "power losses after a kill": 0, "saves": 0}


class Prepared:
    """The world of a caller before its command, and how the world looks after the command ran once, and twice.

    Every copy of the world has the same path, because files name paths.
    """

    def __init__(self, caller, folder: str) -> None:
        self.caller = caller
        self.root = os.path.join(folder, "world")
        self.before = os.path.join(folder, "before")
        os.makedirs(os.path.join(self.root, "project/bank/active"))
        with replaced(Passing()):
            caller.prepare(World(self.root))
        shutil.copytree(self.root, self.before)
        self.trace = self.recorded(START)
        self.run_again()
        twice = normalised(World(self.root))
        self.fresh()
        self.run_again()
        self.expected = [normalised(World(self.root)), twice]
        self.versions = [*originals(World(self.before)), *caller.texts]

    def fresh(self) -> World:
        """Return the world as it was before the command."""
        shutil.rmtree(self.root)
        shutil.copytree(self.before, self.root)
        return World(self.root)

    def recorded(self, at: int) -> list[tuple]:
        """Run the command on the world as it is. Return what it does on the disk."""
        recorder = Recorder(self.root)
        with replaced(recorder):
            self.caller.run(World(self.root), FixedClock(at))
        return recorder.trace

    def run_again(self) -> None:
        with replaced(Passing()):
            self.caller.run(World(self.root), FixedClock(AGAIN))
            self.caller.settle(World(self.root), FixedClock(AGAIN))

    def become(self, state) -> None:
        """Turn the world into a state that a crash left."""
        shutil.rmtree(self.root)
        state.write_to(self.root)

    def outcome(self, state) -> list[str]:
        """What is wrong after the command ran again on a state that a crash left."""
        self.become(state)
        try:
            self.run_again()
        except MemorybankError as error:
            return [f"{type(error).__name__}: {error}"]
        after, wrong = normalised(World(self.root)), self.lost(everything(self.root))
        if after not in self.expected:
            nearest = min(self.expected, key=lambda expected: sum(expected.get(name) != after.get(name) for name in {*expected, *after}))
            wrong += [f"{name}: {nearest.get(name)!r} became {after.get(name)!r}" for name in {*nearest, *after} if nearest.get(name) != after.get(name)]
        return wrong

    def lost(self, files) -> list[str]:
        """The versions of a person's text that are nowhere in a world."""
        held = b"\n".join(unpacked_or_plain(path, data) for path, data in files.items())
        return [f"{said!r} is nowhere" for said in self.versions if said not in held]


@pytest.fixture(scope="module", params=CALLERS, ids=lambda caller: caller.name)
def prepared(request):
    """Of a caller, for all tests about it."""
    with scratch() as folder:
        yield Prepared(request.param, folder)


def unpacked_or_plain(path: str, data: bytes) -> bytes:
    return (unpacked(path, data) or b"") if path.endswith(".zst") else data


def originals(world: World) -> list[bytes]:
    """The files whose bytes a person wrote: each must be found as it was, at its name or kept."""
    return [data for path, data in everything(world.root).items() if world.is_of_person(path)]


def everything(root: str) -> dict[str, bytes]:
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            if not name.endswith((".lock", ".sqlite3")) and not os.path.islink(path):
                with open(path, "rb") as stream:
                    found[os.path.relpath(path, root)] = stream.read()
    return found


def stride(request, steps: int, points: int) -> int:
    return 1 if request.config.getoption("--all") else max(1, steps // points)


@pytest.mark.every_case
def test_a_kill_at_any_step_loses_nothing_and_the_next_command_completes_it(prepared, request):
    assert prepared.trace, "the command changes nothing, so it proves nothing"
    model, wrong = Model(prepared.before), []
    step = stride(request, len(prepared.trace), 1)
    for number, change in enumerate(prepared.trace):
        model.apply(change)
        for at, state in enumerate(model.variants()):
            # The first variant is a kill; the others are power losses.
            _tried["power losses" if at else "kills"] += 1
            where = f"after step {number} {change[:3]}, {state.variant}: "
            wrong += [where + said for said in prepared.lost(state)]
            if number % step == step // 2 and (at == 0 or request.config.getoption("--all")):
                _tried["next commands"] += 1
                wrong += [where + said for said in prepared.outcome(state)]
    assert not wrong, "\n".join(wrong[:4])


def test_a_power_loss_after_a_kill_loses_nothing(prepared, request):
    step = stride(request, len(prepared.trace), 1)
    for killed_at in range(step // 2, len(prepared.trace), step):
        model = Model(prepared.before).after(prepared.trace[: killed_at + 1])
        prepared.become(next(model.variants()))
        for change in prepared.recorded(AGAIN):
            model.apply(change)
            for state in model.variants():
                _tried["power losses after a kill"] += 1
                assert prepared.lost(state) == [], f"killed after step {killed_at}, then lost power after {change[:3]}, {state.variant}"


def in_place(path: str, data: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as stream:
        stream.write(data)


def by_rename(path: str, data: bytes) -> None:
    in_place(path + ".swp", data)
    os.replace(path + ".swp", path)


class Saving(Counting):
    """Lets an editor save before the k-th change of the disk."""

    def __init__(self, k: int, save) -> None:
        super().__init__()
        self.k, self.save = k, save

    def _call(self, name, arguments, options):
        if len(self.calls) == self.k:
            self.save()
        return super()._call(name, arguments, options)


@pytest.mark.every_case
@pytest.mark.parametrize("way", [in_place, by_rename])
def test_what_an_editor_saves_at_any_step_is_found_afterwards(prepared, way, request):
    caller, counting = prepared.caller, Counting()
    with replaced(counting):
        caller.run(prepared.fresh(), FixedClock(START))
    wrong = []
    step = stride(request, len(counting.calls), 1)
    for k in range(step * (2 if way is by_rename else 1) // 3, len(counting.calls), step):
        world = prepared.fresh()
        path = world.path(caller.file)

        def save(path=path) -> None:
            present = None
            if os.path.exists(path):
                with open(path, "rb") as stream:
                    present = stream.read()
            way(path, caller.saved(present))

        with replaced(Saving(k, save)):
            try:
                said = caller.run(world, FixedClock(START)) or ""
            except MemorybankError as error:
                said = str(error)
        _tried["saves"] += 1
        wrong += [f"a save before change {k} ({counting.calls[k]}) {why}; {said}" for why in not_found(world, caller.mark, said)]
    assert not wrong, "\n".join(wrong[:4])


def not_found(world: World, mark: bytes, said: str) -> list[str]:
    """Why a text that an editor saved cannot be found by the person; [] when it can. said: what the command told the person"""
    files = {path: data for path, data in everything(world.root).items() if mark in unpacked_or_plain(path, data)}
    if not files:
        return ["is nowhere"]
    hidden = ("project/bank/backups/", "project/bank/log/")
    if any(not path.startswith(hidden) or path.startswith("project/bank/backups/edits/") or (said and path in said) for path in files):
        return []
    with replaced(Passing()), suppress(MemorybankError):
        report = prune_backups(world.layout, settings(), FixedClock(START + 60 * DAY))
        if any(finding.code == "late_edit" for finding in report.findings):
            return []
    return [f"is only in {sorted(files)}, and nobody says so"]


def test_how_many_states_were_tried(capsys):
    if not all(_tried.values()):
        pytest.skip("counts the states of the tests above, so it runs with them")
    with capsys.disabled():
        print(f"\nchanges of people's files by {len(CALLERS)} callers: " + ", ".join(f"{count} {name}" for name, count in _tried.items()))
