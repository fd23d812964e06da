"""SHA-256, HMAC-SHA256 and SHA-1 without `hashlib`, whose import costs a hook more time than the hashing.

`_sha2` (Python 3.12 and later), `_sha256` (3.11) and `_sha1` are the modules that `hashlib` itself falls back to. An interpreter built
without them uses `hashlib`.
"""

from __future__ import annotations

__light__ = True

import sys

try:
    if sys.version_info >= (3, 12):
        from _sha2 import sha256 as _sha256  # type: ignore[import-not-found]  # typeshed contains neither module
    else:
        from _sha256 import sha256 as _sha256  # type: ignore[import-not-found]
except ImportError:
    from hashlib import sha256 as _sha256

_BLOCK = 64
# The two paddings of RFC 2104 as translation tables: XOR of every byte in one C call.
_INNER = bytes([value ^ 0x36 for value in range(256)])
_OUTER = bytes([value ^ 0x5C for value in range(256)])


def sha256(data: bytes) -> bytes:
    """Return the 32 bytes of the SHA-256 of `data`."""
    digest: bytes = _sha256(data).digest()
    return digest


def sha1(data: bytes) -> bytes:
    """Return the 20 bytes of the SHA-1 of `data`. It serves only to compute git's blob ids; nothing relies on its security."""
    try:
        from _sha1 import sha1 as _sha1  # type: ignore[import-not-found]  # late: only reading notes needs it
    except ImportError:
        from hashlib import sha1 as _sha1
    digest: bytes = _sha1(data, usedforsecurity=False).digest()
    return digest


def hmac_sha256(key: bytes, data: bytes) -> bytes:
    """Return the 32 bytes of the HMAC-SHA256 (RFC 2104) of `data` under `key`, which may have any length."""
    padded = (sha256(key) if len(key) > _BLOCK else key).ljust(_BLOCK, b"\0")
    return sha256(padded.translate(_OUTER) + sha256(padded.translate(_INNER) + data))
