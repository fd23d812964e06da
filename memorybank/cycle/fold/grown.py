"""Finds the event logs with lines that are not folded yet."""

from __future__ import annotations

__light__ = True

from memorybank.log import events, lines
from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

    from memorybank.cycle.base import CycleContext


def logs(base: CycleContext, connection: Connection, session: str | None, since: int | None = None) -> list[tuple[str, int]]:
    """Return (name, offset folded so far) of the logs whose size differs from the offset. A log that is shorter was cut, and everything is folded again."""
    if session is not None and since is None:
        return among(base, connection, [events.name_of(session)])
    known = dict(connection.execute("SELECT name, offset FROM files"))
    asleep: dict[str, int] = {}
    if since is not None:
        own = events.name_of(session) if session is not None else ""
        asleep = dict(connection.execute("SELECT name, offset FROM files WHERE last_at < ? AND name <> ?", (since, own)))
    sizes = events.sizes(base.layout, asleep)
    found = [(name, known.get(name, 0)) for name, size in sizes.items() if size != known.get(name, 0)]
    return sorted(found) + [(name, offset) for name, offset in known.items() if offset and name not in sizes]


def among(base: CycleContext, connection: Connection, names: Iterable[str]) -> list[tuple[str, int]]:
    """Return the same as `logs`, for the logs with these names."""
    folder = events.folder(base.layout)
    found = []
    for name in names:
        row = connection.execute("SELECT offset FROM files WHERE name = ?", (name,)).fetchone()
        offset = row[0] if row else 0
        if lines.size(os.path.join(folder, name)) != offset:
            found.append((name, offset))
    return found
