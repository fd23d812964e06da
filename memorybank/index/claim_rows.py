"""Reads the stored claims of notes. Hooks read no more than this; `claim_states` looks the claims up."""

from __future__ import annotations

__light__ = True

from memorybank.claims.claim import HOLDING, HOLDS, KEY, PATH, SYMBOL, UNKNOWN, UNTRUE, VERSION, Claim, ClaimState, Vanished, sentence
from memorybank.claims.disk import PathsOnDisk
from memorybank.reasons.reason import Reason
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable, Iterator

IS_CLAIM = f"NOT (c.kind = '{VERSION}' AND c.state IN ('', '{UNKNOWN}'))"
"""SQL condition: leaves out numbers after a word that names no dependency of this repository, such as "Chapter 7.1"."""
_COLUMNS = "n.key, c.kind, c.subject, c.line, c.place, c.state, c.target, c.commit_id, c.at"
_SECOND = 1000
_UNTRUE = f"c.state IN ({', '.join(repr(state) for state in UNTRUE)}) AND c.state NOT IN ('{HOLDS}', '{UNKNOWN}')"
"""The second part is the condition of the index `claims_state`. SQLite uses the index only where a query repeats it."""


def put_vanished(connection: Connection, vanished: Iterable[Vanished]) -> None:
    """Store what git's history removed; a removal that is stored already is replaced."""
    rows = ((each.kind, each.path, each.at, each.commit, each.name, each.target) for each in vanished)
    connection.executemany("INSERT OR REPLACE INTO vanished (kind, path, at, commit_id, name, target) VALUES (?, ?, ?, ?, ?, ?)", rows)


class StoredPast:
    """What git's history removed, from the table `vanished`: of each path the first removal after an instant (ms)."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def exact(self, kind: str, path: str, since: int) -> Vanished | None:
        found = self._first("kind = ? AND path = ?", (kind, path), since)
        return found[0] if found else None

    def ending_with(self, path: str, since: int) -> list[Vanished]:
        found = self._first("kind = ? AND name = ?", (PATH, path.rpartition("/")[2]), since)
        return [each for each in found if each.path.endswith("/" + path)]

    def below(self, folder: str, since: int) -> list[Vanished]:
        return self._first("kind = ? AND path > ? AND path < ?", (PATH, folder + "/", folder + "0"), since)

    def versions_of(self, name: str, since: int) -> list[Vanished]:
        return self._first("kind = ? AND path > ? AND path < ?", (VERSION, name + " ", name + "!"), since)

    def definitions(self, name: str, since: int) -> list[Vanished]:
        return self._latest("kind = ? AND name = ?", (SYMBOL, name), since)

    def keys(self, key: str, since: int) -> list[Vanished]:
        return self._latest("kind = ? AND path = ?", (KEY, key), since)

    def _latest(self, condition: str, values: tuple[str, str], since: int) -> list[Vanished]:
        """Return the removals that fulfil a condition, the latest first."""
        from memorybank.claims.lookup import MOST_BELOW  # late: most hooks read no removals

        query = f"SELECT kind, path, target, commit_id, at FROM vanished WHERE {condition} AND at > ? ORDER BY at DESC LIMIT {MOST_BELOW}"
        return [Vanished(*row) for row in self._connection.execute(query, (*values, since - _SECOND))]

    def _first(self, condition: str, values: tuple[str, ...], since: int) -> list[Vanished]:
        """Return the first removal of each path that fulfils a condition, at most `MOST_BELOW` + 1. Git's dates are full seconds."""
        from memorybank.claims.lookup import MOST_BELOW

        # With min(), SQLite takes the other columns from the row that has the minimum.
        query = f"SELECT kind, path, target, commit_id, min(at) FROM vanished WHERE {condition} AND at > ? GROUP BY path LIMIT ?"
        return [Vanished(*row) for row in self._connection.execute(query, (*values, since - _SECOND, MOST_BELOW + 1))]


class NoteClaim(Value):
    """A claim of a note, with its state. key: of the note, or of a file of a source."""

    key: str
    claim: Claim
    found: ClaimState

    @property
    def is_untrue(self) -> bool:
        """Whether it is outdated: gone, moved, changed or expired."""
        return self.found.state in UNTRUE

    @property
    def reason(self) -> Reason | None:
        """What a reader should know; None when the claim is not untrue."""
        return sentence(self.claim, self.found)


def claims(connection: Connection, root: str, key: str | None = None, *, only_outdated: bool = False) -> Iterator[NoteClaim]:
    """Yield the claims of one note or file of a source, or of all, by key and line. One that was not looked up yet is unknown.

    root: folder that paths are relative to
    only_outdated: whether to leave out notes without an outdated claim, and files of sources
    """
    condition, values = (" AND n.key = ?", (key,)) if key is not None else ("", ())
    if only_outdated:
        condition += f" AND n.source = '' AND c.note IN (SELECT c.note FROM claims c WHERE {_UNTRUE})"
    query = f"SELECT {_COLUMNS} FROM claims c JOIN notes n ON n.id = c.note WHERE {IS_CLAIM}{condition} ORDER BY n.key, c.line, c.position"
    disk = PathsOnDisk(root)
    return (_claim(row, disk) for row in connection.execute(query, values))


def claims_of_row(connection: Connection, root: str, note: int) -> list[NoteClaim]:
    """Return the claims of the note with this row, in order.

    root: folder that paths are relative to
    """
    query = f"SELECT {_COLUMNS} FROM claims c JOIN notes n ON n.id = c.note WHERE c.note = ? ORDER BY c.position"
    disk = PathsOnDisk(root)
    return [_claim(row, disk) for row in connection.execute(query, (note,))]


def claims_in(connection: Connection, root: str, text: str, since: int) -> list[NoteClaim]:
    """Return the paths in a text that is not a note, such as a finding: those that can mean only one file, because they have a folder.

    root: folder that paths are relative to
    since: instant (ms) of the text
    """
    if "/" not in text or connection.execute("SELECT 1 FROM vanished LIMIT 1").fetchone() is None:
        return []
    from memorybank.claims.extract import claims_of

    disk = PathsOnDisk(root)
    from memorybank.claims.lookup import ClaimLookup  # late: git's history removed something in few repositories that a hook looks at

    lookup = ClaimLookup(disk, StoredPast(connection), (), ())
    # Given as a place, a path means exactly this one: without the list of tracked files, it could be the end of any other.
    exact = (Claim(PATH, claim.subject, claim.line, claim.subject) for claim in claims_of(text) if claim.kind == PATH and "/" in claim.subject)
    return [NoteClaim("", claim, lookup.state_of(claim, since)) for claim in exact]


def counts(connection: Connection) -> dict[str, int]:
    """Return {state: number of claims in the bank's own notes}, only of untrue ones."""
    query = f"SELECT c.state, count(*) FROM claims c JOIN notes n ON n.id = c.note WHERE n.source = '' AND {_UNTRUE} GROUP BY c.state"
    return dict(connection.execute(query))


def _claim(row: tuple[str, str, str, int, str, str, str, str, int], disk: PathsOnDisk) -> NoteClaim:
    """Return a row as a value. A file that came back since the last commit, as in a working tree with changes, holds."""
    key, kind, subject, line, place, state, target, commit, at = row
    is_back = kind == PATH and state in UNTRUE and disk.has(place or subject)
    return NoteClaim(key, Claim(kind, subject, line, place), HOLDING if is_back else ClaimState(state or UNKNOWN, target, commit, at))
