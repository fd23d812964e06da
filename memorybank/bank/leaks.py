"""Finds a text in a bank, byte by byte: in files of every kind, in compressed ones, in names; also in memorybank's own folders of this person, and in the
sources that the bank reads in place. Changes nothing.
"""

import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from stat import S_ISLNK, S_ISREG
from typing import Any

from memorybank.archive.object import MAX_OBJECT_BYTES
from memorybank.config import own, sources, team_folder
from memorybank.cycle.finish import session_note
from memorybank.cycle.know.learned import FOLDER as LEARNED
from memorybank.drafting import page
from memorybank.editing import draft
from memorybank.episodes import purged
from memorybank.errors import MemorybankError, Problem
from memorybank.meaning.external_folder import FOLDER as MEM0_FOLDER
from memorybank.notes import date_record, source_files
from memorybank.storage import abandoned, beneath, disk, frames
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout, state_folder
from memorybank.text.secrets.needle import PurgeNeedle

LOG, ARCHIVE, BACKUP, DERIVED, TEMP, NOTE, OTHER = "log", "archive", "backup", "derived", "temporary", "note", "other"
SESSION_NOTE = "session_note"
"""A note that was written at the end of a session and that nobody has edited since."""
SUMMARY = "summary"
"""The resident summary, if `summary refresh` wrote it and nobody has edited it since."""
EPISODE = "episode"
STATE = "state"
"""A record in the person's state folder that can be removed."""
SOURCE = "source"
"""A file that other people and tools keep, and that the bank reads in place."""
YOURS = (NOTE, OTHER, SOURCE)
"""Files that only a person may change."""
_WITH_LINES = (NOTE, SESSION_NOTE, SUMMARY, EPISODE, OTHER, SOURCE, LOG)
_LINES = 20
_GZIP = b"\x1f\x8b\x08"

DERIVED_FOLDERS = ("cache", "indexes", "metadata", "archive/by_importance", "archive/by_topic")
RECORD_FOLDERS = ("hosts", "working")
"""Folders of the person's state folder whose records may be removed. The decisions about trust must stay: they name the files that wait for a person."""
BLOCK = 1 << 24


@dataclass(frozen=True, slots=True, order=True)
class LeakLocation:
    """One file or folder that contains the text.

    path: relative to the bank, or outside all banks as it is shown elsewhere (`~/…`), with the text in it replaced by a mark
    kind: one of the above
    count: number of occurrences in its content
    lines: numbers of the first lines that contain it, 1-based
    in_name: whether its name contains the text
    """

    path: str
    kind: str
    count: int
    lines: tuple[int, ...] = ()
    in_name: bool = False

    def to_json(self) -> dict[str, Any]:
        return {"path": self.path, "kind": self.kind, "count": self.count, "lines": list(self.lines), "in_name": self.in_name}


@dataclass(frozen=True, slots=True)
class LeakSearch:
    """The result of a search for the text.

    places: sorted by path
    unread: files and folders that could not be searched
    """

    places: tuple[LeakLocation, ...]
    unread: tuple[Problem, ...]


def find(layout: Layout, trees: Sequence[Layout], needle: PurgeNeedle, environ: Mapping[str, str]) -> LeakSearch:
    """Search everything in the banks of `trees`, the logs and backups that they share, the person's own folders, and the sources."""
    search = _Search(layout, trees, needle, environ)
    for tree in trees:
        search.folder(tree.root, tree, _ours(tree))
    for folder in (layout.log, layout.backups, *own_folders(environ)):
        if not any(_is_below(folder, tree.root) for tree in trees):
            search.folder(folder, layout, {})
    for tree in trees:
        search.sources(tree)
    return LeakSearch(tuple(sorted(search.places)), tuple(sorted(search.unread)))


def _ours(tree: Layout) -> dict[str, str]:
    """Return {path: kind} of the notes and pages that memorybank wrote and nobody edited."""
    found = dict.fromkeys(map(tree.note_path, session_note.unedited(tree)), SESSION_NOTE)
    found.update(dict.fromkeys(map(tree.note_path, session_note.unedited(tree, LEARNED)), DERIVED))
    found.update({path: DERIVED if path == page.draft_path(tree) else SUMMARY for path in page.drafted(tree)})
    return found


class _Search:
    """One search for the text. places, unread: the results so far."""

    def __init__(self, layout: Layout, trees: Sequence[Layout], needle: PurgeNeedle, environ: Mapping[str, str]) -> None:
        self.layout = layout
        self.needle = needle
        self.environ = environ
        self.places: list[LeakLocation] = []
        self.unread: list[Problem] = []
        self._banks = (layout.log, layout.backups, *(tree.root for tree in trees))
        self._exchanged = os.path.join(own_folders(environ)[0], team_folder.NAME)
        self._elsewhere = os.path.join(own_folders(environ)[0], MEM0_FOLDER)
        self._records = tuple(os.path.join(own_folders(environ)[0], folder) for folder in RECORD_FOLDERS)

    def folder(self, top: str, tree: Layout, ours: Mapping[str, str]) -> None:
        """Search everything below a folder. ours: {path: kind} of files that memorybank wrote."""
        closed: list[OSError] = []
        for path in paths(top, closed):
            with self._problems(path):
                self._look(path, ours.get(path) or self._kind(tree, path))
        for error in closed:
            with self._problems(str(error.filename or top)):
                raise error

    def sources(self, tree: Layout) -> None:
        """Search the files of other people and tools that a bank reads in place."""
        found = source_files.sweep(sources.load(tree, self.environ), skipped=tree.root)
        for key in sorted(found.files):
            path = tree.file_path(key)
            with self._problems(path):
                self._add(path, SOURCE, source_files.read(tree, key, MAX_NOTE_BYTES))
        for problem in found.problems:
            self._add_problem(tree.file_path(problem.path.rstrip("/")), problem.message)

    def _look(self, path: str, kind: str) -> None:
        status = os.lstat(path)
        if S_ISLNK(status.st_mode):
            self._add(path, kind, os.fsencode(os.readlink(path)))
        elif not S_ISREG(status.st_mode):
            self._add(path, kind, b"")
        elif status.st_size > MAX_NOTE_BYTES:
            self._add(path, kind, b"", sum(len(self.needle.starts(block)) for block in blocks(path, self.needle)))
        else:
            self._add(path, kind, _content(path, disk.read(path, MAX_OBJECT_BYTES), is_temp=kind == TEMP))

    def _add(self, path: str, kind: str, data: bytes, count: int = 0) -> None:
        """Add a place if its name or its content contains the text. count: occurrences that were found before"""
        in_name = self.needle.is_in(os.fsencode(os.path.basename(path)))
        starts = self.needle.starts(data)
        if in_name or starts or count:
            found = _line_numbers(data, starts) if kind in _WITH_LINES else ()
            self.places.append(LeakLocation(self.needle.masked(self._shown(path)), kind, len(starts) + count, found, in_name))

    @contextmanager
    def _problems(self, path: str) -> Iterator[None]:
        """Add a problem when the block cannot read the path. One that was removed in the meantime is skipped."""
        try:
            with disk.typed_errors(path):
                yield
        except FileNotFoundError:
            return
        except MemorybankError as error:
            self._add_problem(path, error.message)

    def _add_problem(self, path: str, message: str) -> None:
        self.unread.append(Problem("unreadable", self.needle.masked(self._shown(path)), self.needle.masked(message)))

    def _kind(self, tree: Layout, path: str) -> str:
        relative = os.path.relpath(path, tree.root)
        if os.path.basename(path).startswith(disk.TEMP_PREFIX):
            return TEMP
        if _is_below(path, self._exchanged):
            return DERIVED
        if _is_below(path, self.layout.log) or relative == date_record.NAME:
            return LOG
        if _is_below(path, self.layout.backups):
            return OTHER if draft.is_of_editor(self.layout, path) else BACKUP
        if any(_is_below(relative, folder, "/") for folder in DERIVED_FOLDERS):
            return DERIVED
        if relative.startswith("archive/by_date/"):
            return ARCHIVE
        if purged.is_ours(tree, path):
            return EPISODE
        if any(_is_below(path, folder) for folder in self._records):
            return STATE
        if _is_below(path, self._elsewhere):
            return DERIVED
        return NOTE if relative.startswith("active/") else OTHER

    def _shown(self, path: str) -> str:
        if any(_is_below(path, bank) for bank in self._banks):
            return os.path.relpath(path, self.layout.root)
        return self.layout.relative(path)


def _content(path: str, data: bytes, *, is_temp: bool) -> bytes:
    """Return what a file contains: of a compressed one the plain bytes, of a temporary one also what its bytes are, because it may be torn."""
    if path.endswith(".zst") and not is_temp:
        return frames.unpack(data, MAX_NOTE_BYTES, os.path.basename(path))
    if data.startswith(frames.MAGIC):
        return data + b"\0" + frames.beginning(data, MAX_NOTE_BYTES)
    if data.startswith(_GZIP):
        try:
            return data + b"\0" + zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(data, MAX_NOTE_BYTES)
        except zlib.error:
            return data
    return data


def _line_numbers(data: bytes, starts: Sequence[int]) -> tuple[int, ...]:
    found: dict[int, None] = {}
    line, before = 1, 0
    for start in starts:
        line += data.count(b"\n", before, start)
        before = start
        found[line] = None
        if len(found) == _LINES:
            break
    return tuple(found)


def _is_below(path: str, folder: str, separator: str = os.sep) -> bool:
    return path == folder or path.startswith(folder + separator)


def paths(top: str, closed: list[OSError] | None = None) -> Iterator[str]:
    """Yield every file and folder below `top`. Symbolic links are not followed.

    closed: receives the errors of folders that cannot be listed
    """
    for folder, folders, names in os.walk(top, onerror=None if closed is None else closed.append):
        folders.sort()
        for name in sorted([*folders, *names]):
            yield os.path.join(folder, name)


def blocks(path: str, needle: PurgeNeedle) -> Iterator[bytes]:
    """Yield a file in blocks that overlap by the maximum length of the text."""
    with disk.typed_errors(path), beneath.stream(path) as stream:
        rest = b""
        while block := stream.read(BLOCK):
            yield rest + block
            rest = (rest + block)[-needle.reach :]


def derived(tree: Layout) -> list[str]:
    """Return the derived files of a bank: published documents, catalogues, and cache files of any name. Lock files are left out."""
    found = []
    for folder in DERIVED_FOLDERS:
        suffixes = {"cache": ("",), "indexes": (".json",), "metadata": (".json",)}.get(folder, (".md",))
        top = os.path.join(tree.root, *folder.split("/"))
        found += [path for path in paths(top) if path.endswith(suffixes) and not path.endswith(".lock") and not os.path.isdir(path)]
    return found


def abandoned_temps(tops: Iterable[str], now: int) -> list[str]:
    """Return the temporary files that nobody writes any more. What a torn one contains cannot always be read, so all of them have to go.

    tops: folders
    """
    found = {path for top in tops for path in paths(top) if os.path.basename(path).startswith(disk.TEMP_PREFIX)}
    return sorted(path for path in found if abandoned.is_abandoned(path, now))


def own_folders(environ: Mapping[str, str]) -> tuple[str, str]:
    """Return the person's state folder and the folder of the person's settings."""
    return state_folder(environ), own.folder(environ)


def records(needle: PurgeNeedle, environ: Mapping[str, str]) -> list[str]:
    """Return the records in the person's state folder that contain the text and that can be removed.

    Without the saved settings of a host, its hooks are uninstalled entry by entry. A stamp is written again by the next session.
    """
    found: list[str] = []
    for folder in RECORD_FOLDERS:
        files = [path for path in paths(os.path.join(state_folder(environ), folder)) if os.path.isfile(path)]
        held = tuple(path for path in files if needle.is_in(os.fsencode(os.path.basename(path))) or any(map(needle.is_in, blocks(path, needle))))
        # The files next to a stamp have its name, in which signs of the project's path are replaced.
        found += [path for path in files if path in held or path.startswith(tuple(f"{each}." for each in held))]
    return found


def empty_folders(tops: Sequence[str], needle: PurgeNeedle) -> list[str]:
    """Return the folders without any file whose paths contain the text, the innermost first."""
    found = set()
    for top in tops:
        for folder, _, _ in os.walk(top):
            inside = os.path.relpath(folder, top)
            if inside != "." and needle.is_in(os.fsencode(inside)) and all(os.path.isdir(path) for path in paths(folder)):
                found.add(folder)
    return sorted(found, key=len, reverse=True)
