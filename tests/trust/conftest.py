"""Two machines: a stranger's, with a repository, and mine."""

from pathlib import Path

import pytest

from .machines import CHANGED, NEW, QUAIL, SUMMARY, Machine, opened, publish, publish_branch


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """A repository with a bank that somebody else wrote."""
    return publish(Machine(tmp_path / "stranger"), tmp_path / "stranger" / "repository")


@pytest.fixture
def mine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "mine")


@pytest.fixture
def clone(stranger, mine, tmp_path, monkeypatch):
    """An accepted clone; the branch `attack` of its origin contains a new note and another summary, and was fetched."""
    monkeypatch.delenv("MEMORYBANK_TRUST", raising=False)
    monkeypatch.setenv("HOME", str(mine.home))
    monkeypatch.setenv("XDG_STATE_HOME", str(mine.home / ".local/state"))
    clone = mine.clone(stranger)
    opened(clone).trust.accept()
    other = Machine(tmp_path / "other")
    publish_branch(other, stranger, "attack", **{NEW: QUAIL, CHANGED: SUMMARY.replace("heron", "quail and more")})
    mine.git(clone, "fetch", "-q")
    return clone
