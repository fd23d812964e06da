"""The entry point to the files of a bank: no link below the bank's folder is followed, whichever call and whichever part of the path it is."""

import os

import pytest

from memorybank.clock import FixedClock
from memorybank.errors import LinkRefused
from memorybank.log import lines
from memorybank.storage import appending, beneath, create_bank, database, disk
from memorybank.storage.layout import describe, find_bank
from memorybank.storage.lock import Lock

CLOCK = FixedClock(1_758_112_496_789)
SCHEMA = ("CREATE TABLE seen (at INTEGER)",)


@pytest.fixture
def place(bank, tmp_path):
    """(the bank's folder, a folder outside with a file). In the bank, `out` and `deep/out` lead to that folder, `leaf` to the file."""
    scratch = bank()
    outside = tmp_path / "outside"
    (outside / "inner").mkdir(parents=True)
    (outside / "file").write_text("theirs\n")
    (scratch.root / "deep").mkdir()
    (scratch.root / "own").write_text("ours\n")
    for name in ("out", "deep/out"):
        (scratch.root / name).symlink_to(outside)
    (scratch.root / "leaf").symlink_to(outside / "file")
    return scratch.layout.root, outside


def state(folder):
    return sorted((str(path.relative_to(folder)), path.lstat().st_mode, path.read_bytes() if path.is_file() else b"") for path in folder.rglob("*"))


CALLS = {
    "read": lambda path: disk.read(path, 100),
    "sizes": lambda path: beneath.sizes(path, ["file"]),
    "stream": lambda path: beneath.stream(path).close(),
    "create": lambda path: disk.create(path, b"x"),
    "replace": lambda path: disk.replace(path, (b"x",), durable=True),
    "write_temp": lambda path: disk.write_temp(os.path.dirname(path), (b"x",)),
    "make_directories": lambda path: disk.make_directories(f"{path}-new/deeper"),
    "keep_copy": lambda path: disk.keep_copy(path, f"{path}-copy"),
    "move": lambda path: disk.move(path, f"{path}-moved"),
    "move_back": lambda path: disk.move_back(path, f"{path}-moved"),
    "remove": disk.remove,
    "remove_permissions": lambda path: disk.remove_permissions(path, 0o077),
    "sync_file": disk.sync_file,
    "append": lambda path: appending.append(path, b"{}\n", durable=True, clock=CLOCK),
    "lock": lambda path: Lock(path, "test", CLOCK).__enter__(),
    "lines.size": lines.size,
    "lines.read": lambda path: list(lines.read(path)),
    "newest_first": lambda path: list(lines.newest_first(path)),
    "open_writable": lambda path: database.open_writable(path, SCHEMA, 1).close(),
    "open_frozen": lambda path: database.open_frozen(path, SCHEMA, 1).close(),
    "is_damaged": database.is_damaged,
    "is_of": lambda path: database.is_of(path, 1),
    "listdir": lambda path: beneath.listdir(os.path.dirname(path)),
    "scandir": lambda path: beneath.scandir(os.path.dirname(path)).close(),
}


@pytest.mark.parametrize("way", ["out/file", "deep/out/file", "out/inner/file"])
@pytest.mark.parametrize("call", CALLS)
def test_no_call_leads_through_a_link(place, call, way):
    root, outside = place
    before = state(outside)
    with pytest.raises((LinkRefused, beneath.LinkInBank)) as found:
        CALLS[call](f"{root}/{way}")
    error = found.value if isinstance(found.value, LinkRefused) else disk.from_os_error(found.value, way)
    assert error.exit_code == 9 and error.next_step
    assert f"{root}/{way[: way.index('out') + 3]}: " in error.message, "the message names the link itself"
    assert state(outside) == before


AT_THE_END = ("read", "stream", "remove_permissions", "sync_file", "append", "lock", "lines.size", "lines.read", "open_writable", "open_frozen", "is_damaged")


@pytest.mark.parametrize("call", AT_THE_END)
def test_no_call_opens_a_link_itself(place, call):
    root, outside = place
    before = state(outside)
    with pytest.raises((LinkRefused, beneath.LinkInBank)):
        CALLS[call](f"{root}/leaf")
    assert state(outside) == before


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_sqlite_is_kept_from_a_link_next_to_a_cache(place, suffix):
    """SQLite would write its log through the link."""
    root, outside = place
    database.open_writable(f"{root}/cache/bank.sqlite3", SCHEMA, 1).close()
    disk.remove(f"{root}/cache/bank.sqlite3{suffix}")
    os.symlink(outside / "new", f"{root}/cache/bank.sqlite3{suffix}")
    with pytest.raises(LinkRefused, match=suffix):
        database.open_writable(f"{root}/cache/bank.sqlite3", SCHEMA, 1)
    assert database.open_reading(f"{root}/cache/bank.sqlite3", 1) is None
    assert not (outside / "new").exists()


def test_a_link_itself_can_be_removed(place):
    root, outside = place
    disk.remove(f"{root}/leaf")
    assert not os.path.lexists(f"{root}/leaf") and (outside / "file").read_text() == "theirs\n"


def test_a_folder_that_becomes_a_link_meanwhile_is_not_followed(place):
    """Between writing the temporary file and renaming it, somebody puts a link in the place of the folder."""
    root, outside = place
    disk.make_directories(f"{root}/logs")

    def chunks():
        yield b"half"
        os.rename(f"{root}/logs", f"{root}/moved")
        os.symlink(outside, f"{root}/logs")
        yield b"half"

    before = state(outside)
    with pytest.raises(LinkRefused):
        disk.replace(f"{root}/logs/file", chunks(), durable=True)
    assert state(outside) == before


def test_a_path_that_goes_up_is_refused(place):
    root, _ = place
    with pytest.raises(OSError, match=r"without '\.\.'"):
        beneath.open(f"{root}/deep/../../../../outside/file", os.O_RDONLY)
    with pytest.raises(OSError, match=r"without '\.\.'"):
        beneath.listdir(f"{root}/..")


def test_sizes_are_those_of_files_in_the_folder_itself(place):
    root, _ = place
    assert beneath.sizes(root, ["own", "gone", "leaf", "deep", "deep/out", "../outside/file"]) == {"own": len("ours\n")}
    with pytest.raises(beneath.LinkInBank):
        beneath.sizes(f"{root}/out", ["file"])


def test_errors_name_the_full_path(place):
    root, _ = place
    for path in (f"{root}/deep/missing", f"{root}/missing/deep/file"):
        with pytest.raises(FileNotFoundError) as found:
            disk.read(path, 10)
        assert found.value.filename == path


def test_no_handle_stays_open(place):
    """A server lives long: whatever the calls raise, they close the folders that they opened."""
    root, _ = place
    for call in CALLS.values():
        for path in (f"{root}/out/file", f"{root}/leaf", f"{root}/missing/x", f"{root}/own/x"):
            before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
            try:
                call(path)
            except (OSError, LinkRefused, disk.MemorybankError):
                assert before == (len(os.listdir("/proc/self/fd")) if before else 0), call


def test_links_outside_a_bank_are_followed(tmp_path):
    """People link the settings of their coding agents, which are not in a bank."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    disk.create(str(tmp_path / "link" / "file"), b"x")
    assert disk.read(str(tmp_path / "link" / "file"), 10) == b"x"


@pytest.mark.parametrize("linked", ["project", "project/.claude", "project/.claude/memory"])
def test_a_bank_that_is_behind_a_link_as_a_whole_works(tmp_path, linked):
    """People link projects (~/work → /data/work), and share one bank between projects."""
    real = tmp_path / "data"
    inner = "project/.claude/memory".removeprefix(linked).lstrip("/")
    (real / inner / "active").mkdir(parents=True)
    link = tmp_path / linked
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(real)
    layout = find_bank(str(tmp_path / "project"))
    lines.append(f"{layout.log}/access.jsonl", ({"kind": "view"},), clock=CLOCK)
    assert [line.fields for line in lines.read(f"{layout.log}/access.jsonl")] == [{"kind": "view"}]
    assert (real / inner / "log" / "access.jsonl").exists()


def test_the_logs_of_a_linked_worktree_follow_no_link(bank):
    """A linked worktree records in the main worktree's bank, where the link would be."""
    scratch = bank(git=True)
    scratch.git("commit", "-q", "--allow-empty", "-m", "first")
    scratch.git("worktree", "add", "-q", "../other")
    other = scratch.repository.parent / "other" / ".claude" / "memory"
    (other / "active").mkdir(parents=True)
    outside = scratch.repository.parent / "outside"
    outside.mkdir()
    (scratch.root / "log").symlink_to(outside)
    layout = describe(str(other.resolve()))
    assert layout.log == f"{scratch.layout.root}/log"
    with pytest.raises(LinkRefused):
        lines.append(f"{layout.log}/access.jsonl", ({"kind": "view"},), clock=CLOCK)
    assert list(outside.iterdir()) == []


def test_init_creates_nothing_behind_a_link(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    root = tmp_path / "new"
    root.mkdir()
    (root / "config").symlink_to(outside)
    with pytest.raises(LinkRefused):
        create_bank.create_bank(str(root), "UTC")
    assert list(outside.iterdir()) == []
