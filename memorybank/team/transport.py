"""How a connection to the server is opened: encrypted and verified, unless the server is on this machine or the person says otherwise."""

from __future__ import annotations

import os
from collections.abc import Mapping
from ipaddress import ip_address
from math import ceil
from typing import Any

from memorybank.errors import UsageError
from memorybank.team.failing import missing_extra, of_connecting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from psycopg import Connection

VERIFIED = "verify-full"
_TOO_WEAK = "a connection to another machine has to be verified, but the address says sslmode={}"


def options(address: str, environment: Mapping[str, str], *, allow_plain: bool = False) -> dict[str, str]:
    """Return the parameters of a connection. Raises `UsageError` for a malformed address, or for one that asks for less than `VERIFIED` elsewhere.

    address: a URI or a list of parameters, as psql takes it
    allow_plain: whether the person wants an unverified connection to another machine
    """
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    try:
        found = {name: str(value) for name, value in conninfo_to_dict(address).items() if value is not None}
    except ProgrammingError:
        raise UsageError("the address of the server is malformed", next_step="use an address such as postgresql://ann@db.example.org/memory") from None
    if is_local(found, environment):
        return found
    mode = found.setdefault("sslmode", VERIFIED)
    if mode != VERIFIED and not allow_plain:
        raise UsageError(_TOO_WEAK.format(mode), next_step=f"leave sslmode out, or use sslmode={VERIFIED}")
    if mode == VERIFIED and "sslrootcert" not in found and not environment.get("PGSSLROOTCERT"):
        own = os.path.expanduser("~/.postgresql/root.crt")
        found["sslrootcert"] = own if os.path.exists(own) else "system"
    return found


def is_local(found: Mapping[str, str], environment: Mapping[str, str]) -> bool:
    """Return whether every host is this machine: a socket or a loopback address. A service may name another one, so it is not."""
    if "service" in found or environment.get("PGSERVICE"):
        return False
    hosts = found.get("hostaddr") or environment.get("PGHOSTADDR") or found.get("host") or environment.get("PGHOST") or "/"
    return all(map(_is_here, hosts.split(",")))


def _is_here(host: str) -> bool:
    if not host or host.startswith(("/", "@")) or host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def shown(found: Mapping[str, str]) -> str:
    """Return the server as a person reads it."""
    host = found.get("host") or found.get("hostaddr") or "this machine"
    return f"{host}/{found.get('dbname', '')}".rstrip("/")


def connect(address: str, password: str, *, seconds: float, statement_seconds: float, allow_plain: bool = False) -> Connection[Any]:
    """Open a connection. Raises MissingExtra, UsageError, TeamUnreachable, TeamRefused or TeamNotVerified.

    seconds: time to connect
    statement_seconds: time of one statement
    """
    try:
        import psycopg
    except ImportError:
        raise missing_extra() from None
    found = options(address, os.environ, allow_plain=allow_plain)
    if password:
        found["password"] = password
    # Without prepared statements, so that poolers that hand out a connection for each transaction can be used.
    found |= {"connect_timeout": str(max(2, ceil(seconds))), "tcp_user_timeout": str(int(statement_seconds * 1000)), "application_name": "memorybank"}
    try:
        connection = psycopg.connect(**found, autocommit=True, prepare_threshold=None)  # type: ignore[arg-type]  # texts from the address
        connection.execute(f"SET statement_timeout = {int(statement_seconds * 1000)}")
    except psycopg.Error as error:
        raise of_connecting(error, shown(found)) from None
    return connection
