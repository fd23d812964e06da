"""Read-only queries to git about commits: which ones arrived, which ones were made here, and what they changed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from memorybank import git
from memorybank.storage import beneath
from memorybank.storage.layout import GitFolders, git_folders

_MOST_LOG_BYTES = 1 << 20
_MOST_FETCHED = 200
_RAW = ("-z", "--format=%x01%H", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff")
_EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
"""Git's blob id of an empty file, which says nothing about where it came from."""
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
    log = git.run(repository, "log", "-c", *_RAW, *limits, inside)
    if log is None:
        return None
    found: dict[str, set[str]] = {}
    for commit, path, _ in _changes(log):
        paths = found.setdefault(commit, set())
        if path:
            paths.add(path)
    return found


def _changes(log: bytes) -> Iterator[tuple[str, str, str]]:
    """Yield (commit, path, blob id after it) of every change in the output of `git log` with `_RAW`, and (commit, "", "") for each commit.

    The output is read field by field: a path may contain line breaks, and must not pass for a commit or a change.
    """
    commit = ""
    fields = iter(log.split(b"\0"))
    for entry in fields:
        entry = entry.lstrip(b"\n")
        if entry.startswith(b"\x01"):
            header, _, entry = entry[1:].partition(b"\n")
            commit = header.decode("ascii", "replace")
            yield commit, "", ""
        if entry.startswith(b":"):
            yield commit, next(fields, b"").decode("utf-8", "surrogateescape"), entry.split()[-2].decode("ascii", "replace")


def blobs(repository: str, folder: str, commit: str) -> dict[str, str] | None:
    """Return {POSIX path relative to `folder`: blob id} of the files that a commit contains below `folder`, or None when git fails or is too slow."""
    inside = os.path.relpath(folder, repository).replace(os.sep, "/")
    tree = git.run(repository, "ls-tree", "-r", "-z", "--full-tree", commit, "--", inside)
    if tree is None:
        return None
    prefix = "" if inside == "." else inside + "/"
    return {path.decode("utf-8", "surrogateescape").removeprefix(prefix): blob for path, blob in git.blobs_of_tree(tree)}


def committed_by_others(repository: str, folder: str, known: Sequence[str], here: AbstractSet[str]) -> list[str]:
    """Return the blob ids of the files below `folder` that commits of others added or changed, the latest first; none when git fails or is too slow.

    Only commits that lead to no known commit count: those that arrived and wait, of other branches and of the latest fetch.

    here: ids of commits that were made here.
    """
    inside = os.path.relpath(folder, repository).replace(os.sep, "/")
    # `refs/stash` is made by `git stash` on this machine alone; a stash of somebody else is among the fetched commits.
    options = (*_RAW, "-m", "--ignore-missing", "--exclude=refs/stash", "--all")
    log = git.run(repository, "log", *options, "HEAD", *_fetched(repository), "--not", *known, "--", inside)
    blobs = (blob for commit, path, blob in _changes(log or b"") if path and commit not in here)
    return list(dict.fromkeys(blob for blob in blobs if blob.strip("0") and blob != _EMPTY))


def _fetched(repository: str) -> list[str]:
    """Return the commit ids of the latest fetch, which no reference needs to contain."""
    folders = git_folders(repository)
    if folders is None:
        return []
    found = []
    for folder in dict.fromkeys((folders.own, folders.common)):
        try:
            with beneath.stream(os.path.join(folder, "FETCH_HEAD")) as stream:
                lines = stream.read(_MOST_LOG_BYTES).splitlines()
        except OSError:
            continue
        found += [line.split(b"\t", 1)[0].decode("ascii", "replace") for line in lines[:_MOST_FETCHED]]
    return [commit for commit in found if len(commit) in (40, 64) and commit.isalnum()]


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
    log = git.run(repository, "log", *_RAW, "--no-walk=unsorted", "--ignore-missing", "--root", *commits, "--", inside) if commits else None
    prefix = "" if inside == "." else inside + "/"
    return {(path.removeprefix(prefix), blob) for _, path, blob in _changes(log or b"") if path}


def made_here(repository: str, until: str = "") -> list[str]:
    """Return the ids of the commits that were made in a worktree of this repository, as far back as the logs of HEAD go; those of this one at the end.

    The logs are local: they come neither with a clone nor with a pull. Commits of others that a rebase or cherry-pick copied are not among them.

    until: a commit that HEAD named. Without the commits that were made in this worktree later.
    """
    folders = git_folders(repository)
    if folders is None:
        return []
    *others, own = (_last_lines(log) for log in _head_logs(folders))
    if until:
        last = max((number for number, line in enumerate(own) if line.split(b" ", 2)[1:2] == [until.encode()]), default=len(own))
        own = own[: last + 1]
    found = []
    for line in [*(line for log in others for line in log), *own]:
        identity, _, action = line.partition(b"\t")
        ids = identity.split(b" ", 2)
        if len(ids) == 3 and (action.startswith(_COMMITS) or b": Merge made by" in action):
            found.append(ids[1].decode("ascii", "replace"))
    return found


def _head_logs(folders: GitFolders) -> list[str]:
    """Return the paths of the logs of HEAD of all worktrees, this one's at the end."""
    try:
        names = sorted(os.listdir(os.path.join(folders.common, "worktrees")))
    except OSError:
        names = []
    every = [folders.common, *(os.path.join(folders.common, "worktrees", name) for name in names)]
    return [os.path.join(folder, "logs", "HEAD") for folder in [*(each for each in every if each != folders.own), folders.own]]


def _last_lines(path: str) -> list[bytes]:
    try:
        with beneath.stream(path) as stream:
            stream.seek(0, os.SEEK_END)
            stream.seek(max(0, stream.tell() - _MOST_LOG_BYTES))
            return stream.read().split(b"\n")
    except OSError:
        return []
