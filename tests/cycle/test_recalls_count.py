"""Recalls count as access: once a day when a note was shown, fully when it helped, and never twice."""

import json
import os

import pytest

from memorybank.bank import Bank
from memorybank.clock import DAY, FixedClock
from memorybank.config.cycle import CycleSettings
from memorybank.cycle.base import CycleContext
from memorybank.cycle.finish import macro, outbox
from memorybank.cycle.fold import cache, schema
from memorybank.index import rescore
from memorybank.log import ticks
from memorybank.storage import database
from tests.conftest import NOW

from .conftest import Session
from .recalling import Remembering, prompt

ENOUGH = 200.0
HOUR = 3_600_000
TEXT = "# Uploads\n\nThe proxy drops idle connections, so uploads to `store.py` ping often.\n"


class Place:
    """A bank whose sessions were shown notes."""

    def __init__(self, scratch, clock):
        self.scratch, self.clock = scratch, clock
        self.base = CycleContext(scratch.layout, CycleSettings(session_notes=False, session_episodes=False, learned_notes=False), clock)

    def expose(self, session, *memories, uses=(), **more):
        shown = {"kind": "note", "rank": 1, "score": 0.5, "parts": {}, "match": 0.5, "why": [], "anchors": list(uses), "terms": [], "tokens": 9}
        session.expose(*({"shown": True, **shown, "memory": memory, **more} for memory in memories))
        for anchor in uses:
            session.edit(anchor.removeprefix("file:"))

    def session(self, name, at, *memories, **options):
        session = Session(self.scratch.layout, self.clock, name, at)
        session.prompt("Go on.")
        self.expose(session, *memories, **options)
        session.end()
        return self.end(name)

    def end(self, name):
        cache.close()
        connection = database.open_writable(schema.path(self.scratch.layout), schema.TABLES, schema.VERSION)
        try:
            outbox.gather(self.base, connection, lambda: ENOUGH, name)
            macro.finish(self.base, connection, lambda: ENOUGH, name)
        finally:
            connection.close()
        return self

    @property
    def lines(self):
        path = os.path.join(self.scratch.layout.log, "access.jsonl")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as stream:
            found = [json.loads(line) for line in stream]
        return [(line["kind"], line["path"]) for line in found if line["kind"] in ("shown", "helped")]

    def evidence(self, key):
        with self.bank.folded() as index:
            return rescore.evidence_of(index, key)

    @property
    def bank(self):
        return Bank.open(str(self.scratch.root), clock=self.clock)


@pytest.fixture
def place(bank, fixed_clock):
    return Place(bank({"a.md": TEXT, "共有/用語.md": TEXT.replace("Uploads", "送信")}), fixed_clock)


def test_a_shown_note_counts_once_a_day(place):
    for number in range(3):
        place.session(f"s{number}", NOW - number * HOUR // 4 - HOUR, "note:共有/用語.md")
    place.session("yesterday", NOW - DAY - HOUR, "note:共有/用語.md", "note:a.md")
    assert place.evidence("共有/用語.md").shown == 2
    assert place.evidence("a.md").shown == 1 and place.evidence("a.md").views == 0


def test_a_used_note_counts_as_viewed(place):
    place.session("s", NOW - HOUR, "note:a.md", uses=["file:src/store.py"])
    assert place.lines == [("shown", "a.md"), ("helped", "a.md")]
    assert (place.evidence("a.md").shown, place.evidence("a.md").views) == (1, 1)


def test_a_shadow_and_a_memory_without_a_note_count_nothing(place):
    place.session("s", NOW - HOUR, "note:a.md", shown=False)
    place.session("t", NOW - HOUR, "answer:s.0", "problem:12345678", "session:unknown", "episode:2025-01-01")
    assert place.lines == []


def test_a_round_that_continues_counts_only_what_is_new(place):
    session = Session(place.scratch.layout, place.clock, "s", NOW - 2 * HOUR)
    session.prompt("Go on.")
    place.expose(session, "note:a.md")
    session.end()
    place.end("s").end("s")
    assert place.lines == [("shown", "a.md")]
    session.line("session_start")
    place.expose(session, "note:共有/用語.md", uses=["file:src/other.py"])
    session.end()
    place.end("s")
    assert place.lines == [("shown", "a.md"), ("shown", "共有/用語.md"), ("helped", "共有/用語.md")]


def test_a_repeated_line_counts_once_and_a_rebuilt_index_agrees(place):
    place.session("s", NOW - HOUR, "note:a.md", uses=["file:src/store.py"])
    before = place.evidence("a.md")
    path = os.path.join(place.scratch.layout.log, "access.jsonl")
    with open(path, encoding="utf-8") as stream:
        repeated = [line for line in stream if '"shown"' in line or '"helped"' in line]
    with open(path, "a", encoding="utf-8") as stream:
        stream.writelines(repeated)
    assert place.evidence("a.md") == before
    os.remove(place.scratch.layout.database)
    assert place.evidence("a.md") == before


def test_a_deleted_cycle_cache_counts_nothing_again(place):
    place.session("s", NOW - HOUR, "note:a.md")
    os.remove(schema.path(place.scratch.layout))
    place.end("s").end("s")
    assert place.lines == [("shown", "a.md")]


def test_a_helpful_tick_counts_once_a_day_and_a_wrong_one_never(place):
    knowledge = place.bank.knowledge
    knowledge.tick("note:a.md", ticks.WRONG)
    assert place.lines == []
    for _ in range(3):
        knowledge.tick("note:a.md", ticks.HELPFUL)
    assert place.evidence("a.md").views == 1


def test_an_access_log_that_cannot_be_written_stops_nothing(place):
    os.makedirs(os.path.join(place.scratch.layout.log, "access.jsonl"), exist_ok=True)
    place.session("s", NOW - HOUR, "note:a.md")


def test_real_recall_counts_and_the_resident_summary_never(bank, fixed_clock):
    scratch = bank({"uploads.md": TEXT, "other.md": "# Colours\n\nGreen is calm.\n"})
    (scratch.root / "summary.md").write_text("# Summary\n\nUploads: see uploads.md and other.md.\n", encoding="utf-8")
    remembering = Remembering(scratch, fixed_clock).index()
    asked = prompt("why does the proxy drop idle connections of uploads?")
    session = remembering.session("now")
    session.prompt("why does the proxy drop idle connections of uploads?")
    assert "uploads" in str(remembering.ask(asked))
    session.end()
    place = Place(scratch, fixed_clock).end("now")
    assert place.lines == [("shown", "uploads.md")]


def test_a_note_recalled_in_nine_sessions_stays(bank):
    """Of two equal notes, the one that recall showed on nine days is above 5.0 after 40 days; the other one leaves."""
    text = "# Uploads {}\n\nThe client sends a ping every 25 s.\nUploads go to the store.\nThe limit is 8 GB, because the proxy stops there.\nSee the store.\n"
    scratch = bank(
        {"recalled.md": text.format("one"), "forgotten.md": "# Menu\n\nSoup comes at 12.\nBread comes later.\nThe limit is 8 plates.\nSee the cook.\n"}
    )
    clock = FixedClock(NOW)
    place = Place(scratch, clock)
    place.bank.notes.list()
    for day in range(9):
        clock.instant = NOW + (20 + 2 * day) * DAY
        place.session(f"s{day}", clock.instant - HOUR, "note:recalled.md")
    clock.instant = NOW + 40 * DAY
    decisions = {each.key: each for each in place.bank.rotation.plan().decisions}
    assert place.evidence("recalled.md").shown == 9
    assert decisions["recalled.md"].action == "keep" and decisions["recalled.md"].importance >= 5
    assert decisions["forgotten.md"].rule == "medium" and decisions["forgotten.md"].importance < 5
