"""The runs that a report needs: one without recall, shared by all baselines, and one with recall for each policy and budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memorybank.config.cycle import CycleSettings
from memorybank.config.group import replaced
from memorybank.cycle.fold.recorded import EXPOSURES
from memorybank.replay import arms, measure
from memorybank.replay.fixes import fixes
from memorybank.replay.knowledge import knowledge
from memorybank.replay.measure import ArmCounts, OutcomeCounts, ReplayFacts
from memorybank.replay.play import Progress, ReplayRun, play, scratch
from memorybank.replay.pool import PoolEntry, notes
from memorybank.replay.sources import ReplaySource
from memorybank.replay.targets import ViewingScope, timeline

MEMORYBANK, NONE = "memorybank", "none"
ARMS = (NONE, arms.RANDOM, arms.RECENT, arms.FREQUENT, arms.KEYWORD, MEMORYBANK)
FROZEN, LEARNING = "frozen", "learning"
POLICIES = (FROZEN, LEARNING)
BUDGETS = (250, 500, 1_000, 2_000, 4_000)
"""Tokens per session at which arms are compared. A number without a budget is worthless: an arm that shows everything hits nearly everything."""


class Arm(NamedTuple):
    """One arm at one budget. policy: memorybank's policy, "" for baselines; budget: tokens per session."""

    name: str
    policy: str
    budget: int


class ReplayPlan(NamedTuple):
    arms: Sequence[str]
    policies: Sequence[str]
    budgets: Sequence[int]

    @property
    def baselines(self) -> list[str]:
        """The baselines to run. Random is always among them, because the others' numbers mean nothing without it."""
        return [arm for arm in arms.BASELINES if arm in self.arms or arm == arms.RANDOM]

    @property
    def runs(self) -> int:
        return 1 + (len(self.policies) * len(self.budgets) if MEMORYBANK in self.arms else 0)


class ReplayResult(NamedTuple):
    """The results of the runs over one source. outcomes: in the log; sessions: {arm: {session: counts}}."""

    source: str
    events: int
    outcomes: OutcomeCounts
    sessions: dict[Arm, Mapping[str, ArmCounts]]


def run(source: ReplaySource, plan: ReplayPlan, settings: CycleSettings, progress: Progress) -> ReplayResult:
    """Play all runs that the plan needs, one after the other.

    progress: called with the events played so far and the events of all runs.
    """
    done = 0
    whole = plan.runs * len(source.events)

    def step(played: int, _: int) -> None:
        progress(done + played, whole)

    found = baselines(source, plan, settings, step)
    if MEMORYBANK in plan.arms:
        for policy in plan.policies:
            for budget in plan.budgets:
                done += len(source.events)
                found.sessions[Arm(MEMORYBANK, policy, budget)] = recalled(source, settings, policy, budget, step)
    return found


def pooled(plays: Sequence[ReplayResult]) -> ReplayResult:
    """Return the results of several sources with the same arms as one result that contains all their sessions."""
    sessions: dict[Arm, Mapping[str, ArmCounts]] = {}
    for arm in plays[0].sessions:
        sessions[arm] = {f"{played.source}/{session}": counts for played in plays for session, counts in played.sessions[arm].items()}
    outcomes = OutcomeCounts(*map(sum, zip(*(played.outcomes for played in plays), strict=True)))
    return ReplayResult(", ".join(played.source for played in plays), sum(played.events for played in plays), outcomes, sessions)


def baselines(source: ReplaySource, plan: ReplayPlan, settings: CycleSettings, progress: Progress) -> ReplayResult:
    """Play one run without recall, and return its targets, the outcomes in its log, and every baseline at every budget."""
    sessions: dict[Arm, Mapping[str, ArmCounts]] = {}
    with scratch(source, silent(settings)) as base:
        taking = arms.Baselines(base, plan.baselines, plan.budgets)
        played = play(base, source, progress, taking.asked)
        facts = _facts(source, played, taking.pool.notes, settings)
    if NONE in plan.arms:
        sessions[Arm(NONE, "", 0)] = measure.measure(facts, [], [])
    for arm in plan.baselines:
        for budget in plan.budgets:
            seeds = [measure.measure(facts, one.shown, one.texts) for one in taking.runs if (one.arm, one.budget) == (arm, budget)]
            sessions[Arm(arm, "", budget)] = measure.mean(seeds)
    return ReplayResult(source.name, len(source.events), measure.outcome_counts(played.lines), sessions)


def recalled(source: ReplaySource, settings: CycleSettings, policy: str, budget: int, progress: Progress) -> Mapping[str, ArmCounts]:
    """Play one run with recall and return {session: counts}. budget: tokens per session."""
    with scratch(source, live(settings, policy, budget)) as base:
        noted = notes(base)
        played = play(base, source, progress)
        return measure.measure(_facts(source, played, noted, settings), measure.shown_in(played.lines), played.texts)


def _facts(source: ReplaySource, played: ReplayRun, noted: Iterable[PoolEntry], settings: CycleSettings) -> ReplayFacts:
    moments = Counter(line.session for line in played.lines if line.event not in EXPOSURES)
    asked = Counter(moment.session for moment in played.moments)
    wanted = [*fixes(source.events), *knowledge(source.events)]
    return ReplayFacts(timeline(played.lines, _held(noted), settings), wanted, {session: asked[session] for session in sorted(moments | asked)})


def _held(noted: Iterable[PoolEntry]) -> dict[str, list[ViewingScope]]:
    """Return {anchor: who may see the notes with this anchor}, for the notes that exist from the beginning."""
    found: dict[str, list[ViewingScope]] = {}
    for entry in noted:
        memory = entry.memory
        viewing = ViewingScope("note", memory.acl, memory.privacy, False, memory.role, memory.session, memory.agent)
        for anchor in entry.anchors:
            found.setdefault(anchor, []).append(viewing)
    return found


def silent(settings: CycleSettings) -> CycleSettings:
    """Return the settings with recall off, so that the log does not depend on what any baseline shows."""
    return replaced(settings, phases=replaced(settings.phases, record=True, organize=True, recall=False, improve=False), session_episodes=False)


def live(settings: CycleSettings, policy: str, budget: int, *, episodes: bool = False) -> CycleSettings:
    """Return the settings with recall on, its policy frozen or learning, and this budget of tokens per session.

    episodes: whether the episodes are shown at the start of a session. In a comparison they are not, because no other arm shows them.
    """
    phases = replaced(settings.phases, record=True, organize=True, recall=True, improve=policy == LEARNING)
    units = settings.budgets.episodes if episodes else 0
    budgets = replaced(settings.budgets, session_tokens=budget, episodes=units, personal=0, team=0)
    return replaced(settings, phases=phases, budgets=budgets, session_episodes=episodes and settings.session_episodes)
