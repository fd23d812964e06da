"""The text of the published documents: JSON, indented by two spaces, in pieces that can be written one after the other."""

from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from memorybank.clock import isoformat

VERSION = "1.0.0"
SCHEMA = "https://claude-friends.dev/schemas/{name}-index/v1.0.0"
_CHUNK = 1 << 20


def pretty(value: object, indent: int) -> bytes:
    """Render `value` as it appears `indent` spaces deep in an indented document. The first line is not indented."""
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2)
    return text.replace(b"\n", b"\n" + b" " * indent) if indent else text


def head(name: str, now: int, more: dict[str, Any]) -> bytes:
    """Return the opening of a document, without its closing brace."""
    return pretty({"@schema": SCHEMA.format(name=name), "version": VERSION, "last_updated": isoformat(now), **more}, 0)[:-2]


def array(values: Iterable[object], indent: int) -> Iterator[bytes]:
    """Render an array as it appears `indent` spaces deep, in chunks of about one megabyte."""
    blanks = b"\n" + b" " * (indent + 2)
    opening = b"["
    batch: list[bytes] = []
    size = 0
    for value in values:
        batch += (opening + blanks, pretty(value, indent + 2))
        opening = b","
        size += len(batch[-1])
        if size >= _CHUNK:
            yield b"".join(batch)
            batch, size = [], 0
    yield b"".join(batch)
    yield b"[]" if opening == b"[" else b"\n" + b" " * indent + b"]"


def member(name: str, value: object, indent: int) -> str:
    """`"name": value` as rendered `indent` spaces deep in an indented document."""
    return " " * indent + orjson.dumps(name).decode() + ": " + pretty(value, indent).decode()


def members(rows: Iterable[tuple[bytes, int]]) -> Iterator[bytes]:
    """Rendered members joined by commas, in chunks of about one megabyte.

    rows: (rendered, number): a member, which is number 0, or a further part of the one before
    """
    separator = b"\n"
    batch: list[bytes] = []
    size = 0
    for rendered, number in rows:
        if number == 0:
            batch.append(separator)
            separator = b",\n"
        batch.append(rendered)
        size += len(rendered)
        if size >= _CHUNK:
            yield b"".join(batch)
            batch, size = [], 0
    yield b"".join(batch)
