#!/usr/bin/env python3
"""The programs that memorybank is compared with, and two that measure memorybank's own work.

baselines.py fts SOURCE TARGET    build an FTS5 index from the tokens of another index
baselines.py json FOLDER          decode and encode the four published documents with orjson; print the seconds
baselines.py sweep BANK           stat every note; print the seconds
baselines.py syncs ARGUMENT...    run the command line with these arguments; then print the number of syncs
"""

import os
import sys
import time


def build_full_text(source: str, target: str) -> None:
    """Build the same table from the same tokens in one transaction: the minimum cost of a full-text index."""
    import sqlite3

    from memorybank.index.schema import FULL_TEXT

    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(target + suffix):
            os.unlink(target + suffix)
    connection = sqlite3.connect(target, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("ATTACH ? AS source", (source,))
    connection.execute(f"CREATE VIRTUAL TABLE note_text {FULL_TEXT}")
    connection.execute("BEGIN")
    connection.execute("INSERT INTO note_text (rowid, title, headings, tags, body) SELECT id, title, headings, tags, body FROM source.tokens")
    connection.execute("COMMIT")
    connection.close()


def recode_published(folder: str) -> None:
    import orjson

    started = time.perf_counter()
    for name in ("content", "keyword", "importance", "temporal"):
        path = os.path.join(folder, f"{name}_index.json")
        with open(path, "rb") as stream:
            value = orjson.loads(stream.read())
        data = orjson.dumps(value, option=orjson.OPT_INDENT_2)
        with open(path + ".bench", "wb") as stream:
            stream.write(data)
    print(time.perf_counter() - started)
    for name in ("content", "keyword", "importance", "temporal"):
        os.unlink(os.path.join(folder, f"{name}_index.json.bench"))


def sweep(bank: str) -> None:
    from memorybank.notes import scan
    from memorybank.storage.layout import describe

    layout = describe(os.path.realpath(bank))
    started = time.perf_counter()
    scan.sweep(layout)
    print(time.perf_counter() - started)


def count_syncs(arguments: list[str]) -> None:
    """Count every fsync and fdatasync of Python code. SQLite's own syncs of its derived cache are not counted."""
    counted = 0

    def counting(function):  # type: ignore[no-untyped-def]
        def call(descriptor: int) -> None:
            nonlocal counted
            counted += 1
            function(descriptor)

        return call

    from memorybank.storage import system

    # The product's own calls go through `system`, those of libraries through `os`.
    for module in (os, system):
        module.fsync, module.fdatasync = counting(module.fsync), counting(module.fdatasync)
    from memorybank.cli.main import run

    code = run(arguments)
    sys.stdout.flush()
    print(f"\nsyncs {counted}")
    sys.exit(code)


def main() -> None:
    kind, *arguments = sys.argv[1:]
    if kind == "fts":
        build_full_text(*arguments)
    elif kind == "json":
        recode_published(*arguments)
    elif kind == "sweep":
        sweep(*arguments)
    elif kind == "syncs":
        count_syncs(arguments)


if __name__ == "__main__":
    main()
