"""Bad times: another process holds the locks, the disk is full, the bank is read-only, the cache is being replaced, a file
stands where a folder belongs.

Whoever reads gets an answer from what can be read, with a notice that says from when it is, and exit code 0. Whoever writes ends with the
exit code of the reason and changes nothing. Locks are held by a real second process, and a full disk is RLIMIT_FSIZE, which every write of
the command and of SQLite meets.
"""

import errno
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import traceback
from pathlib import Path

import pytest

from memorybank.storage import beneath, database, disk

ROOT = Path(__file__).resolve().parents[2]
NOTES = {
    "shared/用語集.md": "---\nrating: 9\n---\n# 用語集\n\n検索の索引。\n",
    "planning/old.md": "# Old plan\n\nnothing of note\n",
    "planning/importer.md": "# New importer\n\nThe importer ships in June.\n",
}
READERS = {
    "search": ("search", "importer"),
    "japanese": ("search", "索引"),
    "content": ("search", "--type", "content", "ships in June"),
    "archive": ("search", "--archive", "importer"),
    "list": ("list",),
    "problems": ("list", "--problems"),
    "json": ("list", "--format", "json"),
    "show": ("show", "planning/importer.md"),
    "short name": ("show", "importer"),
    "recall": ("recall", "When does the importer ship?"),
    "status": ("status",),
    "metrics": ("metrics",),
    "know": ("know", "list"),
    "tags": ("tags",),
    "score": ("score", "planning/importer.md"),
    "explain": ("score", "--explain", "planning/importer.md"),
    "dry run": ("rotate", "--dry-run"),
    "episodes": ("episodes", "list"),
    "summary": ("summary", "show"),
    "log": ("log", "list"),
}
WRITERS = {
    "add": ("add", "Fresh", "--body", "fresh"),
    "rate": ("rate", "planning/importer.md", "9"),
    "bookmark": ("bookmark", "add", "planning/importer.md"),
    "mv": ("mv", "planning/importer.md", "shared/moved.md"),
    "forget": ("forget", "planning/importer.md", "--yes"),
    "rotate": ("rotate", "--yes"),
    "index": ("index",),
    "full": ("index", "--mode", "full"),
    "rebuild": ("rebuild",),
}
FOLDERS = ("archive", "backups", "cache", "config", "episodes", "indexes", "log", "log/events", "metadata")
ASKED = ("search", "archive", "json", "recall", "status", "know", "dry run", "episodes", "log")
DERIVED = ("cache", "cache/bank.sqlite3", "indexes", "metadata")
FILES = ("bookmarks.json", "cache/bank.sqlite3", "config/index_config.json", "dates.jsonl", "log/access.jsonl", "log/rotation.jsonl", "summary.md")
HOLDER = """
import fcntl, os, sqlite3, sys
kind, *paths = sys.argv[1:]
for path in paths:
    if kind == "flock":
        fcntl.flock(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), fcntl.LOCK_EX)
    else:
        held = sqlite3.connect(path, isolation_level=None)
        held.execute("BEGIN " + kind)
        globals()[path] = held
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def scratch(bank, run):
    """A bank with an index and an archived note, of which one note was then edited."""
    made = bank(NOTES, days_old=90)
    assert run(made, "index").code == 0
    return made


def edit(bank):
    bank.write("planning/importer.md", "# New importer\n\nThe importer ships in June, or in July.\n", days_old=0)


def files(bank):
    """{path: (digest, mtime)} of every file of the bank outside its cache."""
    return {name: state for name, state in bank.snapshot().items() if state[0] and not name.startswith("cache/")}


@pytest.fixture
def held():
    """(kind, *paths) → another process that holds these locks until the test ends."""
    holders = []

    def hold(kind: str, *paths: Path):
        done = subprocess.Popen([sys.executable, "-c", HOLDER, kind, *map(str, paths)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert done.stdout.readline() == "held\n"
        holders.append(done)

    yield hold
    for done in holders:
        done.communicate("", timeout=120)


@pytest.fixture
def hasty(capsys, monkeypatch, impatient_clock):
    """`run` with a clock by which waiting for a lock takes no time."""
    from memorybank.cli.call import CommandCall
    from memorybank.cli.main import run as run_command

    def call(bank, *arguments):
        monkeypatch.chdir(bank.repository)
        capsys.readouterr()
        code = run_command(arguments, CommandCall(clock=impatient_clock))
        told = capsys.readouterr()
        return code, told.out, told.err

    return call


def no_file_grows():
    """Limit this process: no file can grow, not in the bank, not in any folder for temporary files."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def on_full_disk(bank, *arguments):
    """Run a command in a fork of this process in which no file can grow. The fork has loaded the program already."""
    from memorybank.cli.main import run

    (out, out_of_child), (err, err_of_child) = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        code = 70
        try:
            no_file_grows()
            os.chdir(bank.repository)
            os.dup2(out_of_child, 1)
            os.dup2(err_of_child, 2)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, mode, encoding="utf-8") for number, mode in enumerate("rww"))
            code = run(arguments)
            sys.stdout.flush()
            sys.stderr.flush()
        except BaseException:
            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(code)
    os.close(out_of_child)
    os.close(err_of_child)
    with open(out, encoding="utf-8") as said, open(err, encoding="utf-8") as complained:
        texts = said.read(), complained.read()
    return subprocess.CompletedProcess(arguments, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), *texts)


def program_on_full_disk(bank, *arguments):
    """Run the real program in such a process."""
    return subprocess.run(
        [sys.executable, "-m", "memorybank", *arguments],
        cwd=bank.repository,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=no_file_grows,
        timeout=120,
    )


@pytest.mark.slow
def test_whoever_reads_is_answered_while_another_process_indexes(scratch, held, hasty):
    edit(scratch)
    held("flock", scratch.root / "cache/fold.lock")
    for command in READERS.values():
        code, out, err = hasty(scratch, *command)
        assert code == 0 and out, (command, err)
        if command[0] in ("list", "search", "status", "metrics", "tags", "score", "recall"):
            assert "another process" in err and "2025-09-17T12:34:56" in err, "it says from when the answer is"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["IMMEDIATE", "EXCLUSIVE"])
def test_whoever_reads_is_answered_while_another_process_writes_the_cache(scratch, held, hasty, kind, monkeypatch):
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    edit(scratch)
    held(kind, scratch.root / "cache/bank.sqlite3")
    for command in READERS.values():
        code, out, err = hasty(scratch, *command)
        assert code == 0 and out, (command, err)


def test_a_hit_that_has_just_changed_is_shown_while_another_process_indexes(scratch, held, hasty):
    """A large bank is not examined before each search, only the hits are."""
    scratch.configure("index", '{"freshness": {"max_sweep_notes": 0, "max_age_seconds": 3600}}')
    assert hasty(scratch, "search", "importer")[0] == 0
    edit(scratch)
    held("flock", scratch.root / "cache/fold.lock")
    code, out, err = hasty(scratch, "search", "importer")
    assert code == 0 and "importer.md" in out and "another process" in err


def test_the_first_index_of_another_process_is_named(bank, held, hasty):
    scratch = bank(NOTES)
    (scratch.root / "cache").mkdir()
    held("flock", scratch.root / "cache/fold.lock")
    code, _, err = hasty(scratch, "search", "importer")
    assert code == 0 and "another process" in err and "not complete" in err


@pytest.mark.parametrize("command", ["index", "full", "rebuild", "rate"])
def test_whoever_writes_the_index_waits_and_then_says_who_holds_it(scratch, held, hasty, command):
    edit(scratch)
    held("flock", scratch.root / "cache/fold.lock", scratch.root / "log/access.jsonl")
    before = scratch.snapshot("active")
    code, _, err = hasty(scratch, *WRITERS[command])
    assert code == 7 and "next:" in err
    assert scratch.snapshot("active") == before


@pytest.mark.slow
@pytest.mark.parametrize("edited", [False, True])
def test_whoever_reads_is_answered_on_a_full_disk(scratch, edited):
    if edited:
        edit(scratch)
    before = files(scratch)
    for command in READERS.values():
        done = on_full_disk(scratch, *command)
        assert done.returncode == 0 and done.stdout, (command, done.stderr)
        if edited and command[0] == "search" and "importer" in command:
            assert "July" in done.stdout, "the answer is current: the edit was folded in memory"
        assert {name: state for name, state in files(scratch).items() if name in before} == before, command


@pytest.mark.slow
def test_the_real_program_reads_and_refuses_to_write_on_a_full_disk(scratch):
    edit(scratch)
    done = program_on_full_disk(scratch, *READERS["search"])
    assert done.returncode == 0 and "July" in done.stdout, done.stderr
    done = program_on_full_disk(scratch, *WRITERS["add"])
    assert done.returncode == 8 and "next: " in done.stderr, done.stderr


@pytest.mark.slow
def test_whoever_reads_is_answered_on_a_full_disk_without_a_cache(bank):
    scratch = bank(NOTES)
    for command in READERS.values():
        done = on_full_disk(scratch, *command)
        assert done.returncode == 0 and done.stdout, (command, done.stderr)
        assert not (scratch.root / "cache/bank.sqlite3").exists() or not (scratch.root / "cache/bank.sqlite3").stat().st_size, command


@pytest.mark.slow
@pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS)
def test_whoever_writes_on_a_full_disk_ends_with_8_and_changes_nothing(scratch, command):
    edit(scratch)
    before = files(scratch)
    done = on_full_disk(scratch, *command)
    assert done.returncode == 8 and "next: " in done.stderr and "rebuild" not in done.stderr, done.stderr
    after = files(scratch)
    assert {name: state for name, state in after.items() if name in before} == before, "no file was changed"
    assert all(os.path.getsize(scratch.root / name) == 0 or name.endswith(".lock") for name in after.keys() - before.keys())


def test_a_device_that_is_really_full_is_named():
    """/dev/full answers every write with ENOSPC."""
    if not os.path.exists("/dev/full"):
        return
    descriptor = os.open("/dev/full", os.O_WRONLY)
    try:
        with pytest.raises(disk.MemorybankError) as found, disk.typed_errors("/dev/full"):
            disk.write_all(descriptor, b"x" * 10)
    finally:
        os.close(descriptor)
    assert found.value.exit_code == 8


@pytest.mark.slow
@pytest.mark.parametrize("command", READERS.values(), ids=READERS)
def test_sqlite_out_of_space_is_no_reason_to_rebuild(scratch, run, monkeypatch, command):
    """Real ENOSPC of SQLite (SQLITE_FULL): the cache may not grow by one page."""
    for number in range(9):
        scratch.write(f"shared/memo-{number}.md", f"# Memo {number}\n\n" + "many different words here " * 200)
    connect = database._connect

    def full(path, busy_seconds):
        connection = connect(path, busy_seconds)
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    monkeypatch.setattr(database, "_connect", full)
    result = run(scratch, *command)
    assert result.code == 0 and result.out, result.err
    if command == READERS["list"]:
        assert "memo-8" in result.out


@pytest.fixture
def read_only(monkeypatch):
    """A read-only file system, also for a user whom no mode refuses: every call that would change a file, and SQLite's, is refused with EROFS."""

    def refuse(path, *_arguments, **_options):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)

    opened, connect = beneath.open, database._connect

    def reading(path, flags, mode=0o777):
        return refuse(path) if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) else opened(path, flags, mode)

    def connected(path, busy_seconds):
        if not os.path.exists(path):
            raise sqlite3.OperationalError("unable to open database file")
        connection = connect(path, busy_seconds)
        connection.execute("PRAGMA query_only = 1")
        return connection

    monkeypatch.setattr(beneath, "open", reading)
    monkeypatch.setattr(database, "_connect", connected)
    for name in ("mkdir", "rmdir", "unlink", "chmod", "link", "rename", "replace"):
        monkeypatch.setattr(beneath, name, refuse)


@pytest.mark.parametrize("command", READERS.values(), ids=READERS)
def test_whoever_reads_is_answered_in_a_read_only_bank(scratch, run, read_only, command):
    edit(scratch)
    result = run(scratch, *command)
    assert result.code == 0 and result.out, result.err
    if command == READERS["search"]:
        assert "July" in result.out


@pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS)
def test_whoever_writes_in_a_read_only_bank_ends_with_4_and_changes_nothing(scratch, run, read_only, command):
    edit(scratch)
    before = files(scratch)
    result = run(scratch, *command)
    assert result.code == 4 and "next: " in result.err, result.err
    assert files(scratch) == before


@pytest.mark.parametrize("command", ["search", "list", "status", "recall"])
def test_a_cache_that_another_process_replaces_meanwhile(scratch, run, monkeypatch, command):
    """Another process sets the cache aside between its opening and the fold; SQLite refuses to write to a file that was moved."""
    edit(scratch)
    opened = database.open_writable
    path = scratch.root / "cache/bank.sqlite3"

    def replaced(*arguments, **options):
        connection = opened(*arguments, **options)
        if arguments[0] == str(path):
            for suffix in ("-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            os.replace(path, f"{path}.broken")
            sqlite3.connect(path).close()
        return connection

    monkeypatch.setattr(database, "open_writable", replaced)
    result = run(scratch, *READERS[command])
    assert result.code == 0 and result.out, result.err
    monkeypatch.setattr(database, "open_writable", opened)
    result = run(scratch, *READERS[command])
    assert result.code == 0 and result.out, result.err


@pytest.mark.slow
def test_the_json_of_an_answer_in_bad_times_is_json(scratch):
    edit(scratch)
    for command in (("search", "importer"), ("list",), ("status",), ("know", "list")):
        json.loads(on_full_disk(scratch, *command, "--format", "json").stdout)


@pytest.fixture
def misplaced(scratch):
    """name → a bank in which the wrong kind of thing stands there."""

    def make(name):
        made = scratch
        path = made.root / name
        if name in FOLDERS:
            shutil.rmtree(path, ignore_errors=True)
            path.parent.mkdir(exist_ok=True)
            path.write_text("x\n")
        else:
            path.unlink(missing_ok=True)
            path.mkdir(parents=True)
            (path / "inside.txt").write_text("x\n")
        return made

    return make


@pytest.mark.slow
@pytest.mark.parametrize("name", FOLDERS + FILES)
def test_whoever_reads_is_answered_or_learns_what_stands_in_the_way(misplaced, run, name):
    made = misplaced(name)
    path = made.root / name
    for command in (READERS[name] for name in ASKED):
        result = run(made, *command)
        if name in DERIVED:
            assert result.code == 0 and result.out, (command, result.err)
        elif result.code != 0:
            assert result.code in (6, 9) and name in result.err and "next" in result.err, (command, result.err)
        assert path.read_text() == "x\n" if name in FOLDERS else (path / "inside.txt").read_text() == "x\n", command


@pytest.mark.parametrize("name", FOLDERS + FILES)
def test_doctor_names_what_stands_in_the_way(misplaced, run, name):
    result = run(misplaced(name), "doctor")
    assert result.code == 9 and name in result.out, result.out + result.err
