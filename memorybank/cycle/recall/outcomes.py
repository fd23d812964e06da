"""What came of the memories that agents were shown: used, repeated, left unused, or marked by somebody. Read from the cycle's cache.

Nothing here shows that a memory caused anything. `used` means that the agent later touched what the memory names, `repeated` that its answer says the
same words, `unused` that the session ended and neither happened.

The statistics contain neither names nor texts of memories, so they are the same for every reader. The last two values are descriptive (Self-improving memory
cycle, "成功タスク比率", "再試行削減率"): they do not show that memory caused them.
"""

from __future__ import annotations

from memorybank.cycle import event as events
from memorybank.cycle.fold.exposed import SAID
from memorybank.cycle.fold.retired import COUNTED, counted_events, read_again
from memorybank.cycle.fold.ticked import EVER, TICK
from memorybank.cycle.improve.occasions import MOMENTS as MOMENTS
from memorybank.cycle.recall.query import FAILURE
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from typing import Any

    from memorybank.cycle.base import CycleContext

_FIRED = {events.SESSION_START: "starts", events.PROMPT: "prompts", events.TOOL_BEFORE: "memory_before", FAILURE: "failures"}
"""{moment: the number of events at which memory is asked for, as in the table `retired`}. The start of a sub-agent is not recorded in the log."""

HELPFUL, WRONG, USED, REPEATED, UNUSED, UNKNOWN = "helpful", "wrong", "used", "repeated", "unused", "unknown"
OUTCOMES = (HELPFUL, USED, REPEATED, UNUSED, WRONG, UNKNOWN)
GOOD = (HELPFUL, USED, REPEATED)
"""The outcomes that speak for a memory."""

_MARK = TICK.format(row="x", until=EVER)
_OUTCOME = f"""CASE WHEN {_MARK} = 1 THEN '{HELPFUL}' WHEN {_MARK} = 0 THEN '{WRONG}' WHEN x.used_at IS NOT NULL AND x.used = '{SAID}' THEN '{REPEATED}'
    WHEN x.used_at IS NOT NULL THEN '{USED}' WHEN x.sample = 0 THEN '{UNUSED}' ELSE '{UNKNOWN}' END"""


class Moment(Value):
    """The statistics of one moment: events at which memory was asked for (None when they are not recorded) and at which something was shown, memories that
    were shown and that a later event used, and their tokens."""

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

    turns, successes: finished turns, and those that ended in success.
    fingerprints, first_time, attempts: actions that finally succeeded, one for each session and fingerprint; those at the first attempt; all attempts.
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


class ExposureOutcome(Value):
    """One time (ms) that a memory was shown, at an event such as `prompt`. offset: where its line begins in the log of the session"""

    memory: str
    kind: str
    session: str
    at: int
    moment: str
    rank: int
    offset: int
    outcome: str


class MemoryOutcomes(Value):
    """A memory and how often it was shown in a period, used, repeated or marked as helpful (`good`), and marked as wrong; and the last time (ms)."""

    memory: str
    kind: str
    shown: int
    good: int
    wrong: int
    last: int


_COLUMNS = f"x.memory, x.kind, x.session, x.at, x.event, x.rank, x.offset, {_OUTCOME}"


def of_session(connection: Connection, session: str) -> list[ExposureOutcome]:
    """Return what one session was shown, in order."""
    query = f"SELECT {_COLUMNS} FROM exposures x WHERE x.session = ? AND x.shown = 1 ORDER BY x.offset, x.rank"
    return [ExposureOutcome(*row) for row in connection.execute(query, (session,))]


def of_memory(connection: Connection, memory: str, limit: int) -> list[ExposureOutcome]:
    """Return the latest times that a memory was shown, the latest first. limit: maximum number"""
    query = f"SELECT {_COLUMNS} FROM exposures x WHERE x.memory = ? AND x.shown = 1 ORDER BY x.at DESC, x.id DESC LIMIT ?"
    return [ExposureOutcome(*row) for row in connection.execute(query, (memory, limit))]


def counted(connection: Connection, since: int, until: int) -> dict[str, int]:
    """Return {outcome: how many exposures of a period had it}, without those that had none. since, until: ms, the latter inclusive"""
    query = f"SELECT {_OUTCOME} AS outcome, count(*) FROM exposures x WHERE x.shown = 1 AND x.at BETWEEN ? AND ? GROUP BY outcome"
    found = dict(connection.execute(query, (since, until)))
    return {outcome: int(found[outcome]) for outcome in OUTCOMES if outcome in found}


def most_shown(connection: Connection, since: int, until: int, limit: int) -> list[MemoryOutcomes]:
    """Return the memories of a period, those first that helped most often, then those that were shown most often. limit: maximum number"""
    good = ", ".join(f"'{outcome}'" for outcome in GOOD)
    query = f"""SELECT memory, kind, count(*) AS shown, sum(outcome IN ({good})) AS good, sum(outcome = '{WRONG}'), max(at) FROM
        (SELECT x.memory, x.kind, x.at, {_OUTCOME} AS outcome FROM exposures x WHERE x.shown = 1 AND x.at BETWEEN ? AND ?)
        GROUP BY memory ORDER BY good DESC, shown DESC, max(at) DESC, memory LIMIT ?"""
    return [MemoryOutcomes(*row) for row in connection.execute(query, (since, until, limit))]


def collect_stats(connection: Connection, until: int, base: CycleContext | None = None) -> Stats:
    """Return the numbers up to an instant (ms).

    connection: the cycle's cache, brought up to date by the caller.
    base: for reading the logs of retired sessions that went on after the instant; None if there are none
    """
    counted = _counted_events(connection, until, base)
    resident = connection.execute("SELECT count(*) FROM exposures WHERE event = 'resident_exposure' AND at <= ?", (until,)).fetchone()[0]
    moments = [_moment(connection, moment, until, counted.get(_FIRED.get(moment, ""))) for moment in MOMENTS]
    return Stats(moments, resident, *(counted[name] for name in ("turns", "successes", "done", "done_at_once", "tries")))


def _moment(connection: Connection, moment: str, until: int, firings: int | None) -> Moment:
    injected, memories, used, tokens = connection.execute(
        "SELECT count(DISTINCT file || ':' || offset), count(*), ifnull(sum(used_at IS NOT NULL), 0), ifnull(sum(tokens), 0)"
        " FROM exposures WHERE shown = 1 AND event = ? AND at <= ?",
        (moment, until),
    ).fetchone()
    return Moment(moment, firings, injected, memories, used, tokens)


def _counted_events(connection: Connection, until: int, base: CycleContext | None) -> dict[str, int]:
    """Return the sums of the table `retired` over all sessions: from events, from that table, and from the logs where the instant divides a session."""
    sums = ", ".join(f"ifnull(sum({name}), 0)" for name in COUNTED)
    found = list(connection.execute(f"SELECT {sums} FROM retired WHERE last_at <= ?", (until,)).fetchone())
    divided = "SELECT name, offset FROM retired r JOIN files ON id = file WHERE r.first_at <= ? AND r.last_at > ? ORDER BY name"
    again = read_again(base, connection.execute(divided, (until, until))) if base is not None else None
    for source in (connection, again):
        if source is not None:
            for place, value in enumerate(counted_events(source, "file IN (SELECT id FROM files WHERE retired = 0) AND at <= ?", (until,))):
                found[place] += value
    if again is not None:
        again.close()
    return dict(zip(COUNTED, found, strict=True))
