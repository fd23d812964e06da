"""The commits that turns made and reverted, as git reports them: what an answer says of a commit that is reverted later is no longer so."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import cache
from memorybank.cycle.fold.wording import commit_message
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.fold.recorded import LogEvent

_REPORT = lazy_pattern(r"^\[[^\]\n]{1,200} [0-9a-f]{7,40}\] (.{1,200})$", "m")
"""Matches the line in which git reports a commit."""
_REVERTS = lazy_pattern(r"\bgit\b[^\n|;&]{0,80}?\brevert\b(?! --(?:abort|skip|quit))")
_REVERTED, _REAPPLIED = 'Revert "', 'Reapply "'
_LAST = "SELECT title FROM commits WHERE file = ? AND offset < ? AND NOT reverts ORDER BY offset DESC LIMIT 1"


def note(connection: Connection, file: int, line: LogEvent) -> None:
    """Keep the commits of a command that worked, and those that it reverted."""
    command = line.text("command")
    if "git" not in command or not ("commit" in command or "revert" in command):
        return
    turn = cache.turn_of(connection, file, line)
    if turn is None:
        return
    titles = _REPORT.findall(line.whole) or [commit_message(command)]
    rows = [_read(title.strip()) for title in titles if title]
    if not rows and _REVERTS.search(command) is not None:
        # `git revert` says nothing with some options: without a name, it is the last commit.
        rows = [(title, 1) for (title,) in connection.execute(_LAST, (file, line.offset))]
    values = ((file, line.offset, title, turn, line.at, is_reverted) for title, is_reverted in rows)
    connection.executemany("INSERT OR IGNORE INTO commits VALUES (?, ?, ?, ?, ?, ?)", values)


def _read(title: str) -> tuple[str, int]:
    """Return (title of the commit that was made or reverted, whether it was reverted)."""
    for begin, reverts in ((_REVERTED, 1), (_REAPPLIED, 0)):
        if title.startswith(begin):
            return title.removeprefix(begin).rstrip('"'), reverts
    return title, 0
