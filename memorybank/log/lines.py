"""The line format of all logs: append-only JSON Lines, each line with its own checksum.

A line is one compact JSON object whose last member is `"crc"`: the CRC-32 (8 hex digits) of all bytes before `,"crc"`.
Readers ignore a torn tail (a last line without newline). The next append closes it; it then stays as an invalid line, which
readers skip and `verify` reports.
"""

from __future__ import annotations

__light__ = True

from zlib import crc32

from memorybank.clock import Clock
from memorybank.errors import NewerFormat, Problem
from memorybank.storage import appending, compressed, disk, jsontext
from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

VERSION = 1
"""The format of a line's fields. A line of another format says so in its field `schema_version`; a line without one is of format 1."""
MAX_LINE_BYTES = 1 << 20
_BLOCK = 1 << 16
_SEARCHED_BLOCK = 1 << 20
_CRC_FIELD = b',"crc":"'
_TAIL_BYTES = len(_CRC_FIELD) + 8 + 2


class LogLine:
    """One valid line: its fields, the byte offset where it begins and the offset where the next line begins.

    Not a `Value`, because a fold makes tens of thousands of them.
    """

    __slots__ = ("end", "fields", "offset")

    def __init__(self, offset: int, end: int, fields: dict[str, Any]) -> None:
        self.offset = offset
        self.end = end
        self.fields = fields

    def __repr__(self) -> str:
        return f"LogLine(offset={self.offset}, end={self.end}, fields={self.fields!r})"


def encode(fields: dict[str, Any], size: int = 0) -> bytes:
    """Return one line with its checksum and newline.

    fields: a non-empty JSON object without `crc`.
    size: minimum length in bytes. A shorter line is padded with blanks, so that the lines after one that `purge` shortened keep their offsets.
    """
    body = jsontext.encode_bytes(fields)[:-1].ljust(size - _TAIL_BYTES - 1)
    return body + _CRC_FIELD + b'%08x"}\n' % crc32(body)


def decode(line: bytes) -> dict[str, Any] | None:
    """Return the fields of a line (given without its newline), or None when it is torn, altered or not a JSON object."""
    body, tail = line[:-_TAIL_BYTES], line[-_TAIL_BYTES:]
    if len(line) > MAX_LINE_BYTES or not tail.startswith(_CRC_FIELD) or tail[-2:] != b'"}':
        return None
    if tail[len(_CRC_FIELD) : -2] != b"%08x" % crc32(body):
        return None
    try:
        fields = jsontext.decode(body + b"}")
    except ValueError:
        return None
    return fields if isinstance(fields, dict) else None


def is_newer(fields: dict[str, Any]) -> bool:
    """Return whether a line is of a format that a newer memorybank writes."""
    version = fields.get("schema_version")
    return version is not None and isinstance(version, int) and version > VERSION


def newer_lines(path: str) -> int:
    """Return the number of lines of a newer format. Lines without a version are not decoded."""
    found = (decode(raw) for _, _, raw in complete_lines(path) if b'"schema_version"' in raw)
    return sum(fields is not None and is_newer(fields) for fields in found)


def refuse_newer(path: str, name: str) -> None:
    """Raise `NewerFormat` when a log has lines that only a newer memorybank understands, for a caller whose decision needs the entire log.

    name: the file's name in the error
    """
    count = newer_lines(path)
    if count:
        raise NewerFormat(f"{name}: {count} {'line was' if count == 1 else 'lines were'} written by a newer memorybank")


def append(path: str, entries: Iterable[dict[str, Any]], *, clock: Clock, durable: bool = True) -> int:
    """Append entries in one write and return the offset where they begin. durable: sync before returning."""
    data = b"".join(map(encode, entries))
    if not data:
        return size(path)
    disk.make_directories(os.path.dirname(path), durable=durable)
    return appending.append(path, data, durable=durable, clock=clock)


def size(path: str) -> int:
    """Return the size of the log in bytes, 0 when it does not exist. A compressed log has the size of its lines."""
    try:
        return compressed.size(path)
    except FileNotFoundError:
        return 0


def is_closed(path: str) -> bool:
    """Return whether the log is empty, missing or ends with a complete line."""
    try:
        with compressed.stream(path) as stream:
            if stream.seek(0, os.SEEK_END) == 0:
                return True
            stream.seek(-1, os.SEEK_END)
            return stream.read(1) == b"\n"
    except FileNotFoundError:
        return True


def close(path: str, *, clock: Clock) -> bool:
    """Terminate a torn tail, as the next append would; it stays as an invalid line that readers skip. Return False when there is no torn tail."""
    if is_closed(path):
        return False
    appending.append(path, b"", durable=True, clock=clock)
    return True


def read(path: str, offset: int = 0) -> Iterator[LogLine]:
    """Yield the valid, complete lines from `offset` on. Invalid lines and lines of a newer format are skipped; a missing file has no lines."""
    for begin, end, raw in complete_lines(path, offset):
        fields = decode(raw)
        if fields is not None and not is_newer(fields):
            yield LogLine(begin, end, fields)


def read_containing(path: str, *parts: bytes) -> Iterator[dict[str, Any]]:
    """Yield the fields of the valid lines that contain at least one of `parts`. Other lines are neither cut out nor decoded."""
    return (line.fields for line in containing(path, *parts))


def containing(path: str, *parts: bytes, offset: int = 0) -> Iterator[LogLine]:
    """Yield the valid lines from `offset` on that contain at least one of `parts`."""
    for begin, raw in _lines_containing(path, parts, offset):
        fields = decode(raw)
        if fields is not None and not is_newer(fields):
            yield LogLine(begin, begin + len(raw) + 1, fields)


def _lines_containing(path: str, parts: tuple[bytes, ...], offset: int) -> Iterator[tuple[int, bytes]]:
    """Yield (where it begins, the line without its newline) of the complete lines that contain one of these parts.

    Whole blocks of lines are searched for the parts.
    """
    try:
        with disk.typed_errors(path), compressed.stream(path) as stream:
            stream.seek(offset)
            while block := stream.read(_SEARCHED_BLOCK) + stream.readline():
                end = block.rfind(b"\n") + 1
                begin = 0
                places = {part: block.find(part, 0, end) for part in parts}
                while found := [place for place in places.values() if place >= 0]:
                    first = min(found)
                    begin = block.rfind(b"\n", begin, first) + 1 or begin
                    stop = block.index(b"\n", first)
                    yield offset + begin, block[begin:stop]
                    begin = stop + 1
                    for part, place in places.items():
                        if 0 <= place < begin:
                            places[part] = block.find(part, begin, end)
                offset += len(block)
    except FileNotFoundError:
        return


def read_at(path: str, places: Iterable[int]) -> Iterator[dict[str, Any] | None]:
    """Yield the fields of the lines that begin at these places; None where no valid line begins."""
    try:
        with disk.typed_errors(path), compressed.stream(path) as stream:
            for place in places:
                stream.seek(place)
                fields = decode(stream.readline(MAX_LINE_BYTES + 1)[:-1])
                yield None if fields is None or is_newer(fields) else fields
    except FileNotFoundError:
        yield None


def newest_first(path: str) -> Iterator[dict[str, Any]]:
    """Yield the fields of the valid lines, newest first. The file is read backwards block by block; a missing file has no lines."""
    try:
        with disk.typed_errors(path), compressed.stream(path) as stream:
            end = stream.seek(0, os.SEEK_END)
            rest = b""
            while end > 0:
                begin = max(0, end - _BLOCK)
                stream.seek(begin)
                # The first piece may be the end of a line that begins in the block before, so it is carried over.
                rest, *whole = (stream.read(end - begin) + rest).split(b"\n")
                yield from (fields for fields in map(decode, reversed(whole)) if fields is not None and not is_newer(fields))
                end = begin
            first = decode(rest)
            if first is not None and not is_newer(first):
                yield first
    except FileNotFoundError:
        return


def problems(path: str, name: str) -> Iterator[Problem]:
    """Yield one Problem per invalid line, and one for a torn tail.

    name: the file's name in the problems.
    Codes: `log_line_torn` (cut short by a crash or kill), `log_line_altered` (complete, but not what was written),
    `log_tail_torn` (the last line is not terminated yet), `newer_format` (one for all lines of a newer format, at the first of them).
    """
    number = 0
    end = 0
    newer = first_newer = 0
    for _, end, raw in complete_lines(path):  # noqa: B007 (read after the loop)
        number += 1
        fields = decode(raw)
        if fields is not None:
            if is_newer(fields):
                newer += 1
                first_newer = first_newer or number
        else:
            if _has_its_end(raw):
                yield Problem("log_line_altered", name, "the line was altered after it was written; readers skip it", number)
            else:
                yield Problem("log_line_torn", name, "a crash or kill cut this line short; readers skip it", number)
    if newer:
        said = "a newer memorybank wrote this line" if newer == 1 else f"a newer memorybank wrote this line and {newer - 1} more"
        yield Problem("newer_format", name, f"{said}; this version skips them and changes nothing", first_newer)
    if size(path) > end:
        yield Problem("log_tail_torn", name, "the last line is not complete; the next append closes it", number + 1)


def _has_its_end(line: bytes) -> bool:
    """Return whether an invalid line ends like a complete one: then it was altered, not cut short. One wrong byte is tolerated."""
    # The zero bytes stand for the eight digits of the checksum, which may be anything.
    tail, wanted = line[-_TAIL_BYTES:], _CRC_FIELD + bytes(8) + b'"}'
    return len(tail) == _TAIL_BYTES and sum(found != expected for found, expected in zip(tail, wanted, strict=True) if expected) <= 1


def complete_lines(path: str, offset: int = 0) -> Iterator[tuple[int, int, bytes]]:
    """Yield (offset of the line, offset of the next one, the line without its newline) of every complete line, valid or not."""
    try:
        with disk.typed_errors(path), compressed.stream(path) as stream:
            stream.seek(offset)
            for raw in stream:
                if not raw.endswith(b"\n"):
                    return
                begin, offset = offset, offset + len(raw)
                yield begin, offset, raw[:-1]
    except FileNotFoundError:
        return
