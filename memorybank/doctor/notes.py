"""Notes and bookmarks: what cannot be read, what another machine could not hold, what git left half merged."""

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from unicodedata import normalize

from memorybank.doctor.context import Context
from memorybank.doctor.finding import FAIL, WARN, Symptom
from memorybank.notes import bookmarks as bookmark_file

_BEGIN, _MIDDLE, _END = "<<<<<<<", "=======", ">>>>>>>"
"""The lines of one conflict as git writes it (git-merge, "How conflicts are presented")."""
_FENCED = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
"""Code of a note, which may well be about conflicts."""


def readable(context: Context) -> Iterator[Symptom]:
    """Files of active/ that are no notes for memorybank: links, other kinds of files, too large, no UTF-8 names."""
    for problem in context.swept.problems:
        yield Symptom(WARN, f"{problem.message}: neither searched nor recalled", f"active/{problem.path}", "mend it, or move it out of active/")


def names(context: Context) -> Iterator[Symptom]:
    """Names that differ only in case, or in how Unicode composes them, are one file on macOS and Windows: a colleague's clone loses one."""
    alike: dict[str, list[str]] = defaultdict(list)
    for found in context.swept.found:
        alike[normalize("NFC", found.key).casefold()].append(found.key)
    for keys in alike.values():
        if len(keys) > 1:
            what = f"on other systems these are one file: {', '.join(keys)}"
            yield Symptom(WARN, what, f"active/{keys[0]}", "rename one of them")


def conflicts(context: Context) -> Iterator[Symptom]:
    """A merge that nobody finished."""
    for path, text in context.texts:
        if _BEGIN not in text:
            continue
        line = _conflict(_FENCED.sub(_blank, text) if path.endswith(".md") else text)
        if line:
            level = WARN if path.endswith(".md") else FAIL
            yield Symptom(level, "git left a conflict in it: both sides stand there, with git's marks", f"{path}:{line}", _step(path))


def bookmarks(context: Context) -> Iterator[Symptom]:
    """While bookmarks cannot be read, no note is rotated."""
    known = bookmark_file.load(context.layout)
    shown = context.shown(context.layout.bookmarks)
    if known.malformed is not None:
        yield Symptom(FAIL, known.malformed.message, shown, "mend the JSON by hand, or take it back from git")
        return
    keys = {normalize("NFC", found.key) for found in context.swept.found}
    for entry in known.entries:
        alone = bookmark_file.Bookmarks((entry,))
        if not any(map(alone.matches, keys)):
            step = f"'memorybank bookmark remove {entry.path}', or bring the note back"
            yield Symptom(WARN, f"the bookmark {entry.path!r} is of no note", shown, step)


def _conflict(text: str) -> int:
    """The line (from 1) at which a conflict begins whose middle and end follow; 0 without one."""
    begun, wanted = 0, _BEGIN
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip("\r")
        if line == _BEGIN or line.startswith(f"{_BEGIN} "):
            begun, wanted = number, _MIDDLE
        elif wanted == _MIDDLE and line == _MIDDLE:
            wanted = _END
        elif wanted == _END and (line == _END or line.startswith(f"{_END} ")):
            return begun
    return 0


def _blank(fenced: re.Match[str]) -> str:
    return "\n" * fenced[0].count("\n")


def _step(path: str) -> str:
    if os.path.basename(path) in ("episodic_memory.json", "topic_clusters.json"):
        return "'memorybank episodes repair' makes one of both"
    return "choose what is right, take out the lines with <<<<<<<, ======= and >>>>>>>"
