"""The end of a session: it pulls only if the person allowed it, and a server that does not answer costs nothing."""

import pytest

from memorybank.config import cycle as cycle_settings
from memorybank.cycle.base import CycleContext
from memorybank.cycle.finish import team_pull


@pytest.fixture
def answering(monkeypatch):
    monkeypatch.setattr(team_pull, "_answers", lambda address: True)


@pytest.fixture
def both(machine):
    """Two machines; the first one has shared a note since the second one pulled."""
    ann, bob = machine("ann"), machine("bob", pull_at_session_end=True)
    bob.bank.team.pull()
    ann.write("shared/kettle.md", "# Kettle\n\nDescale it.\n")
    ann.bank.team.push()
    bob.clock.instant += 3_600_000
    return ann, bob


def ends(machine, milliseconds=2_000.0):
    bank = machine.bank
    team_pull.pull(CycleContext(bank.layout, cycle_settings.DEFAULTS, machine.clock), lambda: milliseconds)
    return len(machine.copied())


def test_it_pulls_once_in_a_while(both, answering, servers):
    _, bob = both
    assert ends(bob) == 1
    calls = servers.calls
    assert ends(bob) == 1
    assert servers.calls == calls


def test_without_permission_time_or_an_answer_it_does_nothing(both, answering, servers, monkeypatch):
    _, bob = both
    calls = servers.calls
    assert ends(bob, team_pull.LEAST_MS - 1) == 0
    monkeypatch.setattr(team_pull, "_answers", lambda address: False)
    assert ends(bob) == 0
    monkeypatch.setattr(team_pull, "_answers", lambda address: True)
    team = bob.bank.team
    team.connect(team.proposed(bob.address, "acme", pull_at_session_end=False))
    assert ends(bob) == 0
    assert servers.calls == calls


def test_a_server_that_breaks_or_refuses_is_no_error_and_changes_nothing(both, answering, servers):
    _, bob = both
    servers.is_down = True
    assert ends(bob) == 0
    servers.is_down, servers.refuses = False, True
    assert ends(bob) == 0
    servers.refuses = False
    assert ends(bob) == 1


def test_it_continues_pulls_by_command_and_begins_none(machine, answering, servers):
    bob = machine("bob", pull_at_session_end=True)
    calls = servers.calls
    bank = bob.bank
    team_pull.pull(CycleContext(bank.layout, cycle_settings.DEFAULTS, bob.clock), lambda: 2_000.0)
    assert servers.calls == calls


def test_a_port_that_nobody_listens_on_does_not_answer():
    with pytest.raises(OSError):
        team_pull._answers("postgresql://ann@127.0.0.1:9/memory")
