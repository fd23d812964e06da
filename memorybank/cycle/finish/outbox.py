"""The outbox: the sessions that are still to be finished.

A session waits when nobody saw its end, when there was no time at its end, when its round lacks a step, or when its days are over and
have no episode yet.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY, HOUR, MINUTE
from memorybank.cycle.finish import durations, finished
from memorybank.cycle.finish.durations import StepDurations
from memorybank.cycle.fold import logs
from memorybank.log import events, lines, organize
from memorybank.log.organize import OrganizeStep
from memorybank.storage import system as os
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.finish.durations import Left
    from memorybank.episodes.dates import LocalCalendar

AWAKE = 7 * DAY
"""Sessions without an event for this long (ms) are examined only at the end of a session. If somebody resumes one, its own hooks fold it."""
_PORTION = 200
"""Lines folded between two checks of the time."""
_SURELY = DAY + HOUR
"""More milliseconds than any day has, even when the clocks change."""
_ROUND = "d.at, covered_to, lines, head, d.steps"
"""The columns of a round, in the order of `_round`, and its completed steps."""


class FinishingRound(Value):
    """The work on one session.

    covered: the record of its first step, which says up to where its log is covered; before that step, what earlier rounds covered.
    done: the completed steps; empty for a round that has not begun.
    begin: offset up to which an earlier round covered the log; 0 when that is unknown.
    """

    covered: OrganizeStep
    done: set[str]
    begin: int = 0

    @property
    def session(self) -> str:
        return self.covered.session


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
    """Bring the cache up to date with the logs as far as time allows. session, since: as for `logs.fold`"""
    while left() > 0:  # in portions, because the deadline is checked only between them
        if logs.fold(base, connection, session=session, since=since, limit=_PORTION) < _PORTION:
            break
    finished.catch_up(base, connection, lambda: left() > durations.LEAST_FOR_A_SESSION)


def due(base: CycleContext, connection: Connection, left: Left, first: str | None = None) -> list[FinishingRound]:
    """Return the rounds of the sessions that wait and for which something can be done in the remaining time: `first`, then the longest waiting.

    A session waits when its log has lines that are not covered and it has ended or been idle long enough, or when its round lacks a step.
    """
    idle_since = base.clock.now() - base.settings.organize.idle_minutes * MINUTE
    # A retired session has no line that is not covered, so only its round can lack a step.
    rows = connection.execute(
        f"SELECT f.session, name, f.offset, last_event, last_at, {_ROUND} FROM files f LEFT JOIN finished d ON d.session = f.session"
        " WHERE f.session IS NOT NULL AND (retired = 0 OR f.session IN (SELECT session FROM finished WHERE instr(steps, 'episodes') = 0))"
        " AND (covered_to IS NULL OR f.offset > covered_to OR instr(d.steps, 'episodes') = 0) ORDER BY f.session IS NOT ?, f.last_at, f.session",
        (first,),
    ).fetchall()
    days = Days(base)
    expected = StepDurations(base, connection, left)
    folder = events.folder(base.layout)
    found = []
    for session, name, offset, last_event, last_at, *covered, steps in rows:
        round_ = _round(session, *covered)
        # A log that grew since its fold is still written to, so its idle time is not known.
        over = last_event == "session_end" or last_at <= idle_since
        if (steps is None or offset > round_.covered.covered_to) and over and lines.size(os.path.join(folder, name)) == offset:
            found.append(round_)
        elif steps is not None:
            round_.done.update(steps.split())
            missing = next((step for step in organize.STEPS if step not in round_.done), None)
            if missing is not None and expected.is_for_now(missing, round_.covered.at) and (missing != organize.EPISODES or days.are_over(last_at)):
                found.append(round_)
    return found


def begun(connection: Connection, session: str) -> FinishingRound | None:
    """Return the latest round of a session, as if nothing but its first step had been done; None when there is none."""
    row = connection.execute(f"SELECT {_ROUND} FROM finished d WHERE session = ?", (session,)).fetchone()
    return _round(session, *row[:-1]) if row is not None else None


def _round(session: str, at: int | None, covered_to: int | None, count: int | None, head: str | None) -> FinishingRound:
    return FinishingRound(OrganizeStep(session, organize.SYNC, at or 0, covered_to or 0, count or 0, head or "", {}), set())
