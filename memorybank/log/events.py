"""`log/events/<session>.jsonl`: what happened in one session, in order. Append-only, redacted, chained and signed.

Every text reaches this log through `append`, which seals it (`log.seal`). A line's `signature` is HMAC-SHA256 under the
bank's key over the signature of the valid line before it and the line without its texts; the texts are covered through
their keyed digests. A writer that cannot get the lock in time leaves a spool file of its own in `log/spool/`; the next
writer that holds the lock appends its lines, with their own times and ids.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import Clock
from memorybank.errors import LockTimeout
from memorybank.log import lines
from memorybank.log.seal import seal
from memorybank.storage import appending, disk, jsontext
from memorybank.storage import system as os
from memorybank.storage.digest import hmac_sha256, sha256
from memorybank.storage.layout import Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping, Sequence
    from typing import Any

    from memorybank.log.lines import Line

    Fields = dict[str, Any]

SCHEMA_VERSION = 1
TAIL_BYTES = 1 << 16
"""How far back a writer looks for doubles of what it is about to write."""
LOCK_SECONDS = 0.2
DOUBLE_MILLISECONDS = 5_000
"""An event that has neither an id nor a time of its own is a double of the same event within so many milliseconds."""
_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_LONGEST_NAME = 64
_SUFFIX = ".jsonl"
OFF = "off"
"""`recall` of every line of a session since a person asked for no memory in it."""
_OPENING = ("startup", "clear", "compact", "fork")


class Tail:
    """The end of a session's log as a writer sees it under the lock."""

    __slots__ = ("data", "epoch", "is_without_memory", "signature", "task")

    def __init__(self, data: bytes, name: str) -> None:
        self.data = data
        last: Fields = next(self.newest_first(), {})
        self.signature: str = last.get("signature", name)
        self.epoch: int = last.get("epoch", 0)
        self.task: str | None = last.get("task_id") if last.get("task_from") == "prompt" else None
        self.is_without_memory = last.get("recall") == OFF

    def newest_first(self) -> Iterator[Fields]:
        """The valid lines in the tail, the last one first."""
        end = self.data.rfind(b"\n")
        while end > 0:
            begin = self.data.rfind(b"\n", 0, end)
            fields = lines.decode(self.data[begin + 1 : end])
            if fields is not None and isinstance(fields.get("signature"), str):
                yield fields
            end = begin

    def holds(self, identifier: str) -> bool:
        return b'"id":"%s"' % identifier.encode() in self.data


def name_of(session_id: str) -> str:
    """The file name of a session's log: its id where that is a safe name, else 32 hexadecimal digits of its SHA-256."""
    if 0 < len(session_id) <= _LONGEST_NAME and _NAME.issuperset(session_id):
        return session_id + _SUFFIX
    return sha256(session_id.encode("utf-8", "replace")).hex()[:32] + _SUFFIX


def folder(layout: Layout) -> str:
    return os.path.join(layout.log, "events")


def path_of(layout: Layout, session_id: str) -> str:
    return os.path.join(folder(layout), name_of(session_id))


def names(layout: Layout) -> list[str]:
    """The file names of all sessions' logs, sorted."""
    try:
        return sorted(name for name in os.listdir(folder(layout)) if name.endswith(_SUFFIX))
    except FileNotFoundError:
        return []


def sizes(layout: Layout, assumed: Mapping[str, int] | None = None) -> dict[str, int]:
    """{file name: bytes} of all sessions' logs; one that goes away meanwhile is left out. assumed: of those that are not asked."""
    found: dict[str, int] = {}
    try:
        with os.scandir(folder(layout)) as entries:
            for entry in entries:
                if assumed and entry.name in assumed:
                    found[entry.name] = assumed[entry.name]
                elif entry.name.endswith(_SUFFIX):
                    try:
                        found[entry.name] = entry.stat().st_size
                    except FileNotFoundError:
                        continue
    except FileNotFoundError:
        return {}
    return found


def read(layout: Layout, name: str, offset: int = 0) -> Iterator[Line]:
    """The valid, complete lines of one session's log from `offset` on."""
    return lines.read(os.path.join(folder(layout), name), offset)


def peek(layout: Layout, session_id: str) -> Iterator[Fields]:
    """The last lines of a session, the newest first, as they stand without a lock; none when there is no such log."""
    return Tail(end_of(layout, session_id), "").newest_first()


def end_of(layout: Layout, session_id: str) -> bytes:
    """The last `TAIL_BYTES` of a session's log as they stand without a lock; the first line may be cut. Nothing when there is no log."""
    try:
        with open(path_of(layout, session_id), "rb") as stream:
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - TAIL_BYTES))
            return stream.read()
    except OSError:
        return b""


def append(
    layout: Layout,
    key: bytes,
    session_id: str,
    entries: Sequence[Fields] | Callable[[Tail], Sequence[Fields]],
    clock: Clock,
    *,
    cut: int,
    durable: bool = False,
    timeout: float = LOCK_SECONDS,
    known: Callable[[], Container[str]] | None = None,
) -> list[Fields] | None:
    """Append lines to a session's log, and what waits in its spool; returns the lines as written, doubles left out.

    entries: fields without `digests`, `signature` and `epoch`, or a function that makes them from the log's end under the
    lock. A lock that stays busy: the entries go to a spool file and None is returned; a function's entries are not made then.
    known: asked under the lock for the ids that are doubles beside those in the log's end, by who writes what may be old.
    """
    path = path_of(layout, session_id)
    sealed = None if callable(entries) else [seal(fields, key, cut) for fields in entries]
    disk.make_directories(os.path.dirname(path))
    try:
        with appending.Appending(path, clock, timeout) as log:
            tail = Tail(log.tail(TAIL_BYTES)[1], os.path.basename(path))
            spooled = _spooled(layout, session_id)
            waiting = [fields for _, found in spooled for fields in found]
            sealed = [seal(fields, key, cut) for fields in entries(tail)] if callable(entries) else sealed or []
            written = _chained(tail, waiting + sealed, key, known() if known is not None else ())
            if written:
                log.write(b"".join(map(lines.encode, written)), durable=durable or bool(spooled))
    except LockTimeout:
        if sealed:
            _spool(layout, session_id, sealed, clock)
        return None
    for spool, _ in spooled:
        disk.remove(spool)
    own = {fields["id"] for fields in sealed}
    return [line for line in written if line["id"] in own]


def covered(fields: Fields) -> bytes:
    """The bytes that a signature covers beside the signature before it: compact JSON of the line without the texts that `digests`
    vouches for."""
    digested = fields.get("digests") or ()
    return jsontext.encode_bytes({name: value for name, value in fields.items() if name not in digested and name != "signature"})


def signature(previous: str, fields: Fields, key: bytes) -> str:
    """64 hexadecimal digits. previous: the signature of the valid line before, or the file's name for the first line."""
    return hmac_sha256(key, previous.encode() + b"\n" + covered(fields)).hex()


def sync(layout: Layout, session_id: str) -> None:
    """Make a session's log durable, whoever wrote it."""
    disk.sync_file(path_of(layout, session_id))


def _chained(tail: Tail, entries: Sequence[Fields], key: bytes, known: Container[str]) -> list[Fields]:
    """The entries that are no doubles, with epoch and signature, and with what a prompt said before: the task, and that there is no memory."""
    written: list[Fields] = []
    own: set[str] = set()
    previous, epoch, task, is_without_memory = tail.signature, tail.epoch, tail.task, tail.is_without_memory
    for fields in entries:
        if fields["id"] in own or fields["id"] in known or tail.holds(fields["id"]) or _is_double(tail, written, fields):
            continue
        own.add(fields["id"])
        if fields["event"] == "session_start" and fields.get("source") in _OPENING and not _came_late(tail, written, fields):
            epoch += 1
        epoch = max(epoch, 1)
        line = {name: value for name, value in fields.items() if name != "anonymous"}
        line["epoch"] = epoch
        if task and line.get("task_from") not in ("prompt", "environment"):
            line["task_id"], line["task_from"] = task, "prompt"
        task = line["task_id"] if line.get("task_from") == "prompt" else None
        is_without_memory = is_without_memory or line.get("recall") == OFF
        if is_without_memory:
            line["recall"] = OFF
        previous = line["signature"] = signature(previous, line, key)
        written.append(line)
    return written


def _came_late(tail: Tail, written: list[Fields], start: Fields) -> bool:
    """Whether a session's very start was overtaken by what followed it: Copilot does not wait for its hooks before those of the
    first prompt. Then what stands there, all of it a moment old, belongs to the conversation that begins here."""
    if start.get("source") != "startup" or start.get("reason"):
        return False
    from memorybank.clock import parse

    earlier = [*written, *tail.newest_first()] if len(tail.data) < TAIL_BYTES else []
    since = (parse(start["timestamp"]) or 0) - DOUBLE_MILLISECONDS
    return bool(earlier) and all(line["event"] != "session_start" and (parse(line["timestamp"]) or 0) >= since for line in earlier)


def _is_double(tail: Tail, written: list[Fields], fields: Fields) -> bool:
    """Whether an event without id and time of its own is the one that its agent reported last, a moment ago: two installs of
    the hook, or one host reading another's settings."""
    if not fields.get("anonymous"):
        return False
    from memorybank.clock import parse

    for line in (*reversed(written), *tail.newest_first()):
        if line.get("agent_id") == fields["agent_id"] and line["event"] not in ("exposure", "resident_exposure"):
            same = line["event"] == fields["event"] and line.get("whole") == fields.get("whole") and line.get("source") == fields.get("source")
            apart = (parse(fields["timestamp"]) or 0) - (parse(line["timestamp"]) or 0)
            return same and abs(apart) <= DOUBLE_MILLISECONDS  # of two that run at once the later writer may have begun earlier
    return False


def _spool_folder(layout: Layout) -> str:
    return os.path.join(layout.log, "spool")


def _spool(layout: Layout, session_id: str, sealed: Sequence[Fields], clock: Clock) -> None:
    """Leave sealed lines in a file of this process's own."""
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
    """(path, lines) of each spool file of a session."""
    directory = _spool_folder(layout)
    try:
        found = os.listdir(directory)
    except OSError:
        return []
    stem = name_of(session_id).removesuffix(_SUFFIX) + "."
    paths = [os.path.join(directory, name) for name in sorted(found) if name.startswith(stem) and name.endswith(_SUFFIX)]
    return [(path, [line.fields for line in lines.read(path)]) for path in paths]
