"""Learning: from the samples of exposures to the next policy, in small steps that a person can check.

Self-improving memory cycle, phase 4; Complete cycle design, "Policy Updates (Automatic)". Every rule needs evidence, every step is bounded, and without
evidence nothing changes. Learning uses exposures alone, never the text of a memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt, tanh

from memorybank.config.cycle import RecallWeights
from memorybank.cycle.improve import interval, occasions
from memorybank.cycle.policy import EXCLUSIONS, WEIGHTS, is_pinned, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from memorybank.config.cycle import CycleSettings

LOOKED_AT = 200
"""Maximum number of judged exposures by which a value is tested: the newest of those ranked since the value last moved."""
LEAST = 30
"""Minimum number of exposures that can move a value."""
SURE = 3.0
"""Minimum absolute t-statistic that moves a weight. The test is repeated after every session, and with many tests a value of 2 occurs by chance."""
STEP = 0.05
FLOOR = 0.05
"""Minimum of every weight: a part with the weight 0 could never prove itself again."""
LEAST_SHARE, MOST_SHARE = 0.5, 2.0
"""A weight also stays between half and double of its setting: chance must not move it further than a person would."""
SELDOM, OFTEN = 0.1, 0.4
"""Shares of used memories in the last band, below and above which its threshold moves by one step."""
TOP_K, MIN_MATCH, MIN_SCORE = "top_k", "min_match", "min_score"
NOTCHES = {TOP_K: 1.0, MIN_MATCH: 0.02, MIN_SCORE: 0.02}
WIDEST = {TOP_K: 20.0, MIN_MATCH: 0.1, MIN_SCORE: 0.1}
LAST_BAND = 0.1
"""Width of the last band above the thresholds of context match and score."""
LEAST_OF_AN_OCCASION, LEAST_SESSIONS = 30, 6
"""Minimum exposures on an occasion, and sessions they come from: a few unusual sessions say nothing about a kind."""
WORTHLESS = 0.05
"""An occasion is excluded when the used share is below this with confidence (upper end of the 99 % interval)."""
REDEEMED = 1.2
"""An exclusion ends when the share that would have been used exceeds the exclusion threshold by this factor."""


@dataclass(frozen=True, slots=True)
class JudgedExposure:
    """One exposure with its sample, the input of learning.

    rank: its position in the ranking, from 1
    anchored: whether it shared an anchor with the moment
    shown: False for a shadow exposure; excluded: whether that would have been shown without an exclusion
    version: of the policy by which it was ranked
    """

    memory: str
    rank: int
    sample: float
    parts: dict[str, float] = field(default_factory=dict)
    score: float = 0.0
    match: float = 0.0
    anchored: bool = False
    occasion: str = ""
    shown: bool = True
    version: int = 0
    session: str = ""
    moment: str = ""
    excluded: bool = False

    @property
    def used(self) -> bool:
        """Whether the memory was used."""
        return self.sample > 0


@dataclass(slots=True)
class PolicyProposal:
    """The next policy, changed rule by rule: all values and exclusions, {key: figures} as evidence, and a sentence for each change."""

    values: dict[str, float]
    exclusions: tuple[str, ...]
    evidence: dict[str, Any] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)


def propose(
    judged: Sequence[JudgedExposure],
    values: dict[str, float],
    exclusions: Iterable[str],
    since: Mapping[str, int],
    settings: CycleSettings,
) -> PolicyProposal | None:
    """Return the policy that the evidence suggests, or None when nothing is certain enough.

    judged: exposures of finished sessions, newest first
    values, exclusions: those in force now; exclusions of an earlier version that name no occasion are dropped
    since: {unit or occasion: the version at which it last changed}; only exposures ranked from then on count
    settings: the settings as a person wrote them, with their pins
    """
    proposal = PolicyProposal(dict(values), tuple(filter(occasions.is_occasion, exclusions)))
    if not is_pinned(WEIGHTS, settings):
        _weigh(proposal, _since(judged, since, WEIGHTS), settings)
    for key in (TOP_K, MIN_MATCH, MIN_SCORE):
        if not is_pinned(key, settings):
            _notch(proposal, key, values_of(settings)[key], [one for one in _since(judged, since, key) if one.shown])
    if not is_pinned(EXCLUSIONS, settings):
        _exclude(proposal, judged, since)
    return proposal if proposal.reasons else None


def t_statistic(pairs: Sequence[tuple[float, float]], strata: Sequence[str], clusters: Sequence[str]) -> float:
    """Return how many standard errors the covariance of two series is from 0.

    strata: pairs are compared only within a stratum; differences between strata are ignored
    clusters: pairs of one cluster are not independent, so the error is that of the clusters' sums (Liang and Zeger 1986); with n clusters the result is
        at most √n
    """
    groups: dict[str, list[tuple[float, float]]] = {}
    for pair, stratum in zip(pairs, strata, strict=True):
        groups.setdefault(stratum, []).append(pair)
    means = {stratum: [sum(pair[side] for pair in group) / len(group) for side in (0, 1)] for stratum, group in groups.items()}
    sums: dict[str, float] = {}
    for (one, other), stratum, cluster in zip(pairs, strata, clusters, strict=True):
        first, second = means[stratum]
        sums[cluster] = sums.get(cluster, 0.0) + (one - first) * (other - second)
    spread = sum(value * value for value in sums.values())
    return sum(sums.values()) / sqrt(spread) if spread > 1e-18 else 0.0


def stepped(weights: Mapping[str, float], steps: Mapping[str, float], configured: Mapping[str, float], fixed: Iterable[str] = ()) -> dict[str, float]:
    """Return the weights after their steps, with an unchanged sum.

    No weight goes further outside the corridor around its setting than it already was. The fixed ones do not move.
    """
    free = [name for name in weights if name not in set(fixed)]
    room = sum(weights[name] for name in free)
    bounds = {name: _corridor(configured[name], weights[name]) for name in free}
    moved = {name: weights[name] + steps.get(name, 0.0) for name in free}
    low, high = 0.0, 1.0  # bisection finds the factor that restores the sum: the clamped sum grows with it
    # When the upper bounds add up to less than the sum, no factor is large enough, so the search is limited.
    while sum(_clamped(moved, bounds, high)) < room and high < 1 << 10:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(_clamped(moved, bounds, middle)) < room else (low, middle)
    scaled = dict(zip(free, _clamped(moved, bounds, high), strict=True))
    return {name: round(scaled.get(name, weight), 6) for name, weight in weights.items()}


def _corridor(configured: float, now: float) -> tuple[float, float]:
    """Return the allowed range of a weight: half to double of its setting, never below `FLOOR`, extended to the current value."""
    least = max(FLOOR, configured * LEAST_SHARE)
    return min(now, least), max(now, least, min(1.0, configured * MOST_SHARE))


def _clamped(weights: Mapping[str, float], bounds: Mapping[str, tuple[float, float]], factor: float) -> list[float]:
    return [min(bounds[name][1], max(bounds[name][0], weight * factor)) for name, weight in weights.items()]


def _since(judged: Sequence[JudgedExposure], since: Mapping[str, int], changed: str) -> list[JudgedExposure]:
    """Return the exposures ranked since a value changed, newest first: evidence that has moved a value once is used up."""
    return [one for one in judged if one.version >= since.get(changed, 0)]


def _weigh(proposal: PolicyProposal, ranked: Sequence[JudgedExposure], settings: CycleSettings) -> None:
    """Move the weights by the correlation of their parts with the samples, within exposures of the same moment.

    Shadow exposures count too: among shown memories alone, a high part compensates for a low one, which would distort the correlation.
    """
    steps: dict[str, float] = {}
    pinned = [name for name in RecallWeights.keys if is_pinned(f"{WEIGHTS}.{name}", settings)]
    for name in RecallWeights.keys:
        judged = [one for one in ranked if name in one.parts][:LOOKED_AT]
        told = [(one.parts[name], one.sample) for one in judged]
        t = t_statistic(told, [one.moment for one in judged], [one.session for one in judged])
        if len(told) < LEAST or abs(t) < SURE or name in pinned:
            continue
        steps[name] = STEP * tanh(t / 2)
        proposal.evidence[f"{WEIGHTS}.{name}"] = {"exposures": len(told), "t": round(t, 2)}
    if not steps:
        return
    before, own = ({name: values[f"{WEIGHTS}.{name}"] for name in RecallWeights.keys} for values in (proposal.values, values_of(settings)))
    after = stepped(before, steps, own, pinned)
    for name, step in steps.items():
        key = f"{WEIGHTS}.{name}"
        if round(after[name], 4) == round(before[name], 4):
            proposal.evidence.pop(key)
            continue
        moved = "more" if step > 0 else "less"
        figures = proposal.evidence[key]
        proposal.reasons.append(
            f"{key} {before[name]:.3f} → {after[name]:.3f}: of the last {figures['exposures']} memories ranked, those that scored high on it were used"
            f" {moved} often (t = {figures['t']:+.1f})"
        )
    if proposal.evidence:
        proposal.values.update({f"{WEIGHTS}.{name}": weight for name, weight in after.items()})


def _notch(proposal: PolicyProposal, key: str, configured: float, shown: Sequence[JudgedExposure]) -> None:
    """Move a threshold by one notch when nearly nothing, or a lot, of what is just inside it is used.

    A threshold can only become more permissive than the settings, never stricter. It applies to all kinds, and notes by people must not be held back
    because of the worth of other memories.
    """
    border = proposal.values[key]
    end = border + LAST_BAND
    if key == TOP_K:
        band, told = [one for one in shown if one.rank == int(border)], f"at rank {border:g}, the last one,"
    elif key == MIN_MATCH:
        band, told = [one for one in shown if not one.anchored and border <= one.match < end], f"whose context match was below {end:.2f}"
    else:
        band, told = [one for one in shown if border <= one.score < end], f"whose score was below {end:.2f}"
    band = band[:LOOKED_AT]
    share = sum(one.used for one in band) / len(band) if band else 0.0
    if len(band) < LEAST or SELDOM <= share <= OFTEN:
        return
    wider = share > OFTEN
    low, high = (configured, max(configured, WIDEST[key])) if key == TOP_K else (min(configured, WIDEST[key]), configured)
    moved = round(min(high, max(low, border + NOTCHES[key] * (1 if (key == TOP_K) == wider else -1))), 4)
    if moved == border or not low <= border <= high:
        return
    proposal.values[key] = moved
    proposal.evidence[key] = {"exposures": len(band), "used": round(share, 3)}
    proposal.reasons.append(f"{key} {border:g} → {moved:g}: of {len(band)} memories {told} {share:.0%} were used")


def _exclude(proposal: PolicyProposal, judged: Sequence[JudgedExposure], since: Mapping[str, int]) -> None:
    """Exclude the occasions that proved worthless, and end the exclusions that were redeemed."""
    before = proposal.exclusions
    found: dict[str, list[JudgedExposure]] = {}
    for one in judged:
        if occasions.is_occasion(one.occasion) and one.version >= since.get(one.occasion, 0) and (one.shown or (one.excluded and one.occasion in before)):
            found.setdefault(one.occasion, []).append(one)
    kept = set(before)
    for occasion, exposures in sorted(found.items()):
        newest = exposures[:LOOKED_AT]
        if len(newest) < LEAST_OF_AN_OCCASION or len({one.session for one in newest}) < LEAST_SESSIONS:
            continue
        used = interval.wilson(sum(one.used for one in newest), len(newest), interval.SURE)
        if used is None:
            continue
        figures = {"exposures": len(newest), "used": round(used.value, 3), "least": WORTHLESS}
        if occasion in kept and used.value >= REDEEMED * WORTHLESS:
            kept.remove(occasion)
            proposal.evidence[f"{EXCLUSIONS}.{occasion}"] = figures
            proposal.reasons.append(f"{occasion} is shown again: {used.value:.0%} of {len(newest)} memories of this kind were or would have been used")
        elif occasion not in kept and used.high < WORTHLESS:
            kept.add(occasion)
            proposal.evidence[f"{EXCLUSIONS}.{occasion}"] = figures
            proposal.reasons.append(f"{occasion} is left out: {used.value:.0%} of {len(newest)} memories of this kind were used")
    proposal.exclusions = tuple(sorted(kept))
