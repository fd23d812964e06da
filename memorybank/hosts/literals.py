"""The words of which every text with a match of a regular expression contains one, read off its parsed form.

Looking for some words in a sentence costs a hundredth of loading and matching a pattern, so a pattern without its words in the sentence is not loaded.
"""

from __future__ import annotations

from collections.abc import Iterable
from re import _parser  # type: ignore[attr-defined]  # typeshed has no stubs for the parser
from typing import Any

_MOST = 72
"""Maximum number of words for which it is worth looking."""
_COMMON = frozenset(str.split("a i s 's is are it on as ing the to has have and for of that in ha at not")) | {""}
"""Strings that most English sentences contain."""


def literals(text: str) -> tuple[str, ...]:
    """Return strings in lower case, sorted, one of which is in the lower case of every text with a match of a pattern; () if none are worth looking for."""
    found = _required(_parser.parse(text)) or ()
    return tuple(sorted(word for word in found if not any(other != word and other in word for other in found)))


def _required(items: Iterable[tuple[Any, Any]], run: str = "") -> frozenset[str] | None:
    """Return the set with the longest strings such that every text with a match of the sequence contains one of them; None if no such set exists.

    run: the signs right before the sequence.
    """
    found: list[frozenset[str]] = []
    for code, value in items:
        if code is _parser.LITERAL:
            run += chr(value)
            continue
        inner = _of_part(code, value, run)
        if inner:
            found.append(inner)
        if run and code is not _parser.AT:
            found.append(frozenset((run.lower(),)))
            run = ""
    if run:
        found.append(frozenset((run.lower(),)))
    return max((strings for strings in found if len(strings) <= _MOST), key=_worth, default=None)


def _of_part(code: Any, value: Any, before: str) -> frozenset[str] | None:
    """Return the required strings of one part of a sequence. before: the signs right before it"""
    if code is _parser.BRANCH:
        ways = [_required(way, before) for way in value[1]]
        return frozenset[str]().union(*(way for way in ways if way)) if all(ways) else None
    if code is _parser.SUBPATTERN:
        return _required(value[3], before)
    if code in (_parser.MAX_REPEAT, _parser.MIN_REPEAT, _parser.POSSESSIVE_REPEAT):
        return _required(value[2], before) if value[0] else None
    if code is _parser.ASSERT:  # what must stand before or after a match is in the text too
        return _required(value[1])
    if code is _parser.ATOMIC_GROUP:
        return _required(value, before)
    if code is _parser.IN and all(kind is _parser.LITERAL for kind, _ in value):
        return frozenset(chr(sign).lower() for _, sign in value)
    return None


def _worth(found: frozenset[str]) -> tuple[int, int]:
    """Return how rarely a sentence contains one of some strings, roughly: long strings are rare, and so are few. Those of most sentences are worth nothing, and
    neither are single signs of ASCII."""
    return min(0 if word.strip() in _COMMON or (len(word) == 1 and word.isascii()) else min(len(word.strip()), 4) for word in found), -len(found)
