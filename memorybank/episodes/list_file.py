"""The file `episodes/episodic_memory.json`: the list of episodes, and its format.

A file with git's conflict marks is read as both of its sides (`union`). Only `store` changes the file.
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes import union
from memorybank.episodes.entry import MEMORY, Episode, document_text, documents, file_text, sort
from memorybank.episodes.list_state import FOLDER as FOLDER
from memorybank.episodes.list_state import NAME as NAME
from memorybank.episodes.list_state import folder as folder
from memorybank.episodes.list_state import modified_ns as modified_ns
from memorybank.episodes.list_state import path_of as path_of
from memorybank.episodes.list_state import signature as signature
from memorybank.episodes.list_state import state as state
from memorybank.errors import MemorybankError, NewerFormat, ValidationFailed
from memorybank.storage import beneath, disk, jsontext, versions
from memorybank.storage import system as os
from memorybank.storage.layout import Layout
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MAX_BYTES = 1 << 28
_LIST = "episodes"
"""The member with the list, in a file that is an object with a version. A list alone is of version 1."""
_BEGIN, _BETWEEN, _END, _AN_END = b"[\n  {\n", b"\n  },\n  {\n", b"\n  }\n]\n", b"\n  }"
_DATE = b'    "date": "'
_DATE_CHARACTERS = 10
"""The first member of an entry in our format."""
_CONFLICT = b"\n<<<<<<<"
_BLOCK = 1 << 15
"""Bytes read at once. A block that fits the processor's cache is searched in half the time."""


class StoredEpisodes(Value):
    """The content of the list's file.

    entries: sorted; () when the file cannot be parsed
    broken: the reason why it cannot be parsed, else ""
    merged: whether the file holds git's conflict marks; `entries` then joins both sides
    dropped: entries that a better one replaces, still in the file: after a merge of two clones it contains what both wrote about a day
    newer: why this release must not change the file, else ""; `entries` are then those that it can read
    members: of a list that is inside an object with a version: its other members
    """

    entries: tuple[Episode, ...] = ()
    broken: str = ""
    merged: bool = False
    dropped: tuple[Episode, ...] = ()
    newer: str = ""
    members: dict[str, Any] | None = None


def archives(layout: Layout) -> str:
    """Return the folder of merged weeks."""
    return os.path.join(folder(layout), "archives")


def replaced_folder(layout: Layout) -> str:
    """Return the folder of replaced texts."""
    return os.path.join(archives(layout), "replaced")


def read(layout: Layout) -> StoredEpisodes:
    """Return the current list. Never raises for the file's content. A missing file is an empty list."""
    try:
        return parse(disk.read(path_of(layout), MAX_BYTES))
    except FileNotFoundError:
        return StoredEpisodes()
    except MemorybankError as error:
        return StoredEpisodes(broken=error.message)


def read_since(layout: Layout, date: str) -> Sequence[Episode]:
    """Return the entries that end on a date or later, as `read` does; none when the list cannot be read.

    Only these entries are decoded, where the file is in our own format: decoding a list of several years would take a hook longer than
    everything else it does. In our format each entry begins on a line of its own and no text contains a line end, so entries can be
    separated, and their dates found, without decoding them.
    """
    try:
        entries = _recent(path_of(layout), date.encode())
    except (OSError, MemorybankError):
        return ()
    recent = sort([entry for entry in entries or () if entry.last >= date])
    # Where several entries may be about the same messages, all entries are needed to decide which of them count.
    if entries is None or any("" < entry.first < date for entry in recent) or union.may_overlap(recent):
        recent = [entry for entry in read(layout).entries if entry.last >= date]
    return recent


def current_document(layout: Layout, memory: str) -> str:
    """Return the current text of a document, read from the list; "" when the list has no such document."""
    first = memory.removeprefix(MEMORY)[:_DATE_CHARACTERS]  # the entries of a document begin on that date, so earlier ones need not be decoded
    return document_text(documents(read_since(layout, first)).get(memory, ()))


def parse(data: bytes) -> StoredEpisodes:
    """Return the list that these bytes contain."""
    try:
        copies = union.copies(data, _listed, "JSON list")
    except ValueError as error:
        return StoredEpisodes(broken=str(error))
    newer = next((versions.newer(members.get("version")) for _, members in copies if members), "")
    members = copies[0][1]
    if len(copies) == 1:
        entries = sort(copies[0][0])
        if not union.may_overlap(entries):
            return StoredEpisodes(tuple(entries), newer=newer, members=members)
    kept, dropped = union.union(*(entries for entries, _ in copies))
    return StoredEpisodes(tuple(kept), merged=len(copies) > 1, dropped=tuple(dropped), newer=newer, members=members)


def salvage(data: bytes) -> list[Episode]:
    """Return the entries that can still be read from a file that is not a JSON list: every object in it with a date and a summary."""
    from json import JSONDecoder  # only a broken list needs it

    decoder = JSONDecoder(parse_constant=_refuse_constant)
    text = data.decode("utf-8", "replace")
    found: dict[str, Episode] = {}
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            value, end = None, at + 1
        entry = _entry_of(value)
        if entry is not None:
            found.setdefault(entry.encoded, entry)
        at = text.find("{", end if entry is not None else at + 1)
    return sort(list(found.values()))


def encode(entries: Sequence[Episode], members: dict[str, Any] | None) -> bytes:
    """Return the content of the file.

    members: other members of the object that the list is in; None for a list alone
    """
    text = file_text(entries)
    if members is not None:
        head = "".join(f"  {jsontext.encode(name)}: {jsontext.encode(value)},\n" for name, value in members.items())
        text = f"{{\n{head}  {jsontext.encode(_LIST)}: {text.rstrip()}\n}}\n"
    return text.encode("utf-8", "replace")


def refuse_unwritable(layout: Layout, stored: StoredEpisodes) -> None:
    """Raise ValidationFailed when the list cannot be parsed, NewerFormat when a newer memorybank wrote it: writing it would lose what is unknown here."""
    refuse_broken(layout, stored)
    if stored.newer:
        raise NewerFormat(f"{layout.relative(path_of(layout))} {stored.newer}")


def refuse_broken(layout: Layout, stored: StoredEpisodes) -> None:
    """Raise ValidationFailed when the list cannot be parsed: writing a new one would lose it."""
    if stored.broken:
        raise ValidationFailed(
            f"{layout.relative(path_of(layout))}: {stored.broken}; nothing was changed",
            next_step="repair or restore the file, or run 'memorybank episodes repair', which keeps it under another name and continues with what can be read",
        )


def _recent(path: str, date: bytes) -> list[Episode] | None:
    """Return the entries that may end on that date or later; None when the file is in another format."""
    found: list[bytes] = []
    descriptor = beneath.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if os.read(descriptor, len(_BEGIN)) != _BEGIN:
            return None
        rest = b""
        while block := os.read(descriptor, _BLOCK):
            rest += block
            # Looking for one byte first is cheaper than looking for the mark.
            if b"<" in rest and _CONFLICT in rest:
                return None
            *texts, rest = rest.split(_BETWEEN)
            found += [text for text in texts if _may_be_recent(text, date)]
    finally:
        os.close(descriptor)
    if not rest.endswith(_END):
        return None
    last = rest[: -len(_END)]
    found += [last] if _may_be_recent(last, date) else []
    try:
        values = jsontext.decode(b"[{" + b"},{".join(found) + b"}]") if found else []
    except ValueError:
        return None
    return [Episode(value) for value in values]


def _may_be_recent(text: bytes, date: bytes) -> bool:
    """Return whether an entry must be decoded, judged by the ten characters of its date.

    Also true when the text is not one plain object that begins with a single date: a range, another first member, or a value between two entries.
    """
    begin = len(_DATE)
    return (
        not text.startswith(_DATE)
        or text[begin + _DATE_CHARACTERS : begin + _DATE_CHARACTERS + 1] != b'"'
        or text[begin : begin + _DATE_CHARACTERS] >= date
        or _AN_END in text
    )


def _listed(text: str) -> tuple[list[Episode], dict[str, Any] | None]:
    """Return the entries of a JSON list, and the other members of the object that it is in.

    Raises ValueError with the reason when the text is neither a list nor such an object.
    """
    try:
        value = jsontext.decode(text)
    except ValueError:
        raise ValueError("is not JSON") from None
    members = None
    if isinstance(value, dict) and "version" in value:
        members = {name: what for name, what in value.items() if name != _LIST}
        value = value.get(_LIST, [] if versions.newer(value["version"]) else None)
    if not isinstance(value, list):
        raise ValueError("is not a JSON list")
    return [Episode(item) for item in value], members


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not valid JSON")


def _entry_of(value: object) -> Episode | None:
    return Episode(value) if isinstance(value, dict) and "date" in value and "summary" in value else None
