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
_UNIT_END = lazy_pattern(r"\n(?=\s*(?:[-*+・|]|\d+[.)]\s))|(?<=[^\d\s][.!?])\s+(?=[A-Z`*\"(])|(?<=[。！？])\n?")
"""Where a row, an item of a list or a sentence ends. A line that only continues the one before belongs to it."""
_RULER = lazy_pattern(r"[|:\s-]+")


class _Piece(Value):
    """A part of a note that can be shown by itself.

    heading: the heading above it.
    opening: its first row, item or sentence.
    begins_within: whether something of its paragraph stands before it.
    """

    heading: str
    said: str
    opening: str
    begins_within: bool


def excerpt(text: str, title: str, labels: Sequence[str], limit: int) -> str:
    """Return at most about `limit` characters of a note's body, without its title: where most of the labels stand together, under its heading.

    labels: the words (as stems), paths and names that the note was found by. One that few pieces of the note contain counts more.
    """
    wanted = [_stem(label) for label in labels]
    pieces = list(_pieces(_without_front_matter(text), limit))
    if not pieces:
        return ""
    folded = [f"{piece.heading}\n{piece.said}".lower() for piece in pieces]
    weights = [log(1 + len(pieces) / (1 + sum(word in piece for piece in folded))) for word in wanted]
    sections = ["" if piece.heading == title else piece.heading.lower() for piece in pieces]

    def fit(place: int) -> tuple[float, float, int]:
        # A word of the heading counts twice, because the section is about it. The title says nothing about one of the sections.
        said = _weight(wanted, weights, folded[place]) + _weight(wanted, weights, sections[place])
        return said, _weight(wanted, weights, pieces[place].opening.lower()), -place

    best = max(range(len(pieces)), key=fit)
    piece = pieces[best]
    said = _around(piece.said, wanted, limit)
    if piece.begins_within:
        said = f"… {said.removeprefix('… ')}"
    is_new = piece.heading != title and piece.heading.lower() not in said.lower()
    return f"{piece.heading}: {said}" if piece.heading and is_new and any(word in folded[best] for word in wanted) else said


def _weight(wanted: Sequence[str], weights: Sequence[float], folded: str) -> float:
    return sum(weight for word, weight in zip(wanted, weights, strict=True) if word in folded)


def _pieces(body: str, limit: int) -> Iterator[_Piece]:
    """Yield the paragraphs of a body; of a longer one, from each of its rows, items or sentences on, as much as fits into `limit` characters."""
    heading = ""
    is_code = False
    for paragraph in body.split("\n\n"):
        lines = paragraph.strip("\n").split("\n")
        begins_in_code = is_code
        is_code ^= sum(line.lstrip().startswith("```") for line in lines) % 2 == 1
        while not begins_in_code and lines and (lines[0].startswith("#") or not lines[0].strip()):
            heading = lines.pop(0).strip("# \t") or heading
        if not lines or lines[0].startswith("```"):
            continue
        said = "\n".join(lines).strip()
        if len(said) <= limit:
            yield _Piece(heading, said, said, begins_within=False)
            continue
        begins = [0, *(found.end() for found in _UNIT_END.finditer(said))]
        for begin, end in zip(begins, [*begins[1:], len(said)], strict=True):
            if begin == end or _RULER.fullmatch(said, begin, end):
                continue
            fits = [each for each in [*begins[1:], len(said)] if end <= each <= begin + limit]
            yield _Piece(heading, said[begin : max(fits, default=end)].rstrip(), said[begin:end], begins_within=begin > 0)


def excerpt_of_day(text: str, labels: Sequence[str], limit: int) -> str:
    """Return at most about `limit` characters of an episode, in the order of the text.

    The lines with most of the words that it was found by are chosen first, then its first lines, which say what the day was about. The
    list of other words that `summarize.extractive` writes is left out, because it says nothing to a reader.
    """
    lines = [line.strip().removeprefix("- ") for line in text.split("\n") if line.strip() and not line.startswith(_OTHER_WORDS)]
    wanted = [_stem(label) for label in labels]
    hits = [sum(word in line.lower() for word in wanted) for line in lines]
    chosen: dict[int, str] = {}
    left = limit
    for place in sorted(range(len(lines)), key=lambda place: (-hits[place], place)):
        if left < _LEAST_OF_A_LINE:
            break
        chosen[place] = _around(lines[place], wanted, left)
        left -= len(chosen[place]) + 1
    return "\n".join(chosen[place] for place in sorted(chosen))


def _without_front_matter(text: str) -> str:
    """Return the body of a note, with Unix line ends."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.startswith("---\n"):
        return text
    end = text.find("\n---\n", 3)
    return text[end + 5 :] if end >= 0 else text


def _stem(label: str) -> str:
    """Return a stem as it occurs in words: `retri` is in retry and retries only without its last letter."""
    label = label.lower()
    return label[:-1] if len(label) > 3 and label.isascii() and label[-1] in "ie" else label


def _around(said: str, wanted: Sequence[str], limit: int) -> str:
    """Return the lines or sentences from the first hit on, up to `limit` characters; `…` marks what is left out at either end."""
    if len(said) <= limit:
        return said
    folded = said.lower()
    first = min((at for at in (folded.find(word) for word in wanted) if at >= 0), default=0)
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
