"""The event logs, which hooks recorded: sessions, their lines, and whether a log is unaltered."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memorybank import clock as time_of
from memorybank.log import chain, events, sessions
from memorybank.log.chain import SessionCheck
from memorybank.log.sessions import SessionOverview

if TYPE_CHECKING:
    from memorybank.bank.bank import Bank

Fields = dict[str, Any]


class LineFilter(NamedTuple):
    """Selects lines. () and None select all. since: the earliest instant (ms)"""

    events: Sequence[str] = ()
    tools: Sequence[str] = ()
    statuses: Sequence[str] = ()
    since: int | None = None

    def accept(self, fields: Fields) -> bool:
        return (
            (not self.events or fields.get("event") in self.events)
            and (not self.tools or fields.get("tool") in self.tools)
            and (not self.statuses or fields.get("status") in self.statuses)
            and (self.since is None or (time_of.parse(str(fields.get("timestamp"))) or 0) >= self.since)
        )


class Log:
    """The event logs of this machine. Changes nothing."""

    def __init__(self, bank: "Bank") -> None:
        self._bank = bank

    def sessions(self) -> list[SessionOverview]:
        """Return every recorded session, starting with the one that has the newest line."""
        return sessions.listing(self._bank.layout)

    def lines(self, session: str, wanted: LineFilter | None = None) -> list[Fields]:
        """Return the lines of one session in order.

        session: its id, or a unique beginning of it
        """
        layout = self._bank.layout
        found = events.read(layout, sessions.find(layout, session))
        return [line.fields for line in found if wanted is None or wanted.accept(line.fields)]

    def newest(self, count: int) -> list[Fields]:
        """Return the last lines of all sessions together, oldest first."""
        return sessions.newest(self._bank.layout, count)

    def verify(self) -> list[SessionCheck]:
        """Check every session's chain of signatures, and every text against its digest."""
        layout = self._bank.layout
        return chain.check(layout, sessions.heads(layout))
