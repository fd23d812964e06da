"""The outbox: which sessions wait to be finished. Whose end nobody saw, whose end had no time, whose round lacks a step, whose days are over
and told by no episode yet.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY
from memorybank.cycle.finish import finished
from memorybank.cycle.finish.over import Days
from memorybank.cycle.fold import logs
from memorybank.log import events, lines, organize
from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable

    from memorybank.cycle.base import CycleContext

    Left = Callable[[], float]
    """Milliseconds until the deadline."""

LEAST_FOR_A_SESSION = 30
"""Milliseconds without which no session is begun: reading its log takes so long."""
LEAST = {organize.INDEX: 250, organize.PUBLISH: 150, organize.EPISODES: 300, organize.MAINTAIN: 400}
"""Milliseconds that a heavy step needs at least: its imports, and its work in a small bank."""
MARGIN = 1.5
"""A step begins when so many times what it is taken to last fits into the time left."""
PATIENCE = DAY
"""A round waits so long for a step of notes (ms); then commands do it, so that what comes behind that step waits no longer."""
AWAKE = 7 * DAY
"""A session that had no event for so long (ms) is not looked at by others but at the end of one: whoever takes it up again folds it."""
_PORTION = 200
"""Lines folded between two looks at the clock."""
_MINUTE = 60_000


class Due:
    """One session that waits. covered_to: the end of its open round, None for a new one; done: the steps of that round."""

    __slots__ = ("covered_to", "done", "session")

    def __init__(self, session: str, covered_to: int | None, done: set[str]) -> None:
        self.session = session
        self.covered_to = covered_to
        self.done = done

    def __repr__(self) -> str:
        return f"Due({self.session!r}, covered_to={self.covered_to}, done={sorted(self.done)})"


def gather(base: CycleContext, connection: Connection, left: Left, session: str | None = None, *, since: int | None = None) -> None:
    """Bring the cache up to date with the logs as far as time allows. session, since: as of `logs.fold`."""
    while left() > 0:
        if logs.fold(base, connection, session=session, since=since, limit=_PORTION) < _PORTION:
            break
    finished.catch_up(base, connection, lambda: left() > LEAST_FOR_A_SESSION)


def due(base: CycleContext, connection: Connection, left: Left, first: str | None = None) -> list[Due]:
    """The sessions that wait and that something can be done for in the time left: `first` first, then the longest waiting.

    Their log goes on beyond what is covered and they have ended or been idle for so long, or their round lacks a step.
    """
    idle_since = base.clock.now() - base.settings.organize.idle_minutes * _MINUTE
    rows = connection.execute(
        "SELECT f.session, f.name, f.offset, f.last_event, f.last_at, covered_to, d.at, d.steps FROM files f LEFT JOIN finished d ON d.session = f.session"
        " WHERE f.session IS NOT NULL AND (covered_to IS NULL OR f.offset > covered_to OR d.steps NOT LIKE '%' || ?)"
        " ORDER BY f.session IS NOT ?, f.last_at, f.session",
        (organize.STEPS[-1], first),
    ).fetchall()
    days = Days(base)
    found = []
    for session, name, offset, last_event, last_at, covered_to, begun, steps_done in rows:
        over = last_event == "session_end" or last_at <= idle_since
        if (covered_to is None or offset > covered_to) and over and _is_folded(base, name, offset):
            found.append(Due(session, None, set()))
        elif covered_to is not None:
            done = set(steps_done.split())
            missing = next((step for step in organize.STEPS if step not in done), None)
            if missing is not None and _is_for_now(base, connection, missing, begun, left) and (missing != organize.EPISODES or days.are_over(last_at)):
                found.append(Due(session, covered_to, done))
    return found


def _is_for_now(base: CycleContext, connection: Connection, step: str, begun: int, left: Left) -> bool:
    """Whether a step can be done in the time left, or need not be waited for any more."""
    milliseconds = needed(connection, step)
    return milliseconds <= left() or fits_never(base, step, milliseconds) or is_given_up(base, step, begun)


def needed(connection: Connection, step: str) -> float:
    """Milliseconds that a step is likely to need."""
    took = finished.milliseconds_of(connection, step)
    return max(LEAST.get(step, LEAST_FOR_A_SESSION), MARGIN * took)


def fits_never(base: CycleContext, step: str, milliseconds: float) -> bool:
    """Whether a step that needs so long fits into no end of a session."""
    return milliseconds > max(base.settings.deadlines_ms.session_end, LEAST.get(step, LEAST_FOR_A_SESSION))


def is_given_up(base: CycleContext, step: str, begun: int) -> bool:
    """Whether a round that began then (ms) has waited long enough for a step. Days are told one by one, and wait for time however long."""
    return step in (organize.INDEX, organize.PUBLISH) and begun < base.clock.now() - PATIENCE


def _is_folded(base: CycleContext, name: str, offset: int) -> bool:
    """Whether nothing was written since: then the session may still be going on."""
    return lines.size(os.path.join(events.folder(base.layout), name)) == offset
