"""The server of an organisation, as one login uses it: pushing, pulling, searching, revoking.

Every question is one call of a function of the schema; a login may do nothing else (docs/team_server.md). Errors of the network and of the server are
raised as those of `failing`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import groupby
from typing import Any

from memorybank.clock import Clock
from memorybank.errors import UsageError
from memorybank.meaning.vectors import FACTOR_BYTES, packed
from memorybank.team import failing, schema, searching, transport
from memorybank.team.row import OriginStatus, SharedRow, TeamHit, TeamStatus, storable
from memorybank.team.searching import TeamQuery

TYPE_CHECKING = False
if TYPE_CHECKING:
    from psycopg import Connection

MOST_ROWS = 500
"""Rows of one push or pull."""
MOST_BYTES = 4_000_000
"""Text of one push, in characters."""
MOST_VECTORS = 32
"""Passages of a memory whose vectors are stored."""
_FIELDS = ("origin", "sequence", "kind", "key", "digest", "path", "title", "text", "created", "modified", "model", "dimension")


class TeamServer(AbstractContextManager["TeamServer"]):
    """A connection that opens when it is first needed."""

    def __init__(
        self,
        address: str,
        password: str = "",
        *,
        organisation: str,
        seconds: float = 10.0,
        statement_seconds: float = 60.0,
        allow_plain: bool = False,
        clock: Clock | None = None,
    ) -> None:
        """address: a URI or parameters, as psql takes them
        seconds: time limit for connecting; statement_seconds: for each statement
        allow_plain: whether a connection to another machine may be unverified
        """  # fmt: skip
        self.organisation = organisation
        self._address = address
        self._password = password
        self._seconds = seconds
        self._statement_seconds = statement_seconds
        self._allow_plain = allow_plain
        self._clock = clock or Clock()
        self._connection: Connection[Any] | None = None
        self._is_checked = False

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def push(self, rows: Iterable[SharedRow]) -> int:
        """Add rows; return how many were new. Rows that the server has are skipped, so a push that broke off can be repeated.

        Raises TeamRefused for a repository or origin that this login may not write, TeamConflict for a number with another content.
        """
        added = 0
        for (organisation, repository, _), batch in _batches(rows):
            with self._typed() as connection:
                found = connection.execute(
                    "SELECT memorybank.push(%s, %s, %s::jsonb)", (organisation, repository, json.dumps([_to_json(row) for row in batch], ensure_ascii=False))
                ).fetchone()
            added += found[0] if found else 0
        return added

    def rows_after(self, repositories: Sequence[str], cursor: str = "", *, limit: int = MOST_ROWS, without: str = "") -> tuple[list[SharedRow], str]:
        """Return the rows that arrived after a cursor, in the order of their arrival in each repository, and the next cursor. No rows: that was all.

        cursor: "" for the beginning; it says nothing about other repositories
        without: a machine whose memories are left out; what is withdrawn is always included
        """  # fmt: skip
        since = _read_cursor(cursor)
        with self._typed() as connection:
            found = connection.execute(
                "SELECT * FROM memorybank.rows_after(%s, %s, %s::jsonb, %s, %s)",
                (self.organisation, list(repositories), json.dumps(since), without, min(limit, MOST_ROWS)),
            )
            rows = list(_named(found))
        for row in rows:
            since[row["repository"]] = row["arrival"]
        return [self._row(row) for row in rows], json.dumps(since, sort_keys=True, separators=(",", ":")) if since else ""

    def search(self, query: TeamQuery) -> list[TeamHit]:
        """Return the best matches among the memories that this login may read. Raises `UsageError` for a text without words and without a vector."""
        with self._typed() as connection:

            def ask(function: str, arguments: Sequence[Any]) -> list[dict[str, Any]]:
                marks = ", ".join(["%s"] * (len(arguments) + 1))
                return list(_named(connection.execute(f"SELECT * FROM memorybank.{function}({marks})", (self.organisation, *arguments))))

            return searching.search(ask, self._row, query, self._clock.now())

    def revoke(self, origin: str) -> int:
        """Withdraw everything that a machine shares, and refuse what it pushes later; return how many memories it shared.

        For machines of one's own login, and for those of others in the repositories that one leads.
        """
        return int(self._value("SELECT memorybank.revoke(%s, %s)", (self.organisation, origin)))

    def withdraw(self, repository: str, origin: str, key: str) -> int:
        """Withdraw one memory of a machine, for everybody who has pulled it; return 0 if it was not shared."""
        return int(self._value("SELECT memorybank.withdraw(%s, %s, %s, %s)", (self.organisation, repository, origin, key)))

    def status(self) -> TeamStatus:
        """Return what this login may see."""
        with self._typed() as connection:
            version = schema.require_version(connection)
            user = connection.execute("SELECT session_user::text").fetchone()
            access = dict(connection.execute("SELECT * FROM memorybank.repositories(%s)", (self.organisation,)).fetchall())
            origins = tuple(OriginStatus(*row) for row in connection.execute("SELECT * FROM memorybank.origins(%s)", (self.organisation,)))
        return TeamStatus(version, str(user[0]) if user else "", access, sum(one.rows for one in origins), origins)

    def _row(self, row: Mapping[str, Any]) -> SharedRow:
        vectors = [packed([float(number) for number in text[1:-1].split(",")]) for text in row.get("vectors") or ()]
        return SharedRow(
            organisation=self.organisation,
            repository=row["repository"],
            tags=tuple(row["tags"]),
            tokens=(),
            vector=b"".join(vectors) or None,
            **{field: row[field] for field in _FIELDS},
        )

    def _value(self, statement: str, arguments: Sequence[Any]) -> Any:
        with self._typed() as connection:
            row = connection.execute(statement, arguments).fetchone()
        return row[0] if row else None

    @contextmanager
    def _typed(self) -> Iterator[Connection[Any]]:
        """Open the connection if it is not open, check the version of the schema once, and raise errors of psycopg as typed ones."""
        if self._connection is None:
            self._connection = transport.connect(
                self._address, self._password, seconds=self._seconds, statement_seconds=self._statement_seconds, allow_plain=self._allow_plain
            )
            self._is_checked = False
        import psycopg

        try:
            if not self._is_checked:
                schema.require_version(self._connection)
                self._is_checked = True
            yield self._connection
        except psycopg.Error as error:
            typed = failing.of_statement(error, self._shown)
            if isinstance(typed, failing.TeamUnreachable):
                self.close()
            raise typed from None

    @property
    def _shown(self) -> str:
        return transport.shown(self._connection.info.get_parameters()) if self._connection is not None else "the server"


def _named(found: Any) -> Iterator[dict[str, Any]]:
    names = [column.name for column in found.description]
    return (dict(zip(names, row, strict=True)) for row in found)


def _batches(rows: Iterable[SharedRow]) -> Iterator[tuple[tuple[str, str, str], list[SharedRow]]]:
    """Yield ((organisation, repository, origin), rows in the order of their numbers), each small enough for one statement."""
    ordered = sorted(rows, key=lambda row: (row.organisation, row.repository, row.origin, row.sequence))
    for place, members in groupby(ordered, key=lambda row: (row.organisation, row.repository, row.origin)):
        batch: list[SharedRow] = []
        size = 0
        for row in members:
            if batch and (len(batch) == MOST_ROWS or size + len(row.text) > MOST_BYTES):
                yield place, batch
                batch, size = [], 0
            batch.append(row)
            size += len(row.text)
        yield place, batch


def _to_json(row: SharedRow) -> dict[str, Any]:
    """Return a row as `memorybank.push` reads it."""
    fields: dict[str, Any] = {field: getattr(row, field) for field in _FIELDS}
    for field in ("path", "title", "text"):
        fields[field] = storable(fields[field])
    return {
        **fields,
        "tags": [storable(tag) for tag in row.tags],
        "words": storable(" ".join(row.tokens)),
        "length": sum(token.count(",", token.rfind("'")) + 1 for token in row.tokens),
        "vectors": [f"[{','.join(map(str, memoryview(vector)[FACTOR_BYTES:].cast('b')))}]" for vector in row.vectors[:MOST_VECTORS]],
    }


def _read_cursor(cursor: str) -> dict[str, int]:
    try:
        since = json.loads(cursor) if cursor else {}
    except ValueError:
        since = None
    if not isinstance(since, dict) or not all(isinstance(arrival, int) for arrival in since.values()):
        raise UsageError("the cursor is malformed", next_step="pull from the beginning")
    return since
