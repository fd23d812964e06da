"""Read-only queries to git about commits: which ones arrived, which ones were made here, and what they changed."""

from __future__ import annotations

import os
from collections.abc import Sequence

from memorybank import git
from memorybank.storage import beneath
from memorybank.storage.layout import git_folders

_MOST_LOG_BYTES = 1 << 20
_COMMITS = (b"commit:", b"commit (initial):", b"commit (amend):", b"commit (merge):")
"""How HEAD's log describes a commit that was made here. A merge without conflicts says "Merge made by" in its own entry."""


def arrived(repository: str, folder: str, commit: str, known: Sequence[str]) -> dict[str, set[str]] | None:
    """Return {commit id: POSIX paths relative to `repository` below `folder` that it changed} of the commits that lead to `commit` and not to a known one.

    Of a merge, only what differs from all its parents counts. None when git fails or is too slow.

    folder: absolute.
    known: commit ids; those that the repository does not contain are ignored.
    """
    inside = os.path.relpath(folder, repository).replace(os.sep, "/")
    limits = ["--ignore-missing", commit, "--not", *known, "--"]
    log = git.run(repository, "log", "-c", "-z", "--format=%x01%H", "--name-only", "--no-renames", "--no-ext-diff", *limits, inside)
    if log is None:
        return None
    found: dict[str, set[str]] = {}
    paths: set[str] = set()
    for entry in log.split(b"\0"):
        for part in entry.split(b"\n") if entry.startswith((b"\x01", b"\n")) else (entry,):
            if part.startswith(b"\x01"):
                paths = found.setdefault(part[1:].decode("ascii", "replace"), set())
            elif part:
                paths.add(part.decode("utf-8", "surrogateescape"))
    return found


def blobs(repository: str, folder: str, commit: str) -> dict[str, str] | None:
    """Return {POSIX path relative to `folder`: blob id} of the files that a commit contains below `folder`, or None when git fails or is too slow."""
    inside = os.path.relpath(folder, repository).replace(os.sep, "/")
    tree = git.run(repository, "ls-tree", "-r", "-z", "--full-tree", commit, "--", inside)
    if tree is None:
        return None
    prefix = "" if inside == "." else inside + "/"
    return {path.decode("utf-8", "surrogateescape").removeprefix(prefix): blob for path, blob in git.blobs_of_tree(tree)}


def changes(repository: str, path: str, before: str, lines: int) -> str:
    """Return how a file in the working tree differs from a blob, as a unified diff without its header; "" when git cannot say.

    path: absolute.
    before: blob id.
    lines: at most this many lines.
    """
    diff = git.run(repository, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "-U1", before, "--", os.path.relpath(path, repository))
    body = (diff or b"").decode("utf-8", "replace").split("\n@@", 1)
    return "\n".join(f"@@{body[1]}".splitlines()[:lines]) if len(body) == 2 else ""


def written(repository: str, folder: str, commits: Sequence[str]) -> set[tuple[str, str]]:
    """Return (POSIX path relative to `folder`, blob id) of every file below `folder` that one of these commits itself added or changed."""
    inside = os.path.relpath(folder, repository).replace(os.sep, "/")
    options = ("--no-walk=unsorted", "--ignore-missing", "-z", "--format=", "--raw", "--no-abbrev", "--no-renames", "--root")
    log = git.run(repository, "log", *options, *commits, "--", inside) if commits else None
    prefix = "" if inside == "." else inside + "/"
    found = set()
    fields = iter((log or b"").split(b"\0"))
    for entry in fields:
        description = entry.lstrip(b"\n").split()
        if len(description) == 5 and description[0].startswith(b":"):
            found.add((next(fields, b"").decode("utf-8", "surrogateescape").removeprefix(prefix), description[3].decode("ascii")))
    return found


def made_here(repository: str) -> list[str]:
    """Return the ids of the commits that were made in this worktree, the oldest first, as far back as HEAD's log goes.

    The log is local: it comes neither with a clone nor with a pull. Commits of others that a rebase or cherry-pick copied are not among them.
    """
    folders = git_folders(repository)
    if folders is None:
        return []
    try:
        with beneath.stream(os.path.join(folders.own, "logs", "HEAD")) as stream:
            stream.seek(0, os.SEEK_END)
            stream.seek(max(0, stream.tell() - _MOST_LOG_BYTES))
            lines = stream.read().split(b"\n")
    except OSError:
        return []
    found = []
    for line in lines:
        identity, _, action = line.partition(b"\t")
        ids = identity.split(b" ", 2)
        if len(ids) == 3 and (action.startswith(_COMMITS) or b": Merge made by" in action):
            found.append(ids[1].decode("ascii", "replace"))
    return found
