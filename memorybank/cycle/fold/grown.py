"""Finds the event logs with lines that are not folded yet."""

from __future__ import annotations

__light__ = True

from memorybank.log import events, lines
from memorybank.storage import beneath
from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

    from memorybank.cycle.base import CycleContext

_FEW = 2
"""Number of logs up to which each is looked at alone."""
_AT_ONCE = 500
"""Maximum number of names in one query."""


def logs(base: CycleContext, connection: Connection, session: str | None, since: int | None = None) -> list[tuple[str, int]]:
    """Return (name, offset folded so far) of the logs whose size differs from the offset. A log that is shorter was cut, and everything is folded again.

    since: if given, logs without an event since this instant (ms) and those of retired sessions are not looked at: only their own hooks add to them
    """
    own = events.name_of(session) if session is not None else ""
    if session is not None and since is None:
        return among(base, connection, [own])
    listed = events.listed(base.layout)
    if since is None:
        return among(base, connection, sorted(listed | _names(connection, "1")))
    # Of the logs that are asleep, perhaps ten thousand, only the names are compared.
    asleep = _names(connection, "name <> ? AND (retired OR last_at < ?)", own, since)
    return among(base, connection, sorted(listed ^ asleep | _names(connection, "name = ? OR (retired = 0 AND last_at >= ?)", own, since)))


def _names(connection: Connection, condition: str, *values: object) -> set[str]:
    """Return the names of the logs that were folded and meet a condition. They come as one text: many rows would take four times as long."""
    joined = connection.execute(f"SELECT group_concat(name, '/') FROM files WHERE {condition}", values).fetchone()[0]
    return set(joined.split("/")) if joined else set()


def among(base: CycleContext, connection: Connection, names: Iterable[str]) -> list[tuple[str, int]]:
    """Return the same as `logs`, for the logs with these names."""
    folder = events.folder(base.layout)
    wanted, found = [*names], []
    offsets = _offsets(connection, wanted)
    sizes = _sizes(folder, wanted) if len(wanted) > _FEW else {}
    for name in wanted:
        offset = offsets.get(name, 0)
        # A log that is missing or empty may have become a compressed one.
        if (sizes.get(name) or lines.size(os.path.join(folder, name))) != offset:
            found.append((name, offset))
    return found


def _offsets(connection: Connection, names: list[str]) -> dict[str, int]:
    """Return {name: offset folded so far} of those of these logs of which something is folded."""
    found: dict[str, int] = {}
    for at in range(0, len(names), _AT_ONCE):
        some = names[at : at + _AT_ONCE]
        found.update(connection.execute(f"SELECT name, offset FROM files WHERE name IN ({','.join('?' * len(some))})", some))
    return found


def _sizes(folder: str, names: list[str]) -> dict[str, int]:
    try:
        return beneath.sizes(folder, names)
    except FileNotFoundError:
        return {}
