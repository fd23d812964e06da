"""What holds for every note whatever the command: its bytes and mtime, and answers from a bank that nobody may write."""

import os
import stat
from pathlib import Path

import pytest

from memorybank.bank import Bank
from memorybank.clock import DAY, FixedClock, isoformat
from memorybank.errors import MemorybankError
from memorybank.index import working
from tests.notes import hostile_notes

NOW = 1_758_112_496_789
FOLDERS = ("planning", "implementation", "sync", "shared", "共有")


@pytest.fixture
def hostile(bank):
    """A bank with every hostile note that is smaller than 50 kB, and names and files that are no notes."""
    scratch = bank()
    for number, (_, data) in enumerate(hostile_notes.notes()):
        if len(data) < 50_000:
            scratch.write(f"{FOLDERS[number % len(FOLDERS)]}/hostile-{number:03d}.md", data, days_old=number % 60)
    scratch.write("shared/" + "長" * 82 + ".md", "# 255 bytes in a name\n")
    scratch.write("shared/cafe\u0301.md", "# NFD\n")
    scratch.write("shared/caf\u00e9.md", "# NFC\n")
    scratch.write("shared/crlf.md", b"---\r\ntitle: CRLF\r\n---\r\n# CRLF\r\n")
    os.symlink("/etc/hostname", scratch.active / "shared/outside.md")
    os.mkfifo(scratch.active / "shared/pipe.md")
    with open(os.fsencode(scratch.active / "shared") + b"/\xff\xfe.md", "wb") as stream:
        stream.write(b"not a UTF-8 name")
    return scratch


def open_bank(scratch, now: int = NOW, **options) -> Bank:
    return Bank.open(str(scratch.root), clock=FixedClock(now), **options)


def notes_of(scratch) -> dict[str, tuple[str, int]]:
    return scratch.snapshot("active")


READING = {
    "score": lambda bank: bank.scores.score(),
    "explain": lambda bank: bank.scores.explain("shared/crlf.md"),
    "index": lambda bank: bank.index.update("incremental"),
    "index full": lambda bank: bank.index.update("full"),
    "check": lambda bank: bank.index.check(),
    "keyword search": lambda bank: bank.search("検索 note"),
    "content search": lambda bank: bank.search("e", type="content", limit=50),
    "importance": lambda bank: bank.search(type="importance"),
    "recent": lambda bank: bank.search(type="recent"),
    "archive search": lambda bank: bank.search("note", archive=True),
    "plan": lambda bank: bank.rotation.plan(),
    "plan later": lambda bank: bank.rotation.plan(as_of=isoformat(NOW + 60 * DAY)),
    "verify": lambda bank: bank.archive.verify(),
    "rebuild": lambda bank: bank.index.rebuild(),
    "problems": lambda bank: bank.notes.problems(),
    "list": lambda bank: bank.notes.list(),
}


@pytest.mark.slow
def test_no_reading_command_changes_a_byte_or_mtime_of_any_note(hostile):
    before = notes_of(hostile)
    for name, command in READING.items():
        command(open_bank(hostile))
        assert notes_of(hostile) == before, name


@pytest.mark.slow
def test_every_note_that_can_be_read_is_indexed_and_the_others_are_told(hostile):
    bank = open_bank(hostile)
    indexed = {note.key for note in bank.notes.list()}
    told = {problem.code for problem in bank.notes.problems()}
    assert len(indexed) > 150
    assert {"symlink", "not_a_file", "name_not_utf8", "front_matter_invalid", "not_utf8"} <= told
    assert {"shared/cafe\u0301.md", "shared/caf\u00e9.md"} <= indexed


@pytest.mark.slow
@pytest.mark.parametrize("prepared", [False, True], ids=["never indexed", "indexed before"])
def test_a_read_only_view_changes_no_path_byte_or_mtime_of_the_bank(hostile, prepared, request):
    if prepared:
        open_bank(hostile, NOW - 3 * DAY).index.update("full")
        hostile.write("shared/later.md", "# later\n", days_old=1)
    before = hostile.snapshot()
    reading = [name for name in READING if name not in ("index", "index full", "rebuild")]
    # Without an index each command builds one in memory, so the usual run samples them.
    for name in reading if prepared or request.config.getoption("--all") else reading[::3]:
        READING[name](open_bank(hostile, read_only=True))
        assert hostile.snapshot() == before, name


def test_recall_from_a_read_only_bank_changes_no_path_byte_or_mtime(bank):
    scratch = bank({"shared/staging.md": "# Staging\n\nThe staging database is reset on Mondays.\n"})
    open_bank(scratch).memory.recall("How is the staging database reset?")
    before = scratch.snapshot()
    reading = open_bank(scratch, read_only=True)
    assert [one.memory for one in reading.memory.recall("How is the staging database reset?").shown] == ["note:shared/staging.md"]
    reading.memory.stats()
    assert scratch.snapshot() == before


def in_a_child(work) -> int:
    """Run `work` in a child that is not root; 0 when it returned."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            work()
            code = 0
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def make_unwritable(scratch) -> None:
    for folder, _, names in os.walk(scratch.repository):
        os.chmod(folder, 0o555)
        for name in names:
            path = os.path.join(folder, name)
            if stat.S_ISREG(os.lstat(path).st_mode):
                os.chmod(path, 0o444)
    parent = scratch.repository
    while parent != parent.parent and os.access(parent, os.W_OK) and parent != Path("/tmp"):
        os.chmod(parent, os.stat(parent).st_mode | 0o055)
        parent = parent.parent


@pytest.mark.slow
@pytest.mark.parametrize("prepared", [False, True], ids=["never indexed", "indexed before"])
def test_everything_but_writing_works_on_a_bank_that_may_not_be_written(bank, prepared):
    scratch = bank({"planning/a.md": "# A\n\nsee [[用語]]\n", "shared/用語.md": "# 用語\n\n検索\n"})
    if prepared:
        open_bank(scratch).index.update("full")
        scratch.write("shared/later.md", "# later\n", days_old=1)
    before = scratch.snapshot()
    make_unwritable(scratch)

    def work() -> None:
        for name in set(READING) - {"index", "index full", "rebuild", "explain"}:
            READING[name](open_bank(scratch, NOW + DAY))
        assert open_bank(scratch, NOW + DAY).notes.read("shared/用語.md").title == "用語"
        assert [hit.key for hit in open_bank(scratch, NOW + DAY).search("検索").hits] == ["shared/用語.md"]
        for command in (lambda it: it.notes.add("new"), lambda it: it.notes.rate("planning/a.md", 9), lambda it: it.notes.bookmark_add("planning/a.md")):
            with pytest.raises(MemorybankError) as refused:
                command(open_bank(scratch, NOW + DAY))
            assert refused.value.exit_code == 4

    assert in_a_child(work) == 0
    assert scratch.snapshot() == before
    for folder, _, _ in os.walk(scratch.repository):
        os.chmod(folder, 0o755)


@pytest.mark.slow
def test_a_cache_that_is_damaged_in_its_middle_is_set_aside_and_the_next_command_heals_it(bank):
    scratch = bank({f"shared/n{number}.md": f"# {number}\n\n検索 number {number} {'x' * 2000}\n" for number in range(60)})
    open_bank(scratch).index.update("full")
    cache = scratch.root / "cache/bank.sqlite3"
    data = bytearray(cache.read_bytes())
    for page in range(80, len(data) // 4096):  # behind the schema: what opens it finds it whole
        data[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    cache.write_bytes(data)
    with pytest.raises(MemorybankError) as told:
        for _ in range(2):
            open_bank(scratch, NOW + DAY).search("number 7", fresh=True)
    assert told.value.exit_code == 9
    assert open_bank(scratch, NOW + DAY).search('"number 7"').hits[0].key == "shared/n7.md"


@pytest.mark.slow
def test_a_full_disk_is_a_typed_error_and_costs_no_note(bank, monkeypatch):
    scratch = bank({f"shared/n{number}.md": f"# {number}\n\n{'語' * 3000}\n" for number in range(40)})
    before = notes_of(scratch)
    real = working.database.open_writable

    def small(*arguments):
        connection = real(*arguments)
        connection.execute("PRAGMA max_page_count = 60")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(working.database, "open_writable", small)
        with pytest.raises(MemorybankError) as told:
            open_bank(scratch).index.update("full")
    assert told.value.exit_code == 8
    assert notes_of(scratch) == before
    assert open_bank(scratch).index.update("incremental").added == 40
