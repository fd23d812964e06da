"""Writes one note into the cache's tables, and removes it from them."""

from __future__ import annotations

__light__ = True

from memorybank.index import decisions, duplicates, meta, queries, schema
from memorybank.index.changes import ChangedNote, FoldChanges
from memorybank.index.extract import COLUMNS, NoteExtract
from memorybank.notes.note_files import NoteFile, folder_of
from memorybank.notes.targets import folded_name, name_of
from memorybank.storage import jsontext
from memorybank.storage.digest import sha256
from memorybank.storage.layout import is_source_key
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def file_id(key: str) -> str:
    """`file_` and the first 48 bits of SHA-256(key) in decimal: the same id on every machine."""
    return f"file_{int.from_bytes(sha256(key.encode())[:6], 'big')}"


def put(connection: sqlite3.Connection, note: int | None, extract: NoteExtract, found: NoteFile, changes: FoldChanges, *, racy: bool) -> None:
    """Insert or replace everything that depends on one note's bytes alone.

    note: the id of its row, None if it has none.
    racy: whether the file changed so recently that it must be read again by the next fold.
    """
    is_new = note is None
    rows = changes.rows
    values = (changes.revision, found.size, found.mtime_ns, found.ctime_ns, found.inode, racy, *extract.columns)
    if note is None:
        note, name = rows.new_id(), name_of(extract.key)
        rows.add(_INSERT, ((*values, extract.key, name, file_id(extract.key), note),))
        changes.names.add(name)
    else:
        _clear_content(connection, note, extract.key, changes)
        connection.execute(_UPDATE, (*values, note))
    _forget_listing(connection, extract.key, changes.folders)
    _put_content(connection, note, extract, changes, is_new=is_new)
    changes.terms.count(extract.tokens, 1)
    changes.contents.append(ChangedNote(note, extract.key, extract.digest, extract.blob, found.mtime_ns, extract.fingerprint, is_new))
    rows.end_note()


def touch(connection: sqlite3.Connection, identifier: int, found: NoteFile, revision: int, *, racy: bool) -> None:
    """Store a file's new stat when its content did not change.

    A new size with the same content means that the file was still being written when it was stat'ed, and complete when it was read. The
    revision then increases, because the size is published.
    """
    connection.execute(
        "UPDATE notes SET revision = CASE size WHEN ?1 THEN revision ELSE ?2 END, size = ?1, mtime_ns = ?3, ctime_ns = ?4, inode = ?5, racy = ?6 WHERE id = ?7",
        (found.size, revision, found.mtime_ns, found.ctime_ns, found.inode, racy, identifier),
    )
    _forget_listing(connection, found.key, set())


def remove(connection: sqlite3.Connection, key: str, changes: FoldChanges) -> None:
    """Remove a note's row and everything derived from it."""
    identifier = queries.id_of_indexed(connection, key)
    _clear_content(connection, identifier, key, changes)
    duplicates.forget(connection, identifier, key)
    decisions.forget(connection, identifier, changes.decision_keys)
    _write_keywords(connection, identifier, (), _keywords(connection, identifier))
    for table in ("note_entries", "notes"):
        connection.execute(f"DELETE FROM {table} WHERE id = ?", (identifier,))
    _forget_listing(connection, key, changes.folders)
    changes.names.add(name_of(key))
    changes.removed.append(key)


def clear(connection: sqlite3.Connection) -> None:
    """Delete every row for a fold of everything; only the revision is kept."""
    revision = meta.integer(connection, "revision") or 0
    for table in schema.PLAIN_TABLES:
        connection.execute(f"DELETE FROM {table}")
    for table in schema.FULL_TEXT_TABLES:
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")
    meta.write(connection, "revision", revision)


def _forget_listing(connection: sqlite3.Connection, key: str, known: set[str]) -> None:
    """Record that the rows of a note's folder may not agree with what it listed. Each folder that has rows has such an entry.

    known: the folders of which this fold has recorded it
    """
    if not is_source_key(key) and (folder := folder_of(key)) not in known:
        known.add(folder)
        connection.execute("INSERT OR REPLACE INTO listings VALUES (?, NULL)", (folder,))


def _put_content(connection: sqlite3.Connection, note: int, extract: NoteExtract, changes: FoldChanges, *, is_new: bool) -> None:
    rows = changes.rows
    rows.add(_INSERT_TEXT, ((note, *extract.tokens),))
    rows.add("INSERT INTO tokens VALUES (?, ?, ?, ?, ?)", ((note, *extract.tokens),))
    rows.add("INSERT INTO folded VALUES (?, ?, ?)", ((note, extract.body_at, extract.folded),))
    keywords = [(word, note, uses, shown) for word, uses, shown in extract.keywords]
    listed = jsontext.encode([row[0] for row in keywords])
    if is_new:
        rows.add(_INSERT_KEYWORD, keywords)
        rows.add("INSERT INTO note_entries (id, keywords) VALUES (?, ?)", ((note, listed),))
    else:
        _write_keywords(connection, note, keywords, _keywords(connection, note))
        connection.execute("UPDATE note_entries SET keywords = ? WHERE id = ? AND keywords <> ?1", (listed, note))
    if extract.tags:
        rows.add("INSERT OR IGNORE INTO tags VALUES (?, ?)", [(tag, note) for tag in extract.tags])
    if extract.links:
        rows.add("INSERT INTO links VALUES (?, ?, ?, ?, ?, '', 0)", [(note, position, *link) for position, link in enumerate(extract.links)])
    for name in extract.names:
        alias = folded_name(name)
        for form in dict.fromkeys((name_of(name), name_of(alias))):
            rows.add("INSERT OR IGNORE INTO other_names VALUES (?, ?, ?)", ((form, alias, note),))
            changes.names.add(form)
    if extract.anchors:
        rows.add("INSERT OR IGNORE INTO anchors VALUES (?, ?)", [(anchor, note) for anchor in extract.anchors])
    if extract.claims:
        claims = [
            (note, position, claim.kind, claim.subject, claim.line, claim.place, (claim.place or claim.subject).rpartition("/")[2])
            for position, claim in enumerate(extract.claims)
        ]
        rows.add("INSERT INTO claims (note, position, kind, subject, line, place, name) VALUES (?, ?, ?, ?, ?, ?, ?)", claims)
    decisions.put(connection, note, extract.decisions, extract.replacements, changes, is_new=is_new)
    if extract.problems:
        found = [(extract.key, problem.code, problem.line, problem.message) for problem in extract.problems]
        rows.add("INSERT INTO problems VALUES (?, ?, ?, ?)", found)


def _keywords(connection: sqlite3.Connection, note: int) -> list[str]:
    """Return the stored keywords of a note."""
    found: list[str] = jsontext.decode(connection.execute("SELECT keywords FROM note_entries WHERE id = ?", (note,)).fetchone()[0])
    return found


def _write_keywords(connection: sqlite3.Connection, note: int, wanted: Sequence[tuple[str, int, int, str]], words: Iterable[str]) -> None:
    """Make the rows of a note's keywords agree with `wanted`. Each is on a page of its own, so only those that differ are written.

    words: the stored keywords.
    """
    query = "SELECT word, note, occurrences, snippets FROM keywords WHERE word = ? AND note = ?"
    known = {connection.execute(query, (word, note)).fetchone() for word in words}
    gone = [row[:2] for row in known.difference(wanted)]
    if gone:
        connection.executemany("DELETE FROM keywords WHERE word = ? AND note = ?", gone)
        # The words that the note still has are rendered again with the note.
        connection.executemany("INSERT OR IGNORE INTO stale_words VALUES (?)", [row[:1] for row in gone])
    connection.executemany(_INSERT_KEYWORD, [row for row in wanted if row not in known])


def _clear_content(connection: sqlite3.Connection, identifier: int, key: str, changes: FoldChanges) -> None:
    """Delete what depends on a note's bytes, and record in `changes` what this affects.

    What usually stays the same after an edit (keywords, decisions, the fingerprint) is left to those who write the new rows.
    """
    changes.terms.count(schema.remove_tokens(connection, "note_text", "tokens", identifier), -1)
    changes.unlinked.update(row[0] for row in connection.execute("SELECT target FROM links WHERE source = ? AND target <> ''", (identifier,)))
    changes.names.update(row[0] for row in connection.execute("SELECT name FROM other_names WHERE note = ?", (identifier,)))
    duplicates.touch(connection, identifier)
    for table in ("folded", "content_entries"):
        connection.execute(f"DELETE FROM {table} WHERE id = ?", (identifier,))
    for table in ("tags", "anchors", "other_names", "claims"):
        connection.execute(f"DELETE FROM {table} WHERE note = ?", (identifier,))
    connection.execute("DELETE FROM links WHERE source = ?", (identifier,))
    connection.execute("DELETE FROM problems WHERE key = ?", (key,))


_VALUES = ("revision", "size", "mtime_ns", "ctime_ns", "inode", "racy", *COLUMNS)
_INSERT = f"INSERT INTO notes ({', '.join(_VALUES)}, key, name, file_id, id) VALUES ({', '.join('?' * (len(_VALUES) + 4))})"
_INSERT_TEXT = "INSERT INTO note_text (rowid, title, headings, tags, body) VALUES (?, ?, ?, ?, ?)"
_INSERT_KEYWORD = "INSERT INTO keywords VALUES (?, ?, ?, ?)"
_UPDATE = f"UPDATE notes SET {', '.join(f'{name} = ?' for name in _VALUES)} WHERE id = ?"
