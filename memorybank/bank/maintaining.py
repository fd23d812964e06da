"""Everything that is due, unattended: rotation, retention, backups, temporary files, old texts, old logs."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from memorybank.bank.opened import OpenBank
from memorybank.bank.settling import update_derived
from memorybank.clock import DAY
from memorybank.errors import MemorybankError
from memorybank.index.outdated import outdated_summaries
from memorybank.index.row import IndexedNote
from memorybank.log import operations
from memorybank.log.compressing import CompressedLogs, compress
from memorybank.log.purge import expire
from memorybank.metrics import analytics
from memorybank.reasons.reason import Reason
from memorybank.rotation import guard
from memorybank.rotation import maintain as maintenance
from memorybank.rotation.grace import Grace, unattended_grace
from memorybank.rotation.maintain import MaintainReport
from memorybank.storage.layout import siblings


def maintain(bank: OpenBank, *, yes: bool = False) -> MaintainReport:
    """Do everything that is due, unattended and within the brake: rotation, retention, backups, temporary files, old texts, old logs.

    yes: whether to accept a clock that seems wrong
    """
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
    report.warnings += update_derived(bank)
    running.end()
    with suppress(MemorybankError), bank.opened() as index:
        analytics.refresh_if_possible(index)
    return report


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
