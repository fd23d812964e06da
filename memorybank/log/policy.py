"""`log/policy.jsonl`: every change of how memories are recalled, oldest first; the last valid record is in force.

A record is a line of truth with a `version` that counts from 1, `prev` (the signature of the record before, "" for the first) and
a `signature`: HMAC-SHA256 under the bank's key over all its other fields but the reason. A line that was edited by hand, that does not follow the
record before, or that nobody can check without the key, is refused by its number; nothing of it is in force.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import Clock
from memorybank.log import lines
from memorybank.storage import appending, disk, jsontext
from memorybank.storage import system as os
from memorybank.storage.digest import hmac_sha256
from memorybank.storage.layout import Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Fields = dict[str, Any]

LOCK_SECONDS = 0.5
_BEGINNING = b'{"version":'
_TAIL_BYTES = 1 << 15
"""More than one record: the last valid one is nearly always in it."""


_UNSIGNED = ("signature", "crc", "reason")
"""The reason puts nothing in force, and `purge` can blank it."""


class Refused:
    """A line that counts for nothing. line: its number, from 1; why: in words."""

    __slots__ = ("line", "why")

    def __init__(self, line: int, why: str) -> None:
        self.line = line
        self.why = why

    def __repr__(self) -> str:
        return f"Refused({self.line}, {self.why!r})"


def path(layout: Layout) -> str:
    return os.path.join(layout.log, "policy.jsonl")


def latest(layout: Layout, key: bytes | None) -> Fields | None:
    """The last record that is valid, or None when there is none: what hooks ask for at every recall."""
    try:
        with open(path(layout), "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            stream.seek(max(0, size - _TAIL_BYTES))
            data = stream.read()
    except OSError:
        return None
    if key is None:
        return None
    for raw in sorted(data[: data.rfind(b"\n") + 1].split(b"\n"), key=_written_version, reverse=True):
        fields = lines.decode(raw)
        if fields is not None and _is_signed(fields, key) and fields["version"] == _written_version(raw):
            return fields
    return None if size <= _TAIL_BYTES else _last(read(layout, key)[0])


def _written_version(line: bytes) -> int:
    """The version that a line begins with, -1 for what `append` has not written: so that few are decoded and their signature computed."""
    digits = line[len(_BEGINNING) : line.find(b",")] if line.startswith(_BEGINNING) else b""
    return int(digits) if digits.isdigit() and len(digits) < 10 else -1


def read(layout: Layout, key: bytes | None) -> tuple[list[Fields], list[Refused]]:
    """(every valid record, oldest first; every line that is none)."""
    found: list[Fields] = []
    refused: list[Refused] = []
    try:
        with open(path(layout), "rb") as stream:
            data = stream.read()
    except FileNotFoundError:
        return found, refused
    for number, raw in enumerate(data.split(b"\n"), 1):
        if not raw:
            continue
        fields = lines.decode(raw)
        why = "it was altered, or cut off while it was written" if fields is None else _fault(fields, found, key)
        if why:
            refused.append(Refused(number, why))
        elif fields is not None:
            found.append(fields)
    return found, refused


def append(layout: Layout, key: bytes, compose: Callable[[list[Fields]], Fields | None], clock: Clock, *, timeout: float = LOCK_SECONDS) -> Fields | None:
    """Append one record, synced. compose: the valid records so far, under the lock → the new one's fields without `version`, `prev` and
    `signature`, or None for no record. LockTimeout when somebody else is writing."""
    disk.make_directories(layout.log)
    with appending.Appending(path(layout), clock, timeout) as log:
        records, _ = read(layout, key)
        fields = compose(records)
        if fields is None:
            return None
        last = _last(records)
        record = {"version": last["version"] + 1 if last else 1, "prev": last["signature"] if last else "", **fields}
        record["signature"] = _signature(record, key)
        log.write(lines.encode(record), durable=True)
    return record


def _last(records: list[Fields]) -> Fields | None:
    return records[-1] if records else None


def _fault(fields: Fields, before: list[Fields], key: bytes | None) -> str:
    if key is None:
        return "the bank's key (log/.key) is gone, so nobody can say who wrote it"
    if not _is_signed(fields, key):
        return "its signature is not memorybank's: it was written or edited by hand"
    last = _last(before)
    if fields["version"] <= (last["version"] if last else 0):
        return f"its version {fields['version']} does not follow version {last['version'] if last else 0}"
    return ""


def _is_signed(fields: Fields, key: bytes) -> bool:
    return isinstance(fields.get("version"), int) and isinstance(fields.get("prev"), str) and fields.get("signature") == _signature(fields, key)


def _signature(fields: Fields, key: bytes) -> str:
    """64 hexadecimal digits."""
    return hmac_sha256(key, jsontext.encode_bytes({name: value for name, value in fields.items() if name not in _UNSIGNED})).hex()
