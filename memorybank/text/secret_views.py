"""What a text says once it is decoded: JSON and Unicode escapes, percent-encoding, base64.

A view is a stretch of the text with its decoded bytes, and knows which bytes of the text a part of it came from. Only stretches that may
hide something are decoded: those around an escape of an ASCII character or of a Japanese label, around a percent-encoded byte, and base64
that is text.

All work on UTF-8 bytes.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.secret_values import ALNUM, HEX, JAPANESE_LABELS, positions, reach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MOST = 65_536
"""Bytes of a text that are decoded, at most, for each kind of encoding."""
_MOST_CANDIDATES = 128
"""Words of a text that are decoded as base64, at most."""
_BEFORE, _BEHIND = 256, 3072
"""Bytes around an escape that are decoded with it: a label before it, a value behind it."""
_ESCAPE = rb"\\u00[2-7][0-9a-f]|(?:\\u[0-9a-f]{4})+|\\x[2-7][0-9a-f]|\\[nrt\"'/\\]"
_PERCENT = rb"(?:%[0-9a-f]{2})+"
_PRINTED = (b"2", b"3", b"4", b"5", b"6", b"7")
_FIRST_DIGITS = frozenset((*_PRINTED, b"c", b"d", b"e", b"f"))
"""What a percent-encoded character begins with: printed ASCII, or UTF-8."""
_VISIBLE = bytes(range(33, 256))
_NAMED = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_LABELS = tuple(b"".join(b"u%04x" % ord(sign) for sign in label) for label in JAPANESE_LABELS)
_LABEL_SIGNS = tuple(sorted({label[:5] for label in _LABELS}))
_LONGEST_LABEL = 80
"""Bytes of a label whose characters are escaped, also twice."""
_SIGNS = ALNUM + b"+/_-"
_JOINTS = (b"+", b"/")
_SHORTEST = 24
_LONGEST = 16_384
_PROBE = 48
_URL_SAFE = bytes.maketrans(b"-_", b"+/")
_TEXT = bytes((9, 10, 13, *range(32, 127), *range(128, 256)))
_BEGINS_TEXT = b"CDIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz012345678"
"""What the first of four signs can be when they are UTF-8: no control character, and no byte that UTF-8 does not have."""


class View:
    """`data`: a decoded stretch; `pieces`: where each part of it begins, and the bytes of the text that it stands for."""

    __slots__ = ("data", "pieces")

    def __init__(self, data: bytes, pieces: list[tuple[int, int, int]]) -> None:
        self.data = data
        self.pieces = pieces

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The bytes of the text that `data[start:end]` stands for."""
        return self._place(start)[0], self._place(end - 1)[1]

    def _place(self, at: int) -> tuple[int, int]:
        begin, first, past = next(piece for piece in reversed(self.pieces) if piece[0] <= at)
        return (first, past) if past >= 0 else (first + at - begin, first + at - begin + 1)


def views(data: bytes, lowered: bytes, runs: list[tuple[int, int]]) -> Iterator[View]:
    """Every stretch of `data` that says something else when it is decoded, within the bounds above. lowered: `data.lower()`;
    runs: `secret_scanner.long_runs(data)`."""
    if b"\\" in data:
        yield from _decoded(data, _around(_escapes(lowered), len(data)), _ESCAPE, _unescape)
    if b"%" in data:
        yield from _decoded(data, _words_around(_percents(lowered), data), _PERCENT, _unquote)
    yield from _base64(data, runs)


def may_hold(data: bytes, lowered: bytes, runs: list[tuple[int, int]]) -> bool:
    """Whether a part of `data` has a view."""
    return next(_escapes(lowered), -1) >= 0 or next(_percents(lowered), -1) >= 0 or next(_base64(data, runs), None) is not None


def _escapes(lowered: bytes) -> Iterator[int]:
    """Escapes that may hide a quote, an operator or a sign of a token, and those that a Japanese label begins with."""
    for at in positions(lowered, b"\\u"):
        if lowered.startswith(b"00", at + 2):
            if lowered[at + 4 : at + 5] in _PRINTED:
                yield at
        elif lowered.startswith(_LABEL_SIGNS, at + 1) and lowered[at : at + _LONGEST_LABEL].replace(b"\\", b"").startswith(_LABELS):
            yield at


def _percents(lowered: bytes) -> Iterator[int]:
    for at in positions(lowered, b"%"):
        if lowered[at + 1 : at + 2] in _FIRST_DIGITS and lowered[at + 2 : at + 3].strip(HEX) == b"":
            yield at


def _words_around(places: Iterator[int], data: bytes) -> list[tuple[int, int]]:
    """The rows without blanks that `places` stand in, left to right, `_MOST` bytes together."""
    found: list[tuple[int, int]] = []
    end, left = 0, _MOST
    for at in places:
        if at < end:
            continue
        before = data[max(end, at - _LONGEST) : at]
        start = at - len(before) + max(before.rfind(b" "), before.rfind(b"\n")) + 1
        end = reach(data, at, _VISIBLE, left)
        found.append((start, end))
        left -= end - start
        if left <= 0:
            break
    return found


def _around(places: Iterator[int], size: int) -> list[tuple[int, int]]:
    """Stretches around `places`, which come left to right; overlapping ones made one, `_MOST` bytes together."""
    found: list[tuple[int, int]] = []
    left = _MOST
    start = end = 0
    for at in places:
        if at >= end:
            start, past = max(at - _BEFORE, end), end
            found.append((start, start))
        else:
            past = end
        end = min(at + _BEHIND, size, max(start, past) + left)
        left -= end - max(start, past)
        found[-1] = start, end
        if left <= 0:
            break
    return found


def _decoded(data: bytes, stretches: list[tuple[int, int]], pattern: bytes, decode: Callable[[bytes], bytes]) -> Iterator[View]:
    if not stretches:
        return
    import re

    compiled = re.compile(pattern, re.IGNORECASE)
    for start, end in stretches:
        parts: list[bytes] = []
        pieces: list[tuple[int, int, int]] = []
        size, at = 0, start
        for match in compiled.finditer(data, start, end):
            if match.start() > at:
                pieces.append((size, at, -1))
                parts.append(data[at : match.start()])
                size += match.start() - at
            pieces.append((size, *match.span()))
            parts.append(decode(match[0]))
            size += len(parts[-1])
            at = match.end()
        pieces.append((size, at, -1))
        parts.append(data[at:end])
        yield View(b"".join(parts), pieces)


def _unescape(escape: bytes) -> bytes:
    kind = escape[1:2]
    if kind in b"uU":
        units = bytes.fromhex(escape.lower().replace(b"\\u", b"").decode())
        return units.decode("utf-16-be", "surrogatepass").encode("utf-8", "surrogatepass")
    return bytes.fromhex(escape[2:].decode()) if kind in b"xX" else _NAMED.get(kind, kind)


def _unquote(escape: bytes) -> bytes:
    return bytes.fromhex(escape.replace(b"%", b"").decode())


def _base64(data: bytes, runs: list[tuple[int, int]]) -> Iterator[View]:
    """Words of base64 (RFC 4648, both alphabets) that are text. Base64 of text has few `+` and `/`, so that a long run is in it."""
    past, left = 0, _MOST_CANDIDATES
    for at, end in runs:
        probe = data[at : end if end < at + _PROBE else at + _PROBE]
        if at < past or probe.islower() or probe.isdigit():
            continue
        before = data[max(past, at - _LONGEST) : at] if data[at - 1 : at] in _JOINTS else b""
        start = at - len(before) + len(before.rstrip(_SIGNS))
        past = reach(data, end, _SIGNS) if data[end : end + 1] in _JOINTS else end
        if past - start >= _SHORTEST and not data[start : min(past, start + _PROBE) : 4].translate(None, _BEGINS_TEXT):
            left -= 1
            text = _text_of(data[start : min(past, start + _LONGEST)])
            if text:
                yield View(text, [(0, start, past + len(data[past : past + 2]) - len(data[past : past + 2].lstrip(b"=")))])
            if not left:
                return


def _text_of(word: bytes) -> bytes:
    """What a word of base64 says; b"" when that is no text."""
    from binascii import a2b_base64

    word = word[: len(word) - (len(word) % 4 == 1)].translate(_URL_SAFE)  # one sign more is no byte
    if a2b_base64(word[:_SHORTEST]).translate(None, _TEXT):
        return b""
    decoded = a2b_base64(word + b"=" * (-len(word) % 4))
    return decoded if not decoded.translate(None, _TEXT) and _is_utf8(decoded) else b""


def _is_utf8(data: bytes) -> bool:
    """Whether it is UTF-8, but for a last character that is cut."""
    return data.isascii() or len(data.decode("utf-8", "ignore").encode()) > len(data) - 4
