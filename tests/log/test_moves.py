"""Which notes left and which came back since an instant, read from the end of the rotation log."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.clock import FixedClock
from memorybank.log import lines
from memorybank.log import rotation as log

NOW = 1_758_112_496_789
KEYS = st.sampled_from(["planning/a.md", "共有/語.md", "b.md"])
ROTATIONS = ("one", "two", "linked")


def tree(rotation_id: str) -> str:
    return "../linked/.claude/memory" if rotation_id == "linked" else "."


def begin(rotation_id, at):
    return log.entry("begin", at, rotation_id=rotation_id, tree=tree(rotation_id), trigger="manual")


def write(layout, entries):
    lines.append(log.path(layout), entries, clock=FixedClock(NOW), durable=False)


@given(
    st.lists(st.tuples(st.sampled_from(ROTATIONS), st.sampled_from(["moved", "restored", "put_back", "end"]), KEYS, st.integers(0, 3)), max_size=12),
    st.integers(0, 40),
)
def test_it_is_what_the_whole_log_says(tmp_path_factory, steps, since):
    from memorybank.storage.layout import describe

    layout = describe(str(tmp_path_factory.mktemp("bank") / ".claude/memory"))
    entries, at, begun = [], NOW, set()
    for rotation_id, kind, key, passed in steps:
        at += passed
        if rotation_id not in begun:
            begun.add(rotation_id)
            entries.append(begin(rotation_id, at))
        entries.append(log.entry(kind, at, rotation_id=rotation_id, path=key))
    if entries:
        write(layout, entries)
    left, restored = log.moves_since(layout, NOW + since)
    told = [(entry, log.time_of.parse(entry["at"])) for entry in entries]
    assert left == {entry["path"] for entry, when in told if entry["kind"] == "moved" and when > NOW + since and entry["rotation_id"] != "linked"}
    assert restored == {entry["path"] for entry, when in told if entry["kind"] == "restored" and when > NOW + since}


@pytest.mark.parametrize("count", [10, 5_000])
def test_only_the_end_of_the_log_is_read(bank, count, monkeypatch):
    layout = bank().layout
    write(layout, (begin("one", NOW), *(log.entry("moved", NOW, rotation_id="one", path=f"{number}.md") for number in range(count))))
    write(layout, (begin("two", NOW + 5), log.entry("moved", NOW + 6, rotation_id="two", path="new.md")))
    decoded = []
    real = lines.decode
    monkeypatch.setattr(lines, "decode", lambda raw: decoded.append(1) or real(raw))
    assert log.moves_since(layout, NOW + 1) == ({"new.md"}, set())
    assert len(decoded) <= 4


def test_without_a_log_nothing_moved(bank):
    assert log.moves_since(bank().layout, 0) == (set(), set())
