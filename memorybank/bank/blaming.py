"""Finds out who wrote a note, from git, the logs of this machine, and what is known about learned notes."""

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from memorybank.archive import store
from memorybank.archive.object import ArchiveObject
from memorybank.bank.knowledge import KnowledgeFacade
from memorybank.bank.known_items import KnowledgeSource
from memorybank.bank.notes import Notes
from memorybank.blame import committed, origins, statements, traces
from memorybank.blame.origins import BlamedStatement
from memorybank.cycle.know.learned import memory_of
from memorybank.errors import MemorybankError, NotFound
from memorybank.log import access
from memorybank.notes import short_names, source_files
from memorybank.notes.note import Note
from memorybank.notes.parse import parse
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout
from memorybank.visibility import Viewer

if TYPE_CHECKING:
    from memorybank.bank.opened import OpenBank


class BlamedNote(NamedTuple):
    """A note and who wrote each of its statements.

    archive_id: id of the archived note; "" for a note of `active/` or a file of a source
    sources: what a learned note was made from, as far as this machine recorded it
    """

    key: str
    title: str
    archive_id: str
    agent: str | None
    session: str | None
    sources: tuple[KnowledgeSource, ...]
    statements: tuple[BlamedStatement, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "title": self.title,
            "archive_id": self.archive_id or None,
            "agent_created": self.agent,
            "session_id": self.session,
            "sources": [source.to_json() for source in self.sources],
            "statements": [statement.to_json() for statement in self.statements],
        }


def blame(bank: "OpenBank", name: str, *, by_line: bool = False, role: str | None = None) -> BlamedNote:
    """Return who wrote each statement of a note.

    name: as `Notes.find` accepts it, or of an archived note
    by_line: whether every line is a statement of its own
    role: name also sessions that only this role may see; None: only those that everybody may see
    Raises `NotFound`, also for a note that the role may not see.
    """
    layout, viewer = bank.layout, Viewer(role=role)
    key, data, archive_id = _found(bank, name)
    note = parse(key, data)
    if role is not None and not viewer.sees(note.front):
        raise NotFound(f"no note {name!r}")
    lines = statements.lines_of(note.text)
    keys = traces.former_keys(layout, key)
    text = committed.NOTHING
    for known in keys if layout.repository is not None else ():
        text = committed.blame(layout.repository or "", os.path.relpath(layout.file_path(known), layout.repository))
        if text is not committed.NOTHING:
            break
    active = os.path.relpath(layout.active, layout.work_tree) + "/"
    keys += [former for path in sorted(text.paths) if (former := path.removeprefix(active)) != path and former not in keys]
    recorded = traces.traces(layout, keys, data, viewer, bank.clock.now() if bank.settings.cycle.timed_release else None)
    of_lines = origins.origins(lines, committed.carried(text, lines), text.instants, recorded, _observed(bank, note))
    found = statements.single(lines) if by_line else statements.split(lines)
    session = None if any(trace.session == note.front.session_id and trace.is_hidden for trace in recorded) else note.front.session_id
    return BlamedNote(key, note.title, archive_id, note.front.agent_created, session, _sources(bank, key, role), tuple(origins.blamed(list(found), of_lines)))


def _found(bank: "OpenBank", name: str) -> tuple[str, bytes, str]:
    """Return (key, bytes, id in the archive) of a note, of a file of a source, or of an archived note."""
    try:
        key = Notes(bank).find(name)
        return key, source_files.read(bank.layout, key, MAX_NOTE_BYTES), ""
    except NotFound:
        described = _archived(bank.layout, name)
        if described is None:
            raise
    return described.original_path, store.read_object(bank.layout, described), described.id


def _archived(layout: Layout, name: str) -> ArchiveObject | None:
    """Return the archived note that a name means: its id, key or a short name. Of several with the same key, the latest counts."""
    latest = {each.original_path: each for each in sorted(store.listing(layout)[0], key=lambda each: each.archived_at)}
    with suppress(NotFound):
        return store.find(layout, name)
    key = short_names.one_of(name, short_names.matching(name, [(each.original_path, each.title) for each in latest.values()]))
    return latest[key] if key is not None else None


def _observed(bank: "OpenBank", note: Note) -> int | None:
    """Return when this content of the note was first seen on this machine (ms)."""
    found = (entry.date or entry.at for _, entry in access.read(bank.layout) if entry.digest == note.digest and entry.key == note.key)
    return min(found, default=None)


def _sources(bank: "OpenBank", key: str, role: str | None) -> tuple[KnowledgeSource, ...]:
    """Return what a learned note was made from; () for other notes, and where the logs do not contain it."""
    memory = memory_of(key)
    if not memory:
        return ()
    try:
        return tuple(KnowledgeFacade(bank).show(memory, role=role).sources)
    except MemorybankError:
        return ()
