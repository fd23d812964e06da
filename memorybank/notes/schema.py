"""The value types of the front-matter keys. Values come as written (`subset.Value`); an invalid one becomes a Problem and never an exception.

Where a wrong guess would reveal or lose a note, the strictest value is used: an invalid `acl` or `privacy` is the strictest, an invalid
`bookmarked` keeps the note.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from memorybank import clock
from memorybank.errors import Problem
from memorybank.notes.note import FrontMatter
from memorybank.notes.subset import Value

ACL = ("session", "agent", "user")
PRIVACY = ("private", "agent-only", "public")
"""Both are in order from the strictest to the most open."""

_EARLIEST, _LATEST = -62_135_596_800_000, 253_402_300_799_999
"""0001-01-01 and the last millisecond of the year 9999."""
_DECIMAL = re.compile(r"(?:0|[1-9][0-9]?)(?:\.[0-9]+)?")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*")
_LIST_SEPARATOR = re.compile(r"[,、，]")
_TRUE = frozenset(("true", "yes", "on", "1"))
_FALSE = frozenset(("false", "no", "off", "0"))
_GUARDS = re.compile(r"^[ \t]*[\"']?(acl|privacy|bookmarked)[\"']?[ \t]*:", re.MULTILINE)

Report = Callable[[str, str], None]
"""Callback for an invalid value: (key, message)."""


def coerce(values: Mapping[str, Value], lines: Mapping[str, int], path: str, first_line: int) -> tuple[FrontMatter, list[Problem]]:
    """Return (the typed front matter, Problems).

    lines: {key: line within the block, 1-based}
    first_line: the line of the file where the block begins
    """
    problems: list[Problem] = []

    def report(key: str, message: str) -> None:
        line = lines.get(key)
        problems.append(Problem("front_matter_value", path, f"{key}: {message}", line + first_line - 1 if line is not None else None))

    fields: dict[str, Any] = {}
    for key, value in values.items():
        read = _READ.get(key)
        if read is not None and value is not None:
            fields[key] = read(key, value, report)
    importance = fields.pop("importance", None)
    # `importance` is another name for `rating`, which takes precedence.
    if importance is not None and "rating" not in values:
        fields["rating"] = importance
    return FrontMatter(**fields), problems


def cautious(unreadable: str, keys: tuple[str, ...] = ()) -> FrontMatter:
    """Return the front matter for a block that cannot be read. Whoever wrote `acl`, `privacy` or `bookmarked` in it wanted to protect the note."""
    named = {*_GUARDS.findall(unreadable), *keys}
    return FrontMatter(
        acl=ACL[0] if "acl" in named else None,
        privacy=PRIVACY[0] if "privacy" in named else None,
        bookmarked="bookmarked" in named,
    )


def _text(key: str, value: Value, report: Report) -> str | None:
    if not isinstance(value, str):
        report(key, "one line of text is expected")
        return None
    return " ".join(value.split()) or None


def _words(key: str, value: Value, report: Report) -> tuple[str, ...]:
    """Return a list, or a text split at commas, as distinct words without a leading `#`."""
    if isinstance(value, str):
        value = list(_LIST_SEPARATOR.split(value))
    if not isinstance(value, list):
        report(key, "a list of words is expected")
        return ()
    words = []
    for item in value:
        if isinstance(item, str):
            words.append(" ".join(item.split()).removeprefix("#"))
        elif item is not None:
            report(key, "each item must be one word or phrase")
    return tuple(dict.fromkeys(word for word in words if word))


def _rating(key: str, value: Value, report: Report) -> float | None:
    """Return a plain decimal from 0 to 10. YAML 1.1 would also read 010, 0x8, 1_0, 0:07 and true as numbers, which nobody means."""
    if isinstance(value, str) and _DECIMAL.fullmatch(value.strip()) and float(value) <= 10:
        return float(value)
    report(key, "a decimal number from 0 to 10 is expected")
    return None


def _instant(key: str, value: Value, report: Report) -> int | None:
    """Return the instant of an ISO 8601 date or date-time; without an offset it is UTC."""
    instant = clock.parse(value) if isinstance(value, str) else None
    if instant is None or not _EARLIEST <= instant <= _LATEST:
        report(key, "a date such as 2025-09-17 or 2025-09-17T12:34:56Z is expected")
        return None
    return instant


def _language(key: str, value: Value, report: Report) -> str | None:
    if isinstance(value, str) and _LANGUAGE.fullmatch(value.strip()):
        return value.strip()
    report(key, "a language tag such as en or ja is expected")
    return None


def _acl(key: str, value: Value, report: Report) -> str:
    return _choice(key, value, ACL, report)


def _privacy(key: str, value: Value, report: Report) -> str:
    return _choice(key, value, PRIVACY, report)


def _choice(key: str, value: Value, choices: tuple[str, ...], report: Report) -> str:
    word = value.strip().lower() if isinstance(value, str) else ""
    if word in choices:
        return word
    report(key, f"one of {', '.join(choices)} is expected; taken as {choices[0]}")
    return choices[0]


def _switch(key: str, value: Value, report: Report) -> bool:
    word = value.strip().lower() if isinstance(value, str) else ""
    if word not in _TRUE | _FALSE:
        report(key, "true or false is expected; taken as true")
        return True
    return word in _TRUE


_READ: dict[str, Callable[[str, Value, Report], object]] = {
    "title": _text,
    "tags": _words,
    "topics": _words,
    "rating": _rating,
    "importance": _rating,
    "created": _instant,
    "updated": _instant,
    "language": _language,
    "agent_created": _text,
    "session_id": _text,
    "acl": _acl,
    "privacy": _privacy,
    "bookmarked": _switch,
}
"""One reader per key. A missing or null value is absent, and its reader is not called."""
