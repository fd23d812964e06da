"""Globs over repository-relative paths: `*` and `?` within one part, `**` over any number of parts. Pure.

A pattern without a slash names a file wherever it lies, as in a .gitignore (`*.pem`, `.env*`); one with a slash begins at the
root unless it begins with `**/`.
"""

from __future__ import annotations

__light__ = True


def matches(path: str, pattern: str) -> bool:
    """Whether a POSIX path matches a glob. `~/…` and hashed paths match by their last parts alone."""
    parts = path.split("/")
    if "/" not in pattern:
        return any(_part(part, pattern) for part in parts)
    return _parts(parts, pattern.strip("/").split("/"))


def _parts(parts: list[str], patterns: list[str]) -> bool:
    """Every part is looked at once for each pattern: what matched so far is a set of positions."""
    reached = {0}
    for pattern in patterns:
        if pattern == "**":
            reached = set(range(min(reached), len(parts) + 1)) if reached else reached
        else:
            reached = {at + 1 for at in reached if at < len(parts) and _part(parts[at], pattern)}
    return len(parts) in reached


def _part(text: str, pattern: str) -> bool:
    """Greedy matching with one point to return to (the classic two-pointer wildcard walk); most patterns need no walk."""
    head, star_sign, tail = pattern.partition("*")
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
