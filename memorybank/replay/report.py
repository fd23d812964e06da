"""From counts to a report: a row for each arm and budget, compared with random at the same budget, and pairs of policies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memorybank.cycle.improve.interval import Interval, wilson
from memorybank.replay import measure, statistics
from memorybank.replay.arena import FROZEN, LEARNING, MEMORYBANK, Arm, ReplayResult
from memorybank.replay.arms import RANDOM
from memorybank.replay.measure import KINDS, ArmCounts, Tally
from memorybank.replay.statistics import Ratio

VERSION = 3
"""The version of the JSON form (docs/replay.md)."""


class Share(NamedTuple):
    """The result of an arm for one kind of target. rate: hits / targets; lift: rate minus random's rate."""

    tally: Tally
    rate: Interval | None
    lift: Interval | None


class ArmRow(NamedTuple):
    """One arm at one budget.

    hit_rate: hits / targets
    novel_rate: the same for novel targets
    precision: useful memories / shown memories
    naming_precision: the same for memories that name a file, a command or a note
    lift: hit rate minus random's
    ratio: hit rate / random's
    kinds: the share of each kind
    reciprocal: mean reciprocal rank of the first useful memory
    silent: share of moments at which nothing was shown
    price: tokens per useful memory
    """

    arm: Arm
    counts: ArmCounts
    hit_rate: Interval | None
    novel_rate: Interval | None
    precision: Interval | None
    naming_precision: Interval | None
    lift: Interval | None
    ratio: Interval | None
    kinds: Mapping[str, Share]

    @property
    def reciprocal(self) -> float | None:
        return self.counts.reciprocal / self.counts.fired if self.counts.fired else None

    @property
    def silent(self) -> float | None:
        return 1 - self.counts.fired / self.counts.moments if self.counts.moments else None

    @property
    def price(self) -> float | None:
        return self.counts.tokens / self.counts.useful if self.counts.useful else None


class Comparison(NamedTuple):
    """One rate of two arms. verdict: on the difference; apart: whether the two arms' own intervals do not overlap."""

    difference: Interval | None
    verdict: str
    apart: bool


class ArmPair(NamedTuple):
    """The comparison of two arms at one budget, session by session: their hit rates, precisions (of all memories, and of those that name something), and
    the hit rates of each kind."""

    one: Arm
    other: Arm
    hits: Comparison
    precision: Comparison
    naming: Comparison
    kinds: Mapping[str, Comparison]


class ReplayReport(NamedTuple):
    played: ReplayResult
    sessions: int
    rows: Sequence[ArmRow]
    pairs: Sequence[ArmPair]

    @property
    def targets(self) -> dict[str, int]:
        """Return {kind: number of targets}, which is the same for every arm."""
        return {kind: round(share.tally.targets) for kind, share in self.rows[0].kinds.items()} if self.rows else {}


def report(played: ReplayResult) -> ReplayReport:
    sessions = max((len(found) for found in played.sessions.values()), default=0)
    ordered = sorted(played.sessions, key=lambda arm: arm.budget)
    rows = [_row(arm, played.sessions) for arm in ordered]
    return ReplayReport(played, sessions, rows, list(_pairs(rows, played.sessions)))


def _row(arm: Arm, sessions: Mapping[Arm, Mapping[str, ArmCounts]]) -> ArmRow:
    own = sessions[arm]
    counts = measure.total(own.values())
    rates = (
        wilson(counts.hits, counts.targets),
        wilson(counts.novel_hits, counts.novel),
        wilson(counts.useful, counts.shown),
        wilson(counts.useful_naming, counts.naming),
    )
    random = sessions.get(Arm(RANDOM, "", arm.budget)) if arm.name != RANDOM else None
    kinds = {kind: _share(kind, counts.kinds[kind], own, random) for kind in KINDS if kind in counts.kinds}
    if random is None:
        return ArmRow(arm, counts, *rates, None, None, kinds)
    return ArmRow(arm, counts, *rates, statistics.difference(_hits(own), _hits(random)), statistics.quotient(_hits(own), _hits(random)), kinds)


def _share(kind: str, tally: Tally, own: Mapping[str, ArmCounts], random: Mapping[str, ArmCounts] | None) -> Share:
    lift = None if random is None else statistics.difference(_of_kind(own, kind), _of_kind(random, kind))
    return Share(tally, wilson(tally.hits, tally.targets), lift)


def _pairs(rows: Sequence[ArmRow], sessions: Mapping[Arm, Mapping[str, ArmCounts]]) -> Iterator[ArmPair]:
    """Yield recall paired with each baseline, and learning with frozen."""
    for row in rows:
        for other in rows:
            learns = (row.arm.policy, other.arm.policy) == (LEARNING, FROZEN)
            if row.arm.name == MEMORYBANK and row.arm.budget == other.arm.budget and (other.arm.name != MEMORYBANK or learns):
                yield _pair(row, other, sessions[row.arm], sessions[other.arm])


def _pair(row: ArmRow, other: ArmRow, ones: Mapping[str, ArmCounts], others: Mapping[str, ArmCounts]) -> ArmPair:
    with_targets = sum(counts.targets > 0 for counts in ones.values())
    with_shown = sum(ones[session].shown > 0 or others[session].shown > 0 for session in ones)
    with_naming = sum(ones[session].naming > 0 or others[session].naming > 0 for session in ones)
    kinds = {}
    for kind, share in row.kinds.items():
        with_kind = sum(counts.of(kind).targets > 0 for counts in ones.values())
        rate = other.kinds[kind].rate if kind in other.kinds else None
        kinds[kind] = _comparison(_of_kind(ones, kind), _of_kind(others, kind), with_kind, _apart(share.rate, rate))
    return ArmPair(
        row.arm,
        other.arm,
        _comparison(_hits(ones), _hits(others), with_targets, _apart(row.hit_rate, other.hit_rate)),
        _comparison(_useful(ones), _useful(others), with_shown, _apart(row.precision, other.precision)),
        _comparison(_useful_naming(ones), _useful_naming(others), with_naming, _apart(row.naming_precision, other.naming_precision)),
        kinds,
    )


def _comparison(ones: Sequence[Ratio], others: Sequence[Ratio], sessions: int, apart: bool) -> Comparison:
    found = statistics.difference(ones, others)
    return Comparison(found, statistics.verdict(found, sessions), apart)


def _apart(one: Interval | None, other: Interval | None) -> bool:
    return one is not None and other is not None and (one.low > other.high or other.low > one.high)


def _hits(sessions: Mapping[str, ArmCounts]) -> list[Ratio]:
    return [Ratio(counts.hits, counts.targets) for _, counts in sorted(sessions.items())]


def _useful(sessions: Mapping[str, ArmCounts]) -> list[Ratio]:
    return [Ratio(counts.useful, counts.shown) for _, counts in sorted(sessions.items())]


def _useful_naming(sessions: Mapping[str, ArmCounts]) -> list[Ratio]:
    return [Ratio(counts.useful_naming, counts.naming) for _, counts in sorted(sessions.items())]


def _of_kind(sessions: Mapping[str, ArmCounts], kind: str) -> list[Ratio]:
    return [Ratio(counts.of(kind).hits, counts.of(kind).targets) for _, counts in sorted(sessions.items())]


def to_json(found: ReplayReport) -> dict[str, object]:
    """Return the report as docs/replay.md describes it, with numbers rounded to four decimals."""
    outcomes = found.played.outcomes
    return {
        "version": VERSION,
        "source": found.played.source,
        "events": found.played.events,
        "sessions": found.sessions,
        "targets": found.targets,
        "rows": [_row_fields(row) for row in found.rows],
        "pairs": [_pair_fields(pair) for pair in found.pairs],
        "descriptive": {
            "turns": outcomes.turns,
            "turns_in_success": _number(outcomes.successes / outcomes.turns if outcomes.turns else None),
            "actions": outcomes.actions,
            "first_attempt_success": _number(outcomes.first_time / outcomes.actions if outcomes.actions else None),
            "attempts_to_first_success": _number(outcomes.attempts / outcomes.actions if outcomes.actions else None),
        },
    }


def _row_fields(row: ArmRow) -> dict[str, object]:
    return {
        "arm": row.arm.name,
        "policy": row.arm.policy or None,
        "budget": row.arm.budget or None,
        **{name: _number(value) for name, value in zip(row.counts._fields[1:], row.counts.numbers, strict=True) if name != "reciprocal"},
        "hit_rate": _interval(row.hit_rate),
        "novel_hit_rate": _interval(row.novel_rate),
        "precision": _interval(row.precision),
        "naming_precision": _interval(row.naming_precision),
        "reciprocal_rank": _number(row.reciprocal),
        "tokens_per_useful": _number(row.price),
        "abstention": _number(row.silent),
        "lift": _interval(row.lift),
        "lift_ratio": _interval(row.ratio),
        "kinds": {
            kind: {"targets": _number(share.tally.targets), "hits": _number(share.tally.hits), "hit_rate": _interval(share.rate), "lift": _interval(share.lift)}
            for kind, share in row.kinds.items()
        },
    }


def _pair_fields(pair: ArmPair) -> dict[str, object]:
    return {
        "budget": pair.one.budget,
        "arm": pair.one.name,
        "policy": pair.one.policy or None,
        "against": pair.other.name,
        "against_policy": pair.other.policy or None,
        "lift": _interval(pair.hits.difference),
        "lift_verdict": pair.hits.verdict,
        "lift_intervals_apart": pair.hits.apart,
        "precision": _interval(pair.precision.difference),
        "precision_verdict": pair.precision.verdict,
        "precision_intervals_apart": pair.precision.apart,
        "naming_precision": _interval(pair.naming.difference),
        "naming_precision_verdict": pair.naming.verdict,
        "naming_precision_intervals_apart": pair.naming.apart,
        "kinds": {kind: {"lift": _interval(found.difference), "lift_verdict": found.verdict} for kind, found in pair.kinds.items()},
    }


def _interval(found: Interval | None) -> dict[str, float | None] | None:
    return None if found is None else {name: _number(value) for name, value in found._asdict().items()}


def _number(value: float | None) -> float | None:
    """Round to four decimals. An infinite value (from the interval of a single session) becomes None, for unknown."""
    return None if value is None or value != value or abs(value) == float("inf") else round(value, 4)
