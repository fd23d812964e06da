"""Compares an export with a bank of this machine, and plans what an import adds. Nothing that this machine has is ever replaced."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from memorybank.clock import isoformat
from memorybank.errors import ValidationFailed
from memorybank.log import access, events, key, learned, lines
from memorybank.storage import compressed, disk
from memorybank.storage.layout import Layout
from memorybank.transfer import contents, resealing
from memorybank.transfer.contents import ALONE, COUNTS, EVENTS, KEY, LOGS, SIGNED, SPOOL, UNKNOWN_NOTES, ExportedFile
from memorybank.transfer.export_file import LocalExport
from memorybank.transfer.resealing import Fields, ForeignLog, KeyPair

CREATE, ADD, SAME, LEFT = "create", "add", "same", "left"
NEW_KEY, SAME_KEY, OTHER_KEY, NO_KEY = "new", "same", "other", "none"
_COUNTED = ("view", access.SHOWN, access.HELPED, "share", "dwell")
_MOST = 1 << 40
ALTERED = "lines of it do not match their signatures, or a newer memorybank wrote them"
OWN_LOG = "this machine has a log of its own, and its lines cannot be merged"
OTHER_TEXT = "this machine has another version, which stays"
NO_LOG = "the log that names it was not taken"


@dataclass(frozen=True, slots=True)
class ImportStep:
    """What an import does with one file.

    action: `create`, `add` (lines at its end), `same` (this machine has it) or `left`
    lines: number of lines that are new on this machine
    data: the bytes that are written: the file, or the lines at its end
    reason: why it is left
    """

    path: str
    action: str
    lines: int = 0
    data: bytes = b""
    mtime_ns: int = 0
    reason: str = ""

    def to_json(self) -> dict[str, object]:
        fields: dict[str, object] = {"path": self.path, "action": self.action, "lines": self.lines}
        return {**fields, "reason": self.reason} if self.reason else fields


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What an import does. Carrying it out writes exactly these bytes.

    key: `new` (this machine takes the key of the export), `same`, `other` (lines are signed again with the key of this machine), `none`
    trust: the decision about the bank that this machine takes over, or None
    """

    export: LocalExport
    key: str
    steps: tuple[ImportStep, ...]
    trust: dict[str, Any] | None = None

    @property
    def changes(self) -> int:
        """Number of files that the import creates or adds to, and of decisions that it takes over."""
        return sum(step.action in (CREATE, ADD) for step in self.steps) + (self.trust is not None)

    def to_json(self) -> dict[str, object]:
        export = self.export
        return {
            **{"project": export.project, "made_at": isoformat(export.at), "made_by": export.made_by, "key": self.key},
            **{"trust": self.trust is not None, "changes": self.changes, "files": [step.to_json() for step in self.steps]},
        }


def plan(layout: Layout, export: LocalExport, trust: dict[str, Any] | None) -> ImportPlan:
    """Return what importing `export` into this bank does.

    trust: the decision that this machine would take over
    Raises `ValidationFailed` for a bank whose own key cannot be read.
    """
    ours = key.load(layout)
    if ours is None and (os.path.lexists(key.path(layout)) or events.names(layout)):
        raise ValidationFailed(
            f"{layout.relative(key.path(layout))}: this machine has event logs and no key that can be read",
            next_step="put the key back, or move log/ away; then run the same command again",
        )
    theirs = export.key
    state = NO_KEY if theirs is None else NEW_KEY if ours is None else SAME_KEY if ours == theirs else OTHER_KEY
    keys = KeyPair(theirs or b"", ours or theirs or b"")
    return ImportPlan(export, state, tuple(_ImportMerge(layout, export, keys).steps()), trust)


@dataclass(slots=True)
class _ImportMerge:
    """One comparison. logs: {path of an event log: it under this machine's key, None if it was altered}."""

    layout: Layout
    export: LocalExport
    keys: KeyPair
    logs: dict[str, ForeignLog | None] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def steps(self) -> Iterator[ImportStep]:
        """Yield a step for each file, in the order in which they are written: what a log names comes before the log, and the key before all logs."""
        files = {file.path: file for file in self.export.files}
        later = []
        for path in (KEY, *sorted(path for path in files if path.startswith(EVENTS))):
            if path in files:
                yield self._key(files[path]) if path == KEY else self._event_log(files[path])
        for path in sorted(files):
            if path.startswith(SPOOL):
                yield self._spool(files[path])
        for path, rule in LOGS.items():
            if path in files:
                step = self._alone(files[path]) if rule == ALONE else self._merged(files[path], rule)
                if step.action != LEFT:
                    self.taken.add(path)
                later.append(step)
        for path, file in sorted(files.items()):
            named_by = next((log for folder, log in contents.KEPT_FOR.items() if path.startswith(folder)), None)
            if named_by is not None:
                yield self._file(file) if named_by in self.taken else ImportStep(path, LEFT, reason=NO_LOG)
            elif contents.is_peoples(path):
                yield self._file(file)
        yield from later

    def _key(self, file: ExportedFile) -> ImportStep:
        if key.load(self.layout) is None:
            return ImportStep(KEY, CREATE, data=file.data, mtime_ns=file.mtime_ns)
        return ImportStep(KEY, SAME) if self.keys.is_same else ImportStep(KEY, LEFT, reason="this machine keeps its own key")

    def _event_log(self, file: ExportedFile) -> ImportStep:
        """Add the lines whose ids this machine does not have, chained to its own last line."""
        name = os.path.basename(file.path)
        log = self.logs[file.path] = None if self._is_newer(file) else resealing.event_log(file.data, name, self.keys)
        if log is None:
            return ImportStep(file.path, LEFT, reason=ALTERED)
        here = self._bytes(file.path)
        if here is None:
            return ImportStep(file.path, CREATE, len(list(resealing.split(log.data))), log.data, file.mtime_ns)
        before, ids = name, set()
        for fields in resealing.valid(here):
            before = str(fields.get("signature"))
            ids.add(fields.get("id"))
        new = []
        for fields in resealing.valid(log.data):
            if fields.get("id") not in ids:
                line = resealing.event_line(fields, before, self.keys.ours)
                before = line["signature"]
                new.append(lines.encode(line))
        return _added(file.path, new)

    def _spool(self, file: ExportedFile) -> ImportStep:
        """Take the events that waited for their session's log, unless this machine has them."""
        log = EVENTS + contents.session_of(file.path)
        known = {fields.get("id") for data in (self._bytes(log), self.export.by_path.get(log)) for fields in resealing.valid(data or b"")}
        new = [fields for fields in resealing.valid(file.data) if fields.get("id") not in known]
        if not new or self._bytes(file.path) is not None:
            return ImportStep(file.path, SAME)
        data = b"".join(lines.encode(resealing.event_line(fields, "", self.keys.ours, is_signed=False)) for fields in new)
        return ImportStep(file.path, CREATE, len(new), data, file.mtime_ns)

    def _alone(self, file: ExportedFile) -> ImportStep:
        """Take a log if this machine has none, and continue it if this machine has its beginning."""
        data = file.data
        if file.path == "log/policy.jsonl" and not self.keys.is_same:
            if self._is_newer(file):
                return ImportStep(file.path, LEFT, reason=ALTERED)
            data = b"".join(map(lines.encode, resealing.signed_lines(file.path, resealing.valid(data), self.keys)))
        here = self._bytes(file.path) or b""
        if not here:
            return ImportStep(file.path, CREATE, data.count(b"\n"), data, file.mtime_ns) if data else ImportStep(file.path, SAME)
        if here.startswith(data):
            return ImportStep(file.path, SAME)
        if data.startswith(here):
            return _added(file.path, [data[len(here) :]])
        return ImportStep(file.path, LEFT, reason=OWN_LOG)

    def _merged(self, file: ExportedFile, rule: str) -> ImportStep:
        """Add the lines that this machine does not have, by the rule of their log."""
        here = list(resealing.valid(self._bytes(file.path) or b""))
        theirs = list(resealing.valid(file.data))
        if rule == SIGNED:
            theirs = resealing.signed_lines(file.path, theirs, self.keys)
        elif rule == COUNTS and here:
            theirs = [fields for fields in theirs if fields.get("kind") in _COUNTED]
        elif rule == UNKNOWN_NOTES:
            known = {fields.get("memory") for fields in here if fields.get("kind") == learned.KIND}
            theirs = [fields for fields in theirs if fields.get("memory") not in known]
        elif file.path == "log/extracted.jsonl":
            theirs = [fields for fields in resealing.signed_lines(file.path, theirs, self.keys) if self._has_session(fields, None)]
        elif file.path == "log/organize.jsonl":
            theirs = [self._under_our_key(fields) for fields in theirs if self._has_session(fields, fields.get("covered_to"))]
        known_lines = set(map(lines.encode, here))
        new = [line for line in map(lines.encode, theirs) if line not in known_lines]
        return _added(file.path, new)

    def _has_session(self, fields: Fields, size: object) -> bool:
        """Return whether the event log of a line's session will be the same here, after the import, as on the other machine.

        size: number of bytes at its beginning that are compared; None for all
        """
        path = contents.event_path(str(fields.get("session_id")))
        log = self.logs.get(path)
        if log is None:
            return False
        expected = log.data[:size] if isinstance(size, int) else log.data
        here = self._bytes(path)
        return here is None or here.startswith(expected) or expected.startswith(here)

    def _under_our_key(self, fields: Fields) -> Fields:
        log = self.logs.get(contents.event_path(str(fields.get("session_id"))))
        heads = log.heads if log is not None else {}
        return {**fields, "head": heads.get(str(fields.get("head")), fields.get("head"))}

    def _file(self, file: ExportedFile) -> ImportStep:
        here = self._bytes(file.path)
        if here is None:
            return ImportStep(file.path, CREATE, data=file.data, mtime_ns=file.mtime_ns)
        return ImportStep(file.path, SAME) if here == file.data else ImportStep(file.path, LEFT, reason=OTHER_TEXT)

    def _is_newer(self, file: ExportedFile) -> bool:
        """Return whether this version would have to sign lines that it does not understand."""
        return not self.keys.is_same and resealing.has_newer(file.data)

    def _bytes(self, path: str) -> bytes | None:
        """Return the file of this machine. Of a log, the complete lines; None for a missing file."""
        try:
            target = contents.place(self.layout, path)
            data = compressed.read(target) if path.startswith(EVENTS) else disk.read(target, _MOST)
        except FileNotFoundError:
            return None
        return data[: data.rfind(b"\n") + 1] if path.startswith("log/") else data


def _added(path: str, new: list[bytes]) -> ImportStep:
    data = b"".join(new)
    return ImportStep(path, ADD, data.count(b"\n"), data) if data else ImportStep(path, SAME)
