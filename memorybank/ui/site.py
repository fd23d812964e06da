"""The parts of one bank's page: the bank, opened again for each request, and the run of `episodes update` that the page started."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import memorybank
from memorybank.bank import Bank
from memorybank.clock import Clock
from memorybank.config.settings import Settings
from memorybank.errors import EXIT_INTERRUPTED
from memorybank.index import working
from memorybank.index.working import Index
from memorybank.storage.layout import Layout

_SHOWN_CHARACTERS = 4_000
_PATIENCE_SECONDS = 10


class BankOpener:
    """Opens the bank. A page that may not write keeps a copy of the cache in memory, and each request adds the changes since the one before.

    root: folder of the bank

    All calls must come from one thread, because SQLite allows only that thread to use the copy.
    """

    def __init__(self, root: str, clock: Clock, *, allow_write: bool) -> None:
        self._root = root
        self._clock = clock
        self._allow_write = allow_write
        self._kept: Index | None = None

    def __call__(self) -> Bank:
        """Return the bank. Raises what opening a bank raises."""
        bank = Bank.open(self._root, clock=self._clock, read_only=not self._allow_write)
        if self._allow_write:
            return bank
        return Bank(bank.layout, bank.settings, bank.clock, read_only=True, kept=self._index(bank.layout, bank.settings))

    def close(self) -> None:
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def _index(self, layout: Layout, settings: Settings) -> Index:
        if self._kept is None:
            self._kept = working.in_memory(layout, settings, self._clock)
        self._kept.go_on(settings)
        return self._kept


class FinishedUpdate(NamedTuple):
    """The result of the last run.

    exit_code: negative if a signal ended the process
    text: the end of its output
    """

    exit_code: int
    text: str

    @property
    def is_interrupted(self) -> bool:
        """Whether another program stopped the run; the next run continues where it ended."""
        return self.exit_code == EXIT_INTERRUPTED or self.exit_code < 0


class UpdateRunner:
    """Runs `memorybank episodes update` for the page, at most once at a time: the same lock, the same settings, the same questions.

    The run has a process of its own, because it may take minutes while the page keeps answering. It ends with the page.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = tuple(command)
        self._starting = asyncio.Lock()
        self._process: Process | None = None
        self._waiting: asyncio.Task[None] | None = None
        self.finished: FinishedUpdate | None = None

    @classmethod
    def of(cls, bank: str) -> "UpdateRunner":
        """Return the runner for a bank.

        bank: folder of the bank

        `-P` keeps Python from importing a package of the same name from the working folder.
        """
        return cls([sys.executable, "-P", "-m", "memorybank", "--bank", bank, "episodes", "update"])

    @property
    def is_running(self) -> bool:
        return self._process is not None

    async def start(self) -> None:
        """Start a run, unless one that this page started is still running. The lock of the command prevents a second run from elsewhere."""
        async with self._starting:
            if self._process is not None:
                return
            self.finished = None
            package = str(Path(memorybank.__file__).parents[1])
            path = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
            environment = {**os.environ, "PYTHONPATH": path, "NO_COLOR": "1", "COLUMNS": "100"}
            self._process = await asyncio.create_subprocess_exec(*self._command, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, env=environment)
            self._waiting = asyncio.create_task(self._wait(self._process))

    async def stop(self) -> None:
        """End the run as Ctrl-C does: what is saved stays, and the next run continues from there."""
        if self._process is not None and self._waiting is not None:
            with suppress(ProcessLookupError):  # it ended by itself just now
                self._process.send_signal(signal.SIGINT)
            try:
                await asyncio.wait_for(asyncio.shield(self._waiting), _PATIENCE_SECONDS)
            except TimeoutError:
                self._process.kill()
                await self._waiting

    async def _wait(self, process: Process) -> None:
        out, err = await process.communicate()
        text = "\n".join(part.decode("utf-8", "replace").strip() for part in (out, err) if part.strip())
        self.finished = FinishedUpdate(process.returncode or 0, text[-_SHOWN_CHARACTERS:])
        self._process = None


@dataclass(frozen=True, slots=True)
class Site:
    """The page of one bank.

    open: opens the bank, again for each request; read-only without `allow_write`
    name: name of the project for a person
    updates: the run of `episodes update` that this page started
    """

    open: BankOpener
    name: str
    allow_write: bool
    updates: UpdateRunner
