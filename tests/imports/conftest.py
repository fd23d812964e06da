"""Importing into a scratch bank in this process: `imported(paths)` → Report."""

from pathlib import Path

import pytest

from memorybank.cycle.base import describe
from memorybank.cycle.fold import cache
from memorybank.hosts import import_run
from memorybank.hosts.transcripts import found
from memorybank.log import events


class Place:
    """A bank, a folder for transcripts next to it, and a way to import them."""

    def __init__(self, scratch, clock, folder: Path) -> None:
        self.bank = scratch
        self.clock = clock
        self.folder = folder

    @property
    def base(self):
        return describe(self.bank.layout, self.clock)

    def take_in(self, *paths: Path, host: str = "claude-code", **more):
        """Import these paths (by default the entire folder), then close the caches."""
        transcripts = found.at_paths(host, [str(path) for path in paths or (self.folder,)])
        try:
            return import_run.run(self.base, host, found.related(transcripts), **more)
        finally:
            cache.close()

    def log(self, session: str) -> list[dict]:
        return [line.fields for line in events.read(self.bank.layout, events.name_of(session))]

    def logs(self) -> dict[str, bytes]:
        """{name: bytes} of every event log."""
        return {path.name: path.read_bytes() for path in sorted((self.bank.root / "log" / "events").glob("*"))}


@pytest.fixture
def place(bank, fixed_clock, tmp_path):
    folder = tmp_path / "transcripts"
    folder.mkdir()
    return Place(bank(), fixed_clock, folder)
