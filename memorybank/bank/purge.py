"""Purges a leaked text from a bank: from logs, archive, backups, unedited session notes, episodes, everything derived and what killed processes left.

Files that a person wrote are only listed, for that person to edit. The text itself never leaves this process: neither in the result, nor in
an error, nor in a log.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unicodedata import normalize

from memorybank.bank import leaks, recording
from memorybank.bank.leaks import DERIVED, YOURS, LeakLocation
from memorybank.bank.opened import OpenBank
from memorybank.clock import Clock
from memorybank.cycle.finish import learned_notes, session_note
from memorybank.cycle.know.learned import FOLDER as LEARNED
from memorybank.drafting import page
from memorybank.editing.write import NoteWriter
from memorybank.episodes import purged as episodes
from memorybank.episodes.running import EpisodesLock
from memorybank.errors import Conflict, MemorybankError, Problem
from memorybank.log import key, learned, operations
from memorybank.log import purge as logs
from memorybank.meaning import placing
from memorybank.rotation import guard
from memorybank.rotation import purge as rotation
from memorybank.storage import disk, scratch
from memorybank.storage.layout import Layout, siblings
from memorybank.storage.lock import Lock
from memorybank.team import purging as team
from memorybank.text.secrets.needle import MARK, PurgeNeedle

COMMAND = "memorybank purge"


@dataclass(slots=True)
class PurgeReport:
    """The result of a purge.

    found: the places of the text before the purge
    remaining: the places of the text now; for a dry run, those that a purge would leave to a person
    lines, objects, backups, session_notes, pages, episodes (files), removed: counts of what was rewritten, replaced or deleted
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
    pages: int = 0
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
            "summaries_replaced": self.pages,
            "episode_files_replaced": self.episodes,
            "derived_files_removed": self.removed,
            "problems": [problem.to_json() for problem in self.problems],
        }


def purge(bank: OpenBank, text: str, *, dry_run: bool = False) -> PurgeReport:
    """Remove a text from every file that may be changed, then search every byte again.

    dry_run: whether to search only
    Raises `UsageError` for a text that is too short to be purged. Running it twice has the same effect as once, and finishes an interrupted purge.
    """
    needle = PurgeNeedle(text)
    layout = bank.layout
    trees = siblings(layout)
    with _quiet(needle):
        before = leaks.find(layout, trees, needle, os.environ)
        if dry_run:
            yours = tuple(place for place in before.places if place.kind in YOURS)
            return PurgeReport(True, before.places, yours, problems=list(before.unread))
        report = PurgeReport(False, before.places)
        running = operations.RunningOperation(layout, "purge", bank.clock)
        for tree in trees:
            episodes.refuse_newer(tree, needle)
        with guard.changing(layout, COMMAND, bank.clock):
            _Purge(layout, trees, needle, bank.clock, report).run()
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
        scratch.clear_abandoned()
        after = leaks.find(layout, trees, needle, os.environ)
        report.remaining = after.places
        known = {problem.path for problem in report.problems}
        report.problems += [problem for problem in after.unread if problem.path not in known]
    return report


class _Purge:
    """One purge under the lock of rotations. Each step can be repeated after a crash."""

    def __init__(self, layout: Layout, trees: Sequence[Layout], needle: PurgeNeedle, clock: Clock, report: PurgeReport) -> None:
        self.layout = layout
        self.trees = trees
        self.needle = needle
        self.clock = clock
        self.report = report
        self.tops = tuple({*(tree.root for tree in trees), layout.log, layout.backups})

    def run(self) -> None:
        """Carry out all steps."""
        # No other command writes temporary files for notes now.
        with NoteWriter(self.layout, COMMAND, self.clock):
            self._remove(leaks.abandoned_temps((*self.tops, *leaks.own_folders(os.environ)), self.clock.now()))
        self._purge_pages()
        self._remove_learned_notes()
        needle = self.needle.with_names(_stems(learned.purging(self.layout)))
        self._purge_truth(needle)
        self.report.lines += logs.purge_learned(self.layout, needle, self.clock).lines
        self._remove_derived()
        self._remove_elsewhere()
        self._remove(leaks.records(self.needle, os.environ))
        self._purge_team()
        self._remove_folders()

    def _purge_pages(self) -> None:
        """Purge the notes and pages that memorybank wrote and nobody edited."""
        for tree in self.trees:
            try:
                self.report.session_notes += session_note.purge(tree, self.needle, self.clock)
                self.report.pages += page.purge(tree, self.needle, self.clock)
            except Conflict as error:  # somebody saved it, so it is theirs now
                self.report.problems.append(Problem(error.code, "active/", self.needle.masked(error.message)))

    def _remove_learned_notes(self) -> None:
        """Remove the learned notes that contain the text, after recording that. Their names consist of words of the text, and are in the logs until these
        are purged.
        """
        for tree in self.trees:
            keys = {key for key, data in session_note.unedited(tree, LEARNED).items() if self.needle.is_in(data)}
            learned.append_purging(self.layout, sorted(keys - set(learned.purging(self.layout))), self.clock)
            self.report.removed += learned_notes.purge(tree, self.needle, self.clock)

    def _purge_truth(self, needle: PurgeNeedle) -> None:
        """Purge everything that cannot be rebuilt. Archive and backups come first, because the rotation log must still lead to every file with the text."""
        layout, report = self.layout, self.report
        archive = rotation.purge(layout, self.trees, needle, self.clock)
        report.objects, report.backups = archive.objects, archive.backups
        report.problems += [Problem(error.code, needle.masked(path), needle.masked(error.message)) for path, error in archive.errors]
        told = logs.purge(layout, needle, self.clock)
        report.lines, report.signed_again = archive.lines + told.lines, told.signed_again
        recording.purge(self.trees, needle, self.clock)
        if any(episodes.holding(tree, needle) for tree in self.trees):
            with EpisodesLock(layout, COMMAND, self.clock):
                report.episodes = sum(episodes.purge(tree, needle, self.clock) for tree in self.trees)

    def _remove_derived(self) -> None:
        """Delete all indexes, because they contain words and fragments that a search for the complete text does not find. They are rebuilt later."""
        for tree in self.trees:
            paths = leaks.derived(tree)
            if paths:
                with Lock(os.path.join(tree.cache, "fold.lock"), COMMAND, self.clock):
                    self._remove(paths)

    def _purge_team(self) -> None:
        """Purge what this machine exchanged with teams, of all banks: the search of the state folder finds it there too."""
        try:
            self.report.removed += team.purge(leaks.own_folders(os.environ)[0], self.needle, self.clock)
        except MemorybankError as error:  # an exchange is running, or a ledger is damaged
            self.report.problems.append(Problem(error.code, "team/", self.needle.masked(error.message)))

    def _remove_elsewhere(self) -> None:
        """Delete the passages that mem0 keeps for search by meaning."""
        for tree in self.trees:
            if placing.filled(tree, os.environ):
                from memorybank.bank import meaning  # late: few banks have such a store

                count, problems = meaning.delete_elsewhere(tree, COMMAND, self.clock)
                self.report.removed += count
                self.report.problems += [Problem(each.code, self.needle.masked(each.path), self.needle.masked(each.message)) for each in problems]

    def _remove(self, paths: Sequence[str]) -> None:
        """Delete files durably, so that a power loss cannot bring them back."""
        for path in paths:
            disk.remove(path)
        for folder in sorted({os.path.dirname(path) for path in paths}):
            disk.sync_directory(folder)
        self.report.removed += len(paths)

    def _remove_folders(self) -> None:
        """Delete the empty folders whose names contain the text."""
        for folder in leaks.empty_folders(self.tops, self.needle):
            disk.remove_directory(folder)
            disk.sync_directory(os.path.dirname(folder))


def _stems(keys: Sequence[str]) -> list[str]:
    """Return the names of notes without their ending. An earlier purge has masked some already."""
    return sorted({os.path.basename(each).removesuffix(".md") for each in keys if MARK not in each})


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
    """Return in a few words what happened, or would happen, to a place that contained the text."""
    if place.kind in YOURS:
        return "yours to edit"
    done = (
        "removed"
        if place.kind in (DERIVED, leaks.TEMP, leaks.STATE)
        else "blanked"
        if place.kind in (leaks.LOG, leaks.SESSION_NOTE, leaks.SUMMARY)
        else "replaced"
    )
    if report.dry_run:
        return f"would be {done}"
    return "still there" if place.path in {each.path for each in report.remaining} else done
