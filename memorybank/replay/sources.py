"""The sources of a replay: a folder of generated histories, transcripts of Claude Code, or a bank's own log.

Each becomes sessions of `Event`s in one fictitious project folder, `PROJECT`. A report therefore depends only on what is replayed: not on
the folder where it is stored, on the order in which folders list their files, or on the files that the project has today.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from memorybank import clock as time_of
from memorybank.config import cycle as cycle_settings
from memorybank.config.cycle import CycleSettings
from memorybank.cycle.event import NAMES, PROMPT, SESSION_END, SUBAGENT_START, TOOL_AFTER, TOOL_BEFORE, TURN_END, Event
from memorybank.errors import MemorybankError, NotFound, UsageError, ValidationFailed
from memorybank.hosts import importing
from memorybank.hosts.detect import CLAUDE_CODE, dialect
from memorybank.hosts.transcripts.found import MAX_LINE_BYTES, at_paths, related
from memorybank.hosts.transcripts.reading import DAMAGED, TOO_LONG
from memorybank.log import events as log
from memorybank.log.lines import LogLine
from memorybank.notes.scan import sweep
from memorybank.storage import disk
from memorybank.storage.layout import BANK, MAX_NOTE_BYTES, Layout, describe

PROJECT = "/replayed"
"""The root of the project in every replay. The folder does not exist."""
HISTORY, TRANSCRIPTS, LOG = "history", "transcripts", "log"
SESSION_NOTES = "sync/sessions/"
_LARGEST_FILE = 1 << 30
_UNREAD = {TOO_LONG: f"a line over the limit of {MAX_LINE_BYTES >> 20} MiB, so it is not read", DAMAGED: "damaged, so the rest of the file is not read"}
"""What is said about a line of a transcript that may contain something to replay."""


class SourceNote(NamedTuple):
    """A note that exists from the beginning of the run. modified: ms."""

    key: str
    text: bytes
    modified: int


class ReplaySource(NamedTuple):
    """The sessions to replay.

    kind: `HISTORY`, `TRANSCRIPTS` or `LOG`
    name: for display
    events: in the order in which they happened
    skipped: what is left out because it cannot be read, each with its file and the reason; the rest is replayed
    """

    kind: str
    name: str
    events: Sequence[Event]
    notes: Sequence[SourceNote] = ()
    config: Sequence[tuple[str, bytes]] = ()
    settings: CycleSettings = cycle_settings.DEFAULTS
    skipped: Sequence[str] = ()

    @property
    def sessions(self) -> int:
        return len({event.session_id for event in self.events})


def of_history(folder: str) -> ReplaySource:
    """Read a folder written by `scripts/bench/histories`: `sessions/*.jsonl` with one Event per line, and `notes/`.

    Raises NotFound without `sessions/`, ValidationFailed for a line that is not an event.
    """
    sessions = os.path.join(folder, "sessions")
    if not os.path.isdir(sessions):
        raise NotFound(
            f"{folder} does not contain a sessions/ folder", next_step="generate histories with scripts/bench/histories, or pass transcripts or a bank"
        )
    found: list[Event] = []
    for name in sorted(os.listdir(sessions)):
        if name.endswith(".jsonl"):
            found.extend(_read_history(os.path.join(sessions, name)))
    begin = min((event.at or 0 for event in found), default=0)
    skipped: list[str] = []
    notes = [SourceNote(key, text, begin - time_of.DAY) for key, text in _files(os.path.join(folder, "notes"), skipped)]
    return ReplaySource(HISTORY, os.path.basename(os.path.abspath(folder)), in_order(moved(found, "/history")), notes, skipped=skipped)


def of_log(layout: Layout) -> ReplaySource:
    """Read what a bank recorded itself, with its settings and the notes that people wrote, as they are now."""
    found: list[Event] = []
    for name in log.names(layout):
        found.extend(event for line in log.read(layout, name) if (event := _of_line(line)) is not None)
    notes = []
    swept = sweep(layout)
    skipped = [f"{problem.path}: {problem.message}" for problem in swept.problems]
    for file in swept.found:
        if not file.key.startswith(SESSION_NOTES):
            try:
                notes.append(SourceNote(file.key, disk.read(layout.note_path(file.key), MAX_NOTE_BYTES), file.mtime_ns // 1_000_000))
            except (FileNotFoundError, MemorybankError) as error:
                skipped.append(_unread(file.key, error))
    notes.sort()
    config = [(name, data) for name, data in _files(layout.config, skipped) if name.endswith(".json")]
    root = layout.work_tree
    return ReplaySource(LOG, layout.relative(layout.root), in_order(moved(found, root)), notes, config, cycle_settings.load(layout)[0], skipped)


def of_transcripts(paths: Sequence[str]) -> ReplaySource:
    """Read transcripts of Claude Code (files or folders) as the events that its hooks would have reported; each session ends with its last line."""
    found: list[Event] = []
    counts = importing.ImportCounts()
    groups = related(at_paths(CLAUDE_CODE, paths))
    for group in sorted(groups, key=lambda group: (group[0].at, group[0].session, group[0].agent)):
        for session, reported, launched in importing.sessions_of(group, counts):
            root_of = importing.ProjectRoots(PROJECT, launched)
            happened = [each.event for each in reported if importing.is_reported(each.event)]
            if not happened:  # only calls that no hook is registered for
                continue
            last = happened[-1]
            happened.append(Event(host=last.host, name=SESSION_END, session_id=session, at=last.at, cwd=last.cwd, reason="other"))
            for event in happened:
                found.extend(moved([event], root_of(event.cwd)))
    skipped = [f"{fault.path}:{fault.line}: {_UNREAD[fault.kind]}" for fault in counts.faults if fault.kind in _UNREAD]
    return ReplaySource(TRANSCRIPTS, ", ".join(os.path.basename(os.path.abspath(path)) for path in paths), in_order(found), skipped=skipped)


def of_paths(paths: Sequence[str]) -> ReplaySource:
    """Read the source at these paths, whichever of the three kinds it is. Raises UsageError for several paths that are not transcripts."""
    kinds = {_kind(path) for path in paths}
    if kinds == {TRANSCRIPTS}:
        return of_transcripts(paths)
    if len(paths) > 1:
        raise UsageError("several paths can be replayed together only if all of them are transcripts", next_step="pass one history or one bank")
    return of_history(paths[0]) if kinds == {HISTORY} else of_log(describe(os.path.realpath(_bank(paths[0]) or paths[0])))


def _kind(path: str) -> str:
    if os.path.isfile(os.path.join(path, "history.json")):
        return HISTORY
    return TRANSCRIPTS if _bank(path) is None else LOG


def _bank(path: str) -> str | None:
    """Return the bank at a path: the folder itself, or `BANK` inside it."""
    return next((bank for bank in (path, os.path.join(path, BANK)) if any(os.path.isdir(os.path.join(bank, name)) for name in ("active", "log"))), None)


def in_order(events: Iterable[Event]) -> list[Event]:
    """Sort events by time, then by session, keeping each session's own order. An event without a time gets that of the one before it."""
    keyed: list[tuple[int, str, int, Event]] = []
    last: dict[str, int] = {}
    for position, event in enumerate(events):
        if event.at is None:
            event.at = last.get(event.session_id, 0)
        last[event.session_id] = event.at
        keyed.append((event.at, event.session_id, position, event))
    keyed.sort(key=lambda item: item[:3])
    return [event for _, _, _, event in keyed]


def moved(events: Iterable[Event], root: str) -> Iterator[Event]:
    """Yield the events with `root` replaced by `PROJECT` wherever that path occurs in their texts."""
    # An empty or root folder would match in every path; `(?!)` matches nothing.
    pattern = _below(root) if root.strip("/") else re.compile(r"(?!)")
    for event in events:
        for name in ("cwd", "prompt", "output", "error", "last_message"):
            value = getattr(event, name)
            if isinstance(value, str) and root in value:
                setattr(event, name, pattern.sub(PROJECT, value))
        event.inputs = {name: _moved(value, pattern) for name, value in event.inputs.items()}
        event.remarks = [(call, pattern.sub(PROJECT, text)) for call, text in event.remarks]
        event.transcript_path = None
        yield event


@cache
def _below(root: str) -> re.Pattern[str]:
    """Return a pattern for a folder's path, by itself or followed by what is below it, but not as the beginning of a longer name."""
    return re.compile(re.escape(root.rstrip("/")) + r"(?=[^\w.\-]|$)")


def _moved(value: Any, pattern: re.Pattern[str]) -> Any:
    if isinstance(value, str):
        return pattern.sub(PROJECT, value)
    return [_moved(item, pattern) for item in value] if isinstance(value, list) else value


def _read_history(path: str) -> Iterator[Event]:
    data = disk.read(path, _LARGEST_FILE).decode("utf-8")
    for number, raw in enumerate(data.split("\n"), 1):
        if not raw.strip():
            continue
        try:
            fields = json.loads(raw)
            yield Event(**{name: value for name, value in fields.items() if name in Event._fields})
        except (ValueError, TypeError, AttributeError) as error:
            raise ValidationFailed(f"{path}:{number} is not an event: {error}", next_step="generate the history again with scripts/bench/histories") from error


def _of_line(line: LogLine) -> Event | None:
    """Return the event that a line of the log was made from, as far as the line still contains it."""
    fields = line.fields
    name = fields.get("event")
    at = time_of.parse(str(fields.get("timestamp")))
    if name not in NAMES or name == SUBAGENT_START or at is None:
        return None
    inputs = fields.get("inputs") or {}
    speaks = dialect(str(fields.get("host")))
    event = Event(
        host=str(fields.get("host") or ""),
        name=str(name),
        session_id=str(fields.get("session_id") or ""),
        agent_id=str(fields.get("agent_id") or ""),
        agent_role=str(fields.get("agent_role") or ""),
        at=at,
        cwd=PROJECT,
        strong_id=fields.get("tool_use_id"),
        tool_use_id=fields.get("tool_use_id"),
        source=fields.get("source"),
        reason=fields.get("reason"),
        human=fields.get("human") is not False,
        tool=fields.get("tool"),
        error=fields.get("error"),
        latency_ms=fields.get("latency_ms"),
        tokens=(fields.get("cost") or {}).get("tokens"),
        open_work=fields.get("open_work") or 0,
        delivery=name in speaks.delivers and not fields.get("mute"),
    )
    output = _output(fields)
    if name == PROMPT:
        event.prompt = str(inputs.get("text") or "")
    elif name == TURN_END:
        event.last_message, event.status = output, fields.get("status")
        event.interrupted = event.reason == "interrupted"
    elif name in (TOOL_BEFORE, TOOL_AFTER):
        event.inputs, event.output, event.status = dict(inputs), output, fields.get("status")
        event.host_status = fields.get("host_status")
    return event


def _output(fields: dict[str, Any]) -> str | None:
    outputs = fields.get("outputs") or {}
    parts = [part for part in (outputs.get("head"), outputs.get("tail")) if isinstance(part, str)]
    return "\n".join(parts) if parts else None


def _files(folder: str, skipped: list[str]) -> list[tuple[str, bytes]]:
    """Return (path below the folder, bytes) of every file in it, sorted by path. What cannot be read is added to `skipped`."""
    found = []
    for below, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(below, name)
            try:
                found.append((os.path.relpath(path, folder).replace(os.sep, "/"), disk.read(path, MAX_NOTE_BYTES)))
            except (FileNotFoundError, MemorybankError) as error:
                skipped.append(_unread(path, error))
    return sorted(found)


def _unread(path: str, error: Exception) -> str:
    """Return what is wrong with a file that cannot be read, beginning with its path."""
    message = error.message if isinstance(error, MemorybankError) else "it is not there any more"
    return message if path in message else f"{path}: {message}"
