"""Worker processes that read notes. Each receives some files at a time on stdin and answers on stdout.

A worker is only asked after its last answer was received, so neither side waits for the other to empty a pipe. It holds no lock and no database and
handles no signals. It ends when either pipe closes.
"""

import gc
import pickle
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

from memorybank.config.settings import Settings
from memorybank.index.extract import Outcome, outcomes_of
from memorybank.notes.note_files import NoteFile
from memorybank.storage.layout import Layout

# The path is sent first: without it the child could not import memorybank, or would import another copy of it.
_WORKER = "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); from memorybank.index.workers import work; work()"
_NEW_OBJECTS = 50_000


def work() -> None:
    """Run as a worker: read chunks of files from stdin, and write one pickled list of outcomes for each to stdout."""
    # As commands do: the extracts of notes contain no circles, which Python would otherwise look for every 700 objects.
    gc.set_threshold(_NEW_OBJECTS)
    layout, settings = pickle.load(sys.stdin.buffer)
    while True:
        try:
            chunk, known = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        outcomes = list(outcomes_of(layout, settings, chunk, [known.get(found.key) for found in chunk]))
        pickle.dump(outcomes, sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
        sys.stdout.buffer.flush()


class Worker:
    """One worker process. Its exit as a context manager kills the process."""

    def __init__(self, layout: Layout, settings: Settings) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._process = subprocess.Popen([sys.executable, "-c", _WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self._send(pickle.dumps(sys.path) + pickle.dumps((layout, settings), pickle.HIGHEST_PROTOCOL))
        except OSError:
            self._stop()

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def ask(self, chunk: Sequence[NoteFile], known: Mapping[str, str]) -> None:
        """Let the worker read these files. The last answer must have been received. known: {key: digest} of contents that are indexed already"""
        try:
            self._send(pickle.dumps((chunk, known), pickle.HIGHEST_PROTOCOL))
        except OSError:
            self._stop()

    def answer(self) -> list[Outcome] | None:
        """Return the outcomes of the files that were asked about; None when the worker has failed, and from then on."""
        if self._process is None:
            return None
        try:
            outcomes: list[Outcome] = pickle.load(_pipe(self._process.stdout))
            return outcomes
        except (OSError, EOFError, pickle.UnpicklingError):
            self._stop()
            return None

    def _send(self, request: bytes) -> None:
        if self._process is not None:
            stdin = _pipe(self._process.stdin)
            stdin.write(request)
            stdin.flush()

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            _pipe(self._process.stdout).close()
            with suppress(OSError):  # what could not be sent to a process that failed
                _pipe(self._process.stdin).close()
            self._process = None


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None  # opened with PIPE
    return stream
