"""The part of the episodes that is shown at the start of a session: from a selection, what the agent already has and a budget to one block.

A hook does not read whole logs. Of a session it knows the items of the session's summary, each with its instant. A day of a session counts as covered
when a shown entry covers any part of it; messages imported since then wait for the next update.
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes import fitting
from memorybank.episodes.daylog import DayLog, DayMessage
from memorybank.episodes.window import NOTED, EpisodeSelection, UncoveredMessages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from memorybank.episodes.calendar import LocalCalendar
    from memorybank.episodes.fitting import EpisodeBlock

_PIECE = 240
"""Maximum characters about a session and day that no episode covers."""
FOR_EVER = 1 << 62


class NotedDay(DayLog):
    """A day of a session, made of the items of the session's summary."""

    __slots__ = ()

    def told(self, known: Collection[str]) -> int:
        """Return the number of covered messages: all as soon as any digest is known, because the items have no digests of their own."""
        return len(self.messages) if known else 0


def noted(source: str, items: Iterable[tuple[int, str]], calendar: LocalCalendar) -> list[NotedDay]:
    """Return the days of one session's summary.

    source: `events/<session>`
    items: (instant in ms, text) of the summary's items that everybody may see, most useful for continuing the work first
    """
    days: dict[str, list[DayMessage]] = {}
    for number, (at, text) in enumerate(items):
        days.setdefault(calendar.day_of(at), []).append(DayMessage(at, "agent", text, str(number)))
    return [NotedDay(date, source, messages) for date, messages in sorted(days.items())]


def block(selection: EpisodeSelection, given: Collection[str], besides: Mapping[str, int], budget: int) -> EpisodeBlock | None:
    """Return the block that fits the budget, None when there is nothing to show.

    given: memories that the agent has already received; they are not shown again
    besides: {source: the instant (ms) up to which another part of the same injection covers it}
    budget: UTF-16 units
    """
    left = untold(selection, given, besides)
    found = fitting.compose(left, _words, budget)
    return found if found.text else None


def untold(selection: EpisodeSelection, given: Collection[str], besides: Mapping[str, int]) -> EpisodeSelection:
    """Return the rest of a selection after removing what the agent already has; `given` and `besides` as in `block`.

    An episode is removed too when other parts of the injection cover all of its sources.
    """
    known = dict(_instants(given))
    entries = [entry for entry in selection.entries if entry.memory not in given and not _is_besides(entry.covers, besides)]
    pieces = []
    for piece in selection.pieces:
        until = max(known.get((piece.source, piece.date), -1), besides.get(piece.source, -1))
        messages = [message for message in piece.messages if message.at > until]
        if messages:
            pieces.append(UncoveredMessages(piece.date, piece.source, messages))
    return EpisodeSelection(selection.first, selection.boundary, entries, pieces, selection.unfolded, selection.lost)


def telling(selection: EpisodeSelection, source: str) -> set[str]:
    """Return the memories of the selected episodes that cover a source together with other sources. Showing one of them also covers that source."""
    return {entry.memory for entry in selection.entries if source in (covered := {name for _, name, _ in entry.covers}) and len(covered) > 1}


def sources_in(selection: EpisodeSelection, shown: Collection[str]) -> set[str]:
    """Return every source that these memories cover."""
    found = {source for entry in selection.entries if entry.memory in shown for _, source, _ in entry.covers}
    return found | {memory[len(NOTED) :].rpartition("@")[0].rpartition("/")[0] for memory in shown if memory.startswith(NOTED)}


def _is_besides(covers: Collection[tuple[str, str, str]], besides: Mapping[str, int]) -> bool:
    return bool(covers) and all(source in besides for _, source, _ in covers)


def _instants(given: Collection[str]) -> Iterable[tuple[tuple[str, str], int]]:
    """Return ((source, date), latest instant already shown), from the names of pieces."""
    found: dict[tuple[str, str], int] = {}
    for memory in given:
        if memory.startswith(NOTED):
            name, _, at = memory[len(NOTED) :].rpartition("@")
            source, _, date = name.rpartition("/")
            if at.isascii() and at.isdigit():
                found[source, date] = max(found.get((source, date), -1), int(at))
    return found.items()


def _words(piece: UncoveredMessages) -> str:
    """Return as many of a summary's items as fit, in order: the first ones say what was wanted and how it ended."""
    found: list[str] = []
    room = _PIECE
    for message in piece.messages:
        text = " ".join(message.text.split())
        if len(text) + 2 > room:
            break
        found.append(text)
        room -= len(text) + 2
    return "; ".join(found) or (" ".join(piece.messages[0].text.split())[: _PIECE - 1] + "…")
