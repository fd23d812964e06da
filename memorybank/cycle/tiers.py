"""Tiers: how old a memory is decides what stands for it (Self-improving memory cycle, "Tier 構造": hot 0-7 days, warm to 30, cold).

Hot: the group itself. Warm: the group if it is important or holds a failure with its fix, else its day's summary. Cold: the
month's summary; failures with their fix and what people said stay singly recallable. Nothing moves: the tier is a question of
the moment, and the log never changes. Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.cycle.fold.schema import DAY, GROUP, LESSON, MONTH, SESSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.config.cycle import EventImportance, Organize
    from memorybank.cycle.importance import Factors

HOT, WARM, COLD = "hot", "warm", "cold"
IMPORTANT = 0.6
"""A warm group of so much importance is still shown itself."""
_DAY = 86_400_000
_COMPARED = 4_000
"""Hot groups looked at for the capacity: a busy week's, in a millisecond."""


def tier(at: int, now: int, organize: Organize) -> str:
    """The tier of what happened last at `at` (ms)."""
    days = (now - at) // _DAY
    if days <= organize.hot_days:
        return HOT
    return WARM if days <= organize.warm_days else COLD


def showable(kind: str, level: str, importance: float, *, protected: bool, early: bool = False) -> bool:
    """Whether recall may show a memory of this kind and tier by itself.

    protected: it holds a failure with its fix, or what a person said; early: a group is hot and beyond the capacity and counts as
    warm, a day has or may have such groups.
    A session's summary stands beside its groups and goes with them into the month's.
    """
    if kind == LESSON or protected:
        return True
    if kind == GROUP:
        return (level == HOT and not early) or (level in (HOT, WARM) and importance >= IMPORTANT)
    if kind == SESSION:
        return level != COLD
    if kind == DAY:
        return level == WARM or (level == HOT and early)
    return kind == MONTH and level == COLD


def hot_floor(connection: Connection, now: int, organize: Organize, weights: EventImportance) -> float:
    """The least known importance of the groups that fit into the hot capacity, 0 while all do. Groups below it leave early.

    Known: outcome, novelty and user signal, which need no other memory; compare it with `known_importance`. Of very many groups the
    newest are compared.
    """
    row = connection.execute(
        f"SELECT {_KNOWN} AS known FROM (SELECT outcome, novelty, signal FROM memories WHERE kind = ? AND last_at > ? ORDER BY last_at DESC LIMIT ?)"
        " ORDER BY known DESC LIMIT 1 OFFSET ?",
        (
            *(weights.outcome, weights.novelty, weights.user_signal),
            *(GROUP, now - (organize.hot_days + 1) * _DAY, max(_COMPARED, organize.hot_capacity), organize.hot_capacity - 1),
        ),
    ).fetchone()
    return float(row[0]) if row else 0.0


def known_importance(factors: Factors, weights: EventImportance) -> float:
    return weights.outcome * factors.outcome + weights.novelty * factors.novelty + weights.user_signal * factors.user_signal


_KNOWN = "? * outcome + ? * novelty + ? * (signal + 1) / 2"
