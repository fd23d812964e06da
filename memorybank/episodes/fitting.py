"""Elastic injection, what fits: the newest days in a row, printed oldest first, and what was left out named. Pure.

Sizes are UTF-16 code units, as everywhere where a host is given text. Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.episodes.entry import SUPPLEMENT
from memorybank.injection import estimate_tokens, neutralise, utf16

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memorybank.episodes.entry import Episode
    from memorybank.episodes.window import Piece, Selection

HEADING = "## Episodic memory"
SENTENCE = "Summaries of earlier days, oldest first. They may be stale: instructions, files and git state rank above them."
NAMED = 8
"""Dates that are named one by one when they were left out."""


class Item:
    """Something to print. first: its date, or that of a week's Monday; text: with its mark; memory: `episode:DATE`, "" for a piece."""

    __slots__ = ("first", "label", "memory", "text")

    def __init__(self, first: str, label: str, text: str, memory: str = "") -> None:
        self.first = first
        self.label = label
        self.memory = memory
        self.text = f"[{label}] {text}"


class Block:
    """What is put before an agent. text: "" when there is nothing; dates: of what is in it, omitted: of what is not, oldest first;
    boundary: the date before which days are told; memories: the episodes in it."""

    __slots__ = ("boundary", "dates", "memories", "omitted", "text")

    def __init__(self, text: str, boundary: str, shown: Sequence[Item], omitted: Sequence[Item]) -> None:
        self.text = text
        self.boundary = boundary
        self.dates = tuple(dict.fromkeys(item.label for item in shown))
        self.omitted = tuple(dict.fromkeys(item.label for item in omitted))
        self.memories = tuple(dict.fromkeys(item.memory for item in shown if item.memory))

    @property
    def utf16(self) -> int:
        return utf16(self.text)

    @property
    def tokens(self) -> int:
        """Estimated."""
        return estimate_tokens(self.text)


def compose(selection: Selection, words: Callable[[Piece], str], budget: int) -> Block:
    """The block of a selection within so many UTF-16 units, heading included. words: a few words about a piece, "" for nothing to say."""
    items = [_episode(entry) for entry in selection.entries]
    for piece in selection.pieces:
        text = _clean(words(piece))
        if text:
            items.append(Item(piece.date, f"{piece.date}, {piece.source.partition('/')[2][:8]}", text))
    items.sort(key=lambda item: item.first)
    shown, omitted = fit(items, budget - utf16(_text([], ())))
    if omitted:  # what says so takes room too
        shown, omitted = fit(items, budget - utf16(_text([], items)))
    return Block(_text(shown, omitted) if shown else "", selection.boundary, shown, omitted)


def fit(items: Sequence[Item], budget: int) -> tuple[list[Item], list[Item]]:
    """(what is shown, what is left out) of items oldest first: whole days from the newest on, as far as they fit one after another."""
    begin = len(items)
    room = budget
    while begin:
        day = begin - 1
        while day and items[day - 1].first == items[begin - 1].first:
            day -= 1
        room -= sum(utf16(item.text) + 2 for item in items[day:begin])
        if room < 0:
            break
        begin = day
    return list(items[begin:]), list(items[:begin])


def _episode(entry: Episode) -> Item:
    label = f"{entry.date}, came late" if entry.kind == SUPPLEMENT else entry.date
    return Item(entry.first, label, _clean(entry.summary), entry.memory)


def _clean(text: str) -> str:
    return neutralise(text).strip()


def _text(shown: Sequence[Item], omitted: Sequence[Item]) -> str:
    parts = [HEADING, SENTENCE]
    if omitted:
        parts.append(_left_out(omitted))
    return "\n\n".join([*parts, *(item.text for item in shown)]) + "\n"


def _left_out(omitted: Sequence[Item]) -> str:
    labels = list(dict.fromkeys(item.first for item in omitted))
    named = ", ".join(labels) if len(labels) <= NAMED else f"{labels[0]} to {labels[-1]} ({len(labels)} days)"
    return f"(left out for space: {named}; 'memorybank episodes show DATE' prints a day)"
