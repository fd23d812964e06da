"""Elastic injection, second step: the newest days that fit the budget, printed oldest first, and a note that names the days left out.

Sizes are in UTF-16 code units, as everywhere where text goes to a host.
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes.block_item import BETWEEN, CUT, BlockItem, named, size
from memorybank.episodes.entry import SUPPLEMENT
from memorybank.episodes.window import without_known
from memorybank.injection import cut_units, estimate_tokens, neutralise, utf16
from memorybank.summarize import listed
from memorybank.text.prompts.withheld import without_permissions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Any

    from memorybank.episodes.entry import Episode
    from memorybank.episodes.window import EpisodeSelection, UncoveredMessages

    Kept = Callable[[str], dict[str, Any]]

HEADING = "## Episodic memory"
SENTENCE = "Summaries of earlier days, oldest first. They may be stale: instructions, files and git state take precedence."
_HEAD = f"{HEADING}\n\n{SENTENCE}\n\n"
NAMED = 4
"""Maximum number of omitted dates that are named one by one."""
LEAST_CUT = 120
"""UTF-16 units below which the beginning of a text is not worth printing."""
_BRIEF, _NEWEST = 240, 0.8
"""UTF-16 units of the line of a day, and the share of the space that is left which the line of the newest day may take."""
_LEAST_LINE = 60
"""UTF-16 units below which a day is left out."""
_OF_TASK = 0.8
"""Share of the budget that the items of the task may take. The rest is kept for days in one line."""


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
            # The days of one line share it, so that their sizes add up to its own. What says nothing besides other items of its day counts as told.
            size, rest = divmod(utf16(item.text) if item.is_printed else 0, len(item.memories))
            for number, memory in enumerate(item.memories):
                self.sizes[memory] = self.sizes.get(memory, 0) + size + (number < rest)

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


def _anew(text: str) -> dict[str, Any]:
    return {}


def block(
    selection: EpisodeSelection, given: Collection[str], covered: Collection[str], budget: int, task: str | None = None, kept: Kept = _anew
) -> EpisodeBlock | None:
    """Return the block at the start of a session, None when there is nothing to show.

    given, covered: see `window.without_known`
    budget: UTF-16 units
    task: the session's own task, of which most is shown
    kept: see `compose`
    """
    found = compose(without_known(selection, given, covered), _words, budget, task, kept)
    return found if found.text else None


def compose(
    selection: EpisodeSelection, words: Callable[[UncoveredMessages], Sequence[str]], budget: int, task: str | None = None, kept: Kept = _anew
) -> EpisodeBlock:
    """Return the block of a selection.

    words: returns a few words about a piece, none when there is nothing to say
    budget: maximum size in UTF-16 units, heading included
    task: of whose sessions most is shown
    kept: returns what was computed of a text before, to which is added what is computed now
    """
    newest = max((entry.last for entry in selection.entries), default="")
    newest = max(newest, max((piece.date for piece in selection.pieces), default=""))
    items = [_episode(entry, kept, is_newest=entry.last == newest) for entry in selection.entries]
    said = [(piece, words(piece)) for piece in selection.pieces]
    told = {entry.last for entry in selection.entries} | {piece.date for piece, texts in said if not all(map(listed.only_asks, texts))}
    for piece, texts in said:
        item = _piece(piece, texts, kept, is_newest=piece.date == newest, is_alone=piece.date not in told)
        items += [item] if item is not None else []
    items.sort(key=lambda item: item.first)
    shown, omitted = fit(items, budget - utf16(_text([], ())), task)
    if omitted:  # the line that names the omitted days needs a part of the budget
        shown, omitted = fit(items, budget - utf16(_text([], items)), task)
    is_empty = all(item.says_nothing for item in shown)
    shown = _counted([item.at_start for item in shown])
    return EpisodeBlock("" if is_empty else _text(shown, omitted), selection.boundary, shown, omitted)


def _counted(shown: Sequence[BlockItem]) -> list[BlockItem]:
    """Return the items to print. A day of which nothing can be said has one item, which counts its sessions: no day disappears without a word."""
    told = {item.day for item in shown if not item.says_nothing}
    found: list[BlockItem] = []
    for item in shown:
        if item.day in told:
            found.append(item)
            continue
        before = found.pop().memories if found and found[-1].day == item.day else ()
        memories = (*before, *item.memories)
        one = BlockItem(item.first, item.day, named([""] * len(memories)), *memories)
        one.is_counted = True
        found.append(one)
    return found


def fit(items: Sequence[BlockItem], budget: int, task: str | None = None) -> tuple[list[BlockItem], list[BlockItem]]:
    """Split items, oldest first, into (shown, left out) within a budget of UTF-16 units.

    Shown are consecutive days, from the newest backwards. When not all fit, the newest item and those of the task are shown at length, and the rest of each day
    in one line that names its sessions. When even the newest item is too long, its beginning is shown.
    """
    if _all_fit(items, budget):
        return list(items), []
    if size(items[-1].with_one_result) > budget:
        return _beginning_of_the_newest(items, budget)
    first = 0
    while True:
        whole = {first + number: item for number, item in _at_length(items[first:], budget, task).items()}
        shown, reached = _backwards(items, whole, budget, task)
        if all(number >= reached for number in whole):
            return shown, list(items[:reached])
        first = reached


def _all_fit(items: Sequence[BlockItem], budget: int) -> bool:
    """Return whether all items fit. Those that certainly do not are not even read."""
    for item in reversed(items):
        budget -= size(item)
        if budget < 0:
            return False
    return True


def _at_length(items: Sequence[BlockItem], budget: int, task: str | None) -> dict[int, BlockItem]:
    """Return {place: how the item is shown} of those that are not shown in the line of their day if they are reached: those of the task, and the newest one if
    its work may be going on. What came of any other session is no nearer to what comes next than that of an earlier one, however new it is."""
    found: dict[int, BlockItem] = {}
    left = int(budget * _OF_TASK)
    for number in range(len(items) - 1, -1, -1):
        item = items[number]
        is_own = item.is_of(task)
        if not is_own and (number != len(items) - 1 or not item.is_open(task)):
            continue
        if utf16(item.said) <= _BRIEF and item.said == named(item.names(task)):
            continue  # the line of its day says as much
        if not is_own or size(item) > left:
            item = item.with_one_result
        if item.sessions or (size(item) > left and (found or number != len(items) - 1)):
            if (in_part := item.in_part(left, task)) is None:
                continue
            item = in_part
        found[number] = item
        left -= size(item)
    return found


def _backwards(items: Sequence[BlockItem], whole: Mapping[int, BlockItem], budget: int, task: str | None) -> tuple[list[BlockItem], int]:
    """Return (the items to show, oldest first, as far back as the budget reaches; the place of the oldest)."""
    left = budget - sum(map(size, whole.values()))
    shown: list[BlockItem] = []
    reached = len(items)
    while reached:
        begin = next((number + 1 for number in range(reached - 1, -1, -1) if items[number].day != items[reached - 1].day), 0)
        rest = [items[number] for number in range(begin, reached) if number not in whole]
        line = [_in_one_line(rest, min(left, _BRIEF if shown else int(left * _NEWEST)), task)] if rest else []
        if line and (size(line[0]) > left or (shown and line[0].said.startswith("(") and any(name for item in rest for name in item.names(task)))):
            break
        left -= sum(map(size, line))
        shown = [*line, *(whole[number] for number in range(begin, reached) if number in whole), *shown]
        reached = begin
    return shown, reached


def _in_one_line(items: Sequence[BlockItem], units: int, task: str | None) -> BlockItem:
    """Return items of one day in one line of about `units` UTF-16 units. It names as many of their sessions as fit, those of the task first and with what came
    of them, then the newest, and counts the others."""
    names = [name for item in items for name in item.names(task)]
    names = listed.with_result(names, next(filter(None, (item.result for item in reversed(items))), ""))
    if not any(names):
        names = [name for item in items for name in item.names(task, only_told=False)]
    parts = list(dict.fromkeys(filter(None, names)))
    day = items[0].day
    units -= utf16(f"[{day}]  (+{len(names)})") + 2
    kept: set[int] = set()
    for number in sorted(range(len(parts)), key=lambda number: (not listed.is_of(parts[number], task), -number)):
        if not kept and utf16(parts[number]) > units and len(parts) == 1 and units > _LEAST_LINE:
            parts[number] = cut_units(parts[number], units - 1).rstrip(" ;,") + "…"
        if utf16(parts[number]) <= units:
            units -= utf16(parts[number]) + len(BETWEEN)
            kept.add(number)
    counted = [part for number, part in enumerate(parts) if number in kept] + [""] * (len(parts) - len(kept) + names.count(""))
    return BlockItem(items[0].first, day, named(counted), *(memory for item in items for memory in item.memories))


def _beginning_of_the_newest(items: Sequence[BlockItem], budget: int) -> tuple[list[BlockItem], list[BlockItem]]:
    left = budget - utf16(items[-1].text_of(CUT)) - 2
    return ([items[-1].beginning(left)], list(items[:-1])) if left >= LEAST_CUT else ([], list(items))


def _episode(entry: Episode, kept: Kept, *, is_newest: bool) -> BlockItem:
    """Return the item of an episode. Words that only a search needs are left out, and what was open on a day after which the work went on."""
    told = kept(f"{is_newest}\n{entry.summary}")
    if not told:
        lines = listed.without_over(entry.summary, is_newest=is_newest).split("\n")
        lines = [line for line in lines if not line.removeprefix(listed.MARK).startswith(listed.HEADINGS["also"])] or lines
        told.update(text="\n".join(lines), short="\n".join(map(listed.with_one_result, lines)))
    label = f"{entry.date}, added later" if entry.kind == SUPPLEMENT else entry.date
    return BlockItem(entry.first, label, told["text"], entry.memory, short=told["short"], told=told)


def _piece(piece: UncoveredMessages, words: Sequence[str], kept: Kept, *, is_newest: bool, is_alone: bool) -> BlockItem | None:
    """Return the item of a piece, None if there is nothing to say. A request of which nothing came says little beside other work of its
    day. is_alone: whether nothing came of the other requests of the day either, so that they are all there is to tell."""
    told = kept("\n".join((f"{is_newest} {is_alone}", *words)))
    if not told:
        source = [neutralise(listed.without_over(without_permissions(text), is_newest=is_newest)) for text in words]
        said = [text for text in map(listed.without_unclear, source) if text and (is_alone or not listed.only_asks(text))]
        told.update(source=source, text=BETWEEN.join(said), short=BETWEEN.join(map(listed.with_one_result, said)))
    if not any(told["source"]):
        return None
    label = f"{piece.date}, {piece.source.partition('/')[2][:8]}"
    text, short = told["text"] or named([""]), told["short"] or None
    return BlockItem(piece.date, label, text, piece.memory, short=short, source=told["source"], told=told)


def _text(shown: Sequence[BlockItem], omitted: Sequence[BlockItem]) -> str:
    parts = [_left_out(omitted)] if omitted else []
    return _HEAD + "\n\n".join([*parts, *(item.text for item in shown if item.is_printed)]) + "\n"


def _left_out(omitted: Sequence[BlockItem]) -> str:
    labels = list(dict.fromkeys(item.first for item in omitted))
    named = ", ".join(labels) if len(labels) <= NAMED else f"{labels[0]} to {labels[-1]} ({len(labels)} days)"
    return f"(left out for space: {named}; 'memorybank episodes show DATE' prints a day)"


def _words(piece: UncoveredMessages) -> list[str]:
    return [" ".join(message.text.split()) for message in piece.messages]
