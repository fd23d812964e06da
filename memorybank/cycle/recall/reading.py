"""One event's view of the memories: the query, the reader, what the context already has, and why a memory may not be shown."""

from __future__ import annotations

__light__ = True

from memorybank.claims.claim import COMMIT_DIGITS, GONE, PATH
from memorybank.clock import day_of
from memorybank.cycle import event as events
from memorybank.cycle.fold import ticked
from memorybank.cycle.fold.kinds import RULE, SAID
from memorybank.cycle.fold.stated import REPLACES
from memorybank.cycle.improve import occasions
from memorybank.cycle.know import learned, rejected
from memorybank.cycle.know.search import IS_SEEN
from memorybank.cycle.know.stating import allowed_in
from memorybank.cycle.recall import candidates, query, ranking, shown
from memorybank.cycle.recall import context as contexts
from memorybank.cycle.recall.ranking import MemoryReader
from memorybank.index import anchors, queries
from memorybank.index.decision_rows import Replaced, TakenBack, in_text
from memorybank.log import events as log
from memorybank.reasons.reason import Reason
from memorybank.storage.answering import answer
from memorybank.storage.layout import IN_REPOSITORY, is_source_key
from memorybank.text.prompts.withheld import without_permissions
from memorybank.text.words.terms import content_terms
from memorybank.trust import gate as gates
from memorybank.visibility import Viewer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.event import Event
    from memorybank.cycle.know.search import Passage
    from memorybank.cycle.recall.candidates import Sources
    from memorybank.cycle.recall.drafted_page import DraftedPage
    from memorybank.cycle.recall.ranking import Memory, Recollection
    from memorybank.index.decision_rows import SupersededStatement
    from memorybank.index.queries import NoteRow
    from memorybank.injection import InjectedMemory

CHARACTERS = {events.SESSION_START: 480, events.PROMPT: 420, events.SUBAGENT_START: 420, events.TOOL_BEFORE: 320, query.FAILURE: 420}
"""Maximum length of one memory's text, at each moment."""
_FILES = {ranking.NOTE: "", ranking.EPISODE: gates.EPISODES, ranking.TOPIC: gates.TOPICS}
"""{kind of memory: the file of the bank that contains them}; "" for memories that are files of their own."""
_OF_SESSIONS = (candidates.SESSION_NOTES, f"{learned.FOLDER}/")
"""Notes that memorybank made of what people said."""
_MOST_ANCHORS = 12
_VERSIONED, _QUOTED = b'"version":"', "/"
"""A line with the version of a note, and what separates the version of a sentence that was quoted from it."""
_REPEATS = 0.6
"""Share of the words of a sentence that was taken back, with which an answer repeats it."""
_ANCHORS = {ranking.NOTE: ("anchors", "note"), ranking.EPISODE: ("episode_anchors", "episode")}
"""(table, column) of the anchors of each indexed kind."""


class Reading:
    """One event's view of the memories.

    now: ms.
    tail: the end of the session's log.
    context: what the agent said and was shown before.
    query: the query of the event.
    reader: the agent that reads.
    rejected: memories that a person rejected.
    wrong: {memory: instant (ms)} of those whose latest tick is wrong.
    allowed: what the person allowed for good in this session, in prompts that need not be folded yet.
    """

    def __init__(self, base: CycleContext, event: Event, moment: str, now: int, sources: Sources) -> None:
        self.base = base
        self.now = now
        self.sources = sources
        role = base.role(event.agent_role)
        self.tail = log.end_of(base.layout, event.session_id)
        self.context = contexts.read(self.tail, event, role, sources.cycle)
        self.query = query.of_event(event, moment, self.context.past, base.root, day_of(now))
        self.reader = MemoryReader(Viewer(role=role, session=event.session_id or None, agent=event.agent_id), base.settings, now, event.host)
        self._rejections = rejected.Rejections(rejected.verdicts(base.layout), base.existing_key)
        self.rejected = {memory: verdict for memory, verdict in self._rejections.verdicts.items() if verdict.is_rejected}
        self.wrong: dict[str, int] = answer(sources.cycle, {}, ticked.wrong)
        self._items: dict[str, InjectedMemory | None] = {}
        self._texts: dict[str, str | None] = {}
        self._anchors: dict[str, list[str]] = {}
        self._supersessions: dict[str, list[SupersededStatement]] = {}
        prompts = [event.prompt] if event.prompt and event.human and event.prompt not in self.context.past.prompts else []
        self.allowed = allowed_in([*prompts, *self.context.past.prompts], self.context.session, now)
        self._taken_back: list[TakenBack] | None = None

    def recollect(self, memory: Memory, why: Reason | None = None) -> Recollection:
        """Return the memory with its score at this event. why: the reason why it is not shown."""
        return ranking.recollect(memory, self.query, self.reader, why)

    def item(self, recollection: Recollection, characters: int | None = None) -> InjectedMemory | None:
        """Return what is printed of a memory, read at most once; None when its note no longer exists.

        characters: maximum length of its text; by default that of the moment.
        """
        name = recollection.memory.memory
        if name not in self._items:
            is_episode = recollection.memory.kind == ranking.EPISODE
            if is_episode:
                recollection.memory.text = self._text_of_episode(recollection.memory)
            superseded = self.outdated() if is_episode else self.superseded(recollection.memory)
            limit, note = characters or CHARACTERS[self.query.moment], self.note(recollection.memory)
            self._items[name] = shown.item(recollection, self.query, self.sources, self.base, limit, note, superseded)
        return self._items[name]

    def note(self, memory: Memory) -> str | None:
        """Return the text of a note (`shown.read`), read at most once; None for other memories."""
        if memory.kind != ranking.NOTE:
            return None
        if memory.key not in self._texts:
            self._texts[memory.key] = shown.read(memory, self.base)
        return self._texts[memory.key]

    def version(self, memory: Memory) -> str:
        """Return what tells the present text of a note of this bank from later ones, and a quoted sentence of it from others; "" for other memories."""
        note = self.note(memory) if memory.memory.startswith("note:") else None
        return "" if note is None else shown.version(note) + (_QUOTED + shown.version(memory.quoted) if memory.quoted else "")

    def has_new_text(self, memory: Memory, tail: bytes) -> bool:
        """Return whether a context that was shown a note lacks what it would show: the note was changed since, or only other sentences of it were shown."""
        before = self._versions(memory, tail)
        text, _, quoted = self.version(memory).partition(_QUOTED) if before else ("", "", "")
        of_text = [one.partition(_QUOTED)[2] for one in before if one.startswith(text)]
        is_there = quoted in of_text or ("" in of_text and self._has_sentences(memory.quoted, tail))
        return bool(before) and not (is_there and before[0].startswith(text))

    def was_changed(self, memory: Memory, tail: bytes) -> bool:
        """Return whether a note was changed since a context was shown it."""
        before = self._versions(memory, tail)
        return bool(before) and not before[0].startswith(self.version(memory).partition(_QUOTED)[0])

    def _versions(self, memory: Memory, tail: bytes) -> Sequence[str]:
        """Return the versions of a note that the context was shown, the last one first; nothing when the log does not say."""
        if memory.kind != ranking.NOTE or _VERSIONED not in tail:
            return ()
        before = contexts.versions_in(tail, self.context.agent, max(self.context.epoch, 1), memory.memory)
        return before if before and before[0] else ()

    def _has_sentences(self, quoted: str, tail: bytes) -> bool:
        """Return whether a sentence that a note is quoted with was among the sentences that the context was shown."""
        from memorybank.cycle.recall import repeated

        return contexts.sentences_in(tail, self.context.agent, max(self.context.epoch, 1), at_start=True).issuperset(repeated.digests(self.base.key(), quoted))

    def was_shown(self, memory: Memory) -> bool:
        """Return whether a context was shown a memory as it is."""
        return memory.memory in self.context.shown and not self.has_new_text(memory, self.tail)

    def anchors(self, memory: Memory) -> list[str]:
        """Return the anchors whose later occurrence would show that a memory was used: its own without those that the event itself contains."""
        return [anchor for anchor in self._all_anchors(memory) if anchor not in self.query.given][:_MOST_ANCHORS]

    def refused(self, memory: Memory) -> Reason | None:
        """Return why a memory is refused: a person rejected it or one that says the same, or it is derived and was marked wrong. None when neither holds."""
        verdict = self.rejected.get(memory.memory)
        if verdict is not None:
            return rejected.why(verdict, memory.memory)
        if memory.memory in self.wrong and not _is_spared(memory):
            return self._marked_wrong(memory.memory)
        return memory.refused

    def _marked_wrong(self, memory: str) -> Reason:
        return Reason("recall.marked_wrong", day=day_of(self.wrong[memory]))

    def refuses(self, passage: Passage) -> Reason | None:
        """Return why a passage may not be shown: a person rejected it or what says the same, it was marked wrong, it is a permission, or a later permission
        took back what it says. None when it may."""
        verdict = self._rejections.of_passage(passage)
        if verdict is not None:
            return rejected.why(verdict, passage.memory)
        if passage.memory in self.wrong:
            return self._marked_wrong(passage.memory)
        # What answered a failure is quoted after such a failure, with the words that say how long it holds.
        if passage.kind == SAID and self.query.moment != query.FAILURE and without_permissions(passage.text, is_typed=True) == "":
            return ranking.ALLOWS
        taken_back = self.taken_back() if passage.kind == SAID else ()
        return next((each.why for each in taken_back if in_text(passage.text, each.text)), None)

    def repeats_taken_back(self, passage: Passage) -> bool:
        """Return whether an answer repeats most of what a person said and took back after it."""
        said = set(passage.terms)
        for each in self.taken_back() if passage.kind != SAID else ():
            words = set(content_terms(each.text))
            if passage.at < each.at and len(words & said) >= _REPEATS * len(words):
                return True
        return False

    def taken_back(self) -> Sequence[TakenBack]:
        """Return the sentences of people that a later permission took back."""
        if self._taken_back is None:
            nothing: Sequence[tuple[str, int]] = ()
            self._taken_back = [TakenBack.of(*said) for said in answer(self.sources.cycle, nothing, self._said_and_taken_back)]
        return self._taken_back

    def outdated(self) -> Sequence[TakenBack]:
        """Return the sentences of people that they took back, and those in whose place a later one holds."""
        nothing: Sequence[tuple[str, int]] = ()
        return [*self.taken_back(), *(Replaced.of(*said) for said in answer(self.sources.cycle, nothing, self._said_and_replaced))]

    def _said_and_replaced(self, connection: Connection) -> Sequence[tuple[str, int]]:
        if connection.execute("SELECT 1 FROM relations WHERE relation = ? LIMIT 1", (REPLACES,)).fetchone() is None:
            return ()
        from memorybank.cycle.know import rules  # late: in most banks nobody replaced anything

        return rules.replaced(connection, self.now)

    def _said_and_taken_back(self, connection: Connection) -> Sequence[tuple[str, int]]:
        asked = f"SELECT 1 FROM statements WHERE instr(traits, 'permission') AND at <= ? AND {IS_SEEN} LIMIT 1"
        if not self.allowed and connection.execute(asked, (self.now,)).fetchone() is None:
            return ()
        from memorybank.cycle.know import rules  # late: in most banks nobody took anything back

        return rules.taken_back(connection, self.now, self.allowed)

    def suppressed(self, memory: Memory) -> Reason | None:
        """Return why a memory may not be shown, None when it may: it is refused, or the policy excludes it, or it was never used on this occasion.

        The policy and unused exposures count only against derived memories, never against what people wrote or stated, and not in a session that
        probes excluded memories.
        """
        refused = self._withheld(memory) or self.refused(memory) or self._outdated(memory) or self._superseded(memory)
        if refused is not None:
            return refused
        if _is_spared(memory) or occasions.is_probe(self.context.session):
            return None
        occasion = occasions.name(memory.kind, self.query.moment)
        policy = self.base.policy
        if policy is not None and occasion in policy.exclusions:
            return Reason("recall.excluded", version=policy.version, occasion=occasion)
        if self.sources.cycle is not None and self.base.settings.phases.improve:
            worth = occasions.at_occasion(self.sources.cycle, memory.memory, self.query.moment)
            memory.contribution = worth.average
            if worth.is_worthless:
                return Reason("recall.unused", day=day_of(worth.since), count=worth.count)
        return None

    def _withheld(self, memory: Memory) -> Reason | None:
        """Return why the file that contains a memory may not be shown before a person accepts it; None when it may, or when this machine recorded it."""
        gate = self.base.gate
        if gate is gates.OPEN or memory.kind not in _FILES or memory.key.startswith("/"):  # the person's own settings name sources with absolute paths
            return None
        path = _FILES[memory.kind] or (gates.SOURCES if is_source_key(memory.key) else f"active/{memory.key}")
        return None if gate.admits(self.base.layout, path) else Reason("recall.arrived") if gate.is_open else Reason("recall.not_accepted")

    def _outdated(self, memory: Memory) -> Reason | None:
        """Return why a derived memory is not shown although it matches: every file that it names was deleted. None when the event itself names one of
        them, and for what people wrote or stated, which is shown with a mark.
        """
        is_learned_note = memory.kind == ranking.NOTE and learned.memory_of(memory.key) != ""
        if not is_learned_note and (memory.kind == ranking.NOTE or _is_spared(memory)):
            return None
        claims = self.sources.claims_of(memory.number, self.base.root) if is_learned_note else self.sources.claims_in(memory.text, memory.at, self.base.root)
        paths = [each for each in claims if each.claim.kind == PATH]
        if not paths or any(each.found.state != GONE or self._is_named(each.claim.subject) for each in paths):
            return None
        return Reason("recall.about_deleted", subject=paths[0].claim.subject, commit=paths[0].found.commit[:COMMIT_DIGITS])

    def superseded(self, memory: Memory) -> list[SupersededStatement]:
        """Return what was superseded of a note, or of a rule that stands in a learned note. A note that the reader may not be shown supersedes nothing."""
        if memory.memory not in self._supersessions:
            note = memory.number if memory.kind == ranking.NOTE else self._learned_note(memory)
            found = self.sources.superseded(note, self.rejected, self._may_show) if note is not None else []
            if memory.kind == ranking.NOTE and memory.key.startswith(_OF_SESSIONS):  # they repeat what people said
                found = [*found, *self.taken_back()]
            self._supersessions[memory.memory] = found
        return self._supersessions[memory.memory]

    def drafted_page(self) -> DraftedPage:
        """Return what tells which lines of a drafted summary still hold for the reader."""
        from memorybank.cycle.recall.drafted_page import DraftedPage  # late: only a start shows the page

        return DraftedPage(self.base.layout, self.sources, lambda note: self.sources.superseded(note, self.rejected, self._may_show), self.taken_back())

    def _superseded(self, memory: Memory) -> Reason | None:
        """Return why a note or a rule is not shown because of a later one: it would show nothing but superseded statements. None for a note that the event
        itself names, which is shown with the mark.
        """
        found = self.superseded(memory)
        if not found or (memory.kind == ranking.NOTE and (memory.key in self.query.text or f"note:{memory.key}" in self.query.given)):
            return None
        is_taken_back, note = isinstance(found[-1], TakenBack), self.note(memory)
        if note is not None and not found[0].is_entire and shown.says_more(memory, note, found, CHARACTERS[self.query.moment], with_title=is_taken_back):
            return None
        memory.newer = found[0].by_note
        return found[0].why

    def _learned_note(self, memory: Memory) -> int | None:
        """Return the row of the learned note that was made from a rule; None when there is none."""
        kind, _, digits = memory.memory.partition(":")
        return queries.id_of_learned(self.sources.index, kind, digits) if memory.kind == RULE and self.sources.index is not None else None

    def _may_show(self, row: NoteRow) -> bool:
        """Return whether the reader may be shown a note: it can see it, and a person accepted it."""
        memory = candidates.read_note(row)
        return self.reader.may_see(memory) and self._withheld(memory) is None

    def _is_named(self, path: str) -> bool:
        """Return whether the event itself names a path."""
        return path in self.query.text or f"file:{path}" in self.query.given

    def _all_anchors(self, memory: Memory) -> list[str]:
        if memory.kind not in ranking.INDEXED:
            return list(memory.names)
        if memory.memory not in self._anchors:
            table, column = _ANCHORS[memory.kind]
            connection = self.sources.index
            rows = connection.execute(f"SELECT anchor FROM {table} WHERE {column} = ? LIMIT 192", (memory.number,)) if connection is not None else ()
            own = [_own_anchor(memory.key)] if memory.kind == ranking.NOTE else []
            self._anchors[memory.memory] = [*own, *(row[0] for row in rows if not row[0].startswith(anchors.KINDS_OF_CONVENTIONS))]
        return self._anchors[memory.memory]

    def _text_of_episode(self, memory: Memory) -> str:
        """Return the text of an episode in the current list, so that an entry that was removed from the list is not shown. The index's copy is used when it
        was read from this very list."""
        from memorybank.episodes import list_file

        if self.sources.index is None:
            return ""
        row = self.sources.index.execute(
            "SELECT text, (SELECT value FROM meta WHERE name = 'episodes') FROM episodes WHERE id = ?", (memory.number,)
        ).fetchone()
        if row is not None and str(row[1]).startswith(list_file.state(self.base.layout) + " "):
            return str(row[0])
        return list_file.current_document(self.base.layout, memory.memory)


def _own_anchor(key: str) -> str:
    """Return the anchor of an event that opens a note, or a file of a source."""
    return f"file:{key.removeprefix(IN_REPOSITORY)}" if is_source_key(key) else f"note:{key}"


def _is_spared(memory: Memory) -> bool:
    """Return whether a memory is shown whatever its worth. A model's rule is not among those that people wrote or stated."""
    return occasions.is_spared(memory.kind) and not memory.made_by
