"""A bank as one viewer may see it, for answers to an agent. Memories have the same ids as in search and recall.

Ids (`note:KEY`, `archive:ID`, `episode:DATE`) are looked up among existing memories, never turned into a path. A memory that the viewer may
not see gives the same error as a missing one. Only the viewer's role is known: session-scoped and private memory is never seen.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from memorybank import clock as time_of
from memorybank.archive import store
from memorybank.bank import arguments
from memorybank.bank.arguments import BankFacade, Instant
from memorybank.bank.opened import look_up_claims
from memorybank.bank.visible import AGENT, ARCHIVE, NOTE, AgentAnswer, VisibleBankState, VisibleMemory, archived_since, author_of, shown_id
from memorybank.cycle import event as events
from memorybank.cycle.know.rejected import rejections
from memorybank.cycle.recall import query
from memorybank.episodes.entry import MEMORY as EPISODE
from memorybank.errors import CONFLICT, MemorybankError, NotFound, UsageError
from memorybank.index import archive_size, claim_rows, queries, rotation_lines
from memorybank.index.decision_rows import Supersessions
from memorybank.index.fold import FRESH_HINT, refresh, refresh_shown
from memorybank.injection import one_line
from memorybank.log import key as log_key
from memorybank.log import ticks
from memorybank.notes.note import Note
from memorybank.notes.parse import parse
from memorybank.reasons.reason import Reason, joined, text_of
from memorybank.scoring.rank import ranks_of_counts
from memorybank.text.redact import redact
from memorybank.visibility import Viewer

if TYPE_CHECKING:
    from memorybank.bank.episodes import Episodes
    from memorybank.bank.memory import JudgedMemory, MemoryFacade, RecallResult
    from memorybank.bank.notes import Notes
    from memorybank.bank.opened import OpenBank
    from memorybank.index.queries import NoteRow
    from memorybank.index.row import IndexedNote
    from memorybank.index.working import Index
    from memorybank.search.hit import Hit, SearchAnswer

_GLOB_SIGNS = "*?["
_MOST_DOUBTS = 5
"""Maximum number of claims of one note that are doubted in one answer."""
_UNMERGED = "This note has an unresolved git conflict, so nothing of it is shown here. A person must keep one side."
_NEXT = "'search' and 'recent' return the ids of existing memories"


class BankView(BankFacade):
    """The bank for one viewer.

    role: role of the agent; None if it is unknown, so that it sees what everybody may see
    """

    def __init__(self, bank: "OpenBank", role: str | None = None) -> None:
        super().__init__(bank)
        self.viewer = Viewer(role=role or None)

    # Each part is loaded when a tool first needs it, so that a server starts fast.

    @cached_property
    def _notes(self) -> "Notes":
        from memorybank.bank.notes import Notes

        return Notes(self._bank)

    @cached_property
    def _memory(self) -> "MemoryFacade":
        from memorybank.bank.memory import MemoryFacade

        return MemoryFacade(self._bank)

    @cached_property
    def _episodes(self) -> "Episodes":
        from memorybank.bank.episodes import Episodes

        return Episodes(self._bank)

    def __repr__(self) -> str:
        return f"BankView({self._bank!r}, role={self.viewer.role!r})"

    def search(self, words: str = "", type: str = "keyword", limit: int = 10, **narrowing: Any) -> AgentAnswer:
        """Search as `Bank.search` does. A list does not count as a view. narrowing: as for `hits`"""
        found = self.hits(words, type, limit, **narrowing)
        memories = self.memories(found.hits)
        weak = (Reason("search.only_weak"),) if memories and all(hit.is_weak for hit in found.hits) else ()
        return AgentAnswer(memories, joined((*weak, *found.stale), between="; "))

    def hits(
        self,
        words: str = "",
        type: str = "keyword",
        limit: int = 10,
        *,
        kinds: Sequence[str] = (),
        category: str | None = None,
        tags: Sequence[str] = (),
        since: Instant | None = None,
        until: Instant | None = None,
        archive: bool = False,
        also: Sequence[str] = (),
    ) -> "SearchAnswer":
        """Return the hits of `search` as they are merged with those of other banks."""
        from memorybank.bank.searching import search
        from memorybank.search.query import Query

        first, last = arguments.instant(self._bank, since, "since"), arguments.instant(self._bank, until, "until", end_of_day=True)
        # `until` is inclusive here and exclusive in a Query.
        end = None if last is None else last + 1
        asked = Query(words, type, limit, category, tuple(tags), first, end, archive=archive, also=tuple(also), viewer=self.viewer, kinds=tuple(kinds))
        return search(self._bank, asked)

    def memories(self, hits: "Iterable[Hit]") -> tuple[VisibleMemory, ...]:
        """Return the memories that a search in this bank hit."""
        with self._bank.opened() as index:
            return tuple(self._hit(index, hit)._replace(rank=hit.rank, is_weak=hit.is_weak, found_by=hit.found_by) for hit in hits)

    def read(self, name: str) -> VisibleMemory:
        """Return one memory in full. Reading a note is recorded as a view.

        Raises `NotFound` for a memory that does not exist or that this viewer may not see.
        """
        for prefix, read in ((NOTE, self._read_note), (ARCHIVE, self._read_archived), (EPISODE, self._read_episode)):
            if name.startswith(prefix):
                return read(name)
        raise NotFound(f"{one_line(name)} is not the id of a memory that can be read", next_step="ids look like note:KEY, archive:ID and episode:DATE")

    def recall(self, situation: str, *, file: str | None = None, command: str | None = None, failed: bool = False) -> "tuple[RecallResult, AgentAnswer]":
        """Return what a hook would show (`Bank.memory.recall`), with its text already fenced, and the memories in it."""
        text = "\n".join(part for part in (situation, command, file) if part)
        found = self._memory.recall(text, moment=query.FAILURE if failed else events.PROMPT, role=self.viewer.role or "", agent="")
        with self._bank.opened() as index:
            return found, AgentAnswer(tuple(self._recalled(index, each) for each in found.shown))

    def episodes(self, since: Instant | None = None, until: Instant | None = None, limit: int = 7) -> AgentAnswer:
        """Return the summaries of days between two dates, both inclusive, newest first. Raises `UsageError` for an invalid date."""
        arguments.at_least(limit, 1, "limit")
        first, last = arguments.day(self._bank, since, "since"), arguments.day(self._bank, until, "until")
        entries = [
            entry for entry in self._episodes.readable() if entry.is_showable and (not first or entry.last >= first) and (not last or entry.first <= last)
        ]
        shown = list(reversed(entries[-limit:]))
        left = len(entries) - len(shown)
        notice = f"{left} older summaries are left out; a later 'until' or a higher 'limit' shows them" if left else ""
        return AgentAnswer(
            tuple(VisibleMemory(entry.memory, "episode", entry.date, entry.summary.strip(), AGENT, time_of.parse(entry.last) or 0) for entry in shown), notice
        )

    def keys(self) -> list[str]:
        """Return the keys of the notes and of the files of sources that this viewer may see, in order."""
        with self._bank.opened() as index:
            refresh(index)
            return [row.key for row in self._visible_notes(index)]

    def state(self) -> VisibleBankState:
        """Return what the bank contains, as far as the viewer may see it."""
        with self._bank.opened() as index:
            stale = refresh(index)
            visible_rows = self._visible_notes(index)
            notes = [row for row in visible_rows if not row.source]
            stored = archive_size.archive_size(index).files - archive_size.returned_notes(index, rotation_lines.state(index))
            odd = {problem.path for problem in index.problems()}
        try:
            told = [entry for entry in self._episodes.readable() if entry.is_showable]
        except MemorybankError:
            told = []
        return VisibleBankState(
            notes=len(notes),
            archived=stored,
            episodes=len(told),
            newest=max((row.modified for row in notes), default=None),
            latest=told[-1].date if told else "",
            summary=self._memory.summary().reason,
            problems=len(odd.intersection(row.key for row in visible_rows)),
            stale=joined((reason for reason in stale if reason != FRESH_HINT), between="; "),
            sources=dict(sorted(Counter(row.source for row in visible_rows if row.source).items())),
        )

    def remember(self, text: str, title: str | None = None, tags: Sequence[str] = ()) -> tuple[str, bool]:
        """Create a note for an agent. Return (its id, whether a secret was removed from it)."""
        key = log_key.load(self._bank.layout)
        said, named, marks = redact(text, key), redact(title, key) if title else None, [redact(tag, key) for tag in tags]
        made = self._notes.remember(said, title=named, tags=marks, agent=self.viewer.role or AGENT)
        return shown_id(NOTE + made), (said, named, marks) != (text, title, list(tags))

    def nearly_repeated(self, made: str) -> str:
        """Return the id of the note that a new one nearly repeats; "" when there is none that this viewer may see. made: what `remember` returned"""
        found = self._notes.alike(made.removeprefix(NOTE))
        try:
            return shown_id(NOTE + self._key(NOTE + found.key)) if found is not None else ""
        except NotFound:
            return ""

    def rate(self, name: str, rating: float) -> str:
        """Rate a note that this viewer may see, and return its id."""
        key = self._key(name)
        self._notes.rate(key, rating)
        return shown_id(NOTE + key)

    def tick(self, name: str, verdict: str) -> str:
        """Mark a note, or something learned from sessions, as `helpful` or `wrong`, and return its id. This viewer must be able to see it."""
        from memorybank.bank.knowledge import KnowledgeFacade

        knowledge = KnowledgeFacade(self._bank)
        if name.startswith(NOTE):
            memory = NOTE + self._key(name)
        else:
            try:
                memory = knowledge.show(name, role=self.viewer.role).known.id
            except (NotFound, UsageError):
                raise _absent(name) from None
        return shown_id(knowledge.tick(memory, verdict, by=ticks.AGENT, role=self.viewer.role))

    def bookmark(self, name: str, reason: str = "") -> tuple[str, bool]:
        """Bookmark one note that this viewer may see. Return (its id, whether the bookmark is new)."""
        key = self._notes.resolve(self._key(name))
        if any(sign in key for sign in _GLOB_SIGNS):
            raise UsageError(
                f"the name of {shown_id(key)} would be read as a pattern", next_step="a person can bookmark it with a pattern that matches it alone"
            )
        return shown_id(NOTE + key), self._notes.bookmark_add(key, reason)

    def _hit(self, index: "Index", hit: "Hit") -> VisibleMemory:
        if hit.archive_id is not None:
            author = index.connection.execute("SELECT agent_created, archived_at FROM archived WHERE object_id = ?", (hit.archive_id,)).fetchone()
            agent, at = author if author is not None else (None, hit.modified)
            name, stale = shown_id(ARCHIVE + hit.archive_id), archived_since(at)
            return VisibleMemory(name, "archive", hit.title, hit.snippet, author_of(agent), hit.modified, hit.importance, stale, hit.lines)
        if hit.kind != "note":
            return VisibleMemory(hit.key, "episode", hit.title, hit.snippet, AGENT, hit.modified, None, "", hit.lines)
        note = index.note(hit.key)
        author, stale = author_of(note.agent_created if note else None), self._doubts(index, note)
        title, text = ("", _UNMERGED) if index.is_unmerged(hit.key) else (hit.title, hit.snippet)  # an agent would take one side for what holds
        return VisibleMemory(shown_id(NOTE + hit.key), "note", title, text, author, hit.modified, hit.importance, stale, hit.lines)

    def _recalled(self, index: "Index", each: "JudgedMemory") -> VisibleMemory:
        kind, _, name = each.memory.partition(":")
        stale = self._doubts(index, index.note(name)) if kind == "note" else ""
        return VisibleMemory(shown_id(each.memory), kind, "", "", each.origin, each.at, stale=stale, why=tuple(map(text_of, each.why)))

    def _visible_notes(self, index: "Index") -> "list[NoteRow]":
        """Return every note that this viewer may see, by key."""
        return [row for row in queries.rows(index.connection) if self.viewer.sees(row)]

    def _doubts(self, index: "Index", note: "IndexedNote | None") -> str:
        """Return the reasons to doubt a note, "" for none."""
        if note is None:
            return ""
        number = queries.id_of_indexed(index.connection, note.key)
        note_claims = claim_rows.claims_of_row(index.connection, self._bank.layout.work_tree, number)
        reasons = [text_of(Reason("recall.unmerged"))] if index.is_unmerged(note.key) else []
        reasons += [one_line(text_of(each.reason)) for each in note_claims if each.is_untrue][:_MOST_DOUBTS]
        reasons += [one_line(text_of(each.reason)) for each in self._superseded(index).of_note(number)]
        if note.duplicate_of is not None:
            reasons.append("it repeats another note")
        return "; ".join(reasons)

    def _superseded(self, index: "Index") -> Supersessions:
        """Return what was superseded by notes that this viewer may see."""
        return Supersessions(
            index.connection, rejections(self._bank.layout), lambda note: (row := queries.row_of(index.connection, note)) is not None and self.viewer.sees(row)
        )

    def _read_note(self, name: str) -> VisibleMemory:
        key = self._key(name)
        try:
            note = self._notes.read(key, record_view=False)
        except NotFound:  # its message names similar keys, which this viewer may not be able to see
            raise _absent(name) from None
        if not self.viewer.sees(note.front):  # the note changed since the lookup
            raise _absent(name)
        self._notes.viewed(key)
        with self._bank.opened() as index:
            look_up_claims(index)
            found = index.note(key)
            stale = self._doubts(index, found)
            rank = ranks_of_counts(queries.importance_counts(index.connection)).get(found.importance) if found is not None else None
        at = found.modified if found is not None else self._bank.clock.now()
        importance = found.importance if found is not None else None
        title, text = _without_conflict(note, self._bank.layout.relative(self._bank.layout.file_path(key)))
        return VisibleMemory(shown_id(NOTE + key), "note", title, text, author_of(note.front.agent_created), at, importance, stale, rank=rank)

    def _read_archived(self, name: str) -> VisibleMemory:
        wanted = name.removeprefix(ARCHIVE)
        described = next((each for each in store.listing(self._bank.layout)[0] if wanted in (each.id, each.id[-8:]) or shown_id(each.id) == wanted), None)
        if described is None:
            raise _absent(name)
        note: Note = parse(described.original_path, store.read_object(self._bank.layout, described))
        if not self.viewer.sees(note.front):
            raise _absent(name)
        at, stale = described.mtime_ns // 1_000_000, archived_since(described.archived_at)
        author = author_of(note.front.agent_created)
        title, text = _without_conflict(note)
        return VisibleMemory(shown_id(ARCHIVE + described.id), "archive", title, text, author, at, described.importance, stale)

    def _read_episode(self, name: str) -> VisibleMemory:
        try:
            entries = [entry for entry in self._episodes.document(name) if entry.is_showable]
        except NotFound:
            raise _absent(name) from None
        if not entries:
            raise _absent(name)
        text = "\n\n".join(entry.summary.strip() for entry in entries)
        return VisibleMemory(shown_id(name), "episode", entries[0].date, text, AGENT, time_of.parse(entries[-1].last) or 0)

    def _key(self, name: str) -> str:
        """Return the key of the note that an id means, among those that this viewer may see: exact, in another Unicode form, or as it was shown."""
        if not name.startswith(NOTE):
            raise NotFound(f"{one_line(name)} is not the id of a note", next_step="ids of notes look like note:KEY")
        wanted = name.removeprefix(NOTE)
        with self._bank.opened() as index:
            refresh(index)
            # The note's `acl` and `privacy` may have changed on disk since the last fold.
            refresh_shown(index, [wanted] if index.note(wanted) is not None else [])
            exact = index.note(wanted)
            if exact is not None and self.viewer.sees(exact):
                return wanted
            same = [note.key for note in index.notes(_alike(index.keys(), wanted)) if self.viewer.sees(note)]
        if len(same) != 1:
            raise _absent(name)
        return same[0]


def _alike(keys: Iterable[str], wanted: str) -> list[str]:
    form = normalize("NFC", wanted)
    return [key for key in keys if normalize("NFC", key) == form or shown_id(key) == wanted]


def _without_conflict(note: Note, path: str = "") -> tuple[str, str]:
    """Return (title, text) of a note; ("", a sentence) in place of one with both sides of a git conflict, of which an agent would take one for what holds.

    path: the file in which a person can resolve it; "" for an archived note
    """
    problem = next((problem for problem in note.problems if problem.code == CONFLICT), None)
    if problem is None:
        return note.title, note.text
    where = f"It begins at line {problem.line} of {shown_id(path)}: keep the right text, and remove the lines with <<<<<<<, ======= and >>>>>>>."
    return "", f"{_UNMERGED} {where}" if path else _UNMERGED


def _absent(name: str) -> NotFound:
    return NotFound(f"there is no memory {one_line(name)}", next_step=_NEXT)
