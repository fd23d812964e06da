"""Documents: the episodes of one date as one text, which search and recall know as `episode:2025-09-17`.

A document holds the date's summary and its late supplements, or the summary of a merged week. Records that only say that there is no summary are left
out.
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
    """Return {document name: its entries}, in the order of the list."""
    found: dict[str, list[Episode]] = {}
    for entry in entries:
        if entry.first and entry.summary.strip() and not entry.is_error:
            found.setdefault(entry.memory, []).append(entry)
    return found


def text_of(entries: Sequence[Episode]) -> str:
    """Return the text of a document. Entries that may be shown to an agent come first."""
    return "\n\n".join(entry.summary.strip() for entry in sorted(entries, key=lambda entry: not entry.is_told))


def now(layout: Layout, memory: str) -> str:
    """Return the current text of a document, read from the list; "" when the list has no such document."""
    return text_of(grouped(store.read(layout).entries).get(memory, ()))
