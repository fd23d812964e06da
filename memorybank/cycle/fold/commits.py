"""The turns that made a commit: work went on after them (`know.passing`)."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import cache
from memorybank.cycle.fold.wording import commit_message
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.fold.recorded import LogEvent

_REPORT = lazy_pattern(r"^\[[^\]\n]{1,200} [0-9a-f]{7,40}\] .", "m")
"""Matches the line in which git reports a commit."""
_REVERTS = lazy_pattern(r"\bgit\b[^\n|;&]{0,80}?\brevert\b(?! --(?:abort|skip|quit))")


def note(connection: Connection, file: int, line: LogEvent) -> None:
    """Keep that a turn committed with a command that worked."""
    command = line.text("command")
    if "git" not in command or not ("commit" in command or "revert" in command):
        return
    turn = cache.turn_of(connection, file, line)
    if turn is not None and (commit_message(command) or _REPORT.search(line.whole) or _REVERTS.search(command)):
        connection.execute("INSERT OR IGNORE INTO commits VALUES (?)", (turn,))
