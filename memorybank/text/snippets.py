"""Snippets: a passage as one line to show, cut around the matches, with the position of every match."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from unicodedata import normalize

from memorybank.text import tokens
from memorybank.text.character_forms import one_form
from memorybank.text.pattern import lazy_pattern
from memorybank.values import Value

SNIPPET_CHARACTERS = 240
LONGEST_LINE = 1 << 18
"""Maximum number of characters in which matches to show are looked for. One line may be as long as the largest note."""
_CUT = "…"
_HEADING = lazy_pattern(r" {0,3}#{1,6}[ \t]+(\S(?:.*?\S)?)(?:[ \t]+#+)?\s*$")
_FENCE = lazy_pattern(r" {0,3}(```+|~~~+)")
_ENDS = ".:!?。：！？…"
"""Signs after which a heading needs no colon."""
_CONTROL = {code: None for code in (*range(0x00, 0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))}
"""Control and direction characters, which would act on a terminal instead of being shown."""


class Snippet(Value):
    """One line of text to show. marks: [start, end) of each match within it, in order and without overlap."""

    text: str
    marks: tuple[tuple[int, int], ...]


def cut(lines: Sequence[str], terms: Collection[str], length: int = SNIPPET_CHARACTERS) -> Snippet:
    """Return at most `length` characters of `lines` where most matches of `terms` (tokens of `text.tokens`) are close together."""
    text = shown(" ".join(lines)[:LONGEST_LINE])
    return around(text, matches(text, terms), length)


def with_plain_headings(lines: Sequence[str]) -> list[str]:
    """Return the lines from the beginning of a text, with headings as they read on one line: "## Result" as "Result:". A comment in fenced code is none."""
    found: list[str] = []
    fence = ""
    for line in lines:
        edge = _FENCE.match(line) if "`" in line or "~" in line else None
        if edge is not None and (not fence or edge[1].startswith(fence)):
            fence = "" if fence else edge[1]
        heading = None if fence or "#" not in line else _HEADING.match(line)
        found.append(line if heading is None else heading[1] if heading[1][-1] in _ENDS else f"{heading[1]}:")
    return found


def shown(text: str) -> str:
    """Return `text` on one line, without control characters."""
    line = " ".join(text.split())
    return line if line.isprintable() else line.translate(_CONTROL)


def around(text: str, marks: Sequence[tuple[int, int]], length: int = SNIPPET_CHARACTERS) -> Snippet:
    """Return the part of `text` that contains most of `marks`, with an ellipsis where it was cut."""
    if len(text) <= length:
        return Snippet(text, tuple(marks))
    start = _start(marks, length, len(text))
    end = min(len(text), start + length - 1)
    lead = _CUT if start else ""
    body = text[start : end - (1 if start else 0)]
    shift = len(lead) - start
    inside = tuple((first + shift, last + shift) for first, last in marks if start <= first and last <= start + len(body))
    return Snippet(lead + body + (_CUT if start + len(body) < len(text) else ""), inside)


def matches(text: str, terms: Collection[str]) -> list[tuple[int, int]]:
    """Return the spans of `terms` in `text`: complete words, and in CJK runs the characters of each bigram."""
    normal = text if text.isascii() else normalize("NFKC", text)
    beginnings = tuple({term[:-1] or term for term in terms})
    found: list[tuple[int, int]] = []
    known: dict[str, bool] = {}
    for part in tokens.PART.finditer(normal if len(normal) == len(text) else text):
        word = part[0]
        if not word.startswith(beginnings) and word.isascii() and word.isalpha() and word.islower():
            continue  # only the last letter of a stem can be another one in its word (happi, happy); a word with capitals may contain further words
        begin = part.start()
        for start, end in _of_part(word, begin, terms, known):
            if found and found[-1][0] >= begin and start <= found[-1][1]:
                found[-1] = (found[-1][0], end)
            else:
                found.append((start, end))
    return found


def _of_part(part: str, at: int, terms: Collection[str], known: dict[str, bool]) -> list[tuple[int, int]]:
    """Return the spans of `terms` in one part. known: whether a word matches, for the words met so far."""
    if part == "\n":
        return []
    if tokens.is_cjk(part):
        part = one_form(part)
        pairs = [(at + place, at + place + 2) for place in range(len(part) - 1) if part[place : place + 2] in terms]
        return pairs or [(at + place, at + place + 1) for place, sign in enumerate(part) if sign in terms]
    if part not in known:
        known[part] = any(term in terms for term in tokens.word_terms(part))
    return [(at, at + len(part))] if known[part] else []


def _start(marks: Sequence[tuple[int, int]], length: int, size: int) -> int:
    """Return the offset at which most marks fit, with the first of them a third from the left when they need little space."""
    best = count = past = 0
    for number, (first, _) in enumerate(marks):
        # Marks are in order, so those that fit after this one begin where those after the last one ended.
        while past < len(marks) and marks[past][1] <= first + length - 2:
            past += 1
        if past - number > count:
            best, count = max(0, first - (length - (marks[past - 1][1] - first)) // 3), past - number
    return min(best, max(0, size - length + 1))


def first_line(lines: Sequence[str], start: int) -> int:
    """Return the index of the first line from `start` (0-based) that is not blank; `start` when all are."""
    return next((at for at in range(start, len(lines)) if lines[at].strip()), min(start, max(0, len(lines) - 1)))
