"""What a note claims and the project no longer bears out: files it names that are gone. Reads only."""

from __future__ import annotations

__light__ = True

from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

_FILES_LOOKED_FOR = 8


def gone_file(connection: Connection, note: int, root: str) -> str | None:
    """A file that a note (its row's id) names, in a folder that is there, and that is not; a few are looked for. root: what paths are relative to."""
    named = connection.execute("SELECT anchor FROM anchors WHERE note = ? AND anchor LIKE 'file:%/%.%' LIMIT ?", (note, _FILES_LOOKED_FOR))
    for (anchor,) in named:
        path = os.path.join(root, anchor[5:])
        if not os.path.lexists(path) and os.path.isdir(os.path.dirname(path)):
            return str(anchor[5:])
    return None
