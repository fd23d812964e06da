"""Elastic injection, second step: the newest days that fit the budget, printed oldest first, and a note that names the days left out.

Sizes are in UTF-16 code units, as everywhere where text goes to a host.
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes.entry import SUPPLEMENT
from memorybank.episodes.window import without_known
from memorybank.injection import cut_units, estimate_tokens, neutralise, utf16
from memorybank.summarize import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

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
_BRIEF = 200
"""UTF-16 units of an item that is shown in brief, without the number of sessions that are left out of it."""
_BETWEEN = "; "
_NEW_LINE = "\n"
_FOR_BRIEF, _FOR_LESS = 0.2, 0.2
"""Share of the budget that is kept for older items in brief, and share that only items at length may take of the rest."""
_AT_LENGTH = 3
"""Number of sessions of which more than one result is shown when not all items fit."""


class BlockItem:
    """An item to print.

    first: its date, or the Monday of a merged week
    label: the text in its square brackets
    said: its neutralised text, computed on first use because most items do not fit
    memory: `episode:DATE`, or `noted:…` for a piece
    short: its text with one result for each session
    """

    __slots__ = ("_said", "_short", "_stored", "first", "label", "memory")

    def __init__(self, first: str, label: str, text: str, memory: str, short: str | None = None) -> None:
        self.first = first
        self.label = label
        self.memory = memory
        self._stored = text
        self._short = short
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
        return f"[{self.label}]{_NEW_LINE if said.startswith(listed.MARK) else ' '}{said}"

    @property
    def has_more(self) -> bool:
        """Whether a session in it has more than one result."""
        return self._short is not None and self._short != self._stored

    @property
    def with_one_result(self) -> BlockItem:
        """The same item with one result for each session."""
        return BlockItem(self.first, self.label, self._short, self.memory) if self._short is not None and self.has_more else self

    @property
    def is_list(self) -> bool:
        """Whether its text is a list of sessions, and nothing else."""
        return 0 < len(listed.sessions_of(self.said)) == self.said.count("\n") + 1

    def with_last_results(self, units: int, task: str | None) -> BlockItem | None:
        """Return the same list with the results of the last sessions and of those of the task, as many as fit `units` UTF-16 units with the rest in brief;
        None for another text, and when not even one fits."""
        sessions = listed.sessions_of(self.said) if self.is_list else []
        lines = list(map(listed.about, sessions))
        left = units - _size(self.of(lines)) if lines else -1
        is_longer = False
        for number in sorted(range(len(lines)), key=lambda number: (not listed.is_of(sessions[number], task), -number)):
            left -= utf16(sessions[number]) - utf16(lines[number])
            if left < 0:
                break
            is_longer = is_longer or lines[number] != sessions[number]
            lines[number] = sessions[number]
        return self.of(lines) if is_longer else None

    def of(self, lines: Iterable[str]) -> BlockItem:
        """Return the same item with these lines as its list."""
        return BlockItem(self.first, self.label, _NEW_LINE.join(f"{listed.MARK}{line}" for line in lines), self.memory)

    def beginning(self, units: int) -> BlockItem:
        """Return the same item with only the first `units` UTF-16 units of its text."""
        return BlockItem(self.first, self.label, cut_units(self.said, units).rstrip() + _CUT, self.memory)

    def is_of(self, task: str | None) -> bool:
        """Whether one of its sessions had this task."""
        return any(listed.is_of(line, task) for line in self.said.split("\n"))

    def in_brief(self, task: str | None = None) -> BlockItem:
        """Return the same item with only what its sessions were about, and all of those that had this task. Where this is too long, the name of another
        task stands for its requests."""
        parts = listed.in_brief(self.said, task)
        if sum(map(utf16, parts)) > _BRIEF and len(parts) > 1:
            parts = list(dict.fromkeys(part if listed.is_of(part, task) else listed.without_request(part) for part in parts))
        kept: list[str] = []
        left = _BRIEF
        for part in parts:
            if not listed.is_of(part, task):
                if kept and utf16(part) > left:
                    left = 0
                    continue
                part = part if utf16(part) <= _BRIEF else cut_units(part, _BRIEF - 1).rstrip(" ;,") + "…"
                left -= utf16(part)
            kept.append(part)
        rest = f" (+{len(parts) - len(kept)})" if len(parts) > len(kept) else ""
        return BlockItem(self.first, self.label, f"{'; '.join(kept)}{rest}", self.memory)


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


def block(selection: EpisodeSelection, given: Collection[str], covered: Collection[str], budget: int, task: str | None = None) -> EpisodeBlock | None:
    """Return the block at the start of a session, None when there is nothing to show.

    given, covered: see `window.without_known`
    budget: UTF-16 units
    task: the session's own task, of which most is shown
    """
    found = compose(without_known(selection, given, covered), _words, budget, task)
    return found if found.text else None


def compose(selection: EpisodeSelection, words: Callable[[UncoveredMessages], Sequence[str]], budget: int, task: str | None = None) -> EpisodeBlock:
    """Return the block of a selection.

    words: returns a few words about a piece, none when there is nothing to say
    budget: maximum size in UTF-16 units, heading included
    task: of whose sessions most is shown
    """
    items = [_episode(entry) for entry in selection.entries]
    for piece in selection.pieces:
        said = words(piece)
        short = _BETWEEN.join(map(listed.with_one_result, said))
        item = BlockItem(piece.date, f"{piece.date}, {piece.source.partition('/')[2][:8]}", _BETWEEN.join(said), piece.memory, short)
        if item.said:
            items.append(item)
    items.sort(key=lambda item: item.first)
    shown, omitted = fit(items, budget - utf16(_text([], ())), task)
    if omitted:  # the line that names the omitted days needs a part of the budget
        shown, omitted = fit(items, budget - utf16(_text([], items)), task)
    return EpisodeBlock(_text(shown, omitted) if shown else "", selection.boundary, shown, omitted)


def fit(items: Sequence[BlockItem], budget: int, task: str | None = None) -> tuple[list[BlockItem], list[BlockItem]]:
    """Split items, oldest first, into (shown, left out) within a budget of UTF-16 units.

    Shown are consecutive items, from the newest backwards. When not all fit, the newest one, the newest of the task, and then others are shown at length,
    the next ones with one result for each session, and the rest in brief; the newest of these gets what space is left. A list of sessions that fits in part
    keeps the results of its last sessions. When even the newest item is too long, its beginning is shown.
    """
    if sum(map(_size, items)) <= budget or not items:
        return list(items), []
    if _size(items[-1].with_one_result) > budget:
        return _beginning_of_the_newest(items, budget)
    first = 0
    while True:
        whole = {first + number: item for number, item in _in_full(items[first:], budget, task).items()}
        shown, left = _backwards(items, whole, budget, task)
        reached = len(items) - len(shown)
        if all(number >= reached for number in whole):
            break
        first = reached
    for place, item in enumerate(shown):
        number = len(items) - 1 - place
        if number not in whole:
            shown[place] = _lengthened(item, items[number].with_one_result, left + _size(item), task)
            break
    return shown[::-1], list(items[: len(items) - len(shown)])


def _in_full(items: Sequence[BlockItem], budget: int, task: str | None) -> dict[int, BlockItem]:
    """Return {place: how the item is shown} of those that are not shown in brief if they are reached: the newest one, then the newest of the task, then the
    newest others."""
    last = len(items) - 1
    found: dict[int, BlockItem] = {}
    left = int(budget * (1 - _FOR_BRIEF))
    for_length = int(budget * _FOR_LESS)
    for number in [last, *sorted(range(last), key=lambda number: (not items[number].is_of(task), -number))]:
        item = items[number]
        if len(found) >= _AT_LENGTH or _size(item) > left:
            item = item.with_one_result
        space = left if item.has_more else left - for_length
        if found and _size(item) > space:
            in_part = item.with_last_results(space, task)
            found |= {number: in_part} if in_part is not None else {}
            break
        found[number] = item
        left -= _size(item)
    return found


def _backwards(items: Sequence[BlockItem], whole: Mapping[int, BlockItem], budget: int, task: str | None) -> tuple[list[BlockItem], int]:
    """Return (the items to show, from the newest backwards as far as the budget reaches; the UTF-16 units that are left)."""
    shown: list[BlockItem] = []
    left = budget - sum(map(_size, whole.values()))
    for number in range(len(items) - 1, -1, -1):
        item = whole.get(number)
        if item is None:
            item = items[number].in_brief(task)
            if _size(item) > left:
                break
            left -= _size(item)
        shown.append(item)
    return shown, left


def _lengthened(brief: BlockItem, item: BlockItem, units: int, task: str | None) -> BlockItem:
    """Return the item with as much of its text as fits, or the brief one when that is hardly more."""
    if _size(item) <= units:
        return item
    if item.is_list:
        return item.with_last_results(units, task) or brief
    beginning = units - utf16(item.text_of(_CUT)) - 2
    return item.beginning(beginning) if beginning >= LEAST_CUT + _BRIEF else brief


def _size(item: BlockItem) -> int:
    """Return the UTF-16 units that an item takes, with the empty line after it."""
    return utf16(item.text) + 2


def _beginning_of_the_newest(items: Sequence[BlockItem], budget: int) -> tuple[list[BlockItem], list[BlockItem]]:
    left = budget - utf16(items[-1].text_of(_CUT)) - 2
    return ([items[-1].beginning(left)], list(items[:-1])) if left >= LEAST_CUT else ([], list(items))


def _episode(entry: Episode) -> BlockItem:
    label = f"{entry.date}, added later" if entry.kind == SUPPLEMENT else entry.date
    short = "\n".join(map(listed.with_one_result, entry.summary.split("\n")))
    return BlockItem(entry.first, label, entry.summary, entry.memory, short)


def _text(shown: Sequence[BlockItem], omitted: Sequence[BlockItem]) -> str:
    parts = [_left_out(omitted)] if omitted else []
    return _HEAD + "\n\n".join([*parts, *(item.text for item in shown)]) + "\n"


def _left_out(omitted: Sequence[BlockItem]) -> str:
    labels = list(dict.fromkeys(item.first for item in omitted))
    named = ", ".join(labels) if len(labels) <= NAMED else f"{labels[0]} to {labels[-1]} ({len(labels)} days)"
    return f"(left out for space: {named}; 'memorybank episodes show DATE' prints a day)"


def _words(piece: UncoveredMessages) -> list[str]:
    return [" ".join(message.text.split()) for message in piece.messages]
