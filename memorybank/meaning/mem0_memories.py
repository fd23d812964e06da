"""mem0 2.x as the program that keeps passages and their vectors (extra `mem0`). The only module that loads it, which takes seconds.

mem0 gets the vectors that the person's embedder made: its own embedder is replaced by a table of vectors, its language model by one without methods, and its
history of changes is kept in memory, because it would keep deleted texts. So mem0 has nobody to ask but the vector store. Telemetry is switched off before mem0
is loaded, and so is what would download models if spaCy or fastembed are installed.
"""

from __future__ import annotations

import importlib
import logging
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from memorybank.clock import Clock
from memorybank.errors import MemorybankError, MissingExtra
from memorybank.installed import extra_command
from memorybank.meaning.embedder import WORDS_INSTEAD
from memorybank.meaning.external_folder import DATA, LOCK, LOCK_SECONDS, delete_folder
from memorybank.meaning.ledger import VectorStoreFailed
from memorybank.storage import disk, foreign_database
from memorybank.storage.lock import Lock

OWNER = "memorybank"
"""The `user_id` of every passage, by which other programs that use mem0 find them."""
_PROVIDER = "memorybank"
_HOME = "home"
_POOL_SECONDS = 10.0
_QUIET = ("mem0", "psycopg.pool", "qdrant_client", "httpx")
_DEFAULTS: Mapping[str, Mapping[str, str]] = {"qdrant": {"on_disk": "true"}, "pgvector": {"hnsw": "false"}}
"""Settings that replace those of mem0 unless the person sets them. An HNSW index of pgvector returns at most 40 rows, and would find less than a full scan."""
_LONGEST = 300


class TableOfVectors:
    """The embedder of mem0: it looks up the vectors that were made before, and has no model."""

    def __init__(self, config: object) -> None:
        self.config = config
        self.prepared: dict[str, list[float]] = {}

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """Return the prepared vector of a text."""
        return self.prepared[text]


class NoModel:
    """The language model of mem0: `infer=False` never asks it."""

    def __init__(self, config: object) -> None:
        self.config = config


class Mem0Choice(Protocol):
    """What a person chose (`placing.StoreChoice`)."""

    @property
    def name(self) -> str:
        """`mem0:<provider>`."""

    @property
    def provider(self) -> str:
        """The vector store of mem0."""

    @property
    def leaves_by(self) -> str | None:
        """Where texts and vectors go; None if they stay in a folder of this machine."""

    @property
    def config(self) -> Mapping[str, str]:
        """The vector store's settings."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that no message may contain."""


class Mem0Memories:
    """The passages of one bank in mem0.

    folder: of the store on this machine
    collection: of the bank in the vector store
    dimension: of the vectors
    """

    def __init__(self, choice: Mem0Choice, folder: str, collection: str, dimension: int, clock: Clock) -> None:
        self._choice = choice
        self._data = os.path.join(folder, DATA) if choice.leaves_by is None else ""
        self._has_deleted = False
        disk.make_directories(os.path.join(folder, _HOME))
        self._lock = Lock(os.path.join(folder, LOCK), "memorybank", clock, LOCK_SECONDS)
        self._lock.__enter__()
        try:
            loaded = _load(os.path.join(folder, _HOME))
            with self._failures(f"{choice.name} cannot be opened"):
                self._memory = self._opened(loaded, collection, dimension)
        except BaseException:
            self._lock.__exit__(None, None, None)
            raise

    def add(self, passage: str, text: str, vector: Sequence[float]) -> str:
        """Keep a passage; returns its id in mem0. passage: digest of its text"""
        table: dict[str, list[float]] = self._memory.embedding_model.prepared
        table[text] = list(vector)
        try:
            with self._failures("a passage was not stored"):
                found = self._memory.add([{"role": "user", "content": text}], user_id=OWNER, run_id=passage, infer=False)
                return str(found["results"][0]["id"])
        finally:
            table.clear()

    def delete(self, memory: str) -> None:
        """Delete a passage by its id; a missing one is not an error."""
        self._has_deleted = True
        with self._failures("a passage was not deleted"):
            if self._memory.vector_store.get(vector_id=memory) is not None:
                self._memory.delete(memory)

    def delete_passage(self, passage: str) -> None:
        """Delete everything that is kept under the digest of a text."""
        self._has_deleted = True
        with self._failures("a passage was not deleted"):
            self._memory.delete_all(user_id=OWNER, run_id=passage)

    def nearest(self, vector: Sequence[float], count: int) -> list[tuple[str, float]]:
        """Return (digest, similarity) of the most similar passages.

        The vector store itself is asked: `Memory.search` would pass it the text of the question, and add the scores of its own search by words.
        """
        with self._failures("the passages were not compared"):
            found = self._memory.vector_store.search(query="", vectors=list(vector), top_k=count, filters=None)
            return [(str((each.payload or {}).get("run_id", "")), float(each.score)) for each in found]

    def is_empty(self) -> bool:
        """Return whether nothing is kept for this bank."""
        with self._failures("the passages were not listed"):
            found = self._memory.vector_store.list(filters=None, top_k=1)
            rows = found[0] if isinstance(found, tuple | list) and found and isinstance(found[0], list) else found
            return not rows

    def clear(self) -> None:
        """Delete the collection of the bank, and its files."""
        with self._failures("the passages were not deleted"):
            self._memory.vector_store.delete_col()
        self._release()
        if self._data:
            delete_folder(self._data)

    def close(self) -> None:
        """Release connections and the lock. Deleted passages are removed from the files of the local store, where they may remain in free pages."""
        try:
            self._release()
            if self._has_deleted and self._data:
                for folder, _, names in os.walk(self._data):
                    for name in names:
                        if name.endswith(".sqlite"):
                            foreign_database.wipe_free_pages(os.path.join(folder, name))
        finally:
            self._lock.__exit__(None, None, None)

    def _opened(self, loaded: Any, collection: str, dimension: int) -> Any:
        choice = self._choice
        config = {**_DEFAULTS.get(choice.provider, {}), **choice.config, "collection_name": collection, "embedding_model_dims": dimension}
        if self._data:
            disk.make_directories(self._data)
            config["path"] = self._data
        factory = importlib.import_module("mem0.utils.factory")
        factory.EmbedderFactory.provider_to_class[_PROVIDER] = f"{__name__}.{TableOfVectors.__name__}"
        factory.LlmFactory.register_provider(_PROVIDER, f"{__name__}.{NoModel.__name__}")
        base, embeddings, llms, stores = (
            importlib.import_module(f"mem0.{name}") for name in ("configs.base", "embeddings.configs", "llms.configs", "vector_stores.configs")
        )
        memory = loaded.Memory(
            base.MemoryConfig(
                vector_store=stores.VectorStoreConfig(provider=choice.provider, config=config),
                # Their validators know only the providers that mem0 comes with.
                embedder=embeddings.EmbedderConfig.model_construct(provider=_PROVIDER, config={}),
                llm=llms.LlmConfig.model_construct(provider=_PROVIDER, config={}),
                history_db_path=":memory:",
            )
        )
        vector_store = memory.vector_store
        if hasattr(vector_store, "_bm25_encoder"):
            vector_store._bm25_encoder = False  # Qdrant's encoder would be downloaded if fastembed is installed
        pool: Any = getattr(vector_store, "connection_pool", None)
        if hasattr(pool, "timeout"):
            pool.timeout = _POOL_SECONDS
        return memory

    def _release(self) -> None:
        memory, self._memory = self._memory, None
        if memory is None:
            return
        with suppress(Exception):  # what cannot be closed ends with the process
            memory.close()
            for name in ("client", "connection_pool"):
                close = getattr(getattr(memory.vector_store, name, None), "close", None)
                if close is not None:
                    close()

    @contextmanager
    def _failures(self, what: str) -> Iterator[None]:
        """Raise everything that mem0 and its vector stores raise as one typed error, without the secrets of the settings."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                yield
            except MemorybankError:
                raise
            except ImportError as error:
                said = self._said(error)
                raise MissingExtra(f"{self._choice.name} lacks a package: {said}", next_step="install it next to memorybank") from None
            except Exception as error:  # each vector store has its own errors
                raise VectorStoreFailed(f"{what}: {self._said(error)}") from None

    def _said(self, error: Exception) -> str:
        """Return the error in one line. Pydantic's quotes the settings, so only the names of the fields are taken from it."""
        fields = getattr(error, "errors", None)
        if callable(fields):
            with suppress(Exception):
                return "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in fields(include_input=False))[:_LONGEST]
        text = " ".join(str(error).split()) or type(error).__name__
        for secret in self._choice.secrets:
            text = text.replace(secret, "…")
        return text[:_LONGEST]


def _load(home: str) -> Any:
    """Return the package mem0, without telemetry and with its own folder in ours.

    Raises MissingExtra without it, VectorStoreFailed if another part of this process loaded it with telemetry.
    """
    set_here = {"MEM0_TELEMETRY": "False", "MEM0_DIR": home}
    before = {name: os.environ.get(name) for name in set_here}
    os.environ.update(set_here)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loaded = importlib.import_module("mem0")
            telemetry = importlib.import_module("mem0.memory.telemetry")
            models: Any = importlib.import_module("mem0.utils.spacy_models")
    except ImportError as error:
        said = f"mem0 cannot be loaded ({error})" if error.name != "mem0" else "the package 'mem0ai' is not installed"
        raise MissingExtra(said, next_step=f"install it with: {extra_command('mem0')}; or {WORDS_INSTEAD}") from None
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name)
            else:
                os.environ[name] = value
    if telemetry.MEM0_TELEMETRY:
        raise VectorStoreFailed(
            "this process loaded mem0 with its telemetry", next_step="set MEM0_TELEMETRY=False before mem0 is imported, or use memorybank in another process"
        )
    # spaCy would download a model for lemmas that nothing here uses.
    models._load_failed_full = models._load_failed_lemma = True
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return loaded
