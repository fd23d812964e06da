"""Finds a text in a bank, byte by byte: in files of every kind, in compressed notes, in names. Changes nothing."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from stat import S_ISREG
from typing import Any

from memorybank.archive.object import MAX_OBJECT_BYTES
from memorybank.cycle.finish import learned_notes, session_note
from memorybank.episodes import purged
from memorybank.errors import MemorybankError, Problem
from memorybank.notes import date_record
from memorybank.storage import abandoned, beneath, disk, frames
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout
from memorybank.text.needle import PurgeNeedle

LOG, ARCHIVE, BACKUP, DERIVED, TEMP, NOTE, OTHER = "log", "archive", "backup", "derived", "temporary", "note", "other"
SESSION_NOTE = "session_note"
"""The kind of notes that were written at the end of a session and that nobody has edited since."""
EPISODE = "episode"
YOURS = (NOTE, OTHER)
"""The kind of files that only a person may change."""
_DERIVED = ("cache", "indexes", "metadata", "archive/by_importance", "archive/by_topic")
_LINES = 20
_BLOCK = 1 << 24


@dataclass(frozen=True, slots=True, order=True)
class LeakLocation:
    """One file or folder that contains the text.

    path: relative to the bank, with the text in it replaced by a mark
    kind: one of the constants above
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
    unread: files that could not be searched
    """

    places: tuple[LeakLocation, ...]
    unread: tuple[Problem, ...]


def find(layout: Layout, trees: Sequence[Layout], needle: PurgeNeedle) -> LeakSearch:
    """Search everything in the banks of `trees`, and the logs and backups that they share."""
    places: list[LeakLocation] = []
    unread: list[Problem] = []
    roots = [(tree.root, tree) for tree in trees]
    roots += [(folder, layout) for folder in (layout.log, layout.backups) if not any(_is_below(folder, tree.root) for tree in trees)]
    for root, tree in roots:
        ours = _ours(layout, tree) if root == tree.root else {}
        for path in _paths(root):
            try:
                place = _look(layout, tree, path, needle, ours.get(path))
            except MemorybankError as error:
                unread.append(Problem("unreadable", needle.masked(_shown(layout, path)), needle.masked(error.message)))
                continue
            except FileNotFoundError:
                continue
            if place is not None:
                places.append(place)
    return LeakSearch(tuple(sorted(places)), tuple(sorted(unread)))


def derived(tree: Layout) -> list[str]:
    """Return the derived files of a bank: published documents, catalogues, and cache files of any name. Lock files are left out."""
    found = []
    for folder in _DERIVED:
        suffixes = {"cache": ("",), "indexes": (".json",), "metadata": (".json",)}.get(folder, (".md",))
        top = os.path.join(tree.root, *folder.split("/"))
        found += [path for path in _paths(top) if path.endswith(suffixes) and not path.endswith(".lock") and not os.path.isdir(path)]
    return found


def temps(layout: Layout, trees: Sequence[Layout], needle: PurgeNeedle, now: int) -> list[str]:
    """Return the temporary files that contain the text and that nobody writes any more."""
    tops = {*(tree.root for tree in trees), layout.log, layout.backups}
    paths = {path for top in tops for path in _paths(top) if os.path.basename(path).startswith(disk.TEMP_PREFIX)}
    return sorted(path for path in paths if abandoned.is_abandoned(path, now) and any(map(needle.is_in, _blocks(path, needle))))


def _ours(layout: Layout, tree: Layout) -> dict[str, str]:
    """Return {path: kind} of the notes that memorybank wrote and nobody edited."""
    return {**dict.fromkeys(session_note.unedited(layout, tree), SESSION_NOTE), **dict.fromkeys(learned_notes.unedited(tree), DERIVED)}


def _look(layout: Layout, tree: Layout, path: str, needle: PurgeNeedle, kind: str | None) -> LeakLocation | None:
    shown = _shown(layout, path)
    in_name = needle.is_in(os.fsencode(os.path.basename(path)))
    place = LeakLocation(needle.masked(shown), kind or _kind(layout, tree, path), 0, (), in_name)
    status = os.lstat(path)
    if S_ISREG(status.st_mode):
        place = _counted(place, path, status.st_size, needle)
    return place if place.count or in_name else None


def _counted(place: LeakLocation, path: str, size: int, needle: PurgeNeedle) -> LeakLocation:
    """Count the occurrences and find their lines. Compressed files are searched by their content."""
    if size > MAX_NOTE_BYTES:
        return replace(place, count=sum(len(needle.starts(block)) for block in _blocks(path, needle)))
    data = disk.read(path, MAX_OBJECT_BYTES)
    if path.endswith(".zst"):
        data = frames.unpack(data, MAX_NOTE_BYTES, place.path)
    starts = needle.starts(data)
    return replace(place, count=len(starts), lines=_line_numbers(data, starts) if place.kind in (NOTE, SESSION_NOTE, EPISODE, OTHER, LOG) else ())


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


def _blocks(path: str, needle: PurgeNeedle) -> Iterator[bytes]:
    """Yield a file in blocks that overlap by the maximum length of the text."""
    with disk.typed_errors(path), beneath.stream(path) as stream:
        rest = b""
        while block := stream.read(_BLOCK):
            yield rest + block
            rest = (rest + block)[-needle.reach :]


def _kind(layout: Layout, tree: Layout, path: str) -> str:
    relative = os.path.relpath(path, tree.root).replace(os.sep, "/")
    if os.path.basename(path).startswith(disk.TEMP_PREFIX):
        return TEMP
    if _is_below(path, layout.log) or relative == date_record.NAME:
        return LOG
    if _is_below(path, layout.backups):
        return BACKUP
    if any(relative == folder or relative.startswith(f"{folder}/") for folder in _DERIVED):
        return DERIVED
    if relative.startswith("archive/by_date/"):
        return ARCHIVE
    if purged.is_ours(tree, path):
        return EPISODE
    return NOTE if relative.startswith("active/") else OTHER


def _paths(top: str) -> Iterator[str]:
    """Yield every file and folder below `top`. Symbolic links are not followed."""
    for folder, folders, names in os.walk(top):
        folders.sort()
        for name in sorted([*folders, *names]):
            yield os.path.join(folder, name)


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)


def _shown(layout: Layout, path: str) -> str:
    return os.path.relpath(path, layout.root).replace(os.sep, "/")
