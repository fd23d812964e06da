"""What a bank offers to a team: its notes, archived notes, learned notes and episodes, each judged as it is on the disk now."""

import os

from memorybank.archive import store
from memorybank.archive.object import ArchiveObject
from memorybank.bank.opened import OpenBank
from memorybank.cycle.know.learned import memory_of
from memorybank.cycle.recall.candidates import SESSION_NOTES
from memorybank.episodes import dates, list_file
from memorybank.episodes.dates import LocalCalendar
from memorybank.episodes.entry import documents
from memorybank.errors import MemorybankError, Problem
from memorybank.index.row import IndexedNote
from memorybank.notes import scan
from memorybank.notes.note import Note
from memorybank.notes.note_files import NoteFile
from memorybank.notes.parse import parse
from memorybank.reasons.reason import Reason
from memorybank.team import offering
from memorybank.team.connection import TeamConnection
from memorybank.team.offering import KeptMemory, OfferedMemory, TeamOffer
from memorybank.team.row import ARCHIVED, EPISODE, LEARNED, NOTE
from memorybank.trust import gate as gates
from memorybank.trust.gate import TrustGate
from memorybank.visibility import UNKNOWN_VIEWER

_NOTE, _ARCHIVE = "note:", "archive:"


def offer_of(bank: OpenBank, connection: TeamConnection) -> TeamOffer:
    """Return what the bank shares, and what stays here with the reason. Sources that are read in place, prompts and logs are never offered.

    Raises the errors of the index.
    """
    gate = gates.gate_of(bank.layout, os.environ, bank.clock, keep=not bank.read_only)
    archived = [_archived_note(bank, connection, gate, described) for described in store.listing(bank.layout)[0]]
    judged = [*_notes(bank, connection, gate), *archived, *_episodes(bank, connection, gate)]
    shared = [each for each in judged if isinstance(each, OfferedMemory)]
    return TeamOffer(shared, [each for each in judged if isinstance(each, KeptMemory)])


def _notes(bank: OpenBank, connection: TeamConnection, gate: TrustGate) -> list[OfferedMemory | KeptMemory]:
    with bank.folded() as index:
        known = {note.key: note for note in index.notes()}
    return [_note(bank, connection, gate, found, known.get(found.key)) for found in scan.sweep(bank.layout).found]


def _note(bank: OpenBank, connection: TeamConnection, gate: TrustGate, found: NoteFile, known: IndexedNote | None) -> OfferedMemory | KeptMemory:
    """Return the judgement of a note, by the file as it is now: its access rules may have changed since it was indexed."""
    memory, kind = _NOTE + found.key, LEARNED if memory_of(found.key) else NOTE
    note = scan.read(bank.layout, found)
    if isinstance(note, Problem) or known is None:
        return KeptMemory(memory, kind, found.key, offering.UNREADABLE)
    if (why := _why_kept(note, connection, is_admitted=gate.admits(bank.layout, f"active/{found.key}"))) is not None:
        return KeptMemory(memory, kind, found.key, why)
    return offering.offered(memory, kind, found.key, note.title, note.body, note.front.tags, known.created, known.modified)


def _why_kept(note: Note, connection: TeamConnection, *, is_admitted: bool) -> Reason | None:
    """Return why a note stays here; None when it may be shared. is_admitted: whether a person accepted its file"""
    if not UNKNOWN_VIEWER.sees(note.front):
        return offering.PRIVATE
    if not is_admitted:
        return offering.NOT_ACCEPTED
    return offering.SESSION_NOTE if note.key.startswith(SESSION_NOTES) and not connection.session_notes else None


def _archived_note(bank: OpenBank, connection: TeamConnection, gate: TrustGate, described: ArchiveObject) -> OfferedMemory | KeptMemory:
    memory, key = _ARCHIVE + described.id, described.original_path
    try:
        note = parse(key, store.read_object(bank.layout, described))
    except MemorybankError:
        return KeptMemory(memory, ARCHIVED, key, offering.UNREADABLE)
    if (why := _why_kept(note, connection, is_admitted=gate.admits(bank.layout, described.object_path))) is not None:
        return KeptMemory(memory, ARCHIVED, key, why)
    modified = described.mtime_ns // 1_000_000
    return offering.offered(memory, ARCHIVED, key, note.title, note.body, note.front.tags, note.front.created or modified, note.front.updated or modified)


def _episodes(bank: OpenBank, connection: TeamConnection, gate: TrustGate) -> list[OfferedMemory | KeptMemory]:
    admitted = gate.admits(bank.layout, gates.EPISODES)
    calendar = LocalCalendar(bank.settings.episodes.timezone)
    found: list[OfferedMemory | KeptMemory] = []
    for memory, entries in documents(list_file.read(bank.layout).entries).items():
        date, shown = entries[0].date, [entry for entry in entries if entry.is_showable]
        if not connection.episodes:
            found.append(KeptMemory(memory, EPISODE, date, offering.EPISODES_OFF))
        elif not admitted:
            found.append(KeptMemory(memory, EPISODE, date, offering.NOT_ACCEPTED))
        elif shown:
            text = "\n\n".join(entry.summary.strip() for entry in shown)
            began, end = calendar.instant(entries[0].first) or 0, (calendar.instant(dates.plus(entries[0].last, 1)) or 1) - 1
            found.append(offering.offered(memory, EPISODE, date, date, text, (), began, end))
    return found
