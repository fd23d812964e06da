"""`rejected.jsonl`: the memories that people rejected, so that they are never recalled again. It is committed with the notes, so a team shares it.

One JSON object a line: `memory` (its merge id), `verdict` (`rejected` or `restored`), `at`, `by` (`command`, `commit <id>`) and `what`
(its text, if everybody may see it). The newest line of a memory counts. Other lines, such as the markers of a merge conflict, are
skipped and kept.
"""

from __future__ import annotations

__light__ = True

import os

from memorybank import clock as time_of
from memorybank.errors import MemorybankError
from memorybank.storage import disk, jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.clock import Clock
    from memorybank.storage.layout import Layout

NAME = "rejected.jsonl"
REJECTED, RESTORED = "rejected", "restored"
COMMAND = "command"
MAX_BYTES = 1 << 20
_LOCK_SECONDS = 2.0


class Verdict:
    """The newest line of one memory.

    at: ms.
    by: who gave the verdict.
    what: the memory's text, or "".
    """

    __slots__ = ("at", "by", "is_rejected", "memory", "what")

    def __init__(self, memory: str, is_rejected: bool, at: int, by: str, what: str) -> None:
        self.memory = memory
        self.is_rejected = is_rejected
        self.at = at
        self.by = by
        self.what = what

    def __repr__(self) -> str:
        return f"Verdict({self.memory!r}, {self.is_rejected}, {self.by!r})"


def path(layout: Layout) -> str:
    """Return the path of the file."""
    return os.path.join(layout.root, NAME)


def verdicts(layout: Layout) -> dict[str, Verdict]:
    """Return {memory: its newest verdict}, the oldest first; {} when the file is missing or cannot be read."""
    found: dict[str, Verdict] = {}
    try:
        data = _data(layout)
    except MemorybankError:
        return found
    for line in data.split(b"\n"):
        verdict = _verdict(line)
        if verdict is None:
            continue
        before = found.pop(verdict.memory, verdict)
        found[verdict.memory] = verdict if before.at <= verdict.at else before
    return dict(sorted(found.items(), key=lambda item: item[1].at))


def rejections(layout: Layout) -> dict[str, Verdict]:
    """Return the verdicts that reject."""
    return {memory: verdict for memory, verdict in verdicts(layout).items() if verdict.is_rejected}


def add(layout: Layout, memory: str, *, is_rejected: bool, by: str, what: str, clock: Clock) -> Verdict:
    """Append a verdict. It is durable when this returns.

    Raises LockTimeout after 2 s.
    """
    from memorybank.storage.lock import Lock  # imported here because hooks only read

    with Lock(os.path.join(layout.log, "rejected.lock"), "memorybank know", clock, timeout=_LOCK_SECONDS):
        data = _data(layout)
        before = verdicts(layout).get(memory)
        # A clock that went back must not let the older verdict win.
        at = max(clock.now(), before.at if before is not None else 0)
        fields = {"memory": memory, "verdict": REJECTED if is_rejected else RESTORED, "at": time_of.isoformat(at), "by": by, "what": what}
        end = b"" if not data or data.endswith(b"\n") else b"\n"
        line = jsontext.encode_bytes({name: value for name, value in fields.items() if value}) + b"\n"
        disk.replace(path(layout), (data, end, line), mode=disk.USER_FILE, durable=True)
    return Verdict(memory, is_rejected, at, by, what)


def _data(layout: Layout) -> bytes:
    try:
        return disk.read(path(layout), MAX_BYTES)
    except FileNotFoundError:
        return b""


def _verdict(line: bytes) -> Verdict | None:
    try:
        fields = jsontext.decode(line)
    except ValueError:
        return None
    if not isinstance(fields, dict) or not isinstance(fields.get("memory"), str) or fields.get("verdict") not in (REJECTED, RESTORED):
        return None
    at = time_of.parse(str(fields.get("at")))
    return Verdict(fields["memory"], fields["verdict"] == REJECTED, at or 0, str(fields.get("by") or ""), str(fields.get("what") or ""))
