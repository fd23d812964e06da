"""Selects the sessions that a model reads for `memorybank know extract`, and counts the text that would be sent."""

from typing import Any, NamedTuple

from memorybank import clock as time_of
from memorybank.bank import cycle_cache
from memorybank.bank.opened import OpenBank
from memorybank.cycle.finish import extraction
from memorybank.errors import NotFound
from memorybank.log import sessions
from memorybank.log.sessions import FINISHED
from memorybank.summarize.summarizer import DIGEST_CHARACTERS


class SessionToRead(NamedTuple):
    """One session that a model would read.

    at: instant (ms) of its last line
    characters: number of characters that would be sent
    """

    session: str
    at: int
    characters: int

    def to_json(self) -> dict[str, Any]:
        return {"session": self.session, "last": time_of.isoformat(self.at), "characters": self.characters}


def names(bank: OpenBank, session: str | None, *, every: bool) -> list[str]:
    """Return the names of the logs to read: of one session, of every finished one (oldest first), or of the one that finished last.

    session: its id, or a unique beginning of it
    Raises `NotFound` for an unknown session, and when none has finished.
    """
    if session is not None:
        return [sessions.find(bank.layout, session)]
    found = [one.name for one in sessions.listing(bank.layout) if one.state == FINISHED]
    if not found:
        raise NotFound("no recorded session has finished", next_step="list the sessions with: memorybank log list; name one with --session")
    return found[::-1] if every else found[:1]


def due(bank: OpenBank, chosen: list[str], by: str, *, again: bool) -> list[SessionToRead]:
    """Return the sessions that a model named `by` would read, with the number of characters that it would get."""
    records = extraction.due(cycle_cache.base_of(bank), chosen, by, again=again)
    return [SessionToRead(record.session, record.at, len(record.digest(DIGEST_CHARACTERS))) for record in records]
