"""The working index and the published documents, as a person asks for them."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memorybank.errors import NotFound, Problem, UsageError, ValidationFailed
from memorybank.index import check, working
from memorybank.index import publish as publishing
from memorybank.index.fold import fold
from memorybank.index.report import FoldReport, Progress
from memorybank.index.working import Index
from memorybank.log import operations
from memorybank.log import rotation as rotation_log
from memorybank.notes import scan

if TYPE_CHECKING:
    from memorybank.bank.bank import Bank

MODES = ("full", "incremental", "selective")


class Indexes:
    def __init__(self, bank: "Bank") -> None:
        self._bank = bank

    def update(self, mode: str = "incremental", paths: Sequence[str] = (), *, publish: bool | None = None, progress: Progress | None = None) -> FoldReport:
        """Bring the working index up to date: everything anew, what changed, or only the notes at `paths`.

        publish: also write the JSON documents; None asks the settings, and means no for selective. Ends with the cheap check:
        `ValidationFailed` when rows do not belong together.
        """
        if mode not in MODES:
            raise UsageError(f"{mode!r} is no index mode", next_step=f"choose one of {', '.join(MODES)}")
        if publish is None:
            publish = mode != "selective" and self._bank.settings.index.publish.after_update
        begun = self._bank.clock.monotonic()
        with self._bank.opened() as index:
            only = self._keys(index, paths) if mode == "selective" else None
            report = fold(index, only=only, anew=mode == "full", progress=progress)
            self._conclude(index, publish=publish)
        milliseconds = (self._bank.clock.monotonic() - begun) * 1000
        operations.record(self._bank.layout, "index", milliseconds=milliseconds, ok=True, clock=self._bank.clock, read=report.read)
        return report

    def rebuild(self, *, as_of: int | None = None, progress: Progress | None = None) -> FoldReport:
        """Make everything derived again from notes, archive and logs: for the same truth and `as_of`, byte for byte the same."""
        from memorybank.archive import catalogues
        from memorybank.rotation import history

        layout = self._bank.layout
        with working.open_index(layout, self._bank.settings, self._bank.clock, now=as_of) as index:
            report = fold(index, anew=True, progress=progress)
            self._conclude(index, publish=True)
            catalogues.write(layout)
            history.write(layout)
        return report

    def check(self) -> list[Problem]:
        """Every difference between notes, working index and published documents; reads only."""
        with self._bank.opened(frozen=True) as index:
            return check.check(index)

    def optimize(self) -> None:
        """Merge the full-text index and give unused space back."""
        with self._bank.opened() as index:
            index.connection.execute("INSERT INTO note_text (note_text) VALUES ('optimize')")
            index.connection.execute("VACUUM")

    def _conclude(self, index: Index, *, publish: bool) -> None:
        problems = list(check.tables(index))
        if problems:
            raise ValidationFailed(problems[0].message, next_step="'memorybank rebuild' makes the index again from the notes")
        if publish:
            self._publish(index)

    def _publish(self, index: Index) -> None:
        state = rotation_log.read(self._bank.layout)
        publishing.publish(index, last_rotation=state.last_rotation)

    def _keys(self, index: Index, paths: Sequence[str]) -> list[str]:
        """The keys meant by `paths`: notes on disk, and notes that the index still has and disk does not."""
        layout = self._bank.layout
        known = {found.key for found in scan.sweep(layout).found} | set(index.keys())
        keys = []
        for path in paths:
            absolute = os.path.abspath(path)
            keys.append(scan.resolve_key(absolute if absolute.startswith(layout.active + os.sep) and os.path.exists(absolute) else path, known, layout.active))
        if not keys:
            raise NotFound("no note was named", next_step="name at least one note")
        return keys
