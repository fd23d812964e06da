"""Which knowledge each moment asks for."""

from __future__ import annotations

__light__ = True

from memorybank.cycle import event as events
from memorybank.cycle.recall.knowledge import Knowledge
from memorybank.cycle.recall.query import FAILURE
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.event import Event
    from memorybank.cycle.recall.ranking import Memory
    from memorybank.cycle.recall.reading import Reading

_BEHIND = 0.7
"""Relevance of the best remark about a failure when a command that works is shown before it."""


class AfterFailure(Knowledge):
    """The knowledge that helps after a call has failed."""

    def find(self) -> list[Memory]:
        """Return what makes the call work, and what was said after similar failures."""
        from memorybank.cycle.know import called, launched

        failed = called.failed_call(self.event)
        found, remarks = self.problems_of_call(failed.forms, failed.command), self.after_failure(failed)
        started = launched.after_failure(self.earlier.connection, failed.command, failed.error, self.earlier.own) if failed.command else []
        found = [self.memories.of_problem(problem, 1.0) for problem in started] or found
        helps = any(one.memory not in self.reading.rejected for one in found)
        best = max((remark.rank for remark in remarks), default=1.0) / (_BEHIND if helps else 1.0)
        return found + [self.memories.of_passage(remark, best) for remark in remarks]


def find(reading: Reading, event: Event, connection: Connection | None) -> list[Memory]:
    """Return the knowledge that concerns this moment; [] when the cache is damaged, or locked for longer than a hook waits, or a name is no UTF-8."""
    if connection is None:
        return []
    try:
        known = _at(reading.query.moment)(reading, event, connection)
        return [*known.find(), *known.refused()]
    except (sqlite3.DatabaseError, UnicodeEncodeError):
        return []


def _at(moment: str) -> type[Knowledge]:
    if moment in (events.PROMPT, events.SUBAGENT_START):
        from memorybank.cycle.recall.at_prompt import AtPrompt  # late, as the next one: a call is not read as a prompt

        return AtPrompt
    if moment == events.TOOL_BEFORE:
        from memorybank.cycle.recall.at_call import AtCall

        return AtCall
    return AfterFailure if moment == FAILURE else Knowledge
