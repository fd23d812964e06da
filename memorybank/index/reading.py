"""Reads note files and extracts what the index stores of them, in the given order; with several processes when there are many files.

Reading and tokenizing is most of the time of a full build and needs only the file and the settings, so worker processes share it
(measured: half the time on two cores). Files that a worker does not deliver are read in this process.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack

from memorybank.config.settings import Settings
from memorybank.index.extract import Outcome, outcome_of
from memorybank.notes.scan import NoteFile
from memorybank.storage.layout import Layout

PARALLEL_FROM = 2_000
"""Number of files from which worker processes are used; fewer are read before the workers have started."""
_MOST_WORKERS = 4
_CHUNK = 64


def read(layout: Layout, settings: Settings, suspects: Sequence[NoteFile], known: Mapping[str, str]) -> Iterator[tuple[NoteFile, Outcome]]:
    """Yield each file with its outcome.

    known: {key: digest} of the contents that are indexed already.
    """
    workers = min(_processors(), _MOST_WORKERS)
    if len(suspects) < PARALLEL_FROM or workers < 2:
        for found in suspects:
            yield found, outcome_of(layout, settings, found, known.get(found.key))
        return
    from memorybank.index.workers import Worker  # imported late: a hook reads one note, and should not pay for loading subprocess and pickle

    chunks = [suspects[begin : begin + _CHUNK] for begin in range(0, len(suspects), _CHUNK)]
    with ExitStack() as stack:
        shares = [stack.enter_context(Worker(layout, settings, chunks[number::workers], known)) for number in range(workers)]
        for number, chunk in enumerate(chunks):
            outcomes = shares[number % workers].next_chunk()
            # The worker failed: its remaining chunks are read here.
            if outcomes is None:
                outcomes = [outcome_of(layout, settings, found, known.get(found.key)) for found in chunk]
            yield from zip(chunk, outcomes, strict=True)


def _processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
