"""One configuration key: its default, what values it takes, and what it means. Pure."""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_DAYS = 36_500
MAX_WORDS = 5_000
MAX_CHARACTERS = 500
BANK_PREFIX = ".claude/memory/"
"""Config names a path inside the bank with this literal prefix, wherever the bank lies."""


class Fault:
    """What is wrong with one key: the Problem's code, the key's path, a sentence."""

    __slots__ = ("code", "message", "path")

    def __init__(self, code: str, path: tuple[str, ...], message: str) -> None:
        self.code = code
        self.path = path
        self.message = message

    def __repr__(self) -> str:
        return f"Fault({self.code!r}, {self.path!r}, {self.message!r})"


class Table(dict[str, str]):
    """A map of names to names as a value of the settings: nothing changes it after it was read, so it can be a key itself."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]  # a dict has none because it may change
        return hash(tuple(sorted(self.items())))


class Key:
    """A declared key. kind: switch, whole, number, choice, words, table, text, path, fixed.

    default: the typed default; written: the same as it stands in the shipped JSON (`10`, not `10.0`);
    minimum, maximum: inclusive; above: exclusive minimum; options: what a `choice` chooses from;
    reason: why a `fixed` key takes nothing but its default.
    """

    __slots__ = ("above", "default", "kind", "maximum", "meaning", "minimum", "options", "reason", "written")

    def __init__(
        self,
        kind: str,
        default: Any,
        meaning: str,
        *,
        minimum: float | None = None,
        maximum: float | None = None,
        above: float | None = None,
        options: tuple[str, ...] = (),
        reason: str = "",
    ) -> None:
        self.kind = kind
        self.written = default
        self.default = float(default) if kind == "number" else default
        self.meaning = meaning
        self.minimum = minimum
        self.maximum = maximum
        self.above = above
        self.options = options
        self.reason = reason

    def __get__(self, group: object, owner: type | None = None) -> Any:
        """A group that was given no value has the default: what was given lies in the group itself and comes first."""
        return self.default

    def fault(self, value: object) -> tuple[str, str] | None:
        """(Problem code, sentence) when `value`, as parsed from JSON, cannot be taken; else None."""
        if self.kind == "fixed":
            return None if _same(value, self.default) else ("config_not_built", f"takes only {self.shown(self.default)}: {self.reason}")
        if not _FITS[self.kind](value):
            return "config_type", f"expected {_NAMES[self.kind]}, found {self.shown(value)}"
        if self.kind == "choice" and value not in self.options:
            return "config_range", f"expected {' or '.join(map(repr, self.options))}, found {self.shown(value)}"
        if isinstance(value, int | float) and self.kind != "switch" and not self._within(value):
            return "config_range", f"expected {self.range_text()}, found {self.shown(value)}"
        return None

    def value(self, value: Any) -> Any:
        """The typed form of a value without fault."""
        if self.kind == "number":
            return float(value)
        if self.kind == "whole":
            return int(value)
        if self.kind == "table":
            return Table(value)
        return self.default if self.kind == "fixed" else tuple(value) if self.kind == "words" else value

    def range_text(self) -> str:
        """The range in words: `0 to 10`, `more than 0, up to 100`."""
        top = f"{self.maximum:,.0f}"
        return f"more than {self.above:g}, up to {top}" if self.above is not None else f"{self.minimum:g} to {top}"

    def _within(self, value: float) -> bool:
        return (
            (self.minimum is None or value >= self.minimum) and (self.maximum is None or value <= self.maximum) and (self.above is None or value > self.above)
        )

    @staticmethod
    def shown(value: object) -> str:
        """A value of an untrusted file in a message: JSON words, printable, short."""
        if value is None:
            return "null"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, dict):
            return "an object"
        if isinstance(value, list | tuple) and len(value) > 4:
            return "a list"
        text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(list(value) if isinstance(value, tuple) else value)
        return text if len(text) <= 60 else text[:57] + "..."


def switch(default: bool, meaning: str) -> Any:
    """true or false."""
    return Key("switch", default, meaning)


def whole(default: int, meaning: str, *, minimum: int, maximum: int) -> Any:
    """A whole number within a range; 7.0 is 7."""
    return Key("whole", default, meaning, minimum=minimum, maximum=maximum)


def number(default: float, meaning: str, *, minimum: float | None = None, maximum: float, above: float | None = None) -> Any:
    """A finite number within a range."""
    return Key("number", default, meaning, minimum=minimum, maximum=maximum, above=above)


def words(default: tuple[str, ...], meaning: str) -> Any:
    """A list of non-empty words; a list given replaces the default whole."""
    return Key("words", default, meaning)


def choice(default: str, meaning: str, options: tuple[str, ...]) -> Any:
    """One of a few words."""
    return Key("choice", default, meaning, options=options)


def table(meaning: str) -> Any:
    """An object whose names and values are words, empty by default; one that is given counts whole."""
    return Key("table", Table(), meaning)


def text(default: str, meaning: str) -> Any:
    """Text that is shown and never acted on."""
    return Key("text", default, meaning)


def path(default: str, meaning: str) -> Any:
    """A path inside the bank, written with the literal prefix `.claude/memory/` wherever the bank lies."""
    return Key("path", default, meaning)


def fixed(default: Any, meaning: str, reason: str) -> Any:
    """A key of the source document whose other values are not built: anything but the default is refused with the reason."""
    return Key("fixed", default, meaning, reason=reason)


def _same(value: object, default: object) -> bool:
    """Equality as JSON knows it: true is not 1, 0 is 0.0, a list equals its tuple."""
    if isinstance(default, tuple):
        return isinstance(value, list) and len(value) == len(default) and all(map(_same, value, default))
    return isinstance(value, bool) is isinstance(default, bool) and value == default


def _is_number(value: object) -> bool:
    """A number that is neither infinite nor NaN: those minus themselves are NaN (the module `math` costs a hook 0.5 ms)."""
    return isinstance(value, int | float) and not isinstance(value, bool) and (isinstance(value, int) or value - value == 0)


def _is_whole(value: object) -> bool:
    return _is_number(value) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))


def _is_text(value: object) -> bool:
    """Text without lone surrogates (`"\\ud800"`), which no file can hold, and without control characters."""
    return isinstance(value, str) and 0 < len(value) <= MAX_CHARACTERS and not any(character < " " or "\ud800" <= character <= "\udfff" for character in value)


def _is_word(value: object) -> bool:
    return _is_text(value) and isinstance(value, str) and not value[0].isspace() and not value[-1].isspace()


def _is_words(value: object) -> bool:
    return isinstance(value, list) and len(value) <= MAX_WORDS and all(map(_is_word, value))


def _is_table(value: object) -> bool:
    return isinstance(value, dict) and len(value) <= MAX_WORDS and all(_is_word(name) and _is_word(word) for name, word in value.items())


_FITS = {
    "switch": lambda value: isinstance(value, bool),
    "whole": _is_whole,
    "number": _is_number,
    "choice": _is_text,
    "words": _is_words,
    "table": _is_table,
    "text": _is_text,
    "path": _is_text,
}
_NAMES = {
    "switch": "true or false",
    "whole": "a whole number",
    "number": "a number",
    "choice": "one of a few words",
    "words": f"a list of at most {MAX_WORDS:,} words",
    "table": f"an object of at most {MAX_WORDS:,} words and their words",
    "text": f"text of 1 to {MAX_CHARACTERS} characters on one line",
    "path": "a path inside the bank, such as '.claude/memory/…'",
}
