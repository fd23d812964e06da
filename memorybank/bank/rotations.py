"""What leaves the active notes and what comes back, as a person asks for it. Afterwards index and derived files agree again."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memorybank.archive import catalogues, store
from memorybank.archive.object import ArchiveObject
from memorybank.index import freshness
from memorybank.index.row import IndexedNote
from memorybank.log import operations
from memorybank.log import rotation as log
from memorybank.log.rotation import Rotation
from memorybank.notes import bookmarks
from memorybank.rotation import backups, history, undo, verify
from memorybank.rotation import maintain as maintenance
from memorybank.rotation.backups import BackupSet, PruneReport
from memorybank.rotation.execute import execute
from memorybank.rotation.maintain import MaintainReport
from memorybank.rotation.plan import RotationPlan, plan
from memorybank.rotation.report import RotationReport
from memorybank.rotation.undo import Returned, UndoReport
from memorybank.rotation.verify import VerifyReport

if TYPE_CHECKING:
    from memorybank.bank.bank import Bank


class Rotations:
    def __init__(self, bank: "Bank") -> None:
        self._bank = bank

    def plan(self, rotation_type: str = "manual", *, as_of: int | None = None) -> RotationPlan:
        """What a rotation would do at `as_of` (ms; default now), as the value that `execute` takes. Changes nothing of the bank."""
        bank = self._bank
        with bank.folded(as_of=as_of) as index:
            return plan(index.notes(), bookmarks.load(bank.layout), log.read(bank.layout), bank.settings, index.now, rotation_type)

    def execute(self, planned: RotationPlan, *, yes: bool = False) -> RotationReport:
        """Carry out a plan. `BrakeRefused` when it is large and nobody said yes; a note that changed since is skipped and reported."""
        bank = self._bank
        begun = bank.clock.monotonic()
        report = execute(planned, bank.layout, bank.clock, yes=yes)
        _refresh(bank)
        milliseconds = (bank.clock.monotonic() - begun) * 1000
        operations.record(bank.layout, "rotation", milliseconds=milliseconds, ok=not report.errors, clock=bank.clock, archived=len(report.rotated))
        return report

    def maintain(self, *, yes: bool = False) -> MaintainReport:
        """Do what is due: triggers whose interval has passed, retention, backups, leftovers. Within the brake, unattended."""
        bank = self._bank
        begun = bank.clock.monotonic()

        def notes() -> Sequence[IndexedNote]:
            with bank.folded() as index:
                return index.notes()

        report = maintenance.maintain(bank.layout, bank.settings, bank.clock, notes, yes=yes)
        _refresh(bank)
        operations.record(bank.layout, "maintain", milliseconds=(bank.clock.monotonic() - begun) * 1000, ok=True, clock=bank.clock)
        return report

    def undo(self, rotation_id: str | None = None) -> UndoReport:
        """Bring back what a rotation (default: the latest) archived; nothing is replaced, no object is removed."""
        report = undo.undo(self._bank.layout, self._bank.clock, rotation_id)
        _refresh(self._bank)
        return report

    def history(self) -> list[Rotation]:
        """Every rotation of this machine, oldest first."""
        return list(log.read(self._bank.layout).rotations.values())


class Archives:
    """The archive, which is committed: a colleague's clone can list, show and restore the same notes."""

    def __init__(self, bank: "Bank") -> None:
        self._bank = bank

    def list(self) -> "list[ArchiveObject]":
        """Every archived note by date. Sidecars that cannot be trusted are left to `verify`."""
        return store.listing(self._bank.layout)[0]

    def show(self, name: str) -> tuple[ArchiveObject, bytes]:
        """An archived note and its bytes, every digest checked. name: its id, the id's last 8 digits, or its key."""
        described = store.find(self._bank.layout, name)
        return described, store.read_object(self._bank.layout, described)

    def restore(self, name: str) -> Returned:
        """Bring one archived note back, byte-equal, its mtime kept; never in the place of another note."""
        returned = undo.restore(self._bank.layout, name, self._bank.clock)
        _refresh(self._bank)
        return returned

    def verify(self) -> VerifyReport:
        """Recompute every digest from log lines, sidecars and object bytes alone."""
        return verify.verify(self._bank.layout, self._bank.clock.now())


class Backups:
    """The original files of each rotation, kept on this machine until they expire."""

    def __init__(self, bank: "Bank") -> None:
        self._bank = bank

    def list(self) -> "list[BackupSet]":
        bank = self._bank
        return backups.listing(bank.layout, log.read(bank.layout), bank.settings.rotation.backup_policy)

    def prune(self) -> PruneReport:
        """Compress and remove what is due, only where size, mtime and digest still match the record."""
        bank = self._bank
        return maintenance.prune_backups(bank.layout, bank.settings, bank.clock)


def _refresh(bank: "Bank") -> None:
    """Bring index, catalogues and the published history in line with what moved. The truth is safe already: a failure here loses nothing."""
    with bank.opened() as index:
        freshness.refresh(index, fresh=True)
    catalogues.write(bank.layout)
    history.write(bank.layout)
