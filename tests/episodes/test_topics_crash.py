"""Every state that a crash or power loss can leave during an update of the topics or a change of a label: the file can be read, no name given by a person is
lost, the list of episodes is untouched, and the next run completes the work (tried in a sample of the states, in every one under --all).
"""

import shutil
import tempfile
from pathlib import Path

import pytest

from memorybank.bank import Bank
from memorybank.clock import FixedClock
from memorybank.episodes.entry import file_text
from memorybank.episodes.topics import store
from memorybank.storage.layout import Layout
from tests.crash.disk_model import Model
from tests.crash.recorder import Recorder, replaced

from . import themes

pytestmark = pytest.mark.slow

NOW = 1_758_112_496_789
FLOOR = 30
_states: dict[str, int] = {}


def opened(root):
    return Bank.open(root, clock=FixedClock(NOW)).episodes.topics


def fresh(root, days=9):
    """Episodes without topics."""
    texts = [text for text, _ in themes.texts("ja", themes=3, days=days)]
    (Path(root) / "active").mkdir(parents=True, exist_ok=True)
    folder = Path(root) / "episodes"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "episodic_memory.json").write_text(file_text(themes.episodes(texts)), encoding="utf-8")


def named(root):
    """Topics that a person named, and later episodes."""
    fresh(root)
    opened(root).update()
    opened(root).label("cluster_001", "名前")
    fresh(root, days=10)


def broken(root):
    named(root)
    path = Path(store.path_of(Layout(root)))
    path.write_bytes(path.read_bytes()[:-40])


OPERATIONS = {
    "first update": (fresh, lambda topics: topics.update()),
    "update": (named, lambda topics: topics.update()),
    "update of a broken file": (broken, lambda topics: topics.update()),
    "label": (named, lambda topics: topics.label("cluster_002", "別名")),
}


def files(root):
    """Return the topics under their name, or under the second one that they have while they are replaced."""
    return [path for path in Path(root).rglob("topic_clusters*") if path.is_file()]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_no_crash_loses_a_name_and_the_next_run_finishes(operation, request):
    prepare, run = OPERATIONS[operation]
    follow = 1 if request.config.getoption("--all") else 12
    folder = tempfile.mkdtemp(prefix="memorybank-topics-")
    try:
        root = f"{folder}/.claude/memory"
        prepare(root)
        episodes = (Path(root) / "episodes" / "episodic_memory.json").read_bytes()
        has_name = prepare is not fresh
        model = Model(root)
        recorder = Recorder(root)
        with replaced(recorder):
            run(opened(root))
        wanted = store.read(Layout(root))
        for number, (where, state) in enumerate(model.crashes(recorder.trace)):
            _states[operation] = _states.get(operation, 0) + 1
            place = f"{folder}/state/.claude/memory"
            state.write_to(place)
            assert (Path(place) / "episodes" / "episodic_memory.json").read_bytes() == episodes, where
            assert not has_name or any("名前" in path.read_text(encoding="utf-8", errors="replace") for path in files(place)), where
            assert prepare is broken or not store.read(Layout(place)).broken, where
            if number % follow == 0:
                run(opened(place))
                after = store.read(Layout(place))
                assert [topic.raw for topic in after.topics] == [topic.raw for topic in wanted.topics], where
            shutil.rmtree(f"{folder}/state")
    finally:
        shutil.rmtree(folder)


def test_enough_states_were_enumerated(capsys):
    if len(_states) < len(OPERATIONS):
        pytest.skip("counts the states of the tests above, so it runs with them")
    with capsys.disabled():
        print(f"\ntopics: {sum(_states.values())} crash states {_states}, 0 names lost")
    assert sum(_states.values()) >= FLOOR
