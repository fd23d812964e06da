"""`bookmarks.json`: notes that a person wants to keep. `{"version": "1.0", "bookmarks": [{"path", "added_at", "note"}]}`.

A bare list and entries that are bare paths are accepted too. A path is a key, a long form of one (`active/…`, `.claude/memory/active/…`), a
folder (`planning/`, everything below it) or a glob (`planning/*.md`; `*` also matches `/`). A file that cannot be understood completely
protects **every** note, because a lost bookmark must never cost a note.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any
from unicodedata import normalize

from memorybank import clock as time_of
from memorybank.errors import MemorybankError, NewerFormat, Problem, UsageError, ValidationFailed
from memorybank.storage import disk
from memorybank.storage.layout import PUBLISHED_PREFIX, Layout
from memorybank.values import Value

MAX_BYTES = 1 << 20
_VERSION = "1.0"
_LIST = "bookmarks"
_GLOB_SIGNS = re.compile(r"[*?\[]")


class Bookmark(Value):
    """One entry.

    path: key, folder or glob relative to active/, in NFC
    added_at, note: the values as written, '' when absent
    """

    path: str
    added_at: str = ""
    note: str = ""


class Bookmarks(Value, frozen=False):
    """The bookmarks of a bank.

    entries: the entries in the order of the file
    malformed: why the file cannot be used, else None. While it is set, every key matches.
    exact, globs: the keys and the expression that match notes
    """

    entries: tuple[Bookmark, ...]
    malformed: Problem | None
    exact: frozenset[str]
    globs: re.Pattern[str] | None

    def __init__(self, entries: tuple[Bookmark, ...] = (), malformed: Problem | None = None) -> None:
        globs = [expression for entry in entries for expression in _expressions(entry.path)]
        self.entries, self.malformed = entries, malformed
        self.exact = frozenset(entry.path for entry in entries)
        self.globs = re.compile("|".join(globs)) if globs else None

    def matches(self, key: str) -> bool:
        """Return whether the note is bookmarked; True for every key while the file is malformed."""
        if self.malformed is not None:
            return True
        key = normalize("NFC", key)
        return key in self.exact or (self.globs is not None and self.globs.match(key) is not None)


def load(layout: Layout) -> Bookmarks:
    """Return the bookmarks of a bank. A missing file means that there are none."""
    shown = layout.relative(layout.bookmarks)
    try:
        return parse(disk.read(layout.bookmarks, MAX_BYTES), shown)
    except FileNotFoundError:
        return Bookmarks()
    except MemorybankError as error:
        return _malformed(error, shown)


def parse(data: bytes, shown: str) -> Bookmarks:
    """Return the bookmarks in the bytes of a file. Never raises.

    shown: the path of the file in messages
    """
    try:
        return Bookmarks(tuple(_entry(value) for value in _entries(_parsed(data))))
    except NewerFormat as error:
        return Bookmarks(malformed=Problem(error.code, shown, f"every note is preserved until memorybank is upgraded: {error.message}"))
    except (MemorybankError, ValueError, RecursionError) as error:
        return _malformed(error, shown)


def _malformed(error: Exception, shown: str) -> Bookmarks:
    reason = str(error) or type(error).__name__
    return Bookmarks(malformed=Problem("bookmarks_malformed", shown, f"every note is preserved until this file is repaired: {reason}"))


def name(layout: Layout) -> str:
    """Return the path of the file relative to the bank, POSIX."""
    return os.path.relpath(layout.bookmarks, layout.root).replace(os.sep, "/")


def has(layout: Layout, key: str) -> bool:
    """Return whether an entry has exactly this pattern."""
    pattern = pattern_of(key)
    return any(entry.path == pattern for entry in load(layout).entries)


def added(layout: Layout, data: bytes | None, pattern: str, note: str, at: int) -> bytes | None:
    """Return the file with another entry; `data` itself when an entry with the same pattern exists.

    data: bytes of the file, None without one
    pattern: as `pattern_of` returns it
    at: ms
    Raises `ValidationFailed` when the file is malformed, `NewerFormat` when a newer memorybank wrote it.
    """
    document, entries = _editable(layout, data)
    if any(_entry(entry).path == pattern for entry in entries):
        return data
    return _rendered(document, [*entries, {"path": pattern, "added_at": time_of.isoformat(at), "note": note}])


def removed(layout: Layout, data: bytes | None, pattern: str) -> bytes | None:
    """Return the file without the entries with exactly this pattern; `data` itself when there is none. Otherwise as `added`."""
    document, entries = _editable(layout, data)
    kept = [entry for entry in entries if _entry(entry).path != pattern]
    return data if len(kept) == len(entries) else _rendered(document, kept)


def renamed(layout: Layout, data: bytes | None, old: str, new: str) -> bytes | None:
    """Return the file in which the entry with exactly the key `old` has the key `new`; `data` itself when there is none. Otherwise as `added`."""
    pattern, target = pattern_of(old), pattern_of(new)
    document, entries = _editable(layout, data)
    if not any(_entry(entry).path == pattern for entry in entries):
        return data
    return _rendered(document, [_renamed(entry, target) if _entry(entry).path == pattern else entry for entry in entries])


def document(data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the other members of a file, and {pattern: entry} as written. b"" is a file without entries.

    Raises `ValueError`, `UsageError` or `NewerFormat` when the file cannot be understood completely.
    """
    parsed = _parsed(data) if data else []
    members = {name: value for name, value in parsed.items() if name != _LIST} if isinstance(parsed, dict) else {"version": _VERSION}
    return members, {_entry(entry).path: entry for entry in _entries(parsed)}


def rendered(members: dict[str, Any], entries: Iterable[Any]) -> bytes:
    """Return the file with these entries. members: the other members of the file"""
    import json  # late: most banks have no bookmarks

    return (json.dumps({**members, _LIST: list(entries)}, ensure_ascii=False, indent=2) + "\n").encode(errors="replace")


def _renamed(entry: Any, target: str) -> Any:
    return {**entry, "path": target} if isinstance(entry, dict) else target


def _editable(layout: Layout, data: bytes | None) -> tuple[Any, list[Any]]:
    """Return the document and its entries, or a new document if the file does not exist."""
    shown = layout.relative(layout.bookmarks)
    try:
        document = [] if data is None else _parsed(data)
        entries = _entries(document)
        for entry in entries:
            _entry(entry)
        return document, entries
    except NewerFormat as error:
        raise NewerFormat(f"{shown}: {error.message}") from None
    except (MemorybankError, ValueError, RecursionError) as error:
        raise ValidationFailed(
            f"{shown}: {str(error) or type(error).__name__}; every note is preserved until this file is repaired",
            next_step="repair the JSON by hand, or restore the file from git, then run the command again",
        ) from None


def _parsed(data: bytes) -> Any:
    if len(data) > MAX_BYTES:
        raise ValueError(f"{len(data)} bytes, over the limit of {MAX_BYTES}")
    import json  # late, as in `rendered`

    return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_members)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict. Raises `ValueError` for a repeated member, because JSON would keep only the last of two lists of bookmarks."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is given twice")
    return members


def _entries(document: Any) -> list[Any]:
    """Return the entries of a document. Raises `ValueError` when it has another shape."""
    if isinstance(document, dict):
        version = document.get("version", _VERSION)
        if not isinstance(version, str) or version.partition(".")[0] != "1":
            if isinstance(version, str) and version.partition(".")[0].isdecimal() and version.partition(".")[0] > "1":
                raise NewerFormat(f"a newer memorybank wrote this file (version {version})")
            raise ValueError(f"version {version!r} is not supported")
        document = document.get(_LIST)
    if not isinstance(document, list):
        raise ValueError("a list of 'bookmarks' is expected")
    return document


def _entry(value: Any) -> Bookmark:
    """Return one entry. Raises `ValueError` when it has no path."""
    if isinstance(value, str):
        return Bookmark(pattern_of(value))
    if not isinstance(value, dict) or not isinstance(value.get("path"), str):
        raise ValueError("an entry has no 'path'")
    added_at, note = value.get("added_at"), value.get("note")
    return Bookmark(pattern_of(value["path"]), added_at if isinstance(added_at, str) else "", note if isinstance(note, str) else "")


def pattern_of(text: str) -> str:
    """Return a path relative to active/, in NFC. Raises `UsageError` when it cannot be below active/."""
    pattern = normalize("NFC", text.strip()).removeprefix("./")
    before, found, after = pattern.rpartition(PUBLISHED_PREFIX)
    if found and (not before or before.endswith("/")):
        pattern = after
    pattern = pattern.removeprefix("active/")
    if not pattern or pattern.startswith("/") or "\0" in pattern or ".." in pattern.split("/"):
        raise UsageError(f"{text!r} is not a path below active/", next_step="name a note, a folder (planning/) or a pattern (shared/*.md)")
    return pattern


def _expressions(pattern: str) -> Iterable[str]:
    """Yield the regular expressions, matched from the start of a key, of a pattern that can match more than one key."""
    if _GLOB_SIGNS.search(pattern):
        import fnmatch  # late: few entries are globs

        yield fnmatch.translate(pattern)
    if not pattern.endswith(".md"):
        yield re.escape(pattern.rstrip("/") + "/")


def _rendered(document: Any, entries: list[Any]) -> bytes:
    """Return the file with these entries. Unknown members are kept, and a bare list becomes the full form."""
    return rendered(document if isinstance(document, dict) else {"version": _VERSION}, entries)
