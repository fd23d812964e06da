"""The limits of what the cycle's cache keeps (ADR 0098): they hold after any portions of folding, and a rebuilt cache has the same rows."""

import pytest

from memorybank.cycle.fold import logs, schema
from memorybank.cycle.fold.novelty import LOOKED_BACK
from memorybank.storage import database

from .conftest import content

MORE = LOOKED_BACK + 30


@pytest.fixture
def long(session):
    """The log of a session with more calls than novelty looks back, and of one that ended after a few."""
    work, short = session("長い作業"), session("s2")
    for number in range(MORE):
        work.before("Bash", f"t{number}")
        work.run(f"program{number} 検索{number}", tool_use_id=f"t{number}")
    short.run("make")
    short.end()
    return work


def kept(connection, session):
    rows = connection.execute(
        "SELECT event, sketch, events.offset FROM events JOIN files ON files.id = events.file WHERE session = ? ORDER BY events.offset", (session,)
    ).fetchall()
    return [(event, len(sketch)) for event, sketch, _ in rows]


@pytest.mark.slow
@pytest.mark.parametrize("limit", [None, 37])
def test_a_log_keeps_the_sketches_that_are_compared_and_no_more(base, cache, long, limit):
    while logs.fold(base, cache, limit=limit, wait=True):
        continue
    found = kept(cache, "長い作業")
    assert {size for event, size in found if event == "tool_before"} == {0}
    calls = [size for event, size in found if event == "tool_after"]
    assert calls == [0] * (MORE - LOOKED_BACK) + [128] * LOOKED_BACK
    assert [size for _, size in kept(cache, "s2")] == [128, 0], "the end of a session has no terms"


def test_a_rebuilt_cache_has_the_same_rows(base, cache, long):
    for limit in (1, 150, 199, 3, None):
        logs.fold(base, cache, limit=limit, wait=True)
    again = database.in_memory(schema.TABLES, schema.VERSION)
    logs.fold(base, again, wait=True)
    assert content(again) == content(cache)
    again.close()
