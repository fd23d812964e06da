"""Markdown catalogues of the archive, by importance and by topic, for people and agents that browse. They are derived.

Each note has one line, newest first: date, title, gist, original path, id.
"""

import os
import unicodedata
from collections.abc import Sequence

from memorybank import clock
from memorybank.archive import store
from memorybank.archive.object import ArchiveObject, words_of
from memorybank.storage import beneath, disk
from memorybank.storage.layout import Layout

FOLDERS = ("by_importance", "by_topic")
_BUCKETS = ((9.0, "critical"), (7.0, "high"), (4.0, "medium"), (1.0, "low"), (-1.0, "minimal"))
_MARKUP = str.maketrans({character: f"\\{character}" for character in "\\`*_[]<>|#"})


def render(objects: Sequence[ArchiveObject]) -> dict[str, str]:
    """Return {path relative to `archive/`: text}. The order of `objects` does not matter."""
    groups: dict[str, tuple[str, list[ArchiveObject]]] = {}
    for described in sorted(objects, key=lambda each: (-each.archived_at, each.id)):
        bucket = bucket_of(described.importance)
        groups.setdefault(f"by_importance/{bucket}.md", (f"Archived notes of {bucket} importance", []))[1].append(described)
        topics: dict[str, str] = {}
        for topic in described.topics or ("untitled",):
            topics.setdefault(_file_name(topic), topic)
        for name, topic in topics.items():
            groups.setdefault(f"by_topic/{name}.md", (f"Archived notes about {_text(topic)}", []))[1].append(described)
    return {path: _page(heading, members) for path, (heading, members) in groups.items()}


def write(layout: Layout) -> None:
    """Update the catalogues on disk: replace changed pages and delete pages without notes."""
    objects, _ = store.listing(layout)
    pages = render(objects)
    for folder in FOLDERS:
        wanted = {path.partition("/")[2]: text.encode() for path, text in pages.items() if path.startswith(f"{folder}/")}
        _write_folder(os.path.join(layout.archive, folder), wanted)


def differing(layout: Layout, pages: dict[str, str]) -> list[str]:
    """Return the paths (relative to `archive/`, sorted) of pages on disk that differ, are missing, or should not exist."""
    present: dict[str, str] = {}
    for folder in FOLDERS:
        directory = os.path.join(layout.archive, folder)
        present |= {f"{folder}/{name}": os.path.join(directory, name) for name in beneath.names_in(directory) if name.endswith(".md")}
    stray = present.keys() - pages.keys()
    return sorted(stray | {path for path, text in pages.items() if path not in present or not store.contains(present[path], text.encode())})


def bucket_of(importance: float) -> str:
    """Return the name of the bucket of a rounded importance (specification, "Importance index")."""
    return next(name for lowest, name in _BUCKETS if importance >= lowest)


def _write_folder(directory: str, wanted: dict[str, bytes]) -> None:
    present = {name for name in beneath.names_in(directory) if name.endswith(".md")}
    if not present and not wanted:
        return
    disk.make_directories(directory)
    for name in sorted(present - wanted.keys()):
        disk.remove(os.path.join(directory, name))
    for name, data in sorted(wanted.items()):
        path = os.path.join(directory, name)
        if name not in present or not store.contains(path, data):
            disk.replace(path, (data,), durable=False)


def _page(heading: str, members: Sequence[ArchiveObject]) -> str:
    lines = [f"# {heading}", "", "Derived from the archive. `memorybank archive restore ID` brings a note back.", ""]
    for described in members:
        gist = f" — {_text(described.gist)}" if described.gist else ""
        lines.append(f"- {clock.day_of(described.archived_at)} **{_text(described.title)}**{gist} ({_code(described.original_path)}, {_code(described.id)})")
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    return text.translate(_MARKUP)


def _code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _file_name(topic: str) -> str:
    """Return a topic as a file name. Topics that differ only in case or punctuation share a page."""
    return words_of(unicodedata.normalize("NFKC", topic).casefold()) or "other"
