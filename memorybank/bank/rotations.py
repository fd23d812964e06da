"""Rotation, archive and backups. After each change, the index and the derived files are updated."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from memorybank.archive import store
from memorybank.archive.object import ArchiveObject
from memorybank.bank import arguments, recording
from memorybank.bank.arguments import BankFacade, Instant
from memorybank.bank.notes import Notes
from memorybank.bank.opened import OpenBank
from memorybank.clock import DAY
from memorybank.editing import undo as changes
from memorybank.editing.undo import UndoneNote
from memorybank.errors import MemorybankError, Problem
from memorybank.index.fold import refresh
from memorybank.index.outdated import outdated_notes, outdated_summaries
from memorybank.index.row import IndexedNote
from memorybank.index.working import Progress
from memorybank.log import adoptions, operations
from memorybank.log import rotation as log
from memorybank.log.changes import ChangeRecord
from memorybank.log.compressing import CompressedLogs, compress
from memorybank.log.purge import expire
from memorybank.log.rotation_state import Rotation
from memorybank.metrics import analytics
from memorybank.notes import bookmarks
from memorybank.reasons.reason import Reason
from memorybank.rotation import backups, elsewhere, guard, history, undo, verify
from memorybank.rotation import maintain as maintenance
from memorybank.rotation.backups import BackupSet, PruneReport
from memorybank.rotation.chosen import plan_chosen, stale_notes
from memorybank.rotation.decision import RotationPlan
from memorybank.rotation.execute import execute
from memorybank.rotation.grace import Grace, unattended_grace
from memorybank.rotation.grace import grace as grace_of
from memorybank.rotation.maintain import MaintainReport
from memorybank.rotation.report import RotationReport
from memorybank.rotation.selecting import PlanSource
from memorybank.rotation.undo import ReturnedNote, Undoable, UndoReport
from memorybank.rotation.verify import VerifyReport
from memorybank.storage.layout import siblings


class Rotations(BankFacade):
    """The operations of `memorybank rotate`, `maintain` and `undo`."""

    def plan(self, rotation_type: str = "manual", *, as_of: Instant | None = None, ignore_grace: bool = False, every: bool = True) -> RotationPlan:
        """Return what a rotation would do, as the value that `execute` takes. Changes nothing in the bank.

        rotation_type: `manual` (all rules), `size_based`, `time_based`, `importance_based`, or `pressure` (of what all rules select, only
            what brings `active/` back within `rotation.pressure`)
        as_of: default now
        ignore_grace: whether to apply the rules of age also in the first days after `init` or `adopt` (`rotation.grace_days`)
        every: whether the plan contains a decision about each note that stays; otherwise it counts them, which is faster in a large bank
        """
        bank = self._bank
        with bank.folded(as_of=arguments.instant(bank, as_of, "as_of")) as index:
            grace = None if ignore_grace else grace_of(bank.layout, bank.settings, index.now)
            source = PlanSource(index, bookmarks.load(bank.layout), log.read(bank.layout, "restored"))
            return source.plan(rotation_type, grace, outdated_summaries(index), every=every)

    def plan_forget(self, keys: Sequence[str]) -> RotationPlan:
        """Return the plan that archives exactly these notes, as the value that `execute` takes. Changes nothing in the bank.

        keys: any spelling that `notes.resolve` accepts
        Raises `NotFound` for an unknown note, `Conflict` for a bookmarked one.
        """
        bank = self._bank
        with bank.folded() as index:
            reasons = dict.fromkeys(sorted({Notes(bank).resolve(key) for key in keys}), Reason("rotation.forgotten"))
            return plan_chosen(index.notes(), reasons, bookmarks.load(bank.layout), bank.settings, index.now)

    def plan_forget_stale(self) -> RotationPlan:
        """Return the plan that archives the notes about things that are gone from the repository, as the value that `execute` takes.

        Each decision says what is gone. Changes nothing in the bank.
        """
        bank = self._bank
        with bank.folded() as index:
            bank.look_up_every_claim(index)
            notes, marked = index.notes(), bookmarks.load(bank.layout)
            reasons = stale_notes(notes, outdated_notes(index), marked, index.now)
            return plan_chosen(notes, reasons, marked, bank.settings, index.now)

    def execute(self, planned: RotationPlan, *, yes: bool = False, progress: Progress | None = None) -> RotationReport:
        """Carry out a plan. A note that changed since then is skipped and reported.

        yes: whether to confirm a large plan
        Raises `BrakeRefused` for a large plan without `yes`.
        """
        bank = self._bank
        running = operations.RunningOperation(bank.layout, "rotation", bank.clock)
        report = execute(planned, bank.layout, bank.clock, yes=yes, progress=progress)
        report.warnings += _settle(bank)
        running.end(ok=not report.errors, archived=len(report.rotated))
        return report

    def maintain(self, *, yes: bool = False) -> MaintainReport:
        """Do everything that is due, unattended and within the brake: rotation, retention, backups, temporary files, old texts, old logs.

        yes: whether to accept a clock that seems wrong
        """
        bank = self._bank
        running = operations.RunningOperation(bank.layout, "maintain", bank.clock)

        def notes() -> Sequence[IndexedNote]:
            with bank.folded() as index:
                return index.notes()

        def grace() -> Grace | None:
            with bank.opened() as index:
                return unattended_grace(index)

        def outdated() -> Mapping[str, Reason]:
            with bank.opened() as index:
                return outdated_summaries(index)

        report = maintenance.maintain(bank.layout, bank.settings, bank.clock, notes, grace=grace, outdated=outdated, yes=yes)
        report.blanked_texts = _expire_texts(bank)
        report.compressed_logs = _compress_logs(bank)
        report.warnings += _refresh(bank)
        running.end()
        with suppress(MemorybankError), bank.opened() as index:
            analytics.refresh_if_possible(index)
        return report

    def undo(self, rotation_id: str | None = None) -> UndoReport:
        """Bring back the notes that a rotation (default: the latest) archived. Nothing is replaced, and no archive object is deleted."""
        report = undo.undo(self._bank.layout, self._bank.clock, rotation_id)
        _settle(self._bank)
        return report

    def undo_change(self, change: str) -> "list[UndoneNote]":
        """Take back an edit or a rename: each note that nobody changed since gets its former bytes or name. Raises `NotFound`.

        change: its id, as `undoable_changes` contains it
        """
        undone = changes.undo(self._bank.layout, change, self._bank.clock)
        _settle(self._bank)
        return undone

    def undoable_changes(self) -> "dict[str, list[ChangeRecord]]":
        """Return {id: what it changed} of the edits and renames of this working tree, oldest first."""
        return changes.undoable(self._bank.layout)

    def changes_taken_back(self) -> dict[str, int]:
        """Return {id of an edit, rename or adoption that was undone: how many of its files are as before}."""
        found = changes.taken_back(self._bank.layout)
        undone = {each.change for each in adoptions.read(self._bank.layout) if each.is_undone}
        return found | {change: len({record.path for record in records}) for change, records in self.undoable_changes().items() if change in undone}

    def history(self) -> list[Rotation]:
        """Return every rotation on this machine, oldest first."""
        return list(log.read(self._bank.layout).rotations.values())

    def undoable(self) -> list[Undoable]:
        """Return the rotations that can be undone, newest first, and how much of each is back."""
        layout = self._bank.layout
        return undo.undoable(log.read(layout), log.tree_of(layout))


class Archives(BankFacade):
    """The archive. It is committed, so that a colleague's clone can list, show and restore the same notes."""

    @property
    def is_expiring(self) -> bool:
        """Whether a person switched on that objects of rule `low` are deleted after some time."""
        return self._bank.settings.rotation.rotation_strategy.archival_rules.low_importance.delete_after_archive_days is not None

    def list(self) -> "list[ArchiveObject]":
        """Return every archived note by date. Sidecars that cannot be trusted are left out; `verify` reports them."""
        return store.listing(self._bank.layout)[0]

    def listing(self) -> tuple[Sequence[ArchiveObject], Sequence[Problem]]:
        """Return (every archived note by date, the problems of other sidecars)."""
        return store.listing(self._bank.layout)

    def show(self, name: str) -> tuple[ArchiveObject, bytes]:
        """Return an archived note and its bytes, with every digest checked. Raises `NotFound`, or `ValidationFailed` for a damaged one.

        name: the object's id, the id's last 8 digits, or the note's key
        """
        described = store.find(self._bank.layout, name)
        return described, store.read_object(self._bank.layout, described)

    def restore(self, name: str) -> ReturnedNote:
        """Bring one archived note back, byte-exact and with its mtime. It never replaces another note."""
        returned = undo.restore(self._bank.layout, name, self._bank.clock)
        _settle(self._bank)
        return returned

    def restore_all(self, names: Sequence[str]) -> tuple[Sequence[ReturnedNote], Sequence[tuple[str, MemorybankError]]]:
        """Bring several archived notes back. Return (those that came back, (name, error) of the others)."""
        returned, errors = [], []
        for name in names:
            try:
                returned.append(undo.restore(self._bank.layout, name, self._bank.clock))
            except MemorybankError as error:
                errors.append((name, error))
        if returned:
            _settle(self._bank)
        return returned, errors

    def repair(self) -> Sequence[str]:
        """Rewrite missing or damaged sidecars from the rotation log. Return their paths, relative to the bank."""
        with guard.changing(self._bank.layout, "memorybank verify --repair", self._bank.clock):
            return verify.repair(self._bank.layout)

    def acknowledge(self) -> Sequence[str]:
        """Record that you know of the missing archived notes that are complete elsewhere, so that `verify` only warns. Return their paths."""
        return verify.acknowledge(self._bank.layout, self._bank.clock)

    def unacknowledge(self) -> Sequence[str]:
        """Take every `acknowledge` back. Return the paths."""
        return elsewhere.withdraw(self._bank.layout, self._bank.clock)

    def verify(self) -> VerifyReport:
        """Compute every digest again, from log lines, sidecars and object bytes alone."""
        return verify.verify(self._bank.layout, self._bank.clock.now())


class Backups(BankFacade):
    """The original files of each rotation, kept on this machine until they expire."""

    def list(self) -> "list[BackupSet]":
        """Return the backups of each rotation, with the day on which they expire."""
        bank = self._bank
        return backups.listing(bank.layout, log.read(bank.layout), bank.settings.rotation.backup_policy)

    def prune(self, *, yes: bool = False) -> PruneReport:
        """Compress and delete the backups that are due, only where size, mtime and digest still match the log.

        yes: whether to accept a clock that seems wrong
        """
        bank = self._bank
        return maintenance.prune_backups(bank.layout, bank.settings, bank.clock, yes=yes)


def _expire_texts(bank: OpenBank) -> int:
    """Blank texts in the event logs that are older than `record.text_days`, and rebuild what was folded from them. Return how many."""
    from memorybank.cycle import base
    from memorybank.cycle.fold import cache
    from memorybank.cycle.rebuild import rebuild

    cycle = base.describe(bank.layout, bank.clock)
    days = cycle.settings.record.text_days
    if not days:
        return 0
    with guard.changing(bank.layout, maintenance.COMMAND, bank.clock):
        blanked = expire(bank.layout, bank.clock.now() - days * DAY, bank.clock).fields
        if blanked:
            # Every worktree has folded the shared logs into its own cache.
            for tree in siblings(bank.layout):
                cache.remove(tree)
            rebuild(cycle)
            cache.close()
    return blanked


def _compress_logs(bank: OpenBank) -> CompressedLogs:
    """Compress the event logs without an event since `record.compress_days`."""
    from memorybank.cycle import base

    days = base.describe(bank.layout, bank.clock).settings.record.compress_days
    if not days:
        return CompressedLogs()
    with guard.changing(bank.layout, maintenance.COMMAND, bank.clock):
        return compress(bank.layout, bank.clock.now() - days * DAY, bank.clock)


def _settle(bank: OpenBank) -> list[str]:
    """Update what is derived and the record of dates after notes moved. Return warnings."""
    warnings = _refresh(bank)
    recording.record_all(bank)
    return warnings


def _refresh(bank: OpenBank) -> list[str]:
    """Update the index, the catalogues and the published history.

    The notes are safe already. An error here becomes a warning with a next step, and does not fail the operation.
    """
    try:
        with bank.opened() as index:
            refresh(index, fresh=True)
        history.write_documents(bank.layout)
    except MemorybankError as error:
        return [f"the notes are in place, but the index could not be updated ({error.message}); run 'memorybank rebuild' to create it again"]
    return []
