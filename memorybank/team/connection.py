"""The connection of one bank to the server of an organisation, as the person's own settings contain it (`team.connections`).

A bank never contains one: it may come from a stranger, and must not choose an address. The password is in the keyring, and the ledger of what this machine
shared is in the state folder.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from memorybank.config import personal_bank
from memorybank.config.addresses import host_of
from memorybank.editing.own_settings import SettingsList
from memorybank.errors import ConfigInvalid, UsageError
from memorybank.storage.layout import Layout
from memorybank.values import Value

CONNECTIONS = SettingsList(("team", "connections"), "objects with 'bank'", lambda entry: isinstance(entry, dict) and isinstance(entry.get("bank"), str))
BY_COMMAND, BY_MAINTAIN = "command", "maintain"
"""When a machine pushes: only by `memorybank team push`, or also by `memorybank maintain`."""
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_NAMES = "use up to 64 lower-case letters, digits, dots, hyphens and underscores"
_EXAMPLE = "use an address such as postgresql://ann@db.example.org/memory"
_VERIFIED = "verify-full"
_OPTIONS = ("sslmode", "sslrootcert", "sslcert", "sslkey", "host")
_FIELDS = {
    "bank": str,
    "address": str,
    "organisation": str,
    "repository": str,
    "name": str,
    "push": str,
    "episodes": bool,
    "session_notes": bool,
    "pull_at_session_end": bool,
}


class TeamConnection(Value):
    """One connected bank.

    bank: its folder, as the own settings write it
    address: of the database, without a password
    organisation, repository: the part of the server that the bank belongs to
    name: how people call the repository in listings on this machine
    push: `BY_COMMAND` or `BY_MAINTAIN`
    episodes, session_notes: whether these are shared, too
    pull_at_session_end: whether the end of a session may fetch what others shared
    """

    bank: str
    address: str
    organisation: str
    repository: str
    name: str = ""
    push: str = BY_COMMAND
    episodes: bool = False
    session_notes: bool = False
    pull_at_session_end: bool = False

    def to_json(self) -> dict[str, Any]:
        return self.as_dict()

    @property
    def host(self) -> str:
        """The server as a person reads it: host and port, or the folder of its socket."""
        return host_of_address(self.address)[0]


def connection_of(settings: Mapping[str, Any], layout: Layout, environment: Mapping[str, str], shown: str) -> TeamConnection | None:
    """Return the connection of a bank, which all worktrees of its repository share; None when the person connected it to none.

    settings: the person's own settings
    shown: their path for messages
    Raises `ConfigInvalid` for a list of connections that cannot be read.
    """
    for entry in CONNECTIONS.of(settings, shown):
        if personal_bank.place_of(entry["bank"], environment) == layout.local_root:
            return _read(entry, shown)
    return None


def entry_of(connection: TeamConnection) -> dict[str, Any]:
    """Return a connection as the settings contain it: without the values that are the defaults."""
    defaults = connection._defaults
    return {name: value for name, value in connection.to_json().items() if name not in defaults or value != defaults[name]}


def _read(entry: Mapping[str, Any], shown: str) -> TeamConnection:
    where = f"{shown}: {'.'.join(CONNECTIONS.keys)}"
    next_step = "fix the file, or run 'memorybank team disconnect' and 'memorybank team connect' again"
    for name, kind in _FIELDS.items():
        if name in entry and not isinstance(entry[name], kind):
            raise ConfigInvalid(f"{where}: {name}: expected {'text' if kind is str else 'true or false'}", next_step=next_step)
    unknown = sorted(entry.keys() - _FIELDS.keys())
    if unknown:
        raise ConfigInvalid(f"{where}: {ascii(unknown[0])[:40]} is not a key of a connection", next_step=next_step)
    missing = [name for name in ("address", "organisation", "repository") if not entry.get(name)]
    if missing:
        raise ConfigInvalid(f"{where}: {missing[0]} is missing", next_step=next_step)
    if entry.get("push", BY_COMMAND) not in (BY_COMMAND, BY_MAINTAIN):
        raise ConfigInvalid(f"{where}: push: expected {BY_COMMAND} or {BY_MAINTAIN}", next_step=next_step)
    try:
        checked_address(entry["address"])
        checked_name(entry["organisation"], "the organisation")
        checked_name(entry["repository"], "the repository")
    except UsageError as error:
        raise ConfigInvalid(f"{where}: {error.message}", next_step=next_step) from None
    return TeamConnection(**entry)


def checked_name(name: str, what: str) -> str:
    """Return the name of an organisation or repository. Raises `UsageError` for one that cannot be used."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{what} cannot be called {name[:80]!r}", next_step=_NAMES)
    return name


def checked_address(address: str) -> str:
    """Return the address of a database.

    Raises `UsageError` for a malformed one, for one with a password, which belongs in the keyring, and for one whose server would not be verified although
    it is on another machine. The messages do not quote the address.
    """
    wrong = UsageError("the address of the server is malformed", next_step=_EXAMPLE)
    try:
        parts = urlsplit(address)
        options = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
        host, is_local = host_of_address(address)
    except (ValueError, ConfigInvalid):
        raise wrong from None
    if parts.password is not None:
        raise UsageError("the address contains a password", next_step="leave it out; 'memorybank team connect' asks for it and stores it in the keyring")
    is_odd = parts.fragment or not address.isascii() or not address.isprintable() or " " in address
    if parts.scheme not in ("postgresql", "postgres") or is_odd or not host or not user_of(address) or not parts.path.strip("/"):
        raise wrong
    other = sorted(options.keys() - set(_OPTIONS))
    if other:
        raise UsageError(f"the address has the option {other[0][:40]!r}", next_step=f"only these may be in an address: {', '.join(_OPTIONS)}")
    if not is_local and options.get("sslmode", _VERIFIED) != _VERIFIED:
        raise UsageError(
            f"with sslmode={options['sslmode'][:20]}, anybody between this machine and the server could read and change everything",
            next_step="leave sslmode out; sslrootcert=/path/to/ca.pem names the certificate of an authority of your own",
        )
    return address


def user_of(address: str) -> str:
    """Return the name of the role in an address, "" without one."""
    return unquote(urlsplit(address).username or "")


def host_of_address(address: str) -> tuple[str, bool]:
    """Return (the server as a person reads it, whether it is on this machine). Raises `ConfigInvalid` or ValueError for a malformed address."""
    parts = urlsplit(address)
    socket = dict(parse_qsl(parts.query)).get("host", "")
    if socket:
        return socket, socket.startswith("/")
    if not parts.hostname:
        return "", False
    return host_of(f"https://{parts.netloc.rpartition('@')[2]}/")
