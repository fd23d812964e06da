"""The ways in which the server of a team does not do what it is asked, each with the next step."""

from __future__ import annotations

from memorybank.errors import Conflict, MemorybankError, MissingExtra, NewerFormat, PermissionRefused
from memorybank.installed import extra_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from psycopg import Error

UNDEFINED = ("3F000", "42883", "42P01")
"""States of SQL: the schema, a function or a table does not exist."""
_REFUSED, _DIFFERENT, _UNKNOWN = "MB001", "MB002", "MB003"
_NO_PRIVILEGE = "42501"
_LOST = ("08", "57")
"""Classes of states: the connection broke, or the server stops."""
_TIMED_OUT = "57014"
_NO_EXTENSION = ("0A000", "58P01", "42704")
"""States of an installation for which the extension is missing, or too old to have the type `halfvec`."""
_VERIFYING = ("certificate", "SSL", "root.crt", "channel binding")
_NOT_NOW = ("too many c", "connection slots", "no more connections", "database system is")
"""What a server says that takes no connection at the moment: all are in use, or it starts, stops or recovers."""
_LOGIN = ("authentication", "FATAL", "no password supplied")

_INSTALL_EXTENSION = "install pgvector for the PostgreSQL of this server (a package such as postgresql-17-pgvector), then run the same command again"


class TeamUnreachable(MemorybankError):
    """The server does not answer. Everything on this machine works without it."""

    code = "team_unreachable"
    next_step = "run the same command again when the server is reachable; nothing is lost, and every other command works without it"


class TeamRefused(PermissionRefused):
    """The server does not let this login in, or not do this. The message does not say whether something exists."""

    code = "team_refused"
    next_step = "ask the administrator of the server which repositories your login may read and write, or connect again with the right password"


class TeamNotVerified(PermissionRefused):
    """The server did not prove that it is the one that the address names."""

    code = "team_not_verified"
    next_step = "name the certificate of your organisation's authority with ?sslrootcert=/path/to/ca.pem in the address; never switch the verification off"


class TeamConflict(Conflict):
    """A row with this number and another content is on the server: two machines use one origin, or a ledger was restored from a backup."""

    code = "team_conflict"
    next_step = "pull first, so that this machine learns which numbers it has used; then push again"


class TeamSchemaOutdated(MemorybankError):
    """The database has no schema of memorybank, or one of an older version."""

    code = "team_schema"
    next_step = "ask the administrator of the server to install the schema or bring it up to date (docs/team_server.md)"


class TeamSchemaNewer(NewerFormat):
    """A newer memorybank installed the schema."""

    code = "team_schema_newer"
    next_step = "upgrade memorybank on this machine, then run the same command again"


def missing_extra() -> MissingExtra:
    return MissingExtra("the package 'psycopg' is not installed", next_step=f"install it with: {extra_command('team')}")


def of_connecting(error: Error, shown: str) -> MemorybankError:
    """Return what kept a connection from opening. shown: the server as a person reads it"""
    said = str(error)
    if any(word in said for word in _VERIFYING):
        return TeamNotVerified(f"{shown} was not verified: {_first_line(said)}")
    if any(word in said for word in _NOT_NOW):
        return TeamUnreachable(f"{shown} takes no connection now")
    if error.sqlstate is not None or any(word in said for word in _LOGIN):
        return TeamRefused(f"{shown} refused the login")
    return TeamUnreachable(f"{shown} does not answer")


def of_statement(error: Error, shown: str) -> MemorybankError:
    """Return what a statement ran into. Texts of the server are not repeated: they can quote what a row contains."""
    state = error.sqlstate or ""
    if state == _DIFFERENT:
        return TeamConflict("the server has a row of this machine with the same number and another content")
    if state in (_REFUSED, _UNKNOWN, _NO_PRIVILEGE):
        return TeamRefused(f"{shown} refused: this login may not do that")
    if state in UNDEFINED:
        return TeamSchemaOutdated(f"{shown} has no memory of an organisation")
    if state == _TIMED_OUT:
        return TeamUnreachable(f"{shown} took too long")
    if not state or state[:2] in _LOST:
        return TeamUnreachable(f"the connection to {shown} broke")
    return MemorybankError(f"{shown} could not do it (SQL state {state})", next_step="report this with the log of the server; nothing was changed")


def of_installing(error: Error, shown: str) -> MemorybankError:
    """Return what an installation ran into. An administrator may read the text of the server."""
    if error.sqlstate == _NO_PRIVILEGE:
        return TeamRefused(f"{shown} refused: {_first_line(str(error))}", next_step="install as a role that may create roles and extensions, such as postgres")
    if error.sqlstate in _NO_EXTENSION and any(word in str(error) for word in ("extension", "halfvec")):
        return TeamSchemaOutdated(f"{shown} lacks the extension pgvector, version 0.7 or later: {_first_line(str(error))}", next_step=_INSTALL_EXTENSION)
    return MemorybankError(f"{shown}: {_first_line(str(error))}", next_step="nothing was changed; correct this, then run the same command again")


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0][:200]
