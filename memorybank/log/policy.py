"""`log/policy.jsonl`: every change of the recall policy, oldest first. The last valid record is in force.

A record is a log line with a `version` that counts from 1, `prev` (the signature of the record before, "" for the first) and a
`signature`: HMAC-SHA256 under the bank's key over all its other fields except the reason. A line that was edited by hand, that does
not follow the record before, or that cannot be checked because the key is missing, is refused and reported by its line number; nothing
in it takes effect. A valid record stays in force when a record before it is missing; `gaps` reports that.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import Clock
from memorybank.log import lines
from memorybank.log.key import signature
from memorybank.storage import appending, beneath, disk
from memorybank.storage import system as os
from memorybank.storage.layout import Layout
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Fields = dict[str, Any]

LOCK_SECONDS = 0.5
_BEGINNING = b'{"version":'
_TAIL_BYTES = 1 << 15
"""Bytes of the tail. It is larger than one record, so it nearly always contains the last valid one."""
_UNSIGNED = ("signature", "crc", "reason")
"""The unsigned field: the reason has no effect on recall, and `purge` must be able to blank it without breaking the signature."""


class RefusedRecord(Value):
    """An invalid line of the log. line: its number, from 1; why: the reason as a sentence."""

    line: int
    why: str


def path(layout: Layout) -> str:
    return os.path.join(layout.log, "policy.jsonl")


def latest(layout: Layout, key: bytes | None) -> Fields | None:
    """Return the last valid record, or None when there is none. Hooks call this at every recall, so it reads only the end of the log."""
    try:
        with beneath.stream(path(layout)) as stream:
            size = os.fstat(stream.fileno()).st_size
            stream.seek(max(0, size - _TAIL_BYTES))
            data = stream.read()
    except OSError:
        return None
    if key is None:
        return None
    # Newest version first, so that usually one line is decoded. A line that only claims a high version fails its signature.
    for raw in sorted(data[: data.rfind(b"\n") + 1].split(b"\n"), key=_written_version, reverse=True):
        fields = lines.decode(raw)
        if fields is not None and not lines.is_newer(fields) and _is_signed(fields, key) and fields["version"] == _written_version(raw):
            return fields
    records = read(layout, key)[0] if size > _TAIL_BYTES else []
    return records[-1] if records else None


def _written_version(line: bytes) -> int:
    """Return the version at the beginning of a line, -1 for a line that `append` did not write. Cheaper than decoding the line."""
    digits = line[len(_BEGINNING) : line.find(b",")] if line.startswith(_BEGINNING) else b""
    return int(digits) if digits.isdigit() and len(digits) < 10 else -1


def read(layout: Layout, key: bytes | None) -> tuple[list[Fields], list[RefusedRecord]]:
    """Return (the valid records, oldest first; the refused lines)."""
    found: list[Fields] = []
    refused: list[RefusedRecord] = []
    try:
        with beneath.stream(path(layout)) as stream:
            data = stream.read()
    except FileNotFoundError:
        return found, refused
    for number, raw in enumerate(data.split(b"\n"), 1):
        if not raw:
            continue
        fields = lines.decode(raw)
        why = "it was altered, or cut off while it was written" if fields is None else _fault(fields, found, key)
        if why:
            refused.append(RefusedRecord(number, why))
        elif fields is not None:
            found.append(fields)
    return found, refused


def gaps(layout: Layout, key: bytes | None) -> list[int]:
    """Return the versions of the valid records that do not name the valid record before them: one was removed, altered or moved in between."""
    found = []
    previous = ""
    for record in read(layout, key)[0]:
        if record["prev"] != previous:
            found.append(record["version"])
        previous = record["signature"]
    return found


def append(layout: Layout, key: bytes, compose: Callable[[list[Fields]], Fields | None], clock: Clock, *, timeout: float = LOCK_SECONDS) -> Fields | None:
    """Append one record, synced, and return it.

    compose: receives the valid records under the lock and returns the new record's fields without `version`, `prev` and `signature`,
    or None to append nothing.
    timeout: seconds to wait for the lock.
    Raises LockTimeout when another process keeps the lock for longer.
    """
    disk.make_directories(layout.log)
    with appending.Appending(path(layout), clock, timeout) as log:
        lines.refuse_newer(path(layout), layout.relative(path(layout)))
        records, _ = read(layout, key)
        fields = compose(records)
        if fields is None:
            return None
        last: Fields = records[-1] if records else {"version": 0, "signature": ""}
        record = {"version": last["version"] + 1, "prev": last["signature"], **fields}
        record["signature"] = signature(key, record, _UNSIGNED)
        log.write(lines.encode(record), durable=True)
    return record


def _fault(fields: Fields, before: list[Fields], key: bytes | None) -> str:
    if lines.is_newer(fields):
        return "a newer memorybank wrote it; upgrade memorybank to bring it into force"
    if key is None:
        return "the bank's key (log/.key) is missing, so its signature cannot be checked"
    if not _is_signed(fields, key):
        return "its signature is not memorybank's: it was written or edited by hand"
    last = before[-1]["version"] if before else 0
    # Versions may have gaps, because a record in between may have been altered since, but they never go back.
    if fields["version"] <= last:
        return f"its version {fields['version']} does not follow version {last}"
    return ""


def _is_signed(fields: Fields, key: bytes) -> bool:
    return isinstance(fields.get("version"), int) and isinstance(fields.get("prev"), str) and fields.get("signature") == signature(key, fields, _UNSIGNED)
