"""What a fold tells: while it works, and afterwards."""

from collections.abc import Callable
from typing import TypeAlias

from memorybank.errors import Problem

Progress: TypeAlias = Callable[[int, int], None]
"""Called with (done, total) notes while a fold reads."""


class FoldReport:
    """What one fold did. read: files opened; rows written: added, changed, removed; rescored: notes whose score was computed;
    left: notes that changed and were not taken in, because only so many were to be."""

    __slots__ = ("added", "changed", "found", "left", "problems", "read", "removed", "rescored")

    def __init__(self, found: int = 0, problems: list[Problem] | None = None) -> None:
        self.found = found
        self.read = self.added = self.changed = self.removed = self.rescored = self.left = 0
        self.problems = problems or []

    @property
    def altered(self) -> int:
        return self.added + self.changed + self.removed
