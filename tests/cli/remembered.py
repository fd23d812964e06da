"""What hooks would have left in a bank: sessions that asked and were answered, and memories that were shown for nothing."""

import sqlite3
from contextlib import closing

from memorybank.cycle.base import describe
from memorybank.cycle.event import Event
from memorybank.cycle.router import HookRouter

SHOWN = 6


def talk(scratch, clock, session, asked, answered):
    """One session of one turn, a minute for each of its events."""
    told = ({"name": "session_start", "source": "startup"}, {"name": "prompt", "prompt": asked}, {"name": "turn_end", "last_message": answered})
    for fields in (*told, {"name": "session_end", "reason": "other"}):
        clock.instant += 60_000
        event = Event(host="claude-code", session_id=session, cwd=str(scratch.repository), **fields)
        router = HookRouter(describe(scratch.layout, clock), frozenset())
        router.answer(event)
        router.finish(event)


def prompted(scratch, clock, session, prompt):
    """What a hook puts before the agent at this prompt."""
    clock.instant += 60_000
    event = Event(host="claude-code", session_id=session, cwd=str(scratch.repository), name="prompt", prompt=prompt, delivery=True)
    return HookRouter(describe(scratch.layout, clock), frozenset({"prompt"})).answer(event)


def worthless(scratch, memory, kind, moment, *, samples=(0.0,) * SHOWN):
    """The rows of a memory that was judged so often at a moment, in the cycle's cache."""
    with closing(sqlite3.connect(scratch.root / "cache" / "cycle.sqlite3")) as connection, connection:
        for number, sample in enumerate(samples):
            connection.execute(
                "INSERT INTO exposures (memory, file, offset, rank, session, agent, epoch, at, event, shown, excluded, score, tokens, parts, match,"
                " anchored, kind, policy, terms, awaited, sample) VALUES (?, 0, ?, 1, ?, 'main', 1, ?, ?, 1, 0, 0.5, 40, '{}', 0.5, 0, ?, 0, '', 1, ?)",
                (memory, number, f"judged-{number}", 1_758_112_496_789 + number, moment, kind, sample),
            )
    connection.close()
