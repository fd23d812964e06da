"""What the start of a session computes of each of the last days, kept in the cache of hooks for the starts after it."""

from __future__ import annotations

__light__ = True

from memorybank import bytecode
from memorybank.storage import jsontext
from memorybank.storage.answering import answer
from memorybank.storage.digest import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterator
    from typing import Any

_DAY = "day:"
"""The beginning of their keys in `renderings`, where sessions have theirs."""


class ToldDays:
    """What was computed of each day before, by the same code (`episodes.fitting.compose`). Code without a compiled file keeps nothing."""

    def __init__(self, connection: Connection | None) -> None:
        self.connection = connection
        self.code = bytecode.version()
        self._found: dict[str, tuple[dict[str, Any], int]] = {}

    def __call__(self, text: str) -> dict[str, Any]:
        """Return what was computed of a text. What is added to it is kept."""
        key = _DAY + sha256(f"{self.code}\n{text}".encode("utf-8", "replace")).hex()
        if key not in self._found:
            asked = "SELECT body FROM renderings WHERE session = ?"
            row = answer(self.connection if self.code else None, None, lambda cycle: cycle.execute(asked, (key,)).fetchone())
            told = jsontext.decode(row[0]) if row is not None else {}
            self._found[key] = told, len(told)
        return self._found[key][0]

    def new(self) -> Iterator[tuple[str, str]]:
        """Yield (key, text) of what was computed now; nothing when a source was changed meanwhile."""
        if self.code and self.code == bytecode.version():
            yield from ((key, jsontext.encode(told)) for key, (told, before) in self._found.items() if len(told) > before)
