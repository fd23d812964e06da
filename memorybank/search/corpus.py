"""The collections that can be searched (active notes, archived notes, episodes): their tables, sizes, and the filters of a query as SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from unicodedata import normalize

from memorybank.search.query import Query, QueryUnit
from memorybank.storage import jsontext
from memorybank.storage.sqlite import sqlite3
from memorybank.values import Value

if TYPE_CHECKING:
    from memorybank.visibility import Viewer


class Corpus(Value):
    """The tables of one collection.

    rows: table with one row per document.
    text: its FTS5 table.
    tokens: table with the tokens that the FTS5 table was fed.
    terms: table with the number of documents that contain each token; "" where it is counted in the postings.
    importance: SQL expression for the importance, 0 to 10.
    first: column by which documents are ordered, descending, when the words do not decide.
    """

    rows: str
    text: str
    tokens: str
    terms: str = ""
    importance: str = "importance"
    first: str = "importance"


ACTIVE = Corpus("notes", "note_text", "tokens", "frequencies")
ARCHIVED = Corpus("archived", "archived_text", "archived_tokens")
EPISODES = Corpus("episodes", "episode_text", "episode_tokens", importance="0.0", first="modified")
"""The newest episode comes first, and every note with equal evidence before it: the importance of an episode is 0."""


class CorpusSize(Value):
    """notes: number of documents.
    average: mean number of tokens per document, over all columns; at least 1.0.
    """

    notes: int
    average: float


def size(connection: sqlite3.Connection, corpus: Corpus) -> CorpusSize:
    """Return the size of a corpus.

    It is read from the averages record of FTS5 (row 1 of its data table: the number of rows, then the tokens of each column, as SQLite
    variable-length integers), because counting would read the entire table.
    """
    row = connection.execute(f"SELECT block FROM {corpus.text}_data WHERE id = 1").fetchone()
    numbers = _integers(row[0]) if row else []
    if not numbers or not numbers[0]:
        return CorpusSize(0, 1.0)
    return CorpusSize(numbers[0], max(1.0, sum(numbers[1:]) / numbers[0]))


def _integers(block: bytes) -> list[int]:
    found, value = [], 0
    for byte in block:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            found.append(value)
            value = 0
    return found


class SqlCondition(Value):
    """A WHERE condition that can be joined to others with AND; empty when everything passes."""

    sql: str
    values: tuple[object, ...]

    def clause(self, keyword: str) -> str:
        """Return the condition preceded by `keyword` (`WHERE` or `AND`); "" when everything passes."""
        return f" {keyword} {self.sql}" if self.sql else ""

    def without(self, corpus: Corpus, units: Sequence[QueryUnit]) -> SqlCondition:
        """Return the condition narrowed to the documents of `corpus` that contain none of the units."""
        if not units:
            return self
        lacking = f"{corpus.rows}.id NOT IN (SELECT rowid FROM {corpus.text} WHERE {corpus.text} MATCH ?)"
        expression = " OR ".join(unit.expression() for unit in units)
        return SqlCondition(f"{self.sql} AND {lacking}" if self.sql else lacking, (*self.values, expression))


def sql_condition(connection: sqlite3.Connection, corpus: Corpus, query: Query) -> SqlCondition:
    """Return the filters of `query` as a condition on the rows of `corpus`. Notes and archived notes share the columns that are read here.

    Folders match in either Unicode normal form (NFC or NFD), tags also in either case.
    """
    return _of_episodes(query) if corpus is EPISODES else _of_notes(connection, corpus.rows, query)


def _of_episodes(query: Query) -> SqlCondition:
    """Return the condition for episodes, which pass when any of their days is in the requested range. Everybody may see them; other filters do not apply."""
    found: list[tuple[str, object]] = []
    if query.since is not None:
        found.append(("episodes.modified >= ?", query.since))
    if query.until is not None:
        found.append(("episodes.began < ?", query.until))
    return SqlCondition(" AND ".join(sql for sql, _ in found), tuple(value for _, value in found))


def _of_notes(connection: sqlite3.Connection, table: str, query: Query) -> SqlCondition:
    found: list[tuple[str, object]] = []
    if query.category is not None:
        forms = [query.category, *(normalize(form, query.category) for form in ("NFC", "NFD"))]
        found.append((f"{table}.category IN (SELECT value FROM json_each(?))", jsontext.encode(forms)))
    if query.tags:
        from memorybank.text.words.similarity import is_within  # late: it loads a library

        connection.create_function("is_within", 2, is_within, deterministic=True)
        found += [(f"EXISTS (SELECT 1 FROM json_each({table}.tags) WHERE is_within(value, ?))", tag) for tag in query.tags]
    if query.since is not None:
        found.append((f"{table}.modified >= ?", query.since))
    if query.until is not None:
        found.append((f"{table}.modified < ?", query.until))
    if query.min_importance is not None:
        found.append((f"{table}.importance >= ?", query.min_importance))
    clauses = [sql for sql, _ in found]
    if query.viewer is not None:
        _register(connection, query.viewer)
        columns = ", ".join(f"{table}.{name}" for name in ("acl", "privacy", "agent_created", "session_id"))
        clauses.append(f"(({table}.acl IS NULL AND {table}.privacy IS NULL) OR viewer_sees({columns}))")
    return SqlCondition(" AND ".join(clauses), tuple(value for _, value in found))


def _register(connection: sqlite3.Connection, viewer: Viewer) -> None:
    """Make the access rule callable from SQL, so that it is applied before any LIMIT."""
    from memorybank.visibility import Origin, visible

    def sees(acl: str | None, privacy: str | None, agent: str | None, session: str | None) -> bool:
        return visible(acl, privacy, Origin(role=agent, session=session, agent=agent), viewer)

    connection.create_function("viewer_sees", 4, sees)
