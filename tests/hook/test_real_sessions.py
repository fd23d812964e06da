"""Real sessions of other people, played event by event: importance lives, and what is told about a session can be read.

The transcripts are not part of this repository: `MEMORYBANK_TRANSCRIPTS` names the folder that holds `*.jsonl.gz` files.
With a hundred sessions this takes several minutes.
"""

import os
from pathlib import Path

import pytest

from memorybank.config.cycle import CycleSettings
from memorybank.cycle import importance
from memorybank.cycle.fold import cache
from tests.hook.played import payloads, play

FOLDER = os.environ.get("MEMORYBANK_TRANSCRIPTS", "")
FOUND = sorted(path for path in Path(FOLDER).rglob("*.jsonl.gz") if "subagents" not in path.parts and path.stat().st_size > 100_000) if FOLDER else []
pytestmark = pytest.mark.skipif(not FOUND, reason="MEMORYBANK_TRANSCRIPTS names no session of 100 kB: no real session is played")
WINDOW = 50
LEAST_DISTINCT = 10


@pytest.fixture(scope="module")
def factors(tmp_path_factory):
    """{session id: the factors of its events} of the sessions with at least `WINDOW` events, all sessions played in the order of their days into one bank."""
    from memorybank.storage.layout import describe as layout_of

    root = tmp_path_factory.mktemp("played") / ".claude" / "memory"
    (root / "active").mkdir(parents=True)
    layout = layout_of(str(root.resolve()))
    sessions = [{payload["session_id"] for payload, _ in play(path, layout)}.pop() for path in sorted(FOUND, key=lambda path: next(payloads(path))[0])]
    with cache.CacheConnection(layout) as connection:
        rows = dict(connection.execute("SELECT session, id FROM files"))
        offsets = {
            session: connection.execute("SELECT offset FROM events WHERE file = ? AND event <> 'tool_before' ORDER BY offset", (rows[session],)).fetchall()
            for session in sessions
        }
        found = {
            session: [each for (offset,) in offsets[session] if (each := importance.of_event(connection, rows[session], offset)) is not None]
            for session in sessions
        }
    cache.close()
    long = {session: events for session, events in found.items() if len(events) >= WINDOW}
    assert len(long) * 2 >= len(found)  # a large transcript may also be a few long texts, which have too few events to say anything
    return long


def test_at_least_ten_importances_in_every_fifty_events(factors):
    weights = CycleSettings().event_importance
    for session, events in factors.items():
        values = [round(importance.event_importance(each, weights), 3) for each in events]
        for begin in range(0, len(values) - WINDOW + 1, WINDOW):
            assert len(set(values[begin : begin + WINDOW])) >= LEAST_DISTINCT, session


def test_no_factor_says_the_same_all_along(factors):
    """Within a session; reuse over all of them: it needs a memory of one session that another one acts on."""
    for session, events in factors.items():
        parts = [{name: getattr(each, name) for name in each._fields} for each in events]
        assert {name for name in parts[0] if len({part[name] for part in parts}) == 1} <= {"reuse"}, session
    assert len({each.reuse for events in factors.values() for each in events}) > 1
