"""`dates.jsonl`: the committed record of when notes were created and last changed, so that a note has the same age in every clone.

One JSON object a line. Lines with `kind` (`init`, `adopt`) and `at` come first: when the bank was put into use. The others, sorted by path,
have `path`, `sha256` (the first 16 hex digits of the digest of the note), `created`, `modified` and, if it is known, `edits`. `modified` counts
while the note has this digest.

Only commands that change notes write the file, never a search or a hook. git merges it by lines (`merge=union`): any mixture of the lines of
two branches is a record too, because a line says nothing about other notes or other versions. Lines of another shape, such as the markers of
a merge conflict, are skipped, and the next change drops them.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock as time_of
from memorybank.errors import MemorybankError, UsageError
from memorybank.storage import disk, jsontext
from memorybank.storage import system as os
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from memorybank.storage.layout import Layout

NAME, ATTRIBUTES_NAME = "dates.jsonl", ".gitattributes"
INIT, ADOPT = "init", "adopt"
SHALLOW, MTIME, RECORDED = "shallow", "mtime", "recorded"
"""Three sources of the date on which a note was last changed (`notes.dates`): the border of a shallow clone, its file, and what was recorded here."""
ATTRIBUTES = b"# Any mixture of the lines of two branches is valid.\ndates.jsonl merge=union\nrejected.jsonl merge=union\n"
"""The bank's .gitattributes, which is created together with the first record."""
_DIGITS = 16
_MAX_BYTES = 64 << 20


class BankStart(Value):
    """When the bank was put into use. kind: `init` or `adopt`; at: ms"""

    kind: str
    at: int


class RecordedNote(Value):
    """The dates (ms) of one version of a note.

    digest: the first digits of its SHA-256
    edits: number of edits up to this version, None when unknown
    """

    key: str
    digest: str
    created: int
    modified: int
    edits: int | None = None

    @classmethod
    def of(cls, key: str, digest: str, created: int, modified: int, edits: int | None) -> RecordedNote:
        """Return the record of the version with this SHA-256 (hex)."""
        return cls(key, digest[:_DIGITS], created, modified, edits)


class DateRecord(Value):
    """The lines of the file. After a merge there can be several for a note."""

    starts: tuple[BankStart, ...] = ()
    notes: tuple[RecordedNote, ...] = ()

    @property
    def start(self) -> BankStart | None:
        """The latest time at which the bank was put into use."""
        return _latest(self.starts)


def path(layout: Layout) -> str:
    """Return the path of the file."""
    return os.path.join(layout.root, NAME)


def state(layout: Layout) -> str:
    """Return a text that identifies the present version of the file; "" when there is none."""
    try:
        status = os.stat(path(layout))
    except OSError:
        return ""
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ino}"


def read(layout: Layout) -> DateRecord:
    """Return the record; an empty one when the file is missing or cannot be read."""
    try:
        return _parsed(disk.read(path(layout), _MAX_BYTES))
    except (FileNotFoundError, MemorybankError):
        return DateRecord()


def start_of(layout: Layout) -> BankStart | None:
    """Return the latest time at which the bank was put into use, without decoding the lines of notes; None when the file does not say it."""
    try:
        data = disk.read(path(layout), _MAX_BYTES)
    except (FileNotFoundError, MemorybankError):
        return None
    return _latest(one for one in map(_line, _lines_with(data, b'"kind"')) if isinstance(one, BankStart))


def _lines_with(data: bytes, part: bytes) -> Iterator[bytes]:
    """Yield the lines that contain a part. Other lines are not cut out."""
    place = data.find(part)
    while place >= 0:
        end = data.find(b"\n", place)
        end = len(data) if end < 0 else end
        yield data[data.rfind(b"\n", 0, place) + 1 : end]
        place = data.find(part, end)


def _latest(starts: Iterable[BankStart]) -> BankStart | None:
    return max(starts, key=lambda start: start.at, default=None)


def _parsed(data: bytes | None) -> DateRecord:
    starts, notes = [], []
    for line in (data or b"").split(b"\n"):
        found = _line(line)
        if isinstance(found, BankStart):
            starts.append(found)
        elif found is not None:
            notes.append(found)
    return DateRecord(tuple(starts), tuple(notes))


def begun(data: bytes | None, kind: str, at: int) -> bytes:
    """Return the file in which the bank is put into use at an instant. For 14 days (`grace_days`) from then on no note leaves by its age.

    data: bytes of the file, None without one
    kind: `INIT` or `ADOPT`
    at: ms
    """
    record = _parsed(data)
    return _encoded(DateRecord((*record.starts, BankStart(kind, at)), record.notes))


def with_notes(data: bytes | None, notes: Iterable[RecordedNote], without: Iterable[str] = ()) -> bytes:
    """Return the file with the dates of some notes in place of their former lines.

    without: keys whose lines are removed, because no note has them any more
    """
    record, changed = _parsed(data), {note.key: note for note in notes}
    dropped = {*changed, *without}
    return _encoded(DateRecord(record.starts, (*(note for note in record.notes if note.key not in dropped), *changed.values())))


def with_all(data: bytes | None, notes: Iterable[RecordedNote], layout: Layout) -> bytes:
    """Return the file with the dates of all notes. Other lines are dropped, except those of notes that another command created in the meantime."""
    record, everything = _parsed(data), tuple(notes)
    keys = {note.key for note in everything}
    others = (note for note in record.notes if note.key not in keys and _exists(layout, note.key))
    return _encoded(DateRecord(record.starts, (*others, *everything)))


def _exists(layout: Layout, key: str) -> bool:
    try:
        return os.path.lexists(layout.note_path(key))
    except UsageError:
        return False  # somebody wrote a path into the file that cannot be a key


def _encoded(record: DateRecord) -> bytes:
    starts = sorted({(start.at, start.kind) for start in record.starts})
    notes = sorted(set(record.notes), key=lambda note: (note.key, note.digest, note.modified, note.created, note.edits or 0))
    lines: list[dict[str, Any]] = [{"kind": kind, "at": time_of.isoformat(at)} for at, kind in starts]
    lines += map(_fields, notes)
    return b"".join(jsontext.encode_bytes(line) + b"\n" for line in lines)


def _fields(note: RecordedNote) -> dict[str, Any]:
    dates = {"created": time_of.isoformat(note.created), "modified": time_of.isoformat(note.modified)}
    known = {} if note.edits is None else {"edits": note.edits}
    return {"path": note.key, "sha256": note.digest, **dates, **known}


def _line(line: bytes) -> BankStart | RecordedNote | None:
    """Return the value of a line, or None when it has another shape."""
    try:
        fields = jsontext.decode(line)
    except ValueError:
        return None
    if not isinstance(fields, dict):
        return None
    at, created, modified = (time_of.parse(str(fields.get(name))) for name in ("at", "created", "modified"))
    kind, key, digest = fields.get("kind"), fields.get("path"), fields.get("sha256")
    if kind in (INIT, ADOPT) and at is not None:
        return BankStart(kind, at)
    if isinstance(key, str) and isinstance(digest, str) and len(digest) == _DIGITS and created is not None and modified is not None:
        edits = fields.get("edits")
        return RecordedNote(key, digest, created, modified, edits if type(edits) is int and edits >= 0 else None)
    return None
