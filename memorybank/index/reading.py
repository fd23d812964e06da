"""Files of notes → what the index keeps of them, in the order asked; with several processes when there are many.

Reading and cutting text is most of a full build and needs nothing but the file and the settings, so workers share it (measured:
half the time on two cores). What they do not deliver is read here.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import TypeAlias

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


def read(layout: Layout, settings: Settings, suspects: Sequence[Found], known: Mapping[str, str]) -> Iterator[tuple[Found, Outcome]]:
    """Each file with its outcome. known: {key: digest} of the contents that are indexed."""
    workers = min(_processors(), _MOST_WORKERS)
    if len(suspects) < PARALLEL_FROM or workers < 2:
        for found in suspects:
            yield found, outcome_of(layout, settings, found, known.get(found.key))
        return
    from memorybank.index.workers import Worker  # late: a hook reads one note, and cannot pay for what starts processes

    chunks = [suspects[begin : begin + _CHUNK] for begin in range(0, len(suspects), _CHUNK)]
    with ExitStack() as stack:
        shares = [stack.enter_context(Worker(layout, settings, chunks[number::workers], known)) for number in range(workers)]
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


def _processors() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
