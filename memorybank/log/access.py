"""`log/access.jsonl`: who read and changed notes, and when each content was first seen on this machine.

Kinds: `view` (an explicit read: `show`, a read through MCP, a note opened on the local page), `shown` (recall showed the note to an agent),
`helped` (the agent used it, or somebody marked it as helpful), `share`, `dwell` (with `minutes`), `rating`
(`rate` wrote the new digest, which is not an edit), `rewritten` (a command changed links or tags, which is not an edit either), and what
folds observe: `seen` (a key for the first time), `edit` (the digest of a known key changed) and `removed`; `renamed` names another key of a note, `new_path`.
`seen`, `edit`, `rating` and `rewritten` carry `digest` and `mtime`, the date of that content.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock as time_of
from memorybank.clock import Clock
from memorybank.log import lines
from memorybank.storage import system as os
from memorybank.storage.layout import Layout
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

SHOWN, HELPED, REWRITTEN = "shown", "helped", "rewritten"
KINDS = ("view", SHOWN, HELPED, "share", "dwell", "seen", "edit", "removed", "rating", REWRITTEN, "renamed")


class AccessLine(Value):
    """One line. at: when it was observed (ms); date: date of the content with `digest` (ms); minutes: duration of a dwell; new_key: of `renamed`."""

    kind: str
    key: str
    at: int
    digest: str | None = None
    date: int | None = None
    minutes: float = 0.0
    new_key: str | None = None


def path(layout: Layout) -> str:
    return os.path.join(layout.log, "access.jsonl")


def append(layout: Layout, entries: Iterable[AccessLine], clock: Clock, *, durable: bool = False) -> int:
    """Append observations and return the offset where they begin.

    durable: sync before returning. Losing a view costs nothing, but a line that explains a change of bytes keeps it from counting as an edit.
    """
    return lines.append(path(layout), map(_fields, entries), clock=clock, durable=durable)


def read(layout: Layout, offset: int = 0) -> Iterator[tuple[int, AccessLine]]:
    """Yield (offset after the line, entry) for every valid line from `offset` on."""
    for line in lines.read(path(layout), offset):
        entry = _entry(line.fields)
        if entry is not None:
            yield line.end, entry


def _fields(entry: AccessLine) -> dict[str, Any]:
    fields: dict[str, Any] = {"kind": entry.kind, "path": entry.key, "at": time_of.isoformat(entry.at)}
    if entry.digest is not None:
        fields["digest"] = entry.digest
    if entry.date is not None:
        fields["mtime"] = time_of.isoformat(entry.date)
    if entry.kind == "dwell":
        fields["minutes"] = entry.minutes
    if entry.new_key is not None:
        fields["new_path"] = entry.new_key
    return fields


def _entry(fields: dict[str, Any]) -> AccessLine | None:
    kind, key, at = fields.get("kind"), fields.get("path"), time_of.parse(str(fields.get("at")))
    if kind not in KINDS or not isinstance(key, str) or at is None:
        return None
    new_key = fields.get("new_path")
    if (kind == "renamed") != isinstance(new_key, str):
        return None
    digest, date, minutes = fields.get("digest"), fields.get("mtime"), fields.get("minutes", 0.0)
    return AccessLine(
        kind,
        key,
        at,
        digest if isinstance(digest, str) else None,
        time_of.parse(date) if isinstance(date, str) else None,
        float(minutes) if isinstance(minutes, int | float) and minutes >= 0 else 0.0,
        new_key,
    )
