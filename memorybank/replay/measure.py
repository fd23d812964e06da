"""What one arm reached in a run: counts a session, from which every number of a report is made. Pure.

Source: Self-improving memory cycle, replay design. Numbers of several runs of the random arm are means, so counts may be fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memorybank.cycle.event import FAILURE, SUCCESS, TOOL_AFTER, TURN_END
from memorybank.cycle.fold.recorded import Recorded
from memorybank.replay.repeats import Repeat, covered
from memorybank.replay.targets import Shown, Timeline, hits

EXPOSURE = "exposure"


class Counts(NamedTuple):
    """Of one session, or of all. fired: moments at which something was shown; reciprocal: sum over these of 1 / rank of the first useful
    memory; repeats, covered: repeated failures, and those whose fix was shown in time."""

    targets: float = 0.0
    novel: float = 0.0
    hits: float = 0.0
    novel_hits: float = 0.0
    shown: float = 0.0
    useful: float = 0.0
    tokens: float = 0.0
    moments: float = 0.0
    fired: float = 0.0
    reciprocal: float = 0.0
    repeats: float = 0.0
    covered: float = 0.0


class Told(NamedTuple):
    """What happened, whatever was shown; descriptive only. turns, successes: ended turns, and in success; actions, attempts: fingerprints of
    a context that succeeded at last, and their calls up to the first success; first_time: of these, those at the first."""

    turns: int
    successes: int
    actions: int
    attempts: int
    first_time: int


def measure(timeline: Timeline, repeated: Sequence[Repeat], moments: Mapping[str, int], shown: Sequence[Shown]) -> dict[str, Counts]:
    """{session: counts} of one arm. moments: {session: how often memory was asked for}; it names every session."""
    found: dict[str, dict[str, float]] = {session: defaultdict(float, moments=count) for session, count in moments.items()}
    hit = hits(timeline, shown)
    useful = {id(told[0]) for told in hit.values()}  # who tells it again tells nothing
    for target in timeline.targets:
        counts = found.setdefault(target.session, defaultdict(float))
        counts["targets"] += 1
        counts["novel"] += target.novel
        counts["hits"] += target in hit
        counts["novel_hits"] += target.novel and target in hit
    for repeat in repeated:
        found.setdefault(repeat.session, defaultdict(float))["repeats"] += 1
    for repeat in covered(repeated, shown):
        found[repeat.session]["covered"] += 1
    for firing in _firings(shown):
        counts = found.setdefault(firing[0].session, defaultdict(float))
        counts["fired"] += 1
        counts["shown"] += len(firing)
        counts["useful"] += sum(id(memory) in useful for memory in firing)
        counts["tokens"] += sum(memory.tokens for memory in firing)
        counts["reciprocal"] += next((1 / rank for rank, memory in enumerate(firing, 1) if id(memory) in useful), 0.0)
    return {session: Counts(**counts) for session, counts in sorted(found.items())}


def total(sessions: Iterable[Counts]) -> Counts:
    return Counts(*map(sum, zip(*sessions, strict=True))) if (sessions := list(sessions)) else Counts()


def mean(runs: Sequence[Mapping[str, Counts]]) -> dict[str, Counts]:
    """The mean of several runs over the same sessions."""
    return {session: Counts(*(sum(values) / len(runs) for values in zip(*(run[session] for run in runs), strict=True))) for session in runs[0]}


def shown_in(lines: Iterable[Recorded]) -> list[Shown]:
    """What recall itself showed, from its exposure lines."""
    found = []
    for line in lines:
        if line.event != EXPOSURE:
            continue
        moment = str((line.fields.get("trigger") or {}).get("event"))
        listed = [exposure for exposure in line.fields.get("exposures") or () if exposure.get("shown") is True]
        for rank, exposure in enumerate(listed, 1):
            anchors = tuple(exposure.get("anchors") or ())
            holds = frozenset((*anchors, *exposure.get("why", ())))
            found.append(Shown(line.session, line.agent, line.offset, moment, rank, str(exposure["memory"]), anchors, int(exposure.get("tokens") or 0), holds))
    return found


def told(lines: Iterable[Recorded]) -> Told:
    """What the log says of outcomes."""
    turns = successes = actions = attempts = first_time = 0
    tried: dict[tuple[str, str, str], int] = {}
    done: set[tuple[str, str, str]] = set()
    for line in lines:
        if line.event == TURN_END:
            turns += 1
            successes += line.status == SUCCESS
        elif line.event == TOOL_AFTER and line.fingerprint is not None and line.status in (SUCCESS, FAILURE):
            key = (line.session, line.agent, line.fingerprint)
            if key in done:
                continue
            tried[key] = tried.get(key, 0) + 1
            if line.status == SUCCESS:
                done.add(key)
                actions += 1
                attempts += tried[key]
                first_time += tried[key] == 1
    return Told(turns, successes, actions, attempts, first_time)


def _firings(shown: Sequence[Shown]) -> Iterable[list[Shown]]:
    """The memories of each moment at which something was shown, by rank."""
    found: dict[tuple[str, str, int], list[Shown]] = {}
    for memory in shown:
        found.setdefault((memory.session, memory.agent, memory.offset), []).append(memory)
    return (sorted(firing, key=lambda memory: memory.rank) for firing in found.values())
