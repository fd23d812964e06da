"""The archive and the backups of rotations. After each change, the index and the derived files are updated."""

from collections.abc import Sequence

from memorybank.archive import store
from memorybank.archive.object import ArchiveObject
from memorybank.bank import recording
from memorybank.bank.arguments import BankFacade
from memorybank.bank.settling import settle
from memorybank.errors import MemorybankError, Problem
from memorybank.log import rotation as log
from memorybank.rotation import backups, elsewhere, guard, undo, verify
from memorybank.rotation import maintain as maintenance
from memorybank.rotation.backups import BackupSet, PruneReport
from memorybank.rotation.undo import ReturnedNote
from memorybank.rotation.verify import VerifyReport


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

    def returned(self) -> dict[str, int]:
        """Return {path of an archive object: instant (ms) at which this machine last restored its note}. The objects are copies of these notes now."""
        return log.read(self._bank.layout).restored_objects

    def show(self, name: str) -> tuple[ArchiveObject, bytes]:
        """Return an archived note and its bytes, with every digest checked. Raises `NotFound`, or `ValidationFailed` for a damaged one.

        name: the object's id, the id's last 8 digits, or the note's key
        """
        described = store.find(self._bank.layout, name)
        return described, store.read_object(self._bank.layout, described)

    def restore(self, name: str) -> ReturnedNote:
        """Bring one archived note back, byte-exact and with its mtime. It never replaces another note."""
        returned = undo.restore(self._bank.layout, name, self._bank.clock)
        recording.record_returned(self._bank, [returned])
        settle(self._bank)
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
            recording.record_returned(self._bank, returned)
            settle(self._bank)
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
