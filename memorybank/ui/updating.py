"""Runs `memorybank episodes update` for the page, as the command itself: the same lock, the same settings, the same questions.

The run has a process of its own, because it may take minutes while the page keeps answering. It ends with the page.
"""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import memorybank

_SHOWN_CHARACTERS = 4_000
_PATIENCE_SECONDS = 10


class FinishedUpdate(NamedTuple):
    """How the last run ended.

    text: end of what it printed
    """

    exit_code: int
    text: str


class UpdateRunner:
    """Runs a command, at most once at a time."""

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
        """Start a run, unless this page started one that goes on. The lock of the command guards against a run of somebody else."""
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
