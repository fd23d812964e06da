"""`log/ticks.jsonl`: verdicts of people and agents about memories that they were shown. One line per verdict, signed, append-only.

A line of kind `tick` has `at`, `memory` (its id), `verdict` (`helpful` or `wrong`), `by` (`person` or `agent`) and `signature`: HMAC-SHA256
under the bank's key over its other fields. A line without a valid signature is ignored.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock as time_of
from memorybank.log import lines
from memorybank.log.key import signature
from memorybank.storage import system as os
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from memorybank.clock import Clock
    from memorybank.storage.layout import Layout

KIND = "tick"
HELPFUL, WRONG = "helpful", "wrong"
VERDICTS = (HELPFUL, WRONG)
PERSON, AGENT = "person", "agent"
_UNSIGNED = ("signature", "crc")


class Tick(Value):
    """One verdict. at: ms; end: offset of the next line."""

    memory: str
    verdict: str
    by: str
    at: int
    end: int


def path(layout: Layout) -> str:
    return os.path.join(layout.log, "ticks.jsonl")


def append(layout: Layout, key: bytes, memory: str, verdict: str, by: str, clock: Clock) -> None:
    """Append a verdict and sync it to disk. verdict: one of `VERDICTS`; by: `PERSON` or `AGENT`."""
    layout.require_writable()
    fields: dict[str, Any] = {"kind": KIND, "at": time_of.isoformat(clock.now()), "memory": memory, "verdict": verdict, "by": by}
    lines.append(path(layout), ({**fields, "signature": signature(key, fields, _UNSIGNED)},), clock=clock, durable=True)


def read(layout: Layout, key: bytes, offset: int = 0) -> Iterator[Tick]:
    """Yield every verdict from `offset` on that was signed with this bank's key."""
    for line in lines.read(path(layout), offset):
        fields = line.fields
        at = time_of.parse(str(fields.get("at")))
        is_tick = fields.get("kind") == KIND and isinstance(fields.get("memory"), str) and fields.get("verdict") in VERDICTS
        if is_tick and at is not None and fields.get("signature") == signature(key, fields, _UNSIGNED):
            yield Tick(fields["memory"], fields["verdict"], str(fields.get("by")), at, line.end)
