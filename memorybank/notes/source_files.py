"""Finds the files of sources. Nothing is written, and no symbolic link is followed.

Hidden folders and installed packages are left out: a tool keeps its own files there (`.obsidian`, `.trash`, `node_modules`).
"""

from __future__ import annotations

__light__ = True

from _stat import S_ISREG

from memorybank.clock import storable
from memorybank.config.sources import CLAUDE_MEM, CODEX_MEMORY, RULES, is_left_out
from memorybank.errors import Problem
from memorybank.storage import beneath, disk
from memorybank.storage import system as os
from memorybank.storage.layout import MAX_NOTE_BYTES, is_source_key, is_utf8
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import stat_result
    from typing import TypeAlias

    from memorybank.config.sources import Source, SourceList
    from memorybank.notes.database_notes import RowStatus

    FileStatus: TypeAlias = stat_result | RowStatus
    from memorybank.storage.layout import Layout

MAX_FILES = 10_000
"""Maximum number of files of one source. A folder with more files does not contain somebody's notes."""
_SKIPPED = ("node_modules", "__pycache__", "site-packages")
_HEAD_BYTES = 2048
"""Bytes at the beginning of a Codex summary in which the folder of its session is searched."""


class SourceSweep(Value):
    """The result of looking for the files of sources.

    files: {key: status}
    folders: {key of a folder: mtime in ns, taken before the folder was listed}
    problems: files and folders that cannot be read
    """

    files: dict[str, FileStatus]
    folders: dict[str, int]
    problems: list[Problem]


def suffixes(source: Source) -> tuple[str, ...]:
    """Return the endings of the names of a source's files."""
    return (".md", ".mdc") if source.kind == RULES else (".md",)


def sweep(sources: SourceList, *, skipped: str = "") -> SourceSweep:
    """Find the files of all sources. A source whose root does not exist has none. A file belongs to the source with the most specific root.

    skipped: absolute path of the bank, which is never part of a source
    """
    found = SourceSweep({}, {}, [])
    for source in sources.sources:
        _walk(source, skipped, found)
    return found


def find(source: Source, key: str) -> FileStatus | None:
    """Return the status of one file of a source; None when it does not exist or does not belong to the source."""
    inside = key[len(source.key) + 1 :]
    if source.kind == CLAUDE_MEM:
        from memorybank.notes import database_notes  # late, as below: few banks have a database as a source

        return database_notes.rows(source.root, os.path.basename(source.project)).get(inside)
    names = inside.split("/") if inside else []
    if not key.endswith(suffixes(source)) or any(_is_skipped(name) for name in names[:-1]) or (names and names[-1].startswith(".")):
        return None
    path = source.root
    try:
        status = os.lstat(path)
        for name in names:
            path = os.path.join(path, name)
            status = os.lstat(path)
            if status.st_mode & _KIND == _LINK:
                return None
    except (OSError, ValueError):
        return None
    return status if S_ISREG(status.st_mode) and status.st_size <= MAX_NOTE_BYTES and belongs(source, path) else None


def belongs(source: Source, path: str) -> bool:
    """Return whether a file is about this project. Codex keeps the sessions of all projects in one folder, each with the folder it worked in."""
    if source.kind != CODEX_MEMORY or not source.project:
        return True
    try:
        with beneath.stream(path) as stream:
            head = stream.read(_HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return False
    for line in head.split("\n"):
        if not line.strip():
            break  # the lines before the first blank one are about the session; text that follows may name any folder
        name, colon, value = line.partition(":")
        if colon and name.strip().lower() == "cwd":
            folder = value.strip().rstrip("/")
            return folder == source.project or folder.startswith(source.project + "/")
    return False


_KIND, _LINK = 0o170000, 0o120000
"""The file type in `st_mode`, and that of a symbolic link (POSIX, sys/stat.h)."""


def _is_skipped(name: str) -> bool:
    return name.startswith(".") or name in _SKIPPED


def _walk(source: Source, skipped: str, found: SourceSweep) -> None:
    try:
        status = os.lstat(source.root)
    except (OSError, ValueError):
        return
    if source.kind == CLAUDE_MEM:
        from memorybank.notes import database_notes

        found.folders[source.key] = storable(status.st_mtime_ns)
        rows = database_notes.rows(source.root, os.path.basename(source.project))
        found.files.update((f"{source.key}/{name}", state) for name, state in rows.items())
        return
    if S_ISREG(status.st_mode):
        if source.root.endswith(suffixes(source)) and source.key not in found.files:
            _add(source.key, source.root, status, source, found)
        return
    if status.st_mode & _KIND == _LINK:
        found.problems.append(Problem("symlink", source.key, "symbolic links are not followed"))
        return
    pending = [("", source.root, storable(status.st_mtime_ns))]
    count = 0
    while pending:
        inside, path, mtime_ns = pending.pop()
        prefix = f"{inside}/" if inside else ""
        found.folders[f"{source.key}/{inside}" if inside else source.key] = mtime_ns
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    here = prefix + entry.name
                    if entry.name.startswith(".") or is_left_out(source, here) or not is_utf8(entry.name):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        # A vault around the repository must not give its files a second name.
                        if not _is_skipped(entry.name) and entry.path not in (skipped, source.project):
                            pending.append((here, entry.path, storable(entry.stat(follow_symlinks=False).st_mtime_ns)))
                    elif entry.name.endswith(suffixes(source)) and entry.is_file(follow_symlinks=False):
                        key = f"{source.key}/{here}"
                        if key not in found.files and _add(key, entry.path, entry.stat(follow_symlinks=False), source, found):
                            count += 1
                    if count >= MAX_FILES:
                        found.problems.append(Problem("source_too_large", source.key, f"more than {MAX_FILES:,} files; the others are not read"))
                        return
        except PermissionError:
            found.problems.append(Problem("unreadable", f"{source.key}/{prefix}", "no permission to list this folder"))
        except OSError:
            continue  # removed since its parent was listed


def _add(key: str, path: str, status: stat_result, source: Source, found: SourceSweep) -> bool:
    if status.st_size > MAX_NOTE_BYTES:
        found.problems.append(Problem("too_large", key, f"over the limit of {MAX_NOTE_BYTES >> 20} MiB, so it is not read"))
        return False
    if not belongs(source, path):
        return False
    found.files[key] = status
    return True


def read(layout: Layout, key: str, limit: int) -> bytes:
    """Return the bytes of a note or of a source's file. limit: bytes. Errors are those of `disk.read`."""
    path = layout.file_path(key)
    if is_source_key(key) and _is_row(path):
        from memorybank.notes import database_notes

        return database_notes.read(path, os.path.basename(layout.base))
    return disk.read(path, limit)


def is_readable(path: str) -> bool:
    """Return whether a source's file, or the database that contains it, can be read."""
    return os.access(os.path.dirname(path) if _is_row(path) else path, os.R_OK)


def _is_row(path: str) -> bool:
    """Return what `database_notes.is_row` does, without its module for the path of a file."""
    if not os.path.dirname(path).endswith(".db"):
        return False
    from memorybank.notes.database_notes import is_row

    return is_row(path)
