"""Files that memorybank creates, and removes again when a person takes that back."""

import os
from hashlib import sha256

import pytest

from memorybank.clock import FixedClock
from memorybank.editing import undo
from memorybank.editing.write import NoteWriter
from memorybank.errors import Conflict, NotFound, UsageError
from memorybank.log import changes

NOW = 1_758_112_496_789
DATA = "# 写し\n\n本文\n".encode()


@pytest.fixture
def layout(bank):
    return bank({"shared/mine.md": "# Mine\n"}).layout


def created(layout, path: str = "active/adopted/deep/写し.md", data: bytes = DATA) -> str:
    with NoteWriter(layout, undo.ADOPT, FixedClock(NOW)) as writer:
        writer.create(path, data, mtime_ns=10**18)
        return writer.change


def test_a_created_file_has_its_bytes_and_date_and_can_be_taken_back(layout):
    change = created(layout)
    path = os.path.join(layout.root, "active/adopted/deep/写し.md")
    with open(path, "rb") as stream:
        assert stream.read() == DATA
    assert os.lstat(path).st_mtime_ns == 10**18
    for _ in range(2):
        assert [(note.key, note.error) for note in undo.undo(layout, change, FixedClock(NOW + 1))] == [("adopted/deep/写し.md", None)]
        assert not os.path.exists(os.path.join(layout.root, "active/adopted"))
    assert os.path.isdir(os.path.join(layout.root, "active/shared"))
    assert [record.outcome for record in changes.read(layout)] == ["created", "removed"]


def test_nothing_is_replaced(layout):
    with pytest.raises(Conflict):
        created(layout, "active/shared/mine.md")
    with open(layout.note_path("shared/mine.md"), "rb") as stream:
        assert stream.read() == b"# Mine\n"
    assert list(changes.read(layout)) == []


@pytest.mark.parametrize("path", ["../x.md", "/x.md", "active/../../x.md", "active//x.md", ""])
def test_only_inside_the_bank(layout, path):
    with pytest.raises(UsageError):
        created(layout, path)


def test_not_through_a_link(layout, tmp_path):
    os.symlink(tmp_path, os.path.join(layout.active, "linked"))
    with pytest.raises(UsageError):
        created(layout, "active/linked/x.md")
    assert not (tmp_path / "x.md").exists()


def test_a_changed_file_is_not_removed(layout):
    change = created(layout)
    path = os.path.join(layout.root, "active/adopted/deep/写し.md")
    with open(path, "ab") as stream:
        stream.write(b"more\n")
    (note,) = undo.undo(layout, change, FixedClock(NOW + 1))
    assert isinstance(note.error, Conflict)
    with open(path, "rb") as stream:
        assert stream.read() == DATA + b"more\n"


def test_remove_keeps_the_bytes(layout):
    created(layout, "active/x.md")
    with NoteWriter(layout, "test", FixedClock(NOW + 1)) as writer:
        with pytest.raises(Conflict):
            writer.remove("active/x.md", {"0" * 64})
        writer.remove("active/x.md", {sha256(DATA).hexdigest()})
        with pytest.raises(NotFound):
            writer.remove("active/x.md", {sha256(DATA).hexdigest()})
    (kept,) = [os.path.join(folder, name) for folder, _, names in os.walk(layout.backups) for name in names]
    with open(kept, "rb") as stream:
        assert stream.read() == DATA


def test_somebody_who_takes_the_name_in_the_meantime_keeps_it(layout, monkeypatch):
    from memorybank.storage import disk

    real = disk.create

    def race(path, data, **more):
        with open(path, "wb") as stream:
            stream.write(b"theirs\n")
        return real(path, data, **more)

    monkeypatch.setattr(disk, "create", race)
    with pytest.raises(Conflict):
        created(layout, "active/x.md")
    with open(layout.note_path("x.md"), "rb") as stream:
        assert stream.read() == b"theirs\n"
    assert [record.outcome for record in changes.read(layout)] == ["abandoned"]
