r"""Needle: a text that must be purged, found in any bytes in every form in which it may have been written.

Each character may be composed or decomposed (NFC, NFD, mixed), literal or escaped as in JSON (`\"`, `\n`, `\u00e9`), also escaped
several times, as in JSON inside JSON; lines may end with LF or CRLF. Other encodings (Base64, percent-encoding) are other texts and
have to be purged separately.
"""

import re
from collections.abc import Iterator
from typing import Any
from unicodedata import combining, normalize

from memorybank.errors import UsageError

MARK = "[PURGED]"
"""Replaces a purged text."""
SHORTEST = 4
_MARK = MARK.encode()
_FILL = b"#"
_BYTES_A_CHARACTER = 64
"""Longest form of one character in bytes, unless it was escaped more than about half a dozen times."""
_ELLIPSIS = "…"


class PurgeNeedle:
    """A text to purge, with a matcher for all its forms. Raises UsageError, which never repeats the text, if it cannot be purged."""

    def __init__(self, text: str) -> None:
        text = normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
        if len("".join(text.split())) < SHORTEST:
            raise UsageError(
                f"a text of fewer than {SHORTEST} characters also occurs in unrelated places",
                next_step="repeat with a longer text that includes the words next to it",
            )
        self._text = text
        self._pattern = _compiled(text)
        if self._pattern.search(_MARK) or not text.strip(_FILL.decode()):
            raise UsageError(
                "this text is part of the mark that replaces purged texts", next_step="repeat with a longer text that includes the words next to it"
            )
        self._half = max(SHORTEST, -(-len(text) // 2))
        self._halves = (_compiled(text[: self._half]), _compiled(text[-self._half :])) if self._half < len(text) else ()
        self.reach = len(text) * _BYTES_A_CHARACTER
        """Maximum number of bytes that one occurrence takes."""

    def __repr__(self) -> str:
        return "PurgeNeedle(…)"

    def starts(self, data: bytes) -> list[int]:
        """Return the offsets at which the text occurs."""
        return [match.start() for match in self._pattern.finditer(data)]

    def is_in(self, data: bytes) -> bool:
        return self._pattern.search(data) is not None

    def may_be_cut(self, data: bytes) -> bool:
        """Return whether these bytes contain at least the first or the last half of the text."""
        return any(half.search(data) for half in self._halves)

    def is_held(self, value: object) -> bool:
        """Return whether a JSON value contains the text in a string or in a key."""
        return any(self.is_in(text) for text in _texts(value))

    def is_cut_at_end(self, text: str) -> bool:
        """Return whether `text`, which was cut, ends inside the purged text, with at least half of that left."""
        if not self.may_be_cut(_encoded(text)):
            return False
        text = normalize("NFC", text)
        begin = text.rfind(self._text[: self._half])
        return begin >= 0 and self._text.startswith(text[begin:])

    def is_cut_at_begin(self, text: str) -> bool:
        """Return whether `text`, whose beginning was cut away, starts inside the purged text, with at least half of that left."""
        if not self.may_be_cut(_encoded(text)):
            return False
        text = normalize("NFC", text)
        end = text.find(self._text[-self._half :]) + self._half
        return end >= self._half and self._text.endswith(text[:end])

    def replaced(self, data: bytes) -> bytes:
        """Return `data` with the mark in place of the text."""
        return self._pattern.sub(_MARK, data)

    def filled(self, data: bytes) -> bytes:
        """Return `data` with the text overwritten by fill characters of the same length, including a first half at the end of a truncated line."""
        filled = self._pattern.sub(lambda match: _FILL * len(match[0]), data)
        for half in self._halves[:1]:
            for match in half.finditer(filled):
                if len(filled) - match.start() < self.reach and not data.endswith(b'"}'):
                    filled = filled[: match.start()] + _FILL * (len(filled) - match.start())
                    break
        return filled

    def masked(self, text: str) -> str:
        """Return a name or sentence with the mark in place of the text, also where it was cut (…) inside the text."""
        masked = self._pattern.sub(_MARK, _encoded(text)).decode("utf-8", "surrogatepass")
        if masked.endswith(_ELLIPSIS) and self.is_cut_at_end(masked.removesuffix(_ELLIPSIS)):
            composed = normalize("NFC", masked)
            return composed[: composed.rfind(self._text[: self._half])] + MARK
        return masked

    def without(self, value: Any) -> Any:
        """Return a JSON value with the text masked in its strings, never longer: fill characters replace what is shorter than the mark."""
        if isinstance(value, str):
            return self._pattern.sub(_fitting, _encoded(value)).decode("utf-8", "surrogatepass")
        if isinstance(value, list):
            return [self.without(item) for item in value]
        if isinstance(value, dict):
            return {name: self.without(item) for name, item in value.items()}
        return value


def _texts(value: object) -> Iterator[bytes]:
    """Yield every string and every key of a JSON value."""
    if isinstance(value, str):
        yield _encoded(value)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield _encoded(str(name))
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _fitting(match: re.Match[bytes]) -> bytes:
    return _MARK if len(match[0]) >= len(_MARK) else _FILL * len(match[0])


def _compiled(text: str) -> re.Pattern[bytes]:
    return re.compile(b"".join(_forms_of(chunk) for chunk in _chunks(text)))


def _chunks(text: str) -> Iterator[str]:
    """Yield each character with the marks that combine with it."""
    chunk = ""
    for character in text:
        if chunk and not combining(character):
            yield chunk
            chunk = ""
        chunk += character
    yield chunk


def _forms_of(chunk: str) -> bytes:
    """Return a pattern for one character in every composition."""
    parts = normalize("NFD", chunk)
    forms = {chunk, parts, *(normalize("NFC", parts[:length]) + parts[length:] for length in range(1, len(parts) + 1))}
    # Longest first: a shorter alternative would match the base letter and leave its accents in place.
    ordered = sorted(forms, key=lambda form: (-len(form.encode()), form))
    return b"(?:" + b"|".join(b"".join(map(_written, form)) for form in ordered) + b")"


def _written(character: str) -> bytes:
    """Return a pattern for one code point, literal or escaped as in JSON."""
    units = character.encode("utf-16-be")
    # JSON inside JSON doubles every backslash, so any number of them may precede an escape.
    codes = b"".join(rb"\\+u" + _digits(units[at : at + 2].hex()) for at in range(0, len(units), 2))
    if character == "\n":
        return rb"(?:\r?\n|(?:\\+r)?\\+n|" + codes + b")"
    if character == "\t":
        return rb"(?:\t|\\+t|" + codes + b")"
    if character == "\\":
        return rb"(?:\\+|" + codes + b")"
    if character in '"/':
        return rb"(?:\\*" + character.encode() + b"|" + codes + b")"
    return b"(?:" + re.escape(character.encode()) + b"|" + codes + b")"


def _digits(code: str) -> bytes:
    """Return a pattern for hexadecimal digits in either case."""
    return b"".join(f"[{digit}{digit.upper()}]".encode() if digit.isalpha() else digit.encode() for digit in code)
