"""Machines that share one server in memory."""

import pytest

from memorybank.team import server

from .machines import TeamMachine
from .memory_server import MemoryServers


@pytest.fixture
def servers(monkeypatch):
    """The server that every connection of this test reaches."""
    made = MemoryServers()
    monkeypatch.setattr(server, "TeamServer", made)
    return made


@pytest.fixture
def machine(tmp_path, monkeypatch, fixed_clock, servers, free_syncs):
    """Return a function that makes the machine of a login, which is connected."""
    made: dict[str, int] = {}

    def make(login: str = "ann", **chosen: object) -> TeamMachine:
        made[login] = made.get(login, 0) + 1
        return TeamMachine(tmp_path / f"{login}{made[login]}", login, monkeypatch, fixed_clock).connected(**chosen)

    return make
