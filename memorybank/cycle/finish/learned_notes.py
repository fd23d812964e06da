"""Learned notes: what is proven stands as a small Markdown note under `active/learned/`, one thing a note, committed like any other.

Proven is a problem whose remedy worked in three sessions, what people asked for in three, and what a person stated to last; never a
permission, which was given for one occasion. Only what everybody may see becomes a note, in a few words of its own. The key follows from
the merge id, so every clone writes the same file.

A note is written again only while its bytes are ours; who edits it owns it. What is missing is judged by git (`_is_wanted`): a commit that
removed it is a rejection, anything else is none.
"""

from __future__ import annotations

import os
import re

from memorybank import clock as time_of
from memorybank import git
from memorybank.cycle.finish import session_note
from memorybank.cycle.fold.failures import INSTEAD
from memorybank.cycle.fold.phrases import ENGLISH, about, language_of, phrase
from memorybank.cycle.know import problems, rejected, rules
from memorybank.cycle.know.learned import FOLDER
from memorybank.log import learned
from memorybank.log import rotation as rotation_log
from memorybank.notes import create, scalar
from memorybank.storage import disk
from memorybank.text.neutral import neutralise
from memorybank.text.passages import shortened
from memorybank.text.paths import without_places
from memorybank.text.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Iterator, Sequence

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.know.problems import KnownProblem
    from memorybank.cycle.know.rejected import Verdict
    from memorybank.cycle.know.rules import Rule
    from memorybank.log.learned import LearnedNote
    from memorybank.storage.layout import Layout

VERSION = 1
LEAST_SESSIONS = 3
"""Sessions that prove what nobody stated."""
LEAST_MILLISECONDS = 60
"""Without which no note is begun: git may be asked."""
MAX_BYTES = session_note.MAX_BYTES
_SLUG_BYTES = 40
_TITLE, _SAYING, _ERROR = 90, 240, 160
_HEAD_BYTES = 2_000
_HOMES = re.compile(r"/(?:Users|home)/[^/\s'\"`]+")


class ProvenNote:
    """One thing that is proven, as a note."""

    __slots__ = ("data", "key", "memory", "what")

    def __init__(self, memory: str, key: str, data: bytes, what: str) -> None:
        self.memory = memory
        self.key = key
        self.data = data
        self.what = what


def write(base: CycleContext, connection: Connection, left: Callable[[], float]) -> list[str]:
    """Write the notes that are missing or have changed, as far as time allows; their keys. left: milliseconds."""
    bench = _Bench(base)
    written = []
    for note in proven(base, connection):
        if left() < LEAST_MILLISECONDS:
            break
        if bench.put(note):
            written.append(note.key)
    for older, newer in rules.superseded(connection, "", base.clock.now()):
        if older.memory != newer.memory:
            withdraw(base.layout, older.memory)
    return written


def proven(base: CycleContext, connection: Connection) -> Iterator[ProvenNote]:
    """What everybody may see of what is proven, problems before rules."""
    now = base.clock.now()
    connection.create_function("sees", 8, lambda *columns: False)  # only what is public
    for problem in problems.find(connection, "", now):
        if problem.mended >= LEAST_SESSIONS:
            yield _of_problem(base, problem, problems.occurrences(connection, problem, "", now))
    for rule in rules.find(connection, "", now):
        if not rule.is_permission and (not rule.is_expected or rule.sessions >= LEAST_SESSIONS):
            yield _of_rule(base, rule)


def withdraw(layout: Layout, memory: str) -> bool:
    """Remove the learned note of a memory where its bytes are still ours; whether it was."""
    written = learned.read(layout).get(memory)
    if written is None or session_note.lies_at(layout, written.key) not in written.digests:
        return False
    disk.remove(layout.note_path(written.key))
    return True


def unedited(layout: Layout) -> list[str]:
    """The paths of the learned notes of this worktree whose bytes are still ours: they are derived."""
    written = [one for one in learned.read(layout).values() if session_note.lies_at(layout, one.key) in one.digests]
    return [layout.note_path(one.key) for one in written]


class _Bench:
    """One writing of learned notes: what is known of those before, and of the folder's history."""

    def __init__(self, base: CycleContext) -> None:
        self.base = base
        self.layout = base.layout
        self.tree = rotation_log.tree_of(base.layout)
        self.before = learned.read(base.layout)
        self.verdicts = rejected.verdicts(base.layout)
        self._history: git.Removals | None = None
        self._moved: frozenset[str] | None = None

    def put(self, note: ProvenNote) -> bool:
        """Write one note; False where it stands already, is somebody's, or is not wanted."""
        written, verdict = self.before.get(note.memory), self.verdicts.get(note.memory)
        if verdict is not None and verdict.is_rejected:
            withdraw(self.layout, note.memory)
            return False
        digest, lying = session_note.digest_of(note.data), session_note.lies_at(self.layout, note.key)
        ours = tuple(written.digests) if written is not None and written.key == note.key else ()
        if lying == digest or (lying is not None and lying not in ours) or (lying is None and not self._is_wanted(note, written, verdict)):
            return False
        learned.append(self.layout, note.memory, note.key, digest, self.tree, self.base.clock)
        return session_note.write(self.layout, note.key, note.data, ours)

    def _is_wanted(self, note: ProvenNote, written: LearnedNote | None, verdict: Verdict | None) -> bool:
        """Whether a note that does not lie there is to be written.

        Not when a commit of HEAD's history removed it (that is a rejection, kept from now on) or moved it, when git holds it elsewhere (another
        branch, a stash, a removal that is not committed), when it was archived, or stands under another name or in another worktree:
        in each of these it comes back, or lives on, by itself.
        """
        if self.layout.repository is not None:
            history = self._read_history()
            if history is None:
                return False
            path = os.path.relpath(self.layout.note_path(note.key), self.layout.repository).replace(os.sep, "/")
            removal = history.removed.get(path)
            if removal is not None and (verdict is None or verdict.at < removal.at):
                if not removal.is_move:
                    by = f"commit {removal.commit[:12]}"
                    rejected.add(self.layout, note.memory, is_rejected=True, by=by, what=note.what, clock=self.base.clock)
                return False
            if removal is None and path in history.known:
                return False
        return written is None or not (self._lies_elsewhere(written) or self._is_archived(written.key) or note.memory in self._read_moved())

    def _read_history(self) -> git.Removals | None:
        if self._history is None and self.layout.repository is not None:
            self._history = git.removals(self.layout.repository, os.path.join(self.layout.active, FOLDER))
        return self._history

    def _lies_elsewhere(self, written: LearnedNote) -> bool:
        """Whether another worktree has it among its notes."""
        root = os.path.normpath(os.path.join(self.layout.local_root, written.tree))
        return written.tree != self.tree and os.path.lexists(os.path.join(root, "active", written.key))

    def _is_archived(self, key: str) -> bool:
        from memorybank.archive import store

        return any(described.original_path == key for described in store.listing(self.layout)[0])

    def _read_moved(self) -> frozenset[str]:
        """The memories that some note names in its front matter."""
        if self._moved is None:
            self._moved = frozenset(_named_memories(self.layout.active))
        return self._moved


def _named_memories(folder: str) -> Iterator[str]:
    for directory, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".md"):
                try:
                    with open(os.path.join(directory, name), "rb") as stream:
                        head = stream.read(_HEAD_BYTES)
                except OSError:
                    continue
                found = re.search(rb"^memory: \"?((?:problem|rule):[0-9a-f]{8})\b", head, re.MULTILINE)
                if found is not None:
                    yield found[1].decode()


def _of_problem(base: CycleContext, problem: KnownProblem, occurrences: Sequence[problems.Occurrence]) -> ProvenNote:
    call, remedy = public_text(base, problem.form), public_text(base, problem.remedy)
    kind = "learned_instead" if problem.how == INSTEAD else "learned_first"
    title = phrase(kind, ENGLISH, call=call, remedy=remedy)
    said = shortened(public_text(base, _usual_error(occurrences)), _ERROR)
    body = [*([phrase("learned_error", ENGLISH, call=call, said=said)] if said else []), _origin(occurrences, ENGLISH, "learned_failed")]
    return _note(problem.memory, problems.PROBLEM, call, title, body, occurrences[0].at)


def _usual_error(occurrences: Sequence[problems.Occurrence]) -> str:
    """The error that was the first to come up in three sessions, "" where each has its own."""
    sessions: dict[str, set[str]] = {}
    for one in occurrences:
        held = sessions.setdefault(one.said, set())
        held.add(one.session)
        if one.said and len(held) == LEAST_SESSIONS:
            return one.said
    return ""


def _of_rule(base: CycleContext, rule: Rule) -> ProvenNote:
    sayings = [shortened(public_text(base, saying), _SAYING) for saying in rule.sayings]
    language = language_of(sayings[0])
    stated = rule.stated[::-1]
    origin = _origin(stated, language, "learned_asked") if rule.is_expected else phrase("learned_stated", language, day=time_of.day_of(stated[-1].at))
    return _note(rule.memory, rules.RULE, rule.subject, sayings[0], ["\n".join(f"> {saying}" for saying in sayings), origin], stated[0].at)


def _origin(sources: Sequence[problems.Occurrence | rules.Stated], language: str, name: str) -> str:
    """In how many sessions, rounded, and the days of the first that proved it: they stay as they are. sources: the oldest first."""
    days: dict[str, str] = {}
    for source in sources:
        days.setdefault(source.session, time_of.day_of(source.at))
    first = dict.fromkeys(list(days.values())[:LEAST_SESSIONS])
    return phrase(name, language, count=about(len(days)), days=", ".join(first))


def _note(memory: str, kind: str, about_what: str, title: str, body: Sequence[str], at: int) -> ProvenNote:
    slug = create.slug(about_what).encode()[:_SLUG_BYTES].decode(errors="ignore").rstrip("-")
    front: dict[str, scalar.Settable] = {
        "title": neutralise(shortened(title, _TITLE)),
        "memory": memory,
        "version": VERSION,
        "agent_created": "main",
        "acl": "user",
        "privacy": "public",
        "tags": [FOLDER, kind],
        "created": time_of.isoformat(at),
    }
    lines = "".join(f"{name}: {scalar.render(value)}\n" for name, value in front.items())
    text = "\n\n".join((f"# {title}", *body))
    data = f"---\n{lines}---\n\n{neutralise(text)}\n".encode("utf-8", "replace")
    return ProvenNote(memory, f"{FOLDER}/{kind}-{slug}-{memory.partition(':')[2]}.md", data, title)


def public_text(base: CycleContext, text: str) -> str:
    """A text as everybody may read it: on one line, without secrets and places of a machine."""
    return redact(_HOMES.sub("~", without_places(" ".join(text.split()), base.places)), base.existing_key())
