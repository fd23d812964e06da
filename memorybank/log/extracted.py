"""`log/extracted.jsonl`: the rules, findings and reasons that a model of the person's choice named in sessions. Append-only, signed.

A line of kind `extraction` says that a session was read: `at`, `session_id`, `by` (`llm:<model>` or `command:<program>`), `items` (their number) and
`dropped` ({reason: number}). The lines of kind `extracted` after it are its items: `session_id`, `by`, `item` (`rule`, `finding` or `reason`), `text`,
`heading`, `quote`, `files`, and where the quote is: `source` (id of the event), `offset` (of its line in the session's log), `field` and
`source_at`. Each line has a `signature`: HMAC-SHA256 under the bank's key over its other fields. A line without a valid signature is ignored, so
a purge of one text removes the items with that text and no others.

The latest extraction of a session replaces the earlier ones.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock as time_of
from memorybank.log import events, lines, seal
from memorybank.log.key import signature
from memorybank.storage import system as os
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from memorybank.clock import Clock
    from memorybank.log.lines import LogLine
    from memorybank.storage.layout import Layout

EXTRACTION, EXTRACTED = "extraction", "extracted"
_TEXTS = ("text", "heading", "quote", "files")
"""Fields that are blanked when the quoted text was purged or has expired."""
_UNSIGNED = ("signature", "crc")


class QuoteSource(Value):
    """Where a quote is: the event, the offset of its line in the log of the session, the field of the line, and the instant of the event (ms)."""

    event: str
    offset: int
    field: str
    at: int


class ExtractedLine(Value):
    """One item as recorded. by: who made it; item: `rule`, `finding` or `reason`."""

    session: str
    by: str
    item: str
    text: str
    heading: str
    quote: str
    files: tuple[str, ...]
    source: QuoteSource


class ExtractionLine(Value):
    """The record that a session was read. at: ms."""

    session: str
    by: str
    at: int
    items: int
    dropped: dict[str, int]


def path(layout: Layout) -> str:
    return os.path.join(layout.log, "extracted.jsonl")


def append(layout: Layout, key: bytes, read: ExtractionLine, items: Sequence[ExtractedLine], clock: Clock) -> None:
    """Append one extraction with its items in one write, synced to disk."""
    head = {"kind": EXTRACTION, "at": time_of.isoformat(read.at), "session_id": read.session, "by": read.by, "items": read.items, "dropped": read.dropped}
    written = [_signed(fields, key) for fields in (head, *map(_fields, items))]
    lines.append(path(layout), written, clock=clock, durable=True)


def read(layout: Layout, key: bytes, offset: int = 0) -> Iterator[tuple[int, ExtractionLine | ExtractedLine | None]]:
    """Yield (offset of the next line, the line) from `offset` on; None for a line that this bank did not sign or that has another form."""
    for line in lines.read(path(layout), offset):
        yield line.end, _line(line.fields, key)


def sessions(layout: Layout, key: bytes, by: str) -> frozenset[str]:
    """Return the sessions that a model has read. by: its name."""
    return frozenset(line.session for _, line in read(layout, key) if isinstance(line, ExtractionLine) and line.by == by)


def source_line(layout: Layout, session: str, source: QuoteSource) -> LogLine | None:
    """Return the line that an item quotes; None when it is not there, or the quoted text was purged or has expired."""
    line = next(lines.read(events.path_of(layout, session), source.offset), None)
    if line is None or line.offset != source.offset or line.fields.get("id") != source.event or not line.fields.get(source.field):
        return None
    return line


def withdrawn(layout: Layout, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a line, without its texts if the text that it quotes was removed."""
    if fields.get("kind") != EXTRACTED:
        return fields
    offset = fields.get("offset")
    if not isinstance(offset, int) or offset < 0:
        return blanked(fields)
    source = QuoteSource(str(fields.get("source")), offset, str(fields.get("field")), 0)
    return fields if source_line(layout, str(fields.get("session_id")), source) is not None else blanked(fields)


def blanked(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a line without its texts. Its signature no longer holds, so it is ignored from then on."""
    return {name: seal.blank(value) if name in _TEXTS else value for name, value in fields.items()}


def _fields(item: ExtractedLine) -> dict[str, Any]:
    return {
        **{"kind": EXTRACTED, "session_id": item.session, "by": item.by, "item": item.item, "text": item.text, "heading": item.heading},
        **{"quote": item.quote, "files": list(item.files), "source": item.source.event, "offset": item.source.offset, "field": item.source.field},
        "source_at": time_of.isoformat(item.source.at),
    }


def _signed(fields: dict[str, Any], key: bytes) -> dict[str, Any]:
    return {**fields, "signature": signature(key, fields, _UNSIGNED)}


def _line(fields: dict[str, Any], key: bytes) -> ExtractionLine | ExtractedLine | None:
    """Read a signed line. The signature shows that `append` wrote it, so its types need no further check."""
    if fields.get("kind") not in (EXTRACTION, EXTRACTED) or fields.get("signature") != signature(key, fields, _UNSIGNED):
        return None
    if fields["kind"] == EXTRACTION:
        return ExtractionLine(fields["session_id"], fields["by"], time_of.parse(fields["at"]) or 0, fields["items"], fields["dropped"])
    source = QuoteSource(fields["source"], fields["offset"], fields["field"], time_of.parse(fields["source_at"]) or 0)
    session, by, item, text, heading, quote = (str(fields[name]) for name in ("session_id", "by", "item", "text", "heading", "quote"))
    return ExtractedLine(session, by, item, text, heading, quote, tuple(fields["files"]), source)
