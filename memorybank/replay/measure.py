"""Measures what one arm achieved in a run: counts per session, from which all numbers of a report are computed.

Source: Self-improving memory cycle, replay design. The counts of the random arm are means of several runs, so counts may be fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memorybank.cycle.event import FAILURE, SUCCESS, TOOL_AFTER, TURN_END
from memorybank.cycle.fold.recorded import LogEvent
from memorybank.replay.fixes import FIX
from memorybank.replay.knowledge import FINDING, REASON, RULE
from memorybank.replay.targets import USED, ShownMemory, Timeline, hits
from memorybank.replay.text_targets import ShownText, ShownTextIndex, TextTarget

EXPOSURE = "exposure"
IN_WORDS = (FIX, RULE, FINDING, REASON)
"""Kinds of targets that a text must contain in words."""
KINDS = (*USED, *IN_WORDS)


class Tally(NamedTuple):
    """Counts of one kind: targets that were wanted, and hits among them."""

    targets: float = 0.0
    hits: float = 0.0

    def plus(self, targets: float, hits: float) -> Tally:
        return Tally(self.targets + targets, self.hits + hits)


class ArmCounts(NamedTuple):
    """Counts of one session, or of all.

    kinds: the tally of each of `KINDS`
    targets, novel, hits, novel_hits: counts of what calls used (`USED`)
    naming: shown memories that name a file, a command or a note which their trigger does not name
    useful: shown memories that were the first to hit a target, of any kind
    useful_naming: those that are both
    fired: moments at which something was shown
    reciprocal: sum over these moments of 1 / rank of the first useful memory
    """

    kinds: Mapping[str, Tally] = {}
    targets: float = 0.0
    novel: float = 0.0
    hits: float = 0.0
    novel_hits: float = 0.0
    shown: float = 0.0
    naming: float = 0.0
    useful: float = 0.0
    useful_naming: float = 0.0
    tokens: float = 0.0
    moments: float = 0.0
    fired: float = 0.0
    reciprocal: float = 0.0

    @property
    def numbers(self) -> tuple[float, ...]:
        """All counts without the kinds."""
        return self[1:]

    def of(self, kind: str) -> Tally:
        return self.kinds.get(kind, Tally())


class OutcomeCounts(NamedTuple):
    """Outcomes in a log, independent of what was shown; for description only.

    turns, successes: turns that ended, and those that ended in success
    actions: fingerprints that succeeded at some point in their context
    attempts: calls of these up to and including the first success
    first_time: actions that succeeded at the first attempt
    """

    turns: int
    successes: int
    actions: int
    attempts: int
    first_time: int


class ReplayFacts(NamedTuple):
    """The facts against which every arm of a run is measured. moments: {session: how often recall was asked}, with an entry for every session."""

    timeline: Timeline
    wanted: Sequence[TextTarget]
    moments: Mapping[str, int]


def measure(facts: ReplayFacts, shown: Sequence[ShownMemory], texts: Iterable[ShownText]) -> dict[str, ArmCounts]:
    """Return {session: counts} of one arm. Uses by calls are compared with the memories shown, what is wanted in words with their texts.

    A target in words makes the first memory useful whose text alone contains it.
    """
    sums: dict[str, dict[str, float]] = {session: defaultdict(float, moments=count) for session, count in facts.moments.items()}
    kinds: dict[str, dict[str, Tally]] = defaultdict(lambda: defaultdict(Tally))
    hit = hits(facts.timeline, shown)
    shown_texts = ShownTextIndex(texts)
    useful = {id(memories[0]) for memories in hit.values()}  # a later memory with the same anchor shows nothing new
    useful |= _useful_in_words(facts.wanted, shown, shown_texts)
    for target in facts.timeline.targets:
        counts = sums.setdefault(target.session, defaultdict(float))
        counts["targets"] += 1
        counts["novel"] += target.novel
        counts["hits"] += target in hit
        counts["novel_hits"] += target.novel and target in hit
        found = kinds[target.session]
        found[target.kind] = found[target.kind].plus(1, target in hit)
    for wanted in facts.wanted:
        sums.setdefault(wanted.session, defaultdict(float))
        found = kinds[wanted.session]
        found[wanted.kind] = found[wanted.kind].plus(1, shown_texts.meets(wanted))
    for firing in _firings(shown):
        counts = sums.setdefault(firing[0].session, defaultdict(float))
        counts["fired"] += 1
        counts["shown"] += len(firing)
        counts["useful"] += sum(id(memory) in useful for memory in firing)
        naming = [memory for memory in firing if any(anchor.partition(":")[0] in USED for anchor in memory.anchors)]
        counts["naming"] += len(naming)
        counts["useful_naming"] += sum(id(memory) in useful for memory in naming)
        counts["tokens"] += sum(memory.tokens for memory in firing)
        counts["reciprocal"] += next((1 / rank for rank, memory in enumerate(firing, 1) if id(memory) in useful), 0.0)
    return {session: ArmCounts(dict(kinds[session]), **counts) for session, counts in sorted(sums.items())}


def total(sessions: Iterable[ArmCounts]) -> ArmCounts:
    """Return the sum over all sessions."""
    listed = list(sessions)
    sums = map(sum, zip(*(counts.numbers for counts in listed), strict=True))
    kinds: dict[str, Tally] = defaultdict(Tally)
    for counts in listed:
        for kind, tally in counts.kinds.items():
            kinds[kind] = kinds[kind].plus(*tally)
    return ArmCounts(dict(kinds), *sums)


def mean(runs: Sequence[Mapping[str, ArmCounts]]) -> dict[str, ArmCounts]:
    """Return the mean of several runs over the same sessions."""
    found = {}
    for session in runs[0]:
        whole = total(run[session] for run in runs)
        kinds = {kind: Tally(tally.targets / len(runs), tally.hits / len(runs)) for kind, tally in whole.kinds.items()}
        found[session] = ArmCounts(kinds, *(value / len(runs) for value in whole.numbers))
    return found


def shown_in(lines: Iterable[LogEvent]) -> list[ShownMemory]:
    """Return the memories that recall itself showed, according to its exposure lines.

    A problem or fix names the command to run by its form (`bun run test`), which is the fingerprint of that command without arguments.
    """
    found = []
    for line in lines:
        if line.event != EXPOSURE:
            continue
        moment = str((line.fields.get("trigger") or {}).get("event"))
        listed = [exposure for exposure in line.fields.get("exposures") or () if exposure.get("shown") is True]
        for rank, exposure in enumerate(listed, 1):
            anchors = tuple(f"cmd{anchor.removeprefix('form')}" if anchor.startswith("form:") else anchor for anchor in exposure.get("anchors") or ())
            holds = frozenset((*anchors, *exposure.get("why", ())))
            found.append(
                ShownMemory(line.session, line.agent, line.offset, moment, rank, str(exposure["memory"]), anchors, int(exposure.get("tokens") or 0), holds)
            )
    return found


def outcome_counts(lines: Iterable[LogEvent]) -> OutcomeCounts:
    """Return the outcomes recorded in the log."""
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
    return OutcomeCounts(turns, successes, actions, attempts, first_time)


def _useful_in_words(wanted: Iterable[TextTarget], shown: Iterable[ShownMemory], texts: ShownTextIndex) -> set[int]:
    """Return the ids (of the objects) of the memories that were the first to contain a target in words."""
    by_name: dict[tuple[str, str, str], ShownMemory] = {}
    for memory in shown:
        by_name.setdefault((memory.session, memory.agent, memory.memory), memory)
    first = (by_name.get((target.session, target.agent, texts.first(target))) for target in wanted)
    return {id(memory) for memory in first if memory is not None}


def _firings(shown: Sequence[ShownMemory]) -> Iterable[list[ShownMemory]]:
    """Return, for each moment at which something was shown, its memories by rank."""
    found: dict[tuple[str, str, int], list[ShownMemory]] = {}
    for memory in shown:
        found.setdefault((memory.session, memory.agent, memory.offset), []).append(memory)
    return (sorted(firing, key=lambda memory: memory.rank) for firing in found.values())
