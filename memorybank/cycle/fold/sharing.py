"""Which anchors an agent has met in its session, and what shares each file with it: other agents, tasks, files and calls (the cross-impact of an event)."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.importance import SHARERS_COUNTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.fold.recorded import LogEvent

_OF_ONE_LINE = 8
"""Maximum number of anchors of one line that are stored."""
_BEYOND = f"SELECT value FROM sharers WHERE anchor = ? AND kind = ? ORDER BY value LIMIT 1 OFFSET {SHARERS_COUNTED}"


def share(connection: Connection, file: int, line: LogEvent) -> None:
    """Store the anchors of a line as met, and which agents, tasks, fingerprints and files each file among them occurs with."""
    anchors = line.anchors[:_OF_ONE_LINE]
    if not anchors or line.event == "tool_before":
        return
    shared = [("a", f"{line.session}/{line.agent}")]
    if line.task:
        shared.append(("t", line.task))
    if line.fingerprint:
        shared.append(("f", line.fingerprint))
    files = [anchor for anchor in anchors if anchor.startswith("file:")]
    rows = [(file_, kind, value) for file_ in files for kind, value in shared]
    add(connection, [*rows, *((file_, "f", other) for file_ in files for other in files if other is not file_)])
    connection.executemany("INSERT OR IGNORE INTO met VALUES (?, ?, ?)", [(file, line.agent, anchor) for anchor in anchors])


def add(connection: Connection, rows: list[tuple[str, str, str]]) -> None:
    """Add rows of `sharers`. Of each kind only the first values are kept: the readers count no more, and these do not depend on the order of folding."""
    for row in rows:
        if connection.execute("INSERT OR IGNORE INTO sharers VALUES (?, ?, ?)", row).rowcount:
            beyond = connection.execute(_BEYOND, row[:2]).fetchone()
            if beyond is not None:
                connection.execute("DELETE FROM sharers WHERE anchor = ? AND kind = ? AND value = ?", (*row[:2], beyond[0]))


def is_met(connection: Connection, file: int, agent: str, anchor: str) -> bool:
    """Return whether an agent touched the anchor earlier in this session: then it needed no memory for it."""
    return connection.execute("SELECT 1 FROM met WHERE file = ? AND agent = ? AND anchor = ?", (file, agent, anchor)).fetchone() is not None
