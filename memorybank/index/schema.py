"""The tables of the working index, `cache/bank.sqlite3`. Everything in it is derived; `docs/format.md` explains each table.

Full text is contentless FTS5 fed with our own tokens (`text.words.tokens`), so that English stems, identifiers and CJK bigrams share one
vocabulary. The `tokens` table keeps what was inserted, because SQLite before 3.43 deletes from a contentless table only when it is given
the exact old tokens.
"""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence

VERSION = 26
"""Increased with every change to the tables below. A cache of another version is replaced by one that is built again."""

_TOKEN_CHARACTERS = "!#$%&()*+,-./:;<=>?@[]^_`{|}~"
"""Every ASCII punctuation character except quotes and the backslash: only the spaces between our tokens separate them."""
FULL_TEXT = f"USING fts5(title, headings, tags, body, content='', tokenize=\"ascii tokenchars '{_TOKEN_CHARACTERS}'\")"

TABLES: tuple[str, ...] = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    # one row per note of the bank (source '') and per file of a source; loaded_by, imported_by: the hosts that load the file themselves, each
    # between spaces
    """CREATE TABLE notes (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        file_id TEXT NOT NULL,
        size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, inode INTEGER NOT NULL, racy INTEGER NOT NULL,
        digest TEXT NOT NULL, blob TEXT NOT NULL,
        title TEXT NOT NULL, language TEXT NOT NULL, category TEXT NOT NULL, tags TEXT NOT NULL, topics TEXT NOT NULL,
        front_created INTEGER, front_updated INTEGER, rating REAL, bookmarked INTEGER NOT NULL,
        acl TEXT, privacy TEXT, agent_created TEXT, session_id TEXT,
        words INTEGER NOT NULL, characters INTEGER NOT NULL, keyword_hits INTEGER NOT NULL,
        has_headings INTEGER NOT NULL, has_lists INTEGER NOT NULL, has_code INTEGER NOT NULL, has_links INTEGER NOT NULL,
        external INTEGER NOT NULL,
        sentences INTEGER NOT NULL, statements INTEGER NOT NULL, specifics INTEGER NOT NULL, kind INTEGER NOT NULL,
        internal INTEGER NOT NULL DEFAULT 0, backlinks INTEGER NOT NULL DEFAULT 0,
        duplicate_of TEXT, similarity REAL NOT NULL DEFAULT 0,
        created INTEGER NOT NULL DEFAULT 0, modified INTEGER NOT NULL DEFAULT 0, date_source TEXT NOT NULL DEFAULT '', edits INTEGER,
        importance REAL NOT NULL DEFAULT 0, content REAL NOT NULL DEFAULT 0, temporal REAL NOT NULL DEFAULT 0, access REAL NOT NULL DEFAULT 0,
        relationship REAL NOT NULL DEFAULT 0, user REAL NOT NULL DEFAULT 0, reasons TEXT NOT NULL DEFAULT '',
        earlier REAL NOT NULL DEFAULT 0, next_change_at INTEGER NOT NULL DEFAULT 0,
        revision INTEGER NOT NULL DEFAULT 0,
        source TEXT NOT NULL DEFAULT '', loaded_by TEXT NOT NULL DEFAULT '', imported_by TEXT NOT NULL DEFAULT ''
    )""",
    "CREATE INDEX notes_source ON notes (source) WHERE source <> ''",
    "CREATE INDEX notes_name ON notes (name)",
    "CREATE INDEX notes_digest ON notes (digest)",
    # also every column that a plan of a rotation, the status and the metrics compare or sum, so that they read no rows of notes
    """CREATE INDEX notes_importance ON notes (
        importance DESC, key, source, modified, size, rating, bookmarked, date_source, duplicate_of
    )""",
    "CREATE INDEX notes_modified ON notes (modified DESC, key)",
    "CREATE INDEX notes_revision ON notes (revision)",
    "CREATE INDEX notes_next_change ON notes (next_change_at)",
    "CREATE INDEX notes_duplicate ON notes (duplicate_of) WHERE duplicate_of IS NOT NULL",
    "CREATE TABLE folders (path TEXT PRIMARY KEY, mtime_ns INTEGER NOT NULL) WITHOUT ROWID",
    # what each folder with notes listed (`notes.note_files.ListedNotes`) when its rows agreed with it; NULL since one of them was written
    "CREATE TABLE listings (path TEXT PRIMARY KEY, listing BLOB)",
    "CREATE TABLE problems (key TEXT NOT NULL, code TEXT NOT NULL, line INTEGER, message TEXT NOT NULL)",
    "CREATE INDEX problems_key ON problems (key)",
    f"CREATE VIRTUAL TABLE note_text {FULL_TEXT}",
    # as many postings in memory as a slice of a fold has, before they become a segment: with the usual 1 MB, they are merged several times
    f"INSERT INTO note_text (note_text, rank) VALUES ('hashsize', {16 << 20})",
    "CREATE TABLE tokens (id INTEGER PRIMARY KEY, title TEXT NOT NULL, headings TEXT NOT NULL, tags TEXT NOT NULL, body TEXT NOT NULL)",
    # how many notes contain a term: exact, so that recall does not read the postings of common ones
    "CREATE VIRTUAL TABLE note_terms USING fts5vocab(note_text, row)",
    "CREATE TABLE frequencies (term TEXT PRIMARY KEY, notes INTEGER NOT NULL) WITHOUT ROWID",
    # files and notes that a note names, and what it says how to do: `file:` and a repository-relative path, `note:` and a key, `does:` and an action
    "CREATE TABLE anchors (anchor TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (anchor, note)) WITHOUT ROWID",
    "CREATE INDEX anchors_note ON anchors (note)",
    # what a note names that can be looked up in the repository; place: the exact path, if a link says it; name: the last part of the path; state: ''
    # until it is looked up; target, commit_id, at: its evidence
    """CREATE TABLE claims (
        note INTEGER NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, line INTEGER NOT NULL, place TEXT NOT NULL,
        name TEXT NOT NULL, state TEXT NOT NULL DEFAULT '', target TEXT NOT NULL DEFAULT '', commit_id TEXT NOT NULL DEFAULT '', at INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (note, position)
    ) WITHOUT ROWID""",
    "CREATE INDEX claims_name ON claims (name)",
    # whoever changed one note asks for the few claims of each kind that time or a commit can have changed
    "CREATE INDEX claims_kind ON claims (kind, state)",
    "CREATE INDEX claims_state ON claims (state) WHERE state NOT IN ('holds', 'unknown')",
    "CREATE INDEX claims_at ON claims (at) WHERE at > 0",
    # what git's history removed, up to the commit in meta; target: the new path of a renamed file, the new version of a dependency
    """CREATE TABLE vanished (
        kind TEXT NOT NULL, path TEXT NOT NULL, at INTEGER NOT NULL, commit_id TEXT NOT NULL, name TEXT NOT NULL, target TEXT NOT NULL,
        PRIMARY KEY (kind, path, at, commit_id)
    ) WITHOUT ROWID""",
    "CREATE INDEX vanished_name ON vanished (name)",
    "CREATE INDEX vanished_target ON vanished (target) WHERE target <> ''",
    # what notes decide, see `decisions`; day: the date of the statement, if it has one; context: words of the title and headings, separated by spaces;
    # keys: its rows in `decision_keys`, separated by spaces, each with a minus sign if it is left
    """CREATE TABLE decisions (
        note INTEGER NOT NULL, position INTEGER NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL, day TEXT NOT NULL, context TEXT NOT NULL,
        keys TEXT NOT NULL, PRIMARY KEY (note, position)
    ) WITHOUT ROWID""",
    # under which decisions find each other: digests of what they are about; is_left: whether it is a name that the decision says is no longer used
    """CREATE TABLE decision_keys (
        key INTEGER NOT NULL, is_left INTEGER NOT NULL, note INTEGER NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (key, is_left, note, position)
    ) WITHOUT ROWID""",
    # the keys that more decisions have than are compared; of such a key, none is
    "CREATE TABLE crowded_keys (key INTEGER, is_left INTEGER, PRIMARY KEY (key, is_left)) WITHOUT ROWID",
    # what notes say about replacing others, as written; '' for the note itself; older_note, newer_note: the notes that are meant, 0 when one is unknown
    """CREATE TABLE replacements (
        note INTEGER NOT NULL, position INTEGER NOT NULL, older TEXT NOT NULL, newer TEXT NOT NULL, line INTEGER NOT NULL,
        older_note INTEGER NOT NULL, newer_note INTEGER NOT NULL, PRIMARY KEY (note, position)
    ) WITHOUT ROWID""",
    "CREATE INDEX replacements_older ON replacements (older_note, newer_note)",
    "CREATE INDEX replacements_newer ON replacements (newer_note)",
    "CREATE TABLE replacement_names (name TEXT NOT NULL, note INTEGER NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (name, note, position)) WITHOUT ROWID",
    "CREATE INDEX replacement_names_note ON replacement_names (note)",
    # one row per pair of decisions (position -1: of entire notes); kind: replaces, repeats or stated
    """CREATE TABLE superseding (
        older INTEGER NOT NULL, older_position INTEGER NOT NULL, newer INTEGER NOT NULL, newer_position INTEGER NOT NULL, kind TEXT NOT NULL,
        PRIMARY KEY (older, older_position, newer, newer_position)
    ) WITHOUT ROWID""",
    "CREATE INDEX superseding_newer ON superseding (newer)",
    # the entire text, NFKC-normalized and case-folded, line ends preserved; body_at: offset of the body in it
    "CREATE TABLE folded (id INTEGER PRIMARY KEY, body_at INTEGER NOT NULL, text TEXT NOT NULL)",
    "CREATE TABLE tags (tag TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (tag, note)) WITHOUT ROWID",
    "CREATE INDEX tags_note ON tags (note)",
    "CREATE TABLE content_entries (id INTEGER PRIMARY KEY, rendered TEXT NOT NULL)",
    # one row per distinct target of a note; name: under which an unresolved target waits; target: a key, or '' (unresolved, or a repository file)
    """CREATE TABLE links (
        source INTEGER NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, written TEXT NOT NULL, name TEXT NOT NULL, target TEXT NOT NULL,
        internal INTEGER NOT NULL, PRIMARY KEY (source, position)
    ) WITHOUT ROWID""",
    "CREATE INDEX links_name ON links (name)",
    # unchanged notes with links that lead elsewhere since the states of claims were last brought up to date
    "CREATE TABLE relinked (note INTEGER PRIMARY KEY)",
    # further names of adopted notes (title, aliases, permalink); name: under which links to it wait; alias: NFC, without case
    "CREATE TABLE other_names (name TEXT NOT NULL, alias TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (name, alias, note)) WITHOUT ROWID",
    "CREATE INDEX other_names_note ON other_names (note)",
    "CREATE INDEX links_target ON links (target) WHERE target <> ''",
    # one row per non-empty bin of a note's fingerprint; value: bin * 2^32 + CRC-32; the first row of a value is the oldest note that shares it
    """CREATE TABLE fingerprints (
        value INTEGER NOT NULL, created INTEGER NOT NULL, key TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (value, created, key)
    ) WITHOUT ROWID""",
    """CREATE TABLE keywords (
        word TEXT NOT NULL, note INTEGER NOT NULL, occurrences INTEGER NOT NULL, snippets TEXT NOT NULL, PRIMARY KEY (word, note)
    ) WITHOUT ROWID""",
    # what each note has in the two tables above, which are ordered by bins and words: JSON arrays of its keywords, the most important first, and of
    # its bins, after the `created` of their rows
    "CREATE TABLE note_entries (id INTEGER PRIMARY KEY, keywords TEXT NOT NULL, bins TEXT NOT NULL DEFAULT '[0]')",
    # rendered fragments of the published documents; part: the entry of a keyword that many notes have is several rows, of which the first,
    # numbered 0, is its head; stale_words: keywords whose notes changed since they were rendered
    """CREATE TABLE keyword_entries (
        word TEXT NOT NULL, part INTEGER NOT NULL, rendered TEXT NOT NULL, PRIMARY KEY (word, part)
    ) WITHOUT ROWID""",
    "CREATE TABLE stale_words (word TEXT PRIMARY KEY) WITHOUT ROWID",
    # the folded access log: sightings of content (one per key and digest) and reads
    """CREATE TABLE sightings (
        key TEXT NOT NULL, digest TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL, date INTEGER, PRIMARY KEY (key, digest)
    ) WITHOUT ROWID""",
    "CREATE INDEX sightings_digest ON sightings (digest)",
    "CREATE INDEX sightings_at ON sightings (at)",
    "CREATE TABLE reads (id INTEGER PRIMARY KEY, key TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL, minutes REAL NOT NULL)",
    "CREATE INDEX reads_key ON reads (key, at)",
    "CREATE INDEX reads_at ON reads (at)",
    "CREATE TABLE removals (key TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE git_dates (key TEXT PRIMARY KEY, created INTEGER, modified INTEGER, commits INTEGER NOT NULL, blob TEXT, latest INTEGER) WITHOUT ROWID",
    # the lines of dates.jsonl; digest: the first digits of the SHA-256 of a version of a note
    """CREATE TABLE committed_dates (
        key TEXT NOT NULL, digest TEXT NOT NULL, created INTEGER NOT NULL, modified INTEGER NOT NULL, edits INTEGER, PRIMARY KEY (key, digest)
    ) WITHOUT ROWID""",
    # archived notes, built by the first search that includes the archive
    """CREATE TABLE archived (
        id INTEGER PRIMARY KEY, object_id TEXT NOT NULL UNIQUE, key TEXT NOT NULL, digest TEXT NOT NULL, size INTEGER NOT NULL, title TEXT NOT NULL,
        category TEXT NOT NULL, tags TEXT NOT NULL, topics TEXT NOT NULL, importance REAL NOT NULL, created INTEGER NOT NULL, modified INTEGER NOT NULL,
        archived_at INTEGER NOT NULL, acl TEXT, privacy TEXT, session_id TEXT, agent_created TEXT, text TEXT NOT NULL
    )""",
    f"CREATE VIRTUAL TABLE archived_text {FULL_TEXT}",
    "CREATE TABLE archived_tokens (id INTEGER PRIMARY KEY, title TEXT NOT NULL, headings TEXT NOT NULL, tags TEXT NOT NULL, body TEXT NOT NULL)",
    # the size of the archive, one row per sidecar, by its path relative to the bank; stored, plain: bytes of its object and of the original note,
    # both 0 when it cannot be trusted
    """CREATE TABLE sidecars (
        path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
        trusted INTEGER NOT NULL, stored INTEGER NOT NULL, plain INTEGER NOT NULL
    ) WITHOUT ROWID""",
    # the list of archived notes for people, one row per sidecar: its path, the folder and the name in it, and its folded path, title and gist; and
    # the mtime of each folder when it was read, 0 when that was so short ago that it may change again
    "CREATE TABLE archive_list (path TEXT PRIMARY KEY, folder TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL) WITHOUT ROWID",
    "CREATE INDEX archive_list_folder ON archive_list (folder)",
    "CREATE INDEX archive_list_name ON archive_list (name)",
    "CREATE TABLE archive_folders (path TEXT PRIMARY KEY, mtime_ns INTEGER NOT NULL) WITHOUT ROWID",
    # episodes, one row per date or merged week, in tables of their own, so that queries on notes never return them. began, modified: the first
    # and last instant of its days; written: when its oldest entry was written; told: it may be shown to an agent; sources: session summaries with
    # the same content, separated by spaces
    """CREATE TABLE episodes (
        id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, title TEXT NOT NULL, kind TEXT NOT NULL, told INTEGER NOT NULL,
        began INTEGER NOT NULL, modified INTEGER NOT NULL, written INTEGER NOT NULL, size INTEGER NOT NULL, sources TEXT NOT NULL, text TEXT NOT NULL
    )""",
    "CREATE INDEX episodes_modified ON episodes (modified DESC, key)",
    f"CREATE VIRTUAL TABLE episode_text {FULL_TEXT}",
    "CREATE TABLE episode_tokens (id INTEGER PRIMARY KEY, title TEXT NOT NULL, headings TEXT NOT NULL, tags TEXT NOT NULL, body TEXT NOT NULL)",
    # ten years have 3,650 days: counting a term's postings in the vocabulary costs less than maintaining a table of frequencies
    "CREATE VIRTUAL TABLE episode_terms USING fts5vocab(episode_text, row)",
    "CREATE TABLE episode_anchors (episode INTEGER NOT NULL, anchor TEXT NOT NULL, PRIMARY KEY (episode, anchor)) WITHOUT ROWID",
)

PLAIN_TABLES = tuple(statement.split()[2] for statement in TABLES if statement.startswith("CREATE TABLE "))
FULL_TEXT_TABLES = ("note_text", "archived_text", "episode_text")


def put_tokens(connection: Connection, text: str, tokens: str, row: int, columns: Sequence[str]) -> None:
    """Insert the tokens of title, headings, tags and body into a full-text table and the table that keeps them."""
    connection.execute(f"INSERT INTO {text} (rowid, title, headings, tags, body) VALUES (?, ?, ?, ?, ?)", (row, *columns))
    connection.execute(f"INSERT INTO {tokens} VALUES (?, ?, ?, ?, ?)", (row, *columns))


def remove_tokens(connection: Connection, text: str, tokens: str, row: int) -> Sequence[str]:
    """Delete a row from both tables, and return its tokens."""
    columns: tuple[str, ...] = connection.execute(f"SELECT title, headings, tags, body FROM {tokens} WHERE id = ?", (row,)).fetchone()
    connection.execute(f"INSERT INTO {text} ({text}, rowid, title, headings, tags, body) VALUES ('delete', ?, ?, ?, ?, ?)", (row, *columns))
    connection.execute(f"DELETE FROM {tokens} WHERE id = ?", (row,))
    return columns
