"""The schema of the database: its version, its SQL, and its installation by an administrator."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from memorybank.team.failing import TeamSchemaNewer, TeamSchemaOutdated
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from psycopg import Connection

VERSION = 1
OWNER, SEARCHER, MEMBER, ADMINISTRATOR = "memorybank_owner", "memorybank_searcher", "memorybank_member", "memorybank_administrator"
"""The roles that the schema needs. Nobody logs in as the first two; logins belong to the third, administrators also to the fourth."""
_STEPS: dict[int, tuple[tuple[str, str], ...]] = {1: ((OWNER, "tables"), (OWNER, "access"), (OWNER, "policies"))}
"""What each version adds, as (role, file)."""
_FUNCTIONS = ((OWNER, "access"), (OWNER, "pushing"), (SEARCHER, "searching"), (OWNER, "answering"), (OWNER, "administering"))
"""The functions, which every installation replaces."""
_LOCK = 7_361_110_452
_NO_EXTENSION = "memorybank_vector"


class InstalledSchema(Value):
    """What an installation did. before: the version that was there, 0 for none; hides_sizes: whether logins cannot see how large the tables of others are"""

    version: int
    before: int
    hides_sizes: bool


def install(connection: Connection[Any]) -> InstalledSchema:
    """Install the schema, or bring it up to date. Running it again changes nothing.

    connection: of a role that may create roles and extensions. Raises `TeamSchemaNewer`, or psycopg's error of a missing privilege.
    """
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        before = installed_version(connection)
        if before > VERSION:
            raise TeamSchemaNewer(f"the schema of the server has version {before}, this memorybank knows {VERSION}")
        is_superuser = bool(_one(connection, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"))
        for statement in _beginning(connection):
            connection.execute(statement)
        vector = str(
            _one(connection, "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE extname = 'vector'")
        )
        for role in (OWNER, SEARCHER):
            connection.execute(f"GRANT USAGE ON SCHEMA {vector} TO {role}")
        for step in range(before + 1, VERSION + 1):
            for role, name in _STEPS[step]:
                _run(connection, role, name, vector)
        for role, name in _FUNCTIONS:
            _run(connection, role, name, vector)
        connection.execute(f"REVOKE CREATE ON SCHEMA memorybank FROM {SEARCHER}")
        connection.execute(f"SET LOCAL ROLE {OWNER}")
        connection.execute("DELETE FROM memorybank.schema_version")
        connection.execute("INSERT INTO memorybank.schema_version VALUES (%s)", (VERSION,))
        connection.execute("RESET ROLE")
        if is_superuser:
            connection.execute(text_of("hidden", vector))
    return InstalledSchema(VERSION, before, is_superuser)


def require_version(connection: Connection[Any]) -> int:
    """Return the version of the schema. Raises `TeamSchemaOutdated` or `TeamSchemaNewer` for another one than `VERSION`."""
    found = int(_one(connection, "SELECT memorybank.version()"))
    if found > VERSION:
        raise TeamSchemaNewer(f"the schema of the server has version {found}, this memorybank knows {VERSION}")
    if found < VERSION:
        raise TeamSchemaOutdated(f"the schema of the server has version {found}, this memorybank needs {VERSION}")
    return found


def installed_version(connection: Connection[Any]) -> int:
    """Return the version of the schema, 0 without one. For administrators."""
    if _one(connection, "SELECT to_regclass('memorybank.schema_version')") is None:
        return 0
    return int(_one(connection, "SELECT coalesce(max(version), 0) FROM memorybank.schema_version"))


def text_of(name: str, vector: str) -> str:
    """Return one file of SQL. vector: the schema of the extension, quoted"""
    return files("memorybank.team").joinpath("sql", f"{name}.sql").read_text(encoding="utf-8").replace("{vector}", vector)


def _beginning(connection: Connection[Any]) -> Sequence[str]:
    """Return the statements before the files: roles, the extension, the schema."""
    known = {row[0] for row in connection.execute("SELECT rolname FROM pg_roles WHERE rolname LIKE 'memorybank%'")}
    statements = [f"CREATE ROLE {role} NOLOGIN NOINHERIT" for role in (OWNER, SEARCHER, MEMBER, ADMINISTRATOR) if role not in known]
    # Nobody but the administrator becomes one of these roles, and only to install.
    statements += [f"GRANT {role} TO CURRENT_USER" for role in (OWNER, SEARCHER) if role not in known]
    if _one(connection, "SELECT count(*) FROM pg_extension WHERE extname = 'vector'") == 0:
        statements += [f"CREATE SCHEMA IF NOT EXISTS {_NO_EXTENSION}", f"CREATE EXTENSION vector SCHEMA {_NO_EXTENSION}"]
    statements += [
        f"CREATE SCHEMA IF NOT EXISTS memorybank AUTHORIZATION {OWNER}",
        f"GRANT USAGE ON SCHEMA memorybank TO {SEARCHER}, {MEMBER}, {ADMINISTRATOR}",
        f"GRANT CREATE ON SCHEMA memorybank TO {SEARCHER}",
    ]
    return [
        *statements,
        *(f"ALTER DEFAULT PRIVILEGES FOR ROLE {role} REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC" for role in (OWNER, SEARCHER)),
        "DO $$ BEGIN EXECUTE format('REVOKE CREATE ON SCHEMA public FROM PUBLIC'); EXCEPTION WHEN OTHERS THEN NULL; END $$",
    ]


def _run(connection: Connection[Any], role: str, name: str, vector: str) -> None:
    connection.execute(f"SET LOCAL ROLE {role}")
    connection.execute(text_of(name, vector))
    connection.execute("RESET ROLE")


def _one(connection: Connection[Any], statement: str) -> Any:
    row = connection.execute(statement).fetchone()
    return None if row is None else row[0]
