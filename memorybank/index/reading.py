"""Files of notes → what the index keeps of them, in the order asked; with several processes when there are many.

Reading and cutting text is most of a full build and needs nothing but the file and the settings, so workers share it (measured:
half the time on two cores). A worker is a plain process that is told its share on stdin and answers on stdout: it has no lock,
no database and no signal of its own, and it ends when either pipe does. What workers do not deliver is read here.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import IO, TypeAlias

from memorybank.config.settings import Settings
from memorybank.errors import Problem
from memorybank.index.extract import Extract, extract
from memorybank.notes import scan
from memorybank.notes.scan import Found
from memorybank.storage.layout import Layout

Outcome: TypeAlias = Extract | Problem | None
"""None: the content is the one that is known."""

PARALLEL_FROM = 2_000
"""Fewer files are read faster than workers start."""
_MOST_WORKERS = 4
_CHUNK = 64
_WORKER = "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); from memorybank.index.reading import work; work()"


def read(layout: Layout, settings: Settings, suspects: Sequence[Found], known: Mapping[str, str]) -> Iterator[tuple[Found, Outcome]]:
    """Each file with its outcome. known: {key: digest} of the contents that are indexed."""
    workers = min(_processors(), _MOST_WORKERS)
    if len(suspects) < PARALLEL_FROM or workers < 2:
        for found in suspects:
            yield found, outcome_of(layout, settings, found, known.get(found.key))
        return
    chunks = [suspects[begin : begin + _CHUNK] for begin in range(0, len(suspects), _CHUNK)]
    with ExitStack() as stack:
        shares = [stack.enter_context(_Worker(layout, settings, chunks[number::workers], known)) for number in range(workers)]
        for number, chunk in enumerate(chunks):
            outcomes = shares[number % workers].next_chunk()
            if outcomes is None:
                outcomes = [outcome_of(layout, settings, found, known.get(found.key)) for found in chunk]
            yield from zip(chunk, outcomes, strict=True)


def outcome_of(layout: Layout, settings: Settings, found: Found, known: str | None) -> Outcome:
    note = scan.read(layout, found)
    if isinstance(note, Problem):
        return note
    return None if note.digest == known else extract(note, settings)


def work() -> None:
    """A worker: its share on stdin, one pickled list of outcomes a chunk on stdout."""
    layout, settings, chunks, known = pickle.load(sys.stdin.buffer)
    for chunk in chunks:
        pickle.dump([outcome_of(layout, settings, found, known.get(found.key)) for found in chunk], sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
        sys.stdout.buffer.flush()


class _Worker:
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

    def __enter__(self) -> "_Worker":
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


def _processors() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
