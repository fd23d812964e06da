"""What a fold reports: its progress while it runs, and its result."""

from collections.abc import Callable
from typing import TypeAlias

from memorybank.errors import Problem

Progress: TypeAlias = Callable[[int, int], None]
"""Called with (done, total) notes while a fold reads."""


class FoldReport:
    """The result of one fold.

    found: note files compared with their rows.
    read: files opened.
    added, changed, removed: rows written.
    rescored: notes whose score was computed.
    left: changed notes that were not processed because the caller limited their number.
    problems: notes and folders that could not be read.
    """

    __slots__ = ("added", "changed", "found", "left", "problems", "read", "removed", "rescored")

    def __init__(self, found: int = 0, problems: list[Problem] | None = None) -> None:
        self.found = found
        self.read = self.added = self.changed = self.removed = self.rescored = self.left = 0
        self.problems = problems or []

    def __repr__(self) -> str:
        return f"FoldReport({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"

    @property
    def altered(self) -> int:
        """Number of rows added, changed or removed."""
        return self.added + self.changed + self.removed
