r"""Needle: a text that must disappear, found in any bytes in whatever form it was written down.

Forms: each character composed or decomposed (NFC, NFD, mixed), as it is or escaped as JSON does (`\"`, `\n`, `\u00e9`), also
escaped several times over, as in JSON inside JSON; line ends as LF or CRLF. Other encodings (Base64, percent signs) are other
texts, to be purged by themselves.
"""

import re
from collections.abc import Iterator
from typing import Any
from unicodedata import combining, normalize

from memorybank.errors import UsageError

MARK = "[PURGED]"
"""What stands for a purged text."""
SHORTEST = 4
_MARK = MARK.encode()
_FILL = b"#"
_BYTES_A_CHARACTER = 64
"""No form of a character is longer, unless it was escaped half a dozen times over."""
_ELLIPSIS = "…"


class Needle:
    """A text in all its forms. `UsageError`, which never repeats it, for one that cannot be purged."""

    def __init__(self, text: str) -> None:
        text = normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
        if len("".join(text.split())) < SHORTEST:
            raise UsageError(
                f"a text of fewer than {SHORTEST} characters stands in places that have nothing to do with it", next_step="name it with what stands beside it"
            )
        self._text = text
        self._pattern = _compiled(text)
        if self._pattern.search(_MARK) or not text.strip(_FILL.decode()):
            raise UsageError("this text is part of the mark that stands for purged texts", next_step="name it with what stands beside it")
        self._half = max(SHORTEST, -(-len(text) // 2))
        self._halves = (_compiled(text[: self._half]), _compiled(text[-self._half :])) if self._half < len(text) else ()
        self.reach = len(text) * _BYTES_A_CHARACTER
        """Bytes that an occurrence may take."""

    def __repr__(self) -> str:
        return "Needle(…)"

    def starts(self, data: bytes) -> list[int]:
        """The offsets at which it begins."""
        return [match.start() for match in self._pattern.finditer(data)]

    def is_in(self, data: bytes) -> bool:
        return self._pattern.search(data) is not None

    def may_be_cut(self, data: bytes) -> bool:
        """Whether these bytes hold at least the first or the last half of it."""
        return any(half.search(data) for half in self._halves)

    def is_held(self, value: object) -> bool:
        """Whether a JSON value holds it in a text or in a name."""
        return any(self.is_in(text) for text in _texts(value))

    def is_cut_at_end(self, text: str) -> bool:
        """Whether a text that was cut ends in the midst of it, with at least half of it left."""
        if not self.may_be_cut(_encoded(text)):
            return False
        text = normalize("NFC", text)
        begin = text.rfind(self._text[: self._half])
        return begin >= 0 and self._text.startswith(text[begin:])

    def is_cut_at_begin(self, text: str) -> bool:
        """The same of a text whose beginning was cut away."""
        if not self.may_be_cut(_encoded(text)):
            return False
        text = normalize("NFC", text)
        end = text.find(self._text[-self._half :]) + self._half
        return end >= self._half and self._text.endswith(text[:end])

    def replaced(self, data: bytes) -> bytes:
        """The mark in its place."""
        return self._pattern.sub(_MARK, data)

    def filled(self, data: bytes) -> bytes:
        """As many signs as it had bytes in its place; a half of it at the end of a line that was cut short goes with it."""
        filled = self._pattern.sub(lambda match: _FILL * len(match[0]), data)
        for half in self._halves[:1]:
            for match in half.finditer(filled):
                if len(filled) - match.start() < self.reach and not data.endswith(b'"}'):
                    filled = filled[: match.start()] + _FILL * (len(filled) - match.start())
                    break
        return filled

    def masked(self, text: str) -> str:
        """A name or sentence with the mark in its place; also where it was cut (…) in the midst of it."""
        masked = self._pattern.sub(_MARK, _encoded(text)).decode("utf-8", "surrogatepass")
        if masked.endswith(_ELLIPSIS) and self.is_cut_at_end(masked.removesuffix(_ELLIPSIS)):
            composed = normalize("NFC", masked)
            return composed[: composed.rfind(self._text[: self._half])] + MARK
        return masked

    def without(self, value: Any) -> Any:
        """A JSON value with the mark in place of it in texts, never longer: signs stand for what is shorter than the mark."""
        if isinstance(value, str):
            return self._pattern.sub(_fitting, _encoded(value)).decode("utf-8", "surrogatepass")
        if isinstance(value, list):
            return [self.without(item) for item in value]
        if isinstance(value, dict):
            return {name: self.without(item) for name, item in value.items()}
        return value


def _texts(value: object) -> Iterator[bytes]:
    """Every text and every name in a JSON value."""
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
    """Characters with the marks that combine with them."""
    chunk = ""
    for character in text:
        if chunk and not combining(character):
            yield chunk
            chunk = ""
        chunk += character
    yield chunk


def _forms_of(chunk: str) -> bytes:
    """A pattern for one character in every composition."""
    parts = normalize("NFD", chunk)
    forms = {chunk, parts, *(normalize("NFC", parts[:length]) + parts[length:] for length in range(1, len(parts) + 1))}
    ordered = sorted(forms, key=lambda form: (-len(form.encode()), form))
    return b"(?:" + b"|".join(b"".join(map(_written, form)) for form in ordered) + b")"


def _written(character: str) -> bytes:
    """A pattern for one code point as it is and as JSON writes it."""
    units = character.encode("utf-16-be")
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
    """Hexadecimal digits in either case."""
    return b"".join(f"[{digit}{digit.upper()}]".encode() if digit.isalpha() else digit.encode() for digit in code)
