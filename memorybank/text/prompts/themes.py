"""The theme of a request that people repeat, as `expectations` finds it: sorted words, some of which name a good practice."""

from __future__ import annotations

__light__ = True

PRACTICES = frozenset(str.split("discuss first useful duplicate remove changelog message documentation lint helper simplify log edge run review test"))
"""The practices that requests name."""
DISCUSS = "discuss"
"""The one among them that is about every change, and not about something to be made."""
FIRST = "first"
"""A test that fails before the change that it tests."""
FAILING = "failing:"
"""Begins the theme of a check that people run themselves and that fails: this, and the form of its command without spaces (`check_of`)."""
ENDED = "ended:"
"""Begins the theme of a check that nobody should run any more, in the same way."""
_SPACE = "|"
_SAME = 0.6
"""Minimum share of common stems at which two themes that name no practice are the same."""


def of_check(check: str, begin: str = FAILING) -> str:
    """Return the theme of a check. check: the form of its command"""
    return begin + check.replace(" ", _SPACE)


def check_of(theme: str, begin: str = FAILING) -> str:
    """Return the form of the command of a failing check; "" for another theme."""
    return theme.removeprefix(begin).replace(_SPACE, " ") if theme.startswith(begin) else ""


def same_theme(one: str, other: str) -> bool:
    """Return whether two themes are the same: they share a practice or, if neither names one, most of their stems."""
    mine, theirs = set(one.split()), set(other.split())
    if not mine or not theirs:
        return False
    if not PRACTICES.isdisjoint(mine | theirs):
        return not PRACTICES.isdisjoint(mine & theirs)
    return len(mine & theirs) / min(len(mine), len(theirs)) >= _SAME
