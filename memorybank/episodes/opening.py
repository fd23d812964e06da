"""What the start of a session is given of the episodes. Pure: what is selected, what its agent got already and a budget in, one block out.

A hook does not read whole logs. It knows of a session what its summary says, item by item with its instant; a day of a session counts as
told when a shown entry covers any of it (what was imported since then waits for the next update).
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes import fitting
from memorybank.episodes.daylog import DayLog, Message
from memorybank.episodes.window import NOTED, Piece, Selection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from memorybank.episodes.calendar import Calendar
    from memorybank.episodes.fitting import Block

_PIECE = 240
"""Characters about a session and day that no episode tells."""
FOR_EVER = 1 << 62


class NotedDay(DayLog):
    """A day of a session as its summary tells it."""

    __slots__ = ()

    def told(self, known: Collection[str]) -> int:
        return len(self.messages) if known else 0


def noted(source: str, items: Iterable[tuple[int, str]], calendar: Calendar) -> list[NotedDay]:
    """The days of one session's summary. source: `events/<session>`; items: (instant in ms, what it says) as somebody who goes on needs them
    first, those of its summary that everybody may see."""
    days: dict[str, list[Message]] = {}
    for number, (at, text) in enumerate(items):
        days.setdefault(calendar.day_of(at), []).append(Message(at, "agent", text, str(number)))
    return [NotedDay(date, source, messages) for date, messages in sorted(days.items())]


def block(selection: Selection, given: Collection[str], besides: Mapping[str, int], budget: int) -> Block | None:
    """What fits into so many UTF-16 units, or None.

    given: memories that the agent got already, which are not told again; besides: {source: the instant up to which another part of the
    same injection tells it}.
    """
    left = untold(selection, given, besides)
    found = fitting.compose(left, _words, budget)
    return found if found.text else None


def untold(selection: Selection, given: Collection[str], besides: Mapping[str, int]) -> Selection:
    """What is left of a selection; `given` and `besides` as above. An episode of which all is told elsewhere goes too."""
    known = dict(_instants(given))
    entries = [entry for entry in selection.entries if entry.memory not in given and not _is_besides(entry.covers, besides)]
    pieces = []
    for piece in selection.pieces:
        until = max(known.get((piece.source, piece.date), -1), besides.get(piece.source, -1))
        messages = [message for message in piece.messages if message.at > until]
        if messages:
            pieces.append(Piece(piece.date, piece.source, messages))
    return Selection(selection.first, selection.boundary, entries, pieces, selection.unfolded, selection.lost)


def telling(selection: Selection, source: str) -> set[str]:
    """The memories of the selected episodes that tell a source together with others: who shows one of them has told its part of the source."""
    return {entry.memory for entry in selection.entries if source in (covered := {name for _, name, _ in entry.covers}) and len(covered) > 1}


def sources_in(selection: Selection, shown: Collection[str]) -> set[str]:
    """Every source that these memories tell of."""
    found = {source for entry in selection.entries if entry.memory in shown for _, source, _ in entry.covers}
    return found | {memory[len(NOTED) :].rpartition("@")[0].rpartition("/")[0] for memory in shown if memory.startswith(NOTED)}


def _is_besides(covers: Collection[tuple[str, str, str]], besides: Mapping[str, int]) -> bool:
    return bool(covers) and all(source in besides for _, source, _ in covers)


def _instants(given: Collection[str]) -> Iterable[tuple[tuple[str, str], int]]:
    """((source, date), the latest instant told of it), from the names of pieces."""
    found: dict[tuple[str, str], int] = {}
    for memory in given:
        if memory.startswith(NOTED):
            name, _, at = memory[len(NOTED) :].rpartition("@")
            source, _, date = name.rpartition("/")
            if at.isascii() and at.isdigit():
                found[source, date] = max(found.get((source, date), -1), int(at))
    return found.items()


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
