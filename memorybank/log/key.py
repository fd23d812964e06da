"""The bank's own key, `log/.key`: 32 random bytes in hexadecimal that never leave this machine's log folder.

With it, digests of short texts cannot be guessed by someone who finds them, and the lines of the event log are chained together.
"""

from __future__ import annotations

__light__ = True

from memorybank.errors import ValidationFailed
from memorybank.storage import disk, jsontext
from memorybank.storage import system as os
from memorybank.storage.digest import hmac_sha256
from memorybank.storage.layout import Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Any

BYTES = 32
_NEXT_STEP = "move the file away; a new key is then created, but lines signed with the old one can no longer be verified"


def path(layout: Layout) -> str:
    return os.path.join(layout.log, ".key")


def load(layout: Layout) -> bytes | None:
    """Return the key, or None when the file is missing or does not contain a key."""
    try:
        text = disk.read(path(layout), 4 * BYTES)
    except FileNotFoundError:
        return None
    try:
        key = bytes.fromhex(text.decode("ascii").strip())
    except ValueError:
        return None
    return key if len(key) == BYTES else None


def ensure(layout: Layout) -> bytes:
    """Return the key and create it on the first call.

    When two processes create it at the same time, the file of one of them wins and both use that key.
    Raises ValidationFailed when the file exists and does not contain a key.
    """
    key = load(layout)
    if key is not None:
        return key
    disk.make_directories(layout.log, durable=True)
    key = os.urandom(BYTES)
    try:
        disk.create(path(layout), key.hex().encode() + b"\n", mode=disk.PRIVATE_FILE)
    except FileExistsError:
        found = load(layout)
        if found is None:
            raise ValidationFailed(f"{layout.relative(path(layout))} does not contain a key", next_step=_NEXT_STEP) from None
        return found
    return key


def keyed(key: bytes, data: bytes) -> str:
    """Return the HMAC-SHA256 of `data` as 64 hexadecimal digits."""
    return hmac_sha256(key, data).hex()


def signature(key: bytes, fields: dict[str, Any], unsigned: Container[str]) -> str:
    """Return the signature of a line by itself: `keyed` of compact JSON of its fields without the unsigned ones."""
    return keyed(key, jsontext.encode_bytes({name: value for name, value in fields.items() if name not in unsigned}))
