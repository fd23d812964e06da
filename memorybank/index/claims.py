"""Claims of a note that the project contradicts: files that it names and that no longer exist."""

from __future__ import annotations

__light__ = True

from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

_FILES_LOOKED_FOR = 8


def gone_file(connection: Connection, note: int, root: str) -> str | None:
    """Return a file that a note names and that is missing although its folder exists; None when there is none.

    note: id of the note's row.
    root: the directory that the paths are relative to.
    Only the first few files that the note names are checked.
    """
    named = connection.execute("SELECT anchor FROM anchors WHERE note = ? AND anchor LIKE 'file:%/%.%' LIMIT ?", (note, _FILES_LOOKED_FOR))
    for (anchor,) in named:
        path = os.path.join(root, anchor[5:])
        if not os.path.lexists(path) and os.path.isdir(os.path.dirname(path)):
            return str(anchor[5:])
    return None
