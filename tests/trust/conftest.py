"""Two machines: a stranger's, with a repository, and mine."""

from pathlib import Path

import pytest

from .machines import Machine, publish


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """A repository with a bank that somebody else wrote."""
    return publish(Machine(tmp_path / "stranger"), tmp_path / "stranger" / "repository")


@pytest.fixture
def mine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "mine")
