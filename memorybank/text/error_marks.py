"""The marks that programs print around an error message, and the phrases that only count errors."""

from __future__ import annotations

__light__ = True

COUNTS = (" 0 error", " 0 fail", "0 errors", "0 failed", "no errors", "without error")
"""Phrases that no error message contains."""
_MARKS = "✘✗✖×❌⚠>│┃|•-=: \t"
_RULE = "━─ "


def without_marks(line: str) -> str:
    """Return a line without the crosses, bars and rules that programs put around it, and without pytest's margin."""
    line = line.lstrip(_MARKS).rstrip(_RULE)
    return line[1:].lstrip() if line.startswith("E   ") else line
