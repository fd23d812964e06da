"""The status of a bank: its metrics and alerts, the changes since the last session, and the notes that would leave soon."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from memorybank.bank import drafted, embedded, neighbours, note_problems
from memorybank.bank.embedded import StoredVectors
from memorybank.bank.opened import OpenBank, look_up_claims
from memorybank.bank.policy import Policies, SuppressedMemory
from memorybank.bank.source_states import SourceState, source_states
from memorybank.clock import DAY, SECOND, isoformat
from memorybank.cycle.know.learned import FOLDER, memory_of
from memorybank.cycle.know.rejected import rejections
from memorybank.episodes import list_file
from memorybank.episodes.dates import LocalCalendar
from memorybank.errors import MemorybankError, Problem
from memorybank.index import claim_rows, listing, queries, rotation_lines, totals
from memorybank.index.fold import refresh_shown
from memorybank.index.working import Index
from memorybank.log import rotation as rotation_log
from memorybank.log import sessions
from memorybank.log.sessions import LastSession
from memorybank.metrics import measure
from memorybank.metrics.measure import MetricsReport
from memorybank.notes import bookmarks
from memorybank.rotation.decision import RotationDecision, RotationPlan
from memorybank.rotation.grace import Grace, grace, unattended_grace
from memorybank.rotation.pressure import Occupancy
from memorybank.rotation.selecting import PlanSource
from memorybank.storage.layout import Layout
from memorybank.values import Value

SOON_DAYS = 7
FIRST = 5
"""Number of the notes that would leave soon which a status lists in any case."""


class BankChanges(Value):
    """Changes since an instant, sorted.

    added, changed, removed: keys of notes, as files
    archived, restored: keys of notes, by rotations
    episodes: dates (ranges for merged weeks) of the entries that were written to the list
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    episodes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, list[str]]:
        return {name: list(keys) for name, keys in self.as_dict().items()}


class BankStatus(Value):
    """The status of a bank.

    report: metrics and alerts at this instant
    session: the last one, None when nothing is recorded
    changes: since the newest line of that session
    plan: what a person's rotation would do now; without every leaving note where the caller asked for numbers only
    soon: further notes that a rotation would archive within `SOON_DAYS`, if nothing is read or edited until then; only the first `FIRST` of them
        where the caller asked for numbers only
    soon_count: number of all of these notes
    suppressed: memories that recall does not show, with the reasons
    learned: keys of the learned notes, newest first
    unattended: `rotation.unattended`
    sources: the sources that are read in place
    untrue: {state: number of outdated claims of notes}
    superseded: number of statements that a later one replaced
    problems: those of notes, of their names and of the bookmarks
    waits: the grace for unattended rotation on this machine
    other_banks: folders of the other banks of the repository, relative to it
    meaning: the vectors for search by meaning, None without any
    withdrawn: number of lines of the drafted summary that sessions do not receive, because their sources changed
    """

    report: MetricsReport
    session: LastSession | None
    changes: BankChanges
    plan: RotationPlan
    soon: tuple[RotationDecision, ...]
    soon_count: int
    suppressed: tuple[SuppressedMemory, ...]
    learned: tuple[str, ...]
    unattended: str
    sources: tuple[SourceState, ...]
    untrue: Mapping[str, int]
    superseded: int = 0
    problems: tuple[Problem, ...] = ()
    waits: Grace | None = None
    other_banks: tuple[str, ...] = ()
    meaning: StoredVectors | None = None
    withdrawn: int = 0

    @property
    def leaving(self) -> tuple[RotationDecision, ...]:
        """The notes that a person's rotation would archive now."""
        return self.plan.leaving

    @property
    def needed(self) -> tuple[RotationDecision, ...]:
        """The notes of `leaving` that have to leave so that `active/` is within `rotation.pressure`."""
        return self.plan.needed

    @property
    def occupancy(self) -> Occupancy:
        return self.plan.occupancy

    @property
    def deferred(self) -> tuple[RotationDecision, ...]:
        """The notes that a person's rotation would archive without the grace of a new bank."""
        return self.plan.deferred

    @property
    def grace(self) -> Grace | None:
        """The period in which nothing leaves by its age."""
        return self.plan.grace

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
            "learned_notes": list(self.learned),
            "rotation": {
                "now": [decision.to_json() for decision in self.leaving],
                "needed": [decision.to_json() for decision in self.needed],
                "occupancy": self.occupancy.to_json(),
                "unattended": self.unattended,
                "deferred": [decision.to_json() for decision in self.deferred],
                "grace": self.grace.to_json() if self.grace else None,
                "unattended_grace": self.waits.to_json() if self.waits else None,
                "within_days": SOON_DAYS,
                "soon": [decision.to_json() for decision in self.soon],
            },
            "suppressed": [one.to_json() for one in self.suppressed],
            "claims": dict(self.untrue),
            "superseded": self.superseded,
            "summary_withdrawn": self.withdrawn,
            "problems": [problem.to_json() for problem in self.problems],
            "sources": [source.to_json() for source in self.sources],
            "other_banks": list(self.other_banks),
            "meaning": self.meaning.to_json() if self.meaning else None,
        }


def status(bank: OpenBank, *, every: bool = True, fresh: bool = True) -> BankStatus:
    """Examine everything once. Writes only what any search writes (the cache).

    every: whether to list every note that leaves now or soon; otherwise they are counted, which is faster in a large bank
    fresh: whether to look at every file, whatever was looked at a moment ago
    """
    session = sessions.last(bank.layout)
    with bank.overviewed(fresh=fresh) as (index, is_overview):
        found = _of_index(bank, index, session, every=every)
        if is_overview and refresh_shown(index, [decision.key for decision in (*found["plan"].leaving, *found["soon"])]):
            found = _of_index(bank, index, session, every=every)
    return BankStatus(
        session=session,
        suppressed=Policies(bank).suppressed(),
        unattended=bank.settings.rotation.unattended,
        other_banks=_other_banks(bank.layout),
        meaning=embedded.stored(bank.layout, bank.clock),
        withdrawn=drafted.withdrawn(bank),
        **found,
    )


def _of_index(bank: OpenBank, index: Index, session: LastSession | None, *, every: bool) -> dict[str, Any]:
    """Return those fields of a status that follow from the index."""
    report = measure.measure(index)
    changes = _changes(index, session) if session else BankChanges()
    soon = index.now + SOON_DAYS * DAY
    source = PlanSource(index, bookmarks.load(bank.layout), rotation_lines.state(index), report.stored.active_bytes)
    period = grace(bank.layout, bank.settings, index.now)
    planned = source.plan(grace=period) if every else source.brief(0, period)
    later = source.leaving_later(planned, soon, grace(bank.layout, bank.settings, soon), None if every else FIRST)
    learned = _learned(index)
    waits = unattended_grace(index)
    sources = tuple(source_states(index))
    look_up_claims(index)
    return {
        "report": report,
        "changes": changes,
        "plan": planned,
        "soon": later.decisions,
        "soon_count": later.count,
        "learned": learned,
        "waits": waits,
        "sources": sources,
        "untrue": claim_rows.counts(index.connection),
        "superseded": totals.superseded(index, rejections(bank.layout)),
        "problems": tuple(note_problems.of_notes(index)),
    }


def _other_banks(layout: Layout) -> tuple[str, ...]:
    """Return the folders of the other banks of the repository; none where git cannot list them."""
    try:
        found = neighbours.banks_of(layout.repository, without=layout) if layout.repository is not None else []
    except MemorybankError:
        return ()
    return tuple(layout.relative(other.root) for other in found)


def _learned(index: Index) -> tuple[str, ...]:
    """Return the keys of the learned notes, newest first."""
    found, _ = listing.keys(index.connection, FOLDER, (), listing.CREATED, 0, -1)
    return tuple(key for key in found if memory_of(key))


def _changes(index: Index, session: LastSession) -> BankChanges:
    """Return the changes since the session's newest line. The session's own note is written after that and is left out."""
    since = session.at
    archived, restored = rotation_log.moves_since(index.layout, since)
    added, changed = [], []
    for key, digest in queries.saved_since(index.connection, since, session.session_id).items():
        if key in restored:
            continue
        known = _content_at(index, key, since)
        if known is None:
            added.append(key)
        elif known != digest:
            changed.append(key)
    return BankChanges(
        added=tuple(added),
        changed=tuple(changed),
        removed=tuple(sorted(queries.removed_since(index.connection, since) - archived)),
        archived=tuple(sorted(archived - _present(index, archived))),
        restored=tuple(sorted(_present(index, restored))),
        episodes=_episodes(index, since),
    )


def _present(index: Index, keys: Collection[str]) -> set[str]:
    """Return the keys that are active notes now."""
    return {key for key in keys if queries.id_of(index.connection, key) is not None}


def _content_at(index: Index, key: str, since: int) -> str | None:
    """Return the digest that the log had for a note at an instant, or None."""
    row = index.connection.execute("SELECT digest FROM sightings WHERE key = ? AND at <= ? ORDER BY at DESC LIMIT 1", (key, since)).fetchone()
    return None if row is None else str(row[0])


def _episodes(index: Index, since: int) -> tuple[str, ...]:
    """Return the entries written after an instant, with the precision of a second that their dates have.

    Episodes that the end of the session itself wrote are included, because nobody has seen them.
    """
    calendar = LocalCalendar(index.settings.episodes.timezone)
    entries = (entry for entry in list_file.read(index.layout).entries if entry.first and not entry.is_error)
    written = {entry.date for entry in entries if (calendar.instant(entry.created_at) or 0) + SECOND > since}
    return tuple(sorted(written))
