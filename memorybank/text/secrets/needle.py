"""A text that must be purged, found in any bytes in every form in which it may have been written (`needle_forms`)."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any
from unicodedata import normalize

from memorybank.errors import UsageError
from memorybank.text.secrets.needle_forms import BYTES_A_CHARACTER, CutPattern, NeedlePattern, characters, encodings, literal

MARK = "[PURGED]"
"""Replaces a purged text."""
SHORTEST = 4
_SHORTEST_LINE = 16
"""Characters from which each line of a text of several lines counts as the text: summaries and excerpts take over single lines."""
_MARK = MARK.encode()
_FILL = b"#"


class PurgeNeedle:
    """A text to purge, with a matcher for all its forms. Raises UsageError, which never repeats the text, if it cannot be purged."""

    def __init__(self, text: str, names: Iterable[str] = ()) -> None:
        """Make the matcher.

        names: other texts that count as the purged one, such as file names that were made from its words
        """
        text = normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
        if len("".join(text.split())) < SHORTEST:
            raise UsageError(
                f"a text of fewer than {SHORTEST} characters also occurs in unrelated places",
                next_step="repeat with a longer text that includes the words next to it",
            )
        self._text = text
        lines = [line for line in map(str.strip, text.split("\n")) if _SHORTEST_LINE <= len(line) < len(text) and not line.startswith("-----")]
        self._half = max(SHORTEST, -(-len(text) // 2))
        self._patterns: list[NeedlePattern] = [characters(text), *map(characters, lines), *map(literal, names), *encodings(text)]
        self._patterns += [CutPattern(text, self._half)] if self._half < len(text) else []
        if self.is_in(_MARK) or not text.strip(_FILL.decode()):
            raise UsageError(
                "this text is part of the mark that replaces purged texts", next_step="repeat with a longer text that includes the words next to it"
            )
        halves = (text[: self._half], text[-self._half :]) if self._half < len(text) else ()
        self._halves = tuple(map(characters, halves))
        self.reach = len(text) * BYTES_A_CHARACTER
        """Maximum number of bytes that one occurrence takes."""

    def with_names(self, names: Iterable[str]) -> "PurgeNeedle":
        """Return a needle that also finds these names."""
        return PurgeNeedle(self._text, names)

    def __repr__(self) -> str:
        return "PurgeNeedle(…)"

    def starts(self, data: bytes) -> list[int]:
        """Return the offsets at which the text occurs."""
        return sorted({begin for pattern in self._patterns for begin, _ in pattern.spans(data)})

    def is_in(self, data: bytes) -> bool:
        return any(_holds(pattern, data) for pattern in self._patterns)

    def may_be_cut(self, data: bytes) -> bool:
        """Return whether these bytes contain at least the first or the last half of the text."""
        return any(_holds(half, data) for half in self._halves)

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
        return self._each_replaced(data, lambda found, codec: MARK.encode(codec))

    def filled(self, data: bytes) -> bytes:
        """Return `data` with the text overwritten by fill characters of the same length, including a first half at the end of a truncated line."""
        filled = self._each_replaced(data, lambda found, codec: _FILL * len(found))
        for half in self._halves[:1]:
            for begin, _ in half.spans(filled):
                if len(filled) - begin < self.reach and not data.endswith(b'"}'):
                    filled = filled[:begin] + _FILL * (len(filled) - begin)
                    break
        return filled

    def masked(self, text: str, *, is_excerpt: bool = False) -> str:
        """Return a name or sentence with the mark in place of the text.

        is_excerpt: whether it may end inside the text without an ellipsis, as the first sentence of a note does
        """
        masked = self._each_replaced(_encoded(text), lambda found, codec: _MARK).decode("utf-8", "surrogatepass")
        if is_excerpt and self.is_cut_at_end(masked):
            composed = normalize("NFC", masked)
            return composed[: composed.rfind(self._text[: self._half])] + MARK
        return masked

    def without(self, value: Any) -> Any:
        """Return a JSON value with the text masked in its strings and keys, never longer: fill characters replace what is shorter than the mark."""
        if isinstance(value, str):
            return self._each_replaced(_encoded(value), _fitting).decode("utf-8", "surrogatepass")
        if isinstance(value, list):
            return [self.without(item) for item in value]
        if isinstance(value, dict):
            return {self.without(name): self.without(item) for name, item in value.items()}
        return value

    def _each_replaced(self, data: bytes, new: Callable[[bytes, str], bytes]) -> bytes:
        """Return `data` with every occurrence replaced. new: returns the new bytes for the found ones and their encoding."""
        for pattern in self._patterns:
            parts, at = [], 0
            for begin, end in sorted(pattern.spans(data)):
                if begin >= at:
                    parts += [data[at:begin], new(data[begin:end], pattern.codec)]
                at = max(at, end)
            data = b"".join([*parts, data[at:]])
        return data


def _holds(pattern: NeedlePattern, data: bytes) -> bool:
    return next(iter(pattern.spans(data)), None) is not None


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


def _fitting(found: bytes, codec: str) -> bytes:
    return _MARK if len(found) >= len(_MARK) else _FILL * len(found)
