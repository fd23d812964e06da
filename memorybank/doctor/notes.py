"""Checks of notes and bookmarks: files that cannot be read, names that other systems cannot store, unfinished merges of git."""

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from unicodedata import normalize

from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import FAIL, WARN, Symptom, counted
from memorybank.notes import bookmarks as bookmark_file
from memorybank.reasons.reason import text_of
from memorybank.storage.source_keys import is_source_key

_BEGIN, _MIDDLE, _END = "<<<<<<<", "=======", ">>>>>>>"
"""The marker lines of one conflict as git writes it (git-merge, "How conflicts are presented")."""
_FENCED = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
"""Fenced code of a note, which may show conflict markers as an example."""


def readable(context: DoctorContext) -> Iterator[Symptom]:
    """Report files of active/ that memorybank does not accept as notes: links, special files, files too large, names that are not UTF-8."""
    for problem in context.swept.problems:
        yield Symptom(WARN, f"{problem.message}: neither searched nor recalled", f"active/{problem.path}", "correct it, or move it out of active/")


def names(context: DoctorContext) -> Iterator[Symptom]:
    """Report names that differ only in case or Unicode composition. On macOS and Windows they are one file, so a colleague's clone loses one."""
    alike: dict[str, list[str]] = defaultdict(list)
    for found in context.swept.found:
        alike[normalize("NFC", found.key).casefold()].append(found.key)
    for keys in alike.values():
        if len(keys) > 1:
            what = f"on other systems these names are the same file: {', '.join(keys)}"
            yield Symptom(WARN, what, f"active/{keys[0]}", "rename one of them")


def conflicts(context: DoctorContext) -> Iterator[Symptom]:
    """Report merges that nobody finished."""
    for path, text in context.texts:
        if _BEGIN not in text:
            continue
        line = _conflict(_FENCED.sub(_blank, text) if path.endswith(".md") else text)
        if line:
            level = WARN if path.endswith(".md") else FAIL
            yield Symptom(level, "an unresolved git conflict: the file contains both sides and git's markers", f"{path}:{line}", _step(path))


def bookmarks(context: DoctorContext) -> Iterator[Symptom]:
    """Report bookmarks that cannot be read, in which case no note is rotated, and bookmarks that match no note."""
    known = bookmark_file.load(context.layout)
    shown = context.shown(context.layout.bookmarks)
    if known.malformed is not None:
        yield Symptom(FAIL, known.malformed.message, shown, "correct the JSON by hand, or restore the file from git")
        return
    keys = {normalize("NFC", found.key) for found in context.swept.found}
    for entry in known.entries:
        alone = bookmark_file.Bookmarks((entry,))
        if not any(map(alone.matches, keys)):
            step = f"remove it with 'memorybank bookmark remove {entry.path}', or restore the note"
            yield Symptom(WARN, f"the bookmark {entry.path!r} matches no note", shown, step)


def claims(context: DoctorContext) -> Iterator[Symptom]:
    """Report notes that name files, notes or branches that git's history says are gone or elsewhere."""
    untrue = [each for each in context.bank.claims.list() if each.is_untrue and not is_source_key(each.key)]
    if untrue:
        first = untrue[0]
        what = f"{counted(len({each.key for each in untrue}), 'note names', 'notes name')} what is no longer so, first: {text_of(first.reason)}"
        yield Symptom(WARN, what, f"active/{first.key}:{first.claim.line}", "'memorybank claims' lists all of it; correct the notes, or forget them")


def _conflict(text: str) -> int:
    """Return the line (from 1) at which a complete conflict begins; 0 without one."""
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
    """Return the line feeds of the fenced code alone, so that line numbers stay right."""
    return "\n" * fenced[0].count("\n")


def _step(path: str) -> str:
    if os.path.basename(path) in ("episodic_memory.json", "topic_clusters.json"):
        return "merge both sides with 'memorybank episodes repair'"
    return "keep the right text, and remove the lines with <<<<<<<, ======= and >>>>>>>"
