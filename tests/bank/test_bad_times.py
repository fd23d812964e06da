"""What an agent (MCP) and the page are answered while another process holds the index, and when nothing can be written."""

import errno
import fcntl
import os

import pytest

from memorybank import Bank
from memorybank.reasons.reason import joined
from memorybank.storage import beneath
from memorybank.ui.site import BankOpener

NOTES = {"shared/用語集.md": "# 用語集\n\n検索の索引。\n", "planning/importer.md": "# New importer\n\nThe importer ships in June.\n"}
INDEXED = "2025-09-17T12:34:56.789Z"


@pytest.fixture
def scratch(bank, fixed_clock):
    made = bank(NOTES)
    Bank.open(made.root, clock=fixed_clock).index.update()
    made.write("planning/importer.md", "# New importer\n\nThe importer ships in June, or in July.\n", days_old=0)
    return made


@pytest.fixture
def locked(scratch):
    """The lock of a fold, held through a description of its own, as another process would hold it."""
    descriptor = os.open(scratch.root / "cache/fold.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    yield scratch
    os.close(descriptor)


@pytest.fixture
def full(scratch, monkeypatch):
    """ENOSPC for every write through the entry point of storage."""

    def refuse(*_arguments, **_options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "somewhere")

    for name in ("write", "pwrite", "mkdir"):
        monkeypatch.setattr(beneath, name, refuse, raising=False)
    return scratch


def asked(bank):
    view = bank.seen_by("reviewer")
    found = view.search("importer")
    assert [memory.id for memory in found.memories] == ["note:planning/importer.md"]
    assert view.keys() == sorted(NOTES)
    assert "July" in view.read("note:planning/importer.md").text, "a note itself is read from its file"
    assert view.recall("When does the importer ship?")[0] is not None
    return found.notice, view.state()


def test_an_agent_is_answered_while_another_process_indexes(locked, impatient_clock):
    notice, state = asked(Bank.open(locked.root, clock=impatient_clock))
    assert INDEXED in notice and INDEXED in state.stale and state.notes == 2


def test_an_agent_is_answered_on_a_full_disk(full, impatient_clock):
    notice, state = asked(Bank.open(full.root, clock=impatient_clock))
    assert notice == state.stale == "", "the index was brought up to date in memory, so the answer is from now"


@pytest.mark.parametrize("allow_write", [False, True])
@pytest.mark.parametrize("times", ["locked", "full"])
def test_the_page_is_answered(request, impatient_clock, allow_write, times):
    scratch = request.getfixturevalue(times)
    opener = BankOpener(str(scratch.root), impatient_clock, allow_write=allow_write)
    try:
        bank = opener()
        with bank.at_once():
            assert [note.key for note in bank.notes.list()] == sorted(NOTES)
            stale = bank.status().report.stale
        assert (INDEXED in joined(stale)) == (times == "locked" and allow_write)
        assert [hit.key for hit in opener().search("importer").hits] == ["planning/importer.md"]
        assert opener().knowledge.list() == []
    finally:
        opener.close()


def test_notices_go_to_whoever_asked_for_them(locked, impatient_clock):
    bank = Bank.open(locked.root, clock=impatient_clock)
    told: list[str] = []
    bank.notice = told.append
    bank.notes.list()
    assert len(told) == 1 and told[0].startswith("another process") and INDEXED in told[0]
