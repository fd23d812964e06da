"""Attempts: the calls of one fingerprint by one agent in one session, up to the first success.

They are taken from finished sessions only, so that they are complete. Used memories are compared with them, and `recall stats` reports retries from them
(Complete cycle design, "再試行削減率").
"""

from __future__ import annotations

from statistics import median

from memorybank.cycle.event import FAILURE, SUCCESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable


class Attempt:
    """One attempt.

    at: of the first call (ms)
    first_failed: whether the first call failed
    tries: number of results up to the first success, None without a success
    latency: of the successful call (ms)
    """

    __slots__ = ("at", "first_failed", "latency", "tries")

    def __init__(self, at: int, first_failed: bool, tries: int | None, latency: int | None) -> None:
        self.at = at
        self.first_failed = first_failed
        self.tries = tries
        self.latency = latency

    def __repr__(self) -> str:
        return f"Attempt(first_failed={self.first_failed}, tries={self.tries}, latency={self.latency})"


class Baseline:
    """Statistics of the attempts of one fingerprint in earlier sessions.

    count: number of attempts
    failing: share whose first call failed
    tries, latency: medians of the successful ones, None when unknown
    """

    __slots__ = ("count", "failing", "latency", "tries")

    def __init__(self, attempts: list[Attempt]) -> None:
        self.count = len(attempts)
        self.failing = sum(attempt.first_failed for attempt in attempts) / self.count if attempts else 0.0
        tries = [attempt.tries for attempt in attempts if attempt.tries is not None]
        latencies = [attempt.latency for attempt in attempts if attempt.latency is not None]
        self.tries = median(tries) if tries else None
        self.latency = median(latencies) if latencies else None


def of_calls(calls: Iterable[tuple[int, str | None, int | None]]) -> Attempt | None:
    """Return the attempt that some calls make up, None when no outcome is known.

    calls: (at, status, latency) of one agent's results of one fingerprint, in order; those with an unknown outcome are ignored
    """
    known = [(at, status, latency) for at, status, latency in calls if status in (SUCCESS, FAILURE)]
    if not known:
        return None
    tries = next((number for number, (_, status, _) in enumerate(known, 1) if status == SUCCESS), None)
    return Attempt(known[0][0], known[0][1] == FAILURE, tries, known[tries - 1][2] if tries is not None else None)


def after(connection: Connection, file: int, agent: str, fingerprint: str, offset: int, covered_to: int) -> Attempt | None:
    """Return what an agent attempted with this fingerprint from an offset on."""
    rows = connection.execute(
        "SELECT at, status, latency FROM events WHERE file = ? AND offset >= ? AND offset < ? AND agent = ? AND event = 'tool_after' AND fingerprint = ?"
        " ORDER BY offset",
        (file, offset, covered_to, agent, fingerprint),
    )
    return of_calls(rows)


def baseline(connection: Connection, fingerprint: str, session: str, before: int) -> Baseline:
    """Return the baseline from other sessions' attempts that began before an instant (ms)."""
    rows = connection.execute(
        "SELECT at, first_failed, tries, latency FROM attempts WHERE fingerprint = ? AND session <> ? AND at < ?", (fingerprint, session, before)
    )
    return Baseline([Attempt(at, bool(first_failed), tries, latency) for at, first_failed, tries, latency in rows])


def write(connection: Connection, session: str, file: int, covered_to: int) -> None:
    """Store the attempts of a finished session, replacing those of an earlier finish."""
    connection.execute("DELETE FROM attempts WHERE session = ?", (session,))
    calls: dict[tuple[str, str], list[tuple[int, str | None, int | None]]] = {}
    rows = connection.execute(
        "SELECT fingerprint, agent, at, status, latency FROM events WHERE file = ? AND offset < ? AND event = 'tool_after' AND fingerprint IS NOT NULL"
        " ORDER BY offset",
        (file, covered_to),
    )
    for fingerprint, agent, at, status, latency in rows:
        calls.setdefault((fingerprint, agent), []).append((at, status, latency))
    for (fingerprint, agent), listed in calls.items():
        attempt = of_calls(listed)
        if attempt is not None:
            values = (fingerprint, session, agent, attempt.at, int(attempt.first_failed), attempt.tries, attempt.latency)
            connection.execute("INSERT INTO attempts VALUES (?, ?, ?, ?, ?, ?, ?)", values)
