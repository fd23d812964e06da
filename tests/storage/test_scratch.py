"""Folders for a while: nothing is left for long, and nothing in use is taken away."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from memorybank.storage import scratch

ROOT = Path(__file__).resolve().parents[2]
HOLDER = """
import sys
from memorybank.storage import scratch
scratch.IN_MEMORY = "/nowhere"
with scratch.folder("mine-") as path:
    print(path, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """The temporary folder of this test; the system has no place in memory."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(scratch, "IN_MEMORY", str(tmp_path / "nowhere"))
    return tmp_path


def holder(place):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(place)}
    process = subprocess.Popen([sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    return process, Path(process.stdout.readline().strip())


def test_a_folder_is_gone_afterwards_also_after_an_error(place):
    with pytest.raises(KeyError), scratch.folder("mine-") as path:
        assert Path(path).is_dir()
        (Path(path) / "file").write_text("")
        raise KeyError
    assert list(place.iterdir()) == []


def test_what_a_killed_process_left_goes_with_the_next_and_what_is_in_use_stays(place):
    killed, left = holder(place)
    living, used = holder(place)
    with killed, living:
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        assert left.is_dir()
        with scratch.folder("mine-"):
            assert not left.exists()
            assert used.is_dir()
        living.stdin.close()
    assert list(place.iterdir()) == []


def test_what_has_another_name_or_no_lock_is_left_alone(place):
    (place / "yours-1").mkdir()
    (place / "mine-1").mkdir()
    (place / "mine-2").symlink_to(place / "yours-1")
    with scratch.folder("mine-"):
        assert {"yours-1", "mine-1", "mine-2"} <= {path.name for path in place.iterdir()}


def test_memory_is_used_where_there_is_room(place, monkeypatch):
    memory = place / "memory"
    memory.mkdir()
    monkeypatch.setattr(scratch, "IN_MEMORY", str(memory))
    monkeypatch.setattr(scratch, "ROOM", 1)
    with scratch.folder("mine-") as path:
        assert Path(path).parent == memory.resolve()
    monkeypatch.setattr(scratch, "ROOM", 1 << 80)
    with scratch.folder("mine-") as path:
        assert Path(path).parent == place.resolve()
