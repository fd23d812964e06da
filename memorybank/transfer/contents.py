"""Which files of a bank only this machine has, and by which rule an import adds each of them to another machine's bank."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from stat import S_ISDIR, S_ISREG

from memorybank import git
from memorybank.errors import UsageError
from memorybank.log import events
from memorybank.storage import beneath, compressed, disk
from memorybank.storage.layout import IGNORED, Layout, safe_parts

KEY = "log/.key"
EVENTS, SPOOL, BACKUPS = "log/events/", "log/spool/", "backups/"
OF_SESSIONS = "lines of sessions"
"""Lines that belong to a session: they are added if this machine has the same event log up to the point that they describe."""
SIGNED = "signed lines"
UNKNOWN_NOTES = "learned notes"
COUNTS = "counts of reading"
"""Lines that are only counted. Observations of files (`seen`, `edit` …) describe the working tree of the other machine."""
ALONE = "one machine only"
"""A log whose lines depend on the lines before: it is taken if this machine has none, or continued if this machine has its beginning."""
LOGS = {
    "log/policy.jsonl": ALONE,
    "log/rotation.jsonl": ALONE,
    "log/changes.jsonl": ALONE,
    "log/adoptions.jsonl": ALONE,
    "log/operations.jsonl": ALONE,
    "log/access.jsonl": COUNTS,
    "log/ticks.jsonl": SIGNED,
    "log/learned.jsonl": UNKNOWN_NOTES,
    "log/extracted.jsonl": OF_SESSIONS,
    "log/organize.jsonl": OF_SESSIONS,
}
"""{log: its rule}. `hook_errors.jsonl` is left out: it is about the programs of one machine."""
KEPT_FOR = {"backups/changes/": "log/changes.jsonl", BACKUPS: "log/rotation.jsonl"}
"""{folder: the log that names its files}, the first match counts. Files that no log names could not be restored by any command."""
_PEOPLES_FILES = ("bookmarks.json", "dates.jsonl", "rejected.jsonl", "summary.md")
_PEOPLES_FOLDERS = ("active/", "archive/by_date/", "episodes/", "config/")
_MOST = 1 << 31
_LOCKS = (".lock",)


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """One file of an export. path: relative to the bank; mtime_ns: date of the file."""

    path: str
    data: bytes
    mtime_ns: int = 0


def is_known(path: str) -> bool:
    """Return whether an export of this version can contain a file with this path."""
    try:
        parts = safe_parts(path)
    except UsageError:
        return False
    if path == KEY or path in LOGS or path in _PEOPLES_FILES:
        return True
    if path.startswith((EVENTS, SPOOL)):
        return len(parts) == 3 and path.endswith(".jsonl")
    return path.startswith((BACKUPS, *_PEOPLES_FOLDERS)) and not parts[-1].startswith(disk.TEMP_PREFIX)


def is_peoples(path: str) -> bool:
    """Return whether people write this file. In a repository git moves it."""
    return path in _PEOPLES_FILES or path.startswith(_PEOPLES_FOLDERS)


def is_carried_by_git(layout: Layout) -> bool:
    """Return whether git tracks files of the bank, so that a clone already brings its notes."""
    if layout.repository is None:
        return False
    return git.tracked(layout.repository, layout.root) != []


def collect(layout: Layout) -> list[ExportedFile]:
    """Return the files that only this machine has, read while hooks may write.

    What `organize.jsonl` and other logs say about a session is read before the session, so that no line describes more than the export contains. A log
    ends with its last complete line.
    """
    found = [*_read(layout, "log", sorted(LOGS, reverse=True)), *_read(layout, "log", [KEY])]
    found += _read(layout, "log", [EVENTS + name for name in events.names(layout)])
    for folder in (SPOOL, BACKUPS):
        found += _read(layout, "log" if folder != BACKUPS else "backups", _below(layout, folder))
    if not is_carried_by_git(layout):
        paths = [path for folder in _PEOPLES_FOLDERS for path in _below(layout, folder)]
        found += _read(layout, "", [*paths, *_PEOPLES_FILES])
    return [file for file in found if is_known(file.path)]


def place(layout: Layout, path: str) -> str:
    """Return the absolute path of a file of an export in this bank. Logs and backups are in the bank of the main worktree."""
    root = layout.local_root if path.startswith(("log/", BACKUPS)) else layout.root
    return os.path.join(root, *safe_parts(path))


def session_of(path: str) -> str:
    """Return the file name of the event log to which the lines of a spool file belong."""
    return os.path.basename(path).partition(".")[0] + ".jsonl"


def event_path(session_id: str) -> str:
    return EVENTS + events.name_of(session_id)


def _below(layout: Layout, folder: str) -> Iterator[str]:
    """Yield the paths of the regular files below a folder of the bank, sorted. Links and our temporary files are left out."""
    for name in beneath.names_in(place(layout, folder.rstrip("/"))):
        path = folder + name
        if name.startswith(disk.TEMP_PREFIX) or f"{name}/" in IGNORED or name.endswith(_LOCKS):
            continue
        status = beneath.lstat(place(layout, path))
        if S_ISDIR(status.st_mode):
            yield from _below(layout, path + "/")
        elif S_ISREG(status.st_mode):
            yield path


def _read(layout: Layout, room: str, paths: "Iterator[str] | list[str]") -> Iterator[ExportedFile]:
    for path in paths:
        target = place(layout, path)
        try:
            data = compressed.read(target) if path.startswith(EVENTS) else disk.read(target, _MOST)
            mtime = compressed.modified_ns(target)
        except FileNotFoundError:
            continue
        if room == "log" and path != KEY:
            data = data[: data.rfind(b"\n") + 1]
        yield ExportedFile(path, data, mtime)
