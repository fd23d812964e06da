"""Learned notes: proven knowledge as small Markdown notes under `active/learned/`, one subject each, committed like any other note.

Proven are a problem whose remedy worked in three sessions, a request that people made in three, and what a person stated to last. A
permission never is, because it was given for one occasion. Only what everybody may see becomes a note. The name of a file begins with the words of its
memory and ends with the digits of its merge id, by which a file is found again whatever words another clone or version chose.

A note is written again only while its bytes are those that we wrote; a person who edits it owns it. Of a note that another clone wrote, which its
seal proves, only the count of sessions changes, and only upwards. Git decides about a missing note (`_is_wanted`): if a commit removed it, a person
rejected it; otherwise nobody did.
"""

from __future__ import annotations

import os
import re
from functools import cached_property

from memorybank import clock as time_of
from memorybank.cycle.finish import note_name, session_note
from memorybank.cycle.finish.durations import LEAST_FOR_A_LEARNED_NOTE
from memorybank.cycle.finish.removals import Removals, removals
from memorybank.cycle.fold.kinds import INSTEAD
from memorybank.cycle.fold.phrases import ENGLISH, about, language_of, phrase
from memorybank.cycle.know import counted, problems, rejected, rules
from memorybank.cycle.know.learned import FOLDER, memory_of, notes
from memorybank.editing.write import NoteWriter, finish_interrupted
from memorybank.errors import Conflict, NotFound
from memorybank.log import learned
from memorybank.log import rotation as rotation_log
from memorybank.notes import simple_yaml
from memorybank.storage import beneath, disk
from memorybank.text import generated
from memorybank.text.commands.paths import without_places
from memorybank.text.prompts.oneself import of_oneself
from memorybank.text.prose.passages import excerpt
from memorybank.text.secrets.redact import redact
from memorybank.text.untrusted.neutral import neutralise
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Iterator, Sequence

    from memorybank.clock import Clock
    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.fold.stated import Stated
    from memorybank.cycle.know.problems import KnownProblem
    from memorybank.cycle.know.rejected import Verdict
    from memorybank.cycle.know.rules import Rule
    from memorybank.log.learned import LearnedNote
    from memorybank.storage.layout import Layout
    from memorybank.text.secrets.needle import PurgeNeedle

VERSION = 1
LEAST_SESSIONS = 3
"""Number of sessions that prove something that nobody stated."""
_TITLE, _SAYING, _ERROR = 90, 240, 160
_HEAD_BYTES = 2_000
_HOMES = re.compile(r"/(?:Users|home)/[^/\s'\"`]+")


class ProvenNote(Value):
    """One proven memory (its merge id) as a note: where it belongs unless it exists under another name, its bytes, and its title."""

    memory: str
    key: str
    data: bytes
    what: str


def write(base: CycleContext, connection: Connection, left: Callable[[], float]) -> list[str]:
    """Write the notes that are missing or have changed, as far as time allows (`left` returns the milliseconds). Return their keys."""
    writer = LearnedNoteWriter(base)
    written = []
    for note in proven(base, connection):
        if left() < LEAST_FOR_A_LEARNED_NOTE:
            break
        if writer.put(note):
            written.append(note.key)
    writer.remove_repeated()
    gone, present = rules.out_of_force(connection, base.clock.now()), notes(base.layout)
    for memory in sorted(gone.intersection(present)):
        if session_note.own(base.layout, present[memory]) is not None:
            learned.append_withdrawn(base.layout, memory, base.clock)
            withdraw(base.layout, memory, base.clock, timeout=session_note.HOOK_LOCK_SECONDS)
    return written


def proven(base: CycleContext, connection: Connection) -> Iterator[ProvenNote]:
    """Yield a note for each proven memory that everybody may see, problems before rules."""
    now = base.clock.now()
    connection.create_function("sees", 8, lambda *columns: False)  # rows that are not public are invisible here, whoever ends the session
    for problem in problems.find(connection, "", now):
        if problem.remedied >= LEAST_SESSIONS:
            yield _of_problem(base, problem, problems.occurrences(connection, problem, now))
    for rule in rules.find(connection, "", now):
        if rule.is_failing_check:  # a report is about one day, and about the person who ran it
            continue
        # What a person says about themself is nobody else's business, and false of whoever else reads the note.
        if not rule.is_permission and not any(map(of_oneself, rule.sayings)) and (not rule.is_expected or rule.sessions >= LEAST_SESSIONS):
            yield _of_rule(base, rule)


def withdraw(layout: Layout, memory: str, clock: Clock, *, timeout: float = 2.0) -> bool:
    """Remove the learned note of a memory if nobody edited it. Return whether it was removed. Raises LockTimeout after `timeout` seconds."""
    finish_interrupted(layout, clock, timeout=timeout)  # a killed change can leave a note without its name for a moment
    key = notes(layout).get(memory)
    return key is not None and _withdraw(layout, key, clock, timeout)


def _withdraw(layout: Layout, key: str, clock: Clock, timeout: float) -> bool:
    data = session_note.own(layout, key)
    if data is None:
        return False
    with NoteWriter(layout, "memorybank know", clock, timeout=timeout) as writer:
        return _removed(writer, key, data)


def purge(layout: Layout, needle: PurgeNeedle, clock: Clock) -> int:
    """Remove the learned notes that nobody edited and that contain a text. Return how many were removed."""
    finish_interrupted(layout, clock)
    holding = {key: data for key, data in session_note.unedited(layout, FOLDER).items() if needle.is_in(data)}
    if not holding:
        return 0
    with NoteWriter(layout, "memorybank purge", clock) as writer:
        # The former version contains the text, so it is not kept.
        return sum(_removed(writer, key, data, is_kept=False) for key, data in holding.items())


def _removed(writer: NoteWriter, key: str, data: bytes, *, is_kept: bool = True) -> bool:
    """Remove a note with these bytes, unless somebody edited it in the meantime: then it is theirs."""
    try:
        writer.remove(f"active/{key}", {session_note.digest_of(data)}, is_kept=is_kept)
    except (Conflict, NotFound):
        return False
    return True


class LearnedNoteWriter:
    """One run that writes learned notes: the notes written before, the verdicts, and the history of the folder."""

    def __init__(self, base: CycleContext) -> None:
        self.base = base
        self.layout = base.layout
        self.tree = rotation_log.tree_of(base.layout)
        self.before = learned.read(base.layout)
        self.verdicts = rejected.verdicts(base.layout)

    def put(self, note: ProvenNote) -> bool:
        """Write one note. Return False when it is up to date, belongs to a person, or is not wanted."""
        written, verdict = self.before.get(note.memory), self.verdicts.get(note.memory)
        if verdict is not None and verdict.is_rejected:
            withdraw(self.layout, note.memory, self.base.clock, timeout=session_note.HOOK_LOCK_SECONDS)
            return False
        note = ProvenNote(note.memory, self._key_of(note), note.data, note.what)
        digest, present = session_note.digest_of(note.data), session_note.digest_at(self.layout, note.key)
        ours = tuple(written.digests) if written is not None and written.key == note.key else ()
        if present == digest or (present is None and not self._is_wanted(note, written, verdict)):
            return False
        if present is not None and present not in ours:
            counted_up = self._counted_up(note)
            if counted_up is None:
                return False
            note, digest, ours = counted_up, session_note.digest_of(counted_up.data), (present,)
        if present is not None and _format_at(self.layout, note.key) > VERSION:  # a newer memorybank wrote it, and knows more about it
            return False
        # The log comes first: after a crash in between, the note is recognised as ours.
        learned.append(self.layout, note.memory, note.key, digest, self.tree, self.base.clock)
        return session_note.write(self.layout, note.key, note.data, ours, self.base.clock)

    def remove_repeated(self) -> None:
        """Remove the second note of a memory, which two clones named by different words, unless somebody edited it."""
        kept = notes(self.layout)
        for key in session_note.unedited(self.layout, FOLDER):
            if kept.get(memory_of(key), key) != key:
                _withdraw(self.layout, key, self.base.clock, session_note.HOOK_LOCK_SECONDS)

    def _key_of(self, note: ProvenNote) -> str:
        """Return the key of a note: that of the file which exists or existed for its memory, whatever words it was named by; else its own."""
        written = self.before.get(note.memory)
        if note.memory in self.present:
            return self.present[note.memory]
        if written is not None:
            return written.key
        known = self.history.known if self.layout.repository is not None and self.history is not None else ()
        return next((key for path in sorted(known) if memory_of(key := f"{FOLDER}/{path.rpartition('/')[2]}") == note.memory), note.key)

    def _counted_up(self, note: ProvenNote) -> ProvenNote | None:
        """Return the note that another clone wrote with our greater count of sessions; None when a person edited it, or when it counts as many."""
        data = session_note.own(self.layout, note.key)
        if data is None:
            return None
        text = data.decode("utf-8", "replace")
        theirs, ours = counted.find(text), counted.find(note.data.decode("utf-8", "replace"))
        if theirs is None or ours is None or about(ours.count) == about(theirs.count) or ours.count < theirs.count:
            return None
        changed = generated.sealed(counted.with_sentence(text, ours.count, (*ours.days, *theirs.days)).encode("utf-8", "replace"))
        return ProvenNote(note.memory, note.key, changed, note.what)

    def _is_wanted(self, note: ProvenNote, written: LearnedNote | None, verdict: Verdict | None) -> bool:
        """Return whether a note that does not exist is to be written.

        It is not when a commit in the history of HEAD removed it (then it counts as rejected from now on) or moved it, when git has it elsewhere (on
        another branch, in a stash, in a removal that is not committed), when it was archived, or when it exists under another name or in
        another worktree: then it still exists, or returns by itself.
        """
        if self.layout.repository is not None:
            history = self.history
            if history is None:  # writing might undo a rejection
                return False
            path = os.path.relpath(self.layout.note_path(note.key), self.layout.repository).replace(os.sep, "/")
            removal = history.removed.get(path)
            if removal is not None and not removal.is_move and note.memory in learned.withdrawn(self.layout):  # it was taken back, and is said again
                return True
            if removal is not None and (verdict is None or verdict.at < removal.at):
                if not removal.is_move:
                    by = f"commit {removal.commit[:12]}"
                    rejected.add(self.layout, note.memory, is_rejected=True, by=by, what=note.what, clock=self.base.clock)
                return False
            if removal is None and path in history.known:
                return False
        return written is None or not (self._is_elsewhere(written) or self._is_archived(written.key) or note.memory in self.moved)

    @cached_property
    def present(self) -> dict[str, str]:
        """{memory: key} of the learned notes of this worktree."""
        return notes(self.layout)

    @cached_property
    def history(self) -> Removals | None:
        """What git knows of the notes and their removals; None when git could not answer."""
        repository = self.layout.repository
        return removals(repository, os.path.join(self.layout.active, FOLDER)) if repository is not None else None

    @cached_property
    def moved(self) -> frozenset[str]:
        """The memories that some note names in its front matter."""
        return frozenset(_named_memories(self.layout.active))

    def _is_elsewhere(self, written: LearnedNote) -> bool:
        """Return whether the note exists in another worktree."""
        root = os.path.normpath(os.path.join(self.layout.local_root, written.tree))
        return written.tree != self.tree and os.path.lexists(os.path.join(root, "active", written.key))

    def _is_archived(self, key: str) -> bool:
        from memorybank.archive import store

        return any(described.original_path == key for described in store.listing(self.layout)[0])


def _format_at(layout: Layout, key: str) -> int:
    """Return the `version` in the front matter of a learned note, 0 without one."""
    with disk.typed_errors(key), beneath.stream(layout.note_path(key)) as stream:
        found = re.search(rb"^version: (\d{1,9})$", stream.read(_HEAD_BYTES), re.MULTILINE)
    return int(found[1]) if found is not None else 0


def _named_memories(folder: str) -> Iterator[str]:
    for directory, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".md"):
                try:
                    with beneath.stream(os.path.join(directory, name)) as stream:
                        head = stream.read(_HEAD_BYTES)
                except OSError:
                    continue
                found = re.search(rb"^memory: \"?((?:problem|rule):[0-9a-f]{8})\b", head, re.MULTILINE)
                if found is not None:
                    yield found[1].decode()


def _of_problem(base: CycleContext, problem: KnownProblem, occurrences: Sequence[problems.Occurrence]) -> ProvenNote:
    call, remedy = public_text(base, problem.form), public_text(base, problem.advised)
    kind = "learned_instead" if problem.how == INSTEAD else "learned_first"
    title = phrase(kind, ENGLISH, call=call, remedy=remedy)
    said = excerpt(public_text(base, _usual_error(occurrences)), _ERROR)
    body = [*([phrase("learned_error", ENGLISH, call=call, said=said)] if said else []), _origin(occurrences, ENGLISH, "learned_failed")]
    return _note(problem.memory, problems.PROBLEM, call, title, body, occurrences[0].at)


def _usual_error(occurrences: Sequence[problems.Occurrence]) -> str:
    """Return the first error that came up in three sessions; "" when there is none."""
    sessions: dict[str, set[str]] = {}
    for one in occurrences:
        held = sessions.setdefault(one.said, set())
        held.add(one.session)
        if one.said and len(held) == LEAST_SESSIONS:
            return one.said
    return ""


def _of_rule(base: CycleContext, rule: Rule) -> ProvenNote:
    sayings = [excerpt(public_text(base, saying), _SAYING) for saying in rule.sayings]
    language = language_of(sayings[0])
    stated = rule.stated[::-1]
    origin = _origin(stated, language, "learned_asked") if rule.is_expected else phrase("learned_stated", language, day=time_of.day_of(stated[-1].at))
    return _note(rule.memory, rules.RULE, sayings[0], sayings[0], ["\n".join(f"> {saying}" for saying in sayings), origin], stated[0].at)


def _origin(sources: Sequence[problems.Occurrence | Stated], language: str, name: str) -> str:
    """Return the origin of a note in words: the rounded number of sessions, and the days of those that proved it, which are the first of the sources."""
    days: dict[str, str] = {}
    for source in sources:
        days.setdefault(source.session, time_of.day_of(source.at))
    first = dict.fromkeys(list(days.values())[:LEAST_SESSIONS])
    return phrase(name, language, count=about(len(days)), days=", ".join(first))


def _note(memory: str, kind: str, about_what: str, title: str, body: Sequence[str], at: int) -> ProvenNote:
    front: dict[str, simple_yaml.Settable] = {
        "title": neutralise(excerpt(title, _TITLE)),
        "memory": memory,
        "version": VERSION,
        "agent_created": "main",
        "acl": "user",
        "privacy": "public",
        "tags": [FOLDER, kind],
        "created": time_of.isoformat(at),
    }
    text = "\n\n".join((f"# {title}", *body)) + "\n"
    data = session_note.note_bytes(front, text)
    return ProvenNote(memory, f"{FOLDER}/{kind}-{note_name.of(about_what)}-{memory.partition(':')[2]}.md", data, title)


def public_text(base: CycleContext, text: str) -> str:
    """Return a text on one line, without secrets and without paths of this machine."""
    return redact(_HOMES.sub("~", without_places(" ".join(text.split()), base.places)), base.existing_key())
