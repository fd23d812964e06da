"""The notes that the working index lacks, read from their files into a small index in memory: at most `YOUNG` of them entirely, more by title and tags.

A hook uses it as long as the index is not ready, because it has no time to index thousands of notes. The small index has the tables that
recall asks (`queries`, full text, frequencies of terms), so the same search and the same ranking work on both.

Reading is bounded: at most `HEAD_BYTES` of a file (`ENTIRE_BYTES` of a few), and no further file once the caller's time is up. A note whose
front matter does not end within these bytes, or restricts who may see the note, is left out until it is indexed.
"""

from __future__ import annotations

__light__ = True

from unicodedata import normalize

from memorybank.index import glance, queries, schema
from memorybank.index.readiness import YOUNG
from memorybank.storage import database, disk
from memorybank.storage.digest import sha256
from memorybank.text.words.terms import terms as terms_of
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memorybank.storage.layout import Layout

HEAD_BYTES = 2_048
"""Bytes read of each file."""
ENTIRE_BYTES = 16_384
"""Bytes read of each file when at most `YOUNG` notes are missing."""
_UNTIL_CLOCK = 64
"""Files read between two checks of the time."""
_IMPORTANCE = 5.0
"""Importance of a note whose own is not known yet: the middle of the scale."""
_GUARDS = ("acl", "privacy", "\\")
"""Front matter that contains one of these may restrict who sees the note. A backslash can spell any key in YAML."""
_FENCE = "---"
_CODE = ("```", "~~~")
_NOTES = (
    "CREATE TABLE notes (id INTEGER PRIMARY KEY, key TEXT, title TEXT, modified INTEGER, importance REAL, acl TEXT, privacy TEXT, agent_created TEXT,"
    " session_id TEXT, source TEXT NOT NULL DEFAULT '', loaded_by TEXT NOT NULL DEFAULT '', imported_by TEXT NOT NULL DEFAULT '',"
    " digest TEXT NOT NULL DEFAULT '')"
)
_KNOWN_DATE = (
    "SELECT coalesce((SELECT modified FROM notes WHERE key = ?1 AND digest = ?2), (SELECT modified FROM committed_dates WHERE key = ?1"
    " AND digest = substr(?2, 1, 16)), (SELECT date FROM sightings WHERE key = ?1 AND digest = ?2))"
)
"""The date of a content that the working index has read before: `git checkout` writes a file anew, and a hook asks no git."""
_COPIED = ("tokens", "frequencies", "anchors", "links", "note_text")
"""Tables that are the same as in the working index."""


class NoteHead(Value):
    """What the beginning of a note's file says. title: "" when it has none; tags: as written; lines: those after the front matter."""

    title: str
    tags: str
    agent_created: str | None
    lines: Sequence[str] = ()


class TitleIndex(Value, frozen=False):
    """The result of reading the beginnings of notes.

    connection: the index in memory, with the notes that contain one of the terms.
    missing: number of notes that the working index lacks.
    looked: number of these notes that were read in the available time.
    is_entire: whether they were read entirely, not only their titles and tags.
    """

    connection: Connection
    missing: int
    looked: int
    is_entire: bool


def missing_in(layout: Layout, connection: Connection | None) -> list[str]:
    """Return the keys of the notes that the working index lacks; in a bank of at most `YOUNG` notes also of those that changed since.

    connection: the working index; None when there is none.
    """
    if connection is None:
        return list(glance.keys_below(layout.active))
    if queries.has_more_than(connection, YOUNG):
        known = queries.keys(connection)
        return [key for key in glance.keys_below(layout.active) if key not in known]
    states = queries.file_states(connection)
    return [key for key, status in glance.notes_below(layout.active).items() if states.get(key) != queries.state_of(status)]


def look(layout: Layout, missing: Sequence[str], terms: Iterable[str], has_time: Callable[[], bool], known: Connection | None = None) -> TitleIndex:
    """Return those of the missing notes whose title, tags or file name, or text if it is read, contain one of the terms.

    missing: their keys.
    known: the working index, which knows the date of a content that it has read before; other notes have the date of their file.
    terms: terms of the question, as `text.words.terms` forms them.
    has_time: called every few files; once it returns False, no further file is read. Notes whose file name contains a term are read first.
    """
    needles = [_needle(term) for term in dict.fromkeys(terms)]
    is_entire = len(missing) <= YOUNG
    looked = 0
    counts: dict[str, int] = {}
    rows: list[tuple[object, ...]] = []
    columns: list[tuple[object, ...]] = []
    most = ENTIRE_BYTES if is_entire else HEAD_BYTES
    for key, data, saved in _read(layout, _promising_first(missing, needles), has_time, most):
        looked += 1
        head = head_of(data)
        if head is None:
            continue
        stem = key.rpartition("/")[2].removesuffix(".md")
        title = head.title or stem
        lines = head.lines if is_entire else ()
        if not _contains("\n".join((title, head.tags, stem, *lines)), needles):
            continue
        headings = [line.lstrip("#") for line in lines if line.startswith("#")]
        found = (" ".join(terms_of(title)), _terms_of_lines(headings), " ".join(terms_of(f"{head.tags} {stem}")), _terms_of_lines(lines))
        for term in {term for column in found for term in column.split()}:
            counts[term] = counts.get(term, 0) + 1
        date = _date_of(known, key, data) if known is not None and len(data) < most else None
        rows.append((looked, key, title, saved if date is None else date, _IMPORTANCE, head.agent_created))
        columns.append((looked, *found))
    connection = database.in_memory((_NOTES, *(each for each in schema.TABLES if _table(each) in _COPIED)), schema.VERSION)
    with database.closed_on_error(connection):
        _fill(connection, rows, columns, counts, looked)
    return TitleIndex(connection, len(missing), looked, is_entire)


def _date_of(known: Connection, key: str, content: bytes) -> int | None:
    """Return the date (ms) that an index knows for a content under a key; None when it has not read it."""
    row: tuple[int | None] = known.execute(_KNOWN_DATE, (key, sha256(content).hex())).fetchone()
    return row[0]


def _terms_of_lines(lines: Iterable[str]) -> str:
    """Return the terms of each line, with line ends as terms, as the working index keeps them."""
    return " \n ".join(" ".join(terms_of(line)) for line in lines)


def head_of(data: bytes) -> NoteHead | None:
    """Return the head of a note from the first bytes of its file; None when they do not show who may see the note."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    lines = [line.rstrip("\r") for line in text.split("\n")]
    begin = 0
    title, tags, agent = "", "", None
    if lines[0].rstrip() == _FENCE:
        end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), 0)
        block = "\n".join(lines[1:end]).lower()
        if not end or any(guard in block for guard in _GUARDS):
            return None
        begin = end + 1
        title, tags, agent = _fields(lines[1:end])
    return NoteHead(title or _heading(lines[begin:]), tags, agent, lines[begin:])


def _fields(block: Sequence[str]) -> tuple[str, str, str | None]:
    """Return (title, tags and topics as written, who created the note) of a front matter."""
    title, agent = "", None
    tags: list[str] = []
    name = ""
    for line in block:
        if line[:1] not in (" ", "\t", "-", "#", ""):
            name, _, line = line.partition(":")
        value = line.strip().strip("\"'")
        if name == "title":
            title = title or value
        elif name in ("tags", "topics"):
            tags.append(value)
        elif name == "agent_created" and value:
            agent = value
    return title, " ".join(tags), agent


def _heading(lines: Sequence[str]) -> str:
    """Return the first heading that is not in a block of code; "" for none."""
    is_code = False
    for line in lines:
        if line.lstrip().startswith(_CODE):
            is_code = not is_code
        elif not is_code and line.startswith("#") and (text := line.lstrip("#")).startswith((" ", "\t")):
            return " ".join(text.rstrip().rstrip("#").split())
    return ""


def _promising_first(keys: Sequence[str], needles: list[str]) -> list[str]:
    """Return the keys, first those whose file name contains a term of the question."""
    named = [key for key in keys if _contains(key.rpartition("/")[2], needles)]
    first = set(named)
    return named + [key for key in keys if key not in first]


def _read(layout: Layout, keys: Sequence[str], has_time: Callable[[], bool], most: int) -> Iterator[tuple[str, bytes, int]]:
    """Yield (key, the first `most` bytes of the file, its mtime in ms). Files that cannot be read are left out."""
    for number, key in enumerate(keys):
        if number % _UNTIL_CLOCK == 0 and not has_time():
            return
        try:
            data, mtime_ns = disk.read_head(f"{layout.active}/{key}", most)
        except (OSError, ValueError):
            continue
        yield key, data, mtime_ns // 1_000_000


def _contains(text: str, needles: Iterable[str]) -> bool:
    """Return whether a text may contain one of the terms. It is split into terms only then."""
    folded = (text if text.isascii() else normalize("NFKD", text)).lower()
    return any(needle in folded for needle in needles)


def _needle(term: str) -> str:
    """Return a part of every word that has this term: the last letter of a stem may differ (`retri` is the stem of retry)."""
    return term[:-1] if term.isascii() and len(term) > 3 else normalize("NFKD", term)


def _table(statement: str) -> str:
    """Return the name of the table that a statement creates; "" for another statement."""
    return statement.removeprefix("CREATE VIRTUAL TABLE ").removeprefix("CREATE TABLE ").partition(" ")[0] if "TABLE" in statement else ""


def _fill(connection: Connection, rows: Sequence[tuple[object, ...]], columns: Sequence[tuple[object, ...]], counts: dict[str, int], looked: int) -> None:
    """Store the notes. Notes without a term of the question count too, as empty rows: how rare a term is depends on their number."""
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO notes (id, key, title, modified, importance, agent_created) VALUES (?, ?, ?, ?, ?, ?)", rows)
    connection.executemany("INSERT INTO tokens VALUES (?, ?, ?, ?, ?)", columns)
    connection.executemany("INSERT INTO note_text (rowid, title, headings, tags, body) VALUES (?, ?, ?, ?, ?)", columns)
    connection.execute(
        "INSERT INTO note_text (rowid, title, headings, tags, body) WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ?)"
        " SELECT id, '', '', '', '' FROM n WHERE id NOT IN (SELECT id FROM notes) AND id <= ?",
        (looked, looked),
    )
    connection.executemany("INSERT INTO frequencies VALUES (?, ?)", counts.items())
    connection.execute("COMMIT")
