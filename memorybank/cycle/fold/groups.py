"""Groups: calls of one fingerprint by one agent, close in time and of one cell, combined into one memory with a count."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import UNKNOWN
from memorybank.cycle.fold import cache, wording
from memorybank.cycle.fold.schema import GROUP
from memorybank.storage import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.fold.recorded import LogEvent

# The unary plus keeps SQLite from using an index on that column instead of the one on the fingerprint.
_NEWEST = """SELECT id, first_at, last_at, count, successes, failures, status, detail FROM memories
    WHERE fingerprint = ? AND file = ? AND +kind = 'group' AND agent = ? AND cell = ? ORDER BY +last_at DESC, id DESC LIMIT 1"""


def bundle(connection: Connection, file: int, line: LogEvent, within: int) -> int | None:
    """Add a call to the group it belongs to, or begin a new one. Returns the group's id. within: ms between two calls of one group."""
    row = None
    if line.fingerprint:
        row = connection.execute(_NEWEST, (line.fingerprint, file, line.agent, line.cell.name)).fetchone()
        # Lines can arrive out of order (imports), so the call may also be earlier than the group.
        if row is not None and not row[1] - within <= line.at <= row[2] + within:
            row = None
    if row is None:
        return _begin(connection, file, line)
    memory, first_at, last_at, count, successes, failures, known_status, detail = row
    told = _detail(line, jsontext.decode(detail))
    failures += line.failed
    successes += line.status == "success"
    status = known_status if line.status == UNKNOWN else line.status  # an unknown outcome does not end a failure
    cache.update_memory(
        connection,
        memory,
        {
            "first_at": min(first_at, line.at),
            "last_at": max(last_at, line.at),
            "count": count + 1,
            "successes": successes,
            "failures": failures,
            "status": status,
            "text": text(line.tool, status, told, count + 1, successes, failures),
            "detail": jsontext.encode(told),
        },
    )
    cache.add_anchors(connection, memory, line.anchors)
    return int(memory)


def correct(connection: Connection, memory: int, line: LogEvent) -> None:
    """Update a group for a call whose outcome was unknown when it was added."""
    count, successes, failures, detail = connection.execute("SELECT count, successes, failures, detail FROM memories WHERE id = ?", (memory,)).fetchone()
    newest = "SELECT status FROM events WHERE memory = ? AND status <> ? ORDER BY offset DESC LIMIT 1"
    (status,) = connection.execute(newest, (memory, UNKNOWN)).fetchone()
    told = _detail(line, jsontext.decode(detail))
    failures += line.failed
    successes += line.status == "success"
    cache.update_memory(
        connection,
        memory,
        {
            "successes": successes,
            "failures": failures,
            "status": status,
            "text": text(line.tool, status, told, count, successes, failures),
            "detail": jsontext.encode(told),
        },
    )
    cache.add_anchors(connection, memory, line.anchors)


def text(tool: str | None, status: str | None, told: dict[str, str], count: int, successes: int, failures: int) -> str:
    """Return the text of a group for a person or agent: the call, how often it ran, how it ended."""
    parts = [told["what"] if tool == "Bash" and told["what"] else f"{tool or 'call'} {told['what']}".strip()]
    if told.get("change"):
        parts[0] += f": {told['change']}"
    if failures and successes:
        ended = "succeeded" if status == "success" else "failed"
        parts.append(f"{failures} of {count} calls failed, the last one {ended}")
    elif failures:
        parts.append("failed" if count == 1 else f"failed {count} times")
    elif count > 1:
        parts.append(f"{count} times")
    elif status not in ("success", None):
        parts.append("no outcome known" if status == "unknown" else str(status))
    if told.get("error"):
        parts.append(told["error"])
    elif told.get("said"):
        parts.append(told["said"])
    return " — ".join(parts)


def _begin(connection: Connection, file: int, line: LogEvent) -> int | None:
    told = _detail(line, {})
    memory = cache.insert(
        connection,
        "memories",
        {
            "memory": f"{GROUP}:{line.id}",
            "kind": GROUP,
            "file": file,
            **scope(line),
            "fingerprint": line.fingerprint,
            "status": line.status,
            "first_at": line.at,
            "last_at": line.at,
            "count": 1,
            "successes": int(line.status == "success"),
            "failures": int(line.failed),
            "text": text(line.tool, line.status, told, 1, int(line.status == "success"), int(line.failed)),
            "detail": jsontext.encode(told),
        },
    )
    if memory is not None:
        cache.add_anchors(connection, memory, line.anchors)
    return memory


def scope(line: LogEvent) -> dict[str, object]:
    """Return the columns that say who may see a line's content, and where it comes from."""
    cell = line.cell
    return {
        "cell": cell.name,
        "acl": cell.acl,
        "privacy": cell.privacy,
        "hold": int(cell.hold),
        "session": line.session,
        "agent": line.agent,
        "role": line.role,
    }


def _detail(line: LogEvent, earlier: dict[str, str]) -> dict[str, str]:
    """Return the details of a group: its first call, latest change, latest error and latest result."""
    told = {"what": earlier.get("what") or wording.what(line)}
    change = wording.change(line) or earlier.get("change", "")
    error = wording.error_line(line.error) if line.failed else earlier.get("error", "")
    said = wording.outcome_line(line) if line.status == "success" and _says_something(line) else earlier.get("said", "")
    for name, value in (("change", change), ("error", error), ("said", said)):
        if value:
            told[name] = value
    return told


def _says_something(line: LogEvent) -> bool:
    """Return whether the end of a result is informative. It is for a command; a listing or an edit repeats the file."""
    return line.tool == "Bash" or bool(line.tool and line.tool.startswith("mcp__"))
