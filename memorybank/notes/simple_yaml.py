"""Reads and writes the usual front matter without a YAML library, which costs three times as much as starting Python.

Every scalar is read as written, except that an empty value and a plain `null` are None. `read` returns None for anything other than
`key: value`, `key: [a, b]`, `key:` followed by `- item` lines, quotes without escapes, comments and blank lines; `yaml_reader` then reads
the block. Everything accepted here means the same in YAML (a property test compares).

`render` writes a value on one line, so that any YAML parser reads the same value back. It imports its libraries
late, because a hook that indexes a note only reads.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

Value = str | None | list["Value"] | dict[str, "Value"]
"""A YAML node with every scalar as written."""
Settable = str | bool | int | float | list[str] | None
"""Types that can be written: text, a switch, a finite number, a list of words; None is an empty value."""

_UNUSUAL = lazy_pattern(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""Characters that YAML treats specially: controls, other line ends, surrogates, byte order marks. No line may contain one.

One check instead of one in each expression below saves a hook 5 ms of compiling them.
"""
# Possessive quantifiers (`++`, `*+`) never backtrack, so that hostile input cannot make a match slow.
_FIRST = r"(?:[A-Za-z0-9_]|[^\x00-\x9f])"
_PLAIN = rf"{_FIRST}(?:[^:#]++|:(?=[^\s:])|(?<=[^\s])\#)*+"
_QUOTED = r"\"[^\"\\]*+\"|'[^']*+'"
_FLOW_PLAIN = rf"{_FIRST}[^:#,\[\]{{}}\"']*+"

_KEY = lazy_pattern(r"([A-Za-z_][A-Za-z0-9_-]*+):(?: +|$)")
_SCALAR = lazy_pattern(rf"(?:{_QUOTED}|{_PLAIN})$")
_ITEM = lazy_pattern(r"( *)- +")
_IGNORED = lazy_pattern(r" *(?:#.*)?$")
_FLOW_SCALAR = lazy_pattern(rf"(?:{_QUOTED}|{_FLOW_PLAIN})$")
_NULLS = frozenset(("null", "Null", "NULL"))

_BARE = lazy_pattern(r"(?=[^\W\d_])[\w /.()&+~、。・ー-]*[\w.)。]")
"""Texts that need no quotes, unless YAML 1.1 reads the word as a boolean or null."""
_WORDS_WITH_MEANING = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))
_UNPRINTABLE = lazy_pattern(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


class _Beyond(Exception):
    """Raised for a block that needs a real YAML reader."""


def read(block: str) -> tuple[dict[str, Value], dict[str, int]] | None:
    """Return ({key: value}, {key: 1-based line of the block}), or None when the block needs a real YAML reader."""
    try:
        return _read(block)
    except _Beyond:
        return None


def _read(block: str) -> tuple[dict[str, Value], dict[str, int]]:
    values: dict[str, Value] = {}
    lines: dict[str, int] = {}
    open_key, indent = "", 0  # the key that a list may follow
    items: list[Value] | None = None  # that list, once it has begun
    for number, line in enumerate(block.split("\n"), 1):
        line = line.removesuffix("\r").rstrip(" ")
        if _UNUSUAL.search(line):
            raise _Beyond
        if key := _KEY.match(line):
            name, rest = key[1], line[key.end() :]
            if name in values or name in _NULLS:
                raise _Beyond
            values[name] = _value(rest) if rest else None
            lines[name] = number
            open_key, items = ("" if rest else name), None
        elif item := _ITEM.match(line):
            if items is None and open_key:
                values[open_key] = items = []
                indent = item.end(1)
            if items is None or item.end(1) != indent:
                raise _Beyond
            items.append(_scalar(line[item.end() :], _SCALAR))
        elif not _IGNORED.match(line):
            raise _Beyond
    return values, lines


def _value(text: str) -> Value:
    if not text.startswith("["):
        return _scalar(text, _SCALAR)
    if not text.endswith("]"):
        raise _Beyond
    inner = text[1:-1].strip(" ")
    return [_scalar(part.strip(" "), _FLOW_SCALAR) for part in inner.split(",")] if inner else []


def _scalar(text: str, allowed: re.Pattern[str]) -> str | None:
    if not allowed.match(text):
        raise _Beyond
    if text[0] in "\"'":
        return text[1:-1]
    return None if text in _NULLS else text


def render(value: Settable) -> str:
    """Return `value` for the right side of `key:`. Numbers never have an exponent."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        from decimal import Decimal

        return format(Decimal(repr(value)), "f").removesuffix(".0")
    if isinstance(value, list):
        return "[" + ", ".join(map(render_text, value)) + "]"
    return render_text(value)


def render_text(value: str) -> str:
    """Return a text without quotes when every YAML version reads it as this text, else in double quotes."""
    if _BARE.fullmatch(value) and value.lower() not in _WORDS_WITH_MEANING:
        return value
    import json

    return _UNPRINTABLE.sub(_escaped, json.dumps(value, ensure_ascii=False))


def _escaped(match: re.Match[str]) -> str:
    """Escape a character that JSON leaves bare and YAML refuses. A lone surrogate becomes U+FFFD."""
    code = ord(match[0])
    return "\\ufffd" if 0xD800 <= code <= 0xDFFF else f"\\u{code:04x}"
