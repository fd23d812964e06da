"""Splits the text of a note into statements: lines of the front matter, headings, list items, code blocks and paragraphs."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_FRONT = re.compile(r"---[ \t]*\Z")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_HEADING = re.compile(r" {0,3}#{1,6}(?:\s|\Z)")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s")


class NoteStatement(NamedTuple):
    """Consecutive lines that belong together. first, last: 1-based; text: the lines, joined by line feeds."""

    first: int
    last: int
    text: str


def lines_of(text: str) -> list[str]:
    """Return the lines of a text without their ends."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines[:-1] if lines and not lines[-1] else lines


def single(lines: Sequence[str]) -> Iterator[NoteStatement]:
    """Yield every line that is not blank as a statement of its own."""
    yield from (NoteStatement(number, number, line) for number, line in enumerate(lines, 1) if line.strip())


def split(lines: Sequence[str]) -> Iterator[NoteStatement]:
    """Yield the statements of a note in order. Every line that is not blank belongs to exactly one, except the fences of the front matter."""
    body = _end_of_front_matter(lines)
    yield from (statement for statement in single(lines[:body]) if not _FRONT.match(statement.text))
    first, fence = body, ""
    for number in range(body, len(lines)):
        line = lines[number]
        if fence:
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                yield from _statement(lines, first, number + 1)
                first, fence = number + 1, ""
            continue
        opening = _FENCE.match(line)
        if opening or _HEADING.match(line) or _ITEM.match(line) or not line.strip():
            yield from _statement(lines, first, number)
            first, fence = number, opening[1] if opening else ""
            if not opening and not _ITEM.match(line):
                yield from _statement(lines, number, number + 1)
                first = number + 1
    yield from _statement(lines, first, len(lines))


def _end_of_front_matter(lines: Sequence[str]) -> int:
    """Return the number of lines of the front matter with its fences; 0 without one."""
    if not lines or not _FRONT.match(lines[0].removeprefix("\ufeff")):
        return 0
    return next((number + 1 for number, line in enumerate(lines) if number and _FRONT.match(line)), 0)


def _statement(lines: Sequence[str], begin: int, end: int) -> Iterator[NoteStatement]:
    while end > begin and not lines[end - 1].strip():
        end -= 1
    if end > begin:
        yield NoteStatement(begin + 1, end, "\n".join(lines[begin:end]))
