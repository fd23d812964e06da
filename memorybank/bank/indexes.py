"""Maintenance of the working index and the published documents."""

from collections.abc import Collection, Iterator, Sequence

from memorybank.bank import arguments
from memorybank.bank.arguments import BankFacade, Instant
from memorybank.episodes import indexing
from memorybank.errors import LockTimeout, PermissionRefused, Problem, UsageError, ValidationFailed
from memorybank.index import meta, queries, working
from memorybank.index.fold import fold
from memorybank.index.schema import FULL_TEXT_TABLES
from memorybank.index.working import FoldReport, Index, Progress
from memorybank.log import operations
from memorybank.notes import named, scan
from memorybank.storage import full_text

MODES = ("full", "incremental", "selective")


class Indexes(BankFacade):
    """The index of a bank: bring it up to date, check it, publish its documents, build it again."""

    def update(self, mode: str = "incremental", paths: Sequence[str] = (), *, publish: bool | None = None, progress: Progress | None = None) -> FoldReport:
        """Bring the working index up to date. Raises `ValidationFailed` when its tables do not agree afterwards.

        mode: `full` (everything again), `incremental` (what changed) or `selective` (only the notes at `paths`)
        publish: whether to write the JSON documents too; None follows the settings, and means no for `selective`
        """
        if mode not in MODES:
            raise UsageError(f"{mode!r} is not an index mode", next_step=f"choose one of {', '.join(MODES)}")
        if paths and mode != "selective":
            raise UsageError(f"paths are only used with the mode selective, not with {mode}", next_step="pass mode='selective', or leave the paths out")
        if publish is None:
            publish = mode != "selective" and self._bank.settings.index.publish.after_update
        with operations.index_update(self._bank.layout, mode, self._bank.clock) as counts, self._bank.opened() as index:
            index.require_writable()
            only = self._keys(index, paths) if mode == "selective" else None
            report = fold(index, only=only, anew=mode == "full", progress=progress)
            counts.update(looked=index.looked, read=report.read)
            indexing.bring_up_to_date(index)
            self._bank.look_up_every_claim(index)
            self._conclude(index, publish=publish)
        if mode != "selective":
            from memorybank.metrics import analytics

            with self._bank.opened() as index:
                analytics.refresh_if_possible(index)
        return report

    def sweep(self, *, publish: bool = False) -> FoldReport:
        """Examine every note and the list of episodes, and fold what changed, as any search does.

        publish: whether to write the JSON documents too when they are out of date
        Raises `LockTimeout` when another process does the same, `PermissionRefused` in a bank that cannot be written.
        """
        with operations.index_update(self._bank.layout, "sweep", self._bank.clock) as counts, self._bank.opened() as index:
            index.require_writable()
            if index.frozen:
                raise PermissionRefused(f"{index.layout.relative(index.layout.cache)} cannot be written")
            report = fold(index)
            if indexing.bring_up_to_date(index) == indexing.BUSY:
                raise LockTimeout(str(indexing.BUSY))
            # A sweep that finds no change leaves no line in the log.
            if report.altered:
                counts.update(looked=index.looked, read=index.read)
            if publish and meta.integer(index.connection, "revision") != meta.integer(index.connection, "published_revision"):
                self._conclude(index, publish=True)
        return report

    def rebuild(self, *, as_of: Instant | None = None, progress: Progress | None = None) -> FoldReport:
        """Create everything derived again from notes, archive and logs. The same input and `as_of` give the same bytes."""
        from memorybank.cycle import base
        from memorybank.cycle.fold import cache
        from memorybank.cycle.rebuild import rebuild as rebuild_cycle
        from memorybank.metrics import analytics, measure
        from memorybank.rotation import history

        layout = self._bank.layout
        with working.open_index(layout, self._bank.settings, self._bank.clock, now=arguments.instant(self._bank, as_of, "as_of")) as index:
            index.require_writable()
            report = fold(index, anew=True, progress=progress)
            indexing.bring_up_to_date(index)
            self._bank.look_up_every_claim(index)
            self._conclude(index, publish=True)
            history.write_documents(layout)
            analytics.write(layout, measure.measure(index))
        rebuild_cycle(base.describe(layout, self._bank.clock))
        cache.close()
        return report

    def check(self) -> list[Problem]:
        """Return every difference between notes and episodes, the working index and the published documents. Changes nothing."""
        from memorybank.index import check

        with self._bank.opened(frozen=True) as index:
            return [*check.check(index), *indexing.differences(index)]

    def optimize(self) -> None:
        """Merge the full-text indexes and release unused space."""
        with self._bank.opened() as index:
            index.require_writable()
            for table in FULL_TEXT_TABLES:
                full_text.merge_all(index.connection, table)
            index.connection.execute("VACUUM")

    def _conclude(self, index: Index, *, publish: bool) -> None:
        counts = index.counts()
        if len(set(counts.values())) > 1:
            told = ", ".join(f"{count} {table}" for table, count in counts.items())
            raise ValidationFailed(f"the tables of the index do not match: {told}", next_step="'memorybank rebuild' creates it again from the notes")
        if publish:
            from memorybank.index.publish import publish as write_documents

            write_documents(index)

    def _keys(self, index: Index, paths: Sequence[str]) -> list[str]:
        """Return the keys that `paths` mean: notes on disk, and notes that are only in the index."""
        if not paths:
            raise UsageError("no note was named", next_step="name at least one note")
        layout = self._bank.layout
        known = _Known(index)
        return [named.resolve_key(path, known, layout.active) for path in paths]


class _Known(Collection[str]):
    """Every key on disk or in the index. The folders are listed only when a spelling is not found directly."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def __contains__(self, key: object) -> bool:
        if not isinstance(key, str) or key.startswith("/"):
            return False
        try:
            swept = scan.find_keys(self._index.layout, (key,))
        except UsageError:
            return False
        return bool(swept.found or swept.problems) or queries.id_of(self._index.connection, key) is not None

    def __iter__(self) -> Iterator[str]:
        return iter({found.key for found in scan.sweep(self._index.layout).found} | set(self._index.keys()))

    def __len__(self) -> int:
        return sum(1 for _ in self)
