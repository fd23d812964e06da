"""The dates of files according to git's history. Two git commands cover an entire folder at once."""

from __future__ import annotations

__light__ = True

from memorybank import git
from memorybank.storage import system as os
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class GitDates(Value):
    """The dates of one path according to the history.

    created, modified: author dates (ms) of the first and the last commit that changed the path, None when unknown
    commits: number of commits that changed it; 0 when a shallow clone hides them
    blob: its blob id in HEAD, None when HEAD does not contain it
    latest: when `modified` is unknown, the date (ms) of the commit at the border of the shallow clone; the path was not changed after it
    """

    created: int | None
    modified: int | None
    commits: int
    blob: str | None
    latest: int | None = None


History = dict[str, GitDates]
"""{POSIX path relative to the requested folder: its dates}"""


def history(repository: str, folder: str, seconds: float | None = None) -> History | None:
    """Return the dates of every path that HEAD contains below `folder`, or None when git fails or is too slow.

    folder: absolute, or relative to `repository`
    A path to which a commit moved a file without changing a byte has the dates of the former path.
    seconds: time limit for a caller that can try again later. Raises `LockTimeout` when git takes longer.
    """
    inside = os.path.relpath(os.path.join(repository, folder), repository).replace(os.sep, "/")
    if inside == ".." or inside.startswith("../"):
        return None
    tree = git.run(repository, "ls-tree", "-r", "-z", "--full-tree", "HEAD", "--", inside, seconds=seconds)
    if tree is None:
        return None
    blobs = dict(git.blobs_of_tree(tree))
    if not blobs:
        return {}
    options = ("-z", "--reverse", "--format=%x01%H %at %ct", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv")
    log = git.run(repository, "log", *options, "HEAD", "--", inside, seconds=seconds)
    if log is None:
        return None
    touched = _touched(log, git.shallow_commits(repository))
    prefix = "" if inside == "." else inside + "/"
    found = {}
    for path, blob in blobs.items():
        try:
            found[path.decode().removeprefix(prefix)] = _dates(touched.get(path, _PathHistory()), blob)
        except UnicodeDecodeError:
            continue  # a name that is not UTF-8 cannot be a note
    return found


class _PathHistory(Value, frozen=False):
    """The commits that changed a path.

    dates: author dates (ms)
    latest: date (ms) of the commit at the border of a shallow clone, which hides whether and when earlier ones changed the path
    """

    dates: tuple[int, ...] = ()
    latest: int | None = None


def _dates(known: _PathHistory, blob: str) -> GitDates:
    if not known.dates:
        return GitDates(None, None, 0, blob, known.latest)
    return GitDates(min(known.dates) if known.latest is None else None, max(known.dates), len(known.dates) + (known.latest is not None), blob)


def _touched(log: bytes, shallow: frozenset[str]) -> dict[bytes, _PathHistory]:
    """Return {path: its history} from `log -z --reverse --raw`: commit, (`:modes ids status`, path)*."""
    touched: dict[bytes, _PathHistory] = {}
    for commit, dates, changes in _commits(log):
        removed: dict[bytes, list[bytes]] = {}
        for old, _, status, path in changes:
            if status == b"D":
                removed.setdefault(old, []).append(path)
        moved = {path: touched[former] for _, new, status, path in changes if status == b"A" and (former := _former(removed.get(new), path)) in touched}
        for _, _, _, path in changes:
            if commit in shallow:
                touched[path] = _PathHistory((), max(dates, default=None))
            elif dates and path not in moved:
                before = touched.get(path, _PathHistory())
                touched[path] = _PathHistory((*before.dates, dates[0]), before.latest)
        touched.update(moved)
    return touched


def _former(candidates: list[bytes] | None, path: bytes) -> bytes | None:
    """Remove and return the path from which a file was moved: one of the removed paths with its content, preferably with the same file name."""
    if not candidates:
        return None
    name = path.rpartition(b"/")[2]
    chosen = next((one for one in candidates if one.rpartition(b"/")[2] == name), candidates[0])
    candidates.remove(chosen)
    return chosen


def _commits(log: bytes) -> Iterator[tuple[str, list[int], list[tuple[bytes, bytes, bytes, bytes]]]]:
    """Yield (commit, its author and committer date in ms, [(old blob, new blob, status, path)]), oldest first."""
    commit, dates = "", list[int]()
    changes: list[tuple[bytes, bytes, bytes, bytes]] = []
    fields = iter(log.split(b"\0"))
    for entry in fields:
        entry = entry.lstrip(b"\n")
        if entry.startswith(b"\x01"):
            if commit:
                yield commit, dates, changes
            commit, *seconds = entry[1:].decode("ascii", "replace").split()
            dates, changes = [at for at in map(git.milliseconds, seconds) if at is not None], []
        elif entry.startswith(b":"):
            _, _, old, new, status = entry.split()
            changes.append((old, new, status[:1], next(fields, b"")))
    if commit:
        yield commit, dates, changes
