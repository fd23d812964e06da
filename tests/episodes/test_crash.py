"""Every state that a crash or power loss can leave during an update, a merge, an unfolding or a repair: every text is still there, the list can be read, and
the next run completes the work (tried in a sample of the states, in every one under --all).
"""

import json
import shutil
import tempfile
from pathlib import Path

import pytest

from memorybank.clock import FixedClock
from memorybank.episodes import compaction, list_file, repair
from memorybank.episodes.entry import ERROR_TEXT
from memorybank.storage.layout import Layout
from tests.crash.disk_model import Model
from tests.crash.recorder import Recorder, replaced

from .worlds import DAY, Repeats, World, keys_in

pytestmark = pytest.mark.slow

MONDAY = 1_757_894_400_000
NOW = MONDAY + 200 * DAY
FLOOR = 150
_states: dict[str, int] = {}


def filled(root):
    """A draft, a record of failure, a text that a person edited, and days that no entry covers yet."""
    world = World(Layout(root), now=NOW)
    for day in (0, 1, 2, 3, 4, 8, 9, 11):
        world.log("events/a").add(MONDAY + day * DAY)
    world.update(Repeats("extractive", {"2025-09-23": "permanent"}), configured="llm:m")
    world.store.change(lambda known: [known[0].with_fields(summary="mine events-a:0"), *known[1:]])
    world.log("events/late").add(MONDAY + DAY)
    world.log("events/late").add(MONDAY + 10 * DAY)
    return world


def told_all(root):
    world = filled(root)
    world.update(Repeats("llm:m"))
    world.store.change(lambda known: [entry.with_fields(draft=False) for entry in known])
    return world


def merged(root):
    world = told_all(root)
    world.compact(Repeats("llm:m"))
    return world


def doubled(root):
    """git's conflict marks around a draft and the text that replaced it elsewhere."""
    world = filled(root)
    mine = world.entries
    world.update(Repeats("llm:m"))
    ours, theirs = (",\n".join(entry.encoded for entry in copy) for copy in (mine, world.entries))
    Path(list_file.path_of(world.layout)).write_text(f"[\n<<<<<<< a\n{ours}\n=======\n{theirs}\n>>>>>>> b\n]\n", encoding="utf-8")
    shutil.rmtree(list_file.archives(world.layout), ignore_errors=True)
    return world


def unfold(world):
    for week in ("2025-W38", "2025-W39"):
        compaction.unfold(world.store, week)


OPERATIONS = {
    "update": (filled, lambda world: world.update(Repeats("llm:m"))),
    "merge": (told_all, lambda world: world.compact(Repeats("llm:m"))),
    "unfold": (merged, unfold),
    "repair": (doubled, lambda world: repair.repair(world.store, FixedClock(NOW))),
}


def texts(root):
    """Return every summary below the folder of episodes, read without the product's code, except for records of failure."""
    found = set()
    for path in Path(root).rglob("*.json"):
        for part in path.read_text(encoding="utf-8").split('"summary":')[1:]:
            found.add(json.JSONDecoder().raw_decode(part.lstrip())[0])
    return found - {ERROR_TEXT}


def told(world):
    return sorted(key for entry in world.entries for key in keys_in(entry.summary))


@pytest.mark.parametrize("operation", OPERATIONS)
def test_no_crash_loses_a_text_and_the_next_run_finishes(operation, request):
    prepare, run = OPERATIONS[operation]
    follow = 1 if request.config.getoption("--all") else 15
    folder = tempfile.mkdtemp(prefix="memorybank-episodes-")
    try:
        root = f"{folder}/bank"
        Path(root).mkdir()
        world = prepare(root)
        known = texts(root)
        model = Model(root)
        recorder = Recorder(root)
        with replaced(recorder):
            run(world)
        wanted = told(world)
        for number, (where, state) in enumerate(model.crashes(recorder.trace)):
            _states[operation] = _states.get(operation, 0) + 1
            place = f"{folder}/state"
            state.write_to(place)
            assert known <= texts(place), f"{where}: {known - texts(place)} is nowhere"
            assert not list_file.read(Layout(place)).broken, where
            if number % follow == 0:
                again = World(Layout(place), now=NOW)
                again.logs = world.logs
                run(again)
                assert told(again) == wanted, where
                assert known <= texts(place), f"{where}, next run: {known - texts(place)} is nowhere"
            shutil.rmtree(place)
    finally:
        shutil.rmtree(folder)


def test_enough_states_were_enumerated(capsys):
    if len(_states) < len(OPERATIONS):
        pytest.skip("counts the states of the tests above, so it runs with them")
    with capsys.disabled():
        print(f"\nepisodes: {sum(_states.values())} crash states {_states}, 0 texts lost")
    assert sum(_states.values()) >= FLOOR
