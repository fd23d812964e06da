"""The bank that a replay runs in: a temporary folder that is deleted when the run ends or is stopped.

It is the same in every run: its key is fixed, its project folder does not exist, and its clock shows the time of the events.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from memorybank.clock import FixedClock
from memorybank.config import settings as configuration
from memorybank.config.cycle import CycleSettings
from memorybank.cycle.base import CycleContext
from memorybank.cycle.fold import cache
from memorybank.index import working
from memorybank.index.fold import fold
from memorybank.log import key
from memorybank.replay.sources import PROJECT, ReplaySource
from memorybank.storage import disk
from memorybank.storage.layout import BANK, Layout
from memorybank.storage.scratch import folder

PREFIX = "memorybank-replay-"
_KEY = b"memorybank replay: no secret".ljust(32, b".")
_NOT_PUBLISHED = b'{"publish": {"after_update": false}}\n'
"""Nobody reads the published index of a scratch bank."""


class PlayClock(FixedClock):
    """A clock set to the time of the current event. No time passes while an event is played, so no deadline depends on the machine's speed."""

    def monotonic(self) -> float:
        return 0.0

    def sleep(self, seconds: float) -> None:
        return


class _Layout(Layout):
    """A layout that shows its paths as if the bank were in the project folder."""

    def relative(self, path: str) -> str:
        return f"{BANK}/{os.path.relpath(path, self.root)}" if path.startswith(self.root + os.sep) else super().relative(path)


@contextmanager
def scratch(source: ReplaySource, settings: CycleSettings) -> Iterator[CycleContext]:
    """Create a bank with the notes and the configuration of the source, a folded index and an empty log."""
    with folder(PREFIX) as place:
        layout = _Layout(os.path.join(place, "memory"), repository=PROJECT)
        begin = source.events[0].at if source.events else 0
        base = CycleContext(layout, settings, PlayClock(begin or 0))
        for name, data in dict([*source.config, ("index_config.json", _NOT_PUBLISHED)]).items():
            _write(os.path.join(layout.config, name), data)
        for note in source.notes:
            _write(layout.note_path(note.key), note.text, note.modified)
        disk.make_directories(layout.active)
        _write(key.path(layout), _KEY.hex().encode() + b"\n")
        configured = configuration.load(layout)
        with working.open_index(configuration.placed_layout(layout, configured), configured, base.clock) as index:
            fold(index)
        try:
            yield base
        finally:
            cache.close()


def _write(path: str, data: bytes, modified: int | None = None) -> None:
    disk.make_directories(os.path.dirname(path))
    disk.create(path, data, mtime_ns=None if modified is None else modified * 1_000_000)
