"""Carries out a RotationPlan and nothing else. A note leaves `active/` in no other way.

Notes are processed in batches of at most 64 notes (and 32 MiB), each in this order, so that at every instant every note is complete somewhere:

1. read the note and compare it with the digest that the decision was made for; write objects (synced) and sidecars as temporary files
2. give them their names without replacing anything; sync the folders
3. reopen, decompress, compare every digest
4. append the `archived` lines, which contain the sidecars, to the rotation log, with one sync
5. rename each original into `backups/<rotation id>/`; check it again, and put it back when it differs
6. sync the folders that notes left and reached; append the outcome of each

A crash at any point leaves work that the next command finishes (`recover`).
"""

from dataclasses import dataclass
from hashlib import sha256

from memorybank import clock as time_of
from memorybank.archive import store
from memorybank.archive.object import ArchiveObject
from memorybank.archive.store import StagedObject
from memorybank.clock import Clock
from memorybank.errors import MemorybankError, ResourceExhausted
from memorybank.index.working import Progress
from memorybank.log import rotation as log
from memorybank.log.rotation_state import ArchivedRecord, RotationState
from memorybank.notes import bookmarks
from memorybank.rotation import guard, move, original, recover
from memorybank.rotation.decision import RotationDecision, RotationPlan
from memorybank.rotation.report import RotatedNote, RotationReport, StayedNote
from memorybank.storage import disk
from memorybank.storage.layout import Layout

BATCH_NOTES = 64
BATCH_BYTES = 32 << 20


def execute(
    plan: RotationPlan, layout: Layout, clock: Clock, *, yes: bool = False, command: str = "memorybank rotate", progress: Progress | None = None
) -> RotationReport:
    """Archive the notes that the plan selects. The caller then refreshes the index and the derived files.

    yes: whether to confirm a large plan and a clock that seems wrong
    progress: called with (done, total) after every batch
    Raises `BrakeRefused` for a large plan without `yes`; `ResourceExhausted` for a clock that seems wrong, or when notes cannot be renamed
    between devices; `LockTimeout` while another rotation runs. Errors about single notes are in the report.
    """
    guard.check_brake(plan, yes)
    with guard.changing(layout, command, clock):
        now = clock.now()
        state = guard.read_state(layout)
        guard.check_clock(layout, state, plan.now, now, yes)
        recovery, state = recover.settle(layout, state, clock, now)
        report = RotationReport(None, plan.rotation_type, now, now, plan.notes + plan.remaining, plan.remaining, recovery=recovery)
        report.warnings += plan.warnings
        report.errors += recovery.errors
        if plan.leaving:
            guard.check_devices(layout, (decision.key for decision in plan.leaving))
            _Run(plan, layout, clock, state, report, progress).carry_out()
        report.completed_at = clock.now()
        return report


@dataclass(frozen=True, slots=True)
class _Item:
    """One note of a batch. status: that of its file when it was read"""

    decision: RotationDecision
    staged: StagedObject
    status: original.FileStatus
    record: ArchivedRecord


class _Run:
    """One rotation under the lock."""

    def __init__(self, plan: RotationPlan, layout: Layout, clock: Clock, state: RotationState, report: RotationReport, progress: Progress | None) -> None:
        self.plan = plan
        self.progress = progress
        self.done = 0
        self.layout = layout
        self.clock = clock
        self.report = report
        self.now = report.started_at
        self.tree = log.tree_of(layout)
        self.id = rotation_id(plan, self.now, state)
        self.state = state
        self.pending = {record.key for record in state.pending(self.tree)}
        self.leftovers = state.leftover_instants(self.tree)
        self.logged = {record.archive_path for record in state.archived()}
        self.prepared: set[str] = set()

    def carry_out(self) -> None:
        self.report.rotation_id = self.id
        self._begin()
        batch: list[RotationDecision] = []
        size = 0
        for decision in self.plan.leaving:
            if batch and (len(batch) == BATCH_NOTES or size + decision.size > BATCH_BYTES):
                self._batch(batch)
                batch, size = [], 0
            batch.append(decision)
            size += decision.size
        self._batch(batch)
        self._end()

    def _begin(self) -> None:
        entry = log.entry(
            "begin",
            self.now,
            rotation_id=self.id,
            tree=self.tree,
            trigger=self.plan.rotation_type,
            plan=self.plan.digest,
            files_processed=self.report.files_processed,
            files_planned=len(self.plan.leaving),
            bytes_planned=self.plan.leaving_bytes,
            preserved_counts=self.plan.preserved_counts,
        )
        log.append(self.layout, [entry], self.clock)
        if self.layout.local_root != self.layout.root:
            disk.sync_directory(self.layout.local_root)

    def _end(self) -> None:
        entry = log.entry(
            "end",
            self.clock.now(),
            rotation_id=self.id,
            files_archived=len(self.report.rotated),
            bytes_moved=self.report.bytes_moved,
            stayed=len(self.report.stayed),
            errors=len(self.report.errors),
            warnings=len(self.report.warnings),
            interrupted=True if self.report.errors else None,
        )
        log.append(self.layout, [entry], self.clock)

    def _batch(self, decisions: list[RotationDecision]) -> None:
        marked = bookmarks.load(self.layout)
        items: list[_Item] = []
        try:
            for decision in decisions:
                if decision.key in self.pending:
                    self._stays(decision, "pending", "an earlier rotation archived it but could not move it")
                elif marked.matches(decision.key):
                    self._stays(decision, "bookmarked", "it was bookmarked after the plan was made")
                else:
                    self._stage(decision, items)
            self._publish(items)
        except BaseException:
            for item in items:
                store.discard(item.staged)
            raise
        verified = [item for item in items if self._verified(item)]
        if verified:
            records = [item.record for item in verified]
            # Step 4 comes before the move: after a crash the log names every object of a note that may have left `active/`.
            log.append(self.layout, [_archived_entry(record) for record in records], self.clock)
            self._move(verified)
        self.done += len(decisions)
        if self.progress is not None:
            self.progress(self.done, len(self.plan.leaving))

    def _stage(self, decision: RotationDecision, items: list[_Item]) -> None:
        """Step 1 for one note. An error in one note stops only that note; a full disk stops the run."""
        try:
            seen = original.read(self.layout, decision)
            if isinstance(seen, str):
                self._stays(decision, seen, original.STAYS[seen], self._taken(decision) if seen == "vanished" else "")
                return
            stored = store.pack(seen.data, decision.compress)
            described, lies_there = self._described(decision, seen, stored)
            self._prepare(described.folder)
            staged = store.stage(self.layout, described, None if lies_there else stored)
        except ResourceExhausted:
            raise
        except MemorybankError as error:
            self.report.fail(decision.key, error)
            return
        backup = move.relative_backup(self.layout, self.id, decision.key)
        record = ArchivedRecord(self.id, decision.key, self.now, self.tree, decision.age_days, described.object_path, backup, staged.sidecar)
        items.append(_Item(decision, staged, seen.status, record))

    def _described(self, decision: RotationDecision, seen: original.OriginalNote, stored: bytes) -> tuple[ArchiveObject, bool]:
        """Return (the note's archive object, whether an interrupted run already wrote exactly this object without logging it)."""
        # The same note and instant give the same name, so that the object of an interrupted run is found and reused.
        for instant in self.leftovers:
            described = original.describe(decision, seen, stored, instant, self.now, self.id)
            if described.object_path not in self.logged and store.holds(self.layout, described.object_path, stored):
                return described, True
        instant = self.now
        described = original.describe(decision, seen, stored, instant, self.now, self.id)
        while not store.is_free(self.layout, described):
            instant += time_of.SECOND
            described = original.describe(decision, seen, stored, instant, self.now, self.id)
        return described, False

    def _prepare(self, folder: str) -> None:
        if folder not in self.prepared:
            store.prepare(self.layout, folder)
            self.prepared.add(folder)

    def _publish(self, items: list[_Item]) -> None:
        """Step 2: give the objects their names."""
        for item in items:
            store.publish(self.layout, item.staged)
        store.sync({store.absolute(self.layout, item.staged.object.folder) for item in items})

    def _verified(self, item: _Item) -> bool:
        """Step 3. An object that cannot be read back is not logged, so its note stays."""
        try:
            store.read_object(self.layout, item.staged.object)
            return True
        except MemorybankError as error:
            self.report.fail(item.decision.key, error)
            return False

    def _move(self, items: list[_Item]) -> None:
        """Steps 5 and 6. A note whose rename fails stays pending, and the next command tries again."""
        entries, moved = [], []
        for item in items:
            try:
                # An editor may have written since step 1. This check catches most cases; move_out compares the bytes after the rename.
                is_unchanged = original.unchanged(self.layout, item.record.key, item.status)
                outcome = move.move_out(self.layout, item.record) if is_unchanged else move.MoveOutcome("changed")
            except MemorybankError as error:
                self.report.fail(item.decision.key, error)
                continue
            moved.append(item.record)
            entries.append(recover.outcome_entry(item.record, outcome, self.now))
            if outcome.kind == "moved":
                self.report.rotated.append(_rotated(item))
            else:
                self._stays(item.decision, outcome.kind, "it changed during the rotation")
        move.sync_folders(self.layout, moved)
        # Not synced: if the line is lost, the next command finds the moved file and logs it again.
        log.append(self.layout, entries, self.clock, durable=False)

    def _taken(self, decision: RotationDecision) -> str:
        """Return the id of the rotation that archived a note after this plan was made, or ""."""
        for rotation in self.state.rotations.values():
            record = rotation.archived.get(decision.key)
            # The lines about its notes have the instant at which a rotation began, which may be before this plan was made.
            is_newer = rotation.completed_at is None or rotation.completed_at >= self.plan.now
            if is_newer and decision.key in rotation.moved and record is not None and (record.tree, record.sha256) == (self.tree, decision.digest):
                return rotation.id
        return ""

    def _stays(self, decision: RotationDecision, reason: str, message: str, rotation_id: str = "") -> None:
        said = f"rotation {rotation_id} has just archived it" if rotation_id else message
        self.report.stayed.append(StayedNote(decision.key, reason, said, rotation_id))


def rotation_id(plan: RotationPlan, now: int, state: RotationState) -> str:
    """Return a new id that sorts by time and can be a file name: `20250917T123456789Z-1a2b3c`."""
    stamp = "".join(character for character in time_of.isoformat(now) if character.isalnum())
    for count in range(1_000_000):
        candidate = f"{stamp}-{sha256(f'{plan.digest} {count}'.encode()).hexdigest()[:6]}"
        if candidate not in state.rotations:
            return candidate
    raise ResourceExhausted("no rotation id is free")


def _archived_entry(record: ArchivedRecord) -> dict[str, object]:
    return log.entry(
        "archived",
        record.at,
        rotation_id=record.rotation_id,
        tree=record.tree,
        path=record.key,
        age_days=record.age_days,
        archive_path=record.archive_path,
        backup_path=record.backup_path,
        sidecar=record.sidecar,
    )


def _rotated(item: _Item) -> RotatedNote:
    decision, record = item.decision, item.record
    return RotatedNote(
        decision.key, decision.rule, decision.reason, decision.importance, decision.age_days, decision.size, record.archive_path, record.backup_path
    )
