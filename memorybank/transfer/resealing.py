"""Lines that another machine signed, under the key of this one.

Each bank has its own key on each machine. An event log from another machine is first checked against the key in its export; then the digests of its
texts and its chain of signatures are computed again with the key of this machine. Every line stays as long as before, so offsets that other
logs recorded stay right.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from memorybank.log import events, lines
from memorybank.log.key import signature
from memorybank.log.seal import digest

Fields = dict[str, Any]
_UNSIGNED = {"log/policy.jsonl": ("signature", "crc", "reason")}
_USUALLY_UNSIGNED = ("signature", "crc")


@dataclass(frozen=True, slots=True)
class KeyPair:
    """The key of an export and the one of this machine. They are equal if this machine took the other one's key."""

    theirs: bytes
    ours: bytes

    @property
    def is_same(self) -> bool:
        return self.theirs == self.ours


@dataclass(frozen=True, slots=True)
class ForeignLog:
    """An event log of another machine as this machine would have written it.

    data: its bytes, of the same length
    heads: {signature of a line there: signature of the same line here}
    """

    data: bytes
    heads: dict[str, str]


def split(data: bytes) -> Iterator[bytes]:
    """Yield the complete lines without their newlines."""
    yield from data.split(b"\n")[:-1]


def valid(data: bytes) -> Iterator[Fields]:
    """Yield the fields of the valid lines that this version can read."""
    for raw in split(data):
        fields = lines.decode(raw)
        if fields is not None and not lines.is_newer(fields):
            yield fields


def has_newer(data: bytes) -> bool:
    """Return whether a newer memorybank wrote a line of these."""
    return b'"schema_version"' in data and any(fields is not None and lines.is_newer(fields) for fields in map(lines.decode, split(data)))


def event_log(data: bytes, name: str, keys: KeyPair) -> ForeignLog | None:
    """Return the log under this machine's key, None if it is not what the other machine recorded.

    name: file name, at which the chain begins
    """
    if keys.is_same:
        return ForeignLog(data, {})
    written: list[bytes] = []
    heads: dict[str, str] = {}
    before = after = name
    for raw in split(data):
        fields = lines.decode(raw)
        if fields is None:  # torn by a kill; readers skip it
            written.append(raw + b"\n")
            continue
        if fields.get("signature") != events.signature(before, fields, keys.theirs) or not _has_its_texts(fields, keys.theirs):
            return None
        before = fields["signature"]
        line = event_line(fields, after, keys.ours)
        after = heads[before] = line["signature"]
        written.append(lines.encode(line, size=len(raw) + 1))
    return ForeignLog(b"".join(written), heads)


def event_line(fields: Fields, before: str, key: bytes, *, is_signed: bool = True) -> Fields:
    """Return a line of an event log with digests and signature under `key`. The digest of a text that was purged cannot be computed and stays.

    before: signature of the valid line before it
    """
    known = fields.get("digests") or {}
    line = {**fields}
    if known:
        line["digests"] = {name: digest(fields[name], key) if fields.get(name) else old for name, old in known.items()}
    if is_signed:
        line["signature"] = events.signature(before, line, key)
    return line


def signed_lines(path: str, found: Iterable[Fields], keys: KeyPair) -> list[Fields]:
    """Return those of the lines that the other machine signed, signed by this one. The records of the policy are chained again."""
    unsigned = _UNSIGNED.get(path, _USUALLY_UNSIGNED)
    result: list[Fields] = []
    for fields in found:
        if fields.get("signature") != signature(keys.theirs, fields, unsigned):
            continue
        line = {name: value for name, value in fields.items() if name != "crc"}
        if "prev" in line and not keys.is_same:
            line["prev"] = result[-1]["signature"] if result else ""
        line["signature"] = signature(keys.ours, line, unsigned)
        result.append(line)
    return result


def _has_its_texts(fields: Fields, key: bytes) -> bool:
    return all(not fields.get(name) or digest(fields[name], key) == recorded for name, recorded in (fields.get("digests") or {}).items())
