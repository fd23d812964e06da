"""The heavy steps at the end of a session: fold the changed notes, publish the JSON documents, and rotate if that is switched on.

Each step is loaded and begun only when it is likely to fit into the remaining time.
"""

from __future__ import annotations

__light__ = True

from memorybank.config import settings as configuration
from memorybank.cycle.finish.durations import ENDLESS
from memorybank.cycle.slices import BUDGET_MS, WorkSlice
from memorybank.errors import LockTimeout, MemorybankError
from memorybank.index import glance, meta, readiness, staleness, working
from memorybank.index.fold import fold
from memorybank.log import organize
from memorybank.storage import full_text
from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from memorybank.config.settings import Settings
    from memorybank.cycle.base import CycleContext
    from memorybank.index.row import IndexedNote
    from memorybank.index.working import Index

_OF_NOTES = ("scoring", "rotation", "index")
"""The config files that indexing notes needs. Reading and checking the others would take a hook some milliseconds more."""
MOST_NOTES = 10
"""Maximum number of notes that an unattended rotation moves."""
_MILLISECONDS_A_NOTE = 5
"""Upper limit, as a rule, of the time to fold one note."""
_BYTES_A_MILLISECOND = 1 << 10
"""Lower limit, as a rule, of how fast the text of a large note is indexed."""
_SHARE_OF_TIME = 0.8
"""On a busy machine the last portion of a slice takes longer than the ones before."""
_MILLISECONDS_TO_LOOK = 0.02
"""Upper limit, as a rule, of the time to compare one note's file with its row."""
_SLOW_GIT = "slow_git"
"""Key of `meta`: the commit at which git took longer than a slice."""
SLICE = "slice"
"""Mode, in the log of operations, of an update that is one slice of a longer one."""
TOO_MANY = "too_many"
"""More notes changed than could be folded in time. The latest changes are folded, and the next fold continues."""


def run(base: CycleContext, step: str, milliseconds: float, *, ends: bool = False) -> str:
    """Do one step. Return why it was not done completely, or "".

    A step that cannot be done (an invalid config file, a lock that is taken) counts as done: the next fold by a command catches up, and a
    hook must not retry for ever.

    milliseconds: time for a step that can be done in part; infinity when there is no deadline.
    ends: whether a session ends. At other events, the budget of processor time is smaller than the time.
    """
    try:
        return _RUN[step](base, configuration.load(base.layout), milliseconds, ends)
    except MemorybankError as error:
        return error.code


def take_in(base: CycleContext, keys: Sequence[str], work: WorkSlice, reading: Connection | None = None) -> None:
    """Bring the index rows of these notes up to date as far as the slice permits, and record how many are left.

    When the last note of an index that was never complete is taken in, all notes are looked at once, so that the index is known to be complete.
    Where git needs more time than the slice has to list the dates for such an index, nothing is taken in, and no later slice asks it again at the same
    commit: a note without its date would keep that of the clone. Commands and the end of a session wait for git. An index that cannot be written stays
    as it is.

    A note that takes more than the budget of an entire slice is left to a longer one, or to a command, and does not count as waiting: begun here, it
    would be ended by the deadline of the process, again at every turn.

    reading: a connection to the index that the caller has open, which this function may use and close
    """
    if not any(_fits(base, key, work.budget) for key in keys):
        return
    begun = base.clock.monotonic()
    with _open_index(base, configuration.load(base.layout, _OF_NOTES), reading) as index:
        if index.frozen:
            return
        is_swept = meta.integer(index.connection, "swept_at") is not None
        head = staleness.head_of(index.layout)
        if not is_swept and head and meta.text(index.connection, _SLOW_GIT) == head:
            return
        index.git_seconds = None if is_swept else max(work.left(), 0) / 1000
        has_skipped = False
        try:
            for portion in work.portions(keys):
                fitting = [key for key in portion if _fits(base, key, work.budget)]
                has_skipped = has_skipped or len(fitting) < len(portion)
                if is_swept or has_skipped or work.done + len(portion) < len(keys):
                    fold(index, only=fitting, portion=True)
                elif work.left() >= index.count() * _MILLISECONDS_TO_LOOK:
                    fold(index, limit=len(portion))
                else:
                    break
        except LockTimeout:
            if not is_swept and meta.text(index.connection, "git_head") != head:
                meta.write(index.connection, _SLOW_GIT, head)
            raise
        left = len(keys) - work.done
        readiness.record(index.connection, left)
    if left or not is_swept:
        from memorybank.log import operations

        took = (base.clock.monotonic() - begun) * 1000
        operations.record(base.layout, "index", milliseconds=took, ok=True, clock=base.clock, mode=SLICE, cpu_ms=round(work.spent()), read=work.done, left=left)


def _fits(base: CycleContext, key: str, budget: float) -> bool:
    """Return whether a note can be indexed within `budget` ms. One that was deleted can."""
    try:
        return os.lstat(base.layout.file_path(key)).st_size <= budget * _BYTES_A_MILLISECOND
    except OSError:
        return True


def look_up_claims(base: CycleContext, work: WorkSlice) -> None:
    """Look up what notes name after a commit, if that takes little time. Commands and the end of a session do the rest."""
    from memorybank.index import claim_states

    with _open_index(base, configuration.load(base.layout, _OF_NOTES)) as index:
        if not index.frozen:
            claim_states.refresh(index, max(work.left(), 0) / 1000, portion=True)


def fold_episodes(base: CycleContext) -> None:
    """Bring the index rows of episodes up to date with their list, without looking at the notes."""
    from memorybank.episodes.indexing import bring_up_to_date

    with _open_index(base, configuration.load(base.layout)) as index:
        bring_up_to_date(index)


def _open_index(base: CycleContext, settings: Settings, reading: Connection | None = None) -> AbstractContextManager[Index]:
    """Open the index to write it. Raises the error that keeps it from being written: without it, nothing that is folded would stay."""
    index = working.open_index(configuration.placed_layout(base.layout, settings), settings, base.clock, reading=reading)
    if index.refused is not None:
        index.close()
        raise index.refused
    return index


def _fold_notes(base: CycleContext, settings: Settings, milliseconds: float, ends: bool) -> str:
    """Fold the notes that changed. When they are more than fit, or the index was never complete, do a slice of them."""
    if milliseconds < ENDLESS:
        elapsed = -base.milliseconds_left(0)
        work = WorkSlice(base, elapsed + milliseconds * _SHARE_OF_TIME, base.milliseconds_used() + milliseconds if ends else BUDGET_MS)
        keys = glance.suspects(base.layout)
        if len(keys) * _MILLISECONDS_A_NOTE > work.left() or not all(_fits(base, key, work.budget) for key in keys):
            take_in(base, keys, work)
            return TOO_MANY if work.done < len(keys) else ""
    from memorybank.episodes.indexing import bring_up_to_date
    from memorybank.index import claim_states
    from memorybank.log import operations

    with operations.index_update(base.layout, "session_end", base.clock) as counts, _open_index(base, settings) as index:
        report = fold(index, limit=max(1, milliseconds / _MILLISECONDS_A_NOTE))
        if report.left:
            readiness.record(index.connection, report.left)
        bring_up_to_date(index)
        if not report.left and not index.frozen:
            claim_states.refresh(index, min(milliseconds / 1000, claim_states.PATIENT_SECONDS))
        if report.altered:
            counts.update(looked=index.looked, read=index.read)
            full_text.merge_some(index.connection, "note_text")
    return TOO_MANY if report.left else ""


def _publish(base: CycleContext, settings: Settings, milliseconds: float, ends: bool) -> str:
    """Write the JSON documents, if the settings want them after updates, and the metrics, as `index` does. Those of an incomplete index would be wrong."""
    from memorybank.index.publish import publish
    from memorybank.metrics import analytics

    with _open_index(base, settings) as index:
        if milliseconds < ENDLESS and not readiness.is_ready(index.connection):
            return TOO_MANY
        if settings.index.publish.after_update:
            publish(index)
        analytics.refresh_if_possible(index)
    return ""


def _maintain(base: CycleContext, settings: Settings, milliseconds: float, ends: bool) -> str:
    """Do the maintenance that is due. Nobody is there to confirm a large rotation, so its limit is low."""
    from memorybank.log import operations
    from memorybank.metrics import analytics
    from memorybank.rotation import history
    from memorybank.rotation.grace import Grace, unattended_grace
    from memorybank.rotation.maintain import maintain

    running = operations.RunningOperation(base.layout, "maintain", base.clock)
    layout = configuration.placed_layout(base.layout, settings)

    def notes() -> Sequence[IndexedNote]:
        with _open_index(base, settings) as index:
            fold(index)
            return index.notes()

    def grace() -> Grace | None:
        with _open_index(base, settings) as index:
            return unattended_grace(index)

    maintain(layout, _braked(settings), base.clock, notes, grace=grace)
    notes()
    history.write_documents(layout)
    running.end()
    with _open_index(base, settings) as index:
        analytics.refresh_if_possible(index)
    return ""


def _braked(settings: Settings) -> Settings:
    """Return the same settings with at most `MOST_NOTES` files for one rotation."""
    from memorybank.config.group import replaced

    rules = settings.rotation
    alert = rules.notification_settings.alert_on_large_rotations
    files = min(alert.threshold_files, MOST_NOTES) if alert.enabled else MOST_NOTES
    brake = replaced(alert, enabled=True, threshold_files=files)
    notifications = replaced(rules.notification_settings, alert_on_large_rotations=brake)
    return replaced(settings, rotation=replaced(rules, notification_settings=notifications))


_RUN = {organize.INDEX: _fold_notes, organize.PUBLISH: _publish, organize.MAINTAIN: _maintain}
