"""Reads the stored claims of notes. Hooks read no more than this; `claim_states` looks the claims up."""

from __future__ import annotations

__light__ = True

from memorybank.claims.claim import HOLDING, PATH, UNKNOWN, UNTRUE, Claim, ClaimState, sentence
from memorybank.claims.disk import PathsOnDisk
from memorybank.reasons.reason import Reason
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterator

_COLUMNS = "n.key, c.kind, c.subject, c.line, c.place, c.state, c.target, c.commit_id, c.at"
_UNTRUE = f"c.state IN ({', '.join(repr(state) for state in UNTRUE)})"
_MOST_OF_NOTE = 8
"""Maximum number of untrue claims of one note that are shown at once."""


class NoteClaim(Value):
    """A claim of a note, with its state. key: of the note, or of a file of a source."""

    key: str
    claim: Claim
    found: ClaimState

    @property
    def reason(self) -> Reason | None:
        """What a reader should know; None when the claim is not untrue."""
        return sentence(self.claim, self.found)


def claims(connection: Connection, root: str, key: str | None = None) -> Iterator[NoteClaim]:
    """Yield the claims of one note or file of a source, or of all, by key and line. One that was not looked up yet is unknown.

    root: folder that paths are relative to
    """
    condition, values = ("WHERE n.key = ?", (key,)) if key is not None else ("", ())
    query = f"SELECT {_COLUMNS} FROM claims c JOIN notes n ON n.id = c.note {condition} ORDER BY n.key, c.line, c.position"
    disk = PathsOnDisk(root)
    return (_claim(row, disk) for row in connection.execute(query, values))


def untrue_of(connection: Connection, root: str, note: int) -> list[NoteClaim]:
    """Return the untrue claims of the note with this row, in order, at most `_MOST_OF_NOTE`.

    root: folder that paths are relative to
    """
    query = f"SELECT {_COLUMNS} FROM claims c JOIN notes n ON n.id = c.note WHERE c.note = ? AND {_UNTRUE} ORDER BY c.position LIMIT ?"
    disk = PathsOnDisk(root)
    found = (_claim(row, disk) for row in connection.execute(query, (note, _MOST_OF_NOTE)))
    return [each for each in found if each.found.state in UNTRUE]


def counts(connection: Connection) -> dict[str, int]:
    """Return {state: number of claims in the bank's own notes}, only of untrue ones."""
    query = f"SELECT c.state, count(*) FROM claims c JOIN notes n ON n.id = c.note WHERE n.source = '' AND {_UNTRUE} GROUP BY c.state"
    return dict(connection.execute(query))


def _claim(row: tuple[str, str, str, int, str, str, str, str, int], disk: PathsOnDisk) -> NoteClaim:
    """Return a row as a value. A file that came back since the last commit, as in a working tree with changes, holds."""
    key, kind, subject, line, place, state, target, commit, at = row
    is_back = kind == PATH and state in UNTRUE and disk.has(place or subject)
    return NoteClaim(key, Claim(kind, subject, line, place), HOLDING if is_back else ClaimState(state or UNKNOWN, target, commit, at))
