"""What a model named in sessions, in the cache: the items of log/extracted.jsonl whose quotes are still in the log.

An item counts while the line that it quotes exists, has the quoted text, and can be seen by everybody. So a purged or expired text takes its items with
it. The latest extraction of a session replaces the items of earlier ones. Rows depend only on the two logs, never on the order of folding.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import cache, passage_rows, retired
from memorybank.cycle.fold.kinds import BY_MODEL, FOUND, REASON, RULE
from memorybank.cycle.fold.recorded import LogEvent
from memorybank.cycle.fold.schema import EXTRACTED_OFFSET
from memorybank.log import events, extracted, lines
from memorybank.log.extracted import ExtractedLine, ExtractionLine
from memorybank.storage import database
from memorybank.storage.digest import sha256
from memorybank.text.prompts import statements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.base import CycleContext

_PASSAGES = {"finding": FOUND, "reason": REASON}
"""{item of the log: kind of its passage}. Rules are stored without a passage."""
_ID_DIGITS = 16
_RULE_DIGITS = 8


def catch_up(base: CycleContext, connection: Connection) -> None:
    """Fold new lines. A log that was cut is folded again from the beginning."""
    key = base.existing_key()
    path = extracted.path(base.layout)
    if key is None or lines.size(path) == cache.value(connection, EXTRACTED_OFFSET):
        return
    with database.transaction(connection):
        begin = cache.value(connection, EXTRACTED_OFFSET)
        if lines.size(path) < begin:
            for (session,) in connection.execute("SELECT DISTINCT session FROM extracted").fetchall():
                _forget(connection, session)
            begin = 0
        end = begin
        for end, line in extracted.read(base.layout, key, begin):  # noqa: B007 (read after the loop)
            if isinstance(line, ExtractionLine):
                _forget(connection, line.session)
            elif line is not None:
                _fold(base, connection, line)
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (EXTRACTED_OFFSET, end))


def _fold(base: CycleContext, connection: Connection, item: ExtractedLine) -> None:
    line = _source(base, item)
    if line is None:
        return
    kind = _PASSAGES.get(item.item, RULE)
    subject = statements.subject(item.text) if kind == RULE else ""
    memory = _memory(kind, subject, item)
    row = {"memory": memory, "session": item.session, "kind": kind, "made_by": item.by, "subject": subject, "text": item.text, "quote": item.quote}
    cache.insert(connection, "extracted", {**row, "at": line.at})
    if kind != RULE:
        name = events.name_of(item.session)
        connection.execute("INSERT OR IGNORE INTO files (name, offset) VALUES (?, 0)", (name,))
        (file,) = connection.execute("SELECT id FROM files WHERE name = ?", (name,)).fetchone()
        # The importance of a passage is that of its event, which may have left the cache.
        retired.restore_all(base, connection, name)
        text = f"{item.text} ({', '.join(item.files)})" if item.files else item.text
        passage_rows.write(connection, {**line.row(file), "memory": memory, "kind": kind, "heading": item.heading, "text": text}, text)


def _source(base: CycleContext, item: ExtractedLine) -> LogEvent | None:
    """Return the line that an item quotes; None if its text was removed or not everybody may see it."""
    found = extracted.source_line(base.layout, item.session, item.source)
    if found is None:
        return None
    line = LogEvent(found)
    return line if line.session == item.session and line.cell.is_public else None


def _memory(kind: str, subject: str, item: ExtractedLine) -> str:
    """Return the id of an item: of a rule, by its subject, so that sessions with the same rule have one; else by its text and session."""
    said = f"model|{subject}" if kind == RULE else f"{item.session}|{item.heading}|{item.text}"
    return f"{kind}:{sha256(said.encode('utf-8', 'replace')).hex()[: _RULE_DIGITS if kind == RULE else _ID_DIGITS]}"


def _forget(connection: Connection, session: str) -> None:
    """Delete the items of a session."""
    marks = ",".join("?" * len(BY_MODEL))
    rows = connection.execute(f"SELECT id FROM passages WHERE session = ? AND kind IN ({marks})", (session, *BY_MODEL)).fetchall()
    for (row,) in rows:
        passage_rows.remove(connection, row)
    connection.execute("DELETE FROM extracted WHERE session = ?", (session,))
