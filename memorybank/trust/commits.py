"""Read-only queries to git about commits: which ones arrived, which ones were made here, and what they changed."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterator, Sequence

from memorybank import git
from memorybank.storage import beneath
from memorybank.storage.layout import GitFolders, git_folders
from memorybank.values import NamedTuple

_MOST_LOG_BYTES = 1 << 20
_MOST_FETCHED = 200
_RAW = ("-z", "--format=%x01%H", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff")
_EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
"""Git's blob id of an empty file, which says nothing about where it came from."""
_COMMITS = (b"commit:", b"commit (initial):", b"commit (amend):", b"commit (merge):", b"revert:")
"""How HEAD's log describes a commit that was made here. A merge without conflicts says "Merge made by" in its own entry."""


_COPIES = re.compile(rb"(?:rebase|pull)[^:]*\((?:pick|continue|reword|edit|squash|fixup)\): |cherry-pick: |commit \(cherry-pick\): ")
"""How it describes a commit that was copied here."""


def arrived(repository: str, folder: str, commit: str, known: Sequence[str]) -> dict[str, set[str]] | None:
    """Return {commit id: paths relative to `folder` that it changed in it} of the commits that lead to `commit` and not to a known one.

    Of a merge, only what differs from all its parents counts. None when git fails or is too slow.

    folder: absolute.
    known: commit ids; those that the repository does not contain are ignored.
    """
    inside, prefix = git.folder_in(repository, folder)
    limits = ["--ignore-missing", commit, "--not", *known, "--"]
    log = git.run(repository, "log", "-c", *_RAW, *limits, inside)
    if log is None:
        return None
    found: dict[str, set[str]] = {}
    for commit, path, _ in _changes(log):
        paths = found.setdefault(commit, set())
        if path:
            paths.add(path.removeprefix(prefix))
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
    """Return {path relative to `folder`: blob id} of the files that a commit contains in it, or None when git fails or is too slow."""
    inside, prefix = git.folder_in(repository, folder)
    tree = git.run(repository, "ls-tree", "-r", "-z", "--full-tree", commit, "--", inside)
    if tree is None:
        return None
    return {path.decode("utf-8", "surrogateescape").removeprefix(prefix): blob for path, blob in git.blobs_of_tree(tree)}


def committed_by_others(repository: str, folder: str, known: Sequence[str], local: LocalCommits, own: Container[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return (path relative to `folder`, blob id) of every file in it that commits of others added or changed, the latest first.

    Only commits that lead to no known commit count: those that arrived and wait, of other branches and of the latest fetch. Nothing when git fails or is
    too slow.

    own: what commits that were made here wrote, which also counts as own in the copies of such commits
    """
    inside, prefix = git.folder_in(repository, folder)
    # `refs/stash` is made by `git stash` on this machine alone; a stash of somebody else is among the fetched commits.
    options = (*_RAW, "-m", "--ignore-missing", "--exclude=refs/stash", "--all")
    log = git.run(repository, "log", *options, "HEAD", *_fetched(repository), "--not", *known, "--", inside)
    made = frozenset(local.made)
    found: dict[tuple[str, str], None] = {}
    for commit, path, blob in _changes(log or b""):
        file = (path.removeprefix(prefix), blob)
        if path and blob.strip("0") and blob != _EMPTY and commit not in made and not (commit in local.copied and file in own):
            found[file] = None
    return list(found)


def accepted_here(repository: str, here: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return those of the commits that were made here that lead to a known commit; none when git fails or is too slow."""
    new = git.run(repository, "rev-list", "--ignore-missing", *here, "--not", *known, "--") if here and known else None
    return [] if new is None else [commit for commit in here if commit not in set(new.decode("ascii", "replace").split())]


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


def uncommitted(repository: str, folder: str, names: Sequence[str]) -> list[str]:
    """Return the paths, relative to `folder`, of the files in the working tree that differ from HEAD or that git does not track.

    names: of files and folders in `folder`; only what is in them counts.
    """
    _, prefix = git.folder_in(repository, folder)
    places = [prefix + name for name in names]
    changed = git.run(repository, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--diff-filter=AMT", "HEAD", "--", *places)
    untracked = git.run(repository, "ls-files", "-z", "--others", "--", *places)
    return sorted({*git.names(changed or b"", prefix), *git.names(untracked or b"", prefix)})


def changes(repository: str, path: str, before: str) -> list[str]:
    """Return how a file in the working tree differs from a blob, as the lines of a unified diff without its header; none when git cannot say.

    path: absolute.
    before: blob id.
    """
    diff = git.run(repository, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "-U1", before, "--", os.path.relpath(path, repository))
    body = (diff or b"").decode("utf-8", "replace").split("\n@@", 1)
    return f"@@{body[1]}".splitlines() if len(body) == 2 else []


def written(repository: str, folder: str, commits: Sequence[str]) -> set[tuple[str, str]]:
    """Return (path relative to `folder`, blob id) of every file in it that one of these commits itself added or changed."""
    inside, prefix = git.folder_in(repository, folder)
    log = git.run(repository, "log", *_RAW, "--no-walk=unsorted", "--ignore-missing", "--root", *commits, "--", inside) if commits else None
    return {(path.removeprefix(prefix), blob) for _, path, blob in _changes(log or b"") if path}


class LocalCommits(NamedTuple):
    """Commits that were created in a worktree of this repository, as far back as the logs of HEAD go; those of this worktree at the end.

    The logs are local: they come neither with a clone nor with a pull.

    made: ids of those with a person's own work
    copied: ids of those that a rebase or cherry-pick copied, from commits of anybody
    """

    made: tuple[str, ...]
    copied: frozenset[str]


def local_commits(repository: str) -> LocalCommits:
    """Return the commits that were created here."""
    folders = git_folders(repository)
    made, copied = [], set()
    for line in (line for log in _head_logs(folders) for line in _last_lines(log)) if folders is not None else ():
        identity, _, action = line.partition(b"\t")
        ids = identity.split(b" ", 2)
        if len(ids) == 3 and (action.startswith(_COMMITS) or b": Merge made by" in action):
            made.append(ids[1].decode("ascii", "replace"))
        elif len(ids) == 3 and _COPIES.match(action):
            copied.add(ids[1].decode("ascii", "replace"))
    return LocalCommits(tuple(made), frozenset(copied))


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
