"""Elastic injection, first step: a selection that shows every event of the last days exactly once.

Events in the raw log that the host still sends are shown by that log. Earlier events are shown by the episode that covers them. The rest, which is what
no shown episode covers and what is on or after the boundary's day but not in the raw log, is shown as a few words about its session and day.
Source: episodic memory specification, section 2 (no repetition, no gap) and 4 B.
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes import dates
from memorybank.episodes.daylog import DayLog, DayMessage
from memorybank.episodes.entry import CHAT
from memorybank.episodes.union import union
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from memorybank.episodes.dates import LocalCalendar
    from memorybank.episodes.entry import Episode

NOTED = "noted:"
"""Prefix of the names of pieces."""


class RawLog(Value):
    """The raw log that is about to be sent.

    at: the boundary, its oldest instant (ms)
    date: the boundary's day
    sources: the sources whose messages it holds from the boundary on; None for all sources
    """

    at: int
    date: str
    sources: Collection[str] | None = None

    def holds(self, source: str, message: DayMessage) -> bool:
        """Return whether the raw log contains a message."""
        return message.at >= self.at and (self.sources is None or source in self.sources)


class UncoveredMessages(Value):
    """Messages of one source and day that neither the raw log nor an episode shows; a few words represent them."""

    date: str
    source: str
    messages: tuple[DayMessage, ...]

    @property
    def memory(self) -> str:
        """The name of the piece in a session's log: `noted:<source>/<date>@<instant of the last message>`.

        With the instant in it, a later block can show only what came after it.
        """
        return f"{NOTED}{self.source}/{self.date}@{max(message.at for message in self.messages)}"


class EpisodeSelection(Value):
    """The material of a block. boundary: its date; entries, pieces: oldest first."""

    boundary: str
    entries: tuple[Episode, ...]
    pieces: tuple[UncoveredMessages, ...]


class NotedDay(DayLog):
    """A day of a session, made of the items of the session's summary, because a hook does not read complete logs.

    Such a day counts as covered when a shown entry covers any part of it; messages imported since then wait for the next update.
    """

    __slots__ = ()

    def covered_count(self, known: Collection[str]) -> int:
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


def select(
    raw: RawLog, lookback: int, entries: Iterable[Episode], logs: Iterable[DayLog], unfold: Callable[[Episode], Sequence[Episode]]
) -> EpisodeSelection | None:
    """Return what to show next to a raw log; None when the lookback is 0, which turns the feature off.

    lookback: number of days before the boundary
    logs: the day logs from `boundary − lookback` on; earlier ones are ignored
    unfold: returns the original entries of a merged week
    """
    if lookback <= 0:
        return None
    first = dates.plus(raw.date, -lookback)
    found: list[Episode] = []
    for entry in entries:
        if not entry.is_showable or entry.last < first or entry.first >= raw.date:
            continue
        if _is_within(entry, first, raw.date):
            found.append(entry)
            continue
        # A merged week that crosses an edge of the window is replaced by its days.
        found += [day for day in unfold(entry) if day.is_showable and _is_within(day, first, raw.date)]
    shown, _ = union(found)
    pieces = [piece for log in logs if log.date >= first and (piece := _uncovered(log, raw, shown)) is not None]
    return EpisodeSelection(raw.date, tuple(shown), tuple(sorted(pieces, key=_order)))


def without_known(selection: EpisodeSelection, given: Collection[str], covered: Collection[str]) -> EpisodeSelection:
    """Return the rest of a selection after removing what the agent already has.

    given: memories that the agent has already received
    covered: sources that other parts of the same injection cover; an episode all of whose sources are among them is removed too
    """
    known = _latest_instants(given)
    entries = [entry for entry in selection.entries if entry.memory not in given]
    entries = [entry for entry in entries if not entry.covers or any(source not in covered for _, source, _ in entry.covers)]
    pieces = []
    for piece in selection.pieces:
        until = known.get((piece.source, piece.date), -1)
        messages = tuple(message for message in piece.messages if message.at > until)
        if messages and piece.source not in covered:
            pieces.append(UncoveredMessages(piece.date, piece.source, messages))
    return EpisodeSelection(selection.boundary, tuple(entries), tuple(pieces))


def _latest_instants(given: Collection[str]) -> dict[tuple[str, str], int]:
    """Return {(source, date): latest instant already shown}, from the names of pieces."""
    found: dict[tuple[str, str], int] = {}
    for memory in given:
        if memory.startswith(NOTED):
            name, _, at = memory[len(NOTED) :].rpartition("@")
            source, _, date = name.rpartition("/")
            if at.isascii() and at.isdigit():
                found[source, date] = max(found.get((source, date), -1), int(at))
    return found


def _is_within(entry: Episode, first: str, boundary: str) -> bool:
    return first <= entry.first and entry.last < boundary


def _uncovered(log: DayLog, raw: RawLog, shown: Sequence[Episode]) -> UncoveredMessages | None:
    begin = _covered_count(log, shown) if log.date < raw.date else 0
    messages = tuple(message for message in log.messages[begin:] if not raw.holds(log.source, message))
    return UncoveredMessages(log.date, log.source, messages) if messages else None


def _covered_count(log: DayLog, shown: Sequence[Episode]) -> int:
    """Return how many messages of a day the shown entries cover."""
    if log.source.startswith(CHAT) and any(entry.covers_chat_of(log.date) for entry in shown):
        return len(log.messages)
    return log.covered_count({digest for entry in shown for date, source, digest in entry.covers if date == log.date and source == log.source})


def _order(piece: UncoveredMessages) -> tuple[str, int, str]:
    return piece.date, piece.messages[0].at, piece.source
