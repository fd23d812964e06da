"""Processes that read notes: a plain one is told its share on stdin and answers on stdout.

It has no lock, no database and no signal of its own, and it ends when either pipe does.
"""

import pickle
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import IO

from memorybank.config.settings import Settings
from memorybank.index.reading import Outcome, outcome_of
from memorybank.notes.scan import Found
from memorybank.storage.layout import Layout

_WORKER = "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); from memorybank.index.workers import work; work()"


def work() -> None:
    """A worker: its share on stdin, one pickled list of outcomes a chunk on stdout."""
    layout, settings, chunks, known = pickle.load(sys.stdin.buffer)
    for chunk in chunks:
        pickle.dump([outcome_of(layout, settings, found, known.get(found.key)) for found in chunk], sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
        sys.stdout.buffer.flush()


class Worker:
    """One process and its share of the chunks, in order."""

    def __init__(self, layout: Layout, settings: Settings, chunks: Sequence[Sequence[Found]], known: Mapping[str, str]) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._process = subprocess.Popen([sys.executable, "-c", _WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            own = {found.key: known[found.key] for chunk in chunks for found in chunk if found.key in known}
            request = pickle.dumps(sys.path) + pickle.dumps((layout, settings, chunks, own), pickle.HIGHEST_PROTOCOL)
            with _pipe(self._process.stdin) as stdin:
                stdin.write(request)
        except OSError:
            self._stop()

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def next_chunk(self) -> list[Outcome] | None:
        """The outcomes of the next chunk; None when the worker is gone, which it then is for good."""
        if self._process is None:
            return None
        try:
            outcomes: list[Outcome] = pickle.load(_pipe(self._process.stdout))
            return outcomes
        except (OSError, EOFError, pickle.UnpicklingError):
            self._stop()
            return None

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            _pipe(self._process.stdout).close()
            self._process = None


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None  # asked for with PIPE
    return stream
