"""Which files of a folder commits removed, according to git's history. Renames are told apart from deletions."""

from __future__ import annotations

import os

from memorybank import git
from memorybank.values import Value


class Removal(Value, frozen=False):
    """A commit that removed a path, and its date (ms). is_move: whether the same commit added the file under another path"""

    commit: str
    at: int
    is_move: bool = False


class Removals(Value):
    """The removed and known paths of a folder, according to git.

    removed: {path: the last commit that removed it}, for paths that HEAD no longer contains
    known: paths in the index, or in the history of any branch or stash
    """

    removed: dict[str, Removal]
    known: frozenset[str]


def removals(repository: str, folder: str) -> Removals | None:
    """Return the removals in the history of `folder`, or None when git fails or is too slow.

    folder: absolute. The paths in the result are relative to `repository`.
    """
    inside = os.path.relpath(folder, repository).replace(os.sep, "/")
    listed = git.run(repository, "ls-files", "-z", "--", inside)
    every = git.run(repository, "log", "--all", "--full-history", "-z", "--format=", "--name-only", "--no-renames", "--", inside)
    if listed is None or every is None:
        return None
    known = frozenset(name.decode("utf-8", "surrogateescape").lstrip("\n") for name in (*listed.split(b"\0"), *every.split(b"\0")) if name)
    if git.head(repository) is None:
        return Removals({}, known)
    log = git.run(repository, "log", "-z", "--format=%x01%H %ct", "--name-status", "--no-renames", "--diff-filter=AD", "HEAD", "--", inside)
    if log is None:
        return None
    removed = _removed(log)
    for commit in {removal.commit for removal in removed.values()}:
        moves = git.run(repository, "show", "-z", "-M", "--format=", "--name-status", "--diff-filter=R", commit)
        if moves is None:
            return None
        sources = {name.decode("utf-8", "surrogateescape") for name in moves.split(b"\0")[1::3]}
        for path, removal in removed.items():
            # The log above runs with --no-renames, so it lists a rename as a deletion; `show -M` tells the two apart.
            removal.is_move |= removal.commit == commit and path in sources
    return Removals(removed, known)


def _removed(log: bytes) -> dict[str, Removal]:
    """Return the paths whose newest entry is a removal, from `log -z --name-status`: commit, (status, path)*, newest first."""
    newest: dict[str, Removal | None] = {}
    commit, at = "", 0
    fields = iter(log.split(b"\0"))
    for entry in fields:
        entry = entry.lstrip(b"\n")
        if entry.startswith(b"\x01"):
            commit, _, seconds = entry[1:].partition(b"\n")[0].decode("ascii", "replace").partition(" ")
            at = git.milliseconds(seconds) or 0
            entry = entry.partition(b"\n")[2]
        if entry in (b"A", b"D"):
            path = next(fields, b"").decode("utf-8", "surrogateescape")
            # The log is newest first, so the first entry of a path decides.
            newest.setdefault(path, Removal(commit, at) if entry == b"D" else None)
    return {path: removal for path, removal in newest.items() if removal is not None}
