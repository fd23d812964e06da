"""From counts to what is printed: a row for each arm and budget, held against random at the same budget; pairs of policies. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memorybank.replay import measure, statistics
from memorybank.replay.arena import FROZEN, LEARNING, MEMORYBANK, Arm, Played
from memorybank.replay.arms import RANDOM
from memorybank.replay.measure import Counts
from memorybank.replay.statistics import Interval, Ratio

VERSION = 1
"""Of the JSON form (docs/replay.md)."""


class Row(NamedTuple):
    """One arm at one budget. hit_rate: hits / targets; novel_rate: the same of novel ones; precision: useful / shown; coverage: of repeated
    failures; lift: hit rate minus random's; ratio: hit rate / random's; gain: precision minus random's; verdicts: of lift and gain;
    reciprocal: mean reciprocal rank of the first useful memory; silent: share of moments with nothing shown; price: tokens a useful memory."""

    arm: Arm
    counts: Counts
    hit_rate: Interval | None
    novel_rate: Interval | None
    precision: Interval | None
    coverage: Interval | None
    lift: Interval | None
    ratio: Interval | None
    gain: Interval | None
    verdicts: tuple[str, str] | None

    @property
    def reciprocal(self) -> float | None:
        return self.counts.reciprocal / self.counts.fired if self.counts.fired else None

    @property
    def silent(self) -> float | None:
        return 1 - self.counts.fired / self.counts.moments if self.counts.moments else None

    @property
    def price(self) -> float | None:
        return self.counts.tokens / self.counts.useful if self.counts.useful else None


class Pair(NamedTuple):
    """Learning against frozen at one budget, session by session: what is won in hit rate, which is what is won in lift, and in precision."""

    budget: int
    lift: Interval | None
    precision: Interval | None
    verdicts: tuple[str, str]


class Report(NamedTuple):
    played: Played
    sessions: int
    rows: Sequence[Row]
    pairs: Sequence[Pair]


def report(played: Played) -> Report:
    sessions = max((len(found) for found in played.sessions.values()), default=0)
    ordered = sorted(played.sessions, key=lambda arm: arm.budget)
    return Report(played, sessions, [_row(arm, played.sessions) for arm in ordered], list(_pairs(played.sessions)))


def _row(arm: Arm, sessions: Mapping[Arm, Mapping[str, Counts]]) -> Row:
    own = sessions[arm]
    counts = measure.total(own.values())
    rates = (
        statistics.wilson(counts.hits, counts.targets),
        statistics.wilson(counts.novel_hits, counts.novel),
        statistics.wilson(counts.useful, counts.shown),
        statistics.wilson(counts.covered, counts.repeats),
    )
    random = sessions.get(Arm(RANDOM, "", arm.budget))
    if random is None or arm.name == RANDOM:
        return Row(arm, counts, *rates, None, None, None, None)
    lift = statistics.difference(_hits(own), _hits(random))
    gain = statistics.difference(_useful(own), _useful(random))
    verdicts = (statistics.verdict(lift, _clusters(own)), statistics.verdict(gain, _clusters(own)))
    return Row(arm, counts, *rates, lift, statistics.quotient(_hits(own), _hits(random)), gain, verdicts)


def _pairs(sessions: Mapping[Arm, Mapping[str, Counts]]) -> Iterator[Pair]:
    for arm, frozen in sessions.items():
        learning = sessions.get(Arm(MEMORYBANK, LEARNING, arm.budget))
        if arm.name == MEMORYBANK and arm.policy == FROZEN and learning is not None:
            lift = statistics.difference(_hits(learning), _hits(frozen))
            precision = statistics.difference(_useful(learning), _useful(frozen))
            yield Pair(arm.budget, lift, precision, (statistics.verdict(lift, _clusters(frozen)), statistics.verdict(precision, _clusters(frozen))))


def _hits(sessions: Mapping[str, Counts]) -> list[Ratio]:
    return [Ratio(counts.hits, counts.targets) for _, counts in sorted(sessions.items())]


def _useful(sessions: Mapping[str, Counts]) -> list[Ratio]:
    return [Ratio(counts.useful, counts.shown) for _, counts in sorted(sessions.items())]


def _clusters(sessions: Mapping[str, Counts]) -> int:
    """Sessions that have anything to be hit."""
    return sum(counts.targets > 0 for counts in sessions.values())


def to_json(found: Report) -> dict[str, object]:
    """The report as docs/replay.md describes it; numbers to four decimals."""
    told = found.played.told
    return {
        "version": VERSION,
        "source": found.played.source,
        "events": found.played.events,
        "sessions": found.sessions,
        "targets": {kind: {"all": whole, "novel": novel} for kind, (whole, novel) in found.played.kinds.items()},
        "rows": [_row_fields(row) for row in found.rows],
        "learning_against_frozen": [
            {
                "budget": pair.budget,
                "lift": _interval(pair.lift),
                "precision": _interval(pair.precision),
                "lift_verdict": pair.verdicts[0],
                "precision_verdict": pair.verdicts[1],
            }
            for pair in found.pairs
        ],
        "descriptive": {
            "turns": told.turns,
            "turns_in_success": _number(told.successes / told.turns if told.turns else None),
            "actions": told.actions,
            "first_attempt_success": _number(told.first_time / told.actions if told.actions else None),
            "attempts_to_first_success": _number(told.attempts / told.actions if told.actions else None),
        },
    }


def _row_fields(row: Row) -> dict[str, object]:
    return {
        "arm": row.arm.name,
        "policy": row.arm.policy or None,
        "budget": row.arm.budget or None,
        **{name: _number(value) for name, value in row.counts._asdict().items() if name != "reciprocal"},
        "hit_rate": _interval(row.hit_rate),
        "novel_hit_rate": _interval(row.novel_rate),
        "precision": _interval(row.precision),
        "coverage": _interval(row.coverage),
        "reciprocal_rank": _number(row.reciprocal),
        "tokens_per_useful": _number(row.price),
        "abstention": _number(row.silent),
        "lift": _interval(row.lift),
        "lift_ratio": _interval(row.ratio),
        "precision_gain": _interval(row.gain),
        "lift_verdict": row.verdicts[0] if row.verdicts else None,
        "precision_verdict": row.verdicts[1] if row.verdicts else None,
    }


def _interval(found: Interval | None) -> dict[str, float | None] | None:
    return None if found is None else {name: _number(value) for name, value in found._asdict().items()}


def _number(value: float | None) -> float | None:
    """Four decimals; what is not finite (the interval of a single session) is unknown."""
    return None if value is None or value != value or abs(value) == float("inf") else round(value, 4)
