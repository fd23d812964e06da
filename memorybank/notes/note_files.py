"""Note files as a look at all of them finds them. Most callers need to know only that nothing changed, so files become values late."""

from __future__ import annotations

__light__ = True

from itertools import compress

from memorybank.clock import storable
from memorybank.errors import Problem
from memorybank.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_STATE, _STATE_BYTES = "=4q", 32
"""How the state of a file is packed, and its length."""
_PART = 1_000
"""Number of notes that become values at a time."""
_END = b"\0\0"
"""What separates the names of a listing, which a zero byte separates from each other, from the states."""


def folder_of(key: str) -> str:
    """Return the folder of a note with a final slash; "" for active/ itself."""
    return key[: key.rfind("/") + 1]


class NoteFile(NamedTuple):
    """One note file, examined with stat but not read. path: absolute; size in bytes; times in ns; source: "" for a note of the bank."""

    key: str
    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    source: str = ""

    @property
    def state(self) -> tuple[int, int, int, int]:
        """The state that identifies this version of the file (`index.queries.FileState`)."""
        return self[2:6]


class NoteFiles:
    """Notes sorted by key, of which each becomes a value only when somebody asks for it: a bank of 100,000 notes takes 15 MB instead of 60.

    states: the four values of the `state` of each, one after another, eight bytes each
    """

    __slots__ = ("_active", "_keys", "_states")

    def __init__(self, active: str, keys: list[str], states: bytes) -> None:
        self._active = active
        self._keys = keys
        self._states = states

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[NoteFile]:
        # In parts, because a value of its own for each piece of `bytes` takes longer.
        return (found for begin in range(0, len(self._keys), _PART) for found in self[begin : begin + _PART])

    def __getitem__(self, part: slice) -> list[NoteFile]:
        from _struct import iter_unpack  # late, here and below: the end of a turn looks at single files and needs no C library for it

        first, last, _ = part.indices(len(self._keys))
        rows = zip(self._keys[first:last], iter_unpack(_STATE, self._states[first * _STATE_BYTES : last * _STATE_BYTES]), strict=True)
        # `NamedTuple` would look at each of its arguments.
        return [tuple.__new__(NoteFile, (key, f"{self._active}/{key}", *state, "")) for key, state in rows]

    def different(self, rows: Iterable[tuple[str, tuple[object, ...]]], gone: list[str]) -> NoteFiles:
        """Return the notes of which no row says that their file has the same state. gone: receives the keys of rows without a file

        rows: (key, state) of each row
        """
        from _struct import unpack_from

        places = dict(zip(self._keys, range(len(self._keys)), strict=True))
        differs = bytearray(b"\1") * len(self._keys)
        states = self._states
        for key, state in rows:
            place = places.get(key)
            if place is None:
                gone.append(key)
            elif unpack_from(_STATE, states, place * _STATE_BYTES) == state:
                differs[place] = 0
        chosen = list(compress(range(len(differs)), differs))
        return self if len(chosen) == len(differs) else self._part(chosen)

    def _part(self, places: Sequence[int]) -> NoteFiles:
        states = self._states
        picked = b"".join([states[place * _STATE_BYTES : place * _STATE_BYTES + _STATE_BYTES] for place in places])
        return NoteFiles(self._active, [self._keys[place] for place in places], picked)

    @classmethod
    def sorted(cls, active: str, keys: list[str], states: bytes) -> NoteFiles:
        """Return the notes with these keys, which are in any order. `states` has the same order."""
        return cls(active, keys, states)._part(sorted(range(len(keys)), key=keys.__getitem__))


class ListedNotes(NamedTuple):
    """Notes as their folders list them. Most commands need to know of them only that nothing changed.

    active: absolute path of their folder
    listings: {folder with a final slash, "" for active/ itself: the names of its notes and, after `_END`, their states as `NoteFiles` has them}
    """

    active: str
    listings: dict[str, bytes]

    @property
    def number(self) -> int:
        return sum((len(listing) - listing.index(_END) - len(_END)) // _STATE_BYTES for listing in self.listings.values())

    def files(self, folders: Iterable[str] | None = None) -> NoteFiles:
        """Return the notes, or those that lie directly in some folders, sorted by key."""
        keys: list[str] = []
        states: list[bytes] = []
        for prefix in self.listings if folders is None else folders:
            names, _, state = self.listings[prefix].partition(_END)
            keys += [prefix + name for name in names.decode().split("\0")]
            states.append(state)
        return NoteFiles.sorted(self.active, keys, b"".join(states))

    def add(self, prefix: str, names: Sequence[bytes], states: Sequence[int]) -> None:
        """Add the notes of one folder. prefix: the folder with a final slash; states: as `stat` returned them"""
        from _struct import error, pack  # type: ignore[attr-defined]  # typeshed does not know the first

        if names:
            try:
                packed = pack(f"={len(states)}q", *states)
            except error:
                packed = pack(f"={len(states)}q", *map(storable, states))
            self.listings[prefix] = b"\0".join(names) + _END + packed


class NoteSweep:
    """The result of looking for notes.

    listed: the notes of the bank, as long as no caller needed values of them.
    others: the files of sources.
    folders: {folder relative to active/, '' for active/ itself: mtime_ns, taken before the folder was listed}
    """

    __slots__ = ("_files", "_found", "folders", "listed", "others", "problems")

    def __init__(self, found: list[NoteFile] | ListedNotes, folders: dict[str, int], problems: list[Problem], others: Sequence[NoteFile] = ()) -> None:
        self.listed: ListedNotes | None = found if isinstance(found, ListedNotes) else None
        self._found: list[NoteFile] | None = sorted([*found, *others]) if isinstance(found, list) else None
        self._files: NoteFiles | None = None
        self.folders = folders
        self.problems = problems
        self.others = others

    @property
    def found(self) -> list[NoteFile]:
        """The notes, sorted by key."""
        if self._found is None:
            self._found = list(self.files)
        return self._found

    @property
    def files(self) -> list[NoteFile] | NoteFiles:
        """The same notes for callers that need one after another: in a large bank, `found` takes much memory."""
        if self.listed is not None:
            files, self.listed = self.listed.files(), None
            if self.others:
                self._found = sorted([*files, *self.others])
            else:
                self._files = files
        return self._found or [] if self._files is None else self._files

    @property
    def count(self) -> int:
        return len(self.files) if self.listed is None else self.listed.number + len(self.others)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NoteSweep) and (self.found, self.folders, self.problems) == (other.found, other.folders, other.problems)
