"""Cuts a text into the passages that are embedded one by one: whole paragraphs, as many as a model reads well together, each after the title.

A passage holds about 300 tokens, because small models read 512 and average everything they read: the more subjects a passage has, the less
its vector says about each. A character of a script without an alphabet costs about as much as three letters.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

CUTTING = "1"
"""The version of these rules. Vectors of passages that were cut by other rules are made again."""
LONGEST = 1_200
"""Maximum cost of a passage: 1,200 letters, or 400 Japanese characters."""
MOST_PASSAGES = 400
"""Maximum number of passages of one text. The rest of a huge text is found by its words alone."""
_WIDE = re.compile("[\u1100-\U0003ffff]")
_WIDE_COST = 3
_HEADING = re.compile(r"#{1,6}\s")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")


class CutPassage(NamedTuple):
    """A passage of a text. lines: first and last line, 0-based; text: with the title before it."""

    lines: tuple[int, int]
    text: str


def cut(title: str, body: str) -> list[CutPassage]:
    """Return the passages of a text. A text without words gives one passage, which consists of its title."""
    found: list[CutPassage] = []
    for first, last, text in _pieces(_without_title(title, body)):
        found.append(CutPassage((first, last), f"{title}\n\n{text}"))
        if len(found) == MOST_PASSAGES:
            break
    return found or [CutPassage((0, 0), title)]


def _without_title(title: str, body: str) -> list[str]:
    """Return the lines of the body, its first heading emptied if it repeats the title."""
    lines = body.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    if first is not None and _HEADING.match(lines[first]) and lines[first].lstrip("# ").strip() == title.strip():
        lines[first] = ""
    return lines


def _pieces(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield (first line, last line, text). A piece ends before a heading once it is half full, and where the next paragraph does not fit."""
    held: list[tuple[int, int, str]] = []
    spent = 0
    for first, last, text, is_heading in _paragraphs(lines):
        price = cost(text)
        if held and (spent + price > LONGEST or (is_heading and spent > LONGEST // 2)):
            yield _joined(held)
            held, spent = [], 0
        held.append((first, last, text))
        spent += price
    if held:
        yield _joined(held)


def _joined(held: Sequence[tuple[int, int, str]]) -> tuple[int, int, str]:
    return held[0][0], held[-1][1], "\n".join(text for _, _, text in held)


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int, str, bool]]:
    """Yield (first line, last line, text, whether a heading begins it) of each paragraph; those that are too long line by line, or in parts of a line."""
    start: int | None = None
    for at in range(len(lines) + 1):
        if at < len(lines) and lines[at].strip():
            start = at if start is None else start
            continue
        if start is not None:
            yield from _fitting(lines[start:at], start)
        start = None


def _fitting(lines: Sequence[str], start: int) -> Iterator[tuple[int, int, str, bool]]:
    text = "\n".join(line.rstrip() for line in lines)
    if cost(text) <= LONGEST:
        yield start, start + len(lines) - 1, text, _HEADING.match(text) is not None
        return
    for at, line in enumerate(lines, start):
        for part in _parts(line.rstrip()):
            yield at, at, part, _HEADING.match(part) is not None


def _parts(line: str) -> Iterator[str]:
    """Yield a line in parts that fit, cut between sentences, a sentence that is too long anywhere."""
    if cost(line) <= LONGEST:
        yield line
        return
    held = ""
    for sentence in _SENTENCE_END.split(line):
        for part in (sentence[at : at + LONGEST // _WIDE_COST] for at in range(0, len(sentence), LONGEST // _WIDE_COST)):
            if held and cost(held) + cost(part) > LONGEST:
                yield held
                held = ""
            held = f"{held} {part}" if held and held.isascii() else held + part
    if held.strip():
        yield held


def beginning(text: str) -> str:
    """Return a text that is no longer than a passage; the beginning of a longer one."""
    return text if cost(text) <= LONGEST else text[: LONGEST if text.isascii() else LONGEST // _WIDE_COST]


def cost(text: str) -> int:
    return len(text) + (_WIDE_COST - 1) * len(_WIDE.findall(text))
