"""Rotation of the notes. After each change, the index and the derived files are updated. Planning loads nothing of what carries a plan out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memorybank.bank import arguments
from memorybank.bank.arguments import BankFacade, Instant
from memorybank.index import rotation_lines
from memorybank.index.outdated import outdated_notes, outdated_summaries
from memorybank.index.working import Progress
from memorybank.log import rotation as log
from memorybank.notes import bookmarks
from memorybank.reasons.reason import Reason
from memorybank.rotation.decision import RotationPlan
from memorybank.rotation.grace import grace as grace_of
from memorybank.rotation.selecting import PlanSource

if TYPE_CHECKING:
    from memorybank.editing.undo import UndoneNote
    from memorybank.log.changes import ChangeRecord
    from memorybank.log.rotation_state import Rotation
    from memorybank.rotation.maintain import MaintainReport
    from memorybank.rotation.report import RotationReport
    from memorybank.rotation.undo import Undoable, UndoReport


class Rotations(BankFacade):
    """The operations of `memorybank rotate`, `maintain` and `undo`."""

    def plan(
        self,
        rotation_type: str = "manual",
        *,
        as_of: Instant | None = None,
        ignore_grace: bool = False,
        every: bool = True,
        first: int | None = None,
    ) -> RotationPlan:
        """Return what a rotation would do, as the value that `execute` takes. Changes nothing in the bank.

        rotation_type: `manual` (all rules), `size_based`, `time_based`, `importance_based`, or `pressure` (of what all rules select, only
            what brings `active/` back within `rotation.pressure`)
        as_of: default now
        ignore_grace: whether to apply the rules of age also in the first days after `init` or `adopt` (`rotation.grace_days`)
        every: whether the plan contains a decision about each note that stays; otherwise it counts them, which is faster in a large bank
        first: at most this many of the leaving notes may be listed, and the others counted: for a plan that is shown and never carried out
        """
        bank = self._bank
        with bank.folded(as_of=arguments.instant(bank, as_of, "as_of")) as index:
            grace = None if ignore_grace else grace_of(bank.layout, bank.settings, index.now)
            source = PlanSource(index, bookmarks.load(bank.layout), rotation_lines.state(index))
            if first is not None and not every:
                return source.brief(first, grace, outdated_summaries(index), rotation_type=rotation_type)
            return source.plan(rotation_type, grace, outdated_summaries(index), every=every)

    def plan_forget(self, keys: Sequence[str]) -> RotationPlan:
        """Return the plan that archives exactly these notes, as the value that `execute` takes. Changes nothing in the bank.

        keys: any spelling that `notes.resolve` accepts
        Raises `NotFound` for an unknown note, `Conflict` for a bookmarked one.
        """
        from memorybank.bank.notes import Notes
        from memorybank.rotation.chosen import plan_chosen

        bank = self._bank
        with bank.folded() as index:
            reasons = dict.fromkeys(sorted({Notes(bank).resolve(key) for key in keys}), Reason("rotation.forgotten"))
            return plan_chosen(index.notes(), reasons, bookmarks.load(bank.layout), bank.settings, index.now)

    def plan_forget_stale(self) -> RotationPlan:
        """Return the plan that archives the notes about things that are gone from the repository, as the value that `execute` takes.

        Each decision says what is gone. Changes nothing in the bank.
        """
        from memorybank.rotation.chosen import plan_chosen, stale_notes

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
        from memorybank.bank.settling import settle
        from memorybank.log import operations
        from memorybank.rotation.execute import execute

        bank = self._bank
        running = operations.RunningOperation(bank.layout, "rotation", bank.clock)
        report = execute(planned, bank.layout, bank.clock, yes=yes, progress=progress)
        report.warnings += settle(bank)
        running.end(ok=not report.errors, archived=len(report.rotated))
        return report

    def maintain(self, *, yes: bool = False) -> MaintainReport:
        """Do everything that is due, unattended and within the brake: rotation, retention, backups, temporary files, old texts, old logs.

        yes: whether to accept a clock that seems wrong
        """
        from memorybank.bank.maintaining import maintain

        return maintain(self._bank, yes=yes)

    def undo(self, rotation_id: str | None = None) -> UndoReport:
        """Bring back the notes that a rotation archived. Nothing is replaced, and no archive object is deleted.

        rotation_id: default is the latest rotation of which a note is still archived
        """
        from memorybank.bank import recording
        from memorybank.bank.settling import settle
        from memorybank.rotation import undo

        report = undo.undo(self._bank.layout, self._bank.clock, rotation_id)
        recording.record_returned(self._bank, report.returned)
        settle(self._bank)
        return report

    def undo_change(self, change: str) -> list[UndoneNote]:
        """Take back an edit, a rating or a rename: each note that nobody changed since gets its former bytes or name. Raises `NotFound`.

        change: its id, as `undoable_changes` contains it
        """
        from memorybank.bank.settling import settle
        from memorybank.editing import undo as changes

        undone = changes.undo(self._bank.layout, change, self._bank.clock)
        settle(self._bank)
        return undone

    def undoable_changes(self) -> dict[str, list[ChangeRecord]]:
        """Return {id: what it changed} of the edits, ratings and renames of this working tree, oldest first."""
        from memorybank.editing import undo as changes

        return changes.undoable(self._bank.layout)

    def open_changes(self) -> list[str]:
        """Return the ids of the changes that are not taken back yet, oldest first."""
        from memorybank.editing import undo as changes

        undone = self._undone_adoptions()
        return [change for change in changes.open_changes(self._bank.layout) if change not in undone]

    def changes_taken_back(self) -> dict[str, int]:
        """Return {id of an edit, rename or adoption that was undone: how many of its files are as before}."""
        from memorybank.editing import undo as changes

        found, undone = changes.taken_back(self._bank.layout), self._undone_adoptions()
        return found | {change: len({record.path for record in records}) for change, records in self.undoable_changes().items() if change in undone}

    def _undone_adoptions(self) -> set[str]:
        """Return the ids of the changes of adoptions that were taken back."""
        from memorybank.log import adoptions

        return {each.change for each in adoptions.read(self._bank.layout) if each.is_undone}

    def history(self) -> list[Rotation]:
        """Return every rotation on this machine, oldest first."""
        return list(log.read(self._bank.layout).rotations.values())

    def undoable(self) -> list[Undoable]:
        """Return the rotations that can be undone, newest first, and how much of each is back."""
        from memorybank.rotation import undo

        layout = self._bank.layout
        return undo.undoable(log.read(layout), log.tree_of(layout))
