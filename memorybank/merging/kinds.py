"""The kinds of committed files that memorybank can merge, with the attribute by which git finds the driver of each."""

from __future__ import annotations

import re

from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

DRIVER = "memorybank-"
"""Prefix of the drivers' names in attributes and in git's configuration."""


class MergeKind(Value):
    """One kind of file.

    name: the word in the driver's name and in `memorybank merge-driver NAME`
    pattern: gitattributes pattern, relative to the bank
    function: module of `memorybank.merging` and function that merges such a file
    is_of_people: whether a person reads and edits the text, so that a conflict may be left in it as git's marks
    union: whether git merges such a file line by line where no driver is installed; any mixture of its lines is valid
    """

    name: str
    pattern: str
    function: str
    is_of_people: bool = False
    union: bool = False

    def inside(self, path: str) -> str | None:
        """Return the path relative to the bank, or None when a path does not belong to this kind. path: POSIX, relative to the repository"""
        found = _expression(self.pattern).fullmatch(path)
        return found[1] if found is not None else None


KINDS = (
    MergeKind("note", "active/**/*.md", "notes:note", is_of_people=True),
    MergeKind("learned", "active/learned/*.md", "notes:learned_note", is_of_people=True),
    MergeKind("session", "active/sync/sessions/*.md", "notes:session_note", is_of_people=True),
    MergeKind("summary", "summary.md", "notes:summary", is_of_people=True),
    MergeKind("settings", "config/*.json", "settings:merge", is_of_people=True),
    MergeKind("bookmarks", "bookmarks.json", "bookmarks:merge"),
    MergeKind("dates", "dates.jsonl", "lines:dates", union=True),
    MergeKind("rejected", "rejected.jsonl", "lines:verdicts", union=True),
    MergeKind("episodes", "episodes/episodic_memory.json", "episodes:entries"),
    MergeKind("topics", "episodes/topic_clusters.json", "episodes:clusters"),
    MergeKind("week", "episodes/archives/*.json", "episodes:week"),
    MergeKind("archive", "archive/by_date/**", "archive:merge"),
)
"""As in a file of attributes, the last matching row counts."""


def named(name: str) -> MergeKind | None:
    return next((kind for kind in KINDS if kind.name == name), None)


def of_path(path: str) -> MergeKind | None:
    """Return the kind of a file, or None for one that no driver merges. path: POSIX, relative to the bank"""
    return next((kind for kind in reversed(KINDS) if kind.inside(path) == path), None)


def attributes() -> Iterator[tuple[str, str]]:
    """Yield (pattern, driver) of every kind."""
    for kind in KINDS:
        yield kind.pattern, f"{DRIVER}{kind.name}"


def _expression(pattern: str) -> re.Pattern[str]:
    inside = re.escape(pattern).replace(r"\*\*/", "(?:.*/)?").replace(r"\*\*", ".+").replace(r"\*", "[^/]+")
    return re.compile(f"(?:.*/)?({inside})", re.DOTALL)
