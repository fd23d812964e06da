"""Runs a scenario under the recorder, enumerates what crashes can leave, and checks each state and what the next command makes of it."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from memorybank.clock import FixedClock
from memorybank.storage.layout import Layout
from tests.crash.disk_model import Model, State
from tests.crash.promises import truth, violations
from tests.crash.recorder import Counting, Passing, Recorder, replaced
from tests.crash.scenarios import LATER, NOTES, Scenario


@dataclass
class Recorded:
    """A scenario that ran once. before: a copy of the bank as it was; trace: what the command did to the disk."""

    scenario: Scenario
    before: str
    trace: list[tuple]


@dataclass
class Found:
    """states: distinct ones; followed: those after which the next command ran; wrong: what is broken, as sentences."""

    states: int = 0
    followed: int = 0
    wrong: list[str] = field(default_factory=list)


@contextmanager
def scratch() -> Iterator[str]:
    """A folder in memory where there is one: thousands of small banks are written."""
    folder = tempfile.mkdtemp(prefix="memorybank-crash-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def prepare(scenario: Scenario, folder: str) -> Layout:
    """A fresh bank as the scenario wants it."""
    root = os.path.join(folder, "bank")
    os.makedirs(os.path.join(root, "active"))
    layout = Layout(root)
    with replaced(Passing()):
        scenario.prepare(layout)
    return layout


def counted(scenario: Scenario) -> tuple[Layout, Counting]:
    """Run a scenario to its end, and return (its bank, which is gone by then, the changes of the disk that it made)."""
    counting = Counting()
    with scratch() as folder:
        layout = prepare(scenario, folder)
        with replaced(counting):
            scenario.run(layout, FixedClock(scenario.start))
    return layout, counting


def record(scenario: Scenario, folder: str) -> Recorded:
    layout = prepare(scenario, folder)
    before = os.path.join(folder, "before")
    shutil.copytree(layout.root, before)
    recorder = Recorder(layout.root)
    with replaced(recorder):
        scenario.run(layout, FixedClock(scenario.start))
    return Recorded(scenario, before, recorder.trace)


def explore(
    recorded: Recorded,
    folder: str,
    *,
    follow: int,
    plain: int = 1,
    first_only: bool = False,
    trace: list[tuple] | None = None,
    model: Model | None = None,
    begin: int = 0,
) -> Found:
    """Check every state that a crash of the recorded command could leave.

    follow: after every `follow`-th mixture the next command runs and must finish (0: never, also after plain variants).
    plain: the same for every `plain`-th plain variant.
    first_only: stop at the first thing that is wrong. trace: a mutated one; model: a disk that is not clean at the start; begin: states
    before this step are known to be sound.
    """
    scenario = recorded.scenario
    model = model or Model(recorded.before)
    found = Found()
    seen: set[tuple[frozenset, frozenset]] = set()
    for number, step in enumerate([None, *(recorded.trace if trace is None else trace)]):
        if step is not None:
            model.apply(step)
        if number < begin:
            continue
        variants = [(state, plain) for state in model.variants()]
        for state, stride in [*variants, *((state, follow) for state in model.mixtures())]:
            key = state.key()
            if key in seen:
                continue
            seen.add(key)
            found.states += 1
            where = f"{scenario.name}, after step {number} {step[:2] if step else ''}, {state.variant}"
            found.wrong += [f"{where}: {said}" for said in violations(state, NOTES, returning=scenario.returning, pruning=scenario.pruning)]
            if follow and found.states % (stride * scenario.slow) == 0:
                found.followed += 1
                found.wrong += [f"{where}, next command: {said}" for said in next_command(scenario, state, folder)]
            if found.wrong and first_only:
                return found
    found.wrong += [f"{scenario.name} returned, but {said}" for said in not_durable(model)]
    return found


def first_move(trace: list[tuple]) -> int:
    """The number of the step by which a rotation moves the first note out of active/."""
    return next(number for number, step in enumerate(trace) if step[0] == "rename" and step[1].startswith("active/"))


def next_command(scenario: Scenario, state: State, folder: str) -> list[str]:
    """What the next command does not finish, starting from this state."""
    root = os.path.join(folder, "state")
    state.write_to(root)
    layout = Layout(root)
    try:
        with replaced(Passing()):
            scenario.again(layout, FixedClock(scenario.start + LATER))
        return scenario.done(layout)
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]
    finally:
        shutil.rmtree(root)


def not_durable(model: Model) -> list[str]:
    """What a power loss after the command has returned could still take, or bring back into active/."""
    states = list(model.variants())
    settled = truth(states[0])
    found = []
    for state in states:
        left = truth(state)
        taken = sorted(path for path in settled if left.get(path) != settled[path])
        back = sorted(path for path in left if path not in settled and path.startswith("active/"))
        found += [f"{state.variant} takes {taken} and brings back {back}"] if taken or back else []
    return found
