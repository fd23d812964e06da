"""`memorybank episodes update`, started by the page as the command that it is: the same lock, the same settings, the same questions.

A process of its own, because a run may take minutes while the page goes on answering; it ends with the page.
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


class Finished(NamedTuple):
    """How the last run ended. text: the end of what it printed."""

    exit_code: int
    text: str


class Updates:
    """At most one run at a time. command: what is started."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = tuple(command)
        self._starting = asyncio.Lock()
        self._process: Process | None = None
        self._waiting: asyncio.Task[None] | None = None
        self.finished: Finished | None = None

    @classmethod
    def of(cls, bank: str) -> "Updates":
        """bank: its folder. `-P`: nothing that lies in the working folder is taken for this package."""
        return cls([sys.executable, "-P", "-m", "memorybank", "--bank", bank, "episodes", "update"])

    @property
    def is_running(self) -> bool:
        return self._process is not None

    async def start(self) -> None:
        """Start a run, unless one that this page started goes on. One that somebody else started is met by the command's own lock."""
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
        """End the run as Ctrl-C does: what is saved stays, and the next run goes on from there."""
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
        self.finished = Finished(process.returncode or 0, text[-_SHOWN_CHARACTERS:])
        self._process = None
