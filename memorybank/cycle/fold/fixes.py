"""The edits after which a failed command worked again: one passage for each failure that they fixed.

Edits are collected while a failure is open. What fixed a failure are the last of them before the same command ended otherwise: in success, or
in another error.
"""

from __future__ import annotations

__light__ = True


from memorybank.cycle.fold import passages
from memorybank.cycle.fold.wording import change, error_line
from memorybank.text.paths import OUTSIDE
from memorybank.text.pattern import lazy_pattern
from memorybank.text.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Sequence

    from memorybank.cycle.fold.recorded import LogEvent

_MOST_OPEN = 6
"""Open failures that an edit is noted for: the newest."""
_MOST_EDITS = 2
"""Files that one fix names: the latest."""
_CHECKS_STYLE = lazy_pattern(r"\b(?:lint|linter|format|fmt|prettier|eslint|biome|ruff|black|gofmt|golangci-lint|clippy|rubocop|mypy|tsc|typecheck)\b")
_CHANGE_CHARACTERS, _ERROR_CHARACTERS = 90, 140


def edited(connection: Connection, file: int, line: LogEvent) -> None:
    """Note an edit for the open failures of its agent."""
    name = line.files[0]
    if name.startswith((OUTSIDE, "~/")):
        return
    still_open = connection.execute(
        "SELECT id FROM failures WHERE file = ? AND agent = ? AND mended IS NULL AND cell = ? ORDER BY offset DESC LIMIT ?",
        (file, line.agent, line.cell.name, _MOST_OPEN),
    ).fetchall()
    rows = [(failure, line.offset, name, change(line, _CHANGE_CHARACTERS)) for (failure,) in still_open]
    connection.executemany("INSERT OR REPLACE INTO edits_since VALUES (?, ?, ?, ?)", rows)


def write(connection: Connection, file: int, line: LogEvent, fixed: Sequence[int]) -> None:
    """Write what fixed these failures of one command, unless it is a linter or formatter: what fixes its next complaint is another edit.

    line: the success that ended them.
    fixed: ids of the failures, the oldest first.
    """
    if _CHECKS_STYLE.search(line.text("command")):
        return
    failures = [connection.execute("SELECT id, offset, error, said FROM failures WHERE id = ?", (failure,)).fetchone() for failure in fixed]
    pieces = []
    for number, (failure, _, error, said) in enumerate(failures):
        ended = failures[number + 1] if number + 1 < len(failures) else None
        if ended is not None and ended[2] == error:
            continue  # the same error came again, so that the edits in between fixed nothing
        changes = _changes(connection, failure, ended[1] if ended is not None else line.offset, error)
        if changes:
            pieces.append((error_line(said, _ERROR_CHARACTERS), changes, failure))
    passages.write_fixes(connection, file, line, pieces)


def _changes(connection: Connection, failure: int, before: int, error: str) -> str:
    """The edits noted for a failure up to an offset, one per file: "`a.py`: added `x`; `b.toml`".

    "" where one of them is in a file that the error names: such an error (of a linter, a compiler) says itself what to change.
    """
    rows = connection.execute("SELECT name, change FROM edits_since WHERE failure = ? AND offset < ? ORDER BY offset DESC", (failure, before)).fetchall()
    latest: dict[str, str] = {}
    for name, changed in rows:
        latest.setdefault(name, changed)
    said = set(error.split(" "))
    if any(_is_named(name, said) for name in latest):
        return ""
    return "; ".join(f"`{name}`: {changed}" if changed else f"`{name}`" for name, changed in list(latest.items())[:_MOST_EDITS])


def _is_named(name: str, said: Collection[str]) -> bool:
    """Whether an error with these terms names a file. The ending counts: "no kettle configured" does not name `kettle.toml`."""
    terms = content_terms(name.rsplit("/", 1)[-1])
    return len(terms) > 1 and all(term in said for term in terms)
