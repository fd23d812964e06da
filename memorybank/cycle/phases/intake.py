"""RECORD for transcripts: many events of one session, appended in batches. Each has the time, folder and branch of its own line.

Everything else is done as in a hook: `line.fields_of`, then the log's own `append`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any

from memorybank.cycle import event as events
from memorybank.cycle.base import CycleContext
from memorybank.cycle.event import Event
from memorybank.cycle.phases.line import Surroundings, fields_of, identifier, keyed
from memorybank.cycle.phases.record import is_recorded, prepare
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


class TranscriptIntake:
    """RECORD for the events of one session's transcript.

    root_of: returns the folder that paths are relative to, from an event's own folder
    known: returns the ids in the log; called under its lock
    """

    def __init__(self, base: CycleContext, session_id: str, root_of: Callable[[str], str], known: Callable[[], Container[str]]) -> None:
        self.base = base
        self.session_id = session_id
        self.known = known
        self.root_of = root_of
        self._bases: dict[str, CycleContext] = {}

    def take_in(self, happened: Iterable[Event], wants: Callable[[Event, str], bool]) -> Iterator[list[Fields]]:
        """Append the events in order, in batches, and yield the recorded lines of each batch.

        When the log stays locked, the lines wait in the spool for its next writer.

        wants: whether an event with this id should be recorded
        """
        earlier: list[Fields] = []
        lines: list[Fields] = []
        for event in happened:
            prepare(self.base, event)
            if is_recorded(self.base, event) and (not event.strong_id or wants(event, identifier(self.base, event))):
                line = self._line(event, earlier)
                if event.strong_id or wants(event, line["id"]):
                    lines.append(line)
            # Skipped events count as earlier ones too: the outcome of a turn depends on all of its calls.
            command = event.inputs.get("command", "")
            earlier.append({"event": event.name, "agent_id": event.agent_id, "tool": event.tool, "status": event.status, "inputs": {"command": command}})
            if len(lines) >= _BATCH:
                yield self._append(lines)
                lines = []
        if lines:
            yield self._append(lines)

    def correct(self, corrections: Iterable[tuple[Event, str]]) -> list[Fields]:
        """Append the outcomes that hooks could not know: for each event whose line says `unknown`, a line that repeats the complete result.

        The original line stays as it is. Readers of the log take the outcome from the new line (`cycle.fold.corrected`). Returns the recorded lines.

        corrections: (event, id of its line)
        """
        lines = []
        for event, corrected in corrections:
            prepare(self.base, event)
            identity = keyed(self.base, self.session_id, event.agent_id, events.CORRECTION, corrected)
            lines.append({**self._line(event, []), "id": identity, "event": events.CORRECTION, "corrects": corrected})
        return self._append(lines) if lines else []

    def identified(self, happened: Iterable[Event]) -> Iterator[tuple[Event, str]]:
        """Yield the events that would be recorded, each with the id it would get."""
        return ((event, identifier(self.base, event)) for event in happened if is_recorded(self.base, event))

    def _line(self, event: Event, earlier: list[Fields]) -> Fields:
        root = self.root_of(event.cwd)
        rooted = self._bases.get(root) or self._bases.setdefault(root, self.base.rooted(root))
        return fields_of(rooted, event, ImportSurroundings(rooted, event, earlier))

    def _append(self, lines: list[Fields]) -> list[Fields]:
        record = self.base.settings.record
        writer = log.EventWriter(self.base.layout, self.base.key(), self.base.clock, record.cut_characters)
        written = writer.append(self.session_id, lines, durable=record.durability == "event", timeout=_PATIENCE, known=self.known)
        return lines if written is None else written
