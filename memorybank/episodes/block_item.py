"""An item of the block at the start of a session: one day, one session of it, or the sessions of a day in one line.

Sizes are in UTF-16 code units.
"""

from __future__ import annotations

__light__ = True

from memorybank.injection import cut_units, neutralise, utf16
from memorybank.summarize import listed
from memorybank.text.prompts.withheld import without_permissions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

CUT = "… (cut for space)"
BETWEEN = "; "
_NEW_LINE = "\n"


class BlockItem:
    """An item to print.

    first: its date, or the Monday of a merged week
    label: the text in its square brackets
    memories: what it shows, `episode:DATE`, or `noted:…` for a piece
    short: its text with one result for each session
    source: what `names` are taken from, if not its text
    told: what was computed of its text before, by name; what is computed now is added
    is_counted: whether it is printed although it `says_nothing`, because nothing else is printed of its day
    """

    __slots__ = ("_short", "_source", "_stored", "_told", "first", "is_counted", "label", "memories")

    def __init__(
        self, first: str, label: str, text: str, *memories: str, short: str | None = None, source: Sequence[str] = (), told: dict[str, Any] | None = None
    ) -> None:
        self.first = first
        self.label = label
        self.memories = memories
        self._source = source
        self._stored = text
        self._short = short
        self._told = {} if told is None else told
        self.is_counted = False

    def _once(self, name: str, computed: Callable[[], Any]) -> Any:
        if name not in self._told:
            self._told[name] = computed()
        return self._told[name]

    @property
    def said(self) -> str:
        """Its neutralised text."""
        said: str = self._once("said", lambda: neutralise(without_permissions(self._stored)).strip())
        return said

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
        return not self.said or (self.said.startswith("(") and self.said in (named([""]), named([""] * max(1, len(self.memories)))))

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
    def at_start(self) -> BlockItem:
        """The same item with what of its text a session reads (`listed.at_start`)."""
        said = self.said if self._source else self._once("start", lambda: listed.at_start(self.said))
        return self if said == self.said else self.of(said)

    @property
    def sessions(self) -> list[str]:
        """The lines of its text if this is a list of sessions, and nothing else."""
        found = listed.sessions_of(self.said)
        return found if len(found) == self.said.count("\n") + 1 else []

    def names(self, task: str | None, *, only_told: bool = True) -> list[str]:
        """Return the names of its sessions; "" for one without a name. Those of the task are followed by what came of them. The first line of a text in
        sentences stands for it. only_told: whether a request of which nothing came is left out"""
        names: list[str] = self._once(f"{'told' if only_told else 'names'} {task or ''}", lambda: self._named(task, only_told))
        return names

    def _named(self, task: str | None, only_told: bool) -> list[str]:
        if not self._source and not listed.is_of_sessions(self.said):
            return [self.said.partition("\n")[0]]
        return [name for text in self._source or (self.said,) for name in listed.in_brief(text, task, only_told=only_told)]

    @property
    def result(self) -> str:
        """The first result of its last session; "" without one, and for a text in sentences, whose first line is its name."""
        result: str = self._once("result", self._resulted)
        return result

    def _resulted(self) -> str:
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
            names = named([listed.name(line) for other, line in enumerate(self.sessions) if other not in kept])
            longer = self.of(_NEW_LINE.join([*([names] if names else []), *(f"{listed.MARK}{sessions[each]}" for each in sorted(kept))]))
            if size(longer) > units:
                break
            found = longer
        return found

    def of(self, said: str) -> BlockItem:
        """Return the same item with another text."""
        return BlockItem(self.first, self.label, said, *self.memories)

    def beginning(self, units: int) -> BlockItem:
        """Return the same item with only the first `units` UTF-16 units of its text."""
        return self.of(cut_units(self.said, units).rstrip() + CUT)

    def is_of(self, task: str | None) -> bool:
        """Whether one of its sessions had this task."""
        return task is not None and any(listed.is_of(line, task) for line in self._source or self.said.split("\n"))

    def is_open(self, task: str | None) -> bool:
        """Whether the next session may go on with it: no commit ended it and neither has a task, or it is a text of which nobody knows more."""
        return task is None and listed.is_open(self._source[-1]) if self._source else not listed.is_of_sessions(self.said)


def named(names: Sequence[str]) -> str:
    """Return the names of sessions in one line, with the number of those without a name."""
    said = BETWEEN.join(dict.fromkeys(filter(None, names)))
    others = names.count("")
    return f"{said} (+{others})" if said and others else said or (f"({others} session{'s' * (others > 1)})" if others else "")


def size(item: BlockItem) -> int:
    """Return the UTF-16 units that an item takes, with the empty line after it."""
    return utf16(item.text) + 2
