"""Collects what this machine recorded about the changes of a note: calls of agents in sessions, and commands of memorybank.

The logs contain the beginning and the end of what a call wrote, without secrets, so a trace may know only some of its lines.
"""

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from memorybank import clock as time_of
from memorybank.blame.statements import lines_of
from memorybank.editing.settle import ChangePlaces
from memorybank.errors import MemorybankError
from memorybank.log import access, changes, events, learned, lines, organize
from memorybank.log.changes import ChangeRecord
from memorybank.log.seal import CUT_MARK
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout
from memorybank.text import generated
from memorybank.visibility import Origin, Viewer, released, visible

CALL, COMMAND, SESSION_END = "call", "command", "session_end"
_EVENT = "tool_after"
_WRITING = ("Edit", "Write", "NotebookEdit")
_OWN = b"memorybank"
_VERB = re.compile(r"(?<![a-z])memorybank(?![a-z])[^\n|;&]{0,200}?(?<![a-z])(add|remember|edit|rate|mv|tags|forget|undo)(?![a-z])")
_LONGEST_CALL = 120_000
"""Maximum time (ms) between the change that a command made and the end of the call that ran it."""
_SHORTEST = 8
"""Minimum number of characters of a line that is looked for inside the text of a command."""
_SHORTEST_PIECE = 4
"""Minimum number of characters of a replaced part that is looked for inside lines."""
_NARROW = {"memorybank rate": ("rating:",), "memorybank mv": (), "memorybank tags rename": ()}
"""Commands that change only the front matter or links, and what the lines that they write certainly contain."""
_NOTES = "active/"


class NoteTrace(NamedTuple):
    """One recorded change of a note.

    kind: `call` (of an agent's tool), `command` (of memorybank) or `session_end`
    at: ms
    command: the tool or the command
    session, host: of a call, and of the end of a session; "" for a command by hand
    lines: lines that it certainly wrote
    pieces: parts of lines that it certainly wrote
    text: text that it wrote and in which a line may be contained
    is_complete: whether `lines` are all lines that it wrote
    is_hidden: whether the session may not be shown to the viewer
    """

    kind: str
    at: int
    command: str
    session: str = ""
    host: str = ""
    lines: frozenset[str] = frozenset()
    pieces: tuple[str, ...] = ()
    text: str = ""
    is_complete: bool = False
    is_hidden: bool = False

    def has_written(self, line: str) -> bool:
        """Return whether the record shows that this change wrote a line."""
        if line in self.lines or any(piece in line for piece in self.pieces):
            return True
        return len(line.strip()) >= _SHORTEST and line.strip() in self.text


def former_keys(layout: Layout, key: str) -> list[str]:
    """Return a note's key and the keys that it had before, the latest first, as far as commands renamed it."""
    renamed = [entry for _, entry in access.read(layout) if entry.kind == "renamed"]
    found = [key]
    for entry in reversed(renamed):
        if entry.new_key == found[-1] and entry.key not in found:
            found.append(entry.key)
    return found


def traces(layout: Layout, keys: Sequence[str], data: bytes, viewer: Viewer, release_at: int | None) -> list[NoteTrace]:
    """Return the recorded changes of a note, the earliest first.

    keys: those that the note has and had
    data: its bytes
    viewer: who is shown sessions
    release_at: instant (ms) at which time releases what a session recorded; None if it never does
    """
    paths = {layout.relative(layout.file_path(key)) for key in keys}
    calls = list(_calls(layout, paths, viewer, release_at))
    commands = [_with_session(command, keys, calls) for command in _commands(layout, {_NOTES + key for key in keys}, data)]
    return sorted((*calls, *commands, *_session_ends(layout, keys, data)), key=lambda trace: trace.at)


def _with_session(command: NoteTrace, keys: Sequence[str], calls: Sequence[NoteTrace]) -> NoteTrace:
    """Return a command with the session in which an agent ran it: that of a call which ended soon afterwards and names the command and the note."""
    names = [os.path.basename(key).removesuffix(".md") for key in keys]
    verb = " ".join(command.command.split()[:2])
    for call in calls:
        is_same = call.command == verb and command.at <= call.at <= command.at + _LONGEST_CALL
        if is_same and any(name in call.text for name in names):
            return command._replace(session=call.session, host=call.host, is_hidden=call.is_hidden)
    return command


def _calls(layout: Layout, paths: Collection[str], viewer: Viewer, release_at: int | None) -> Iterator[NoteTrace]:
    """Yield the calls of agents that wrote one of these files, and those that ran a command of memorybank."""
    parts = [_OWN, *(os.fsencode(os.path.basename(path).partition('"')[0]) for path in paths)]
    for name in events.names(layout):
        for fields in lines.read_containing(os.path.join(events.folder(layout), name), *parts):
            at = time_of.parse(str(fields.get("timestamp")))
            if fields.get("event") != _EVENT or fields.get("status") == "failure" or at is None:
                continue
            trace = _call(fields, paths, at)
            if trace is not None:
                yield trace._replace(is_hidden=not _is_visible(fields, at, viewer, release_at))


def _call(fields: Mapping[str, Any], paths: Collection[str], at: int) -> NoteTrace | None:
    given = fields.get("inputs")
    inputs = {name: str(value) for name, value in given.items()} if isinstance(given, dict) else {}
    tool, session, host = str(fields.get("tool")), str(fields.get("session_id")), str(fields.get("host") or "")
    files = fields.get("files")
    if tool in _WRITING and isinstance(files, list) and any(path in files for path in paths):
        return _writing(inputs, NoteTrace(CALL, at, tool, session, host))
    text = "\n".join(inputs.values())
    verb = _VERB.search(tool.replace("-", "_") + "\n" + text)
    return NoteTrace(CALL, at, f"memorybank {verb[1]}", session, host, text=text) if verb else None


def _writing(inputs: Mapping[str, str], trace: NoteTrace) -> NoteTrace:
    """Return a call with what it wrote: a complete text, the lines of a patch, or a replaced part, which can begin and end within a line."""
    old, new = lines_of(inputs.get("old_string", "")), lines_of(inputs.get("new_string", ""))
    patch = [line[1:] for line in lines_of(inputs.get("patch", "")) if line.startswith("+")]
    written = {*lines_of(inputs.get("content", "")), *patch, *(line for line in new if line not in old)}
    pieces = tuple(piece for piece in dict.fromkeys((new[0], new[-1])) if piece in written and len(piece) >= _SHORTEST_PIECE) if new else ()
    is_cut = any(CUT_MARK in text for text in inputs.values()) or not written
    return trace._replace(lines=frozenset(written), pieces=pieces, is_complete=not is_cut)


def _is_visible(fields: Mapping[str, Any], at: int, viewer: Viewer, release_at: int | None) -> bool:
    privacy = str(fields.get("privacy") or "public")
    origin = Origin(fields.get("agent_role"), fields.get("session_id"), fields.get("agent_id"))
    if release_at is not None and not fields.get("hold"):
        privacy = released(privacy, release_at - at) or privacy
    return visible(str(fields.get("acl") or "user"), privacy, origin, viewer)


def _commands(layout: Layout, paths: Collection[str], data: bytes) -> Iterator[NoteTrace]:
    """Yield the changes that commands made. What one wrote is known if the versions before and after it are still kept."""
    records = [record for record in changes.read(layout) if record.is_done and (record.path in paths or record.new_path in paths)]
    versions = {sha256(data).hexdigest(): data}
    for record in records:
        before = _kept(layout, record)
        if before is not None:
            versions[record.before] = before
    for record in records:
        before, after = versions.get(record.before, b"" if record.kind == changes.CREATING else None), versions.get(record.after)
        trace = NoteTrace(COMMAND, record.at, record.command, is_complete=record.kind == changes.RENAMING or record.command in _NARROW)
        if before is not None and after is not None:
            yield trace._replace(lines=_texts(after) - _texts(before), is_complete=True)
        else:
            yield trace._replace(pieces=_NARROW.get(record.command, ()))


def _kept(layout: Layout, record: ChangeRecord) -> bytes | None:
    """Return the version before a change, if it is kept unchanged."""
    try:
        data = disk.read(ChangePlaces.of(layout, record).kept, MAX_NOTE_BYTES)
    except (MemorybankError, OSError):
        return None
    return data if sha256(data).hexdigest() == record.before else None


def _session_ends(layout: Layout, keys: Sequence[str], data: bytes) -> Iterator[NoteTrace]:
    """Yield the writing of a session note or learned note by the end of a session, if nobody edited the note since."""
    digest = sha256(data).hexdigest()
    written = _texts(data)
    steps = organize.read(layout) if generated.is_sealed(data) else ()
    last = {step.session: step for step in steps if step.step == organize.NOTE and step.details.get("key") in keys}
    for step in last.values():
        yield NoteTrace(SESSION_END, step.at, "end of the session", step.session, lines=written, is_complete=True)
    for line in lines.read(learned.path(layout)):
        at = time_of.parse(str(line.fields.get("at")))
        if line.fields.get("kind") == learned.KIND and line.fields.get("digest") == digest and line.fields.get("key") in keys and at is not None:
            yield NoteTrace(SESSION_END, at, "end of a session", lines=written, is_complete=True)


def _texts(data: bytes) -> frozenset[str]:
    return frozenset(lines_of(data.decode("utf-8", "replace").removeprefix("\ufeff")))
