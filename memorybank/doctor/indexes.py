"""Checks of the working index, the published documents and the caches. All of them are derived, so every fault in them can be repaired."""

import os
from collections.abc import Iterator

from memorybank.cycle.fold import cache as cycle_cache
from memorybank.cycle.fold import schema as cycle_schema
from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import UNKNOWN, WARN, Symptom
from memorybank.errors import Problem, ValidationFailed
from memorybank.index import schema
from memorybank.storage import database
from memorybank.text.quantities import counted

_PUBLISHED = "published_"
_MADE_ANEW = "build it again with 'memorybank index'; the next search does so too"
_NAMED = 3
_LEFT_BEHIND = ".broken"


def sound(context: DoctorContext) -> Iterator[Symptom]:
    """Report caches that SQLite finds damaged."""
    for path in _damaged(context):
        step = "'memorybank doctor --fix' removes it; its content is built again from notes and logs"
        yield Symptom(WARN, "SQLite reports that this cache is damaged", context.shown(path), step)


def make_caches(context: DoctorContext) -> Iterator[str]:
    """Fix: remove damaged caches, and build the index again if it is one of them."""
    damaged = _damaged(context)
    for path in damaged:
        database.remove(path)
        yield f"removed {context.shown(path)}"
    if context.layout.database in damaged:
        context.writable_bank().index.update("full", progress=context.step)
        yield "built the index again from the notes"


def current(context: DoctorContext) -> Iterator[Symptom]:
    """Report differences between the index and the notes and episodes that exist."""
    if not _is_there(context.layout.database):
        yield Symptom(UNKNOWN, "there is no index yet; the first search builds it", context.shown(context.layout.database))
        return
    if not database.is_of(context.layout.database, schema.VERSION):
        what = "damaged, or in the format of another version of memorybank, which this version does not read"
        yield Symptom(WARN, what, context.shown(context.layout.database), _MADE_ANEW)
        return
    found = [problem for problem in context.index_problems if not problem.code.startswith(_PUBLISHED)]
    if found:
        what = f"{counted(len(found), 'difference', 'differences')} between notes and index: {_named(found)}"
        yield Symptom(WARN, what, context.shown(context.layout.database), "the next search brings the index up to date, or run 'memorybank index'")


def published(context: DoctorContext) -> Iterator[Symptom]:
    """Report published documents that list other notes or contents than the index."""
    if not _is_there(context.layout.database) or not database.is_of(context.layout.database, schema.VERSION):
        yield Symptom(UNKNOWN, "there is no index to compare them with", context.shown(context.layout.indexes))
        return
    for problem in context.index_problems:
        if problem.code.startswith(_PUBLISHED):
            yield Symptom(WARN, problem.message, problem.path, "'memorybank index' publishes them again")


def update(context: DoctorContext) -> Iterator[str]:
    """Fix: bring the index up to date and publish it. It is built again if an incremental update does not suffice."""
    indexes = context.writable_bank().index
    try:
        report = indexes.update("incremental", publish=True, progress=context.step)
        is_sound = not indexes.check()
    except ValidationFailed:
        is_sound = False
    if not is_sound:
        report = indexes.update("full", publish=True, progress=context.step)
    yield f"brought the index up to date ({counted(report.read, 'note', 'notes')} read) and published it"


def tidy(context: DoctorContext) -> Iterator[Symptom]:
    """Report caches that were set aside."""
    for path in _broken_caches(context):
        what = "a cache that was set aside because it was damaged; it is not used"
        yield Symptom(WARN, what, context.shown(path), "'memorybank doctor --fix' removes it")


def remove_broken_caches(context: DoctorContext) -> Iterator[str]:
    """Fix: remove these caches."""
    yield from context.remove(_broken_caches(context))


def _broken_caches(context: DoctorContext) -> list[str]:
    return [path for path, _ in context.entries if os.path.dirname(path) == context.layout.cache and _LEFT_BEHIND in os.path.basename(path)]


def _damaged(context: DoctorContext) -> list[str]:
    cycle_cache.close()  # this process may have the file open that is checked
    return [path for path in (context.layout.database, cycle_schema.path(context.layout)) if database.is_damaged(path)]


def _is_there(path: str) -> bool:
    """Return whether a path exists. Unlike `os.path.exists`, raises instead of returning False when the path may not be examined."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _named(found: "list[Problem]") -> str:
    names = list(dict.fromkeys(problem.path for problem in found))
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"
