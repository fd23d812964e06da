"""The event logs, which hooks recorded: sessions, their lines, and whether a log is unaltered."""

from collections.abc import Sequence
from typing import Any

from memorybank import clock as time_of
from memorybank.bank import arguments
from memorybank.bank.arguments import BankFacade, Instant
from memorybank.log import chain, sessions
from memorybank.log import events as event_log
from memorybank.log.chain import SessionCheck
from memorybank.log.sessions import SessionOverview

Fields = dict[str, Any]


class Log(BankFacade):
    """The event logs of this machine. Changes nothing."""

    def sessions(self, *, limit: int | None = None) -> list[SessionOverview]:
        """Return every recorded session, starting with the one that has the newest line.

        limit: maximum number; the logs of older sessions are then not read
        """
        if limit is not None:
            arguments.at_least(limit, 0, "limit")
        return sessions.listing(self._bank.layout, limit)

    def lines(
        self, session: str, *, events: Sequence[str] = (), tools: Sequence[str] = (), statuses: Sequence[str] = (), since: Instant | None = None
    ) -> list[Fields]:
        """Return the lines of one session in order.

        session: its id, or a unique beginning of it
        events, tools, statuses: return only lines with one of these; () for all
        since: return only lines from this instant on
        """
        for name in events:
            arguments.one_of(name, event_log.EVENTS, "events")
        for name in statuses:
            arguments.one_of(name, event_log.STATUSES, "statuses")
        layout = self._bank.layout
        first = arguments.instant(self._bank, since, "since")
        found = (line.fields for line in event_log.read(layout, sessions.find(layout, session)))
        return [
            fields
            for fields in found
            if (not events or fields.get("event") in events)
            and (not tools or fields.get("tool") in tools)
            and (not statuses or fields.get("status") in statuses)
            and (first is None or (time_of.parse(str(fields.get("timestamp"))) or 0) >= first)
        ]

    def newest(self, count: int) -> list[Fields]:
        """Return the last `count` lines of all sessions together, oldest first."""
        arguments.at_least(count, 0, "count")
        return sessions.newest(self._bank.layout, count)

    def verify(self) -> list[SessionCheck]:
        """Check every session's chain of signatures, and every text against its digest."""
        layout = self._bank.layout
        return chain.check(layout, sessions.heads(layout))
