"""One note into the cache's tables, and out of them again."""

import json
import sqlite3
from hashlib import sha256

from memorybank.config.settings import Settings
from memorybank.index import duplicates, meta
from memorybank.index.changes import Changes, Content
from memorybank.index.extract import Extract, extract
from memorybank.notes.note import Note
from memorybank.notes.scan import Found
from memorybank.notes.targets import name_of

_CONTENT_TABLES = ("tokens", "folded", "content_entries")
_LOG_TABLES = ("sightings", "reads", "removals", "git_dates")
_TABLES = (
    *("notes", *_CONTENT_TABLES, "tags", "links", "fingerprints", "keywords", "problems", "keyword_entries", "stale_words", "folders", "meta"),
    *_LOG_TABLES,
)


def file_id(key: str) -> str:
    """`file_` + the first 48 bits of SHA-256(key) in decimal: the same on every machine."""
    return f"file_{int.from_bytes(sha256(key.encode()).digest()[:6], 'big')}"


def put(connection: sqlite3.Connection, settings: Settings, note: Note, found: Found, changes: Changes, *, racy: bool) -> None:
    """Insert or replace everything that follows from one note's bytes alone."""
    row = connection.execute("SELECT id FROM notes WHERE key = ?", (note.key,)).fetchone()
    facts = extract(note, settings)
    if row is None:
        identifier = _insert(connection, note, found, facts, racy, changes.revision)
        changes.names.add(name_of(note.key))
    else:
        identifier = int(row[0])
        _clear_content(connection, identifier, note.key, changes)
        _update(connection, identifier, note, found, facts, racy, changes.revision)
    _put_content(connection, identifier, note, facts)
    changes.contents.append(Content(identifier, note.key, note.digest, note.blob, found.mtime_ns, facts.fingerprint))


def touch(connection: sqlite3.Connection, identifier: int, found: Found, *, racy: bool) -> None:
    """The file's stat changed, its content did not."""
    connection.execute(
        "UPDATE notes SET mtime_ns = ?, ctime_ns = ?, inode = ?, racy = ? WHERE id = ?", (found.mtime_ns, found.ctime_ns, found.inode, racy, identifier)
    )


def remove(connection: sqlite3.Connection, key: str, changes: Changes) -> None:
    identifier = connection.execute("SELECT id FROM notes WHERE key = ?", (key,)).fetchone()[0]
    _clear_content(connection, identifier, key, changes)
    connection.execute("DELETE FROM notes WHERE id = ?", (identifier,))
    changes.names.add(name_of(key))
    changes.removed.append(key)


def clear(connection: sqlite3.Connection) -> None:
    """Forget everything but how often the rows have changed: what follows is a fold of everything."""
    revision = meta.integer(connection, "revision") or 0
    for table in _TABLES:
        connection.execute(f"DELETE FROM {table}")
    connection.execute("INSERT INTO note_text (note_text) VALUES ('delete-all')")
    meta.write(connection, "revision", revision)


def _put_content(connection: sqlite3.Connection, identifier: int, note: Note, facts: Extract) -> None:
    columns = (identifier, *facts.tokens)
    connection.execute("INSERT INTO note_text (rowid, title, headings, tags, body) VALUES (?, ?, ?, ?, ?)", columns)
    connection.execute("INSERT INTO tokens VALUES (?, ?, ?, ?, ?)", columns)
    connection.execute("INSERT INTO folded VALUES (?, ?, ?)", (identifier, facts.body_at, facts.folded))
    connection.executemany("INSERT OR IGNORE INTO tags VALUES (?, ?)", [(tag, identifier) for tag in note.front.tags])
    connection.executemany(
        "INSERT INTO links VALUES (?, ?, ?, ?, ?, '', 0)",
        [(identifier, position, kind, written, name) for position, (kind, written, name) in enumerate(facts.links)],
    )
    connection.executemany(
        "INSERT INTO keywords VALUES (?, ?, ?, ?, ?)",
        [(word, identifier, occurrences, rank, snippets) for rank, (word, occurrences, snippets) in enumerate(facts.keywords)],
    )
    connection.executemany("INSERT INTO problems VALUES (?, ?, ?, ?)", [(note.key, problem.code, problem.line, problem.message) for problem in note.problems])


def _clear_content(connection: sqlite3.Connection, identifier: int, key: str, changes: Changes) -> None:
    old = connection.execute("SELECT * FROM tokens WHERE id = ?", (identifier,)).fetchone()
    connection.execute("INSERT INTO note_text (note_text, rowid, title, headings, tags, body) VALUES ('delete', ?, ?, ?, ?, ?)", old)
    connection.execute("INSERT OR IGNORE INTO stale_words SELECT word FROM keywords WHERE note = ?", (identifier,))
    changes.unlinked.update(row[0] for row in connection.execute("SELECT target FROM links WHERE source = ? AND target <> ''", (identifier,)))
    duplicates.forget(connection, identifier)
    for table in _CONTENT_TABLES:
        connection.execute(f"DELETE FROM {table} WHERE id = ?", (identifier,))
    for table in ("tags", "keywords"):
        connection.execute(f"DELETE FROM {table} WHERE note = ?", (identifier,))
    connection.execute("DELETE FROM links WHERE source = ?", (identifier,))
    connection.execute("DELETE FROM problems WHERE key = ?", (key,))


_STAT = ("size", "mtime_ns", "ctime_ns", "inode", "racy")
_CONTENT = (
    "digest", "blob", "title", "language", "category", "tags", "topics", "front_created", "front_updated", "rating", "bookmarked", "acl", "privacy",
    "agent_created", "session_id", "words", "characters", "keyword_hits", "has_headings", "has_lists", "has_code", "has_links", "external",
)  # fmt: skip
_INSERT = f"INSERT INTO notes (key, name, file_id, revision, {', '.join(_STAT + _CONTENT)}) VALUES ({', '.join('?' * (4 + len(_STAT) + len(_CONTENT)))})"
_UPDATE = f"UPDATE notes SET revision = ?, {', '.join(f'{name} = ?' for name in _STAT + _CONTENT)} WHERE id = ?"


def _insert(connection: sqlite3.Connection, note: Note, found: Found, facts: Extract, racy: bool, revision: int) -> int:
    values = (note.key, name_of(note.key), file_id(note.key), revision, *_stat(found, racy), *_content(note, facts))
    return int(connection.execute(_INSERT, values).lastrowid or 0)


def _update(connection: sqlite3.Connection, identifier: int, note: Note, found: Found, facts: Extract, racy: bool, revision: int) -> None:
    connection.execute(_UPDATE, (revision, *_stat(found, racy), *_content(note, facts), identifier))


def _stat(found: Found, racy: bool) -> tuple[int, ...]:
    return (found.size, found.mtime_ns, found.ctime_ns, found.inode, racy)


def _content(note: Note, facts: Extract) -> tuple[object, ...]:
    front = note.front
    category = note.key.partition("/")[0] if "/" in note.key else ""
    return (
        note.digest, note.blob, note.title, facts.language, category, _texts(front.tags), _texts(note.topics), front.created, front.updated, front.rating,
        front.bookmarked, front.acl, front.privacy, front.agent_created, front.session_id, facts.words, facts.characters, facts.keyword_hits,
        bool(note.headings), note.has_list, note.has_code, facts.has_links, facts.external,
    )  # fmt: skip


def _texts(values: tuple[str, ...]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")) if values else "[]"
