"""Elastic injection, first step: a selection that shows every event of the last days exactly once.

Events in the raw log that the host still sends are shown by that log. Earlier events are shown by the episode that covers them. The rest, which is what
no shown episode covers and what is on or after the boundary's day but not in the raw log, is shown as a few words about its session and day.
Source: episodic memory specification, section 2 (no repetition, no gap) and 4 B.
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes import dates
from memorybank.episodes.union import union

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from memorybank.episodes.daylog import DayLog, DayMessage
    from memorybank.episodes.entry import Episode

CHAT = "chat/"
NOTED = "noted:"
"""Prefix of the names of pieces."""


class RawLog:
    """The raw log that is about to be sent.

    at: the boundary, its oldest instant (ms)
    date: the boundary's day
    sources: the sources whose messages it holds from the boundary on; None for all sources
    """

    __slots__ = ("at", "date", "sources")

    def __init__(self, at: int, date: str, sources: Collection[str] | None = None) -> None:
        self.at = at
        self.date = date
        self.sources = sources

    def __repr__(self) -> str:
        return f"RawLog(at={self.at!r}, date={self.date!r}, sources={self.sources!r})"

    def holds(self, source: str, message: DayMessage) -> bool:
        """Return whether the raw log contains a message."""
        return message.at >= self.at and (self.sources is None or source in self.sources)


class UncoveredMessages:
    """Messages of one source and day that neither the raw log nor an episode shows; a few words stand for them."""

    __slots__ = ("date", "messages", "source")

    def __init__(self, date: str, source: str, messages: Sequence[DayMessage]) -> None:
        self.date = date
        self.source = source
        self.messages = tuple(messages)

    @property
    def memory(self) -> str:
        """The name of the piece in a session's log: `noted:<source>/<date>@<instant of the last message>`.

        With the instant in it, a later block can show only what came after it.
        """
        return f"{NOTED}{self.source}/{self.date}@{max(message.at for message in self.messages)}"

    def __repr__(self) -> str:
        return f"UncoveredMessages({self.date!r}, {self.source!r}, {len(self.messages)})"


class EpisodeSelection:
    """What a block is made of.

    first: the earliest date
    boundary: the date of the boundary
    entries, pieces: oldest first
    unfolded: merged weeks of which only some days are shown
    lost: merged weeks that cross an edge of the window and whose archive does not hold their days
    """

    __slots__ = ("boundary", "entries", "first", "lost", "pieces", "unfolded")

    def __init__(
        self, first: str, boundary: str, entries: Sequence[Episode], pieces: Sequence[UncoveredMessages], unfolded: Sequence[Episode], lost: Sequence[Episode]
    ) -> None:
        self.first = first
        self.boundary = boundary
        self.entries = tuple(entries)
        self.pieces = tuple(pieces)
        self.unfolded = tuple(unfolded)
        self.lost = tuple(lost)


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
    unfolded: list[Episode] = []
    lost: list[Episode] = []
    for entry in entries:
        if not entry.is_told or entry.last < first or entry.first >= raw.date:
            continue
        if _is_within(entry, first, raw.date):
            found.append(entry)
            continue
        # A merged week that crosses an edge of the window is replaced by its days.
        days = unfold(entry)
        (unfolded if days else lost).append(entry)
        found += [day for day in days if day.is_told and _is_within(day, first, raw.date)]
    shown, _ = union(found)
    pieces = [piece for log in logs if log.date >= first and (piece := _untold(log, raw, shown)) is not None]
    return EpisodeSelection(first, raw.date, shown, sorted(pieces, key=_order), unfolded, lost)


def _is_within(entry: Episode, first: str, boundary: str) -> bool:
    return first <= entry.first and entry.last < boundary


def _untold(log: DayLog, raw: RawLog, shown: Sequence[Episode]) -> UncoveredMessages | None:
    begin = _told(log, shown) if log.date < raw.date else 0
    messages = [message for message in log.messages[begin:] if not raw.holds(log.source, message)]
    return UncoveredMessages(log.date, log.source, messages) if messages else None


def _told(log: DayLog, shown: Sequence[Episode]) -> int:
    """Return how many messages of a day the shown entries cover."""
    # Entries of another program carry no digests; they cover the complete chat of their dates.
    if log.source.startswith(CHAT) and any(not entry.has_covers and entry.first <= log.date <= entry.last for entry in shown):
        return len(log.messages)
    return log.told({digest for entry in shown for date, source, digest in entry.covers if date == log.date and source == log.source})


def _order(piece: UncoveredMessages) -> tuple[str, int, str]:
    return piece.date, piece.messages[0].at, piece.source
