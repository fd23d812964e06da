"""Every entry point reads a date in the same way: commands, MCP, the local page and Python (ADR 0058)."""

import json
import time
from datetime import date, datetime

import pytest

from memorybank import Bank
from memorybank.clock import FixedClock, parse
from memorybank.errors import MemorybankError
from memorybank.mcp.answers import ToolRequest
from memorybank.mcp.table import TOOLS
from memorybank.ui.request import PageRequest
from memorybank.ui.site import BankOpener, Site
from memorybank.ui.views import notes

NOW = parse("2025-09-17T16:00:00Z")
"""Thursday in Tokyo already, Wednesday noon in New York."""
HOURS = {"tuesday": "2025-09-16T13:00:00Z", "wednesday": "2025-09-16T16:00:00Z", "late": "2025-09-17T05:00:00Z", "thursday": "2025-09-17T15:30:00Z"}


@pytest.fixture
def dated(bank, monkeypatch):
    """Return a function that sets the machine's zone and returns a bank, which has another one."""
    scratch = bank()
    scratch.configure("episodes", json.dumps({"timezone": "Europe/Berlin"}))
    for name, at in HOURS.items():
        scratch.write(f"{name}.md", f"---\ntags: [server]\n---\n# {name}\n", at=parse(at))

    def in_zone(name: str):
        monkeypatch.setenv("TZ", name)
        return scratch

    yield in_zone
    monkeypatch.undo()
    time.tzset()


def by_command(scratch, since, until, run):
    options = [word for name, value in (("--since", since), ("--until", until)) if value for word in (name, value)]
    found = json.loads(run(scratch, "search", *options, "--format", "json").out)
    assert found["type"] == "recent"
    listed = json.loads(run(scratch, "list", *options, "--format", "json").out)
    assert {note["key"] for note in listed} == {hit["key"] for hit in found["hits"]}
    return {hit["key"] for hit in found["hits"]}


def by_python(scratch, since, until, run):
    return {hit.key for hit in Bank.open(scratch.root, clock=FixedClock(NOW)).search(since=since, until=until).hits}


def by_mcp(scratch, since, until, run):
    tool = next(tool for tool in TOOLS if tool.name == "search")
    request = ToolRequest(Bank.open(scratch.root, clock=FixedClock(NOW)), None)
    answer = request.call(tool, {name: value for name, value in (("since", since), ("until", until)) if value})
    return {each["id"].removeprefix("note:") for each in answer.fields["items"]}


def by_page(scratch, since, until, run):
    site = Site(BankOpener(str(scratch.root), FixedClock(NOW), allow_write=True), "p", True, None)
    fields = {name: [value] for name, value in (("since", since), ("until", until)) if value}
    values = notes.show(site, PageRequest("/notes", fields)).values
    assert not values["problem"]
    return {each["hit"].key for each in values["hits"]}


DOORS = (by_command, by_python, by_mcp, by_page)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("zone", "since", "until", "expected"),
    [
        ("UTC", "2025-09-17", "", {"late", "thursday"}),
        ("Asia/Tokyo", "2025-09-17", "", {"wednesday", "late", "thursday"}),
        ("Asia/Tokyo", "", "2025-09-17", {"tuesday", "wednesday", "late"}),
        ("Asia/Tokyo", "2025-09-17", "2025-09-17", {"wednesday", "late"}),
        ("America/New_York", "2025-09-17", "", {"late", "thursday"}),
        ("America/New_York", "2025-09-17T01:30", "", {"thursday"}),
        ("Asia/Tokyo", "yesterday", "yesterday", {"wednesday", "late"}),
        ("America/New_York", "yesterday", "昨日", {"tuesday", "wednesday"}),
        ("Asia/Tokyo", "today", "", {"thursday"}),
        ("Asia/Tokyo", "-12h", "", {"late", "thursday"}),
        ("Asia/Tokyo", "2025-09-17T00:00Z", "", {"late", "thursday"}),
    ],
)
def test_a_date_means_the_same_at_every_entry_point(dated, run, monkeypatch, door, zone, since, until, expected):
    monkeypatch.setattr("memorybank.clock.Clock.now", lambda clock: NOW)
    monkeypatch.setattr("memorybank.clock.FixedClock.now", lambda clock: NOW)
    assert door(dated(zone), since or None, until or None, run) == {f"{name}.md" for name in expected}


@pytest.mark.parametrize(("zone", "expected"), [("UTC", {"late", "thursday"}), ("Asia/Tokyo", {"wednesday", "late", "thursday"})])
def test_a_date_object_is_read_as_its_text(dated, zone, expected):
    bank = Bank.open(dated(zone).root, clock=FixedClock(NOW))
    for since in (date(2025, 9, 17), datetime(2025, 9, 17)):
        assert {hit.key for hit in bank.search(since=since).hits} == {f"{name}.md" for name in expected}


@pytest.mark.parametrize("door", [by_python, by_mcp])
def test_what_is_not_a_date_is_refused_with_the_forms_that_are(dated, run, door):
    with pytest.raises(MemorybankError, match="since: 'soon' is not a date") as refused:
        door(dated("UTC"), "soon", None, run)
    assert "yesterday" in refused.value.next_step


def test_tags_alone_are_a_search_at_every_entry_point(dated, run):
    scratch = dated("UTC")
    everything = {f"{name}.md" for name in HOURS}
    hits = json.loads(run(scratch, "search", "--tag", "server", "--format", "json").out)["hits"]
    assert [hit["key"] for hit in hits] == ["thursday.md", "late.md", "wednesday.md", "tuesday.md"]
    bank = Bank.open(scratch.root, clock=FixedClock(NOW))
    assert {hit.key for hit in bank.search(tags=["server"]).hits} == everything
    tool = next(tool for tool in TOOLS if tool.name == "search")
    assert len(ToolRequest(bank, None).call(tool, {"tags": ["server"]}).fields["items"]) == 4
    with pytest.raises(MemorybankError, match="neither a query nor a filter"):
        ToolRequest(bank, None).call(tool, {})
    site = Site(BankOpener(str(scratch.root), FixedClock(NOW), allow_write=True), "p", True, None)
    assert len(notes.show(site, PageRequest("/notes", {"tag": ["server"]})).values["notes"]) == 4


def test_days_that_people_read_are_those_of_their_machine(dated, run):
    """A note of 01:00 on the 17th in Tokyo is listed under the day by which it is found."""
    found = run(dated("Asia/Tokyo"), "list", "--since", "2025-09-17", "--until", "2025-09-17").out
    assert found.count("2025-09-17") == 2 and "2025-09-16" not in found


def test_every_command_with_an_instant_takes_words(bank, run):
    scratch = bank({"old.md": "# Old\n"})
    scratch.write("new.md", "# New\n", days_old=1)
    assert [note["key"] for note in json.loads(run(scratch, "list", "--since", "昨日", "--format", "json").out)] == ["new.md"]
    assert [note["key"] for note in json.loads(run(scratch, "list", "--until", "3 days ago", "--format", "json").out)] == ["old.md"]
    assert [note["key"] for note in json.loads(run(scratch, "list", "--since", "yesterday", "--until", "yesterday", "--format", "json").out)] == ["new.md"]
    for arguments in (
        ["score", "--as-of"],
        ["rotate", "--dry-run", "--as-of"],
        ["archive", "list", "--since"],
        ["log", "show", "3f0c", "--since"],
        ["episodes", "update", "--dry-run", "--since"],
    ):
        assert run(scratch, *arguments, "last week").code in (0, 3), arguments
        assert run(scratch, *arguments, "some day").code == 2
    refused = run(scratch, "list", "--since", "soon")
    assert refused.code == 2 and "yesterday" in refused.err
    assert run(scratch, "episodes", "show", "2 hours ago").code == 2
