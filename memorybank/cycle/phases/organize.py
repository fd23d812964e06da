"""ORGANIZE: micro after every result, macro at the end of a session, and the outbox in between for sessions whose end nobody saw
or had no time for (Self-improving memory cycle, phase 2).
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import TOOL_AFTER
from memorybank.cycle.fold import cache, logs
from memorybank.log import events, lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.base import Base
    from memorybank.cycle.event import Event

_LEAST_FOR_NOTES = 100
"""Milliseconds without which no note is taken in: what reads notes is loaded in about so many."""
_NOTES_OF_A_PORTION = 20
_NOTE = b'"note:'
_SETTLED_BY_MICRO, _SETTLED_BY_OTHERS = 3 << 20, 1 << 18
"""Bytes of the cache's write-ahead log: more than twenty results; settling takes two syncs, so that few pay for it."""
_LINES_OF_MICRO = 50
"""Lines that one result may have to fold: its own, and what hooks left that found the cache busy."""


def micro(base: Base, event: Event) -> None:
    """Fold what this session's log has new. A cache that somebody else writes is left alone: the next fold takes these lines too."""
    with cache.used(base.layout) as connection:
        logs.fold(base, connection, session=event.session_id, limit=_LINES_OF_MICRO)
        cache.settle(base.layout, _SETTLED_BY_MICRO)


def macro(base: Base, event: Event, deadline: int) -> None:
    """Finish the session that ends, and see which others grew. deadline: ms after the process's start; what does not fit waits in the outbox."""
    _finish(base, event, deadline, ends=True)


def outbox(base: Base, event: Event, deadline: int) -> None:
    """Finish whichever sessions are due, as far as time allows. Of those that nobody added to lately nothing is looked at."""
    _finish(base, event, deadline, ends=False)


def take_in_notes(base: Base, event: Event, deadline: int) -> None:
    """Recall finds what the index holds: what somebody wrote meanwhile is folded in, first what this session's calls named, then the
    latest, a portion at a time."""
    milliseconds = base.milliseconds_left(deadline)
    if milliseconds < _LEAST_FOR_NOTES:
        return
    from memorybank.index.glance import suspects

    keys = suspects(base.layout, _named(base, event.session_id))
    if keys:
        from memorybank.cycle.finish.upkeep import fold_notes

        fold_notes(base, keys[: round(milliseconds / _LEAST_FOR_NOTES * _NOTES_OF_A_PORTION)])


def _named(base: Base, session: str) -> list[str]:
    """Keys of the notes that the last calls of a session named: of an edit in place a folder says nothing."""
    named = (lines.decode(line) for line in events.end_of(base.layout, session).split(b"\n") if _NOTE in line)
    anchors = (anchor for fields in named if fields is not None and fields.get("event") == TOOL_AFTER for anchor in fields.get("anchors") or ())
    return list(dict.fromkeys(anchor.removeprefix("note:") for anchor in anchors if anchor.startswith("note:")))


def _finish(base: Base, event: Event, deadline: int, *, ends: bool) -> None:
    from memorybank.cycle.finish import outbox

    def left() -> float:
        return base.milliseconds_left(deadline)

    session = event.session_id
    with cache.used(base.layout) as connection:
        outbox.gather(base, connection, left, session, since=None if ends else base.clock.now() - outbox.AWAKE)
        if outbox.due(base, connection, left, session if ends else None):
            from memorybank.cycle.finish.macro import finish

            finish(base, connection, left, session if ends else None)
        if ends:
            outbox.gather(base, connection, left)
        cache.settle(base.layout, _SETTLED_BY_OTHERS)
