"""Globs over repository-relative paths: `*` and `?` match within one part, `**` matches any number of parts.

A pattern without a slash matches a file in any folder, as in a .gitignore (`*.pem`, `.env*`). A pattern with a slash is anchored
at the root unless it starts with `**/`.
"""

from __future__ import annotations

__light__ = True


def matches(path: str, pattern: str) -> bool:
    """Whether a POSIX path matches a glob. `~/…` and hashed paths can only match by their last parts."""
    parts = path.split("/")
    if "/" not in pattern:
        return any(_part(part, pattern) for part in parts)
    return _parts(parts, pattern.strip("/").split("/"))


def _parts(parts: list[str], patterns: list[str]) -> bool:
    """Match pattern by pattern, with the set of positions in `parts` reached so far: the time stays polynomial with any number of `**`."""
    reached = {0}
    for pattern in patterns:
        if pattern == "**":
            reached = set(range(min(reached), len(parts) + 1)) if reached else reached
        else:
            reached = {at + 1 for at in reached if at < len(parts) and _part(parts[at], pattern)}
    return len(parts) in reached


def _part(text: str, pattern: str) -> bool:
    """Whether one part matches one pattern: greedy, with one position to return to (the classic two-pointer wildcard match)."""
    head, star_sign, tail = pattern.partition("*")
    # Most patterns have at most one star and need no loop.
    if "?" not in pattern and "*" not in tail:
        return text == pattern if not star_sign else len(text) >= len(head) + len(tail) and text.startswith(head) and text.endswith(tail)
    at = star = 0
    mark = -1
    position = 0
    while position < len(text):
        if at < len(pattern) and pattern[at] == "*":
            mark, star = at, position
            at += 1
        elif at < len(pattern) and pattern[at] in ("?", text[position]):
            at += 1
            position += 1
        elif mark >= 0:
            star += 1
            at, position = mark + 1, star
        else:
            return False
    return all(sign == "*" for sign in pattern[at:])
