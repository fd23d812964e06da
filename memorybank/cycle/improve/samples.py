"""Samples: the worth of each exposure of a finished session, 0 to 1. It depends on events and exposures alone.

0 when nothing that the memory refers to was touched, although the agent made calls; 0.5 when something was. When at least three earlier sessions
attempted the same, up to 0.5 more, by the share of points earned (Complete cycle design, "寄与度": success where others failed, time, retries, errors
avoided). An exposure that referred to nothing new has no sample, since the absence of evidence changes nothing.

Attempts are stored for finished sessions only, so that they are complete. `recall stats` reports retries from them ("再試行削減率").
"""

from __future__ import annotations

from statistics import median

from memorybank.cycle.event import FAILURE, SUCCESS
from memorybank.cycle.fold.exposed import USED
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

LEAST_ATTEMPTS = 3
"""Number of earlier attempts required for a comparison."""
MOST_ATTEMPTS = 50
"""Number of attempts of one fingerprint that are kept, the latest ones: older ones say little about a repository that has changed since."""
SUCCEEDED, FASTER, FEWER, AVOIDED = 1.0, 0.5, 0.3, 0.8
"""Points: the first call succeeded where at least half of the others failed; it took at most `QUICK` of their time; it needed fewer results; the error that
the memory warned of did not occur.
"""
QUICK = 0.8
HALF = 0.5
_KNOWN = "event = 'tool_after' AND ifnull(corrected, 0) < ?2"
"""Calls whose outcome the covered part of the log says: a correction after it belongs to the next round, whenever it is folded."""
_ACTED = """EXISTS (SELECT 1 FROM events c WHERE c.file = x.file AND c.agent = x.agent AND c.event = 'tool_after' AND c.offset > x.offset
    AND c.offset < min(?2, ifnull((SELECT min(p.offset) FROM events p WHERE p.file = x.file AND p.event = 'prompt' AND p.offset > x.offset), ?2)))"""
"""Whether the agent made a call between an exposure at a prompt and the next prompt, among the covered lines (`?2`): later ones belong to the next round.

A turn that only answers touches nothing, whatever it used.
"""
_EXPOSURES = f"""SELECT x.id, x.agent, x.at, x.offset, awaited AND (x.event <> 'prompt' OR {_ACTED}), warned, met_at, used_at, e.fingerprint
    FROM exposures x LEFT JOIN events e ON e.file = x.file AND e.offset = used_at WHERE x.file = ?1 AND x.offset < ?2"""
"""Exposures of a session, each with the call that used it."""

_FORGET = """DELETE FROM attempts WHERE (fingerprint, session, agent) IN
    (SELECT fingerprint, session, agent FROM attempts WHERE fingerprint = ? ORDER BY at DESC, session, agent LIMIT -1 OFFSET ?)"""


class Attempt(Value):
    """The calls of one fingerprint by one agent in one session, up to the first success: when the first was made (ms) and whether it failed, the number of
    results (None without a success), and the duration of the successful call (ms)."""

    at: int
    first_failed: bool
    tries: int | None
    latency: int | None


class Baseline:
    """The attempts of one fingerprint in earlier sessions: their number, the share whose first call failed, and medians of the successful ones."""

    __slots__ = ("count", "failing", "latency", "tries")

    def __init__(self, attempts: list[Attempt]) -> None:
        self.count = len(attempts)
        self.failing = sum(attempt.first_failed for attempt in attempts) / self.count if attempts else 0.0
        tries = [attempt.tries for attempt in attempts if attempt.tries is not None]
        latencies = [attempt.latency for attempt in attempts if attempt.latency is not None]
        self.tries = median(tries) if tries else None
        self.latency = median(latencies) if latencies else None


def points(attempt: Attempt | None, baseline: Baseline, avoided: bool | None) -> tuple[float, float]:
    """Return (points that the memory earned, points that it could earn). A comparison without enough data gives no points to earn.

    avoided: whether the error of which the memory warned did not occur; None when it warned of none
    """
    earned = available = 0.0
    compared = []
    if attempt is not None and baseline.failing >= HALF:
        compared.append((SUCCEEDED, not attempt.first_failed))
    if attempt is not None and attempt.latency is not None and baseline.latency:
        compared.append((FASTER, attempt.latency <= QUICK * baseline.latency))
    if attempt is not None and attempt.tries is not None and baseline.tries is not None and baseline.tries > 1:
        compared.append((FEWER, attempt.tries < baseline.tries))
    if avoided is not None:
        compared.append((AVOIDED, avoided))
    for worth, is_earned in compared:
        available += worth
        earned += worth * is_earned
    return earned, available


def of_use(attempt: Attempt | None, baseline: Baseline, avoided: bool | None) -> float:
    """Return the sample of a used exposure."""
    if baseline.count < LEAST_ATTEMPTS:
        return USED
    earned, available = points(attempt, baseline, avoided)
    return USED + (1 - USED) * earned / available if available else USED


def finish(connection: Connection, session: str, covered_to: int) -> None:
    """Store the attempts of a finished session and the samples of its exposures, replacing those of an earlier finish."""
    row = connection.execute("SELECT id FROM files WHERE session = ?", (session,)).fetchone()
    if row is None:
        return
    file = int(row[0])
    _write_attempts(connection, session, file, covered_to)
    exposures = connection.execute(_EXPOSURES, (file, covered_to)).fetchall()
    for exposure, agent, at, offset, awaited, warned, met_at, used_at, fingerprint in exposures:
        sample: float | None = 0.0 if awaited else None
        if used_at is not None and used_at < covered_to:
            sample = USED
            if fingerprint is not None:
                avoided = None if warned is None else met_at is None or met_at >= covered_to
                attempt = _attempted(connection, file, agent, fingerprint, offset, covered_to)
                sample = of_use(attempt, _baseline(connection, fingerprint, session, at), avoided)
        connection.execute("UPDATE exposures SET sample = ? WHERE id = ?", (sample, exposure))


def attempt_of(calls: Iterable[tuple[int, str | None, int | None]]) -> Attempt | None:
    """Return the attempt that some calls make up, None when no outcome is known.

    calls: (at, status, latency) of one agent's results of one fingerprint, in order; those with an unknown outcome are ignored
    """
    known = [(at, status, latency) for at, status, latency in calls if status in (SUCCESS, FAILURE)]
    if not known:
        return None
    tries = next((number for number, (_, status, _) in enumerate(known, 1) if status == SUCCESS), None)
    return Attempt(known[0][0], known[0][1] == FAILURE, tries, known[tries - 1][2] if tries is not None else None)


def _attempted(connection: Connection, file: int, agent: str, fingerprint: str, offset: int, covered_to: int) -> Attempt | None:
    """Return what an agent attempted with this fingerprint from an offset on."""
    rows = connection.execute(
        f"SELECT at, status, latency FROM events WHERE file = ?1 AND offset >= ?3 AND offset < ?2 AND agent = ?4 AND fingerprint = ?5 AND {_KNOWN}"
        " ORDER BY offset",
        (file, covered_to, offset, agent, fingerprint),
    )
    return attempt_of(rows)


def _baseline(connection: Connection, fingerprint: str, session: str, before: int) -> Baseline:
    """Return the baseline from other sessions' attempts that began before an instant (ms)."""
    rows = connection.execute(
        "SELECT at, first_failed, tries, latency FROM attempts WHERE fingerprint = ? AND session <> ? AND at < ?", (fingerprint, session, before)
    )
    return Baseline([Attempt(at, bool(first_failed), tries, latency) for at, first_failed, tries, latency in rows])


def _write_attempts(connection: Connection, session: str, file: int, covered_to: int) -> None:
    """Store the attempts of a finished session, replacing those of an earlier finish."""
    connection.execute("DELETE FROM attempts WHERE session = ?", (session,))
    calls: dict[tuple[str, str], list[tuple[int, str | None, int | None]]] = {}
    rows = connection.execute(
        f"SELECT fingerprint, agent, at, status, latency FROM events WHERE file = ?1 AND offset < ?2 AND fingerprint IS NOT NULL AND {_KNOWN} ORDER BY offset",
        (file, covered_to),
    )
    for fingerprint, agent, at, status, latency in rows:
        calls.setdefault((fingerprint, agent), []).append((at, status, latency))
    for (fingerprint, agent), listed in calls.items():
        attempt = attempt_of(listed)
        if attempt is not None:
            values = (fingerprint, session, agent, attempt.at, int(attempt.first_failed), attempt.tries, attempt.latency)
            connection.execute("INSERT INTO attempts VALUES (?, ?, ?, ?, ?, ?, ?)", values)
            connection.execute(_FORGET, (fingerprint, MOST_ATTEMPTS))
