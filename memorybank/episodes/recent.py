"""The entries of the last days alone: to understand a list of years takes a hook longer than everything else it does.

In a file as we write it an entry begins at a line of its own, and no text holds a line end: so entries are told apart, and their dates
found, without reading what is in them. Any other file is read whole.
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes import store
from memorybank.episodes.entry import Episode, sort
from memorybank.errors import MemorybankError
from memorybank.storage import jsontext
from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.storage.layout import Layout

_BEGIN, _BETWEEN, _END, _AN_END = b"[\n  {\n", b"\n  },\n  {\n", b"\n  }\n]\n", b"\n  }"
_DATE = b'    "date": "'
"""The first member, as we write it."""
_CONFLICT = b"\n<<<<<<<"
_BLOCK = 1 << 15
"""Bytes that are read at once: what fits into a processor's cache is looked through in half of the time."""


def since(layout: Layout, date: str) -> Sequence[Episode]:
    """The entries that end on a date or later, as `store.read` has them; none when the list cannot be read."""
    try:
        entries = _recent(store.path_of(layout), date.encode())
    except (OSError, MemorybankError):
        return ()
    if entries is None:
        entries = list(store.read(layout).entries)
    return sort([entry for entry in entries if entry.last >= date])


def _recent(path: str, date: bytes) -> list[Episode] | None:
    """Those that may end then or later; None for a file in another form."""
    found: list[bytes] = []
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if os.read(descriptor, len(_BEGIN)) != _BEGIN:
            return None
        rest = b""
        while block := os.read(descriptor, _BLOCK):
            rest += block
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
    """By the ten signs of its date; what is a range, does not begin with a date, or has a value between that is no object, may be."""
    begin = len(_DATE)
    return not text.startswith(_DATE) or text[begin + 10 : begin + 11] != b'"' or text[begin : begin + 10] >= date or _AN_END in text
