"""What the start of a session is given of the episodes. Pure: the list, the summaries of sessions that a hook has at hand, and a budget in,
one block out.

A hook does not read whole logs. It knows of a session what its summary says, item by item with its instant; a day of a session counts as
told when a shown entry covers any of it (what was imported since then waits for the next update).
Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.episodes import fitting, window
from memorybank.episodes.daylog import DayLog, Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from memorybank.episodes.calendar import Calendar
    from memorybank.episodes.entry import Episode
    from memorybank.episodes.fitting import Block
    from memorybank.episodes.window import Piece, Raw

BUDGET = 1_500
"""UTF-16 units of the hook's budget at the start of a session."""
_PIECE = 240
"""Characters about a session and day that no episode tells."""


class NotedDay(DayLog):
    """A day of a session as its summary tells it."""

    __slots__ = ()

    def told(self, known: Collection[str]) -> int:
        return len(self.messages) if known else 0


def noted(source: str, items: Iterable[tuple[int, str]], calendar: Calendar) -> list[NotedDay]:
    """The days of one session's summary. source: `events/<session>`; items: (instant in ms, what it says), those of its summary that
    everybody may see."""
    days: dict[str, list[Message]] = {}
    for number, (at, text) in enumerate(items):
        days.setdefault(calendar.day_of(at), []).append(Message(at, "agent", text, str(number)))
    return [NotedDay(date, source, messages) for date, messages in sorted(days.items())]


def for_session_start(
    entries: Sequence[Episode],
    raw: Raw,
    lookback: int,
    sessions: Iterable[NotedDay],
    unfold: Callable[[Episode], Sequence[Episode]],
    *,
    told_besides: Collection[str] = (),
    budget: int = BUDGET,
) -> Block | None:
    """The block, or None when there is nothing to show or the lookback is 0.

    raw: what this session still has in its raw log: itself from its start, or from its last host compact, on. told_besides: sources that
    another part of the same injection tells (the last session); of them no few words are added.
    """
    selection = window.select(raw, lookback, entries, (day for day in sessions if day.source not in told_besides), unfold)
    if selection is None:
        return None
    block = fitting.compose(selection, _words, budget)
    return block if block.text else None


def _words(piece: Piece) -> str:
    """As many of a summary's items as fit, the first ones: what was wanted and how it came out stand there."""
    found: list[str] = []
    room = _PIECE
    for message in piece.messages:
        text = " ".join(message.text.split())
        if len(text) + 2 > room:
            break
        found.append(text)
        room -= len(text) + 2
    return "; ".join(found) or (" ".join(piece.messages[0].text.split())[: _PIECE - 1] + "…")
