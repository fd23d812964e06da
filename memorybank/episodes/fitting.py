"""Elastic injection, what fits: the newest days in a row, printed oldest first, and what was left out named. Pure.

Sizes are UTF-16 code units, as everywhere where a host is given text.
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes.entry import SUPPLEMENT
from memorybank.injection import cut_units, estimate_tokens, neutralise, utf16

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memorybank.episodes.entry import Episode
    from memorybank.episodes.window import Piece, Selection

HEADING = "## Episodic memory"
SENTENCE = "Summaries of earlier days, oldest first. They may be stale: instructions, files and git state rank above them."
_HEAD = f"{HEADING}\n\n{SENTENCE}\n\n"
NAMED = 4
"""Dates that are named one by one when they were left out."""
LEAST_CUT = 120
"""UTF-16 units of a text below which its beginning says nothing."""
_CUT = "… (cut for space)"


class Item:
    """Something to print. first: its date, or that of a week's Monday; label: its mark; said: what it says, made harmless when it is first asked
    for, since most do not fit; memory: `episode:DATE`, of a piece `noted:…`."""

    __slots__ = ("_said", "_stored", "first", "label", "memory")

    def __init__(self, first: str, label: str, text: str, memory: str) -> None:
        self.first = first
        self.label = label
        self.memory = memory
        self._stored = text
        self._said: str | None = None

    @property
    def said(self) -> str:
        if self._said is None:
            self._said = neutralise(self._stored).strip()
        return self._said

    @property
    def text(self) -> str:
        return self.text_of(self.said)

    def text_of(self, said: str) -> str:
        return f"[{self.label}] {said}"

    def beginning(self, units: int) -> Item:
        """The same with so many UTF-16 units of what it says."""
        return Item(self.first, self.label, cut_units(self.said, units).rstrip() + _CUT, self.memory)


class Block:
    """What is put before an agent. text: "" when there is nothing; dates: of what is in it, omitted: of what is not, oldest first;
    boundary: the date before which days are told; sizes: {memory that is in it: UTF-16 units of its text}."""

    __slots__ = ("boundary", "dates", "omitted", "sizes", "text")

    def __init__(self, text: str, boundary: str, shown: Sequence[Item], omitted: Sequence[Item]) -> None:
        self.text = text
        self.boundary = boundary
        self.dates = tuple(dict.fromkeys(item.label for item in shown))
        self.omitted = tuple(dict.fromkeys(item.label for item in omitted))
        self.sizes: dict[str, int] = {}
        for item in shown:
            self.sizes[item.memory] = self.sizes.get(item.memory, 0) + utf16(item.text)

    @property
    def body(self) -> str:
        """The text below the heading and its sentence."""
        return self.text.removeprefix(_HEAD).strip("\n")

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
        item = Item(piece.date, f"{piece.date}, {piece.source.partition('/')[2][:8]}", words(piece), piece.memory)
        if item.said:
            items.append(item)
    items.sort(key=lambda item: item.first)
    shown, omitted = fit(items, budget - utf16(_text([], ())))
    if omitted:  # what says so takes room too
        shown, omitted = fit(items, budget - utf16(_text([], items)))
    return Block(_text(shown, omitted) if shown else "", selection.boundary, shown, omitted)


def fit(items: Sequence[Item], budget: int) -> tuple[list[Item], list[Item]]:
    """(what is shown, what is left out) of items oldest first: whole days from the newest on, as far as they fit one after another; of a
    newest day that is too long alone its last items, of one that is a single item its beginning."""
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
    return (list(items[begin:]), list(items[:begin])) if begin < len(items) else _part_of_the_newest(items, budget)


def _part_of_the_newest(items: Sequence[Item], budget: int) -> tuple[list[Item], list[Item]]:
    begin = len(items)
    room = budget
    while begin and items[begin - 1].first == items[-1].first and (room := room - utf16(items[begin - 1].text) - 2) >= 0:
        begin -= 1
    if begin < len(items) or not items:
        return list(items[begin:]), list(items[:begin])
    room = budget - utf16(items[-1].text_of(_CUT)) - 2
    if room < LEAST_CUT:
        return [], list(items)
    return [items[-1].beginning(room)], list(items[:-1])


def _episode(entry: Episode) -> Item:
    label = f"{entry.date}, came late" if entry.kind == SUPPLEMENT else entry.date
    return Item(entry.first, label, entry.summary, entry.memory)


def _text(shown: Sequence[Item], omitted: Sequence[Item]) -> str:
    parts = [_left_out(omitted)] if omitted else []
    return _HEAD + "\n\n".join([*parts, *(item.text for item in shown)]) + "\n"


def _left_out(omitted: Sequence[Item]) -> str:
    labels = list(dict.fromkeys(item.first for item in omitted))
    named = ", ".join(labels) if len(labels) <= NAMED else f"{labels[0]} to {labels[-1]} ({len(labels)} days)"
    return f"(left out for space: {named}; 'memorybank episodes show DATE' prints a day)"
