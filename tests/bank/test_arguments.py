"""No argument of the facade is accepted silently: a value works, or `UsageError` names the parameter and says what to pass."""

import inspect
import json
import re
import time
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from memorybank import Bank
from memorybank.bank import arguments
from memorybank.bank.activity import Activity
from memorybank.bank.adoption import Adoptions
from memorybank.bank.archives import Archives, Backups
from memorybank.bank.attention import Attention
from memorybank.bank.catalogue import Catalogue
from memorybank.bank.episodes import Episodes
from memorybank.bank.history import NoteHistory
from memorybank.bank.indexes import Indexes
from memorybank.bank.knowledge import KnowledgeFacade
from memorybank.bank.log import Log
from memorybank.bank.measurements import Measurements
from memorybank.bank.memory import MemoryFacade
from memorybank.bank.notes import Notes
from memorybank.bank.policy import Policies
from memorybank.bank.rotations import Rotations
from memorybank.bank.scores import Scores
from memorybank.bank.topics import TopicsFacade
from memorybank.bank.trusting import TrustFacade
from memorybank.bank.view import BankView
from memorybank.clock import DAY, FixedClock, parse
from memorybank.errors import UsageError

NOW = 1_758_112_496_789
FACADES = (
    *(Bank, Notes, Scores, Indexes, Rotations, Archives, Backups, Log, Measurements, Policies),
    *(Episodes, TopicsFacade, MemoryFacade, KnowledgeFacade, BankView, Adoptions, TrustFacade),
    *(Activity, Attention, Catalogue, NoteHistory),
)
UNCHECKED = {"chosen", "clock", "viewer", "planned", "raw", "summarizer", "model", "hits", "narrowing"}
"""Parameters that take an object of this project: a wrong one fails at its first use. `narrowing` is passed on to a method that checks its parts."""
INTERNAL = {"opened", "folded", "at_once", "glanced"}
"""Methods for the packages of this project, which pass instants as integers."""
FAR = timezone(timedelta(hours=9))


def parameters():
    for facade in FACADES:
        for name, method in vars(facade).items():
            method = getattr(method, "__func__", method)
            if name.startswith("_") or name in INTERNAL or not inspect.isfunction(method):
                continue
            for parameter in list(inspect.signature(method).parameters.values())[1:]:
                if parameter.name not in UNCHECKED:
                    yield pytest.param(method, parameter.name, id=f"{facade.__name__}.{name}-{parameter.name}")


@pytest.mark.parametrize(("method", "name"), list(parameters()))
@pytest.mark.parametrize("value", [object(), b"bytes"])
def test_every_parameter_refuses_an_object_of_a_foreign_type(method, name, value):
    """The refusal comes before anything else happens, so that no bank is needed here."""
    with pytest.raises(UsageError, match=f"^{name} must be ") as refused:
        method(None, **{name: value})
    assert refused.value.next_step


@pytest.fixture
def dated(bank, monkeypatch):
    """A machine in Tokyo with a bank of Berlin, whose notes are of 16, 17 and 18 September 2025, each at 00:30 in Tokyo."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    scratch = bank()
    scratch.configure("episodes", json.dumps({"timezone": "Europe/Berlin"}))
    for day in ("16", "17", "18"):
        text = f"---\ntags: [decision, 決定]\n---\n# Server {day}\n\nThe server. サーバー\n"
        scratch.write(f"planning/{day}.md", text, at=parse(f"2025-09-{day}T00:30+09:00"))
    yield Bank.open(scratch.root, clock=FixedClock(NOW + 30 * DAY))
    monkeypatch.undo()
    time.tzset()


def found(bank, **filters):
    return {hit.key[9:11] for hit in bank.search("server", **filters).hits}


@pytest.mark.parametrize(
    ("since", "expected"),
    [
        (datetime(2020, 1, 1), {"16", "17", "18"}),
        (datetime(2025, 9, 17, 0, 30), {"17", "18"}),
        (datetime(2025, 9, 17, 0, 30, 0, 1000), {"18"}),
        (datetime(2025, 9, 16, 15, 30, tzinfo=UTC), {"17", "18"}),
        (datetime(2025, 9, 17, 0, 30, tzinfo=FAR), {"17", "18"}),
        (date(2025, 9, 17), {"17", "18"}),
        ("2025-09-17", {"17", "18"}),
        ("2025-09-17T00:30", {"17", "18"}),
        ("2025-09-17 00:31", {"18"}),
        ("2025-09-16T15:30:00Z", {"17", "18"}),
        ("30 days ago", {"17", "18"}),
        ("-2w", set()),
        (date(1, 1, 1), {"16", "17", "18"}),
        (date(9999, 12, 31), set()),
    ],
)
def test_since_takes_datetimes_dates_and_texts(dated, since, expected):
    """Without an offset they are local time of this machine, not of the bank's zone and not UTC."""
    assert found(dated, since=since) == expected


@pytest.mark.parametrize(
    ("until", "expected"),
    [
        (date(2025, 9, 17), {"16", "17"}),
        ("2025-09-17", {"16", "17"}),
        ("2025-09-17T00:00", {"16"}),
        (datetime(2025, 9, 17, 0, 30), {"16", "17"}),
        (datetime(2025, 9, 17), {"16"}),
        (date(9999, 12, 31), {"16", "17", "18"}),
    ],
)
def test_a_date_as_until_includes_the_day(dated, until, expected):
    assert found(dated, until=until) == expected


def test_a_date_means_the_same_day_for_episodes(bank):
    """What has no offset names its day on every machine. An exact instant means the day of the bank's zone."""
    scratch = bank()
    scratch.configure("episodes", json.dumps({"timezone": "Asia/Tokyo"}))
    scratch.episodes(*({"date": f"2025-09-{day}", "summary": f"Repaired the server, {day}."} for day in ("15", "16", "17")))
    bank = Bank.open(scratch.root, clock=FixedClock(NOW))
    late = datetime(2025, 9, 15, 16, tzinfo=UTC)  # 01:00 on the 16th in Tokyo
    for day in ("2025-09-16", date(2025, 9, 16), late, datetime(2025, 9, 16, 23), "yesterday"):
        assert [entry.date for entry in bank.episodes.of_date(day)] == ["2025-09-16"]
        assert [memory.title for memory in bank.seen_by().episodes(since=day).memories] == ["2025-09-17", "2025-09-16"]
        assert bank.episodes.due(since=day)[0] == []


REFUSED = [
    (lambda bank: bank.search("server", until=1_758_112_496.7), r"until must be a datetime, a date or a text such as .*, not the float 1758112496\.7"),
    (lambda bank: bank.search("server", since=1_758_112_496), "since must be a datetime"),
    (lambda bank: bank.search("server", as_of=True), "as_of must be a datetime"),
    (lambda bank: bank.search("server", since="soon"), "since: 'soon' is not a date"),
    (lambda bank: bank.search("server", since=""), "since: '' is not a date"),
    (lambda bank: bank.search("server", since=date(2025, 9, 18), until=date(2025, 9, 17)), "since is after until"),
    (lambda bank: bank.search("server", tags="decision"), "tags must be a list of str, not the str 'decision'"),
    (lambda bank: bank.search("server", tags=["decision", 7]), "tags must be a list of str, but it contains the int 7"),
    (lambda bank: bank.search("server", kinds="note"), "kinds must be a list of str"),
    (lambda bank: bank.search("server", kinds=["notes"]), "'notes' is not a kind of memory"),
    (lambda bank: bank.search("server", limit="5"), "limit must be an int, not the str '5'"),
    (lambda bank: bank.search("server", limit=True), "limit must be an int"),
    (lambda bank: bank.search("server", fresh="no"), "fresh must be True or False"),
    (lambda bank: bank.search("server", min_importance="7"), "min_importance must be a number"),
    (lambda bank: bank.search("server", min_importance=float("nan")), "min_importance must be a number"),
    (lambda bank: bank.search("server", min_importance=11), "min_importance must be a number from 0 to 10"),
    (lambda bank: bank.search("server", regex=True), "takes no regular expression"),
    (lambda bank: bank.search("server", category="planning/deep"), "is not a category"),
    (lambda bank: bank.search(["server"]), "query must be a str, not the list"),
    (lambda bank: bank.scores.score("planning/16.md"), "keys must be a list of str"),
    (lambda bank: bank.scores.explain(Path("planning/16.md")), "key must be a str"),
    (lambda bank: bank.notes.add("Title", tags="decision"), "tags must be a list of str"),
    (lambda bank: bank.notes.rate("planning/16.md", "8"), "rating must be a number, not the str '8'"),
    (lambda bank: bank.notes.links("planning/99.md"), "planning/99"),
    (lambda bank: bank.notes.viewed("planning/99.md"), "planning/99"),
    (lambda bank: bank.archive.restore_all("planning/16.md"), "names must be a list of str"),
    (lambda bank: bank.index.update(paths=["planning/16.md"]), "paths are only used with the mode selective"),
    (lambda bank: bank.index.update("selective", "planning/16.md"), "paths must be a list of str"),
    (lambda bank: bank.rotation.plan("size"), "'size' is not a rotation type"),
    (lambda bank: bank.knowledge.list("problems"), "kind: 'problems' is not one of problem, rule, finding"),
    (lambda bank: bank.knowledge.list(limit=-1), "limit must be at least 0"),
    (lambda bank: bank.knowledge.tick("note:planning/16.md", "wrong", by="me"), "by: 'me' is not one of person, agent"),
    (lambda bank: bank.memory.recall("server", moment="prompt", tool="Bash"), "belongs to a call"),
    (lambda bank: bank.memory.stats(as_of=NOW), "as_of must be a datetime"),
    (lambda bank: bank.log.newest(-1), "count must be at least 0"),
    (lambda bank: bank.log.lines("x", events="prompt"), "events must be a list of str"),
    (lambda bank: bank.log.lines("x", events=["prompts"]), "events: 'prompts' is not one of"),
    (lambda bank: bank.log.lines("x", statuses=["failed"]), "statuses: 'failed' is not one of"),
    (lambda bank: bank.episodes.of_date("September 17"), "date: 'September 17' is not a date"),
    (lambda bank: bank.episodes.archived("W38"), "date: 'W38' is not a date"),
    (lambda bank: bank.episodes.due(since="next week"), "since: 'next week' is not a date"),
    (lambda bank: bank.episodes.update(since="next week"), "since: 'next week' is not a date"),
    (lambda bank: bank.episodes.raw_from("soon"), "begin: 'soon' is not a date"),
    (lambda bank: bank.seen_by().episodes(limit=0), "limit must be at least 1"),
    (lambda bank: bank.seen_by().search("server", tags="decision"), "tags must be a list of str"),
    (lambda bank: bank.seen_by(role=7), "role must be a str or None"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED, ids=[message[:40] for _, message in REFUSED])
def test_what_would_silently_find_nothing_is_refused(dated, call, message):
    with pytest.raises(Exception) as refused:
        call(dated)
    assert re.search(message, str(refused.value))
    assert refused.value.exit_code in (2, 3)


def test_any_iterable_of_str_is_a_list(dated):
    for tags in (["decision"], ("decision",), {"決定"}, (tag for tag in ("decision", "決定")), []):
        assert found(dated, tags=tags) == {"16", "17", "18"}
    assert len(dated.scores.score(key for key in ("planning/16.md", "planning/17.md"))) == 2


def test_seconds_get_the_line_that_converts_them(dated):
    with pytest.raises(UsageError) as refused:
        dated.search("server", since=1_758_112_496)
    assert refused.value.next_step == "convert seconds with datetime.fromtimestamp(1758112496, timezone.utc)"


def test_a_method_keeps_its_signature_and_a_misspelled_name_stays_a_type_error(dated):
    assert "since" in inspect.signature(Bank.search).parameters
    with pytest.raises(TypeError, match="unexpected keyword argument 'tag'"):
        dated.search("server", tag=["decision"])
    with pytest.raises(TypeError, match="positional"):
        dated.scores.explain("a", "b")


def test_long_values_are_cut_in_messages():
    with pytest.raises(UsageError) as refused:
        arguments.one_of("x" * 500, ("a",), "kind")
    assert len(str(refused.value)) < 120
