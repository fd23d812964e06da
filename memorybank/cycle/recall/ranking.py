"""Decides which memories are shown, in which order, and why: visibility first, then evidence, then how well a memory fits, then its score.

Self-improving memory cycle, phase 3: score = importance·0.4 + recency·0.3 + role_fit·0.2 + outcome·0.1, plus boosts for the same task
or agent and for recent failures, plus the context match. The relevance decides the band, the score the order within it.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY
from memorybank.cycle.event import MAIN, TOOL_BEFORE
from memorybank.cycle.fold.kinds import RULE
from memorybank.reasons.reason import Reason
from memorybank.values import Value
from memorybank.visibility import Origin, released, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memorybank.config.cycle import CycleSettings
    from memorybank.cycle.recall.query import QueryContext
    from memorybank.visibility import Viewer

NOTE, EPISODE, TOPIC, SESSION = "note", "episode", "topic", "session"
PERSONAL, TEAM = "personal", "team"
"""Names of the other banks that sessions are shown: the person's own one, and what a team shares."""
INDEXED = (NOTE, EPISODE)
"""The kinds that the working index contains."""
HUMAN = "human"
ALREADY_SHOWN = Reason("recall.already_shown")
SAID_HERE, SAID_ALREADY = Reason("recall.said_here"), Reason("recall.said_already")
INSTRUCTS, ALLOWS = Reason("recall.instructs"), Reason("recall.allows")
"""A memory of another bank is not shown where the repository shows the same itself."""
HALF_LIFE_DAYS = 7
NEUTRAL = 0.5
OTHER_ROLE = 0.4
RECENT_FAILURE = DAY
MOST_NEAR = 12
LEAST_WORDS = 2
"""Without a shared anchor, at least this many different words must match: one shared word is a coincidence."""
SURE_ABOVE = 0.15
NATS = 20
"""At a context match of `min_match` + SURE_ABOVE a note may be one that chance would find. For each hundredth less it must be NATS / 100 nats
less likely. Tuned with scripts/bench/silence --development, and on real questions in both languages."""
MOST_BY_CHANCE = 1.0
"""However well a note matches: where chance would find more than e to this power of notes, the words of the query are common in this bank."""
TITLE_NATS = 2.0
"""A match that is entirely in a title or in tags may be this many nats more likely by chance than one in the text: its words are what the note is about."""
LEAST_OF_THE_BEST = 0.82
"""A note whose match is less than this share of the best match is about something else."""
EPISODE_EXTRA_MATCH = 0.25
"""An episode contains many words, so it must match this much more of the question than `min_match`."""
_BAND = 0.25
"""Width of a band: memories whose relevance differs by less than this share of the best one are in the same band."""
_WIDER_THAN: dict[str, tuple[str | None, ...]] = {"public": (), "agent-only": (None, "public"), "private": (None, "public", "agent-only")}
LEARNED = "problem"
"""The kind that is learned from failures. The setting `subagent_lessons` decides who may see what a sub-agent learned."""


class Memory(Value, frozen=False):
    """One candidate.

    kind: note, episode, topic, problem, rule, finding, files or session.
    number: its row in the index or the cache; 0 for none.
    at: instant of its newest source (ms).
    acl, privacy, hold: who may see it, as stored. role, session, agent: who created it.
    author: human, agent, tool or import.
    made_by: the model that named it; "" for everything else.
    source: the place where a reader finds it.
    shared: anchors in common with the query.
    matched, match: words in common with the query, and their share of the query by rarity.
    titled: the part of the match in the title or the tags, which say what a note is about.
    named: whether one of these words is so rare that it names the subject.
    chance: natural logarithm of the number of notes that at most match so well by chance.
    importance, contribution, relevance: 0..1, the last relative to the best.
    names, terms: anchors in its text, and words whose later occurrence shows that it was used.
    sources: of an episode, the session summaries that together say the same; of a topic, the dates of its episodes.
    newer: the row of the note that supersedes what it would show; 0 for none.
    labelled: how well its title names a number or letter of the question (`labels.in_titles`).
    is_answered: of an earlier request, whether it says what came of it.
    quoted: of a note, the sentence that is shown alone; "" for its best part.
    refused: why what a session said may not be shown; None when it may.
    """

    memory: str
    kind: str
    number: int
    at: int
    importance: float
    acl: str | None = None
    privacy: str | None = None
    hold: bool = False
    role: str | None = None
    session: str | None = None
    agent: str | None = None
    task: str | None = None
    fingerprint: str | None = None
    author: str = ""
    key: str = ""
    text: str = ""
    made_by: str = ""
    source: str = ""
    contribution: float = NEUTRAL
    shared: Sequence[str] = ()
    matched: Sequence[str] = ()
    match: float = 0.0
    titled: float = 0.0
    named: bool = False
    chance: float = 0.0
    relevance: float = 0.0
    names: Sequence[str] = ()
    terms: Sequence[str] = ()
    sources: Sequence[str] = ()
    newer: int = 0
    labelled: int = 0
    is_answered: bool = False
    quoted: str = ""
    refused: Reason | None = None

    @property
    def fit(self) -> float:
        """How well an indexed memory fits: its match, where the title and the tags count twice."""
        return self.match + self.titled


class Recollection(Value, frozen=False):
    """A memory with the weighted parts of its score, and the reason why it is not shown; None when it may be shown."""

    memory: Memory
    parts: dict[str, float]
    why: Reason | None = None

    @property
    def sum(self) -> float:
        """The sum of the parts, not limited to 1; it decides the order."""
        return sum(self.parts.values())

    @property
    def score(self) -> float:
        """The sum, at most 1."""
        return min(1.0, self.sum)


class MemoryReader(Value):
    """Who reads memories, under which settings, and when. now: instant in ms; host: name of the reader's host, "" when it is unknown."""

    viewer: Viewer
    settings: CycleSettings
    now: int
    host: str = ""

    def may_see(self, memory: Memory) -> bool:
        """Return whether the reader may see a memory (see `sees`)."""
        return self.sees(memory.kind, memory.at, memory.acl, memory.privacy, memory.hold, memory.role, memory.session, memory.agent)

    def sees(self, kind: str, at: int, acl: str | None, privacy: str | None, hold: int, role: str | None, session: str | None, agent: str | None) -> bool:
        """Return whether the reader may see a row with these columns: the one access rule, after what time and the settings release.

        The setting `subagent_lessons` decides who may see what sub-agents learned from failures, and time releases privacy. Neither applies to
        a row that a rule lowered (`hold`), nor to a note. SQL calls this method as the function `sees`.
        """
        if not hold and kind != NOTE:
            # The order matters: first the setting decides the privacy, then time releases that privacy.
            if kind == LEARNED and agent != MAIN:
                privacy = _learned(acl, privacy, self.settings.subagent_lessons)
            if self.settings.timed_release:
                privacy = released(privacy, self.now - at)
        return visible(acl, privacy, Origin(role=role, session=session, agent=agent), self.viewer)


def rank(memories: Iterable[Memory], query: QueryContext, reader: MemoryReader) -> tuple[list[Recollection], list[Recollection]]:
    """Return (memories that may be shown, best first; those that came near, each with the reason why it is not shown).

    Neither list contains a memory that the reader may not see.
    """
    settings = reader.settings.recall
    found = [(memory, evidence(memory, settings.min_match)) for memory in memories if reader.may_see(memory)]
    # Measured only among what has evidence: a good match by chance must not push real ones out.
    best = max((memory.fit for memory, lacks in found if lacks is None and memory.kind in INDEXED), default=0.0)
    earned: list[Recollection] = []
    near: list[Recollection] = []
    for memory, lacks in found:
        one = recollect(memory, query, reader, lacks)
        if lacks is None and memory.kind in INDEXED:  # knowledge brings a relevance of its own
            memory.relevance = 1.0 if memory.shared or memory.named else memory.fit / best
            if memory.relevance < LEAST_OF_THE_BEST:
                one.why = Reason("recall.far_better", match=memory.fit, best=best)
        # Age does not make it less true. Rules and single sentences of notes come here only at a call or request that they concern.
        is_this_call = memory.kind == RULE or (memory.kind == LEARNED and bool(memory.shared)) or bool(memory.quoted)
        if one.why is None and not is_this_call and one.sum < settings.min_score:
            one.why = Reason("recall.low_score", limit=settings.min_score)
        (earned if one.why is None else near).append(one)
    earned.sort(key=_order)
    near.sort(key=_order)
    return earned, near[:MOST_NEAR]


def _learned(acl: str | None, privacy: str | None, setting: str) -> str | None:
    """The privacy of what a sub-agent learned: the setting, if it is narrower than the stored value or the stored value is just the default of its role."""
    is_default = acl in (None, "user") and privacy == "agent-only"
    return setting if is_default or privacy in _WIDER_THAN[setting] else privacy


def evidence(memory: Memory, min_match: float) -> Reason | None:
    """Return why a memory is not about the question, None when it is.

    Evidence is a shared anchor, a word that names the subject, or enough of the question's words to rule out a coincidence.
    The fewer words match, the less likely the match must be by chance.
    """
    if memory.kind not in INDEXED or memory.shared or memory.named:
        return None
    if memory.match < min_match + (EPISODE_EXTRA_MATCH if memory.kind == EPISODE else 0.0):
        return Reason("recall.little_in_common", match=memory.match)
    if len(memory.matched) < LEAST_WORDS:
        return Reason("recall.one_word")
    # A title is written to say what a note is about, so words in it are less likely a coincidence than the bound, which counts all words alike, says.
    if memory.chance - TITLE_NATS * memory.titled > min(MOST_BY_CHANCE, NATS * (memory.match - min_match - SURE_ABOVE)):
        return Reason("recall.by_chance", match=memory.match)
    return None


def recollect(memory: Memory, query: QueryContext, reader: MemoryReader, why: Reason | None = None) -> Recollection:
    """Return the memory with its score. why: the reason why it is not shown."""
    weights, boosts = reader.settings.recall.weights, reader.settings.recall.boosts
    # Clocks of two machines differ: a memory from the future is new, not worth more than one of now.
    age = max(0, reader.now - memory.at)
    parts = {
        "importance": weights.importance * memory.importance,
        "recency": weights.recency * 2 ** (-age / (HALF_LIFE_DAYS * DAY)),
        "role_fit": weights.role_fit * _role_fit(memory.role, reader.viewer.role),
        "outcome": weights.outcome * memory.contribution,
    }
    if _same_task(memory, query, reader.viewer):
        parts["same_task"] = boosts.same_task
    if memory.kind == LEARNED and age <= RECENT_FAILURE:
        parts["recent_failure"] = boosts.recent_failure
    if memory.fingerprint is not None and memory.fingerprint == query.fingerprint:
        parts["success_pattern"] = boosts.success_pattern
    match = memory.match or float(query.moment == TOOL_BEFORE and bool(memory.shared))  # the only question of a call is what it touches
    if match:
        parts["context_match"] = boosts.context_match * match
    return Recollection(memory, parts, why)


def _role_fit(role: str | None, reader: str | None) -> float:
    if role is None or reader is None:
        return NEUTRAL
    return 1.0 if role == reader else OTHER_ROLE


def _same_task(memory: Memory, query: QueryContext, viewer: Viewer) -> bool:
    """Return whether the task or the sub-agent is the same. All main agents have the same name, so a shared main agent means nothing."""
    return (memory.task is not None and memory.task == query.task) or (memory.agent is not None and memory.agent == viewer.agent != MAIN)


def _order(recollection: Recollection) -> tuple[int, int, float, str]:
    # How well a memory fits goes before its score, or an important note would beat the right one. Ids decide ties the same way on every machine.
    memory = recollection.memory
    return band(memory), -memory.labelled, -recollection.sum, memory.memory


def band(memory: Memory) -> int:
    """Return the number of a memory's band: 0 for those that fit best. The memories of each further band fit a quarter less."""
    return int((1.0 - memory.relevance) / _BAND)
