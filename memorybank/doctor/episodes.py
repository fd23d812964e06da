"""Checks of the list of episodes: whether it can be read, and which of its entries no agent will ever see."""

import os
from collections.abc import Iterator

from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import FAIL, WARN, Symptom
from memorybank.episodes import list_file
from memorybank.episodes.entry import WEEK
from memorybank.text.quantities import counted

_REPAIR = "'memorybank episodes repair' keeps it under another name and continues with what can be read; or restore it from git"
_NAMED = 5


def readable(context: DoctorContext) -> Iterator[Symptom]:
    """Report a list that cannot be read: until it is repaired, no day is summarized and none is shown."""
    stored = list_file.read(context.layout)
    where = context.shown(list_file.path_of(context.layout))
    if stored.broken:
        yield Symptom(FAIL, f"the list of episodes {stored.broken}", where, _REPAIR)


def merged(context: DoctorContext) -> Iterator[Symptom]:
    """Report a list that contains both sides of a git conflict."""
    stored = list_file.read(context.layout)
    if stored.merged:
        what = "git left a conflict in the list; both sides are read, and the next change writes one list"
        yield Symptom(WARN, what, context.shown(list_file.path_of(context.layout)), "write one list now with 'memorybank episodes repair'")


def dated(context: DoctorContext) -> Iterator[Symptom]:
    """Report entries without a date: they are kept, and never shown."""
    undated = [entry for entry in list_file.read(context.layout).entries if not entry.first]
    if undated:
        written = ", ".join(repr(entry.raw.get("date") if isinstance(entry.raw, dict) else entry.raw)[:40] for entry in undated[:_NAMED])
        what = f"{counted(len(undated), 'entry', 'entries')} without a date or range of dates that can be read: {written}"
        yield Symptom(WARN, what, context.shown(list_file.path_of(context.layout)), "write dates as 2025-09-17, ranges as 2025-09-15~2025-09-21")


def summarized(context: DoctorContext) -> Iterator[Symptom]:
    """Report days without a summary that are not tried again because too many attempts failed."""
    from memorybank.episodes.coverage import MOST_ATTEMPTS

    given_up = [entry.date for entry in list_file.read(context.layout).entries if entry.is_error and entry.attempts >= MOST_ATTEMPTS]
    if given_up:
        what = f"{counted(len(given_up), 'entry', 'entries')} without a summary that will not be tried again: {', '.join(given_up[:_NAMED])}"
        step = "try again with 'memorybank episodes repair' and then 'memorybank episodes update'"
        yield Symptom(WARN, what, context.shown(list_file.path_of(context.layout)), step)


def unfoldable(context: DoctorContext) -> Iterator[Symptom]:
    """Report merged weeks whose days are not in the archive."""
    from memorybank.episodes import archive

    for entry in list_file.read(context.layout).entries:
        if entry.kind == WEEK and entry.compressed and not archive.unfolded(context.layout, entry):
            what = f"the archive of the days that {entry.date} was merged from is missing or damaged"
            yield Symptom(FAIL, what, context.shown(list_file.archives(context.layout)), "restore episodes/archives/ from git")


def topics_readable(context: DoctorContext) -> Iterator[Symptom]:
    """Report a file of topics that cannot be read: it contains the words that people gave to topics."""
    from memorybank.episodes.topics import store as topics

    stored = topics.read(context.layout)
    if stored.broken and not stored.is_newer:
        step = "restore it from git; 'memorybank episodes topics update' keeps it under another name and makes a new one"
        yield Symptom(WARN, f"the file of topics {stored.broken}", context.shown(topics.path_of(context.layout)), step)


def set_aside(context: DoctorContext) -> Iterator[Symptom]:
    """Report files kept under another name because they could not be read. A person should look at them."""
    for path, _ in context.entries:
        if ".broken-" in os.path.basename(path) and os.path.dirname(path) != context.layout.cache:
            what = "kept because it could not be read; its readable part is in the file that replaced it"
            yield Symptom(WARN, what, context.shown(path), "look into it, copy what is missing, and remove it")
