"""A progress bar for work that takes longer than a second: on a terminal only, on stderr, drawn by rich."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from memorybank.clock import Clock

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE_SECONDS = 1.0


class ProgressBar:
    """A progress bar that code calls with (done, total) while it works.

    The first call begins the work. When everything is done the bar disappears, and the next call begins new work.
    """

    __slots__ = ("_bar", "_begun", "_clock", "label")

    def __init__(self, label: str, clock: Clock) -> None:
        self.label = label
        self._clock = clock
        self._begun: float | None = None
        self._bar: Progress | None = None

    def __call__(self, done: int, total: int) -> None:
        if done >= total:
            self.close()
        else:
            self.show(done, total)

    def begin(self, *, waited: bool = False) -> None:
        """Begin the work. waited: whether the person has seen a bar before it, and so need not wait for this one."""
        self._begun = self._clock.monotonic() - PATIENCE_SECONDS * waited

    @property
    def is_shown(self) -> bool:
        return self._bar is not None

    def show(self, done: int, total: int) -> None:
        """Update the bar as a call does, but leave it on the screen until `close`."""
        if self._begun is None:
            self.begin()
        elif self._bar is None and self._is_late(self._begun):
            self._bar = _start()
            self._bar.add_task(self.label, total=total)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, total=total)

    def _is_late(self, begun: float) -> bool:
        return sys.stderr.isatty() and self._clock.monotonic() - begun >= PATIENCE_SECONDS

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
        self._bar = self._begun = None


@contextmanager
def progress(label: str, clock: Clock) -> Iterator[Callable[[int, int], None]]:
    """Yield the callback `(done, total)` that library code reports to. The work begins now, and the bar stays until the block ends."""
    with closing(ProgressBar(label, clock)) as bar:
        bar.begin()
        yield bar.show


@contextmanager
def progress_of_steps(clock: Clock) -> Iterator[Callable[[str, int, int], None]]:
    """Yield the callback `(label, done, total)` for work in several steps. The bar of each step replaces that of the step before."""
    with closing(ProgressBar("", clock)) as bar:

        def report(label: str, done: int, total: int) -> None:
            if label != bar.label:
                waited = bar.is_shown
                bar.close()
                bar.label = label
                bar.begin(waited=waited)
            bar.show(done, total)

        yield report


def _start() -> "Progress":
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    bar.start()
    return bar
