"""Objects on disk: verified, bounded, never replaced."""

import os
import struct
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from memorybank.archive import store
from memorybank.errors import NotFound, UsageError, ValidationFailed
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NOTE_BYTES
from tests.archive.test_object import described


def describe(data: bytes, stored: bytes, **changes):
    return described(sha256=sha256(data).hexdigest(), size=len(data), object_sha256=sha256(stored).hexdigest(), object_size=len(stored), **changes)


def write(layout, data: bytes, **changes):
    stored = store.pack(data, changes.get("compressed", True))
    made = describe(data, stored, **changes)
    store.prepare(layout, made.folder)
    store.publish(layout, store.stage(layout, made, stored))
    return made


@pytest.mark.parametrize("compressed", [True, False])
@pytest.mark.parametrize("data", [b"", b"x", b"\0" * 100_000, "日本語\r\n".encode() * 1000, bytes(range(256))])
def test_what_is_written_reads_back(bank, data, compressed):
    layout = bank().layout
    made = write(layout, data, compressed=compressed)
    assert store.read_object(layout, made) == data
    assert store.read_sidecar(layout, made.sidecar_path) == made
    assert store.listing(layout) == ([made], [])


def test_an_object_is_never_replaced(bank):
    layout = bank().layout
    made = write(layout, b"first")
    other = store.stage(layout, made, b"other")
    with pytest.raises(ValidationFailed):
        store.publish(layout, other)
    store.discard(other)
    assert store.read_object(layout, made) == b"first"
    assert not [name for name in os.listdir(store.absolute(layout, made.folder)) if name.startswith(disk.TEMP_PREFIX)]


def test_a_staged_object_has_no_name_yet(bank):
    layout = bank().layout
    made = describe(b"x", b"x", compressed=False)
    store.prepare(layout, made.folder)
    staged = store.stage(layout, made, b"x")
    assert list(store.names(layout)) == [] and store.is_free(layout, made)
    store.discard(staged)
    assert os.listdir(store.absolute(layout, made.folder)) == []


def test_git_is_told_that_objects_are_bytes(bank):
    layout = bank().layout
    write(layout, b"x")
    assert "by_date/** -text" in Path(layout.archive, ".gitattributes").read_text()


def test_damaged_sidecars_are_problems_and_the_rest_is_listed(bank):
    layout = bank().layout
    good, bad = write(layout, b"good"), write(layout, b"bad", original_path="bad.md")
    Path(store.absolute(layout, bad.sidecar_path)).write_bytes(b"{")
    found, problems = store.listing(layout)
    assert found == [good] and [problem.code for problem in problems] == ["sidecar_invalid"]


@pytest.mark.parametrize("kind", ["symlink", "directory", "fifo", "missing", "huge"])
def test_what_is_no_object_is_not_read(bank, kind, tmp_path):
    layout = bank().layout
    made = write(layout, b"data")
    path = store.absolute(layout, made.object_path)
    os.remove(path)
    if kind == "symlink":
        (tmp_path / "secret").write_bytes(b"secret")
        os.symlink(tmp_path / "secret", path)
    elif kind == "directory":
        os.mkdir(path)
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "huge":
        with open(path, "wb") as stream:
            stream.truncate(1 << 33)
    with pytest.raises(Exception) as failed:
        store.read_object(layout, made)
    assert getattr(failed.value, "exit_code", 70) in (1, 9)


def test_finding_by_id_digits_or_key(bank):
    layout = bank().layout
    one, other = write(layout, b"one"), write(layout, b"two", original_path="two.md")
    assert store.find(layout, one.id) == store.find(layout, one.id[-8:]) == store.find(layout, "planning/概要.md") == one
    assert store.find(layout, "two.md") == other
    write(layout, b"two again", original_path="two.md")
    with pytest.raises(NotFound) as many:
        store.find(layout, "two.md")
    assert other.id in many.value.message
    with pytest.raises(NotFound):
        store.find(layout, "three.md")


def test_finding_by_a_complete_id_reads_one_sidecar(bank, monkeypatch):
    layout = bank().layout
    written = [write(layout, f"number {number}".encode(), original_path=f"{number}.md") for number in range(5)]
    read = []
    monkeypatch.setattr(store, "read_sidecar", lambda layout, path, read_sidecar=store.read_sidecar: read.append(path) or read_sidecar(layout, path))
    assert store.find(layout, written[3].id) == written[3]
    assert read == [written[3].sidecar_path]


@pytest.mark.parametrize("path", ["", "archive/by_date/x", "../../x.md.zst", "archive/by_date/../../active/a.md", "active/a.md", "/archive/by_date/a.md"])
def test_only_paths_of_objects_have_sidecars(path):
    with pytest.raises(UsageError):
        store.sidecar_beside(path)


# bombs


def frame(blocks: int, claimed: int, single: bool) -> bytes:
    """A zstd frame of 128 KiB run-length blocks: 4 bytes each, however much it claims to hold (RFC 8878, section 3.1)."""
    head = struct.pack("<I", 0xFD2FB528) + (bytes([0b10100000]) if single else bytes([0b10000000, 10 << 3])) + struct.pack("<I", claimed)
    body = b"".join(struct.pack("<I", (131_072 << 3) | (1 << 1) | (number == blocks - 1))[:3] + b"A" for number in range(blocks))
    return head + body


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("claimed", [4, 1 << 20, 64 << 20, (1 << 32) - 1])
def test_a_bomb_is_refused(bank, claimed, single):
    layout = bank().layout
    stored = frame(20_000, claimed, single)
    made = replace(describe(b"none", stored), size=min(claimed, MAX_NOTE_BYTES))
    store.prepare(layout, made.folder)
    store.publish(layout, store.stage(layout, made, stored))
    with pytest.raises(ValidationFailed):
        store.read_object(layout, made)


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="reads the peak of its memory from /proc")
def test_a_bomb_costs_no_more_memory_than_a_note_may(bank):
    """In a process of its own: 2.6 GB announced as 32 MiB cost less than 64 MiB."""
    layout = bank().layout
    stored = frame(20_000, 32 << 20, False)
    made = replace(describe(b"none", stored), size=32 << 20)
    store.prepare(layout, made.folder)
    store.publish(layout, store.stage(layout, made, stored))
    program = f"""
import sys
def peak():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
sys.path.insert(0, {str(Path(store.__file__).parents[2])!r})
from memorybank.archive import store
from memorybank.errors import ValidationFailed
from memorybank.storage.layout import Layout
before = peak()
layout = Layout({layout.root!r})
for described in store.listing(layout)[0]:
    try:
        store.read_object(layout, described)
    except ValidationFailed:
        print("refused", peak() - before)
"""
    said = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert said[0] == "refused"
    assert int(said[1]) * 1024 < 64 << 20
