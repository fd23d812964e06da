"""`log/events/<session>.jsonl`: what happened in one session, in order. Append-only, redacted, chained and signed.

Every text reaches this log through `EventWriter.append`, which seals it (`log.seal`). A line's `signature` is HMAC-SHA256 under the bank's key over
the signature of the valid line before it and over the line without its texts; the texts are covered by their keyed digests. A writer
that cannot get the lock in time leaves a spool file of its own in `log/spool/`. The next writer that holds the lock appends those
lines, with their original times and ids.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import Clock
from memorybank.errors import LockTimeout
from memorybank.log import lines
from memorybank.storage import appending, beneath, compressed, disk, jsontext
from memorybank.storage import system as os
from memorybank.storage.digest import hmac_sha256, sha256
from memorybank.storage.layout import Layout
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence
    from typing import Any

    from memorybank.log.lines import LogLine

    Fields = dict[str, Any]

SCHEMA_VERSION = 1
EVENTS = (
    *("session_start", "prompt", "tool_before", "tool_after", "turn_end", "compact_before", "session_end"),
    *("correction", "exposure", "resident_exposure"),
)
STATUSES = ("success", "failure", "partial", "unknown")
"""The values of a line's `event` and `status`, by which people select lines."""
TAIL_BYTES = 1 << 16
"""How far back a writer looks for duplicates of the lines it is about to write."""
LOCK_SECONDS = 0.2
DOUBLE_MILLISECONDS = 5_000
"""An event with neither an id nor a time of its own is a duplicate of an equal event at most this far away."""
_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_LONGEST_NAME = 64
_SUFFIX = ".jsonl"
_SOURCE = "events/"
_FILES = (_SUFFIX, _SUFFIX + compressed.SUFFIX)
SWITCH, OFF = "MEMORYBANK_RECALL", "off"
"""The variable that switches memory off for a process and what it starts; its value, and that of `recall` in every line after a person asked for a session
without memory."""
UNSHARED = {"acl": "session", "privacy": "private", "hold": True}
"""Who may see what is recorded without memory: its own session, which is shown nothing. So nothing is made of it."""
_INSTANT = b'"timestamp":"'
"""Beginning of a line's instant. The inputs of a call may have a member of that name too."""
_OPENING = ("startup", "clear", "compact", "fork")


class LogTail:
    """The end of a session's log as a writer sees it while holding the lock."""

    __slots__ = ("data", "epoch", "is_without_memory", "signature", "task")

    def __init__(self, data: bytes, name: str) -> None:
        self.data = data
        last: Fields = next(self.newest_first(), {})
        self.signature: str = last.get("signature", name)
        self.epoch: int = last.get("epoch", 0)
        self.task: str | None = last.get("task_id") if last.get("task_from") == "prompt" else None
        self.is_without_memory = last.get("recall") == OFF

    def newest_first(self) -> Iterator[Fields]:
        """Yield the valid lines in the tail, newest first."""
        end = self.data.rfind(b"\n")
        while end > 0:
            begin = self.data.rfind(b"\n", 0, end)
            fields = lines.decode(self.data[begin + 1 : end])
            if fields is not None and isinstance(fields.get("signature"), str):
                yield fields
            end = begin

    def holds(self, identifier: str) -> bool:
        """Return whether a complete line has this id. A killed process can leave a part of a line, which readers skip: its event is not recorded."""
        # The bytes are searched instead of decoded lines: this runs at every append, and a line is always written in this exact form.
        written = b'"id":"%s"' % identifier.encode()
        at = self.data.find(written)
        while at >= 0:
            begin, end = self.data.rfind(b"\n", 0, at) + 1, self.data.find(b"\n", at)
            line = self.data[begin:end] if end >= 0 else b""
            # The first line may begin before the tail, so only its end shows whether it is complete.
            if lines.decode(line) is not None or (begin == 0 and line.endswith(b"}")):
                return True
            at = self.data.find(written, at + 1)
        return False


def name_of(session_id: str) -> str:
    """Return the file name of a session's log: its id where that is a safe file name, otherwise 32 hexadecimal digits of its SHA-256."""
    if 0 < len(session_id) <= _LONGEST_NAME and _NAME.issuperset(session_id):
        return session_id + _SUFFIX
    return sha256(session_id.encode("utf-8", "replace")).hex()[:32] + _SUFFIX


def source_of(name: str) -> str:
    """Return how episodes name the log with this file name."""
    return _SOURCE + name.removesuffix(_SUFFIX)


def folder(layout: Layout) -> str:
    return os.path.join(layout.log, "events")


def path_of(layout: Layout, session_id: str) -> str:
    return os.path.join(folder(layout), name_of(session_id))


def names(layout: Layout) -> list[str]:
    """Return the file names of all sessions' logs, sorted."""
    return sorted(listed(layout))


def listed(layout: Layout) -> set[str]:
    """Return the file names of all sessions' logs. None of them is examined."""
    return {name.removesuffix(compressed.SUFFIX) for name in beneath.names_in(folder(layout)) if name.endswith(_FILES)}


def newest_first(layout: Layout) -> list[tuple[int, str]]:
    """Return (instant (ms) at which it was last written to, file name) of all sessions' logs, the newest first. No log is opened."""
    found: dict[str, int] = {}
    try:
        with beneath.scandir(folder(layout)) as entries:
            for entry in entries:
                name = compressed.name_of(entry.name)
                if name.endswith(_SUFFIX):
                    try:
                        found[name] = max(found.get(name, 0), entry.stat().st_mtime_ns // 1_000_000)
                    except FileNotFoundError:
                        continue
    except FileNotFoundError:
        return []
    return sorted(((at, name) for name, at in found.items()), reverse=True)


def read(layout: Layout, name: str, offset: int = 0) -> Iterator[LogLine]:
    """Yield the valid, complete lines of one session's log from `offset` on."""
    return lines.read(os.path.join(folder(layout), name), offset)


def fields_since(layout: Layout, name: str, date: str) -> Iterator[Fields]:
    """Yield the fields of the valid lines of one session's log, without those recorded before a date. These are not decoded.

    date: in UTC; "" for every line
    """
    for _, _, raw in lines.complete_lines(os.path.join(folder(layout), name)):
        if _is_before(raw, date.encode()):
            continue
        fields = lines.decode(raw)
        if fields is not None and not lines.is_newer(fields):
            yield fields


def _is_before(line: bytes, date: bytes) -> bool:
    """Return whether every instant in a line, its own among them, is before a date. A line without one may be of any time."""
    found = line.split(_INSTANT)[1:]
    return bool(found) and all(instant < date for instant in found)


def peek(layout: Layout, session_id: str) -> Iterator[Fields]:
    """Yield the last lines of a session, newest first, read without a lock; none when the log does not exist."""
    return LogTail(end_of(layout, session_id), "").newest_first()


def end_of(layout: Layout, session_id: str) -> bytes:
    """Return the last `TAIL_BYTES` of a session's log, read without a lock; empty when there is no log. The first line may be cut."""
    try:
        with compressed.stream(path_of(layout, session_id)) as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - TAIL_BYTES))
            return stream.read()
    except OSError:
        return b""


class EventWriter(Value):
    """The way into the event logs of a bank. key: the bank's key; cut: maximum number of characters kept of each text (see `log.seal.seal`)."""

    layout: Layout
    key: bytes
    clock: Clock
    cut: int

    def append(
        self,
        session_id: str,
        entries: Sequence[Fields] | Callable[[LogTail], Sequence[Fields]],
        *,
        durable: bool = False,
        timeout: float = LOCK_SECONDS,
        known: Callable[[], Container[str]] | None = None,
    ) -> list[Fields] | None:
        """Append lines to a session's log, after the lines waiting in its spool. Return the lines as written, without duplicates.

        entries: fields without `digests`, `signature` and `epoch`, or a function that composes them from the log's end under the lock.
        durable: whether to sync before returning.
        timeout: seconds to wait for the lock. After that, the entries go to a spool file and None is returned; a function is not called.
        known: called under the lock, returns further ids to treat as duplicates. For importers, whose events may be older than the tail.
        """
        from memorybank.log.seal import seal  # late: whoever only reads logs needs none of the rules for secrets

        path = path_of(self.layout, session_id)
        # Redaction is the slow part, so it happens before the lock is taken wherever the entries are already known.
        sealed = None if callable(entries) else [seal(fields, self.key, self.cut) for fields in entries]
        disk.make_directories(os.path.dirname(path))
        try:
            with appending.Appending(path, self.clock, timeout) as log:
                tail = LogTail(log.tail(TAIL_BYTES)[1], os.path.basename(path))
                spooled = _spooled(self.layout, session_id)
                waiting = [fields for _, found in spooled for fields in found]
                sealed = [seal(fields, self.key, self.cut) for fields in entries(tail)] if callable(entries) else sealed or []
                written = _chained(tail, waiting + sealed, self.key, known() if known is not None else ())
                if written:
                    log.write(b"".join(map(lines.encode, written)), durable=durable or bool(spooled))
        except LockTimeout:
            if sealed:
                _spool(self.layout, session_id, sealed, self.clock)
            return None
        # The spool files are deleted only after their lines were synced. After a crash in between, the lines are found again as duplicates.
        for spool, _ in spooled:
            disk.remove(spool)
        own = {fields["id"] for fields in sealed}
        return [line for line in written if line["id"] in own]


def covered(fields: Fields) -> bytes:
    """Return the bytes that a signature covers apart from the previous signature: compact JSON of the line without the texts in `digests`."""
    digested = fields.get("digests") or ()
    return jsontext.encode_bytes({name: value for name, value in fields.items() if name not in digested and name != "signature"})


def signature(previous: str, fields: Fields, key: bytes) -> str:
    """Return the signature of a line, 64 hexadecimal digits. previous: the signature of the valid line before, or the file's name for the first line."""
    return hmac_sha256(key, previous.encode() + b"\n" + covered(fields)).hex()


def sync(layout: Layout, session_id: str) -> None:
    """Sync a session's log to disk, whoever wrote it. A compressed log was synced when it was written."""
    try:
        disk.sync_file(path_of(layout, session_id))
    except FileNotFoundError:
        if not compressed.is_compressed(path_of(layout, session_id)):
            raise


def _chained(tail: LogTail, entries: Sequence[Fields], key: bytes, known: Container[str]) -> list[Fields]:
    """Return the entries that are not duplicates, with epoch and signature. A task from a prompt and the choice of no memory carry over."""
    written: list[Fields] = []
    own: set[str] = set()
    previous, epoch, task, is_without_memory = tail.signature, tail.epoch, tail.task, tail.is_without_memory
    for fields in entries:
        if fields["id"] in own or fields["id"] in known or tail.holds(fields["id"]) or _is_double(tail, written, fields):
            continue
        own.add(fields["id"])
        if fields["event"] == "session_start" and fields.get("source") in _OPENING and not _came_late(tail, written, fields):
            epoch += 1
        # A log whose first line is not a start (hooks installed during the session) begins in epoch 1 as well.
        epoch = max(epoch, 1)
        line = {name: value for name, value in fields.items() if name != "anonymous"}
        line["epoch"] = epoch
        if task and line.get("task_from") not in ("prompt", "environment"):
            line["task_id"], line["task_from"] = task, "prompt"
        task = line["task_id"] if line.get("task_from") == "prompt" else None
        is_without_memory = is_without_memory or line.get("recall") == OFF
        if is_without_memory:
            line.update(UNSHARED, recall=OFF)
        previous = line["signature"] = signature(previous, line, key)
        written.append(line)
    return written


def _came_late(tail: LogTail, written: list[Fields], start: Fields) -> bool:
    """Return whether later events overtook the start of their session: Copilot does not wait for its start hook before it runs those of
    the first prompt. Lines that are all at most a moment old then belong to the conversation that starts here, in the same epoch."""
    if start.get("source") != "startup" or start.get("reason"):
        return False
    from memorybank.clock import parse

    earlier = [*written, *tail.newest_first()] if len(tail.data) < TAIL_BYTES else []
    since = (parse(start["timestamp"]) or 0) - DOUBLE_MILLISECONDS
    return bool(earlier) and all(line["event"] != "session_start" and (parse(line["timestamp"]) or 0) >= since for line in earlier)


def _is_double(tail: LogTail, written: list[Fields], fields: Fields) -> bool:
    """Return whether an event without an id or time of its own repeats its agent's latest event of a moment ago. That happens when the
    hook is installed twice, or when one host reads the settings of another."""
    if not fields.get("anonymous"):
        return False
    from memorybank.clock import parse

    for line in (*reversed(written), *tail.newest_first()):
        if line.get("agent_id") == fields["agent_id"] and line["event"] not in ("exposure", "resident_exposure"):
            same = line["event"] == fields["event"] and line.get("whole") == fields.get("whole") and line.get("source") == fields.get("source")
            apart = (parse(fields["timestamp"]) or 0) - (parse(line["timestamp"]) or 0)
            return same and abs(apart) <= DOUBLE_MILLISECONDS  # abs: of two hooks that run at once, the later writer may have started earlier
    return False


def _spool_folder(layout: Layout) -> str:
    return os.path.join(layout.log, "spool")


def _spool(layout: Layout, session_id: str, sealed: Sequence[Fields], clock: Clock) -> None:
    """Write sealed lines to a spool file of this process."""
    directory = _spool_folder(layout)
    disk.make_directories(directory)
    stem = name_of(session_id).removesuffix(_SUFFIX)
    data = b"".join(map(lines.encode, sealed))
    temp = disk.write_temp(directory, (data,), durable=False)
    number = clock.now()
    while True:
        try:
            disk.publish(temp, os.path.join(directory, f"{stem}.{os.getpid()}-{number}{_SUFFIX}"))
            return
        except FileExistsError:
            number += 1


def _spooled(layout: Layout, session_id: str) -> list[tuple[str, list[Fields]]]:
    """Return (path, lines) for each spool file of a session."""
    directory = _spool_folder(layout)
    try:
        found = beneath.listdir(directory)
    except OSError:
        return []
    stem = name_of(session_id).removesuffix(_SUFFIX) + "."
    paths = [os.path.join(directory, name) for name in sorted(found) if name.startswith(stem) and name.endswith(_SUFFIX)]
    return [(path, [line.fields for line in lines.read(path)]) for path in paths]
