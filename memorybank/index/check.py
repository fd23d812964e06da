"""Compares the index with the files on disk. It only reads; every difference is a Problem, and `memorybank index` repairs all of them."""

import gc
import os
from collections.abc import Iterator
from typing import Any

from memorybank.errors import MemorybankError, Problem
from memorybank.index import files, queries, staleness
from memorybank.index.working import Index
from memorybank.notes import scan
from memorybank.storage import disk

MAX_DOCUMENT_BYTES = 4 << 30


def check(index: Index) -> list[Problem]:
    """Return every difference between notes and working index, and between working index and published documents."""
    return [*against_disk(index), *tables(index), *published(index)]


def against_disk(index: Index) -> Iterator[Problem]:
    """Report notes that have no row, rows that have no file, and rows whose digest is not that of the file."""
    different = staleness.differing(index, files.sweep(index))
    for found in different.suspects:
        note = scan.read(index.layout, found)
        if isinstance(note, Problem):
            continue
        row = index.connection.execute("SELECT digest FROM notes WHERE key = ?", (found.key,)).fetchone()
        if row is None:
            yield Problem("index_missing", found.key, "this note is not in the index")
        elif row[0] != note.digest:
            yield Problem("index_outdated", found.key, "the index contains another version of this note")
    for key in different.gone:
        yield Problem("index_phantom", key, "the index lists this note, but its file does not exist")


def tables(index: Index) -> Iterator[Problem]:
    """Report tables that do not have exactly one row for each note or episode."""
    for what, tables_of in (("notes", ("tokens", "folded", "note_text_docsize")), ("episodes", ("episode_tokens", "episode_text_docsize"))):
        (count,) = index.connection.execute(f"SELECT count(*) FROM {what}").fetchone()
        for table in tables_of:
            rows, strays = index.connection.execute(f"SELECT count(*), count(*) FILTER (WHERE id NOT IN (SELECT id FROM {what})) FROM {table}").fetchone()
            if rows != count or strays:
                yield Problem("index_inconsistent", "cache/bank.sqlite3", f"{count} {what}, but {rows} rows in {table}, of which {strays} belong to none")


def published(index: Index) -> Iterator[Problem]:
    """Report published documents that are missing, unreadable, or list other notes or contents than the working index. Older scores are not reported."""
    rows = queries.digests(index.connection)
    paths = {name: os.path.join(index.layout.indexes, f"{name}_index.json") for name in ("content", "keyword", "importance", "temporal")}
    if not any(map(os.path.exists, paths.values())):
        return
    for name, path in paths.items():
        try:
            known = _contents(name, path)
        except (OSError, MemorybankError, ValueError):
            yield Problem("published_unreadable", f"indexes/{name}_index.json", "missing, or not a valid JSON document")
            continue
        expected = rows if name == "content" else queries.keys_by_keyword(index.connection) if name == "keyword" else set(rows)
        if known != expected:
            yield Problem("published_outdated", f"indexes/{name}_index.json", "lists other notes or contents than the working index")


def _contents(name: str, path: str) -> object:
    """Return what a published document says about which notes exist: their keys, their digests by key, or their keys by keyword.

    Raises `ValueError` when the file is not a JSON object.
    """
    document = _load(path)
    try:
        if name == "content":
            return {key: entry["content_hash"] for key, entry in document["files"].items()}
        if name == "importance":
            return {_key(entry) for bucket in document["importance_buckets"].values() for entry in bucket["files"]}
        if name == "temporal":
            return {_key(entry) for entry in document["timeline"]}
        return {word: {_key(entry) for entry in keyword["files"]} for word, keyword in document["keywords"].items()}
    except (KeyError, TypeError, AttributeError):
        return ()


def _key(entry: dict[str, Any]) -> str:
    return str(entry["path"]).removeprefix(".claude/memory/active/")


def _load(path: str) -> dict[str, Any]:
    """Parse a published document. Raises `ValueError` when it is not a JSON object."""
    import orjson  # late: only documents need it, and loading it takes as long as loading click

    # While 100 MB of JSON are parsed, the garbage collector would traverse all new objects again and again.
    collects = gc.isenabled()
    gc.disable()
    try:
        document = orjson.loads(disk.read(path, MAX_DOCUMENT_BYTES))
    finally:
        if collects:
            gc.enable()
    if not isinstance(document, dict):
        raise ValueError(path)
    return document
