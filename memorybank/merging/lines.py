"""Merges `dates.jsonl` and `rejected.jsonl`: files of lines, each of which says something for itself."""

from __future__ import annotations

from memorybank.merging.sides import FileVersions, merged_items
from memorybank.storage import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MARKS = (b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>")


def dates(versions: FileVersions) -> bytes:
    """Return the lines of both sides without those that a side replaced, in the order in which memorybank writes them."""
    return _joined(sorted(_merged(versions), key=_order_of_dates))


def verdicts(versions: FileVersions) -> bytes:
    """Return the verdicts of both sides, the oldest first. Verdicts of one instant keep their order."""
    return _joined(sorted(_merged(versions), key=lambda line: _text(_fields(line), "at")))


def _merged(versions: FileVersions) -> list[bytes]:
    first, second = versions.sides
    return merged_items(_lines(versions.base), _lines(first), _lines(second))


def _lines(data: bytes) -> list[bytes]:
    """Return the lines that are not empty and no marks of an earlier conflict."""
    return [line for line in data.replace(b"\r\n", b"\n").split(b"\n") if line.strip() and not line.startswith(_MARKS)]


def _joined(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _order_of_dates(line: bytes) -> tuple[bool, str, str, str, bytes]:
    fields = _fields(line)
    return ("kind" not in fields, _text(fields, "at"), _text(fields, "path"), _text(fields, "sha256"), line)


def _fields(line: bytes) -> dict[str, Any]:
    try:
        value = jsontext.decode(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""
