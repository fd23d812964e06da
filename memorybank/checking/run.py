"""Runs the check of one bank: chooses the files, looks at each according to its kind, and returns what a person has to correct."""

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memorybank import resident
from memorybank.checking import guidance, links, texts
from memorybank.checking.guidance import CheckFinding
from memorybank.checking.tree import FILE, LINK, LOCAL_FOLDERS, PRIVATE_FOLDERS, UNMERGED, CommittedTree, StagedTree, TreeFile, WorkingTree, chosen, is_below
from memorybank.config import settings, sources
from memorybank.episodes import list_file
from memorybank.errors import MemorybankError, Problem
from memorybank.notes import bookmarks
from memorybank.notes.parse import parse
from memorybank.notes.scan import misnamed, shown
from memorybank.storage import frames
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout, is_utf8

_NOTE = ".md"
_OBJECTS = (".md.zst", ".md")
_BINARY_HEAD = 8_000
_TEXTS = (".md", ".json", ".jsonl")
"""What memorybank reads as text, even if an editor saved it as UTF-16."""
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class BankCheck(NamedTuple):
    """The result of a check.

    bank: the bank's path, relative to the repository
    files: number of files that were checked
    """

    bank: str
    files: int
    findings: tuple[CheckFinding, ...]


def check(layout: Layout, *, staged: bool = False, given: Sequence[str] = (), folder: str = "") -> BankCheck:
    """Check a bank's files. Nothing is changed.

    staged: whether to check the contents in git's index instead of the working tree; without `given`, only those that differ from HEAD
    given: files, folders or notes, relative to `folder`; default all
    """
    tree: CommittedTree = StagedTree(layout) if staged else WorkingTree(layout)
    paths = chosen(tree, layout, given, folder or os.getcwd()) if given else list(tree.changed)
    findings = {guidance.finding(problem, _shown_path(layout, problem.path)) for problem in _problems(tree, layout, paths)}
    ordered = sorted(findings, key=lambda each: (each.path, each.line or 0, each.code, each.message))
    return BankCheck(layout.relative(layout.root), len(paths), tuple(ordered))


def _problems(tree: CommittedTree, layout: Layout, paths: Sequence[str]) -> Iterator[Problem]:
    """Yield the problems of these files, with paths relative to the bank."""
    readable = []
    for path in paths:
        problem = _unreadable(tree.files[path])
        if problem is not None:
            yield problem
        else:
            readable.append(tree.files[path])
    link_check = links.LinkCheck(tree, layout)
    for file, data in tree.contents(readable):
        if data is None:
            yield Problem("too_large", file.path, f"over the limit of {MAX_NOTE_BYTES >> 20} MiB, so it is not read")
        else:
            yield from _content(file.path, data, layout, link_check, is_merging=tree.is_merging)
    yield from _settings(tree, layout, paths)
    for found in link_check.broken_by_removal(tree.removed, paths):
        yield _in_active(found)
    for keys in texts.same_names(path for path in tree.files if path.startswith(links.NOTES)):
        if not {*keys}.isdisjoint(paths):
            names = ", ".join(key.removeprefix(links.NOTES) for key in keys)
            yield Problem(texts.SAME_NAME, next(key for key in keys if key in paths), f"on other systems these names are the same file: {names}")


def _unreadable(file: TreeFile) -> Problem | None:
    """Return why a file must not be committed, or cannot be read."""
    if is_below(file.path, LOCAL_FOLDERS):
        holds = "which contains what was said on this machine" if is_below(file.path, PRIVATE_FOLDERS) else "which every machine derives for itself"
        return Problem(guidance.LOCAL, file.path, f"a file of {file.path.partition('/')[0]}/, {holds}")
    if file.kind == UNMERGED:
        return Problem(guidance.UNMERGED, file.path, "git has both sides of a conflict, and nobody has chosen yet")
    if file.kind == LINK:
        return Problem("symlink", file.path, "symbolic links are not followed")
    if file.kind != FILE:
        return Problem(guidance.NESTED, file.path, "not a regular file")
    return None if is_utf8(file.path) else Problem("name_not_utf8", file.path, "the name is not UTF-8")


def _content(path: str, data: bytes, layout: Layout, link_check: links.LinkCheck, *, is_merging: bool) -> Iterator[Problem]:
    if path.startswith("archive/by_date/") and path.endswith(_OBJECTS):
        yield from _archived(path, data)
        return
    if b"\0" in data[:_BINARY_HEAD] and not path.endswith(_TEXTS):
        return  # a picture or another attachment
    text = data.decode("utf-16" if data.startswith(_UTF16) else "utf-8", "replace")
    yield from texts.secrets(path, text)
    for found in (texts.conflict(path, text, is_merging=is_merging), texts.hidden(path, text), texts.instruction(path, text)):
        if found is not None:
            yield found
    if path.startswith(links.NOTES) and path.endswith(_NOTE):
        note = parse(path.removeprefix(links.NOTES), data)
        yield from map(_in_active, (*note.problems, *link_check.broken(note)))
    elif path.startswith(links.NOTES) and path.lower().endswith(_NOTE):
        yield _in_active(misnamed(path.removeprefix(links.NOTES)))
    elif path == bookmarks.name(layout):
        malformed = bookmarks.parse(data, path).malformed
        if malformed is not None:
            yield Problem(malformed.code, path, malformed.message)
    elif path == f"{list_file.FOLDER}/{list_file.NAME}":
        broken = list_file.parse(data).broken
        if broken:
            yield Problem("episodes_unreadable", path, f"the list of episodes {broken}")
    elif path == resident.FILE:
        reason = resident.parse(text).reason
        if reason:
            yield Problem("summary_invalid", path, f"sessions are not shown this summary: {reason}")


def _archived(path: str, data: bytes) -> Iterator[Problem]:
    """Yield the secrets of an archived note."""
    try:
        note = frames.unpack(data, MAX_NOTE_BYTES, path) if path.endswith(".zst") else data
    except MemorybankError as error:
        yield Problem("object_damaged", path, error.message)
        return
    for found in texts.secrets(path, note.decode("utf-8", "replace")):
        yield Problem(found.code, path, f"line {found.line} of the archived note {found.message}")


def _settings(tree: CommittedTree, layout: Layout, paths: Sequence[str]) -> Iterator[Problem]:
    """Yield the problems of the settings among these files. All settings of the tree are read, because they can contradict each other."""
    prefix = os.path.relpath(layout.config, layout.root)
    names = {f"{prefix}/{settings.file_name(name)}": name for name in settings.FILES}
    wanted = {path for path in paths if path in names or path == f"{prefix}/{sources.FILE}"}
    if not wanted:
        return
    files = [file for path, file in tree.files.items() if file.kind == FILE and (path in names or path in wanted)]
    contents = {file.path: data for file, data in tree.contents(files) if data is not None}
    found = settings.problems_in(layout, {names[path]: data for path, data in contents.items() if path in names})
    found += [problem for path, data in contents.items() if path not in names for problem in sources.problems_in(data, layout)]
    for problem in found:
        path = f"{prefix}/{os.path.basename(problem.path)}"
        if path in wanted:
            yield Problem(problem.code, path, problem.message, problem.line)


def _in_active(problem: Problem) -> Problem:
    return Problem(problem.code, links.NOTES + problem.path, problem.message, problem.line)


def _shown_path(layout: Layout, path: str) -> str:
    return layout.relative(os.path.join(layout.root, shown(path)))
