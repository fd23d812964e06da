"""Elastic injection, second step: the newest days that fit the budget, printed oldest first, and a note that names the days left out.

Sizes are in UTF-16 code units, as everywhere where text goes to a host.
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes.entry import SUPPLEMENT
from memorybank.episodes.window import without_known
from memorybank.injection import cut_units, estimate_tokens, neutralise, utf16
from memorybank.summarize import listed
from memorybank.text.prompts.withheld import without_permissions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

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
_BRIEF, _NEWEST = 240, 0.8
"""UTF-16 units of the line of a day, and the share of the space that is left which the line of the newest day may take."""
_LEAST_LINE = 60
"""UTF-16 units below which a day is left out."""
_BETWEEN = "; "
_NEW_LINE = "\n"
_OF_TASK = 0.8
"""Share of the budget that the items of the task may take. The rest is kept for days in one line."""


class BlockItem:
    """An item to print.

    first: its date, or the Monday of a merged week
    label: the text in its square brackets
    said: its neutralised text, computed on first use because most items do not fit
    memories: what it shows, `episode:DATE`, or `noted:…` for a piece
    short: its text with one result for each session
    source: what `names` are taken from, if not its text
    is_counted: whether it is printed although it `says_nothing`, because nothing else is printed of its day
    """

    __slots__ = ("_said", "_short", "_source", "_stored", "first", "is_counted", "label", "memories")

    def __init__(self, first: str, label: str, text: str, *memories: str, short: str | None = None, source: Sequence[str] = ()) -> None:
        self.first = first
        self.label = label
        self.memories = memories
        self._source = source
        self._stored = text
        self._short = short
        self._said: str | None = None
        self.is_counted = False

    @property
    def said(self) -> str:
        if self._said is None:
            self._said = neutralise(without_permissions(self._stored)).strip()
        return self._said

    @property
    def text(self) -> str:
        """The item as it is printed."""
        return self.text_of(self.said)

    def text_of(self, said: str) -> str:
        """Return the printed form of some text under this item's label."""
        return f"[{self.label}]{_NEW_LINE if said.startswith(listed.MARK) else ' '}{said}"

    @property
    def says_nothing(self) -> bool:
        """Whether it says no more than how many sessions there were, or not even that."""
        return not self.said or (self.said.startswith("(") and self.said in (_named([""]), _named([""] * max(1, len(self.memories)))))

    @property
    def is_printed(self) -> bool:
        return self.is_counted or not self.says_nothing

    @property
    def day(self) -> str:
        """The date, or the range of a merged week."""
        return self.label.partition(", ")[0]

    @property
    def with_one_result(self) -> BlockItem:
        """The same item with one result for each session."""
        return self.of(self._short) if self._short is not None else self

    @property
    def sessions(self) -> list[str]:
        """The lines of its text if this is a list of sessions, and nothing else."""
        found = listed.sessions_of(self.said)
        return found if len(found) == self.said.count("\n") + 1 else []

    def names(self, task: str | None) -> list[str]:
        """Return the names of its sessions; "" for one without a name. Those of the task are followed by what came of them. The first line of a text in
        sentences stands for it."""
        if not self._source and not listed.is_of_sessions(self.said):
            return [self.said.partition("\n")[0]]
        return [name for text in self._source or (self.said,) for name in listed.in_brief(text, task)]

    @property
    def result(self) -> str:
        """The first result of its last session; "" without one, and for a text in sentences, whose first line is its name."""
        if not self._source and not listed.is_of_sessions(self.said):
            return ""
        return next(filter(None, map(listed.first_result, reversed(self._source or (self.said,)))), "")

    def in_part(self, units: int, task: str | None) -> BlockItem | None:
        """Return a list of sessions with the results of those of the task, as many as fit `units` UTF-16 units after the names of the others; None for another
        text, and when not even one fits."""
        sessions = list(map(listed.without_unclear, self.sessions))
        found = None
        kept: set[int] = set()
        for number in (number for number in range(len(sessions) - 1, -1, -1) if listed.is_of(sessions[number], task)):
            kept.add(number)
            names = _named([listed.name(line) for other, line in enumerate(self.sessions) if other not in kept])
            longer = self.of(_NEW_LINE.join([*([names] if names else []), *(f"{listed.MARK}{sessions[each]}" for each in sorted(kept))]))
            if _size(longer) > units:
                break
            found = longer
        return found

    def of(self, said: str) -> BlockItem:
        """Return the same item with another text."""
        return BlockItem(self.first, self.label, said, *self.memories)

    def beginning(self, units: int) -> BlockItem:
        """Return the same item with only the first `units` UTF-16 units of its text."""
        return self.of(cut_units(self.said, units).rstrip() + _CUT)

    def is_of(self, task: str | None) -> bool:
        """Whether one of its sessions had this task."""
        return task is not None and any(listed.is_of(line, task) for line in self._source or self.said.split("\n"))

    def is_open(self, task: str | None) -> bool:
        """Whether the next session may go on with it: no commit ended it and neither has a task, or it is a text of which nobody knows more."""
        return task is None and listed.is_open(self._source[-1]) if self._source else not listed.is_of_sessions(self.said)


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
    newest = max((entry.last for entry in selection.entries), default="")
    newest = max(newest, max((piece.date for piece in selection.pieces), default=""))
    items = [_episode(entry, is_newest=entry.last == newest) for entry in selection.entries]
    for piece in selection.pieces:
        source = [neutralise(without_permissions(text)) for text in words(piece)]
        said = [text for text in map(listed.without_unclear, source) if text]
        short = _BETWEEN.join(map(listed.with_one_result, said))
        label = f"{piece.date}, {piece.source.partition('/')[2][:8]}"
        item = BlockItem(piece.date, label, _BETWEEN.join(said) or _named([""]), piece.memory, short=short or None, source=source)
        if any(source):
            items.append(item)
    items.sort(key=lambda item: item.first)
    shown, omitted = fit(items, budget - utf16(_text([], ())), task)
    if omitted:  # the line that names the omitted days needs a part of the budget
        shown, omitted = fit(items, budget - utf16(_text([], items)), task)
    is_empty = all(item.says_nothing for item in shown)
    shown = _counted(shown)
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
        one = BlockItem(item.first, item.day, _named([""] * len(memories)), *memories)
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
    if _size(items[-1].with_one_result) > budget:
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
        budget -= _size(item)
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
        if utf16(item.said) <= _BRIEF and item.said == _named(item.names(task)):
            continue  # the line of its day says as much
        if not is_own or _size(item) > left:
            item = item.with_one_result
        if item.sessions or (_size(item) > left and (found or number != len(items) - 1)):
            if (in_part := item.in_part(left, task)) is None:
                continue
            item = in_part
        found[number] = item
        left -= _size(item)
    return found


def _backwards(items: Sequence[BlockItem], whole: Mapping[int, BlockItem], budget: int, task: str | None) -> tuple[list[BlockItem], int]:
    """Return (the items to show, oldest first, as far back as the budget reaches; the place of the oldest)."""
    left = budget - sum(map(_size, whole.values()))
    shown: list[BlockItem] = []
    reached = len(items)
    while reached:
        begin = next((number + 1 for number in range(reached - 1, -1, -1) if items[number].day != items[reached - 1].day), 0)
        rest = [items[number] for number in range(begin, reached) if number not in whole]
        line = [_in_one_line(rest, min(left, _BRIEF if shown else int(left * _NEWEST)), task)] if rest else []
        if line and (_size(line[0]) > left or (shown and line[0].said.startswith("(") and any(name for item in rest for name in item.names(task)))):
            break
        left -= sum(map(_size, line))
        shown = [*line, *(whole[number] for number in range(begin, reached) if number in whole), *shown]
        reached = begin
    return shown, reached


def _in_one_line(items: Sequence[BlockItem], units: int, task: str | None) -> BlockItem:
    """Return items of one day in one line of about `units` UTF-16 units. It names as many of their sessions as fit, those of the task first and with what came
    of them, then the newest, and counts the others."""
    names = [name for item in items for name in item.names(task)]
    names = listed.with_result(names, next(filter(None, (item.result for item in reversed(items))), ""))
    parts = list(dict.fromkeys(filter(None, names)))
    day = items[0].day
    units -= utf16(f"[{day}]  (+{len(names)})") + 2
    kept: set[int] = set()
    for number in sorted(range(len(parts)), key=lambda number: (not listed.is_of(parts[number], task), -number)):
        if not kept and utf16(parts[number]) > units and len(parts) == 1 and units > _LEAST_LINE:
            parts[number] = cut_units(parts[number], units - 1).rstrip(" ;,") + "…"
        if utf16(parts[number]) <= units:
            units -= utf16(parts[number]) + len(_BETWEEN)
            kept.add(number)
    counted = [part for number, part in enumerate(parts) if number in kept] + [""] * (len(parts) - len(kept) + names.count(""))
    return BlockItem(items[0].first, day, _named(counted), *(memory for item in items for memory in item.memories))


def _named(names: Sequence[str]) -> str:
    """Return the names of sessions in one line, with the number of those without a name."""
    said = _BETWEEN.join(dict.fromkeys(filter(None, names)))
    others = names.count("")
    return f"{said} (+{others})" if said and others else said or (f"({others} session{'s' * (others > 1)})" if others else "")


def _size(item: BlockItem) -> int:
    """Return the UTF-16 units that an item takes, with the empty line after it."""
    return utf16(item.text) + 2


def _beginning_of_the_newest(items: Sequence[BlockItem], budget: int) -> tuple[list[BlockItem], list[BlockItem]]:
    left = budget - utf16(items[-1].text_of(_CUT)) - 2
    return ([items[-1].beginning(left)], list(items[:-1])) if left >= LEAST_CUT else ([], list(items))


def _episode(entry: Episode, *, is_newest: bool) -> BlockItem:
    """Return the item of an episode. Words that only a search needs are left out, and what was open on a day after which the work went on."""
    label = f"{entry.date}, added later" if entry.kind == SUPPLEMENT else entry.date
    unwanted = listed.HEADINGS["also"] if is_newest else (*listed.HEADINGS["also"], *listed.HEADINGS["open_ends"])
    lines = entry.summary.split("\n")
    kept = [line for line in lines if not line.removeprefix(listed.MARK).startswith(unwanted)] or lines
    short = "\n".join(map(listed.with_one_result, kept))
    return BlockItem(entry.first, label, "\n".join(kept), entry.memory, short=short)


def _text(shown: Sequence[BlockItem], omitted: Sequence[BlockItem]) -> str:
    parts = [_left_out(omitted)] if omitted else []
    return _HEAD + "\n\n".join([*parts, *(item.text for item in shown if item.is_printed)]) + "\n"


def _left_out(omitted: Sequence[BlockItem]) -> str:
    labels = list(dict.fromkeys(item.first for item in omitted))
    named = ", ".join(labels) if len(labels) <= NAMED else f"{labels[0]} to {labels[-1]} ({len(labels)} days)"
    return f"(left out for space: {named}; 'memorybank episodes show DATE' prints a day)"


def _words(piece: UncoveredMessages) -> list[str]:
    return [" ".join(message.text.split()) for message in piece.messages]
