"""The usual front matter, read line by line without a YAML library (which costs three times a Python start).

Every scalar comes as it is written, except that an empty value and a plain `null` are None. `read` returns None for
anything beyond `key: value`, `key: [a, b]`, `key:` followed by `- item` lines, quotes without escapes, comments and blank
lines; `yaml_reader` then reads the block. What is accepted here means the same in YAML (a property test compares).
"""

import re

Value = str | None | list["Value"] | dict[str, "Value"]
"""A YAML node with every scalar as written."""

_CHARACTER = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
_FIRST = rf"(?=[A-Za-z0-9_\u00a0-\U0010ffff]){_CHARACTER}"
_PLAIN = rf"{_FIRST}(?:(?![:#]){_CHARACTER}|:(?=[^\s:])|(?<=[^\s])#)*"
_QUOTED = rf'"(?:(?!["\\]){_CHARACTER})*"|\'(?:(?!\'){_CHARACTER})*\''
_FLOW_PLAIN = rf"{_FIRST}(?:(?![:#,\[\]{{}}\"']){_CHARACTER})*"

_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*):(?: +|$)")
_SCALAR = re.compile(rf"(?:{_QUOTED}|{_PLAIN})$")
_ITEM = re.compile(r"( *)- +")
_IGNORED = re.compile(rf" *(?:#(?:\t|{_CHARACTER})*)?$")
_FLOW_ITEM = re.compile(rf"(?:{_QUOTED}|{_FLOW_PLAIN})$")
_NULLS = frozenset(("null", "Null", "NULL"))


def read(block: str) -> tuple[dict[str, Value], dict[str, int]] | None:
    """({key: value}, {key: 1-based line of the block}), or None when the block needs a real YAML reader."""
    values: dict[str, Value] = {}
    lines: dict[str, int] = {}
    items: list[Value] | None = None
    open_key, indent = "", -1
    for number, line in enumerate(block.split("\n"), 1):
        line = line.removesuffix("\r").rstrip(" ")
        if not line or _IGNORED.match(line):
            continue
        item = _ITEM.match(line)
        if item is not None:
            if not open_key or (items is not None and len(item[1]) != indent) or not _SCALAR.match(line, item.end()):
                return None
            if items is None:
                values[open_key] = items = []
                indent = len(item[1])
            items.append(_scalar(line[item.end() :]))
            continue
        key = _KEY.match(line)
        if key is None or key[1] in values or key[1] in _NULLS:
            return None
        rest = line[key.end() :]
        open_key, items = "", None
        if not rest:
            open_key = key[1]
            values[key[1]] = None
        elif rest[0] == "[":
            flow = _flow(rest)
            if flow is None:
                return None
            values[key[1]] = flow
        elif _SCALAR.match(rest):
            values[key[1]] = _scalar(rest)
        else:
            return None
        lines[key[1]] = number
    return values, lines


def _scalar(text: str) -> str | None:
    if text[0] in "\"'":
        return text[1:-1]
    return None if text in _NULLS else text


def _flow(text: str) -> list[Value] | None:
    """`[a, "b c"]` on one line; a comma inside quotes needs the real reader."""
    if text[-1] != "]":
        return None
    inner = text[1:-1].strip(" ")
    if not inner:
        return []
    parts = [part.strip(" ") for part in inner.split(",")]
    if not all(_FLOW_ITEM.match(part) for part in parts):
        return None
    return [_scalar(part) for part in parts]
