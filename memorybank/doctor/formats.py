"""The check for files of a newer memorybank. They are not damaged: an older version skips them, and neither repairs nor replaces them."""

import os
from collections.abc import Iterator

from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import WARN, Symptom
from memorybank.episodes import list_file as episodes
from memorybank.episodes.topics import store as topics
from memorybank.errors import NewerFormat
from memorybank.log import events, lines
from memorybank.notes import bookmarks

_UPGRADE = "upgrade memorybank; until then this file is skipped, and commands that would have to change it end with an error"


def newer(context: DoctorContext) -> Iterator[Symptom]:
    """Report archived notes, logs, bookmarks, settings, episodes and topics that a newer memorybank wrote."""
    for finding in context.verified.findings:
        if finding.code == NewerFormat.code:
            yield Symptom(WARN, finding.message, finding.path, _UPGRADE)
    for name in events.names(context.layout):
        path = os.path.join(events.folder(context.layout), name)
        for problem in lines.problems(path, f"log/events/{name}") if lines.newer_lines(path) else ():
            if problem.code == NewerFormat.code:
                yield Symptom(WARN, problem.message, problem.where, _UPGRADE)
    marked = bookmarks.load(context.layout).malformed
    if marked is not None and marked.code == NewerFormat.code:
        yield Symptom(WARN, marked.message, "bookmarks.json", _UPGRADE)
    listed = episodes.read(context.layout)
    if listed.newer:
        yield Symptom(WARN, f"the list of episodes {listed.newer}", context.shown(episodes.path_of(context.layout)), _UPGRADE)
    for problem in context.configured[1]:
        if problem.code == NewerFormat.code:
            yield Symptom(WARN, problem.message, problem.path, _UPGRADE)
    stored = topics.read(context.layout)
    if stored.is_newer:
        yield Symptom(WARN, f"the file of topics {stored.broken}", context.shown(topics.path_of(context.layout)), _UPGRADE)
