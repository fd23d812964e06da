"""The notes of a bank: listing, reading, creating, rating and bookmarking them."""

from __future__ import annotations

from collections.abc import Sequence

from memorybank.bank import source_keys
from memorybank.bank.arguments import BankFacade
from memorybank.config import sources
from memorybank.errors import MemorybankError, NotFound, Problem, ResourceExhausted, UsageError
from memorybank.index.working import Progress
from memorybank.log import access
from memorybank.log.access import AccessLine
from memorybank.notes import named, scan, source_files
from memorybank.storage.layout import MAX_NOTE_BYTES, REMEMBER_FOLDER, is_source_key

# `BankFacade` checks arguments of the types that are imported above.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.bank.alike import AlikeNote
    from memorybank.bank.rewriting import RelinkPlan, TagPlan
    from memorybank.editing.draft import NoteDraft
    from memorybank.index.row import IndexedNote
    from memorybank.notes.bookmarks import Bookmark
    from memorybank.notes.note import Note
    from memorybank.notes.pictures import Picture
    from memorybank.notes.tags import TagCount


class Notes(BankFacade):
    """The operations on single notes.

    Reading loads little. What changes notes, and what reads their structure, is imported by the methods that need it.
    """

    def list(self) -> list[IndexedNote]:
        """Return every active note, by key."""
        with self._bank.folded() as index:
            return index.notes()

    def problems(self, *, dated: bool = True) -> Sequence[Problem]:
        """Return the problems of notes and of their names, by path and line. dated: whether to include dates in the future"""
        from memorybank.bank import note_problems

        with self._bank.folded() as index:
            return sorted([*note_problems.of_notes(index), *(index.future_dates() if dated else ())])

    def tags(self) -> Sequence[TagCount]:
        """Return the tags of all notes and files of sources, the most frequent first. A note that has a tag and one below it counts once."""
        from memorybank.notes.tags import counted_tags

        with self._bank.folded() as index:
            return counted_tags(note.tags for note in (*index.notes(), *index.source_notes()))

    def links(self, key: str | None = None) -> Sequence[tuple[str, str]]:
        """Return pairs (key of a note, key of a note that it links to or names), by key. Links that match no active note are left out.

        key: return only links from and to this note
        Raises `NotFound` for an unknown key.
        """
        from memorybank.index.links import edges

        if key is not None:
            key = self.locate(key)
        with self._bank.folded() as index:
            return edges(index.connection, key)

    def resolve(self, text: str) -> str:
        """Return the key of the bank's own note that a person means by `text` (a key, a path, another Unicode form).

        Raises `NotFound`, which names candidates, and `UsageError` for a file of a source, which must not be changed.
        """
        layout, shared = self._bank.layout, self._bank.shared
        file = source_keys.key_meant(self._bank.layout, text)
        if file is not None:
            source = sources.load(layout).covering(file)
            path = layout.relative(layout.file_path(file))
            raise UsageError(f"{path} belongs to the source {source.name if source else ''!r}, which is only read", next_step=f"edit {path} itself")
        if shared is not None and shared.note(text) is not None:
            return text
        exact = named.exact_key(layout, text)
        if exact is not None:
            return exact
        try:
            return named.resolve_key(text, {found.key for found in scan.sweep(layout).found}, layout.active)
        except NotFound:
            from memorybank.editing.write import finish_interrupted

            # A killed change can leave a note without its name for a moment.
            if self._bank.read_only or not finish_interrupted(layout, self._bank.clock):
                raise
            return named.resolve_key(text, {found.key for found in scan.sweep(layout).found}, layout.active)

    def locate(self, text: str) -> str:
        """Like `resolve`, but also return the key of a source's file, which can be read but not changed. Raises `NotFound`."""
        key = source_keys.key_meant(self._bank.layout, text)
        return key or self.resolve(text)

    def find(self, text: str) -> str:
        """Return the key of the one note or source's file that `text` names: what `locate` accepts, or a short name (`notes.short_names`).

        Raises `NotFound`, which lists the candidates, when several notes have such a name, and when none has.
        """
        from memorybank.notes import short_names

        try:
            return self.locate(text)
        except NotFound:
            if key := short_names.one_of(text, list(self.matching(text))):
                return key
            from memorybank.bank import note_problems

            note_problems.raise_unread(self._bank.layout, text)
            raise

    def unread(self) -> Sequence[Problem]:
        """Return what is named like a note and is not read, because it is too large, unreadable or no regular file."""
        with self._bank.folded() as index:
            return sorted(index.unreadable or ())

    def matching(self, text: str) -> Sequence[str]:
        """Return the keys of the notes that a short name may mean, sorted."""
        from memorybank.notes import short_names

        with self._bank.folded() as index:
            notes = short_names.matching(text, [(note.key, note.title) for note in index.notes()])
            return notes or short_names.matching(text, [(note.key, note.title) for note in index.source_notes()])

    def read(self, key: str, *, record_view: bool = True) -> Note:
        """Return the note, or the file of a source, as it is on disk now. Raises `NotFound`.

        record_view: whether to log the view, which counts as access; in a bank that cannot be written nothing is logged
        """
        key = self.locate(key)
        note = self._read(key)
        if record_view and not self._bank.read_only:
            self._record_view(key)
        return note

    def viewed(self, key: str) -> None:
        """Record that a note was read. In a bank that cannot be written nothing is recorded. Raises `NotFound` for an unknown key."""
        key = self.locate(key)
        if not self._bank.read_only:
            self._record_view(key)

    def picture(self, path: str) -> Picture:
        """Return a picture that a note shows. Raises `NotFound` when it is not a picture.

        path: relative to active/
        """
        from memorybank.notes import pictures

        return pictures.read(self._bank.layout, path)

    def add(self, title: str, *, body: str = "", folder: str = REMEMBER_FOLDER, tags: Sequence[str] = (), rating: float | None = None) -> str:
        """Create a note and return its key. An existing note is never replaced. Raises `UsageError` for an invalid title, folder, rating or tag."""
        from memorybank.bank import recording
        from memorybank.notes import create

        if rating is not None:
            from memorybank.bank import rewriting

            rewriting.check_rating(rating)
        if tags:
            from memorybank.notes.tags import checked_name

            tags = [checked_name(tag) for tag in tags]
        key = create.add(self._bank.layout, title, body, folder, tuple(tags), rating, clock=self._bank.clock)
        recording.record_new(self._bank, key)
        return key

    def remember(self, text: str, *, title: str | None = None, tags: Sequence[str] = (), agent: str | None = None) -> str:
        """Create a note from one text and return its key.

        title: default is the first line
        agent: the role of the agent that wrote it, None for a person
        """
        from memorybank.bank import recording
        from memorybank.notes import create

        key = create.remember(self._bank.layout, text, title, tuple(tags), agent, clock=self._bank.clock)
        recording.record_new(self._bank, key)
        return key

    def alike(self, key: str) -> AlikeNote | None:
        """Return the note whose text a new note repeats, equally or nearly; None when there is none (`bank.alike`)."""
        from memorybank.bank.alike import find

        return find(self._bank, key)

    def rate(self, key: str, rating: float) -> str:
        """Write a person's rating, 0–10, into the note's front matter without changing any other line, and return the key.

        A rating is not an edit: the new content is recorded with the old content's date before it is written.
        Raises `NotFound`, `UsageError` for an invalid rating, and `Conflict` when somebody changed the note in the meantime.
        """
        from memorybank.bank import rewriting

        rewriting.check_rating(rating)
        key = self.resolve(key)
        if not rewriting.rate(self._bank, key, rating):
            self._read(key)
            raise NotFound(f"note not found: {key}")
        # Also without a change: an earlier command may have been interrupted before the record of dates was written.
        self._bring_up_to_date()
        return key

    def replace(self, key: str, text: str, before: str) -> str:
        """Replace the text of a note and return the id of the change, "" when the note has this text already. `rotation.undo` takes it back.

        text: the entire file, with its front matter; written as UTF-8
        before: `digest` of the Note that the text was made from
        Raises `NotFound`, and `Conflict` when somebody changed the note in the meantime; both change nothing.
        """
        from memorybank.editing.write import NoteWriter

        key = self.resolve(key)
        data = text.encode(errors="replace")
        if len(data) > MAX_NOTE_BYTES:
            raise ResourceExhausted(f"{len(data)} bytes, over the limit of {MAX_NOTE_BYTES} for a note", next_step="split the text into several notes")
        with NoteWriter(self._bank.layout, "Bank.notes.replace", self._bank.clock) as writer:
            writer.replace(f"active/{key}", data, {before})
        self._bring_up_to_date()
        return writer.change

    def rename(self, key: str, new: str) -> tuple[str, str]:
        """Rename a note and return (its new key, the id of the change). Its views, dates and the bookmark of its key follow; links do not.

        new: a key, or a folder
        Raises `NotFound`, and `Conflict` when the new key is taken; both change nothing.
        """
        from memorybank.editing.write import NoteWriter

        key = self.resolve(key)
        target = self.new_key(key, new)
        with NoteWriter(self._bank.layout, "memorybank mv", self._bank.clock) as writer:
            writer.rename(f"active/{key}", f"active/{target}")
        self._bring_up_to_date()
        return target, writer.change

    def plan_links(self, key: str, new: str) -> RelinkPlan:
        """Return what `rename_with_links` would change, as the value that it takes. Changes nothing.

        new: a key, or a folder
        Raises `NotFound`, and `Conflict` when the new key is taken.
        """
        from memorybank.bank import rewriting

        key = self.resolve(key)
        return rewriting.plan_links(self._bank, key, self.new_key(key, new))

    def rename_with_links(self, planned: RelinkPlan, *, progress: Progress | None = None) -> str:
        """Rename a note and rewrite the links to it, and the relative links in it, as one change. Return its id, by which `rotation.undo_change` takes it back.

        Notes whose links are rewritten keep their dates.
        Raises `Conflict` when somebody changed one of the notes in the meantime; every note is then as before.
        """
        from memorybank.bank import rewriting

        change = rewriting.carry_out(self._bank, rewriting.COMMAND_MV, planned.rewrites, (planned.key, planned.new_key), progress)
        self._bring_up_to_date()
        return change

    def plan_tags(self, old: str, new: str) -> TagPlan:
        """Return what `rename_tag` would change, as the value that it takes: the tag and the tags below it, in all notes. Changes nothing.

        Raises `UsageError` for a name that no tag can have, `NotFound` when no note has the tag.
        """
        from memorybank.bank import rewriting

        return rewriting.plan_tags(self._bank, old, new)

    def rename_tag(self, planned: TagPlan, *, progress: Progress | None = None) -> str:
        """Rename a tag in all notes as one change, and return its id. The notes keep their dates.

        Raises `Conflict` when somebody changed one of the notes in the meantime; every note is then as before.
        """
        from memorybank.bank import rewriting

        change = rewriting.carry_out(self._bank, rewriting.COMMAND_TAGS, planned.rewrites, progress=progress)
        self._bring_up_to_date()
        return change

    def new_key(self, key: str, new: str) -> str:
        """Return the key that `rename` would give a note. Raises `Conflict` when it is taken, `UsageError` when it is not a key."""
        from memorybank.bank import rewriting

        return rewriting.new_key(self._bank, key, new)

    def draft(self, key: str) -> NoteDraft:
        """Return a copy of the note to edit. Raises `NotFound`."""
        from memorybank.editing.draft import NoteDraft

        key = self.resolve(key)
        self._read(key)
        return NoteDraft(self._bank.layout, key, self._bank.clock, self._bring_up_to_date)

    def bookmark_add(self, pattern: str, note: str = "") -> bool:
        """Bookmark a key, folder or glob. Return False when the same pattern was there already. Raises `UsageError` for a file of a source."""
        from memorybank.editing import bookmarking

        if source_keys.key_meant(self._bank.layout, pattern) is not None:
            self.resolve(pattern)
        return bookmarking.add(self._bank.layout, pattern, note, self._bank.clock)

    def bookmark_remove(self, pattern: str) -> bool:
        """Remove the bookmark with exactly this pattern. Return False when there is none."""
        from memorybank.editing import bookmarking

        return bookmarking.remove(self._bank.layout, pattern, self._bank.clock)

    def is_bookmarked(self, key: str) -> bool:
        """Return whether a bookmark covers the note; True for every key while the file cannot be read."""
        from memorybank.notes import bookmarks

        return bookmarks.load(self._bank.layout).matches(key)

    def bookmark_list(self) -> Sequence[Bookmark]:
        """Return the bookmarks in the order of their file."""
        from memorybank.notes import bookmarks

        return bookmarks.load(self._bank.layout).entries

    def _bring_up_to_date(self) -> None:
        """Update the rows of the index and the record of dates. The notes are in place already, so an error is left to the next command."""
        from memorybank.bank import recording

        recording.record_all(self._bank)

    def _read(self, key: str) -> Note:
        from memorybank.notes.parse import parse

        if is_source_key(key):
            try:
                return parse(key, source_files.read(self._bank.layout, key, MAX_NOTE_BYTES))
            except FileNotFoundError:
                raise NotFound(f"{key}: the file does not exist", next_step="'memorybank list --sources' lists the sources") from None
        found = scan.find_keys(self._bank.layout, (key,))
        if found.problems:
            raise NotFound(f"{key}: {found.problems[0].message}", next_step="run 'memorybank list --problems' to list every note that cannot be read")
        note = scan.read(self._bank.layout, found.found[0]) if found.found else Problem("vanished", key, "the file does not exist")
        if isinstance(note, Problem):
            raise NotFound(f"{key}: {note.message}", next_step="run 'memorybank list --problems' to list every note that cannot be read")
        return note

    def _record_view(self, key: str) -> None:
        try:
            access.append(self._bank.layout, [AccessLine("view", key, self._bank.clock.now())], self._bank.clock)
        except MemorybankError:
            return
