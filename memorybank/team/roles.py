"""What an administrator of the server sets up: logins, teams, repositories, and who may do what."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from memorybank.errors import UsageError
from memorybank.team import failing, schema, transport

TYPE_CHECKING = False
if TYPE_CHECKING:
    from psycopg import Connection

READER, WRITER, LEAD = "reader", "writer", "lead"
READ, WRITE = "read", "write"
INDEX_FROM = 2_000
"""Passages of a repository from which on an index of their vectors is worth building."""
_UNKNOWN = "MB003"


class TeamAdministration(AbstractContextManager["TeamAdministration"]):
    """The database as an administrator of one organisation uses it: a role that belongs to `memorybank_administrator`, and may create roles."""

    def __init__(self, address: str, password: str = "", *, organisation: str, seconds: float = 10.0, allow_plain: bool = False) -> None:
        self.organisation = organisation
        self._connection = transport.connect(address, password, seconds=seconds, statement_seconds=86_400, allow_plain=allow_plain)

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def install(self) -> schema.InstalledSchema:
        """Install the schema or bring it up to date. Raises TeamRefused without the privileges."""
        with self._typed():
            return schema.install(self._connection)

    def add_login(self, login: str, password: str) -> None:
        """Create a login, or give an existing one another password. Teams can take it as a member; it owns nothing and may create nothing."""
        from psycopg import sql

        name = sql.Identifier(login)
        with self._typed(), self._connection.transaction():
            known = self._connection.execute("SELECT FROM pg_roles WHERE rolname = %s", (login,)).fetchone()
            if known is None:
                member = sql.Identifier(schema.MEMBER)
                self._connection.execute(sql.SQL("CREATE ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE IN ROLE {}").format(name, member))
            self._connection.execute(sql.SQL("ALTER ROLE {} PASSWORD {}").format(name, sql.Literal(password)))

    def disable_login(self, login: str) -> None:
        """Keep a login from logging in, and end its sessions. What its machines share stays until somebody revokes them."""
        from psycopg import sql

        with self._typed():
            self._connection.execute(sql.SQL("ALTER ROLE {} NOLOGIN").format(sql.Identifier(login)))
            self._connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", (login,))

    def add_repository(self, repository: str) -> None:
        self._call("add_repository(%s, %s)", repository)

    def set_member(self, team: str, login: str, role: str | None) -> None:
        """Give a login a role in a team; None removes it."""
        if role not in (READER, WRITER, LEAD, None):
            raise UsageError(f"{role!r} is not a role in a team", next_step=f"use {READER}, {WRITER} or {LEAD}")
        self._call("set_member(%s, %s, %s, %s)", team, login, role)

    def set_access(self, team: str, repository: str, access: str | None) -> None:
        """Let a team read a repository, or also write it; None takes it back."""
        self._call("set_access(%s, %s, %s, %s)", team, repository, access)

    def index_meaning(self, at_least: int = INDEX_FROM) -> int:
        """Build the indexes of vectors of all repositories with this many passages; return how many were built."""
        with self._typed():
            row = self._connection.execute("SELECT memorybank.index_meaning(%s)", (at_least,)).fetchone()
        return int(row[0]) if row else 0

    def _call(self, function: str, *arguments: Any) -> None:
        with self._typed():
            self._connection.execute(f"SELECT memorybank.{function}", (self.organisation, *arguments))

    @contextmanager
    def _typed(self) -> Iterator[Connection[Any]]:
        import psycopg

        shown = transport.shown(self._connection.info.get_parameters())
        try:
            yield self._connection
        except psycopg.Error as error:
            if error.sqlstate == _UNKNOWN:
                raise UsageError("no such repository, or no such kind of access", next_step=f"add the repository first; access is {READ} or {WRITE}") from None
            if error.sqlstate in failing.UNDEFINED:
                raise failing.of_statement(error, shown) from None
            raise failing.of_installing(error, shown) from None
