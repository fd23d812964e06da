"""The entries of the last days alone: to understand a list of years takes a hook longer than everything else it does.

In a file as we write it an entry begins at a line of its own, and no text holds a line end: so entries are told apart, and their dates
found, without reading what is in them. Any other file is read whole. Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.episodes import store
from memorybank.episodes.entry import Episode, sort
from memorybank.errors import MemorybankError
from memorybank.storage import disk, jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.storage.layout import Layout

_BEGIN, _BETWEEN, _END = b"[\n  {\n", b"\n  },\n  {\n", b"\n  }\n]\n"
_DATE = b'    "date": "'
"""The first member, as we write it."""
_CONFLICT = b"\n<<<<<<<"


def since(layout: Layout, date: str) -> Sequence[Episode]:
    """The entries that end on a date or later, as `store.read` has them; none when the list cannot be read."""
    try:
        data = disk.read(store.path_of(layout), store.MAX_BYTES)
    except (FileNotFoundError, MemorybankError):
        return ()
    entries = _recent(data, date.encode())
    if entries is None:
        entries = list(store.parse(data).entries)
    return sort([entry for entry in entries if entry.last >= date])


def _recent(data: bytes, date: bytes) -> list[Episode] | None:
    """Those that may end then or later; None for a file in another form."""
    if not data.startswith(_BEGIN) or not data.endswith(_END) or _CONFLICT in data:
        return None
    texts = data[len(_BEGIN) : -len(_END)].split(_BETWEEN)
    wanted = b"},{".join(text for text in texts if _may_be_recent(text, date))
    try:
        values = jsontext.decode(b"[{" + wanted + b"}]") if wanted else []
    except ValueError:
        return None
    return [Episode(value) for value in values]


def _may_be_recent(text: bytes, date: bytes) -> bool:
    """By the ten signs of its date; what is a range, or does not begin with a date, may be."""
    begin = len(_DATE)
    return not text.startswith(_DATE) or text[begin + 10 : begin + 11] != b'"' or text[begin : begin + 10] >= date
