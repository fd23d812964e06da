"""The copy of another session that a person pasted into a prompt: a coding agent's terminal, with its banner, its prompts and the lines of its tools.

Nothing in it is said now, also not what the person typed there: it was recorded when it was said.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_BANNER = lazy_pattern(r"[▐▛███▜▌▝▘ ]{3,}|\W{0,12}(?:Claude Code v\d|OpenAI Codex \(v|Gemini CLI v?\d)")
_TURN = lazy_pattern(r"\s{0,4}(?:[❯›>] \S|[●⏺•✦✻∴] ?\S|⎿)")
"""Matches the line at which such a terminal begins a prompt, an answer, a call or its result."""
_ANSWER, _TYPED, _WORKED = ("●", "⏺", "⎿", "✦"), ("❯", "›"), ("✻", "∴", "•")


def without_exports(text: str) -> str:
    """Return a text without the copies of sessions in it. A copy ends at the first line that is neither indented nor one of its own."""
    if not any(sign in text for sign in _ANSWER) and "▐▛" not in text:
        return text
    lines = text.split("\n")
    signs = {line.lstrip()[0] for line in lines if _TURN.match(line)}
    # "●" alone is a bullet that people type, too.
    if not ("⎿" in signs or (signs.intersection(_ANSWER) and signs.intersection(_TYPED)) or any(map(_BANNER.match, lines))):
        return text
    kept, is_copy = list[str](), False
    for line in lines:
        begins = _BANNER.match(line) is not None or (_TURN.match(line) is not None and line.lstrip()[0] in (*_ANSWER, *_TYPED, *_WORKED))
        is_copy = begins or (is_copy and (not line.strip() or line.startswith((" ", "\t", "│", "╭", "╰", "─", "▘", "▝"))))
        if not is_copy:
            kept.append(line)
    return "\n".join(kept)
