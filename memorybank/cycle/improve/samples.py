"""Samples: the worth of each exposure of a finished session, 0 to 1. It depends on events and exposures alone.

0 when nothing that the memory refers to was touched; 0.5 when something was. When at least three earlier sessions attempted the same, up to 0.5 more, by
the share of points earned (Complete cycle design, "寄与度": success where others failed, time, retries, errors avoided). An exposure that referred to
nothing new has no sample, since the absence of evidence changes nothing.
"""

from __future__ import annotations

from memorybank.cycle.fold.exposed import USED
from memorybank.cycle.improve import attempts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.improve.attempts import Attempt, Baseline

LEAST_ATTEMPTS = 3
"""Number of earlier attempts required for a comparison."""
SUCCEEDED, FASTER, FEWER, AVOIDED = 1.0, 0.5, 0.3, 0.8
"""Points: the first call succeeded where at least half of the others failed; it took at most `QUICK` of their time; it needed fewer results; the error that
the memory warned of did not occur.
"""
QUICK = 0.8
HALF = 0.5


def points(attempt: Attempt | None, baseline: Baseline, avoided: bool | None) -> tuple[float, float]:
    """Return (earned, available). What cannot be compared is not available.

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
    attempts.write(connection, session, file, covered_to)
    exposures = connection.execute(
        "SELECT id, agent, at, offset, awaited, warned, met_at, used_at FROM exposures WHERE file = ? AND offset < ?", (file, covered_to)
    ).fetchall()
    for exposure, agent, at, offset, awaited, warned, met_at, used_at in exposures:
        sample: float | None = 0.0 if awaited else None
        if used_at is not None and used_at < covered_to:
            avoided = None if warned is None else met_at is None or met_at >= covered_to
            sample = _of_use(connection, file, session, agent, at, offset, avoided, used_at, covered_to)
        connection.execute("UPDATE exposures SET sample = ? WHERE id = ?", (sample, exposure))


def _of_use(connection: Connection, file: int, session: str, agent: str, at: int, offset: int, avoided: bool | None, used_at: int, covered_to: int) -> float:
    row = connection.execute("SELECT fingerprint FROM events WHERE file = ? AND offset = ?", (file, used_at)).fetchone()
    if row is None or row[0] is None:
        return USED
    tried = attempts.after(connection, file, agent, row[0], offset, covered_to)
    return of_use(tried, attempts.baseline(connection, row[0], session, at), avoided)
