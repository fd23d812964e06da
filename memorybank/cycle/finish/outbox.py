"""The outbox: the sessions that are still to be finished.

A session waits when nobody saw its end, when there was no time at its end, when its round lacks a step, or when its days are over and
have no episode yet.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY, HOUR
from memorybank.cycle.finish import finished
from memorybank.cycle.fold import logs
from memorybank.log import events, lines, organize
from memorybank.storage import system as os
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable

    from memorybank.cycle.base import CycleContext
    from memorybank.episodes.dates import LocalCalendar

    Left = Callable[[], float]
    """Returns the milliseconds until the deadline."""

LEAST_FOR_A_SESSION = 30
"""Milliseconds that must be left to begin a session: reading its log takes this long."""
LEAST = {organize.INDEX: 250, organize.PUBLISH: 150, organize.EPISODES: 300, organize.MAINTAIN: 400}
"""Milliseconds that a heavy step takes at least: its imports, and its work in a small bank."""
MARGIN = 1.5
"""A step begins when its expected duration times this fits into the remaining time."""
PATIENCE = DAY
"""How long (ms) a round waits for a step that handles notes. After that the step is left to commands, so that later steps do not wait any longer."""
AWAKE = 7 * DAY
"""Sessions without an event for this long (ms) are examined only at the end of a session. If somebody resumes one, its own hooks fold it."""
_PORTION = 200
"""Lines folded between two checks of the time."""
_MINUTE = 60_000
_SURELY = DAY + HOUR
"""More milliseconds than any day has, even when the clocks change."""


class Due(Value):
    """One session that waits.

    covered_to: the end of its open round; None for a new round.
    done: the completed steps of that round.
    """

    session: str
    covered_to: int | None
    done: set[str]


class Days:
    """The calendar of one bank in its own time zone, at one moment. Only finished days become episodes."""

    def __init__(self, base: CycleContext) -> None:
        self._base = base
        self._now = base.clock.now()
        self._calendar: LocalCalendar | None = None
        self._today = ""

    def are_over(self, at: int) -> bool:
        """Return whether the day of an instant (ms) is over; False for an instant in the future."""
        if self._now - at >= _SURELY:
            return True
        if at > self._now:
            return False
        if self._calendar is None:
            from memorybank.config import episodes as episode_settings
            from memorybank.episodes.dates import LocalCalendar

            settings = episode_settings.load(self._base.layout)
            self._calendar = LocalCalendar(settings.timezone) if settings is not None else LocalCalendar()
            self._today = self._calendar.day_of(self._now)
        return self._calendar.day_of(at) < self._today


def gather(base: CycleContext, connection: Connection, left: Left, session: str | None = None, *, since: int | None = None) -> None:
    """Bring the cache up to date with the logs as far as time allows.

    session, since: as for `logs.fold`.
    """
    while left() > 0:  # in portions, because the deadline is checked only between them
        if logs.fold(base, connection, session=session, since=since, limit=_PORTION) < _PORTION:
            break
    finished.catch_up(base, connection, lambda: left() > LEAST_FOR_A_SESSION)


def due(base: CycleContext, connection: Connection, left: Left, first: str | None = None) -> list[Due]:
    """Return the sessions that wait and for which something can be done in the remaining time: `first`, then the longest waiting.

    A session waits when its log has lines that are not covered and it has ended or been idle long enough, or when its round lacks a step.
    """
    idle_since = base.clock.now() - base.settings.organize.idle_minutes * _MINUTE
    # A retired session has no line that is not covered, so only its round can lack a step.
    rows = connection.execute(
        "SELECT f.session, f.name, f.offset, f.last_event, f.last_at, covered_to, d.at, d.steps FROM files f LEFT JOIN finished d ON d.session = f.session"
        " WHERE f.session IS NOT NULL AND (retired = 0 OR f.session IN (SELECT session FROM finished WHERE instr(steps, 'episodes') = 0))"
        " AND (covered_to IS NULL OR f.offset > covered_to OR instr(d.steps, 'episodes') = 0) ORDER BY f.session IS NOT ?, f.last_at, f.session",
        (first,),
    ).fetchall()
    days = Days(base)
    expected: dict[str, float] = {}
    found = []
    for session, name, offset, last_event, last_at, covered_to, begun, steps_done in rows:
        # A log that grew since its fold is still written to, so its idle time is not known.
        over = last_event == "session_end" or last_at <= idle_since
        if (covered_to is None or offset > covered_to) and over and _is_folded(base, name, offset):
            found.append(Due(session, None, set()))
        elif covered_to is not None:
            done = set(steps_done.split())
            missing = next((step for step in organize.STEPS if step not in done), None)
            if missing is None:
                continue
            if missing not in expected:
                expected[missing] = needed(connection, missing)
            if _is_for_now(base, missing, expected[missing], begun, left) and (missing != organize.EPISODES or days.are_over(last_at)):
                found.append(Due(session, covered_to, done))
    return found


def _is_for_now(base: CycleContext, step: str, milliseconds: float, begun: int, left: Left) -> bool:
    """Return whether a step of this duration fits into the remaining time, or has been given up."""
    return milliseconds <= left() or never_fits(base, step, milliseconds) or is_given_up(base, step, begun)


def needed(connection: Connection, step: str) -> float:
    """Return the milliseconds that a step is likely to take."""
    took = finished.milliseconds_of(connection, step)
    return max(LEAST.get(step, LEAST_FOR_A_SESSION), MARGIN * took)


def never_fits(base: CycleContext, step: str, milliseconds: float) -> bool:
    """Return whether a step of this duration fits into no end of a session."""
    return milliseconds > max(base.settings.deadlines_ms.session_end, LEAST.get(step, LEAST_FOR_A_SESSION))


def is_given_up(base: CycleContext, step: str, begun: int) -> bool:
    """Return whether a round that began at this instant (ms) has waited long enough for a step. Episodes are never given up: they are written day by
    day as time allows."""
    return step in (organize.INDEX, organize.PUBLISH) and begun < base.clock.now() - PATIENCE


def _is_folded(base: CycleContext, name: str, offset: int) -> bool:
    """Return whether nothing was written to the log since it was folded; if something was, the session may still be going on."""
    return lines.size(os.path.join(events.folder(base.layout), name)) == offset
