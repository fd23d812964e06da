"""Unattended maintenance: rotation where it is due, retention, backups, and old temporary files, within the brake.

With `rotation.unattended: under_pressure` (the default) the only trigger is `pressure`; with `by_rules` they are those of the specification.

`notes` and the settings come from the caller, who also refreshes the index and the catalogues afterwards.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memorybank.clock import HOUR, Clock, isoformat
from memorybank.config.rotation import BY_RULES, RotationSettings
from memorybank.config.settings import Settings
from memorybank.index.row import IndexedNote
from memorybank.log import rotation as log
from memorybank.log.compressing import CompressedLogs
from memorybank.notes import bookmarks
from memorybank.reasons.reason import Reason, text_of
from memorybank.rotation import backups, guard, recover, retention, rules
from memorybank.rotation.backups import PruneReport
from memorybank.rotation.execute import execute
from memorybank.rotation.grace import Grace
from memorybank.rotation.plan import plan
from memorybank.rotation.pressure import Occupancy
from memorybank.rotation.recover import Recovery
from memorybank.rotation.report import RotationReport
from memorybank.storage import abandoned
from memorybank.storage.layout import Layout

COMMAND = "memorybank maintain"


@dataclass(slots=True)
class MaintainReport:
    """What a maintenance run did.

    evaluated: the triggers that were evaluated
    rotations: the reports of the rotations that they started
    occupancy: how full `active/` was before the trigger `pressure`; None when that was not evaluated
    grace: the grace that keeps notes of a certain age; None when it keeps none
    not_due: {trigger: when it is due again (ms)}
    announced, deleted: paths of archive objects that retention is going to delete, and of those that it deleted
    removed_temps: number of temporary files of killed runs that were deleted
    blanked_texts: number of full texts in the event logs that were older than `record.text_days`
    compressed_logs: the event logs that were compressed because they are older than `record.compress_days`
    """

    evaluated: list[str] = field(default_factory=list)
    rotations: list[RotationReport] = field(default_factory=list)
    occupancy: Occupancy | None = None
    grace: Grace | None = None
    not_due: dict[str, int] = field(default_factory=dict)
    recovery: Recovery = field(default_factory=Recovery)
    announced: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    backups: PruneReport = field(default_factory=PruneReport)
    removed_temps: int = 0
    blanked_texts: int = 0
    compressed_logs: CompressedLogs = field(default_factory=CompressedLogs)
    warnings: list[Reason | str] = field(default_factory=list)

    @property
    def remaining(self) -> int:
        return sum(report.remaining for report in self.rotations)

    def to_json(self) -> dict[str, Any]:
        return {
            "evaluated": list(self.evaluated),
            "occupancy": None if self.occupancy is None else self.occupancy.to_json(),
            "grace": None if self.grace is None else self.grace.to_json(),
            "not_due": {trigger: isoformat(at) for trigger, at in self.not_due.items()},
            "rotations": [report.to_json() for report in self.rotations],
            "remaining": self.remaining,
            "announced_for_deletion": list(self.announced),
            "deleted_after_retention": list(self.deleted),
            "backups": {
                "compressed": list(self.backups.compressed),
                "removed": list(self.backups.removed),
                "bytes_freed": self.backups.bytes_freed,
                "findings": [finding.to_json() for finding in self.backups.findings],
            },
            "removed_temps": self.removed_temps,
            "blanked_texts": self.blanked_texts,
            "compressed_logs": {"logs": self.compressed_logs.logs, "bytes_before": self.compressed_logs.before, "bytes_after": self.compressed_logs.after},
            "warnings": [text_of(warning) for warning in self.warnings],
        }


def due(last_run: dict[str, int], settings: RotationSettings, now: int) -> tuple[list[str], dict[str, int]]:
    """Return (triggers whose interval has passed, {other enabled trigger: when it is due})."""
    triggers = settings.rotation_policy.triggers
    # The intervals of the other triggers belong to their rules, which the pressure rule applies together.
    under_pressure = {rules.PRESSURE: (True, triggers.size_based.check_interval_hours)}
    by_rules = {
        "size_based": (triggers.size_based.enabled, triggers.size_based.check_interval_hours),
        "importance_based": (triggers.importance_based.enabled, triggers.importance_based.evaluation_interval_hours),
        "time_based": (triggers.time_based.enabled, triggers.time_based.cleanup_interval_hours),
    }
    ready: list[str] = []
    later: dict[str, int] = {}
    for trigger, (enabled, interval) in (by_rules if settings.unattended == BY_RULES else under_pressure).items():
        if not enabled or not settings.rotation_policy.enabled:
            continue
        next_run = last_run[trigger] + int(interval * HOUR) if trigger in last_run else now
        if next_run <= now:
            ready.append(trigger)
        else:
            later[trigger] = next_run
    return ready, later


def maintain(
    layout: Layout,
    settings: Settings,
    clock: Clock,
    notes: Callable[[], Sequence[IndexedNote]],
    *,
    grace: Callable[[], Grace | None] = lambda: None,
    outdated: Callable[[], Mapping[str, Reason]] = dict,
    yes: bool = False,
) -> MaintainReport:
    """Do everything that is due.

    notes: returns the scored notes as they are now; called again for each trigger
    grace: returns the grace that applies; called after `notes`
    outdated: returns {key: how much of what a note names is outdated}; called after `notes`
    yes: whether to accept a clock that seems wrong
    """
    report = MaintainReport()
    with guard.changing(layout, COMMAND, clock):
        now = clock.now()
        state = guard.read_state(layout)
        guard.check_clock(layout, state, now, now, yes)
        report.recovery, state = recover.settle(layout, state, clock, now)
    ready, report.not_due = due(state.last_run, settings.rotation, now)
    # Outside the lock, because `execute` takes it for each trigger.
    entries = [_evaluate(trigger, layout, settings, clock, notes, grace, outdated, yes, report) for trigger in ready]
    with guard.changing(layout, COMMAND, clock):
        deletion = retention.run(layout, bookmarks.load(layout), settings, clock, now)
        report.announced, report.deleted = deletion.announced, deletion.deleted
        spared = {*deletion.deleted, *report.recovery.deleted}
        report.backups = backups.prune(layout, guard.read_state(layout), settings.rotation.backup_policy, now, spared)
        report.removed_temps = sweep_temps(layout, now)
        log.append(layout, [*deletion.entries, *report.backups.entries, *entries], clock)
    return report


def prune_backups(layout: Layout, settings: Settings, clock: Clock, *, yes: bool = False) -> PruneReport:
    """Compress and delete the backups that are due (`backup prune`)."""
    with guard.changing(layout, "memorybank backup prune", clock):
        now = clock.now()
        state = guard.read_state(layout)
        guard.check_clock(layout, state, now, now, yes)
        recovery, state = recover.settle(layout, state, clock, now)
        report = backups.prune(layout, state, settings.rotation.backup_policy, now, recovery.deleted)
        log.append(layout, report.entries, clock)
        return report


def _evaluate(
    trigger: str,
    layout: Layout,
    settings: Settings,
    clock: Clock,
    notes: Callable[[], Sequence[IndexedNote]],
    grace: Callable[[], Grace | None],
    outdated: Callable[[], Mapping[str, Reason]],
    yes: bool,
    report: MaintainReport,
) -> dict[str, Any]:
    """Run one trigger as far as the brake permits. Return the log line that records the evaluation."""
    found = notes()
    whole = plan(found, bookmarks.load(layout), guard.read_state(layout), settings, clock.now(), trigger, grace(), outdated())
    limited = whole.limited()
    rotation = execute(limited, layout, clock, yes=yes, command=COMMAND)
    report.evaluated.append(trigger)
    report.grace = whole.grace if whole.deferred else report.grace
    report.occupancy = whole.occupancy if trigger == rules.PRESSURE else None
    report.warnings += [warning for warning in whole.warnings if warning not in report.warnings]
    if rotation.rotation_id is not None or limited.remaining:
        report.rotations.append(rotation)
    return log.entry(
        "evaluated",
        clock.now(),
        trigger=trigger,
        tree=log.tree_of(layout),
        files=len(rotation.rotated),
        remaining=limited.remaining,
        rotation_id=rotation.rotation_id,
    )


def sweep_temps(layout: Layout, now: int) -> int:
    """Delete our temporary files older than an hour wherever notes, objects and backups are written. Return how many were deleted."""
    folders = {layout.root}
    for top in (layout.active, layout.archive, layout.backups, layout.metadata, layout.indexes):
        folders.update(folder for folder, _, _ in os.walk(top))
    return sum(abandoned.sweep(folder, now) for folder in sorted(folders))
