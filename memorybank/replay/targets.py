"""The targets of recall: the first use of a file, command or note in a context, when notes or earlier lines of other contexts
contain it. Folders, and git and plain shell commands (`ls`, `rm`), which every agent knows, are not targets.

Computed from the lines of a log. Source: Self-improving memory cycle, replay design ("Target", "Hit").

A context here is session × agent. A *use* is a call (its intent or its result) that names the anchor; an error's signature is not a
use, because it happens to an agent. A target is *novel* when nothing that the context saw before names it: no prompt, no call, no
recorded output and, for a sub-agent, not its instructions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memorybank.config.cycle import CycleSettings
from memorybank.cycle import event as events
from memorybank.cycle.fold.exposed import WINDOW
from memorybank.cycle.fold.recorded import EXPOSURES, LogEvent
from memorybank.cycle.recall.ranking import MemoryReader
from memorybank.replay.text_targets import Context, stands_in
from memorybank.text.commands import programs
from memorybank.visibility import Viewer

USED = ("file", "cmd", "note")
"""Kinds of anchors that a call can use."""
_PLAIN = programs.VIEWERS | programs.PREPARATION | frozenset(str.split("git write cp mv rm mkdir rmdir touch chmod chown ln tar zip unzip kill pkill"))
_PLAIN_BEHIND_ANY = frozenset(str.split("git cd ls cat grep rg find head tail sed awk wc tree echo mkdir rm"))
"""Second words that are plain commands after a wrapper, and that hardly ever name something a tool does."""
WITHIN = WINDOW
"""A use counts only among this many next calls of its agent. The cycle learns with the same window."""


class Target(NamedTuple):
    """A first use. offset: of the line that uses the anchor; seen: of the first earlier line that names it, None when novel; at: ms."""

    session: str
    agent: str
    anchor: str
    offset: int
    seen: int | None
    at: int

    @property
    def novel(self) -> bool:
        return self.seen is None

    @property
    def kind(self) -> str:
        return self.anchor.partition(":")[0]


class ShownMemory(NamedTuple):
    """One memory that an arm put before a context.

    offset: size of its session's log at that time
    rank: from 1, among the memories of that moment
    anchors: the memory's anchors without those that the trigger itself contained
    holds: all its anchors
    """

    session: str
    agent: str
    offset: int
    moment: str
    rank: int
    memory: str
    anchors: tuple[str, ...]
    tokens: int
    holds: frozenset[str] = frozenset()


class Timeline:
    """Every target of a run, and the offsets of each context's call results."""

    def __init__(self, targets: Sequence[Target], results: Mapping[Context, Sequence[int]]) -> None:
        self.targets = targets
        self.results = results

    def is_within(self, shown: int, used: int, context: Context) -> bool:
        """Return whether fewer than `WITHIN` results of the context are between two offsets."""
        results = self.results.get(context, ())
        return bisect_left(results, used) - bisect_left(results, shown) < WITHIN


class _Context:
    """The texts and anchors that one context has seen so far. named: {anchor: offset of the first line that names it}; texts: (offset, text) of each text."""

    def __init__(self, instructions: str) -> None:
        self.named: dict[str, int] = {}
        self.texts: list[tuple[int, str]] = [(0, instructions)] if instructions else []
        self.used: set[str] = set()
        self.results: list[int] = []

    def first_seen(self, anchor: str) -> int | None:
        named = self.named.get(anchor)
        name = anchor.partition(":")[2]
        if anchor.startswith("cmd:"):
            return named
        read = next((offset for offset, text in self.texts if stands_in(name, text)), None)
        return min((offset for offset in (named, read) if offset is not None), default=None)


class ViewingScope(NamedTuple):
    """The properties that decide who may see something: its kind (as a memory's), its scope, and the session and agent that made it."""

    kind: str
    acl: str | None
    privacy: str | None
    hold: bool
    role: str | None
    session: str | None
    agent: str | None


def timeline(lines: Iterable[LogEvent], notes: Mapping[str, Iterable[ViewingScope]], settings: CycleSettings) -> Timeline:
    """Return every target of a run. lines: in order of time; notes: {anchor: who may see the notes with this anchor}."""
    lines = list(lines)
    folders = _folders(lines)
    holders: dict[str, dict[ViewingScope, int]] = {}
    contexts: dict[Context, _Context] = {}
    delegated: dict[str, str] = {}
    targets: list[Target] = []
    for line in lines:
        if line.event in EXPOSURES:
            continue
        key = (line.session, line.agent)
        context = contexts.get(key)
        if context is None:
            context = contexts[key] = _Context(delegated.get(line.session, "") if line.agent != events.MAIN else "")
        if line.event in (events.TOOL_BEFORE, events.TOOL_AFTER):
            viewer = Viewer(role=line.role, session=line.session, agent=line.agent)
            for anchor in line.anchors:
                if anchor.partition(":")[0] in USED and anchor not in context.used and anchor not in folders and not is_plain(anchor):
                    # Marked even if nothing held it: only the first use in a context can be a target.
                    context.used.add(anchor)
                    held = holders.get(anchor, {})
                    if any(_sees(viewing, at, viewer, settings, line) for viewing, at in held.items()) or any(
                        _sees(viewing, 0, viewer, settings, line) for viewing in notes.get(anchor, ())
                    ):
                        targets.append(Target(*key, anchor, line.offset, context.first_seen(anchor), line.at))
        # After the targets, so that a line does not count as seen before itself.
        _remember(context, line)
        if line.event == events.TOOL_BEFORE and line.tool == "Agent":
            delegated[line.session] = f"{line.text('prompt')}\n{line.text('description')}"
        viewing = ViewingScope("group", line.cell.acl, line.cell.privacy, bool(line.cell.hold), line.role, line.session, line.agent)
        for anchor in line.anchors:
            holders.setdefault(anchor, {}).setdefault(viewing, line.at)
    return Timeline(targets, {key: context.results for key, context in contexts.items()})


def hits(timeline: Timeline, shown: Iterable[ShownMemory]) -> dict[Target, list[ShownMemory]]:
    """Return {target: the shown memories that hit it, in the order shown}, for every target that was hit.

    A memory hits a target when it was shown before the use, the use is among the context's next `WITHIN` calls, and nothing that the
    context saw before the memory names the anchor.
    """
    by_anchor: dict[tuple[str, str, str], list[ShownMemory]] = {}
    for memory in shown:
        for anchor in memory.anchors:
            by_anchor.setdefault((memory.session, memory.agent, anchor), []).append(memory)
    found: dict[Target, list[ShownMemory]] = {}
    for target in timeline.targets:
        context = (target.session, target.agent)
        matching = [
            memory
            for memory in by_anchor.get((*context, target.anchor), ())
            if memory.offset <= target.offset
            and (target.seen is None or memory.offset <= target.seen)
            and timeline.is_within(memory.offset, target.offset, context)
        ]
        if matching:
            found[target] = matching
    return found


def _folders(lines: Iterable[LogEvent]) -> set[str]:
    """Return the anchors of the folders: the paths below which other paths of the log are. An agent that lists or searches `src` discovered nothing."""
    found = set()
    for anchor in {anchor for line in lines for anchor in line.anchors if anchor.startswith("file:")}:
        folder = anchor.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found


def is_plain(anchor: str) -> bool:
    """Return whether an anchor is a command of git or the plain shell, possibly after a wrapper (`cmd:rtk git status`)."""
    kind, _, mark = anchor.partition(":")
    first, _, rest = mark.partition(" ")
    return kind == "cmd" and (first in _PLAIN or rest.partition(" ")[0] in _PLAIN_BEHIND_ANY)


def _sees(viewing: ViewingScope, at: int, viewer: Viewer, settings: CycleSettings, line: LogEvent) -> bool:
    kind, acl, privacy, hold, role, session, agent = viewing
    if kind != "note" and (session, agent) == (line.session, line.agent):
        return False
    return MemoryReader(viewer, settings, line.at).sees(kind, at, acl, privacy, hold, role, session, agent)


def _remember(context: _Context, line: LogEvent) -> None:
    for anchor in line.anchors:
        context.named.setdefault(anchor, line.offset)
    texts = [line.head, line.tail, line.error, *(value for value in line.inputs.values() if isinstance(value, str))]
    text = "\n".join(part for part in texts if part)
    if text and line.event != events.TURN_END:
        context.texts.append((line.offset, text))
    if line.event == events.TOOL_AFTER:
        context.results.append(line.offset)
