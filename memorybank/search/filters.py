"""The filters of a search, as SQL over `notes` or `archived`, which share the columns read here, or over `episodes`."""

import json
import sqlite3
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from memorybank.search.corpus import EPISODES, Corpus
from memorybank.search.query import Query
from memorybank.text.similarity import folded

if TYPE_CHECKING:
    from memorybank.visibility import Viewer


class SqlCondition(NamedTuple):
    """A WHERE condition that can be joined to others with AND; empty when everything passes."""

    sql: str
    values: tuple[object, ...]

    def clause(self, keyword: str) -> str:
        """The condition preceded by `keyword` (`WHERE` or `AND`); "" when everything passes."""
        return f" {keyword} {self.sql}" if self.sql else ""


def condition(connection: sqlite3.Connection, corpus: Corpus, query: Query) -> SqlCondition:
    """Return the filters of `query` as a condition on the rows of `corpus`.

    Folders match in either Unicode normal form (NFC or NFD), tags also in either case.
    """
    return _of_episodes(query) if corpus is EPISODES else _of_notes(connection, corpus.rows, query)


def _of_episodes(query: Query) -> SqlCondition:
    """An episode covers a span of time and passes when any of its days is in the requested range. Everybody may see it; other filters do not apply."""
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
        found.append((f"{table}.category IN (SELECT value FROM json_each(?))", json.dumps(forms)))
    if query.tags:
        connection.create_function("folded_tag", 1, folded, deterministic=True)
        found += [(f"EXISTS (SELECT 1 FROM json_each({table}.tags) WHERE folded_tag(value) = ?)", folded(tag)) for tag in query.tags]
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


def _register(connection: sqlite3.Connection, viewer: "Viewer") -> None:
    """Make the access rule callable from SQL, so that it is applied before any LIMIT."""
    from memorybank.visibility import Origin, visible

    def sees(acl: str | None, privacy: str | None, agent: str | None, session: str | None) -> bool:
        return visible(acl, privacy, Origin(role=agent, session=session, agent=agent), viewer)

    connection.create_function("viewer_sees", 4, sees)
