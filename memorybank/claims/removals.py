"""What git's history removed: definitions, files that were deleted or renamed, and branches that were merged.

Definitions come from `git log -p`, read while git writes it; files and branches from one pass of `git log`, continued from a known commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memorybank import git
from memorybank.claims.claim import BRANCH, PATH, SYMBOL, Vanished
from memorybank.claims.definitions import is_code, is_own, name_with_body, names_defined
from memorybank.errors import LockTimeout
from memorybank.text.pattern import lazy_pattern
from memorybank.values import NamedTuple

_RENAMES = ("-c", "diff.renameLimit=2000", "-c", "diff.renames=true")
_MERGED = lazy_pattern(r"Merge (?:remote-tracking )?branch(?:es)? '(?:origin/)?([^'\s]{1,200})'|Merge pull request #\d+ from [^/\s]+/(\S{1,200})")
_FORMAT = "--format=%x01%H %ct %s"
_NAMES = ("-z", "--name-status", "--diff-filter=DR")

_DIFF = ("-p", "-U0", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/")
_CONFIGURED = ("-c", "core.quotePath=false", "-c", "diff.renameLimit=500", "-c", "diff.renames=true")
_HUNK = lazy_pattern(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_LONGEST_LINE = 400
"""Maximum number of characters of a line that are searched. Longer ones are data or compressed code."""
_LARGEST_RENAME = 20
"""Maximum number of lines of a changed passage that is compared for a renamed definition."""
MOST = 200_000
"""Maximum number of removals that are read."""


class HistoryPart(NamedTuple):
    """What a range of commits removed.

    vanished: newest first.
    touched: paths that the range added, changed or removed; None for the entire history.
    """

    vanished: list[Vanished]
    touched: list[str] | None


class Change(NamedTuple):
    """One passage of a diff. before, after: path of the file; removed, added: its lines."""

    before: str
    after: str
    removed: list[str]
    added: list[str]


def read(repository: str, commits: str, since: int, seconds: float) -> list[Vanished]:
    """Return the definitions that each commit of a range removed and defined nowhere else.

    `path` of a removal is `src/a.py::parse_plan`. Its target has the same form: another file into which the same commit moved the only definition, or
    the new name of a function or class whose lines are otherwise the same; "" when the definition was deleted.

    since: instant (ms) from which commits are read
    Raises `LockTimeout`; at `MOST` removals, too.
    """
    found: list[Vanished] = []
    arguments = (*_CONFIGURED, "log", *_DIFF, "--format=%x01%H %ct", f"--since=@{max(since // 1000, git.FIRST_SECOND)}", commits, "--")
    with git.GitOutput(repository, *arguments, seconds=seconds) as output:
        commit, at, changes = "", 0, list[Change]()
        for line, change in _passages(output):
            if change is not None:
                changes.append(change)
                continue
            found += _removed(commit, at, changes)
            changes.clear()
            commit, _, date = line[1:].partition(" ")
            at = git.milliseconds(date.strip()) or 0
            if len(found) > MOST:
                output.give_up()
        found += _removed(commit, at, changes)
    return found


def changes_between(repository: str, before: str, after: str, seconds: float) -> Iterator[Change]:
    """Yield the passages in which two commits differ. Raises `LockTimeout`."""
    with git.GitOutput(repository, *_CONFIGURED, "diff", *_DIFF, before, after, "--", seconds=seconds) as output:
        for _, change in _passages(output):
            if change is not None:
                yield change


def _passages(output: Iterable[bytes]) -> Iterator[tuple[str, Change | None]]:
    """Yield each passage of code, and each line that begins a commit."""
    before = after = ""
    lines = iter(output)
    for raw in lines:
        if raw.startswith(b"@@ "):
            head = _HUNK.match(raw.decode("utf-8", "replace"))
            if head is None:
                continue
            change = Change(before or after, after or before, [], [])
            for _ in range(int(head[1] or 1)):
                change.removed.append(_text(next(lines, b"")))
            for _ in range(int(head[2] or 1)):
                text = next(lines, b"")
                if text.startswith(b"\\"):  # the file before ends without a line break
                    text = next(lines, b"")
                change.added.append(_text(text))
            if is_code(change.before) or is_code(change.after):
                yield "", change
        elif raw.startswith(b"\x01"):
            yield raw.decode("ascii", "replace"), None
        elif raw.startswith(b"--- "):
            before = _path(raw, b"a/")
        elif raw.startswith(b"+++ "):
            after = _path(raw, b"b/")


def _text(line: bytes) -> str:
    return line[1:_LONGEST_LINE].decode("utf-8", "replace").rstrip("\r\n") if len(line) <= _LONGEST_LINE else ""


def _path(line: bytes, prefix: bytes) -> str:
    name = line[4:].rstrip(b"\n").rstrip(b"\t").strip(b'"')
    return name.removeprefix(prefix).decode("utf-8", "replace") if name.startswith(prefix) else ""


def _removed(commit: str, at: int, changes: list[Change]) -> Iterator[Vanished]:
    left: dict[str, set[str]] = {}
    came: dict[str, set[str]] = {}
    renamed: dict[str, set[str]] = {}
    where: dict[str, str] = {}
    for change in changes:
        where[change.before] = change.after
        for line in change.added:
            for name in names_defined(line, change.after):
                came.setdefault(name, set()).add(change.after)
        if not is_own(change.before):
            continue
        for line in change.removed:
            for name in names_defined(line, change.before):
                left.setdefault(name, set()).add(change.before)
        for old, new in _renames(change):
            renamed.setdefault(old, set()).add(new)
    for name, paths in left.items():
        elsewhere = came.get(name, set())
        names = renamed.get(name, set())
        for path in paths:
            if where[path] in elsewhere or len(elsewhere) > 1 or (elsewhere and len(paths) > 1):
                continue
            target = f"{next(iter(elsewhere))}::{name}" if elsewhere else f"{where[path]}::{next(iter(names))}" if len(names) == 1 else ""
            yield Vanished(SYMBOL, f"{path}::{name}", target, commit, at)


def _renames(change: Change) -> Iterator[tuple[str, str]]:
    """Yield (old name, new name) of the definitions for which replacing one name gives the new passage."""
    if len(change.removed) != len(change.added) or len(change.removed) > _LARGEST_RENAME:
        return
    for before, after in zip(change.removed, change.added, strict=True):
        old, new = name_with_body(before), name_with_body(after)
        if old and new and old != new and all(_replaced(one, old, new) == other for one, other in zip(change.removed, change.added, strict=True)):
            yield old, new


def _replaced(line: str, old: str, new: str) -> str:
    """Return a line with one name in place of another."""
    parts = line.split(old)
    found = parts[0]
    for part in parts[1:]:
        inside = (found[-1:].isalnum() or found[-1:] in ("_", "$") if found else False) or part[:1].isalnum() or part[:1] in ("_", "$")
        found += (old if inside else new) + part
    return found


def removed_paths(repository: str, head: str, known: str | None, seconds: float) -> HistoryPart:
    """Return what the history up to `head` removed, only since the commit `known` if that is an ancestor.

    Raises `LockTimeout` when git needs longer than `seconds` for one of its answers.
    """
    if known is not None and git.run(repository, "merge-base", "--is-ancestor", known, head, seconds=seconds) is not None:
        changed = git.run(repository, "diff", "--no-ext-diff", "--no-renames", "--name-only", "-z", known, head, "--", seconds=seconds)
        if changed is not None:
            return HistoryPart(_vanished(repository, f"{known}..{head}", seconds), [_path_text(name) for name in changed.split(b"\0") if name])
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
    """Yield the removals of `log -z --name-status`, newest first. Each is (status, path) or (status, path, new path)."""
    entries = log_entries(log)

    def path() -> str:
        return _path_text(next(entries, ("", 0, b""))[2])

    for commit, at, status in entries:
        if status == b"D":
            yield Vanished(PATH, path(), "", commit, at)
        elif status.startswith(b"R"):
            yield Vanished(PATH, path(), path(), commit, at)


def log_entries(log: bytes) -> Iterator[tuple[str, int, bytes]]:
    """Yield (commit, its date in ms, entry) of each name or status that `log -z` lists below a line of `_FORMAT`."""
    commit, at = "", 0
    for entry in log.split(b"\0"):
        entry = entry.lstrip(b"\n")
        if entry.startswith(b"\x01"):
            head, _, entry = entry.partition(b"\n")
            commit, at, _ = _commit(head)
            entry = entry.lstrip(b"\n")
        yield commit, at, entry


def _commit(head: bytes) -> tuple[str, int, str]:
    """Return (commit, date in ms, subject) of a line of `_FORMAT`."""
    commit, _, rest = _path_text(head.lstrip(b"\n\x01")).partition(" ")
    seconds, _, subject = rest.partition(" ")
    return commit, git.milliseconds(seconds) or 0, subject


def _path_text(name: bytes) -> str:
    return name.decode("utf-8", "replace")  # SQLite stores no lone surrogates, and no note can name such a file


def references(repository: str, seconds: float) -> frozenset[str]:
    """Return the names of the branches, local and remote ones without the name of the remote, and of the tags. Raises `LockTimeout`."""
    listed = git.run(repository, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes", "refs/tags", seconds=seconds) or b""
    names = set()
    for line in _path_text(listed).splitlines():
        _, kind, name = line.split("/", 2)
        names.add(name.partition("/")[2] if kind == "remotes" else name)
    return frozenset(names)


def commits(repository: str, prefixes: list[str], seconds: float) -> frozenset[str]:
    """Return those of these abbreviated ids that mean one commit in this repository. Raises `LockTimeout`."""
    asked = "".join(f"{prefix}^{{commit}}\n" for prefix in prefixes).encode()
    answer = git.run(repository, "cat-file", "--batch-check=%(objecttype)", seconds=seconds, data=asked) if prefixes else b""
    lines = (answer or b"").split(b"\n")
    return frozenset(prefix for prefix, line in zip(prefixes, lines, strict=False) if line == b"commit")
