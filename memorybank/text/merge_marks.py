"""Finds the conflict that git left in a text: the lines with <<<<<<<, ======= and >>>>>>> between which both sides of a merge are."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

MESSAGE = "an unresolved git conflict: the file contains both sides and git's markers"
_BEGIN, _MIDDLE, _END = "<<<<<<<", "=======", ">>>>>>>"
"""The marker lines of one conflict as git writes it (git-merge, "How conflicts are presented")."""
_FENCED = lazy_pattern(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1|\Z)", "ms")
"""Fenced code of a note, which may show conflict markers as an example."""


def line_of(text: str, *, is_note: bool) -> int:
    """Return the line (from 1) at which the first complete conflict begins; 0 without one. is_note: whether fenced code is an example"""
    if _BEGIN not in text:
        return 0
    begun, wanted = 0, _BEGIN
    for number, line in enumerate((_FENCED.sub(_blank, text) if is_note else text).split("\n"), 1):
        line = line.rstrip("\r")
        if line == _BEGIN or line.startswith(f"{_BEGIN} "):
            begun, wanted = number, _MIDDLE
        elif wanted == _MIDDLE and line == _MIDDLE:
            wanted = _END
        elif wanted == _END and (line == _END or line.startswith(f"{_END} ")):
            return begun
    return 0


def _blank(fenced: re.Match[str]) -> str:
    """Return the line feeds of the fenced code alone, so that line numbers stay right."""
    return "\n" * fenced[0].count("\n")
