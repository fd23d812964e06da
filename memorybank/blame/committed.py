"""Asks git which commit wrote each line of a note, and carries the answer over to a text that may have changed since.

Only commits are read, never the working tree: for its files git could run filters that the repository's configuration names.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from memorybank import git
from memorybank.errors import MemorybankError

SECONDS = 30.0
_ID = 40
_MOST_COMPARED = 4_000_000
"""Product of the numbers of lines up to which two texts are compared line by line; beyond it frequent lines are left out."""


class BlamedCommit(NamedTuple):
    """A commit that wrote lines of a note.

    at: author date (ms)
    summary: first line of its message
    path: path of the note in it, relative to the repository
    is_boundary: whether a shallow clone ends here, so that the lines may be older and their author is not known
    """

    commit: str
    author: str
    at: int
    summary: str
    path: str
    is_boundary: bool


class CommittedText(NamedTuple):
    """The lines of a note in a commit, each with the commit that wrote it.

    instants: author dates (ms) of all commits that changed the note, also those whose lines are no longer there
    """

    lines: tuple[str, ...]
    commits: tuple[BlamedCommit, ...]
    instants: tuple[int, ...]

    @property
    def paths(self) -> frozenset[str]:
        """The paths that the note had in these commits, relative to the repository."""
        return frozenset(commit.path for commit in self.commits)


NOTHING = CommittedText((), (), ())


def last_commit(repository: str, path: str) -> str:
    """Return the id of the latest commit of HEAD's history that added or changed a path; "" without one."""
    found = git.run(repository, "log", "--max-count=1", "--format=%H", "--no-renames", "--diff-filter=AM", "HEAD", "--", path, seconds=SECONDS)
    return (found or b"").decode("ascii", "replace").strip()


def blame(repository: str, path: str) -> CommittedText:
    """Return the latest committed text of a note, with the commit of each line; `NOTHING` for a path that was never committed.

    path: relative to the repository. Renames are followed. Commits that `blame.ignoreRevsFile` names, and changes of white space such as other line ends, are
        passed over.
    """
    commit = last_commit(repository, path) if git.head(repository) is not None else ""
    if not commit:
        return NOTHING
    answer = git.run(repository, "blame", "--porcelain", "-w", "--no-textconv", commit, "--", path, seconds=SECONDS)
    if answer is None:
        raise MemorybankError("git could not say who wrote this note", next_step=f"run 'git blame {path}' to see why")
    log = git.run(repository, "log", "--follow", "--format=%at", commit, "--", path, seconds=SECONDS)
    found = (git.milliseconds(seconds) for seconds in (log or b"").decode("ascii", "replace").split())
    return _read(answer, tuple(at for at in found if at is not None), git.shallow_commits(repository))


def _read(answer: bytes, instants: tuple[int, ...], shallow: frozenset[str]) -> CommittedText:
    """Read `git blame --porcelain`: a commit's fields are given once, and every line of the note begins with a tab.

    shallow: commits whose parents a shallow clone leaves out
    """
    fields: dict[str, dict[str, str]] = {}
    lines, ids = [], []
    commit = ""
    for raw in answer.split(b"\n"):
        if raw.startswith(b"\t"):
            lines.append(raw[1:].decode("utf-8", "replace").removesuffix("\r"))
            ids.append(commit)
            continue
        name, _, value = raw.decode("utf-8", "replace").partition(" ")
        if len(name) >= _ID and set(name) <= set("0123456789abcdef"):
            commit = name
            fields.setdefault(commit, {})
        elif name:
            fields[commit][name] = value
    if lines:
        lines[0] = lines[0].removeprefix("\ufeff")
    known = {name: _commit(name, value, is_boundary=name in shallow) for name, value in fields.items()}
    return CommittedText(tuple(lines), tuple(known[name] for name in ids), instants)


def _commit(name: str, fields: dict[str, str], *, is_boundary: bool) -> BlamedCommit:
    at = git.milliseconds(fields.get("author-time", "")) or 0
    author = "" if is_boundary else fields.get("author", "")  # git names whoever made this commit, not who wrote the line before it
    return BlamedCommit(name, author, at, fields.get("summary", ""), fields.get("filename", ""), is_boundary)


def carried(committed: CommittedText, lines: Sequence[str]) -> list[BlamedCommit | None]:
    """Return the commit of each line of a text; None for a line that the committed text does not have at this place."""
    found: list[BlamedCommit | None] = [None] * len(lines)
    is_long = len(lines) * len(committed.lines) > _MOST_COMPARED
    for begin, at, size in SequenceMatcher(None, committed.lines, lines, autojunk=is_long).get_matching_blocks():
        found[at : at + size] = committed.commits[begin : begin + size]
    return found
