"""Reads the usual front matter line by line without a YAML library (which costs three times as much as starting Python).

Every scalar is returned as written, except that an empty value and a plain `null` are None. `read` returns None for anything other than
`key: value`, `key: [a, b]`, `key:` followed by `- item` lines, quotes without escapes, comments and blank lines; `yaml_reader` then reads
the block. Everything accepted here means the same in YAML (a property test compares).
"""

import re

Value = str | None | list["Value"] | dict[str, "Value"]
"""A YAML node with every scalar as written."""

_UNUSUAL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""Characters that YAML treats specially: controls, other line ends, surrogates, byte order marks. No line may contain one.

One check instead of one in each expression below saves a hook 5 ms of compiling them.
"""
# Possessive quantifiers (`++`, `*+`) never backtrack, so that hostile input cannot make a match slow.
_FIRST = r"(?:[A-Za-z0-9_]|[^\x00-\x9f])"
_PLAIN = rf"{_FIRST}(?:[^:#]++|:(?=[^\s:])|(?<=[^\s])\#)*+"
_QUOTED = r"\"[^\"\\]*+\"|'[^']*+'"
_FLOW_PLAIN = rf"{_FIRST}[^:#,\[\]{{}}\"']*+"

_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*+):(?: +|$)")
_SCALAR = re.compile(rf"(?:{_QUOTED}|{_PLAIN})$")
_ITEM = re.compile(r"( *)- +")
_IGNORED = re.compile(r" *(?:#.*)?$")
_FLOW_SCALAR = re.compile(rf"(?:{_QUOTED}|{_FLOW_PLAIN})$")
_NULLS = frozenset(("null", "Null", "NULL"))


class _Beyond(Exception):
    """This block needs a real YAML reader."""


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
