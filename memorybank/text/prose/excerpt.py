"""Excerpts: the part of a note in which the words of a query stand together, under its heading; of an episode, the best lines."""

from __future__ import annotations

__light__ = True

from math import log

from memorybank.text.pattern import lazy_pattern
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_OTHER_WORDS = ("Also:", "ほか:")
_ENDS = ("\n", "。", ". ", " ")
"""Where a text may be cut, in this order."""
_LEAST_OF_A_LINE = 60
"""Minimum number of characters of a piece of a line that is worth showing."""
_UNIT_END = lazy_pattern(r"\n(?=\s{0,100}(?:[-*+・|]|\d+[.)]\s))|(?<=[^\d\s][.!?])\s+(?=[A-Z`*\"(])|(?<=[。！？])\n?")
"""Where a row, an item of a list or a sentence ends. A line that only continues the one before belongs to it."""
_MOST_UNITS = 2_000
"""Number of them in one paragraph from which several are one piece. Each piece is read as far as it would be shown."""
_RULER = lazy_pattern(r"[|:\s-]+")
_LEADS_IN = (":", "：")
_LED = lazy_pattern(r"```|~~~|\s*(?:[-*+・|]\s?|\d+[.)]\s)")
"""The beginning of what a paragraph that ends in a colon leads in to: code, a list or a table."""
_CODE = "```"
_WITHIN_WORDS = "".join(chr(value) if chr(value).isalnum() else " " for value in range(128))
_OF_PARENTS, _IN_CODE = 0.5, 0.7
"""What a word in a heading further up counts in addition, and what a word within a block of code counts, compared with one of prose."""


class _Piece(Value):
    """A part of a note that can be shown by itself.

    heading: the heading above it.
    parents: the headings of the sections around that one, in one text.
    opening: its first row, item or sentence.
    begins_within: whether something of its paragraph stands before it.
    is_code: whether it is a part of a block of code.
    """

    heading: str
    parents: str
    said: str
    opening: str
    begins_within: bool
    is_code: bool


def excerpt(text: str, title: str, labels: Sequence[str], limit: int) -> str:
    """Return at most about `limit` characters of a note's body, without its title: where most of the labels stand together, under its heading.

    labels: the words (as stems), paths and names that the note was found by. One that few pieces of the note contain counts more.
    """
    wanted = [_wanted(label) for label in labels]
    pieces = list(_pieces(without_front_matter(text), title, limit))
    if not pieces:
        return ""
    folded = [_folded(f"{piece.heading}\n{piece.said}") for piece in pieces]
    weights = [log(1 + len(pieces) / (1 + sum(word in piece for piece in folded))) for word in wanted]
    sections = ["" if piece.heading == title else _folded(piece.heading) for piece in pieces]
    parents = [_folded(piece.parents) for piece in pieces]

    def fit(place: int) -> tuple[float, float, int]:
        # A word of the heading counts twice, because the section is about it. The title says nothing about one of the sections.
        said = _weight(wanted, weights, folded[place]) * (_IN_CODE if pieces[place].is_code else 1.0) + _weight(wanted, weights, sections[place])
        return said + _OF_PARENTS * _weight(wanted, weights, parents[place]), _weight(wanted, weights, _folded(pieces[place].opening)), -place

    best = max(range(len(pieces)), key=fit)
    piece = pieces[best]
    said = _around(piece.said, wanted, limit)
    if piece.begins_within:
        said = f"… {said.removeprefix('… ')}"
    is_new = piece.heading != title and piece.heading.lower() not in said.lower()
    return f"{piece.heading}: {said}" if piece.heading and is_new and any(word in folded[best] for word in wanted) else said


def _weight(wanted: Sequence[str], weights: Sequence[float], folded: str) -> float:
    return sum(weight for word, weight in zip(wanted, weights, strict=True) if word in folded)


def _pieces(body: str, title: str, limit: int) -> Iterator[_Piece]:
    """Yield the paragraphs of a body; of a longer one, from each of its rows, items or sentences on, as much as fits into `limit` characters.

    A paragraph that ends in a colon is continued with the code, list or table that it leads in to.
    """
    headings: list[tuple[int, str]] = []
    is_code = False
    paragraphs = body.split("\n\n")
    for number, paragraph in enumerate(paragraphs):
        lines = paragraph.strip("\n").split("\n")
        begins_in_code = is_code
        is_code ^= sum(line.lstrip().startswith(_CODE) for line in lines) % 2 == 1
        while not begins_in_code and lines and (lines[0].startswith("#") or not lines[0].strip()):
            _add_heading(headings, lines.pop(0))
        if not lines or lines[0].startswith(_CODE):
            continue
        heading = headings[-1][1] if headings else ""
        parents = "\n".join(name for _, name in headings[:-1] if name != title)
        said = "\n".join(lines).strip()
        led = _led(paragraphs[number + 1 : number + 2], limit - len(said)) if said.endswith(_LEADS_IN) and not is_code else ""
        if len(said) <= limit:
            yield _Piece(heading, parents, f"{said}{led}", said, begins_within=False, is_code=begins_in_code)
            continue
        begins = [0, *(found.end() for found in _UNIT_END.finditer(said))]
        begins = begins[:: 1 + len(begins) // _MOST_UNITS]
        ends = [*begins[1:], len(said)]
        last = 0
        for begin, end in zip(begins, ends, strict=True):
            while last + 1 < len(ends) and ends[last + 1] <= begin + limit:
                last += 1
            if begin == end or _RULER.fullmatch(said, begin, end):
                continue
            yield _Piece(heading, parents, said[begin : max(end, ends[last])].rstrip(), said[begin:end], begins_within=begin > 0, is_code=begins_in_code)


def _add_heading(headings: list[tuple[int, str]], line: str) -> None:
    """Add a heading line to the headings of the sections around the next line, of which those of its level or a lower one have ended."""
    name = line.strip("# \t")
    level = len(line) - len(line.lstrip("#"))
    if name:
        headings[:] = [*(each for each in headings if each[0] < level), (level, name)]


def _led(following: Sequence[str], limit: int) -> str:
    """Return the lines of the code, list or table with which `following` begins that fit into `limit` characters; "" when it begins otherwise."""
    if not following or not _LED.match(following[0].lstrip("\n")):
        return ""
    found = ""
    for line in following[0].strip("\n").split("\n"):
        if line.lstrip().startswith((_CODE, "~~~")):
            if found:
                break
            continue
        if len(found) + len(line) + 1 > limit:
            break
        found += f"\n{line.rstrip()}"
    return found


def excerpt_of_day(text: str, labels: Sequence[str], limit: int) -> str:
    """Return at most about `limit` characters of an episode, in the order of the text.

    The lines with most of the words that it was found by are chosen first, then its first lines, which say what the day was about. The
    list of other words that `summarize.extractive` writes is left out, because it says nothing to a reader.
    """
    lines = [line.strip().removeprefix("- ") for line in text.split("\n") if line.strip() and not line.startswith(_OTHER_WORDS)]
    wanted = [_wanted(label) for label in labels]
    hits = [sum(word in folded for word in wanted) for folded in map(_folded, lines)]
    chosen: dict[int, str] = {}
    left = limit
    for place in sorted(range(len(lines)), key=lambda place: (-hits[place], place)):
        if left < _LEAST_OF_A_LINE:
            break
        chosen[place] = _around(lines[place], wanted, left)
        left -= len(chosen[place]) + 1
    return "\n".join(chosen[place] for place in sorted(chosen))


def without_front_matter(text: str) -> str:
    """Return the body of a note, with Unix line ends."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.startswith("---\n"):
        return text
    end = text.find("\n---\n", 3)
    return text[end + 5 :] if end >= 0 else text


def _wanted(label: str) -> str:
    """Return what `_folded` texts contain of a stem, at the beginning of a word: `retri` is in retry and retries only without its last letter."""
    label = label.lower()
    if not label.isascii():
        return label
    if label.endswith("i"):
        label = label[:-1] if len(label) > 3 else f"{label[:-1]}y"
    elif label.endswith("e") and len(label) > 3:
        label = label[:-1]
    return _folded(label)


def _folded(text: str) -> str:
    """Return a text in lower case with a space before it and in place of each ASCII sign, so that a space before a word finds where words begin."""
    return f" {text.lower().translate(_WITHIN_WORDS)}"


def _around(said: str, wanted: Sequence[str], limit: int) -> str:
    """Return the lines or sentences from the first hit on, up to `limit` characters; `…` marks what is left out at either end."""
    if len(said) <= limit:
        return said
    folded = _folded(said)
    # The space before the text moves every word by one character, which the space before an ASCII word makes up for.
    first = min((at - (not word.startswith(" ")) for word in wanted if (at := folded.find(word)) >= 0), default=0)
    begin = 0
    if first > limit // 2:
        for end in _ENDS:
            at = said.rfind(end, 0, first)
            if at > first - limit // 2:
                begin = at + len(end)
                break
        else:
            begin = first
    cut = said[begin : begin + limit]
    if begin + limit < len(said):
        for end in _ENDS:
            at = cut.rfind(end)
            if at > limit // 2:
                cut = cut[: at + len(end)].rstrip()
                break
        cut += " …"
    return ("… " if begin else "") + cut
