"""Statistics of recall: firings and silences, memories and tokens injected, how many were used, and how turns ended.

The numbers contain neither names nor texts of memories, so they are the same for every reader. The fold computes uses from
exposures and later events. The last two values are descriptive (Self-improving memory cycle, "成功タスク比率", "再試行削減率"): they
do not show that memory caused them.
"""

from __future__ import annotations

from memorybank.cycle import event as events
from memorybank.cycle.recall.query import FAILURE
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from typing import Any

MOMENTS = (events.SESSION_START, events.PROMPT, events.TOOL_BEFORE, FAILURE, events.SUBAGENT_START)
_FIRED = {
    events.SESSION_START: "event = 'session_start'",
    events.PROMPT: "event = 'prompt'",
    events.TOOL_BEFORE: "(event = 'tool_before' OR asked)",
    FAILURE: "event = 'tool_after' AND status = 'failure'",
}
"""Recorded events at which memory is asked for. `asked` marks the results of reads (`HookRouter.moment`). The start of a sub-agent is not recorded in
the log."""


class Moment(Value):
    """The statistics of one moment.

    firings: number of events at which memory was asked for; None when they are not recorded.
    injected: number of firings at which something was shown.
    memories: number of memories that were shown.
    used: number of these memories that a later event used.
    tokens: number of tokens that they took.
    """

    moment: str
    firings: int | None
    injected: int
    memories: int
    used: int
    tokens: int

    @property
    def abstentions(self) -> int | None:
        """Firings at which nothing was shown; None when firings are not recorded."""
        return None if self.firings is None else max(0, self.firings - self.injected)

    @property
    def precision(self) -> float | None:
        """The share of shown memories that were used; None when nothing was shown."""
        return self.used / self.memories if self.memories else None

    def to_json(self) -> dict[str, Any]:
        names = ("moment", "firings", "injected", "abstentions", "memories", "tokens", "used", "precision")
        return {name: getattr(self, name) for name in names}


class Stats(Value):
    """The statistics of all moments.

    moments: the statistics of each moment.
    resident: number of exposures of the resident summary.
    turns, successes: number of finished turns, and of those that ended in success.
    fingerprints: number of actions that finally succeeded, one for each session and fingerprint.
    first_time: number of those that succeeded at the first attempt.
    attempts: sum of their attempts up to the first success.
    """

    moments: list[Moment]
    resident: int
    turns: int
    successes: int
    fingerprints: int
    first_time: int
    attempts: int

    def to_json(self) -> dict[str, Any]:
        return {
            "moments": [moment.to_json() for moment in self.moments],
            "resident_exposures": self.resident,
            "turns": self.turns,
            "turns_in_success": self.successes / self.turns if self.turns else None,
            "fingerprints": self.fingerprints,
            "first_attempt_success": self.first_time / self.fingerprints if self.fingerprints else None,
            "attempts_to_first_success": self.attempts / self.fingerprints if self.fingerprints else None,
        }


def collect(connection: Connection, until: int) -> Stats:
    """Return the numbers up to an instant (ms).

    connection: the cycle's cache, brought up to date by the caller.
    """
    turns, successes = connection.execute(
        "SELECT count(*), ifnull(sum(status = 'success'), 0) FROM events WHERE event = 'turn_end' AND at <= ?", (until,)
    ).fetchone()
    resident = connection.execute("SELECT count(*) FROM exposures WHERE event = 'resident_exposure' AND at <= ?", (until,)).fetchone()[0]
    return Stats([_moment(connection, moment, until) for moment in MOMENTS], resident, turns, successes, *_attempts(connection, until))


def _moment(connection: Connection, moment: str, until: int) -> Moment:
    where = _FIRED.get(moment)
    firings = None
    if where is not None:
        firings = int(connection.execute(f"SELECT count(*) FROM events WHERE {where} AND at <= ?", (until,)).fetchone()[0])
    injected, memories, used, tokens = connection.execute(
        "SELECT count(DISTINCT file || ':' || offset), count(*), ifnull(sum(used_at IS NOT NULL), 0), ifnull(sum(tokens), 0)"
        " FROM exposures WHERE shown = 1 AND event = ? AND at <= ?",
        (moment, until),
    ).fetchone()
    return Moment(moment, firings, injected, memories, used, tokens)


def _attempts(connection: Connection, until: int) -> tuple[int, int, int]:
    """Return the numbers of actions that finally succeeded, of those at the first attempt, and of attempts. An action is a session and a fingerprint."""
    fingerprints = first_time = attempts = 0
    current: tuple[int, str] | None = None
    tried = 0
    done = False
    rows = connection.execute(
        "SELECT file, fingerprint, status FROM events WHERE event = 'tool_after' AND fingerprint IS NOT NULL AND status IN ('success', 'failure')"
        " AND at <= ? ORDER BY file, fingerprint, offset",
        (until,),
    )
    for file, fingerprint, status in rows:
        if (file, fingerprint) != current:
            current, tried, done = (file, fingerprint), 0, False
        tried += 1
        if status == "success" and not done:
            done = True
            fingerprints += 1
            first_time += tried == 1
            attempts += tried
    return fingerprints, first_time, attempts
