"""Elastic injection, second step: the newest days that fit the budget, printed oldest first, and a note that names the days left out.

Sizes are in UTF-16 code units, as everywhere where text goes to a host.
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes.entry import SUPPLEMENT
from memorybank.episodes.window import without_known
from memorybank.injection import cut_units, estimate_tokens, neutralise, utf16

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from memorybank.episodes.entry import Episode
    from memorybank.episodes.window import EpisodeSelection, UncoveredMessages

HEADING = "## Episodic memory"
SENTENCE = "Summaries of earlier days, oldest first. They may be stale: instructions, files and git state take precedence."
_HEAD = f"{HEADING}\n\n{SENTENCE}\n\n"
NAMED = 4
"""Maximum number of omitted dates that are named one by one."""
LEAST_CUT = 120
"""UTF-16 units below which the beginning of a text is not worth printing."""
_CUT = "… (cut for space)"
_PIECE = 240
"""Maximum characters about a session and day that no episode covers."""


class BlockItem:
    """An item to print.

    first: its date, or the Monday of a merged week
    label: the text in its square brackets
    said: its neutralised text, computed on first use because most items do not fit
    memory: `episode:DATE`, or `noted:…` for a piece
    """

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
        """The item as it is printed."""
        return self.text_of(self.said)

    def text_of(self, said: str) -> str:
        """Return the printed form of some text under this item's label."""
        return f"[{self.label}] {said}"

    def beginning(self, units: int) -> BlockItem:
        """Return the same item with only the first `units` UTF-16 units of its text."""
        return BlockItem(self.first, self.label, cut_units(self.said, units).rstrip() + _CUT, self.memory)


class EpisodeBlock:
    """The block that is shown to an agent.

    text: "" when there is nothing to show
    dates, omitted: labels of the days in it and of those left out, oldest first
    boundary: the date before which the block covers days
    sizes: {memory in the block: UTF-16 units of its text}
    """

    __slots__ = ("boundary", "dates", "omitted", "sizes", "text")

    def __init__(self, text: str, boundary: str, shown: Sequence[BlockItem], omitted: Sequence[BlockItem]) -> None:
        self.text = text
        self.boundary = boundary
        self.dates = tuple(dict.fromkeys(item.label for item in shown))
        self.omitted = tuple(dict.fromkeys(item.label for item in omitted))
        self.sizes: dict[str, int] = {}
        for item in shown:
            self.sizes[item.memory] = self.sizes.get(item.memory, 0) + utf16(item.text)

    def __repr__(self) -> str:
        return f"EpisodeBlock(boundary={self.boundary!r}, dates={self.dates!r}, omitted={self.omitted!r})"

    @property
    def body(self) -> str:
        """The text below the heading and its introductory sentence."""
        return self.text.removeprefix(_HEAD).strip("\n")

    @property
    def utf16(self) -> int:
        return utf16(self.text)

    @property
    def tokens(self) -> int:
        """Estimated number of tokens."""
        return estimate_tokens(self.text)


def block(selection: EpisodeSelection, given: Collection[str], covered: Collection[str], budget: int) -> EpisodeBlock | None:
    """Return the block at the start of a session, None when there is nothing to show.

    given, covered: see `window.without_known`
    budget: UTF-16 units
    """
    found = compose(without_known(selection, given, covered), _words, budget)
    return found if found.text else None


def compose(selection: EpisodeSelection, words: Callable[[UncoveredMessages], str], budget: int) -> EpisodeBlock:
    """Return the block of a selection.

    words: returns a short text about a piece, "" when there is nothing to say
    budget: maximum size in UTF-16 units, heading included
    """
    items = [_episode(entry) for entry in selection.entries]
    for piece in selection.pieces:
        item = BlockItem(piece.date, f"{piece.date}, {piece.source.partition('/')[2][:8]}", words(piece), piece.memory)
        if item.said:
            items.append(item)
    items.sort(key=lambda item: item.first)
    shown, omitted = fit(items, budget - utf16(_text([], ())))
    if omitted:  # the line that names the omitted days needs a part of the budget
        shown, omitted = fit(items, budget - utf16(_text([], items)))
    return EpisodeBlock(_text(shown, omitted) if shown else "", selection.boundary, shown, omitted)


def fit(items: Sequence[BlockItem], budget: int) -> tuple[list[BlockItem], list[BlockItem]]:
    """Split items, oldest first, into (shown, left out) within a budget of UTF-16 units.

    Shown are consecutive whole days, from the newest backwards, as long as they fit. When even the newest day is too long, its last items are shown; when
    that day is a single item, its beginning.
    """
    begin = len(items)
    left = budget
    while begin:
        day = begin - 1
        while day and items[day - 1].first == items[begin - 1].first:
            day -= 1
        left -= sum(utf16(item.text) + 2 for item in items[day:begin])
        if left < 0:
            break
        begin = day
    return (list(items[begin:]), list(items[:begin])) if begin < len(items) else _part_of_the_newest(items, budget)


def _part_of_the_newest(items: Sequence[BlockItem], budget: int) -> tuple[list[BlockItem], list[BlockItem]]:
    """Return (shown, left out) when not even the newest day fits completely."""
    begin = len(items)
    left = budget
    while begin and items[begin - 1].first == items[-1].first and (left := left - utf16(items[begin - 1].text) - 2) >= 0:
        begin -= 1
    if begin < len(items) or not items:
        return list(items[begin:]), list(items[:begin])
    left = budget - utf16(items[-1].text_of(_CUT)) - 2
    if left < LEAST_CUT:
        return [], list(items)
    return [items[-1].beginning(left)], list(items[:-1])


def _episode(entry: Episode) -> BlockItem:
    label = f"{entry.date}, added later" if entry.kind == SUPPLEMENT else entry.date
    return BlockItem(entry.first, label, entry.summary, entry.memory)


def _text(shown: Sequence[BlockItem], omitted: Sequence[BlockItem]) -> str:
    parts = [_left_out(omitted)] if omitted else []
    return _HEAD + "\n\n".join([*parts, *(item.text for item in shown)]) + "\n"


def _left_out(omitted: Sequence[BlockItem]) -> str:
    labels = list(dict.fromkeys(item.first for item in omitted))
    named = ", ".join(labels) if len(labels) <= NAMED else f"{labels[0]} to {labels[-1]} ({len(labels)} days)"
    return f"(left out for space: {named}; 'memorybank episodes show DATE' prints a day)"


def _words(piece: UncoveredMessages) -> str:
    """Return as many of a summary's items as fit, in order: the first ones say what was wanted and how it ended."""
    found: list[str] = []
    left = _PIECE
    for message in piece.messages:
        text = " ".join(message.text.split())
        if len(text) + 2 > left:
            break
        found.append(text)
        left -= len(text) + 2
    return "; ".join(found) or (" ".join(piece.messages[0].text.split())[: _PIECE - 1] + "…")
