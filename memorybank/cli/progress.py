"""A progress bar for work that takes longer than a second: on a terminal only, on stderr, drawn by rich."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memorybank.clock import Clock

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE_SECONDS = 1.0


@contextmanager
def progress(label: str, clock: Clock) -> Iterator[Callable[[int, int], None]]:
    """Yields the callback `(done, total)` that library code reports to."""
    begun = clock.monotonic()
    bar: Progress | None = None

    def step(done: int, total: int) -> None:
        nonlocal bar
        if bar is None:
            if not sys.stderr.isatty() or clock.monotonic() - begun < PATIENCE_SECONDS:
                return
            bar = _start()
            bar.add_task(label, total=total)
        bar.update(bar.task_ids[0], completed=done, total=total)

    try:
        yield step
    finally:
        if bar is not None:
            bar.stop()


def _start() -> "Progress":
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    bar.start()
    return bar
