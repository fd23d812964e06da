"""Importance of events, 0 to 1: six weighted factors (Self-improving memory cycle, "重要度スコア式"; the weights are settings).

Three factors are known when a line is written (`initial`), novelty when it is folded. Reuse and cross-impact depend on other files and sessions, so they
are computed when they are read (`of_event`).
"""

from __future__ import annotations

__light__ = True

from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

    from memorybank.config.cycle import EventImportance

OUTCOMES = {"failure": 1.0, "success": 0.8, "partial": 0.7}
"""The factor of each outcome: a failure teaches most. Any other outcome, unknown included, has `UNKNOWN_OUTCOME`."""
UNKNOWN_OUTCOME = 0.5
NEUTRAL = 0.5
TYPICAL_MILLISECONDS = 1_000
TYPICAL_TOKENS = 2_000
"""The cost of an ordinary call, with which others are compared."""
CORRECTED, NEUTRAL_SIGNAL, SAID = -1.0, 0.0, 0.5
"""User signals: corrected, refused or stopped by a person; no signal; a person's own words. 1 is a statement to be remembered."""
REUSE_AT_MOST = 10
"""Number of uses that count as full reuse."""
SHARERS_COUNTED = 20
"""Number of agents, of tasks, and of files or calls that are counted for an anchor; the cache keeps no more of them."""
_HALF_OF_SHARERS = 4
"""Number of further agents, tasks and files that count as half of full cross-impact."""


class ImportanceFactors(Value):
    """The six factors of an event or a memory, each 0..1."""

    outcome: float
    reuse: float
    cross_impact: float
    novelty: float
    user_signal: float
    cost: float


def event_importance(factors: ImportanceFactors, weights: EventImportance) -> float:
    """Return the weighted sum of the factors, 0 to 1 (the weights sum to 1)."""
    return min(
        1.0,
        weights.outcome * factors.outcome
        + weights.reuse * factors.reuse
        + weights.cross_impact * factors.cross_impact
        + weights.novelty * factors.novelty
        + weights.user_signal * factors.user_signal
        + weights.cost * factors.cost,
    )


def initial(status: str | None, signal: float, latency: int | None, tokens: int | None, weights: EventImportance) -> float:
    """Return the importance of a line when it is written, to three decimals: outcome, user signal and cost in the proportion of their weights. Stateless.

    latency: ms
    signal: -1 to 1
    """
    total = weights.outcome + weights.user_signal + weights.cost
    if not total:
        return NEUTRAL
    factors = weights.outcome * outcome(status) + weights.user_signal * user_signal(signal) + weights.cost * cost(latency, tokens)
    return round(factors / total, 3)


def outcome(status: str | None) -> float:
    """Return the factor of an outcome."""
    return OUTCOMES.get(status or "", UNKNOWN_OUTCOME)


def user_signal(signal: float) -> float:
    """Map a signal from -1 … 1 to 0 … 1."""
    return (min(1, max(-1, signal)) + 1) / 2


def reuse(uses: int) -> float:
    """Return the factor of reuse. uses: how often anything it touches was later recalled, by any memory, and used."""
    return min(1.0, uses / REUSE_AT_MOST)


def cross_impact(sharers: Iterable[int]) -> float:
    """Return the factor of cross-impact.

    sharers: number of agents, of tasks, and of files or calls with an anchor in common; the first of each kind is the event's own
    """
    others = sum(max(0, count - 1) for count in sharers)
    return others / (others + _HALF_OF_SHARERS)


def cost(latency: float | None, tokens: float | None) -> float:
    """Return how little a call cost compared with an ordinary one: 0.5 for as much, 1 for nothing. The mean over tokens and time (ms)."""
    spent = ((tokens, TYPICAL_TOKENS), (latency, TYPICAL_MILLISECONDS))
    saved = [typical / (typical + value) for value, typical in spent if value is not None]
    return sum(saved) / len(saved) if saved else NEUTRAL


def of_event(connection: Connection, file: int, offset: int) -> ImportanceFactors | None:
    """Return the current factors of the event whose line begins at an offset; None when there is none.

    It counts as reused when one of its passages is, and is shared through the files that its turn edited.
    """
    row = connection.execute(_EVENT, (file, offset)).fetchone()
    if row is None:
        return None
    status, of_novelty, signal, *spent = row
    (uses,) = connection.execute(_USES, (file, offset)).fetchone()
    cross = max((cross_impact(sharers) for sharers in connection.execute(_SHARERS, (file, offset))), default=0.0)
    return ImportanceFactors(outcome(status), reuse(uses), cross, of_novelty, user_signal(signal), cost(*spent))


_EVENT = "SELECT status, novelty, signal, latency, tokens FROM events WHERE file = ? AND offset = ?"
_USES = f"""SELECT count(*) FROM (SELECT 1 FROM passages p JOIN exposures e ON e.memory = p.memory
    WHERE p.session = (SELECT session FROM files WHERE id = ?) AND p.kind IN ('said', 'answer', 'remark', 'fix') AND p.offset = ?
    AND shown = 1 AND used_at IS NOT NULL LIMIT {REUSE_AT_MOST})"""
_COUNTED = ", ".join(
    f"(SELECT count(*) FROM (SELECT 1 FROM sharers s WHERE s.anchor = 'file:' || name AND kind = '{kind}' LIMIT {SHARERS_COUNTED}))" for kind in ("a", "t", "f")
)
_SHARERS = f"""SELECT {_COUNTED} FROM turn_files
    WHERE turn = (SELECT id FROM turns WHERE file = ? AND offset <= ? ORDER BY offset DESC LIMIT 1)"""
