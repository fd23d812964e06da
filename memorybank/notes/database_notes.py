"""Rows of another program's database as notes: claude-mem keeps what it observed in SQLite.

The database is opened without changing a byte or creating a file next to it, so what its program has not yet moved from its write-ahead log into the
database is seen later. Only the rows of this project are read.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock
from memorybank.storage import jsontext
from memorybank.storage import system as os
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterator, Mapping
    from typing import Any

AUTHOR = "claude-mem"
_SUFFIX = ".md"
_TABLES = {"observation": "observations", "summary": "session_summaries"}
"""{beginning of a row's name: its table}."""
_PARTS = (("investigated", "Investigated"), ("learned", "Learned"), ("completed", "Completed"), ("next_steps", "Next steps"), ("notes", "Notes"))
"""(column, heading) of a session summary."""
_MODE = 0o100600


class RowStatus:
    """The state of a row, with the fields of a file's status."""

    __slots__ = ("st_ctime_ns", "st_ino", "st_mode", "st_mtime_ns", "st_size")

    def __init__(self, number: int, size: int, created: int) -> None:
        self.st_mode = _MODE
        self.st_ino = number
        self.st_size = size
        self.st_mtime_ns = self.st_ctime_ns = created * 1_000_000


def is_row(path: str) -> bool:
    """Return whether a path is that of a row: it continues after the name of a database."""
    folder = os.path.dirname(path)
    return folder.endswith(".db") and os.path.isfile(folder)


def rows(path: str, project: str) -> dict[str, RowStatus]:
    """Return {name of a row: its state} of the rows of a project; {} when the database cannot be read.

    path: path of the database
    """
    return {f"{kind}-{row['id']}{_SUFFIX}": _status(row) for kind, row in _read(path, project)}


def read(path: str, project: str) -> bytes:
    """Return a row as Markdown. Raises `FileNotFoundError` when it does not exist or belongs to another project.

    path: path of the row: the database, a slash and the row's name
    """
    name = os.path.basename(path).removesuffix(_SUFFIX)
    for kind, row in _read(os.path.dirname(path), project, name):
        return _rendered(kind, row)
    raise FileNotFoundError(path)


def _read(path: str, project: str, wanted: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (kind, {column: value}) of a project's rows."""
    from memorybank.storage.foreign_database import open_foreign  # late: few banks read another program's database

    kind, _, number = wanted.partition("-")
    try:
        connection = open_foreign(path)
    except (sqlite3.Error, OSError):
        return
    try:
        for each, table in _TABLES.items():
            if wanted and (each != kind or not number.isdecimal()):
                continue
            try:
                yield from ((each, row) for row in _rows_of(connection, table, project, number))
            except sqlite3.DatabaseError:  # a table that this version of the program does not have, or a damaged database
                continue
    finally:
        connection.close()


def _rows_of(connection: Connection, table: str, project: str, number: str) -> list[dict[str, Any]]:
    condition, values = ("project = ? AND id = ?", (project, int(number))) if number else ("project = ?", (project,))
    found = connection.execute(f"SELECT * FROM {table} WHERE {condition} ORDER BY id", values)
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _status(row: Mapping[str, Any]) -> RowStatus:
    size = sum(len(value) for value in row.values() if isinstance(value, str))
    return RowStatus(int(row["id"]), size, _instant(row) or 0)


def _instant(row: Mapping[str, Any]) -> int | None:
    """Return when a row was written, in ms. Some versions store seconds."""
    at = row.get("created_at_epoch")
    if not isinstance(at, int):
        return clock.parse(str(row.get("created_at")))
    return at if at > 100_000_000_000 else at * 1000


def _rendered(kind: str, row: Mapping[str, Any]) -> bytes:
    title = _line(row.get("title") or row.get("request")) or f"{kind} {row['id']}"
    lines = ["---", f"title: {jsontext.encode(title)}", f"agent_created: {AUTHOR}"]
    at = _instant(row)
    if at is not None:
        lines.append(f"created: {clock.isoformat(at)}")
    tags = [_line(tag) for tag in _list(row.get("concepts"))]
    if tags:
        lines.append(f"tags: {jsontext.encode(tags)}")
    lines += ["---", "", f"# {title}"]
    for name in ("subtitle", "narrative", "text"):
        if row.get(name):
            lines += ["", str(row[name]).strip()]
    lines += _bullets("", _list(row.get("facts")))
    for name, heading in _PARTS:
        if kind == "summary" and row.get(name):
            lines += ["", f"## {heading}", "", str(row[name]).strip()]
    lines += _bullets("Files", _list(row.get("files_modified")))
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def _bullets(heading: str, items: list[object]) -> list[str]:
    listed = [f"- {line}" for item in items if (line := _line(item))]
    return (["", f"## {heading}", "", *listed] if heading else ["", *listed]) if listed else []


def _list(value: object) -> list[object]:
    """Return a column that contains a JSON list; [] for anything else."""
    try:
        found = jsontext.decode(value) if isinstance(value, str) else []
    except ValueError:
        return []
    return found if isinstance(found, list) else []


def _line(value: object) -> str:
    return " ".join(str(value).split()) if isinstance(value, str) else ""
