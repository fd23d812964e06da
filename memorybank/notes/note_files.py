"""Note files as a look at all of them finds them. Most callers need to know only that nothing changed, so files become values late."""

from __future__ import annotations

__light__ = True

from itertools import compress

from memorybank.clock import storable
from memorybank.errors import Problem
from memorybank.storage import system as os
from memorybank.storage.digest import blake2b
from memorybank.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_STATE, _STATE_BYTES = "=4q", 32
"""How the state of a file is packed, and its length."""
_PART = 1_000
"""Number of notes that become values at a time."""
_BETWEEN = b"\0/"
"""What separates the texts that a fingerprint is made from: neither a name nor a folder contains it."""


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
    states: the states of notes as `NoteFiles` has them, one text for each of `names`
    names: the folder, and the names of notes in it, as bytes
    """

    active: str
    states: list[bytes]
    names: list[bytes]

    @property
    def number(self) -> int:
        return sum(map(len, self.states)) // _STATE_BYTES

    def files(self) -> NoteFiles:
        """Return the notes, sorted by key."""
        keys: list[str] = []
        for listed in self.names:
            prefix, *names = os.fsdecode(listed).split("\0")
            keys += [prefix + name for name in names]
        return NoteFiles.sorted(self.active, keys, b"".join(self.states))

    def add(self, prefix: str, names: Sequence[bytes], states: Sequence[int]) -> None:
        """Add notes of one folder. prefix: the folder with a final slash; states: as `stat` returned them"""
        from _struct import error, pack  # type: ignore[attr-defined]  # typeshed does not know the first

        if names:
            try:
                packed = pack(f"={len(states)}q", *states)
            except error:
                packed = pack(f"={len(states)}q", *map(storable, states))
            self.states.append(packed)
            self.names.append(b"\0".join((os.fsencode(prefix), *names)))


class NoteSweep:
    """The result of looking for notes.

    folders: {folder relative to active/, '' for active/ itself: mtime_ns, taken before the folder was listed}
    """

    __slots__ = ("_files", "_fingerprint", "_found", "_listed", "folders", "problems")

    def __init__(self, found: list[NoteFile] | ListedNotes, folders: dict[str, int], problems: list[Problem]) -> None:
        self._listed: ListedNotes | None = found if isinstance(found, ListedNotes) else None
        self._found: list[NoteFile] | None = found if isinstance(found, list) else None
        self._files: NoteFiles | None = None
        self._fingerprint = ""
        self.folders = folders
        self.problems = problems

    @property
    def found(self) -> list[NoteFile]:
        """The notes, sorted by key."""
        if self._found is None:
            self._found = list(self.files)
        return self._found

    @property
    def files(self) -> list[NoteFile] | NoteFiles:
        """The same notes for callers that need one after another: in a large bank, `found` takes much memory."""
        if self._listed:
            self.fingerprint()
            self._files, self._listed = self._listed.files(), None
        return self._found or [] if self._files is None else self._files

    @property
    def count(self) -> int:
        return self._listed.number if self._listed else len(self.files)

    def fingerprint(self) -> str:
        """Return a text that is the same as long as no note is added, removed or changed, and the folders list them in the same order."""
        from _struct import pack

        if not self._fingerprint:
            if self._listed:
                states, names = self._listed.states, self._listed.names
            else:
                states = [pack(_STATE, *map(storable, file.state)) for file in self.found]
                names = [os.fsencode(file.key) for file in self.found]
            self._fingerprint = f"{blake2b(b''.join(states)).hex()} {blake2b(_BETWEEN.join(names)).hex()}"
        return self._fingerprint

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NoteSweep) and (self.found, self.folders, self.problems) == (other.found, other.folders, other.problems)
