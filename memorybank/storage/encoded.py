"""Texts in UTF-8. The bytes of the last long one are kept, because the log redacts an output of a megabyte and then makes a digest of it."""

from __future__ import annotations

__light__ = True

_LONG = 50_000
_last: tuple[str, bytes] = "", b""


def utf8(text: str) -> bytes:
    """Return a text in UTF-8, also with lone surrogates."""
    global _last
    if len(text) <= _LONG:
        return text.encode("utf-8", "surrogatepass")
    if _last[0] is not text:
        _last = text, text.encode("utf-8", "surrogatepass")
    return _last[1]
