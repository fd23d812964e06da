"""RECORD for transcripts: many events of one session, appended in batches. Each has the time, folder and branch of its own line.

Everything else is done as in a hook: `record.fields_of`, then the log's own `append`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any

from memorybank.cycle import event as events
from memorybank.cycle.base import CycleContext
from memorybank.cycle.event import Event
from memorybank.cycle.phases.record import Surroundings, fields_of, identifier, is_recorded, keyed
from memorybank.log import events as log

Fields = dict[str, Any]

_BATCH = 250
"""Number of lines in one locked append."""
_PATIENCE = 2.0
"""Seconds that an import waits for a log."""


class ImportSurroundings(Surroundings):
    """The surroundings of an imported event: nothing from the moment of the import."""

    __slots__ = ("lines",)
    origin = "import"

    def __init__(self, base: CycleContext, event: Event, lines: list[Fields]) -> None:
        super().__init__(base, event)
        self.lines = lines

    def earlier(self) -> Iterable[Fields]:
        return reversed(self.lines)

    def task(self) -> str | None:
        return None

    def branch(self) -> str | None:
        return self.event.branch


def take_in(
    base: CycleContext,
    session_id: str,
    events: Iterable[Event],
    root_of: Callable[[str], str],
    wants: Callable[[Event, str], bool],
    known: Callable[[], Container[str]],
) -> Iterator[list[Fields]]:
    """Append the events of one session's transcript in order, in batches, and yield the recorded lines of each batch.

    When the log stays locked, the lines wait in the spool for its next writer.

    root_of: returns the folder that paths are relative to, from an event's own folder
    wants: whether an event with this id should be recorded
    known: returns the ids in the log; called under its lock
    """
    earlier: list[Fields] = []
    bases: dict[str, CycleContext] = {}
    lines: list[Fields] = []

    for event in events:
        if is_recorded(base, event):
            root = root_of(event.cwd)
            rooted = bases.get(root) or bases.setdefault(root, base.rooted(root))
            if not event.strong_id or wants(event, identifier(base, event)):
                line = fields_of(rooted, event, ImportSurroundings(rooted, event, earlier))
                if event.strong_id or wants(event, line["id"]):
                    lines.append(line)
        # Skipped events count as earlier ones too: the outcome of a turn depends on all of its calls.
        command = event.inputs.get("command", "")
        earlier.append({"event": event.name, "agent_id": event.agent_id, "tool": event.tool, "status": event.status, "inputs": {"command": command}})
        if len(lines) >= _BATCH:
            yield _append(base, session_id, lines, known)
            lines = []
    if lines:
        yield _append(base, session_id, lines, known)


def _append(base: CycleContext, session_id: str, lines: list[Fields], known: Callable[[], Container[str]]) -> list[Fields]:
    cut, durable = base.settings.record.cut_characters, base.settings.record.durability == "event"
    written = log.EventWriter(base.layout, base.key(), base.clock, cut).append(session_id, lines, durable=durable, timeout=_PATIENCE, known=known)
    return lines if written is None else written


def correct(
    base: CycleContext,
    session_id: str,
    corrections: Iterable[tuple[Event, str]],
    root_of: Callable[[str], str],
    known: Callable[[], Container[str]],
) -> Iterator[list[Fields]]:
    """Append the outcomes that hooks could not know: for each event whose line says `unknown`, a line that repeats the complete result.

    The original line stays as it is. Readers of the log take the outcome from the new line (`cycle.fold.corrected`).
    """
    lines = []
    for event, identifier_ in corrections:
        rooted = base.rooted(root_of(event.cwd))
        line = fields_of(rooted, event, ImportSurroundings(rooted, event, []))
        line.update(id=keyed(base, session_id, event.agent_id, events.CORRECTION, identifier_), event=events.CORRECTION, corrects=identifier_)
        lines.append(line)
    if lines:
        yield _append(base, session_id, lines, known)
