"""One configuration key: its default, its permitted values and its meaning."""

from __future__ import annotations

__light__ = True

from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_DAYS = 36_500
MAX_WORDS = 5_000
MAX_CHARACTERS = 500
WEIGHT_TOLERANCE = 0.001
BANK_PREFIX = ".claude/memory/"
"""Config files write a path inside the bank with this literal prefix, wherever the bank is."""


class SettingFault(Value):
    """What is wrong with one key: the problem code, the key's path, a message."""

    code: str
    path: tuple[str, ...]
    message: str


def weights_fault(path: tuple[str, ...], weights: dict[str, float]) -> SettingFault | None:
    """Return the fault of weights that do not sum to 1, else None.

    path: the key for which the fault is reported
    """
    total = sum(weights.values())
    if abs(total - 1) <= WEIGHT_TOLERANCE + 1e-12:
        return None
    return SettingFault("config_weights", path, f"the weights of {', '.join(weights)} sum to {total:g}; change them so that they sum to 1")


class NameTable(dict[str, str]):
    """A map of names to names as a settings value. Nothing changes it after loading, so it is hashable."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]  # dict is unhashable because it may change
        return hash(tuple(sorted(self.items())))


class SettingKey(Value):
    """A declared key.

    kind: one of `_KINDS`, or fixed
    default: the typed default
    minimum, maximum: inclusive limits; above: exclusive minimum
    options: the values of a `choice`
    reason: why a `fixed` key accepts only its default
    optional: whether null is a value too
    shipped: the default in the shipped JSON, where it differs (`10`, not `10.0`)
    """

    kind: str
    default: Any
    meaning: str
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    options: tuple[str, ...] = ()
    reason: str = ""
    optional: bool = False
    shipped: Any = None

    if not TYPE_CHECKING:

        def __init__(self, kind, default, meaning, minimum=None, maximum=None, above=None, options=(), reason="", optional=False, shipped=None):
            """Set the fields. Each process declares 150 keys, with names, for which the constructor of every value takes four times as long."""
            self.kind, self.default, self.meaning = kind, default, meaning
            self.minimum, self.maximum, self.above = minimum, maximum, above
            self.options, self.reason, self.optional, self.shipped = options, reason, optional, shipped

    @property
    def written(self) -> Any:
        """The default as the shipped JSON has it."""
        return self.default if self.shipped is None else self.shipped

    def __get__(self, group: object, owner: type | None = None) -> Any:
        """Return the default. A value that was given is in the group's own `__dict__` and takes precedence."""
        return self.default

    def fault(self, value: object) -> tuple[str, str] | None:
        """Return (problem code, message) if `value`, as parsed from JSON, is invalid; else None."""
        if self.kind == "fixed":
            return None if _same(value, self.default) else ("config_not_built", f"accepts only {self.shown(self.default)}: {self.reason}")
        if value is None and self.optional:
            return None
        expected, fits = _KINDS[self.kind]
        if not fits(value):
            return "config_type", f"expected {expected}{' or null' if self.optional else ''}, found {self.shown(value)}"
        if self.kind == "choice" and value not in self.options:
            return "config_range", f"expected {' or '.join(map(repr, self.options))}, found {self.shown(value)}"
        if isinstance(value, int | float) and self.kind != "switch" and not self._within(value):
            return "config_range", f"expected {self.range_text()}, found {self.shown(value)}"
        return None

    def value(self, value: Any) -> Any:
        """Return the typed form of a valid value."""
        if value is None:
            return None
        if self.kind == "number":
            return float(value)
        if self.kind == "whole":
            return int(value)
        if self.kind == "table":
            return NameTable(value)
        return self.default if self.kind == "fixed" else tuple(value) if self.kind in ("words", "objects") else value

    def range_text(self) -> str:
        """Return the range in words: `0 to 10`, `more than 0, up to 100`."""
        top = f"{self.maximum:,.0f}"
        known = f"more than {self.above:g}, up to {top}" if self.above is not None else f"{self.minimum:g} to {top}"
        return f"{known}, or null" if self.optional else known

    def _within(self, value: float) -> bool:
        return (
            (self.minimum is None or value >= self.minimum) and (self.maximum is None or value <= self.maximum) and (self.above is None or value > self.above)
        )

    @staticmethod
    def shown(value: object) -> str:
        """Return a value from an untrusted file for a message: in JSON notation, printable, short."""
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
    """Declare a key that is true or false."""
    return SettingKey("switch", default, meaning)


def whole(default: int | None, meaning: str, *, minimum: int, maximum: int) -> Any:
    """Declare a whole number within a range; 7.0 counts as 7. With the default None, null is a value too."""
    return SettingKey("whole", default, meaning, minimum, maximum, optional=default is None)


def number(default: float, meaning: str, *, minimum: float | None = None, maximum: float, above: float | None = None) -> Any:
    """Declare a finite number within a range."""
    return SettingKey("number", float(default), meaning, minimum, maximum, above, shipped=default)


def share(default: float, meaning: str) -> Any:
    """Declare a number from 0 to 1: a share, a weight or a similarity."""
    return number(default, meaning, minimum=0, maximum=1)


def score(default: float, meaning: str) -> Any:
    """Declare a number on the scale of importance, 0 to 10."""
    return number(default, meaning, minimum=0, maximum=10)


def days(default: int, meaning: str) -> Any:
    """Declare a number of days; 0 is permitted."""
    return whole(default, meaning, minimum=0, maximum=MAX_DAYS)


def count(default: int, meaning: str) -> Any:
    """Declare a number of notes or files."""
    return whole(default, meaning, minimum=0, maximum=10_000_000)


def words(default: tuple[str, ...], meaning: str) -> Any:
    """Declare a list of non-empty words. A list in a file replaces the entire default."""
    return SettingKey("words", default, meaning)


def choice(default: str, meaning: str, options: tuple[str, ...]) -> Any:
    """Declare a key that takes one of a few words."""
    return SettingKey("choice", default, meaning, options=options)


def table(meaning: str) -> Any:
    """Declare an object whose names and values are words, empty by default. An object in a file replaces it entirely."""
    return SettingKey("table", NameTable(), meaning)


def objects(meaning: str) -> Any:
    """Declare a list of objects, empty by default. The module that uses them checks their members."""
    return SettingKey("objects", (), meaning)


def text(default: str, meaning: str) -> Any:
    """Declare text that is shown and never acted on."""
    return SettingKey("text", default, meaning)


def path(default: str, meaning: str) -> Any:
    """Declare a path inside the bank, written with the literal prefix `.claude/memory/` wherever the bank is."""
    return SettingKey("path", default, meaning)


def fixed(default: Any, meaning: str, reason: str) -> Any:
    """Declare a key of the specification whose other values are not implemented: anything but the default is rejected with the reason."""
    return SettingKey("fixed", default, meaning, reason=reason)


def _same(value: object, default: object) -> bool:
    """Compare as JSON does: true is not 1, 0 is 0.0, a list equals its tuple."""
    if isinstance(default, tuple):
        return isinstance(value, list) and len(value) == len(default) and all(map(_same, value, default))
    return isinstance(value, bool) is isinstance(default, bool) and value == default


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


def _is_number(value: object) -> bool:
    """Return whether a value is a finite number: infinities and NaN minus themselves are NaN. (The module `math` costs a hook 0.5 ms.)"""
    return isinstance(value, int | float) and not isinstance(value, bool) and (isinstance(value, int) or value - value == 0)


def _is_whole(value: object) -> bool:
    return _is_number(value) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))


def _is_text(value: object) -> bool:
    """Return whether a value is text without control characters and without lone surrogates (`"\\ud800"`), which a file cannot contain."""
    return isinstance(value, str) and 0 < len(value) <= MAX_CHARACTERS and not any(character < " " or "\ud800" <= character <= "\udfff" for character in value)


def _is_word(value: object) -> bool:
    return _is_text(value) and isinstance(value, str) and not value[0].isspace() and not value[-1].isspace()


def _is_words(value: object) -> bool:
    return isinstance(value, list) and len(value) <= MAX_WORDS and all(map(_is_word, value))


def _is_table(value: object) -> bool:
    return isinstance(value, dict) and len(value) <= MAX_WORDS and all(_is_word(name) and _is_word(word) for name, word in value.items())


def _is_objects(value: object) -> bool:
    return isinstance(value, list) and len(value) <= MAX_WORDS and all(isinstance(each, dict) for each in value)


_KINDS = {
    "switch": ("true or false", _is_switch),
    "whole": ("a whole number", _is_whole),
    "number": ("a number", _is_number),
    "choice": ("one of the permitted words", _is_text),
    "words": (f"a list of at most {MAX_WORDS:,} words", _is_words),
    "table": (f"an object of at most {MAX_WORDS:,} names, each with a word", _is_table),
    "objects": (f"a list of at most {MAX_WORDS:,} objects", _is_objects),
    "text": (f"text of 1 to {MAX_CHARACTERS} characters on one line", _is_text),
    "path": ("a path inside the bank, such as '.claude/memory/…'", _is_text),
}
"""{kind of key: (its values in words, whether a value is one of them)}"""
