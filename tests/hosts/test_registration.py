"""The table of registrations agrees with what the dialects read and deliver, and with the hosts' own rules."""

from pathlib import Path

import pytest

from memorybank.cli import hooks as command
from memorybank.hosts.detect import HOSTS, dialect
from memorybank.hosts.registration import SCOPES, TABLE

MOMENTS_OF_MEMORY = {"session_start", "prompt", "tool_before", "subagent_start"}
"""The moments at which memory is recalled, apart from failures."""


def test_every_host_has_a_row_and_the_command_offers_it():
    assert tuple(TABLE) == HOSTS == command.HOSTS
    assert command.SCOPES == SCOPES


@pytest.mark.parametrize("host", HOSTS)
def test_every_registered_event_is_read_as_what_the_table_says(host):
    for registered in TABLE[host].events:
        assert dialect(host).events[registered.event] == registered.canonical


@pytest.mark.parametrize("host", HOSTS)
def test_what_a_host_cannot_deliver_is_said(host):
    registration = TABLE[host]
    assert {key for key in registration.lacks if key != "failure"} == MOMENTS_OF_MEMORY - dialect(host).delivers
    assert all(reason.strip() for reason in registration.lacks.values()) and registration.asks


@pytest.mark.parametrize("host", HOSTS)
def test_every_moment_at_which_memory_can_be_delivered_is_registered(host):
    assert dialect(host).delivers <= {registered.canonical for registered in TABLE[host].events}


@pytest.mark.parametrize("host", HOSTS)
def test_no_event_that_a_failing_hook_would_block_is_registered_for_nothing(host):
    """tool_before is registered only where memory can be delivered: it would cost other hosts a process, and Copilot a denied tool."""
    registered = {registered.canonical for registered in TABLE[host].events}
    assert ("tool_before" in registered) == ("tool_before" in dialect(host).delivers)
    assert not {each.event for each in TABLE[host].events} & {
        "WorktreeCreate",
        "MessageDisplay",
        "beforeReadFile",
        "beforeMCPExecution",
        "PreCompress",
    }


@pytest.mark.parametrize("host", HOSTS)
def test_time_limits_are_within_what_the_host_allows(host):
    for registered in TABLE[host].events:
        assert 3 <= registered.seconds <= 10
        if registered.canonical == "session_end":
            assert registered.seconds <= (3 if host == "codex" else 5)


@pytest.mark.parametrize("host", HOSTS)
def test_the_page_about_hosts_names_every_file_and_every_event_that_is_registered(host):
    page = (Path(__file__).resolve().parents[2] / "docs" / "hosts.md").read_text(encoding="utf-8")
    registration = TABLE[host]
    for file in registration.files.values():
        assert f"`{f'~/{file.home_folder}/' if file.in_home else ''}{file.path}`" in page
        assert not file.variable or f"`${file.variable}`" in page
    if host != "opencode":
        assert [registered.event for registered in registration.events if f"`{registered.event}`" not in page] == []
