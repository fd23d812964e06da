"""What hooks recorded, as a person asks for it: sessions, their lines, whether the log is what was written."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memorybank import clock as time_of
from memorybank.log import chain, events, sessions
from memorybank.log.chain import SessionCheck
from memorybank.log.sessions import Session

if TYPE_CHECKING:
    from memorybank.bank.bank import Bank

Fields = dict[str, Any]


class LineFilter(NamedTuple):
    """Which lines are asked for; () and None ask for all. since: the earliest instant (ms)."""

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
    """The event logs of this machine. Reads only."""

    def __init__(self, bank: "Bank") -> None:
        self._bank = bank

    def sessions(self) -> list[Session]:
        """Every recorded session, the one with the newest line first."""
        return sessions.listing(self._bank.layout)

    def lines(self, session: str, wanted: LineFilter | None = None) -> list[Fields]:
        """The lines of one session in order. session: its id, or the beginning of it as far as that names only one."""
        layout = self._bank.layout
        found = events.read(layout, sessions.find(layout, session))
        return [line.fields for line in found if wanted is None or wanted.accept(line.fields)]

    def newest(self, count: int) -> list[Fields]:
        """The last lines of all sessions together, the oldest of them first."""
        return sessions.newest(self._bank.layout, count)

    def verify(self) -> list[SessionCheck]:
        """Every session's chain of signatures followed again, and every text compared with its digest."""
        layout = self._bank.layout
        return chain.check(layout, sessions.heads(layout))
