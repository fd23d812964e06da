"""One look at a bank: how it is doing, what changed since the last session, what would leave soon."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memorybank.clock import DAY, isoformat
from memorybank.index import rescore
from memorybank.index.row import IndexedNote
from memorybank.index.working import Index
from memorybank.log import rotation as rotation_log
from memorybank.log import sessions
from memorybank.log.sessions import Ended
from memorybank.metrics import measure
from memorybank.metrics.measure import Report
from memorybank.notes import bookmarks
from memorybank.rotation.plan import Decision, plan

if TYPE_CHECKING:
    from memorybank.bank.bank import Bank

SOON_DAYS = 7


@dataclass(frozen=True, slots=True)
class Changes:
    """Keys of notes, sorted. added, changed, removed: since an instant, as files; archived, restored: by rotations."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()

    def to_json(self) -> dict[str, list[str]]:
        return {name: list(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Status:
    """report: metrics and alerts at this instant; session: the last one, None when nothing is recorded; changes: of notes since its newest
    line; leaving: what a rotation would archive now; soon: what else it would within `SOON_DAYS`, if nothing is read or edited meanwhile."""

    report: Report
    session: Ended | None
    changes: Changes
    leaving: tuple[Decision, ...]
    soon: tuple[Decision, ...]

    def to_json(self) -> dict[str, Any]:
        metrics = self.report.metrics
        return {
            "at": isoformat(self.report.at),
            "active_files": metrics.active_files,
            "archived_files": metrics.archived_files,
            "total_size_mb": metrics.total_size_mb,
            "alerts": [alert.to_json() for alert in self.report.alerts],
            "last_session": self.session.to_json() if self.session else None,
            "changes": self.changes.to_json(),
            "rotation": {
                "now": [decision.to_json() for decision in self.leaving],
                "within_days": SOON_DAYS,
                "soon": [decision.to_json() for decision in self.soon],
            },
        }


def status(bank: "Bank") -> Status:
    """Look at everything once. Writes nothing but what any search does (the cache)."""
    session = sessions.last(bank.layout)
    marked = bookmarks.load(bank.layout)
    came_back = rotation_log.read_restored(bank.layout)
    with bank.folded() as index:
        report = measure.measure(index)
        changes = _changes(index, session) if session else Changes()
        notes = index.notes()
        soon = index.now + SOON_DAYS * DAY
        aged = _aged(index, notes, soon)
    leaving = plan(notes, marked, came_back, bank.settings, index.now).leaving
    already = {decision.key for decision in leaving}
    later = plan(aged, marked, came_back, bank.settings, soon).leaving
    return Status(report, session, changes, leaving, tuple(decision for decision in later if decision.key not in already))


def _aged(index: Index, notes: Sequence[IndexedNote], until: int) -> Sequence[IndexedNote]:
    """The notes with the scores that they will have when nothing but time passes."""
    moved = rescore.moved_by_time(index, until)
    return [replace(note, importance=moved[note.key].total, breakdown=moved[note.key]) if note.key in moved else note for note in notes]


def _changes(index: Index, session: Ended) -> Changes:
    """What became of notes since the session's newest line. Its own note is written after that and is none of them."""
    since = session.at
    moved = rotation_log.read(index.layout)
    archived = {key for rotation in moved.rotations.values() for key, at in rotation.moved.items() if at > since}
    restored = {key for key, at in moved.restored.items() if at > since}
    added, changed = [], []
    present = set()
    for note in index.notes():
        present.add(note.key)
        if note.key in restored or note.mtime_ns <= since * 1_000_000 or note.session_id == session.session_id:
            continue
        known = _content_at(index, note, since)
        if known is None:
            added.append(note.key)
        elif known != note.digest:
            changed.append(note.key)
    gone = {row[0] for row in index.connection.execute("SELECT key FROM removals WHERE at > ?", (since,))}
    return Changes(tuple(added), tuple(changed), tuple(sorted(gone - present - archived)), tuple(sorted(archived - present)), tuple(sorted(restored & present)))


def _content_at(index: Index, note: IndexedNote, since: int) -> str | None:
    """The digest that the log knew of a note at an instant; None when it knew none."""
    row = index.connection.execute("SELECT digest FROM sightings WHERE key = ? AND at <= ? ORDER BY at DESC LIMIT 1", (note.key, since)).fetchone()
    return None if row is None else str(row[0])
