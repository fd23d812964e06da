"""Worker processes that read notes. Each receives its share of the files on stdin and answers on stdout.

A worker holds no lock and no database and handles no signals. It ends when either pipe closes.
"""

import gc
import pickle
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import IO

from memorybank.config.settings import Settings
from memorybank.index.extract import Outcome, outcome_of
from memorybank.notes.scan import NoteFile
from memorybank.storage.layout import Layout

# The path is sent first: without it the child could not import memorybank, or would import another copy of it.
_WORKER = "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); from memorybank.index.workers import work; work()"
_NEW_OBJECTS = 50_000


def work() -> None:
    """Run as a worker: read a share from stdin, and write one pickled list of outcomes per chunk to stdout."""
    # As commands do: the extracts of notes contain no circles, which Python would otherwise look for every 700 objects.
    gc.set_threshold(_NEW_OBJECTS)
    layout, settings, chunks, known = pickle.load(sys.stdin.buffer)
    for chunk in chunks:
        pickle.dump([outcome_of(layout, settings, found, known.get(found.key)) for found in chunk], sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
        sys.stdout.buffer.flush()


class Worker:
    """One worker process and its share of the chunks, in order. Its exit as a context manager kills the process."""

    def __init__(self, layout: Layout, settings: Settings, chunks: Sequence[Sequence[NoteFile]], known: Mapping[str, str]) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._process = subprocess.Popen([sys.executable, "-c", _WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            # Only its own digests are sent, so that a large bank is not pickled once per worker.
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
        """Return the outcomes of the next chunk; None when the worker has failed, and from then on."""
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
    assert stream is not None  # opened with PIPE
    return stream
