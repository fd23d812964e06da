"""Chooses the store of the vectors from the person's own settings: the built-in file in the bank's cache, or mem0 with a vector store of the person's choice.

What mem0 keeps on this machine is in the person's own state folder, never in the bank: the local mode of Qdrant runs what its files say when it reads them
(pickle), and a bank may come from a stranger.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from secrets import token_hex
from urllib.parse import parse_qs, urlsplit

from memorybank.clock import Clock
from memorybank.config.own import MEM0, PersonalSettingsFile
from memorybank.errors import ConfigInvalid
from memorybank.meaning import store
from memorybank.meaning.external import EXTERNAL_TABLES, VERSION, ExternalStore, PassageMemories
from memorybank.meaning.external_folder import COLLECTION, FOLDER, LEDGER, delete_folder
from memorybank.meaning.ledger import VectorStore
from memorybank.storage import database, disk
from memorybank.storage.digest import sha256
from memorybank.storage.layout import Layout, state_folder

_WITHOUT_SERVER = ("qdrant", "chroma", "faiss")
"""Vector stores of mem0 that keep their data in a folder, unless their settings name a server."""
_SERVERS = ("host", "url", "connection_string", "api_key", "tenant")
_OURS = ("collection_name", "embedding_model_dims", "path", "client", "connection_pool", "on_disk")
_SECRET = re.compile("key|password|secret|token", re.IGNORECASE)
_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
_RECORD_BYTES = 1 << 12


@dataclass(frozen=True, slots=True)
class StoreChoice:
    """A chosen store that has not been opened yet.

    provider: the vector store of mem0; "" for the built-in store
    leaves_by: where its texts and vectors go, None if they stay in a folder of this machine
    config: the vector store's settings, with the values of environment variables
    """

    provider: str = ""
    leaves_by: str | None = None
    config: Mapping[str, str] = field(default_factory=dict, repr=False)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """`built-in` or `mem0:<provider>`."""
        return f"mem0:{self.provider}" if self.provider else "built-in"

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that no message may contain."""
        return tuple(value for value in self.config.values() if len(value) > 3)

    def open_store(self, layout: Layout, clock: Clock) -> VectorStore:
        """Open the store for changes; it is created when it is missing."""
        if not self.provider:
            return store.open_store(layout)
        path = os.path.join(self.folder(layout), LEDGER)
        self._collection(layout)  # recorded first, so that whatever is stored later can be found
        vectors = self._connect(layout, clock)  # fails more often than opening the ledger, which would then stay open
        return ExternalStore(database.open_writable(path, EXTERNAL_TABLES, VERSION), path, vectors)

    def open_reading(self, layout: Layout, clock: Clock, *, frozen: bool = False) -> VectorStore:
        """Open the store for queries; an empty one when it is missing or damaged. frozen: whether nothing in the bank may be created, not even for a moment"""
        if not self.provider:
            return store.open_reading(layout, frozen=frozen)
        path = os.path.join(self.folder(layout), LEDGER)
        vectors = self._connect(layout, clock)
        return ExternalStore(database.open_frozen(path, EXTERNAL_TABLES, VERSION), path, vectors)

    def exists(self, layout: Layout) -> bool:
        """Return whether something may be stored for this bank."""
        return os.path.lexists(os.path.join(self.folder(layout), LEDGER) if self.provider else store.path_of(layout))

    def is_unclean(self, layout: Layout, clock: Clock) -> bool:
        """Return whether a server may keep what was to be deleted."""
        with self.open_reading(layout, clock, frozen=True) as stored:
            return stored.is_unclean

    def delete(self, layout: Layout, clock: Clock) -> bool:
        """Delete everything that is stored for this bank; returns whether there was something. Raises VectorStoreFailed if a server cannot be reached."""
        if not self.provider:
            return store.delete(layout)
        if not self.exists(layout):
            return False
        with self.open_store(layout, clock) as stored:
            stored.clear()
        delete_folder(self.folder(layout))
        return True

    def folder(self, layout: Layout) -> str:
        """Return the folder of mem0's store for a bank."""
        name = f"{self.provider}-{sha256((self.leaves_by or '').encode()).hex()[:8]}"
        return os.path.join(bank_folder(layout, self.environment), name)

    def _collection(self, layout: Layout) -> str:
        """Return the name of the bank's collection. It is random, because the banks of many people may be on one server."""
        path = os.path.join(self.folder(layout), COLLECTION)
        try:
            return disk.read(path, _RECORD_BYTES).decode("utf-8", "replace").partition("\n")[0]
        except FileNotFoundError:
            disk.make_directories(os.path.dirname(path))
            name = f"memorybank_{token_hex(8)}"
            disk.replace(path, [f"{name}\n{self.leaves_by or ''}\n".encode("utf-8", "replace")], durable=True)
            return name

    def _connect(self, layout: Layout, clock: Clock) -> Callable[[int], PassageMemories]:
        def connect(dimension: int) -> PassageMemories:
            from memorybank.meaning.mem0_memories import Mem0Memories  # late: mem0 takes seconds to load

            return Mem0Memories(self, self.folder(layout), self._collection(layout), dimension, clock)

        return connect


def choose_store(own: PersonalSettingsFile, environment: Mapping[str, str]) -> StoreChoice:
    """Return the store that the person set up. Raises ConfigInvalid for settings that cannot be used."""
    settings = own.settings.vector_store
    if settings.use != MEM0:
        return StoreChoice(environment=environment)
    config = {name: _value(own, name, value, environment) for name, value in settings.config.items()}
    ours = sorted(config.keys() & set(_OURS))
    if ours:
        raise ConfigInvalid(f"vector_store.config.{ours[0]} is set by memorybank itself", next_step=f"remove it from {own.path}")
    provider = settings.provider
    local = provider in _WITHOUT_SERVER and not any(config.get(name) for name in _SERVERS)
    return StoreChoice(provider, None if local else _destination(provider, config), config, environment)


def bank_folder(layout: Layout, environment: Mapping[str, str]) -> str:
    """Return the folder of everything that mem0 keeps for a bank on this machine."""
    project = os.path.basename(os.path.dirname(os.path.dirname(layout.root))) or "bank"
    digest = sha256(os.path.realpath(layout.root).encode("utf-8", "surrogateescape")).hex()[:16]
    return os.path.join(state_folder(environment), FOLDER, f"{project}-{digest}")


def filled(layout: Layout, environment: Mapping[str, str]) -> dict[str, str]:
    """Return {folder: `leaves_by` or ''} of all stores of mem0 that were made for a bank, also of those that the settings no longer name."""
    found = {}
    top = bank_folder(layout, environment)
    for name in sorted(os.listdir(top)) if os.path.isdir(top) else ():
        folder = os.path.join(top, name)
        try:
            found[folder] = disk.read(os.path.join(folder, COLLECTION), _RECORD_BYTES).decode("utf-8", "replace").partition("\n")[2].strip()
        except FileNotFoundError:
            found[folder] = ""  # a run that was killed at once
    return found


def _value(own: PersonalSettingsFile, name: str, value: str, environment: Mapping[str, str]) -> str:
    """Return a setting with the value of its environment variable. A secret must be in one."""
    named = _VARIABLE.fullmatch(value)
    if named is not None:
        found = environment.get(named[1], "")
        if not found:
            raise ConfigInvalid(f"the environment variable {named[1]} for vector_store.config.{name} is not set", next_step=f"set it, or correct {own.path}")
        return found
    if _SECRET.search(name) or (name == "connection_string" and _has_password(value)):
        raise ConfigInvalid(
            f"vector_store.config.{name} contains a secret",
            next_step=f'put it into an environment variable, and write "${name.upper()}" (the name of the variable) in {own.path}',
        )
    return value


def _has_password(connection: str) -> bool:
    return "password=" in connection or bool(urlsplit(connection).password if "://" in connection else "")


def _destination(provider: str, config: Mapping[str, str]) -> str:
    """Return the destination as a person is asked about it: the vector store, and the server if the settings name one."""
    host, port = config.get("host", ""), config.get("port", "")
    address = config.get("connection_string") or config.get("url") or ""
    if address:
        host, port = _host_of(address)
    return f"{provider} at {host}{f':{port}' if port else ''}" if host else provider


def _host_of(address: str) -> tuple[str, str]:
    """Return (host or socket folder, port or '') of a URL, or of a connection string of PostgreSQL."""
    if "://" not in address:
        found = dict(part.split("=", 1) for part in address.split() if "=" in part)
        return found.get("host", ""), found.get("port", "")
    try:
        parts = urlsplit(address)
        asked = parse_qs(parts.query)
        return (parts.hostname or asked.get("host", [""])[0]), str(parts.port or "")
    except ValueError:
        raise ConfigInvalid("the address of the vector store is malformed", next_step="correct vector_store.config in your own config.json") from None
