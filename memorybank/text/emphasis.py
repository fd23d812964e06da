"""Takes away the marks around words that Markdown emphasises (`**never**`, `__not yet__`), and leaves the same signs alone where they are code.

A pair of marks stands around words, on one line, at word boundaries. So `2**10`, `src/**/*.ts`, `**kwargs`, `a ** b` and `__init__` stay as they are,
and so does everything in code spans and fenced code.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_SIGNS = lazy_pattern(r"`+|\*\*+|__+")
_MARKS = ("**", "***", "__", "___")
_FENCES = ("```", "~~~")
_QUOTED = tuple(map(set, ('"', "'", "()", "[]", "“”", "‘’", "「」", "『』", "（）")))
"""The signs around a mark that a sentence is about: a "**" in a pattern."""


def without_emphasis(text: str) -> str:
    """Return a Markdown text, or a part of one, without the marks of emphasis. Marks whose counterpart was cut off stay."""
    if "**" not in text and "__" not in text:
        return text
    fence, lines = "", []
    for line in text.split("\n"):
        bare = line.lstrip()
        if fence:
            fence = "" if bare.startswith(fence) else fence
        elif bare.startswith(_FENCES) and bare[:3] not in bare[3:]:
            fence = bare[:3]
        else:
            line = _of_line(line)
        lines.append(line)
    return "\n".join(lines)


def _of_line(line: str) -> str:
    if "**" not in line and "__" not in line:
        return line
    signs = list(_SIGNS.finditer(line))
    last = {sign[0]: sign.start() for sign in signs}
    code = ""
    begun: dict[str, re.Match[str]] = {}
    marks: list[tuple[int, int]] = []
    for sign in signs:
        mark, begin, end = sign[0], sign.start(), sign.end()
        if code or mark[0] == "`":
            code = "" if code == mark else code or (mark if last[mark] > begin else "")
        elif mark in _MARKS:
            before, after = line[begin - 1 : begin] if begin else "", line[end : end + 1]
            opens, closes = _opens(before, after), _opens(after, before)
            first = begun.pop(mark, None)
            if closes and first is not None:
                marks += [] if _is_name(line[first.end() : begin], mark) else [first.span(), sign.span()]
            elif opens:
                begun[mark] = sign
    return _without(line, marks)


def _without(line: str, places: list[tuple[int, int]]) -> str:
    kept, at = [], 0
    for begin, end in sorted(places):
        kept.append(line[at:begin])
        at = end
    return "".join((*kept, line[at:]))


def _opens(outside: str, inside: str) -> bool:
    """Return whether a mark between two signs can begin an emphasis, or end one if the two are swapped."""
    return bool(inside) and not inside.isspace() and inside not in "/*_" and not _is_code(outside) and {outside, inside} not in _QUOTED


def _is_code(sign: str) -> bool:
    return sign.isascii() and (sign.isalnum() or sign in tuple("/*_\\"))


def _is_name(inside: str, mark: str) -> bool:
    """Return whether what stands between underscores is a name of code, such as `__init__` or `__FILE__`, rather than a word: `__Note__`."""
    return mark[0] == "_" and inside.isascii() and inside.isidentifier() and not (inside[:1].isupper() and inside[1:].islower())
