"""A strict JSON parser for config files (one object, no byte order mark, no duplicate keys, no NaN), and the lines of their keys.

The module is loaded only when a bank has a config file.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from memorybank.errors import Problem

MAX_DEPTH = 32
_TOKEN = re.compile(r'"(?:[^"\\]++|\\(?s:.)?)*+"?|[{}\[\]:,\n]|[^\s{}\[\]:,"]+')
"""A string that is never closed is one token up to the end, so each character is read once, whatever the file contains."""


def parse(data: bytes, shown: str) -> dict[str, Any] | Problem:
    """Return the object, or a Problem that says why the data is invalid and in which line. Never raises."""
    if data.startswith(b"\xef\xbb\xbf"):
        return Problem("config_encoding", shown, "begins with a byte order mark; save it as UTF-8 without one", 1)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return Problem("config_encoding", shown, f"is not UTF-8 ({error.reason})", data.count(b"\n", 0, error.start) + 1)
    deep = _too_deep(text)
    if deep is not None:
        return Problem("config_json", shown, f"is nested deeper than {MAX_DEPTH} levels", deep)
    try:
        value = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_duplicates)
    except json.JSONDecodeError as error:
        return Problem("config_json", shown, f"is not JSON: {error.msg} (column {error.colno})", error.lineno)
    except _Refused as error:
        return Problem("config_json", shown, error.message, _line_of_refused(text, error))
    except ValueError:
        return Problem("config_json", shown, "contains a number with too many digits", _line_of_token(text, lambda token: len(token) > 300 and token[0] != '"'))
    return value if isinstance(value, dict) else Problem("config_json", shown, "is not a JSON object", 1)


def lines(text: str) -> dict[tuple[str, ...], int]:
    """Return the 1-based line of every key of a valid document, by path."""
    return {path: line for path, line, _ in reversed(_keys(text))}


def line_of(known: dict[tuple[str, ...], int], path: tuple[str, ...]) -> int | None:
    """Return the line of a key, or of its nearest parent that is in the document."""
    while path and path not in known:
        path = path[:-1]
    return known.get(path)


class _Refused(Exception):
    """Input that the parser accepts and the config format does not: a constant such as NaN, or a repeated key."""

    def __init__(self, message: str, token: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.token = token


def _no_constant(token: str) -> Any:
    raise _Refused(f"{token} is not JSON", token)


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise _Refused(f"{name!r} occurs twice in one object; remove one of them")
            seen.add(name)
    return values


def _line_of_refused(text: str, error: _Refused) -> int | None:
    if error.token:
        return _line_of_token(text, lambda token: token == error.token)
    return next((line for _, line, repeated in _keys(text) if repeated), None)


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    line = 1
    for token in _TOKEN.findall(text):
        if token == "\n":
            line += 1
        else:
            yield line, token


def _line_of_token(text: str, is_wanted: Callable[[str], bool]) -> int | None:
    return next((line for line, token in _tokens(text) if is_wanted(token)), None)


def _too_deep(text: str) -> int | None:
    """Return the line at which nesting exceeds the limit. It counts brackets outside strings, without recursion, which deep input would exhaust."""
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return None
    depth = 0
    for line, token in _tokens(text):
        if token in "{[":
            depth += 1
            if depth > MAX_DEPTH:
                return line
        elif token in "}]":
            depth -= 1
    return None


def _keys(text: str) -> list[tuple[tuple[str, ...], int, bool]]:
    """Return (path, line, whether it repeats a key of the same object) for every key of a valid document."""
    found: list[tuple[tuple[str, ...], int, bool]] = []
    open_names: list[str] = []
    seen: list[set[str]] = []
    candidate, candidate_line, name = "", 1, ""
    for line, token in _tokens(text):
        if token[0] == '"':
            candidate, candidate_line = token, line
        elif token == ":":
            name = json.loads(candidate)
            found.append(((*open_names[1:], name), candidate_line, name in seen[-1]))
            seen[-1].add(name)
        elif token in "{[":
            open_names.append(name)
            seen.append(set())
        elif token in "}]":
            open_names.pop()
            seen.pop()
    return found
