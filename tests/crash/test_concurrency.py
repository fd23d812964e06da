"""Rotators, editors and a restorer at once, in processes of their own: no last save is lost, no object is doubled, everything verifies."""

import os
import random
import traceback
from collections.abc import Callable

from memorybank.archive import store
from memorybank.clock import DAY, FixedClock
from memorybank.errors import LockTimeout, NotFound
from memorybank.log import rotation as log
from memorybank.rotation import undo
from memorybank.rotation.execute import execute
from memorybank.rotation.verify import verify
from memorybank.storage.layout import Layout
from tests.crash.explorer import scratch
from tests.crash.recorder import Passing, replaced
from tests.rotation.rotation_rows import NOW, active, plan_for, tree

EDITORS = 3
NOTES = 6


def test_rotators_editors_and_a_restorer_lose_nothing(request):
    rounds = 400 if request.config.getoption("--all") else 40
    with scratch() as folder:
        layout = Layout(os.path.join(folder, "bank"))
        os.makedirs(layout.active)
        workers: list[Callable[[], None]] = [lambda number=number: edit(layout, number, rounds, folder) for number in range(EDITORS)]
        workers += [lambda: rotate(layout, rounds), lambda: rotate(layout, rounds), lambda: bring_back(layout, rounds)]
        assert run(workers) == [0] * len(workers)
        with replaced(Passing()):
            execute(plan_for(layout, 9.0, NOW + DAY), layout, FixedClock(NOW + DAY), yes=True)
        check_ledger(layout, folder)


def edit(layout: Layout, number: int, rounds: int, folder: str) -> None:
    """Saves its own notes again and again, in place or by rename, and keeps a ledger of the last save of each."""
    chosen = random.Random(number)
    ledger = {}
    for turn in range(rounds * 4):
        key = f"folder{chosen.randrange(2)}/{number}-{chosen.randrange(NOTES)}.md"
        data = f"editor {number}, save {turn}, 保存\n".encode()
        path = layout.note_path(key)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        target = path if chosen.random() < 0.5 else path + ".swp"
        with open(target, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.utime(stream.fileno(), ns=((NOW - 40 * DAY) * 1_000_000,) * 2)
        if target != path:
            os.replace(target, path)
        ledger[key] = data
    with open(os.path.join(folder, f"ledger{number}"), "wb") as stream:
        stream.write(b"".join(ledger.values()))


def rotate(layout: Layout, rounds: int) -> None:
    """Archives whatever lies there; a note that is being edited is left alone."""
    for _ in range(rounds):
        try:
            execute(plan_for(layout, 0.5), layout, FixedClock(NOW), yes=True)
        except LockTimeout:
            continue


def bring_back(layout: Layout, rounds: int) -> None:
    for turn in range(rounds):
        objects, _ = store.listing(layout)
        try:
            if objects:
                undo.restore(layout, objects[turn % len(objects)].id, FixedClock(NOW))
        except (LockTimeout, NotFound):
            continue


def run(workers: list[Callable[[], None]]) -> list[int]:
    """Each worker in a process of its own; their exit statuses."""
    children = []
    for worker in workers:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                with replaced(Passing()):
                    worker()
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        children.append(child)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


def check_ledger(layout: Layout, folder: str) -> None:
    objects, problems = store.listing(layout)
    contents = {*active(layout).values(), *tree(layout.backups).values(), *(store.read_object(layout, each) for each in objects)}
    saves = [line for number in range(EDITORS) for line in open_ledger(folder, number)]
    assert len(saves) > EDITORS * NOTES
    assert [line for line in saves if line not in contents] == []
    assert problems == [] and verify(layout, NOW).findings == []
    state = log.read(layout)
    assert len({record.archive_path for record in state.archived()}) == len(list(state.archived())) == len(objects)
    assert objects, "the rotators found something to do"


def open_ledger(folder: str, number: int) -> list[bytes]:
    with open(os.path.join(folder, f"ledger{number}"), "rb") as stream:
        return stream.read().splitlines(keepends=True)
