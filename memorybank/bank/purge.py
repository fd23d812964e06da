"""Purges a leaked text from a bank: from logs, archive, backups, unedited session notes, episodes and everything derived.

Files that a person wrote are only listed, for that person to edit. The text itself never leaves this process: neither in the result, nor in
an error, nor in a log.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from memorybank.bank import leaks, recording
from memorybank.bank.leaks import DERIVED, YOURS, LeakLocation
from memorybank.cycle.finish import learned_notes, session_note
from memorybank.episodes import purged as episodes
from memorybank.episodes.running import EpisodesLock
from memorybank.errors import MemorybankError, Problem
from memorybank.log import key, operations
from memorybank.log import purge as logs
from memorybank.rotation import guard
from memorybank.rotation import purge as rotation
from memorybank.storage import disk
from memorybank.storage.layout import Layout, siblings
from memorybank.storage.lock import Lock
from memorybank.text.needle import PurgeNeedle

if TYPE_CHECKING:
    from memorybank.bank.opened import OpenBank
    from memorybank.clock import Clock

COMMAND = "memorybank purge"


@dataclass(slots=True)
class PurgeReport:
    """What a purge did.

    found: where the text was before
    remaining: where it is now; for a dry run, what a purge would leave to a person
    lines, objects, backups, session_notes, episodes (files), removed: counts of what was rewritten, replaced or deleted
    signed_again: number of sessions whose chain was signed again
    problems: files that could not be searched or changed
    """

    dry_run: bool
    found: tuple[LeakLocation, ...]
    remaining: tuple[LeakLocation, ...] = ()
    lines: int = 0
    objects: int = 0
    backups: int = 0
    session_notes: int = 0
    episodes: int = 0
    removed: int = 0
    signed_again: int = 0
    problems: list[Problem] = field(default_factory=list)

    @property
    def times(self) -> int:
        return sum(place.count or 1 for place in self.found)

    def to_json(self) -> dict[str, Any]:
        return {
            "dry_run": self.dry_run,
            "found": [place.to_json() for place in self.found],
            "remaining": [place.to_json() for place in self.remaining],
            "lines_rewritten": self.lines,
            "sessions_signed_again": self.signed_again,
            "archived_notes_replaced": self.objects,
            "backups_replaced": self.backups,
            "session_notes_replaced": self.session_notes,
            "episode_files_replaced": self.episodes,
            "derived_files_removed": self.removed,
            "problems": [problem.to_json() for problem in self.problems],
        }


def purge(bank: "OpenBank", text: str, *, dry_run: bool = False) -> PurgeReport:
    """Remove a text from everything that may be changed, and search every byte again.

    dry_run: only search
    Raises `UsageError` for a text that is too short to be purged. Running it twice has the same effect as once, and finishes an interrupted purge.
    """
    needle = PurgeNeedle(text)
    layout = bank.layout
    trees = siblings(layout)
    with _quiet(needle):
        before = leaks.find(layout, trees, needle)
        if dry_run:
            yours = tuple(place for place in before.places if place.kind in YOURS)
            return PurgeReport(True, before.places, yours, problems=list(before.unread))
        report = PurgeReport(False, before.places)
        running = operations.RunningOperation(layout, "purge", bank.clock)
        for tree in trees:
            episodes.refuse_newer(tree, needle)
        with guard.changing(layout, COMMAND, bank.clock):
            _purge_truth(layout, trees, needle, bank.clock, report)
            _remove_derived(layout, trees, needle, bank.clock, report)
            running.end(
                ok=not report.problems,
                # Identifies the text on this machine without revealing it.
                hash=key.keyed(key.ensure(layout), normalize("NFC", text).encode())[:32],
                places=len(report.found),
                lines=report.lines,
                objects=report.objects,
                backups=report.backups,
                files=report.removed,
            )
        after = leaks.find(layout, trees, needle)
        report.remaining = after.places
        known = {problem.path for problem in report.problems}
        report.problems += [problem for problem in after.unread if problem.path not in known]
    return report


def _purge_truth(layout: Layout, trees: Sequence[Layout], needle: PurgeNeedle, clock: "Clock", report: PurgeReport) -> None:
    """Purge everything that cannot be rebuilt. Archive and backups come first, because the rotation log must still lead to every file with the text."""
    archive = rotation.purge(layout, trees, needle, clock)
    report.objects, report.backups = archive.objects, archive.backups
    report.problems += [Problem(error.code, needle.masked(path), needle.masked(error.message)) for path, error in archive.errors]
    told = logs.purge(layout, needle, clock)
    report.lines, report.signed_again = archive.lines + told.lines, told.signed_again
    recording.purge(trees, needle, clock)
    report.session_notes = sum(session_note.purge(layout, tree, needle, clock) for tree in trees)
    if any(episodes.holding(tree, needle) for tree in trees):
        with EpisodesLock(layout, COMMAND, clock):
            report.episodes = sum(episodes.purge(tree, needle, clock) for tree in trees)


def _remove_derived(layout: Layout, trees: Sequence[Layout], needle: PurgeNeedle, clock: "Clock", report: PurgeReport) -> None:
    """Delete all indexes, because they contain words and fragments that a search for the complete text does not find. They are rebuilt later."""
    for tree in trees:
        report.removed += learned_notes.purge(tree, needle, clock)
        paths = leaks.derived(tree)
        if paths:
            with Lock(os.path.join(tree.cache, "fold.lock"), COMMAND, clock):
                _remove(paths, report)
    _remove(leaks.temps(layout, trees, needle, clock.now()), report)


def _remove(paths: Sequence[str], report: PurgeReport) -> None:
    """Delete files durably, so that a power loss cannot bring them back."""
    for path in paths:
        disk.remove(path)
    for folder in sorted({os.path.dirname(path) for path in paths}):
        disk.sync_directory(folder)
    report.removed += len(paths)


@contextmanager
def _quiet(needle: PurgeNeedle) -> Iterator[None]:
    """Replace the text in error messages by its mark; a file name, for example, may contain it."""
    try:
        yield
    except OSError as error:
        raise disk.from_os_error(error, needle.masked(str(error.filename or "the bank"))) from None
    except MemorybankError as error:
        error.message = needle.masked(error.message)
        error.next_step = needle.masked(error.next_step)
        error.args = (error.message,)
        raise


def outcome(place: LeakLocation, report: PurgeReport) -> str:
    """Return in a few words what happened to a place that contained the text, or what would happen."""
    if place.kind in YOURS:
        return "yours to edit"
    done = "removed" if place.kind in (DERIVED, leaks.TEMP) else "blanked" if place.kind in (leaks.LOG, leaks.SESSION_NOTE) else "replaced"
    if report.dry_run:
        return f"would be {done}"
    return "still there" if place.path in {each.path for each in report.remaining} else done
