"""Finds the sections of a text that decoding changes: JSON and Unicode escapes, percent-encoding, base64.

A view is a decoded section of the text that knows which bytes of the text each of its parts came from. Only sections that may hide
something are decoded: those around an escape of an ASCII character or of a Japanese label, around a percent-encoded byte, and base64
that decodes to text. All functions work on UTF-8 bytes.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.secrets.values import ALNUM, HEX, JAPANESE_LABELS, end_of_run, positions
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MOST = 65_536
"""Maximum number of bytes of a text that are decoded for each kind of encoding."""
_MOST_CANDIDATES = 128
"""Maximum number of words of a text that are decoded as base64."""
_BEFORE, _AFTER = 256, 3072
"""Bytes around an escape that are decoded with it, for a label before it and a value after it."""
_ESCAPE = rb"\\u00[2-7][0-9a-f]|(?:\\u[0-9a-f]{4})+|\\x[2-7][0-9a-f]|\\[nrt\"'/\\]"
_PERCENT = rb"(?:%[0-9a-f]{2})+"
_PRINTED = (b"2", b"3", b"4", b"5", b"6", b"7")
_FIRST_DIGITS = frozenset((*_PRINTED, b"c", b"d", b"e", b"f"))
"""First digits of percent-encoded characters that matter: printable ASCII, or UTF-8."""
_VISIBLE = bytes(range(33, 256))
_NAMED = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_LABELS = tuple(b"".join(b"u%04x" % ord(sign) for sign in label) for label in JAPANESE_LABELS)
_LABEL_SIGNS = tuple(sorted({label[:5] for label in _LABELS}))
_LONGEST_LABEL = 80
"""Maximum number of bytes in a label with escaped characters, also if they are escaped twice."""
_SIGNS = ALNUM + b"+/_-"
_JOINTS = (b"+", b"/")
_SHORTEST = 24
_LONGEST = 16_384
_PROBE = 48
_URL_SAFE = bytes.maketrans(b"-_", b"+/")
_TEXT = bytes((9, 10, 13, *range(32, 127), *range(128, 256)))
_BEGINS_TEXT = b"CDIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz012345678"
"""First characters of a base64 group whose decoded byte is not a control character and can occur in UTF-8."""


class DecodedView(Value):
    """A decoded section.

    data: the decoded bytes
    pieces: (offset in `data`, start and end of the original bytes) of each part; end is -1 for a part that is copied unchanged
    """

    data: bytes
    pieces: list[tuple[int, int, int]]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original text from which `data[start:end]` was decoded."""
        return self._place(start)[0], self._place(end - 1)[1]

    def _place(self, at: int) -> tuple[int, int]:
        begin, first, past = next(piece for piece in reversed(self.pieces) if piece[0] <= at)
        return (first, past) if past >= 0 else (first + at - begin, first + at - begin + 1)


def views(data: bytes, lowered: bytes, runs: list[tuple[int, int]]) -> Iterator[DecodedView]:
    """Yield every section of `data` that decoding changes, within the limits above.

    lowered: `data.lower()`; runs: `long_words.long_runs(data)`
    """
    if b"\\" in data:
        yield from _decoded(data, _around(_escapes(lowered), len(data)), _ESCAPE, _unescape)
    if b"%" in data:
        yield from _decoded(data, _words_around(_percents(lowered), data), _PERCENT, _unquote)
    yield from _base64(data, runs)


def may_hold(data: bytes, lowered: bytes, runs: list[tuple[int, int]]) -> bool:
    """Return whether any part of `data` has a view."""
    return next(_escapes(lowered), -1) >= 0 or next(_percents(lowered), -1) >= 0 or next(_base64(data, runs), None) is not None


def _escapes(lowered: bytes) -> Iterator[int]:
    """Yield the escapes that may hide a quote, an operator or a character of a token, and those at the beginning of a Japanese label."""
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
    """Return the runs without spaces around `places`, in order, `_MOST` bytes in total."""
    found: list[tuple[int, int]] = []
    end, left = 0, _MOST
    for at in places:
        if at < end:
            continue
        before = data[max(end, at - _LONGEST) : at]
        start = at - len(before) + max(before.rfind(b" "), before.rfind(b"\n")) + 1
        end = end_of_run(data, at, _VISIBLE, left)
        found.append((start, end))
        left -= end - start
        if left <= 0:
            break
    return found


def _around(places: Iterator[int], size: int) -> list[tuple[int, int]]:
    """Return the sections around `places`, which must be in order. Overlapping sections are merged; `_MOST` bytes in total."""
    found: list[tuple[int, int]] = []
    left = _MOST
    start = end = 0
    for at in places:
        if at >= end:
            start, past = max(at - _BEFORE, end), end
            found.append((start, start))
        else:
            past = end
        end = min(at + _AFTER, size, max(start, past) + left)
        left -= end - max(start, past)
        found[-1] = start, end
        if left <= 0:
            break
    return found


def _decoded(data: bytes, stretches: list[tuple[int, int]], pattern: bytes, decode: Callable[[bytes], bytes]) -> Iterator[DecodedView]:
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
        yield DecodedView(b"".join(parts), pieces)


def _unescape(escape: bytes) -> bytes:
    kind = escape[1:2]
    if kind in b"uU":
        units = bytes.fromhex(escape.lower().replace(b"\\u", b"").decode())
        return units.decode("utf-16-be", "surrogatepass").encode("utf-8", "surrogatepass")
    return bytes.fromhex(escape[2:].decode()) if kind in b"xX" else _NAMED.get(kind, kind)


def _unquote(escape: bytes) -> bytes:
    return bytes.fromhex(escape.replace(b"%", b"").decode())


def _base64(data: bytes, runs: list[tuple[int, int]]) -> Iterator[DecodedView]:
    """Yield base64 words (RFC 4648, both alphabets) that decode to text. Base64 of text has few `+` and `/`, so it contains a long run."""
    past, left = 0, _MOST_CANDIDATES
    for at, end in runs:
        probe = data[at : end if end < at + _PROBE else at + _PROBE]
        # Base64 of text has letters of both cases; words, hexadecimal digests and numbers do not.
        if at < past or probe.islower() or probe.isdigit():
            continue
        before = data[max(past, at - _LONGEST) : at] if data[at - 1 : at] in _JOINTS else b""
        start = at - len(before) + len(before.rstrip(_SIGNS))
        past = end_of_run(data, end, _SIGNS) if data[end : end + 1] in _JOINTS else end
        if past - start >= _SHORTEST and not data[start : min(past, start + _PROBE) : 4].translate(None, _BEGINS_TEXT):
            left -= 1
            text = _text_of(data[start : min(past, start + _LONGEST)])
            if text:
                yield DecodedView(text, [(0, start, past + len(data[past : past + 2]) - len(data[past : past + 2].lstrip(b"=")))])
            if not left:
                return


def _text_of(word: bytes) -> bytes:
    """Return the text that a base64 word encodes; b"" when it does not encode text."""
    from binascii import a2b_base64

    word = word[: len(word) - (len(word) % 4 == 1)].translate(_URL_SAFE)  # a single remaining character encodes no byte
    if a2b_base64(word[:_SHORTEST]).translate(None, _TEXT):
        return b""
    decoded = a2b_base64(word + b"=" * (-len(word) % 4))
    return decoded if not decoded.translate(None, _TEXT) and _is_utf8(decoded) else b""


def _is_utf8(data: bytes) -> bool:
    """Return whether `data` is UTF-8, except for a truncated last character."""
    return data.isascii() or len(data.decode("utf-8", "ignore").encode()) > len(data) - 4
