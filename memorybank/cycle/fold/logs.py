"""The fold: new lines of the event logs into the tables of the cycle's cache, each file from where the last fold stopped.

The rows of a line depend only on earlier lines of the same file. So folds may happen in any order, in any process and in any portions, and the tables are
those of a single fold of everything. A log has lines that are not folded yet where its size differs from the offset of the last fold.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import cache, ticked
from memorybank.cycle.fold.log_file import LogFile
from memorybank.cycle.fold.schema import EXTRACTED_LOG, EXTRACTED_OFFSET
from memorybank.log import events, lines
from memorybank.storage import beneath, database
from memorybank.storage import system as os
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

    from memorybank.cycle.base import CycleContext

_FEW = 2
"""Number of logs up to which each is looked at alone."""
_AT_ONCE = 500
"""Maximum number of names in one query."""


def fold(
    base: CycleContext, connection: Connection, *, session: str | None = None, since: int | None = None, limit: int | None = None, wait: bool = False
) -> int:
    """Fold new lines in one transaction. Returns the number of folded lines, 0 when another process is writing the cache.

    session: only the log of this session (a hook knows which one it wrote)
    since: in addition, the logs that are new or have an event at or after this instant (ms): logs of many years need not all be checked
    limit: maximum number of lines; the rest is for the next fold
    wait: whether to raise SQLite's error after the connection's busy time instead of returning 0 (`cache.CacheConnection` makes it a typed error)
    """
    try:
        folded = 0
        changed = grown(base, connection, session, since)
        if changed:
            with database.transaction(connection):
                folded = _fold_all(base, connection, session, [name for name, _ in changed], limit)
        ticked.catch_up(base, connection)
        if lines.size(os.path.join(base.layout.log, EXTRACTED_LOG)) != cache.value(connection, EXTRACTED_OFFSET):
            from memorybank.cycle.fold import extracted

            extracted.catch_up(base, connection)
        return folded
    except sqlite3.OperationalError as error:
        if wait or not database.is_busy(error):
            raise
        return 0


def fold_named(base: CycleContext, connection: Connection, names: list[str], limit: int) -> int:
    """Fold new lines of these event logs in one transaction, at most `limit`. Returns their number."""
    if not among(base, connection, names):
        return 0
    with database.transaction(connection):
        return _fold_all(base, connection, None, names, limit)


def _fold_all(base: CycleContext, connection: Connection, session: str | None, names: list[str], limit: int | None) -> int:
    """Fold the logs that grew, as they are inside the transaction; all logs when one was cut."""
    # Another process may have folded the same lines before this transaction began.
    changed = among(base, connection, names)
    if any(lines.size(os.path.join(events.folder(base.layout), name)) < offset for name, offset in changed):
        cache.clear(connection)
        cache.discard_restoring(base.layout)
        changed = grown(base, connection, session)
    folded = 0
    for name, offset in changed:
        if limit is not None and folded >= limit:
            break
        log = LogFile(base, connection, name, offset)
        if log.is_retired:
            from memorybank.cycle.fold import retired  # late: hardly anybody continues a session after a month

            folded += retired.restore(base, connection, log, None if limit is None else limit - folded)
        if not log.is_retired:
            folded += log.fold(None if limit is None else limit - folded)
    return folded


def grown(base: CycleContext, connection: Connection, session: str | None, since: int | None = None) -> list[tuple[str, int]]:
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
    """Return the same as `grown`, for the logs with these names."""
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
