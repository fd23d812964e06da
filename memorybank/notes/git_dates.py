"""The dates of files according to git's history. Two git commands cover an entire folder at once."""

from __future__ import annotations

__light__ = True

from memorybank import git
from memorybank.storage import system as os
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


_FORMAT = ("--reverse", "--format=%x01%H %at %ct", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv")


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
    A path to which a commit moved a file without changing a byte has the dates of the former path. So has one to which a merge moved it, because the other
    side had renamed the folder: that happens in no commit but the merge, which git's list of changes leaves out.
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
    log = git.run(repository, "log", "-z", *_FORMAT, "HEAD", "--", inside, seconds=seconds)
    if log is None:
        return None
    touched = _touched(log, git.shallow_commits(repository), blobs)
    added = [path for path in blobs if path not in touched]
    if added and not _add_merged(touched, repository, added, seconds):
        return None
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


def _touched(log: bytes, shallow: frozenset[str], kept: Mapping[bytes, str]) -> dict[bytes, _PathHistory]:
    """Return {path: its history} from `log -z --reverse --raw`: commit, (`:modes ids status`, path)*.

    kept: {path: blob} of HEAD
    """
    touched: dict[bytes, _PathHistory] = {}
    owners: dict[bytes, list[bytes]] = {}
    for commit, dates, changes in _commits(log):
        removed: dict[bytes, list[bytes]] = {}
        for old, _, status, path in changes:
            if status == b"D":
                removed.setdefault(old, []).append(path)
        moved = {path: touched[former] for _, new, status, path in changes if status == b"A" and (former := _former(removed.get(new), path)) in touched}
        for old, new, status, path in changes:
            if commit in shallow:
                touched[path] = _PathHistory((), max(dates, default=None))
            elif dates and path not in moved:
                if status == b"M" and path not in touched:
                    _follow(touched, path, owners.get(old), kept)
                before = touched.get(path, _PathHistory())
                touched[path] = _PathHistory((*before.dates, dates[0]), before.latest)
            if status != b"D":
                owners.setdefault(new, []).append(path)
        touched.update(moved)
    for path, blob in kept.items():
        if path not in touched:
            _follow(touched, path, owners.get(blob.encode()), kept)
    return touched


def _follow(touched: dict[bytes, _PathHistory], path: bytes, candidates: list[bytes] | None, kept: Mapping[bytes, str]) -> None:
    """Give a path that a merge added the history of the one with the same content that HEAD does not contain any more."""
    former = _former([one for one in candidates or () if one not in kept and one in touched], path)
    if former is not None:
        touched[path] = touched[former]


def _add_merged(touched: dict[bytes, _PathHistory], repository: str, paths: Sequence[bytes], seconds: float | None) -> bool:
    """Give paths with a content that only a merge commit contains the date of that commit. Return False when git fails or is too slow."""
    names = [path.decode("utf-8", "surrogateescape") for path in paths]
    log = git.run(repository, "log", "-z", "--merges", "-c", *_FORMAT, "HEAD", "--", *names, seconds=seconds)
    for _, dates, changes in _commits(log or b""):
        for _, _, _, path in changes:
            if dates:
                before = touched.get(path, _PathHistory())
                touched[path] = _PathHistory((*before.dates, dates[0]))
    return log is not None


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
            *_, old, new, status = entry.split()  # a merge has an old blob for each parent
            changes.append((old, new, status[:1], next(fields, b"")))
    if commit:
        yield commit, dates, changes
