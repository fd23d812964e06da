"""What the list tells of one date, as one text: the document that search and recall know as `episode:2025-09-17`. Pure, but for `now`.

The entries of a date are its summary and the supplements that came late; of a week, the merged one. What only says that there is no
summary is no part of it.
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes import store
from memorybank.episodes.entry import Episode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memorybank.storage.layout import Layout


def grouped(entries: Iterable[Episode]) -> dict[str, list[Episode]]:
    """{name of a document: its entries}, in the order of the list."""
    found: dict[str, list[Episode]] = {}
    for entry in entries:
        if entry.first and entry.summary.strip() and not entry.is_error:
            found.setdefault(entry.memory, []).append(entry)
    return found


def text_of(entries: Sequence[Episode]) -> str:
    """The text of a document: what its entries say, what can be told to an agent first."""
    return "\n\n".join(entry.summary.strip() for entry in sorted(entries, key=lambda entry: not entry.is_told))


def now(layout: Layout, memory: str) -> str:
    """The text of a document as the list says it at this moment; "" when it says nothing of it."""
    return text_of(grouped(store.read(layout).entries).get(memory, ()))
