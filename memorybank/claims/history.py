"""What git's history removed: files that were deleted or renamed, and branches that were merged. One pass of `git log`, continued from a known commit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from memorybank import git
from memorybank.claims.claim import BRANCH, PATH
from memorybank.claims.vanished import Vanished
from memorybank.errors import LockTimeout
from memorybank.text.pattern import lazy_pattern

_RENAMES = ("-c", "diff.renameLimit=2000", "-c", "diff.renames=true")
_MERGED = lazy_pattern(r"Merge (?:remote-tracking )?branch(?:es)? '(?:origin/)?([^'\s]{1,200})'|Merge pull request #\d+ from [^/\s]+/(\S{1,200})")
_FORMAT = "--format=%x01%H %ct %s"
_NAMES = ("-z", "--name-status", "--diff-filter=DR")


class HistoryPart(NamedTuple):
    """What a range of commits removed.

    vanished: newest first.
    touched: paths that the range added, changed or removed; None for the entire history.
    """

    vanished: list[Vanished]
    touched: list[str] | None


def read(repository: str, head: str, known: str | None, seconds: float) -> HistoryPart:
    """Return what the history up to `head` removed, only since the commit `known` if that is an ancestor.

    Raises `LockTimeout` when git needs longer than `seconds` for one of its answers.
    """
    if known is not None and git.run(repository, "merge-base", "--is-ancestor", known, head, seconds=seconds) is not None:
        changed = git.run(repository, "diff", "--no-ext-diff", "--no-renames", "--name-only", "-z", known, head, "--", seconds=seconds)
        if changed is not None:
            return HistoryPart(_vanished(repository, f"{known}..{head}", seconds), [_text(name) for name in changed.split(b"\0") if name])
    return HistoryPart(_vanished(repository, head, seconds), None)


def _vanished(repository: str, commits: str, seconds: float) -> list[Vanished]:
    """Return the removals of a range. Where contents are missing, as in a partial clone, only files that were moved unchanged count as renamed."""
    merges = git.run(repository, "log", "-z", "--merges", _FORMAT, commits, "--", seconds=seconds)
    for likeness in ("-M", "-M100%"):
        log = git.run(repository, *_RENAMES, "log", "--no-ext-diff", "--no-textconv", _FORMAT, likeness, *_NAMES, commits, "--", seconds=seconds)
        if log is not None:
            return [*_branches(merges or b""), *_paths(log)]
    raise LockTimeout("git cannot list the history of this repository")


def _branches(log: bytes) -> Iterator[Vanished]:
    """Yield the branches of merges, newest first."""
    for entry in log.split(b"\0"):
        commit, at, subject = _commit(entry)
        merged = _MERGED.match(subject)
        if merged is not None:
            yield Vanished(BRANCH, merged[1] or merged[2], "", commit, at)


def _paths(log: bytes) -> Iterator[Vanished]:
    """Yield the entries of `log -z --name-status`: commit, (status, path)* or (status, path, new path)*, newest first."""
    commit, at = "", 0
    fields = iter(log.split(b"\0"))
    for entry in fields:
        entry = entry.lstrip(b"\n")
        if entry.startswith(b"\x01"):
            head, _, entry = entry.partition(b"\n")
            commit, at, _ = _commit(head)
            entry = entry.lstrip(b"\n")
        if entry == b"D":
            yield Vanished(PATH, _text(next(fields, b"")), "", commit, at)
        elif entry.startswith(b"R"):
            source, target = _text(next(fields, b"")), _text(next(fields, b""))
            yield Vanished(PATH, source, target, commit, at)


def _commit(head: bytes) -> tuple[str, int, str]:
    """Return (commit, date in ms, subject) of a line of `_FORMAT`."""
    commit, _, rest = _text(head.lstrip(b"\n\x01")).partition(" ")
    seconds, _, subject = rest.partition(" ")
    return commit, git.milliseconds(seconds) or 0, subject


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")  # SQLite stores no lone surrogates, and no note can name such a file


def references(repository: str, seconds: float) -> frozenset[str]:
    """Return the names of the branches, local and remote ones without the name of the remote, and of the tags. Raises `LockTimeout`."""
    listed = git.run(repository, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes", "refs/tags", seconds=seconds) or b""
    names = set()
    for line in _text(listed).splitlines():
        _, kind, name = line.split("/", 2)
        names.add(name.partition("/")[2] if kind == "remotes" else name)
    return frozenset(names)


def commits(repository: str, prefixes: list[str], seconds: float) -> frozenset[str]:
    """Return those of these abbreviated ids that mean one commit in this repository. Raises `LockTimeout`."""
    asked = "".join(f"{prefix}^{{commit}}\n" for prefix in prefixes).encode()
    answer = git.run(repository, "cat-file", "--batch-check=%(objecttype)", seconds=seconds, data=asked) if prefixes else b""
    lines = (answer or b"").split(b"\n")
    return frozenset(prefix for prefix, line in zip(prefixes, lines, strict=False) if line == b"commit")
