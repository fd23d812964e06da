"""Reads which statements of a note were superseded, and by what. Hooks read no more than this; `index.decisions` compares."""

from __future__ import annotations

__light__ = True

from memorybank.clock import day_of, parse
from memorybank.reasons.reason import Reason
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Collection, Iterator

SUPERSEDED = "superseded"
"""Kind of the ids of pairs, by which a person can say that two statements do not contradict each other."""
ENTIRE_LINE = 0
"""Line of a superseded statement that is an entire note."""
_REPEATS = "repeats"
_MOST = 100
"""Maximum length of a chain of replacements that is followed."""


class _Place(Value):
    """A decision. position: -1 for an entire note; text: "" for an entire note; at: instant (ms) from which it is valid."""

    note: int
    position: int
    key: str
    line: int
    text: str
    at: int

    @property
    def name(self) -> str:
        """The words that identify it, also when its note is renamed."""
        return self.text or self.key


class SupersededStatement(Value):
    """A statement that a later one replaced.

    id: of the pair.
    key, line, text: the note, and the statement in it; line `ENTIRE_LINE` and text "" for the entire note.
    by_note, by, by_line, by_text: the row and key of the note that is valid now, and the statement in it.
    at: instant (ms) from which the later one is valid.
    """

    id: str
    key: str
    line: int
    text: str
    by_note: int
    by: str
    by_line: int
    by_text: str
    at: int

    @property
    def is_entire(self) -> bool:
        """Whether the entire note is superseded."""
        return not self.text

    @property
    def reason(self) -> Reason:
        """What a reader of the statement should know."""
        return Reason("claim.superseded", by=self.by, day=day_of(self.at))

    @property
    def why(self) -> Reason:
        """Why a note that says nothing else is not shown."""
        return Reason("recall.superseded", by=self.by, day=day_of(self.at))


class TakenBack(SupersededStatement):
    """A sentence of a person that a later permission of theirs took back (`cycle.know.rules`). No note says so."""

    @classmethod
    def of(cls, text: str, at: int) -> TakenBack:
        """Return the sentence that was taken back at an instant (ms)."""
        return cls("", "", 1, text, 0, "", 0, "", at)

    @property
    def reason(self) -> Reason:
        return Reason("claim.taken_back", day=day_of(self.at))

    @property
    def why(self) -> Reason:
        return Reason("recall.taken_back", day=day_of(self.at))


class Replaced(TakenBack):
    """A sentence of a person in whose place a later one of theirs holds."""

    @property
    def reason(self) -> Reason:
        return Reason("claim.replaced", day=day_of(self.at))


class Supersessions:
    """What was superseded, as one reader may know it.

    kept: ids of pairs that a person called no contradiction
    counts: returns whether what the note with this row says counts for the reader; by default every note does
    """

    def __init__(self, connection: Connection, kept: Collection[str] = (), counts: Callable[[int], bool] | None = None) -> None:
        self._connection = connection
        self._kept = kept
        self._counts = counts
        self._pairs: dict[int, list[tuple[int, int, int]]] | None = None
        """{note: (position, newer note, newer position) of its pairs that do not repeat each other}, once all of them were read."""
        self._places: dict[tuple[int, int], _Place | None] = {}

    def of_note(self, note: int) -> list[SupersededStatement]:
        """Return what was superseded of the note with this row: the entire note first, then its statements in order."""
        query = "SELECT DISTINCT older_position FROM superseding WHERE older = ? AND kind <> ? ORDER BY older_position"
        positions = [row[0] for row in self._connection.execute(query, (note, _REPEATS))]
        return [found for position in positions if (found := self._of_place(note, position)) is not None]

    def everything(self) -> Iterator[SupersededStatement]:
        """Yield every superseded statement, by note and position."""
        # A query for each statement and each of its pairs would take longer than all pairs together.
        pairs: dict[int, list[tuple[int, int, int]]] = {}
        query = "SELECT older, older_position, newer, newer_position FROM superseding WHERE kind <> ? ORDER BY older, newer, newer_position"
        for older, *pair in self._connection.execute(query, (_REPEATS,)):
            pairs.setdefault(older, []).append((pair[0], pair[1], pair[2]))
        self._pairs = pairs
        keys = [(row[0], note) for note in pairs for row in self._connection.execute("SELECT key FROM notes WHERE id = ?", (note,))]
        for _, note in sorted(keys):
            for position in sorted({pair[0] for pair in pairs[note]}):
                found = self._of_place(note, position)
                if found is not None:
                    yield found

    def _of_place(self, note: int, position: int) -> SupersededStatement | None:
        """Return what replaces a statement now; None when it is in force, also because a later decision went back to it."""
        place = self._place(note, position)
        if place is None:
            return None
        seen, waiting, ends = {(note, position)}, [place], []
        while waiting and len(seen) <= _MOST:
            each = waiting.pop()
            newer = self._newer(each)
            if not newer and each is not place:
                ends.append(each)
            for other in newer:
                if (other.note, other.position) not in seen:
                    seen.add((other.note, other.position))
                    waiting.append(other)
        ends = [end for end in ends if not self._is_kept(place, end) and not self._is_repeated(place, end)]
        if not ends:
            return None
        by = max(ends, key=lambda end: (end.at, end.key, end.position))
        return SupersededStatement(_id(place, by), place.key, place.line, place.text, by.note, by.key, by.line, by.text, by.at)

    def _newer(self, place: _Place) -> list[_Place]:
        """Return what replaces a statement, or the entire note that contains it."""
        if self._pairs is None:
            query = "SELECT newer, newer_position FROM superseding WHERE older = ? AND older_position IN (?, -1) AND kind <> ? ORDER BY newer, newer_position"
            rows = self._connection.execute(query, (place.note, place.position, _REPEATS)).fetchall()
        else:
            rows = [(pair[1], pair[2]) for pair in self._pairs.get(place.note, ()) if pair[0] in (place.position, -1)]
        places = (self._place(*row) for row in rows if self._counts is None or self._counts(row[0]))
        return [newer for newer in places if newer is not None and not self._is_kept(place, newer)]

    def _is_kept(self, older: _Place, newer: _Place) -> bool:
        """Return whether a person called the pair no contradiction."""
        return bool(self._kept) and _id(older, newer) in self._kept

    def _is_repeated(self, place: _Place, end: _Place) -> bool:
        query = "SELECT 1 FROM superseding WHERE older = ? AND older_position = ? AND newer = ? AND newer_position = ? AND kind = ?"
        return self._connection.execute(query, (place.note, place.position, end.note, end.position, _REPEATS)).fetchone() is not None

    def _place(self, note: int, position: int) -> _Place | None:
        if (note, position) not in self._places:
            self._places[note, position] = _place(self._connection, note, position)
        return self._places[note, position]


def in_text(text: str, statement: str) -> str:
    """Return a statement as a text contains it, whatever its white space, without the sign at its end; "" when it does not contain it."""
    words = statement.rstrip(".。!！ ").split()
    begin = text.find(words[0]) if words else -1
    while begin >= 0:
        end = begin
        for word in words:
            end += len(text[end:]) - len(text[end:].lstrip())
            if not text.startswith(word, end):
                break
            end += len(word)
        else:
            return text[begin:end]
        begin = text.find(words[0], begin + 1)
    return ""


def _place(connection: Connection, note: int, position: int) -> _Place | None:
    if position < 0:
        row = connection.execute("SELECT key, 0, '', '', created FROM notes WHERE id = ?", (note,)).fetchone()
    else:
        query = "SELECT n.key, d.line, d.text, d.day, n.created FROM decisions d JOIN notes n ON n.id = d.note WHERE d.note = ? AND d.position = ?"
        row = connection.execute(query, (note, position)).fetchone()
    if row is None:
        return None
    key, line, text, day, created = row
    return _Place(note, position, key, line, text, (parse(f"{day}T00:00:00Z") if day else None) or created)


def _id(older: _Place, newer: _Place) -> str:
    from memorybank.storage.digest import sha256  # late: few notes were superseded

    both = f"{older.name}\n{newer.name}".encode("utf-8", "surrogatepass")
    return f"{SUPERSEDED}:{sha256(both).hex()[:8]}"
