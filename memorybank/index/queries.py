"""Queries of other packages about the rows of notes. Their results are named values, and SQL over the table `notes` stays in this package.

`Index.notes` returns complete rows. The queries here read less, or are made by hooks, which load no other module for them.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import storable
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from memorybank.notes.source_files import FileStatus

    FileState: TypeAlias = tuple[int | None, int, int, int]
    """(size, mtime in ns, ctime in ns, inode). A plain tuple, because a sweep compares one for every note of the bank."""

IS_OWN = "source = ''"
"""SQL condition: notes of the bank, without the files of its sources."""
IS_SEEN = (
    "((acl IS NULL AND privacy IS NULL) OR sees('note', 0, acl, privacy, 0, agent_created, session_id, agent_created))"
    " AND (source = '' OR needs(loaded_by || imported_by, digest))"
)
"""SQL condition: notes that the reader may not see do not count towards a limit, and neither do files that the reader's host loads itself. Recall
registers the functions `sees` and `needs` with the connection."""
DATES_OF_SEEN = f"SELECT id, modified FROM notes WHERE id IN ({{}}) AND {IS_SEEN}"
"""SQL for (row, its date) of those of a list of notes that the reader may see."""
STATE = "CASE racy WHEN 0 THEN size END, mtime_ns, ctime_ns, inode"
"""Columns of a `FileState`. A file that was written just before it was read can change again without a new mtime; its size is NULL here."""


class NoteRow(Value):
    """A note as recall and access rules see it.

    modified: instant (ms).
    importance: 0.0-10.0.
    """

    id: int
    key: str
    title: str
    modified: int
    importance: float
    acl: str | None
    privacy: str | None
    agent_created: str | None
    session_id: str | None
    source: str = ""


_ROW = "n.id, n.key, n.title, n.modified, n.importance, n.acl, n.privacy, n.agent_created, n.session_id, n.source"
"""The columns of a `NoteRow`."""


class NoteTokens(Value):
    """A note with its tokens, all columns joined by spaces."""

    row: NoteRow
    tokens: str


class ShownNote(Value):
    """The data of a note that a hit shows. body_line: 0-based line of the file at which the body begins; size in bytes."""

    key: str
    title: str
    importance: float
    modified: int
    size: int
    body_line: int
    source: str = ""


class NoteLength(Value):
    """A note with its number of words."""

    id: int
    key: str
    words: int


class NoteDating(Value):
    """A note with its dates (ms), the rule that determined `modified`, and its number of edits, None when unknown."""

    key: str
    digest: str
    created: int
    modified: int
    source: str
    edits: int | None


class NoteTotals(Value):
    """All notes together: how many have each importance, their bytes, and the number of those that repeat an older one."""

    importances: dict[float, int]
    size: int
    duplicates: int


def file_states(connection: Connection, keys: Iterable[str] | None = None) -> dict[str, FileState]:
    """Return {key: the state of the file that the note's row was made from}, of all notes or of those of `keys` that have a row.

    This is the one rule for changed notes: a note has changed when the state of its file is not equal to this one.
    """
    return dict(each_file_state(connection, keys))


def each_file_state(connection: Connection, keys: Iterable[str] | None = None) -> Iterator[tuple[str, FileState]]:
    """Yield what `file_states` returns, one row after another."""
    if keys is None:
        rows: Iterable[Sequence[object]] = connection.execute(f"SELECT key, {STATE} FROM notes")
    else:
        rows = (row for key in keys for row in connection.execute(f"SELECT key, {STATE} FROM notes WHERE key = ?", (key,)))
    return ((row[0], row[1:]) for row in rows)  # type: ignore[misc]  # the rest of a row, whose columns the query names


def keys(connection: Connection) -> set[str]:
    """Return the keys of all notes."""
    return {row[0] for row in connection.execute("SELECT key FROM notes")}


def file_states_in(connection: Connection, prefix: str) -> dict[str, FileState]:
    """Like `file_states`, for the notes of one folder without those of its subfolders. prefix: the folder with a final slash, "" for active/ itself"""
    direct = "key >= ?1 AND key < ?1 || char(1114111) AND instr(substr(key, length(?1) + 1), '/') = 0"
    return {row[0]: row[1:] for row in connection.execute(f"SELECT key, {STATE} FROM notes WHERE {direct}", (prefix,))}


def state_of(status: FileStatus) -> FileState:
    """Return the state of a file, as `file_states` has it of the files that rows were made from."""
    return (status.st_size, storable(status.st_mtime_ns), storable(status.st_ctime_ns), storable(status.st_ino))


def id_of(connection: Connection, key: str) -> int | None:
    """Return the id of a note's row; None when it has none."""
    row = connection.execute("SELECT id FROM notes WHERE key = ?", (key,)).fetchone()
    return None if row is None else int(row[0])


def id_of_indexed(connection: Connection, key: str) -> int:
    """Return the id of the row of a note that has one."""
    return int(connection.execute("SELECT id FROM notes WHERE key = ?", (key,)).fetchone()[0])


def mark_source(connection: Connection, key: str, source: str, hosts: Sequence[str]) -> None:
    """Record the source of a row, and the hosts that load its file; "" and none for a note of the bank."""
    connection.execute("UPDATE notes SET source = ?, loaded_by = ? WHERE key = ?", (source, f" {' '.join(hosts)} " if hosts else "", key))


def digests_loaded_by(connection: Connection, host: str) -> set[str]:
    """Return the digests of the files of sources that a host loads itself."""
    rows = connection.execute("SELECT digest FROM notes WHERE source <> '' AND instr(loaded_by || imported_by, ?)", (f" {host} ",))
    return {row[0] for row in rows}


def source_counts(connection: Connection) -> dict[str, tuple[int, int]]:
    """Return {name of a source: (number of its files, their bytes)} of those that have files."""
    rows = connection.execute("SELECT source, count(*), sum(size) FROM notes WHERE source <> '' GROUP BY source")
    return {name: (int(count), int(size)) for name, count, size in rows}


def hosts_of_sources(connection: Connection) -> dict[str, tuple[str, ...]]:
    """Return {name of a source: the hosts that load some of its files themselves}."""
    found: dict[str, set[str]] = {}
    for name, hosts in connection.execute("SELECT DISTINCT source, loaded_by || imported_by FROM notes WHERE source <> ''"):
        found.setdefault(name, set()).update(hosts.split())
    return {name: tuple(sorted(hosts)) for name, hosts in found.items()}


def ids_of_files(connection: Connection) -> set[int]:
    """Return the ids of the files of sources, which are rows without being notes of the bank."""
    return {row[0] for row in connection.execute("SELECT id FROM notes WHERE source <> ''")}


def has_more_than(connection: Connection, count: int) -> bool:
    """Return whether there are more than `count` notes. Counting them would read the entire table."""
    return connection.execute("SELECT 1 FROM notes LIMIT 1 OFFSET ?", (count,)).fetchone() is not None


def rows(connection: Connection) -> Iterator[NoteRow]:
    """Yield every note, by key."""
    return (NoteRow(*row) for row in connection.execute(f"SELECT {_ROW} FROM notes n ORDER BY key"))


def with_tokens(connection: Connection) -> Iterator[NoteTokens]:
    """Yield every note with its tokens, by key."""
    found = connection.execute(f"SELECT {_ROW}, t.title, t.headings, t.tags, t.body FROM notes n LEFT JOIN tokens t ON t.id = n.id ORDER BY n.key")
    return (NoteTokens(NoteRow(*row[:-4]), " ".join(text or "" for text in row[-4:])) for row in found)


def seen(connection: Connection, notes: Iterable[int]) -> Iterator[NoteRow]:
    """Yield those of these notes that the reader may see."""
    listed = ",".join(str(int(note)) for note in notes)
    if not listed:
        return iter(())
    return (NoteRow(*row) for row in connection.execute(f"SELECT {_ROW} FROM notes n WHERE id IN ({listed}) AND {IS_SEEN}"))


def seen_with_tags(connection: Connection, tags: Sequence[str], limit: int) -> Iterator[NoteRow]:
    """Yield at most `limit` notes of the bank with one of these tags, written like this, that the reader may see.

    They are ordered by rating, 5 without one, then by importance.
    """
    tagged = f"SELECT note FROM tags WHERE tag IN ({','.join('?' * len(tags))})"
    order = "coalesce(rating, 5) DESC, importance DESC, created, key"
    found = connection.execute(f"SELECT {_ROW} FROM notes n WHERE id IN ({tagged}) AND {IS_OWN} AND {IS_SEEN} ORDER BY {order} LIMIT ?", (*tags, limit))
    return (NoteRow(*row) for row in found)


def has_digest(connection: Connection, digest: str) -> bool:
    """Return whether a note of the bank has this content."""
    return connection.execute(f"SELECT 1 FROM notes WHERE digest = ? AND {IS_OWN} LIMIT 1", (digest,)).fetchone() is not None


def digest_of(connection: Connection, note: int) -> str:
    """Return the SHA-256 (hex) of the note with this id, "" when there is none."""
    row = connection.execute("SELECT digest FROM notes WHERE id = ?", (note,)).fetchone()
    return row[0] if row is not None else ""


def row_of(connection: Connection, note: int) -> NoteRow | None:
    """Return the note with this id, None when there is none."""
    row = connection.execute(f"SELECT {_ROW} FROM notes n WHERE id = ?", (note,)).fetchone()
    return NoteRow(*row) if row is not None else None


def id_of_learned(connection: Connection, kind: str, digits: str) -> int | None:
    """Return the id of the learned note of a memory, None when there is none."""
    row = connection.execute("SELECT id FROM notes WHERE key GLOB ? LIMIT 1", (f"learned/{kind}-*-{digits}.md",)).fetchone()
    return row[0] if row is not None else None


def seen_with_anchor(connection: Connection, anchor: str, limit: int) -> list[int]:
    """Return the ids of at most `limit` notes that contain an anchor and that the reader may see."""
    found = connection.execute(f"SELECT note FROM anchors JOIN notes ON id = note WHERE anchor = ? AND {IS_SEEN} LIMIT ?", (anchor, limit))
    return [row[0] for row in found]


def named_or_linked(connection: Connection, key: str, limit: int) -> list[int]:
    """Return the ids of the note with this key and of notes that link to it, at most `limit`."""
    named = "SELECT id FROM notes WHERE key = ?1 UNION SELECT source FROM links WHERE target = ?1 AND target <> '' LIMIT ?2"
    return [row[0] for row in connection.execute(named, (key, limit))]


def shown(connection: Connection, note: int) -> ShownNote:
    """Return the data of a note that a hit shows."""
    key, title, importance, modified, size, opening, source = connection.execute(
        "SELECT key, n.title, importance, modified, size, substr(text, 1, body_at), source FROM notes n JOIN folded f ON f.id = n.id WHERE n.id = ?", (note,)
    ).fetchone()
    return ShownNote(key, title, importance, modified, size, opening.count("\n"), source)


def length_of(connection: Connection, note: int) -> NoteLength:
    """Return a note with its number of words."""
    return NoteLength(*connection.execute("SELECT id, key, words FROM notes WHERE id = ?", (note,)).fetchone())


def lengths_between(
    connection: Connection, first: str, end: str, limit: int, condition: str = "", values: Sequence[object] = (), *, backwards: bool = False
) -> list[NoteLength]:
    """Return at most `limit` notes with `first` <= key < `end`, by key.

    condition, values: further SQL that begins with AND, and its parameters.
    backwards: whether to begin with the last one.
    """
    order = "key DESC" if backwards else "key"
    query = f"SELECT id, key, words FROM notes WHERE key >= ? AND key < ?{condition} ORDER BY {order} LIMIT ?"
    return [NoteLength(*row) for row in connection.execute(query, (first, end, *values, limit))]


def totals(connection: Connection) -> NoteTotals:
    """Return the sums over all notes of the bank."""
    query = f"SELECT importance, count(*), sum(size), count(duplicate_of) FROM notes WHERE {IS_OWN} GROUP BY importance"
    rows = connection.execute(query).fetchall()
    return NoteTotals({row[0]: row[1] for row in rows}, sum(row[2] for row in rows), sum(row[3] for row in rows))


def dates(connection: Connection) -> Iterator[NoteDating]:
    """Yield the dates of every note, by key."""
    return (NoteDating(*row) for row in connection.execute(f"SELECT key, digest, created, modified, date_source, edits FROM notes WHERE {IS_OWN} ORDER BY key"))


def importance_counts(connection: Connection) -> dict[float, int]:
    """Return {importance: number of notes that have it}. Reads an index only."""
    return dict(connection.execute(f"SELECT importance, count(*) FROM notes WHERE {IS_OWN} GROUP BY importance"))


def ranked_among_own(connection: Connection, importances: Iterable[float]) -> tuple[int, dict[float, int]]:
    """Return (number of notes of the bank, {importance: number of them with a higher one}) for those importances that some of them have.

    The rows above the lowest importance are counted once, and nothing of them is read: a search asks this for its few hits, in a bank of any size.
    """
    files = [row[0] for row in connection.execute("SELECT importance FROM notes WHERE source <> ''")]

    def count(condition: str, *values: float) -> int:
        return int(connection.execute(f"SELECT count(*) FROM notes{condition}", values).fetchone()[0])

    found: dict[float, int] = {}
    above, limit = 0, float("inf")
    for importance in sorted(importances, reverse=True):
        above += count(" WHERE importance > ? AND importance < ?", importance, limit)
        equal = count(" WHERE importance = ?", importance)
        if equal > files.count(importance):
            found[importance] = above - sum(other > importance for other in files)
        above += equal
        limit = importance
    return count("") - len(files), found


def digests(connection: Connection) -> dict[str, str]:
    """Return {key: digest of the note}, as published documents write it."""
    return {key: f"sha256:{digest}" for key, digest in connection.execute(f"SELECT key, digest FROM notes WHERE {IS_OWN}")}


def keys_by_keyword(connection: Connection) -> dict[str, set[str]]:
    """Return {keyword: keys of the notes that have it}."""
    found: dict[str, set[str]] = {}
    for word, key in connection.execute(f"SELECT k.word, n.key FROM keywords k JOIN notes n ON n.id = k.note WHERE {IS_OWN}"):
        found.setdefault(word, set()).add(key)
    return found


def importances_of_sources(connection: Connection) -> list[float]:
    """Return the distinct importances of the files of sources."""
    return [row[0] for row in connection.execute("SELECT DISTINCT importance FROM notes WHERE source <> '' ORDER BY importance")]


def saved_since(connection: Connection, since: int, session: str) -> dict[str, str]:
    """Return {key: digest} of the notes of the bank whose files are newer than `since` (ms), by key, without those of one session."""
    saved = "SELECT key, digest FROM notes WHERE mtime_ns > ? AND session_id IS NOT ? AND source = '' ORDER BY key"
    return dict(connection.execute(saved, (since * 1_000_000, session)))


def removed_since(connection: Connection, since: int) -> set[str]:
    """Return the keys of the notes of the bank that were removed after `since` (ms) and have not come back."""
    return {
        row[0]
        for row in connection.execute(
            "SELECT key FROM removals WHERE at > ? AND key NOT IN (SELECT key FROM notes) AND substr(key, 1, 1) <> '/' AND substr(key, 1, 2) <> './'", (since,)
        )
    }
