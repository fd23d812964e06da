"""The copy of another session that a person pasted into a prompt: a coding agent's terminal, with its banner, its prompts and the lines of its tools.

Nothing in it is said now, also not what the person typed there: it was recorded when it was said.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_BANNER = lazy_pattern(r"\s{0,4}(?:▐▛█|▝▜█|▘▘ ▝▝)|\W{0,12}(?:Claude Code v[\d.]+|OpenAI Codex \(v[\w.-]+\)|Gemini CLI v?[\d.]+)\W*$")
_TURN = lazy_pattern(r"\s{0,4}(?:[❯›>•●] \S|[⏺✦✻∴] ?\S|⎿)")
"""Matches the line at which such a terminal begins a prompt, an answer, a call or its result."""
_ANSWER, _TYPED, _WORKED, _RESULT, _BULLET = ("●", "⏺", "✦"), ("❯", "›"), ("✻", "∴"), "⎿", "•"
_WITHIN = (" ", "\t", "│", "╭", "╰", "─", "▘", "▝")


def without_exports(text: str) -> str:
    """Return a text without the copies of sessions in it. A copy ends at the first line that is neither indented nor one of its own."""
    if not any(sign in text for sign in (*_ANSWER, _RESULT)) and "▐▛" not in text:
        return text
    lines = text.split("\n")
    signs = _signs(lines)
    if not (any(map(_BANNER.match, lines)) or _is_session(lines, signs)):
        return text
    kept, is_copy = list[str](), False
    for line, sign in zip(lines, signs, strict=True):
        begins = _BANNER.match(line) is not None or sign in (*_ANSWER, *_TYPED, *_WORKED, _RESULT)
        is_copy = begins or (is_copy and (not line.strip() or line.startswith(_WITHIN) or (sign == _BULLET and "›" in signs)))
        if not is_copy:
            kept.append(line)
    return "\n".join(kept)


def _signs(lines: list[str]) -> list[str]:
    """Return the sign with which each line begins a turn, "" for none. Lines with "●" that follow each other are the items of a list that people type."""
    signs = [line.lstrip()[0] if _TURN.match(line) else "" for line in lines]
    is_item = [sign == "●" and "●" in (signs[number - 1] if number else "", *signs[number + 1 : number + 2]) for number, sign in enumerate(signs)]
    return ["" if item else sign for item, sign in zip(is_item, signs, strict=True)]


def _is_session(lines: list[str], signs: list[str]) -> bool:
    """Return whether an answer stands below a prompt and an empty line, or a result below its call. A shell prints "❯" before a command, too."""
    last, is_apart = "", False
    for line, sign in zip(lines, signs, strict=True):
        if (sign == _RESULT and last in (*_ANSWER, *_TYPED)) or (sign in _ANSWER and last in _TYPED and is_apart):
            return True
        is_apart = not line.strip()
        last = sign if sign else last if is_apart or line.startswith(_WITHIN) else ""
    return False
