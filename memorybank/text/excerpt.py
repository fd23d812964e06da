"""Excerpts: the paragraph of a note that contains most of a query's words, under its heading; of an episode, the best lines."""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_OTHER_WORDS = ("Also:", "ほか:")
_ENDS = ("\n", "。", ". ", " ")
"""Where a text may be cut, in this order."""
_LEAST_OF_A_LINE = 60
"""Minimum number of characters of a piece of a line that is worth showing."""


def excerpt(text: str, title: str, labels: Sequence[str], limit: int) -> str:
    """Return at most about `limit` characters of a note's body, without its title.

    labels: the words (as stems), paths and names that the note was found by.
    """
    wanted = [_stem(label) for label in labels]
    best: tuple[int, str, str] = (-1, "", "")
    heading = ""
    for paragraph in _without_front_matter(text).split("\n\n"):
        lines = paragraph.strip("\n").split("\n")
        while lines and (lines[0].startswith("#") or not lines[0].strip()):
            heading = lines.pop(0).strip("# \t") or heading
        if not lines or lines[0].startswith("```"):
            continue
        said = "\n".join(lines).strip()
        folded = said.lower()
        hits = sum(word in folded for word in wanted)
        if said and hits > best[0]:
            best = (hits, heading, said)
    _, heading, said = best
    if not said:
        return ""
    said = _around(said, wanted, limit)
    return f"{heading}: {said}" if heading and heading != title and best[0] > 0 and heading.lower() not in said.lower() else said


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
