"""The only code that changes files: whole or not at all, never in the place of another, every failure typed."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from memorybank.clock import HOUR, Clock
from memorybank.errors import LockTimeout, MemorybankError, PermissionRefused, ResourceExhausted, ValidationFailed
from memorybank.storage import abandoned, appending, disk, frames
from memorybank.storage.lock import Lock


def test_create_never_replaces_and_keeps_mtime_and_umask(tmp_path):
    path = str(tmp_path / "ノート.md")
    disk.create(path, b"one", mtime_ns=1_000_000_000)
    assert (Path(path).read_bytes(), os.stat(path).st_mtime_ns) == (b"one", 1_000_000_000)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o666 & ~_umask()
    with pytest.raises(FileExistsError):
        disk.create(path, b"two")
    assert os.listdir(tmp_path) == ["ノート.md"]


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize("code", [errno.EPERM, errno.EOPNOTSUPP, errno.EMLINK])
def test_create_works_where_hard_links_are_refused(tmp_path, monkeypatch, code):
    def refuse(*_, **__):
        raise OSError(code, "no links here")

    monkeypatch.setattr(disk.os, "link", refuse)
    path = str(tmp_path / "a")
    disk.create(path, b"one", mtime_ns=5_000_000_000)
    assert (Path(path).read_bytes(), os.stat(path).st_mtime_ns) == (b"one", 5_000_000_000)
    with pytest.raises(FileExistsError):
        disk.create(path, b"two")


def test_replace_keeps_the_mode_of_the_old_file(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o640)
    disk.replace(str(path), (b"n", b"ew"), durable=True)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", 0o640)


def test_replace_keeps_a_mode_that_the_umask_would_not_give(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o666)
    disk.replace(str(path), (b"new",), durable=False)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 != 0o666 & ~_umask()


def test_a_system_that_writes_a_few_bytes_at_a_time_writes_all(tmp_path, monkeypatch):
    real = os.write
    monkeypatch.setattr(disk.os, "write", lambda descriptor, data: real(descriptor, bytes(data[:3])))
    disk.create(str(tmp_path / "a"), "設計のメモ".encode())
    appending.append(str(tmp_path / "log"), b"one line\n", durable=False, clock=Clock())
    assert (tmp_path / "a").read_text(encoding="utf-8") == "設計のメモ" and (tmp_path / "log").read_bytes() == b"one line\n"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (errno.ENOSPC, ResourceExhausted),
        (errno.EDQUOT, ResourceExhausted),
        (errno.EROFS, PermissionRefused),
        (errno.EACCES, PermissionRefused),
        (errno.EIO, MemorybankError),
    ],
)
def test_a_failing_write_is_typed_and_leaves_the_old_file_and_no_temp(tmp_path, monkeypatch, code, kind):
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def fail(*_):
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(disk.os, "write", fail)
        with pytest.raises(kind):
            disk.replace(str(path), (b"new",), durable=True)
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"old", ["a"])


def test_read_follows_no_link_and_reads_no_pipe_and_no_more_than_its_cap(tmp_path):
    (tmp_path / "a").write_bytes(b"12345")
    os.symlink("a", tmp_path / "link")
    os.mkfifo(tmp_path / "pipe")
    assert disk.read(str(tmp_path / "a"), 5) == b"12345"
    with pytest.raises(ResourceExhausted):
        disk.read(str(tmp_path / "a"), 4)
    with pytest.raises(ValidationFailed):
        disk.read(str(tmp_path / "pipe"), 5)
    with pytest.raises(MemorybankError):
        disk.read(str(tmp_path / "link"), 5)
    with pytest.raises(FileNotFoundError):
        disk.read(str(tmp_path / "missing"), 5)


def test_a_file_that_grows_while_it_is_read_stays_within_the_limit(tmp_path, monkeypatch):
    (tmp_path / "a").write_bytes(b"12345")
    real = os.fstat

    def growing(descriptor):
        found = real(descriptor)
        with open(tmp_path / "a", "ab") as stream:
            stream.write(b"6789")
        return found

    monkeypatch.setattr(disk.os, "fstat", growing)
    with pytest.raises(ResourceExhausted):
        disk.read(str(tmp_path / "a"), 5)


def test_durable_lines_are_synced_with_the_name_of_their_file(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(appending.os, "fdatasync", lambda descriptor: synced.append("lines"))
    monkeypatch.setattr(disk, "sync_directory", synced.append)
    for durable, expected in ((False, []), (True, ["lines", str(tmp_path)])):
        appending.append(str(tmp_path / "log"), b"line\n", durable=durable, clock=Clock())
        assert synced == expected


def test_a_busy_log_is_waited_for_as_long_as_was_asked(tmp_path, impatient_clock):
    path = str(tmp_path / "log")
    with appending.Appending(path, Clock(), 1.0), pytest.raises(LockTimeout):
        appending.append(path, b"x\n", durable=False, clock=impatient_clock, timeout=5.0)
    assert 5 <= impatient_clock.seconds <= 8


def test_append_closes_a_torn_tail_first(tmp_path):
    path = str(tmp_path / "log")
    Path(path).write_bytes(b"whole\ntor")
    offset = appending.append(path, b"next\n", durable=True, clock=Clock())
    assert (Path(path).read_bytes(), offset) == (b"whole\ntor\nnext\n", 10)


APPENDER = """
import sys
from memorybank.clock import Clock
from memorybank.storage import appending, disk
for number in range(int(sys.argv[2])):
    appending.append(sys.argv[1], (f"{sys.argv[3]}-{number} " + "語" * int(sys.argv[4]) + "\\n").encode(), durable=False, clock=Clock(), timeout=60)
"""


def test_parallel_appends_lose_double_and_tear_nothing(tmp_path):
    path = str(tmp_path / "log")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    workers = [
        subprocess.Popen([sys.executable, "-c", APPENDER, path, "300", str(worker), str(33 if worker % 2 else 7000)], env=environment) for worker in range(4)
    ]
    assert [worker.wait(timeout=120) for worker in workers] == [0] * 4
    seen = [line.partition(" ")[0] for line in Path(path).read_text(encoding="utf-8").splitlines()]
    assert len(seen) == 1200 and len(set(seen)) == 1200


def test_a_held_lock_names_its_holder_and_ends_with_it(tmp_path, impatient_clock):
    path = str(tmp_path / "log/rotation.lock")
    with Lock(path, "memorybank rotate", Clock()):
        with pytest.raises(LockTimeout, match=f"{os.getpid()} memorybank rotate"), Lock(path, "another", impatient_clock):
            pass
        with pytest.raises(LockTimeout):
            appending.append(path, b"x\n", durable=False, clock=impatient_clock)
    with Lock(path, "another", impatient_clock):
        pass
    assert os.path.exists(path)


def test_only_own_old_temps_are_swept(tmp_path):
    now = 10 * HOUR
    for name, age in ((".mb-tmp-1-1", 2), (".mb-tmp-1-2", 0.5), ("other.tmp", 9)):
        (tmp_path / name).write_bytes(b"")
        os.utime(tmp_path / name, ns=(0, int((now - age * HOUR) * 1_000_000)))
    assert abandoned.sweep(str(tmp_path), now) == 1
    assert sorted(os.listdir(tmp_path)) == [".mb-tmp-1-2", "other.tmp"]


def test_a_temp_is_abandoned_when_its_process_is_gone_or_an_hour_has_passed(tmp_path):
    now = 10 * HOUR
    ages = {f".mb-tmp-{os.getpid()}-1": 0.5, f".mb-tmp-{os.getpid()}-2": 2, ".mb-tmp-999999999-1": 0.5, ".mb-tmp-of-nobody": 0.5}
    for name, age in ages.items():
        (tmp_path / name).write_bytes(b"")
        os.utime(tmp_path / name, ns=(0, int((now - age * HOUR) * 1_000_000)))
    assert [abandoned.is_abandoned(str(tmp_path / name), now) for name in ages] == [False, True, True, False]
    assert not abandoned.is_abandoned(str(tmp_path / ".mb-tmp-1-gone"), now)


@pytest.mark.parametrize(("started", "expected"), [(-10_000, False), (0, False), (10_000, True), (None, False)])
def test_a_temp_is_abandoned_when_its_process_began_later_than_it(tmp_path, monkeypatch, started, expected):
    """Another process has the id of the killed one. started: when, in ms after the file was made; None where the system does not say."""
    path = tmp_path / f".mb-tmp-{os.getpid()}-1"
    path.write_bytes(b"")
    made = path.stat().st_ctime_ns // 1_000_000
    monkeypatch.setattr(abandoned, "_started", lambda _: None if started is None else made + started)
    assert abandoned.is_abandoned(str(path), made) == expected


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="only Linux says when a process started")
def test_the_start_of_a_process_is_before_what_it_writes(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    started = abandoned._started(os.getpid())
    assert started is not None and abandoned._started(os.getppid()) <= started <= (tmp_path / "file").stat().st_ctime_ns // 1_000_000 + 2_000
    assert abandoned._started(999_999_999) is None


def test_a_torn_frame_gives_its_complete_blocks():
    data = b"".join(b"line %d of many\n" % number for number in range(60_000))
    frame = frames.compress(data)
    assert frames.beginning(frame, len(data)) == data
    assert frames.beginning(frame + b"\0" * 9, len(data)) == data
    for length in (len(frame) * 2 // 3, len(frame) - 1):
        torn = frames.beginning(frame[:length], len(data))
        assert len(torn) > 100_000 and data.startswith(torn)
        assert frames.beginning(frame[:length] + bytes(len(frame) - length), len(data)).startswith(torn[:100_000])
    assert frames.beginning(frame, 1_000) == data[:1_000]
    assert frames.beginning(b"no frame", 1_000) == b""


def test_a_replaced_file_keeps_its_mode_and_has_the_date_that_is_asked_for(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b"old")
    path.chmod(0o640)
    disk.replace(str(path), (b"n", b"ew"), durable=True, mtime_ns=1_000_000_007)
    assert (path.read_bytes(), path.stat().st_mode & 0o777, path.stat().st_mtime_ns) == (b"new", 0o640, 1_000_000_007)


def test_a_frame_that_no_record_describes_says_its_own_size():
    data = "記憶".encode() * 1000
    assert frames.unpack(frames.compress(data), len(data), "x") == data
    for frame, limit in ((frames.compress(data), len(data) - 1), (frames.compress(data)[:-5], len(data)), (b"nothing", 10)):
        with pytest.raises(ValidationFailed):
            frames.unpack(frame, limit, "x")


def test_a_frame_must_be_whole_and_of_the_announced_size():
    data = "記憶".encode() * 1000
    frame = frames.compress(data)
    assert frames.decompress(frame, len(data), "x") == data
    for broken, size in ((frame[:-1], len(data)), (frame + b"x", len(data)), (frame, len(data) - 1), (b"", 0), (b"no frame", 8)):
        with pytest.raises(ValidationFailed):
            frames.decompress(broken, size, "x")
    for at in range(len(frame)):
        flipped = bytearray(frame)
        flipped[at] ^= 0x10
        try:
            assert frames.decompress(bytes(flipped), len(data), "x") == data  # a bit that RFC 8878 leaves unused
        except ValidationFailed:
            continue
