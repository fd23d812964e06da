"""ORGANIZE: micro after every result (Self-improving memory cycle, phase 2: every PostToolUse).

Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.cycle import cache, fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.base import Base
    from memorybank.cycle.event import Event

_LINES_OF_MICRO = 50
"""Lines that one result may have to fold: its own, and what hooks left that found the cache busy."""


def micro(base: Base, event: Event) -> None:
    """Fold what this session's log has new. A cache that somebody else writes is left alone: the next fold takes these lines too."""
    fold.fold(base, cache.writable(base.layout), session=event.session_id, limit=_LINES_OF_MICRO)
