"""Which memories are shown, in which order, and why: visibility first, then evidence, then the score. Pure.

Self-improving memory cycle, phase 3: score = importance·0.4 + recency·0.3 + role_fit·0.2 + outcome·0.1, plus boosts for the same
task or agent, recent failures and success patterns; ours: plus the context match. Light imports only: hooks load this file.
"""

from __future__ import annotations

from math import log

from memorybank.cycle.event import MAIN
from memorybank.cycle.recall import moments
from memorybank.visibility import Origin, released, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memorybank.config.cycle import CycleSettings
    from memorybank.cycle.importance import Factors
    from memorybank.cycle.recall.query import QueryContext
    from memorybank.visibility import Viewer

EPISODE = "episode"
INDEXED = ("note", EPISODE)
"""The kinds that the working index holds; all others but those of `ROWLESS` are of the cycle's cache."""
TOGETHER = "together"
"""The kind of what is counted when it is asked for."""
TOPIC = "topic"
"""The kind of a topic of episodes, which lies in a file of its own."""
ROWLESS = (TOGETHER, TOPIC)
_DAY = 86_400_000
HALF_LIFE_DAYS = 7
NEUTRAL = 0.5
OTHER_ROLE = 0.4
RECENT_FAILURE = _DAY
MOST_SHADOWS = 3
MOST_SUMMARIES = 1
"""At one moment, beside the last session at a start: the best one. The others are long, and much of them is about something else."""
LEAST_WORDS = 2
"""Without an anchor in common, two different words must be: one word alone is a coincidence."""
SURE_ABOVE = 0.25
NATS = 20
"""At a context match of `min_match` + SURE_ABOVE a memory may be one that chance would bring up; for each hundredth less it must be
NATS / 100 nats less likely. Tuned with scripts/bench/silence --development, and on real questions in both languages."""
MOST_BY_CHANCE = 2.0
"""However much it matches: where chance brings up more than e to this, the words asked are those of half the memories."""
BESIDE_THE_BEST = 0.6
"""Beside a memory that holds most of what is asked, one that holds less than this share of it is about something else."""
_WIDER_THAN: dict[str, tuple[str | None, ...]] = {"public": (), "agent-only": (None, "public"), "private": (None, "public", "agent-only")}
_CHANCES = (0.3, 0.5, 0.7, 0.85, 1.0)


class Memory:
    """One candidate. memory: its id; kind: note episode group lesson session day month; number: its row; at: its newest source (ms);
    importance, contribution: 0..1; role, agent, session: who made it; acl, privacy, hold: as stored; author: human agent tool import.

    known: outcome, novelty (0..1) and user signal (-1..1) of what is no note; factors: all six, where they were asked for.
    protected: a failure with its fix or what a person said; open: a failure that nothing has fixed yet.
    shared: anchors in common with the query; matched: labels of the words it holds, telling: how many of them say more than which
    program is run; named: one of them is so rare that it names what is asked; match: their share of the query by rarity;
    chance: natural logarithm of how many memories at most match so well by chance. names: anchors that its text names, of what has no row.
    sources: of an episode, the session summaries that together tell the same; of a topic, the dates of its episodes.
    """

    __slots__ = (
        *("acl", "agent", "at", "author", "chance", "contribution", "factors", "failed", "fingerprint", "hold", "importance", "key", "kind", "known"),
        *("match", "matched"),
        *(
            "memory",
            "named",
            "names",
            "number",
            "open",
            "privacy",
            "protected",
            "role",
            "session",
            "shared",
            "sources",
            "succeeded",
            "task",
            "telling",
            "text",
            "tool",
        ),
    )

    def __init__(
        self,
        memory: str,
        kind: str,
        number: int,
        at: int,
        *,
        importance: float,
        acl: str | None = None,
        privacy: str | None = None,
        hold: bool = False,
        role: str | None = None,
        session: str | None = None,
        agent: str | None = None,
        task: str | None = None,
        tool: str | None = None,
        fingerprint: str | None = None,
        failed: bool = False,
        succeeded: bool = False,
        author: str = "",
        key: str = "",
        text: str = "",
    ) -> None:
        self.memory = memory
        self.kind = kind
        self.number = number
        self.at = at
        self.importance = importance
        self.contribution = NEUTRAL
        self.factors: Factors | None = None
        self.acl = acl
        self.privacy = privacy
        self.hold = hold
        self.role = role
        self.session = session
        self.agent = agent
        self.task = task
        self.tool = tool
        self.fingerprint = fingerprint
        self.failed = failed
        self.succeeded = succeeded
        self.author = author
        self.key = key
        self.text = text
        self.protected = False
        self.open = False
        self.known = (NEUTRAL, NEUTRAL, 0)
        self.shared: Sequence[str] = ()
        self.matched: Sequence[str] = ()
        self.match = 0.0
        self.chance = 0.0
        self.telling = 0
        self.names: Sequence[str] = ()
        self.sources: Sequence[str] = ()
        self.named = False

    @property
    def is_routine(self) -> bool:
        """Calls of a command without one failure."""
        return self.kind == "group" and self.tool == "Bash" and not self.failed

    def __repr__(self) -> str:
        return f"Memory({self.memory!r}, match={self.match:.2f}, shared={list(self.shared)!r})"


class Recollection:
    """A memory with its score: parts as they add up (weights applied), sum of them (unclamped, orders), score: min(1, sum)."""

    __slots__ = ("memory", "parts", "sum")

    def __init__(self, memory: Memory, parts: dict[str, float]) -> None:
        self.memory = memory
        self.parts = parts
        self.sum = sum(parts.values())

    @property
    def score(self) -> float:
        return min(1.0, self.sum)

    def __repr__(self) -> str:
        return f"Recollection({self.memory.memory!r}, {self.sum:.3f})"


def rank(memories: Iterable[Memory], query: QueryContext, viewer: Viewer, settings: CycleSettings, now: int) -> tuple[list[Recollection], list[Recollection]]:
    """(what may be shown, best first; what almost was, at most `MOST_SHADOWS` and nothing that the viewer may not see)."""
    recall = settings.recall
    seen = [memory for memory in memories if may_see(memory, viewer, settings, now)]
    proven = [has_reason(memory, query, viewer, settings) for memory in seen]
    best = max((memory.match for memory, is_proven in zip(seen, proven, strict=True) if is_proven), default=0.0)
    earned: list[Recollection] = []
    near: list[Recollection] = []
    for memory, is_proven in zip(seen, proven, strict=True):
        recollection = recollect(memory, query, viewer, settings, now)
        fits = is_proven and (bool(memory.shared or memory.named) or not query.needs_evidence or memory.match >= BESIDE_THE_BEST * best)
        if fits and recollection.sum >= recall.min_score:
            earned.append(recollection)
        elif is_proven or not query.needs_evidence or memory.match >= recall.min_match:
            near.append(recollection)
    earned.sort(key=_order)
    spare = [one for one in earned if moments.is_summary(one.memory) and not is_asked_for(one.memory)][MOST_SUMMARIES:]
    earned = [recollection for recollection in earned if recollection not in spare]
    near += spare
    near.sort(key=_order)
    return earned, near[:MOST_SHADOWS]


def is_asked_for(memory: Memory) -> bool:
    """Whether it is the episode of a day that the prompt names."""
    return memory.kind == EPISODE and bool(memory.shared)


def has_reason(memory: Memory, query: QueryContext, viewer: Viewer, settings: CycleSettings) -> bool:
    """Whether there is a reason to tell it now. A day is told when it is asked for: what lies close by, a session's start tells."""
    if not query.needs_evidence and memory.kind != EPISODE:
        return has_claim(memory, query, viewer, frugal=settings.budgets.session_tokens > 0)
    least = settings.recall.min_match
    return has_evidence(memory, least) and moments.is_worth(memory, query, least)


def may_see(memory: Memory, viewer: Viewer, settings: CycleSettings, now: int) -> bool:
    """The one access rule, after what time and the settings release."""
    return sees(memory.kind, memory.at, memory.acl, memory.privacy, memory.hold, memory.role, memory.session, memory.agent, viewer, settings, now)


def sees(
    kind: str,
    at: int,
    acl: str | None,
    privacy: str | None,
    hold: bool,
    role: str | None,
    session: str | None,
    agent: str | None,
    viewer: Viewer,
    settings: CycleSettings,
    now: int,
) -> bool:
    """The same for the columns of a row. The settings lower what sub-agents learned at once (`subagent_lessons`), and time releases
    privacy: never what a rule lowered, never a note."""
    if not hold and kind != "note":
        if kind == "lesson" and agent != MAIN and privacy in _WIDER_THAN[settings.subagent_lessons]:
            privacy = settings.subagent_lessons
        if settings.timed_release:
            privacy = released(privacy, now - at)
    return visible(acl, privacy, Origin(role=role, session=session, agent=agent), viewer)


def has_evidence(memory: Memory, min_match: float) -> bool:
    """A shared anchor, a word that names what is asked, or enough of the query's words, so that it is no coincidence: the less they are,
    the less likely by chance.

    A command that only ever went well (`git status`) is run everywhere: an anchor alone, or one word, proves nothing of it.
    """
    if (memory.shared or memory.named) and not memory.is_routine:
        return True
    if memory.match < min_match or memory.telling < LEAST_WORDS:
        return False
    return memory.chance <= min(MOST_BY_CHANCE, NATS * (memory.match - min_match - SURE_ABOVE))


def has_claim(memory: Memory, query: QueryContext, viewer: Viewer, *, frugal: bool = False) -> bool:
    """Whether a memory may be told where nothing is asked yet: what people wrote or said, what was learned, how a session went, and work on
    the same task. A single call or a day of them is no more likely to matter than any other.

    frugal: a session's tokens are limited, and are kept for what is asked: only what is counted over sessions, and the same task.
    """
    if memory.kind == TOGETHER or _same_task(memory, query, viewer):
        return True
    return not frugal and (memory.protected or memory.kind in ("note", "session"))


def chance_of(words: Iterable[float], memories: int) -> list[tuple[float, float]]:
    """[(θ, offset)] such that `θ` times the surprise that a memory matched with, taken from `offset`, bounds the chance from above.

    words: for each word of the query the share of memories that hold it; a memory's surprise is the sum of -log(share) over the
    words it holds. Chernoff's bound for independent words, times the number of memories.
    """
    shares = list(words)
    return [(theta, log(max(memories, 1)) + sum(log(1 + share ** (1 - theta) - share) for share in shares)) for theta in _CHANCES]


def chance(bounds: Sequence[tuple[float, float]], surprise: float) -> float:
    """The natural logarithm of the bound for one memory."""
    return min(offset - theta * surprise for theta, offset in bounds)


def recollect(memory: Memory, query: QueryContext, viewer: Viewer, settings: CycleSettings, now: int) -> Recollection:
    """The memory with its score, whether or not it is shown."""
    return Recollection(memory, _parts(memory, query, viewer, settings, now))


def _parts(memory: Memory, query: QueryContext, viewer: Viewer, settings: CycleSettings, now: int) -> dict[str, float]:
    weights, boosts = settings.recall.weights, settings.recall.boosts
    age = max(0, now - memory.at)
    parts = {
        "importance": weights.importance * memory.importance,
        "recency": weights.recency * 2 ** (-age / (HALF_LIFE_DAYS * _DAY)),
        "role_fit": weights.role_fit * _role_fit(memory.role, viewer.role),
        "outcome": weights.outcome * memory.contribution,
    }
    if _same_task(memory, query, viewer):
        parts["same_task"] = boosts.same_task
    if memory.failed and _is_recent_failure(memory, query, viewer, age):
        parts["recent_failure"] = boosts.recent_failure
    if memory.succeeded and memory.fingerprint is not None and memory.fingerprint == query.fingerprint:
        parts["success_pattern"] = boosts.success_pattern
    if memory.match:
        parts["context_match"] = boosts.context_match * memory.match
    return parts


def _role_fit(role: str | None, reader: str | None) -> float:
    if role is None or reader is None:
        return NEUTRAL
    return 1.0 if role == reader else OTHER_ROLE


def _same_task(memory: Memory, query: QueryContext, viewer: Viewer) -> bool:
    """The same task, or the same sub-agent; every main agent is called alike and is none in particular."""
    return (memory.task is not None and memory.task == query.task) or (memory.agent is not None and memory.agent == viewer.agent != MAIN)


def _is_recent_failure(memory: Memory, query: QueryContext, viewer: Viewer, age: int) -> bool:
    if age > RECENT_FAILURE and (memory.session is None or memory.session != viewer.session):
        return False
    return (memory.tool is not None and memory.tool == query.tool) or any(anchor.startswith("file:") for anchor in memory.shared)


def _order(recollection: Recollection) -> tuple[float, str]:
    return -recollection.sum, recollection.memory.memory
