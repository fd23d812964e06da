"""Checks of notes and bookmarks: files that cannot be read, names that other systems cannot store, unfinished merges of git."""

from collections.abc import Iterator
from unicodedata import normalize

from memorybank.checking import guidance, texts
from memorybank.doctor import problems
from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import FAIL, WARN, Symptom
from memorybank.errors import CONFLICT
from memorybank.notes import bookmarks as bookmark_file
from memorybank.reasons.reason import text_of
from memorybank.storage.layout import is_source_key
from memorybank.text.quantities import counted


def readable(context: DoctorContext) -> Iterator[Symptom]:
    """Report files of active/ that memorybank does not accept as notes: links, special files, files too large, names that are not UTF-8. Also report
    what `list --problems` lists of the others, apart from the conflicts in files of the bank and the bookmarks, which have
    checks of their own.
    """
    for problem in context.swept.problems:
        yield Symptom(WARN, f"{problem.message}: neither searched nor recalled", f"active/{problem.path}", "correct it, or move it out of active/")
    elsewhere = {*context.swept.problems}
    for problem in context.bank.notes.problems(dated=False):
        is_checked_below = problem.code == "bookmarks_malformed" or (problem.code == CONFLICT and not is_source_key(problem.path))
        if problem not in elsewhere and not is_checked_below:
            yield Symptom(WARN, problem.message, problems.where(problem), guidance.next_step(problem.code, problem.path))


def names(context: DoctorContext) -> Iterator[Symptom]:
    """Report names that differ only in case or Unicode composition. On macOS and Windows they are one file, so a colleague's clone loses one."""
    for keys in texts.same_names(found.key for found in context.swept.found):
        what = f"on other systems these names are the same file: {', '.join(keys)}"
        yield Symptom(WARN, what, f"active/{keys[0]}", "rename one of them")


def conflicts(context: DoctorContext) -> Iterator[Symptom]:
    """Report merges that nobody finished."""
    for path, text in context.texts:
        found = texts.conflict(path, text)
        if found is not None:
            yield Symptom(WARN if path.endswith(".md") else FAIL, found.message, found.where, guidance.next_step(found.code, path))


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
        what = f"{counted(len({each.key for each in untrue}), 'note has outdated claims', 'notes have outdated claims')}, first: {text_of(first.reason)}"
        step = "'memorybank claims' lists all of it, 'memorybank forget --stale' the notes to forget; correct the others"
        yield Symptom(WARN, what, f"active/{first.key}:{first.claim.line}", step)
