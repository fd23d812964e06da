"""The seal of a note that memorybank wrote: the line `generated` of its front matter, by which every clone recognises a text that nobody edited.

The seal is the beginning of the SHA-256 of the note without this line. Line ends count as `\\n`, because git may convert them.
"""

from __future__ import annotations

__light__ = True

import re

from memorybank.storage.digest import sha256

NAME = "generated"
_DIGITS = 16
_LINE = re.compile(rb"^generated: ([0-9a-f]{16})\n", re.MULTILINE)
_BEGIN, _END = b"---\n", b"\n---\n"


def sealed(data: bytes) -> bytes:
    """Return a note with the seal of its present text, in place of an earlier seal. A note without front matter is returned as it is."""
    bare = _without_seal(data)
    end = bare.find(_END, len(_BEGIN) - 1)
    if not bare.startswith(_BEGIN) or end < 0:
        return data
    return bare[: end + 1] + f"{NAME}: {_seal_of(bare)}\n".encode() + bare[end + 1 :]


def is_sealed(data: bytes) -> bool:
    """Return whether a note is exactly what some memorybank wrote."""
    lines = data.replace(b"\r\n", b"\n")
    found = _LINE.search(lines)
    return found is not None and found[1].decode() == _seal_of(_without_seal(lines))


def _without_seal(data: bytes) -> bytes:
    return _LINE.sub(b"", data, count=1)


def _seal_of(bare: bytes) -> str:
    return sha256(bare).hex()[:_DIGITS]
