"""Compares the index with the files on disk. It only reads; every difference is a Problem, and `memorybank index` repairs all of them."""

import gc
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from memorybank.errors import MemorybankError, Problem
from memorybank.index import files, meta, queries, staleness
from memorybank.index.working import Index
from memorybank.notes import scan
from memorybank.storage import disk, jsontext
from memorybank.storage.sqlite import sqlite3

MAX_DOCUMENT_BYTES = 4 << 30
_PORTION = 1_000
"""Number of notes whose rows `tables_in_turn` compares where nothing changed."""
_COMPARED = "tables_agreed"
"""Key of `meta`: [the revision at which all tables of notes agreed, the id of the last note whose rows were compared once more since]."""
_NOTE_TABLES = ("tokens", "folded", "note_text_docsize")
_EPISODE_TABLES = ("episode_tokens", "episode_text_docsize")


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
    yield from _inconsistent(index.connection, "notes", _NOTE_TABLES)
    yield from _inconsistent(index.connection, "episodes", _EPISODE_TABLES)


def tables_in_turn(index: Index) -> list[Problem]:
    """Return what `tables` reports. Where no note changed since all rows were compared, a portion of them is compared, each time the next one (ADR 0131).

    In a bank of 10,000 notes all rows are 80 MB, of which each page would have to be read.
    """
    connection = index.connection
    if not index.is_writable or not queries.has_more_than(connection, _PORTION):
        return list(tables(index))
    revision = meta.integer(connection, "revision") or 0
    text = meta.text(connection, _COMPARED)
    agreed, after = jsontext.decode(text) if text else (None, None)
    until = None
    if agreed == revision:
        row = connection.execute("SELECT id FROM notes WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?", (after or 0, _PORTION - 1)).fetchone()
        until = row[0] if row else None
    else:
        after = None
    problems = [*_inconsistent(connection, "notes", _NOTE_TABLES, after, until), *_inconsistent(connection, "episodes", _EPISODE_TABLES)]
    with suppress(sqlite3.OperationalError):  # busy: the next look compares the same rows again
        meta.write(connection, _COMPARED, None if problems else jsontext.encode([revision, until]))
    return problems


def _inconsistent(connection: sqlite3.Connection, what: str, tables_of: Iterable[str], after: int | None = None, until: int | None = None) -> Iterator[Problem]:
    """Report tables that do not have exactly one row for each note or episode with an id above `after` and up to `until`. None: without this limit"""
    limits = [(f"id {sign} ?", value) for sign, value in ((">", after), ("<=", until)) if value is not None]
    within = f" WHERE {' AND '.join(limit for limit, _ in limits)}" if limits else ""
    values = [value for _, value in limits]
    (count,) = connection.execute(f"SELECT count(*) FROM {what}{within}", values).fetchone()
    for table in tables_of:
        strays_of = f"count(*) FILTER (WHERE id NOT IN (SELECT id FROM {what}))"
        rows, strays = connection.execute(f"SELECT count(*), {strays_of} FROM {table}{within}", values).fetchone()
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
