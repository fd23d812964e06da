"""Taking texts out of the logs, one that a person names (`purge`) or whole ones that are old (`expire`): the one sanctioned rewrite.
Lines stay, at their offsets, without the text.

A text field that holds it (`seal.TEXT_FIELDS`) is blanked whole; the signature covers its keyed digest only, so the chain stays.
Where it stands in a field that the signature does cover (a task, a tool's name) a mark takes its place, and the lines from there
on that verified before are signed again. Each file is replaced atomically under its lock, every line as long as it was: what
others remember of offsets stays right, and a writer that waited for the lock sees that the file is another one.

`log/rotation.jsonl` is left to `rotation.purge`, which knows what its lines mean.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from memorybank.clock import Clock, parse
from memorybank.log import events, key, lines, organize, rotation
from memorybank.log.seal import CUT_MARK, LONGEST_WORD, TEXT_FIELDS, blank
from memorybank.storage import appending, disk
from memorybank.storage.layout import Layout
from memorybank.text.needle import Needle

LOCK_SECONDS = 2.0
_WHOLE_FILE = 1 << 40
_OF_THE_FORMAT = frozenset(
    str.split("""id kind at schema_version event timestamp session_id host status host_status acl privacy origin epoch digest digests whole signature head mtime
    step tree hash corrects""")
)
"""What no person and no tool wrote: words of the format, instants, ids, hashes."""

EXPIRING = {"prompt": ("inputs",), "turn_end": ("outputs", "remarks")}
"""By event: the fields that hold whole texts of people and agents. What was read of them when they were recorded (lessons, anchors) stays."""

Fields = dict[str, Any]
Change = Callable[[Fields], Fields]
Fill = Callable[[bytes], bytes]


@dataclass(slots=True)
class PurgedLogs:
    """lines: rewritten ones; fields: texts blanked or marked in them; signed_again: sessions whose chain had to be signed anew."""

    lines: int = 0
    fields: int = 0
    signed_again: int = 0


def purge(layout: Layout, needle: Needle, clock: Clock) -> PurgedLogs:
    """Take a text out of the event logs, what waits in their spool, and the other logs. Twice equals once."""
    purged = PurgedLogs()
    secret = key.load(layout)
    for name in events.names(layout):
        _purge_session(layout, os.path.join(events.folder(layout), name), needle, secret, clock, purged)
    for path, session in _spooled(layout):
        _purge_spooled(path, session, needle, clock, purged)
    for path in _others(layout):
        _purge_plain(path, needle, clock, purged)
    return purged


def expire(layout: Layout, before: int, clock: Clock) -> PurgedLogs:
    """Blank the whole texts (`EXPIRING`) of what happened before an instant (ms), in the event logs and their spool. Twice equals once."""
    purged = PurgedLogs()
    secret = key.load(layout)

    def change(fields: Fields) -> Fields:
        return expired(fields, before)

    for name in events.names(layout):
        path = os.path.join(events.folder(layout), name)
        if _changes(path, change):
            _rewrite_session(layout, path, change, _as_it_is, secret, clock, purged)
    for path, session in _spooled(layout):
        if _changes(path, change):
            _rewrite_spooled(path, session, change, _as_it_is, clock, purged)
    return purged


def rewritten(data: bytes, fill: Fill, change: Change, purged: PurgedLogs) -> bytes:
    """A log with every valid line as `change` wants it, each as long as it was. fill: what lines that are none become, as long as they were."""
    *complete, tail = data.split(b"\n")
    found = []
    for raw in complete:
        fields = lines.decode(raw)
        if fields is None:
            found.append(fill(raw))
            purged.lines += found[-1] != raw
            continue
        changed = change(fields)
        if changed == fields:
            found.append(raw)
            continue
        differing = sum(value != changed.get(name) for name, value in fields.items() if name != "signature")
        purged.fields += differing
        purged.lines += differing > 0
        found.append(lines.encode(changed, len(raw) + 1)[:-1])
    return b"\n".join([*found, fill(tail)])


def expired(fields: Fields, before: int) -> Fields:
    """A line of an event log without its whole texts when it is older than `before` (ms); an equal one when it is not, or has none."""
    names = EXPIRING.get(str(fields.get("event")), ())
    if not any(fields.get(name) for name in names) or (parse(str(fields.get("timestamp"))) or before) >= before:
        return fields
    return {name: blank(value) if name in names else value for name, value in fields.items()}


def event_line(fields: Fields, needle: Needle) -> Fields:
    """A line of an event log without the text; an equal one when it has none."""
    found = {}
    for name, value in fields.items():
        if name in TEXT_FIELDS:
            found[name] = blank(value) if needle.is_held(value) or _is_cut(value, needle) else value
        else:
            found[name] = value if name in _OF_THE_FORMAT else needle.without(value)
    return found


def plain_line(fields: Fields, needle: Needle) -> Fields:
    """A line of any other log without the text."""
    return {name: value if name in _OF_THE_FORMAT else needle.without(value) for name, value in fields.items()}


def _is_cut(value: object, needle: Needle) -> bool:
    """Whether a cut that was made before the line was written (`log.seal`) left at least half of the text."""
    if isinstance(value, str):
        first, *rest = value.split(CUT_MARK)
        if any(map(needle.is_cut_at_end, [first, *rest][:-1])) or any(map(needle.is_cut_at_begin, rest)):
            return True
        return len(value) == LONGEST_WORD and needle.is_cut_at_end(value)
    if isinstance(value, dict):
        if "tail" in value and (needle.is_cut_at_end(str(value.get("head"))) or needle.is_cut_at_begin(str(value["tail"]))):
            return True
        return any(_is_cut(item, needle) for item in value.values())
    return isinstance(value, list) and any(_is_cut(item, needle) for item in value)


class _Chain:
    """The chain of one session while its lines are rewritten. renamed: {signature that a line had: the one it has now}."""

    def __init__(self, name: str, secret: bytes | None, change: Change) -> None:
        self.before = self.after = name
        self.secret = secret
        self.without = change
        self.renamed: dict[str, str] = {}

    def change(self, old: Fields) -> Fields:
        """The line without the text. It keeps its signature as long as that holds, and when it did not hold before either."""
        new = self.without(old)
        signature = old.get("signature")
        if self.secret is None or not isinstance(signature, str):
            return new
        moved = self.before != self.after or events.covered(old) != events.covered(new)
        if moved and signature == events.signature(self.before, old, self.secret):
            new["signature"] = self.renamed[signature] = events.signature(self.after, new, self.secret)
        self.before, self.after = signature, new["signature"]
        return new


def _purge_session(layout: Layout, path: str, needle: Needle, secret: bytes | None, clock: Clock, purged: PurgedLogs) -> None:
    if _concerns(path, needle):
        _rewrite_session(layout, path, lambda fields: event_line(fields, needle), needle.filled, secret, clock, purged)


def _rewrite_session(layout: Layout, path: str, change: Change, fill: Fill, secret: bytes | None, clock: Clock, purged: PurgedLogs) -> None:
    with appending.Appending(path, clock, LOCK_SECONDS) as log:
        chain = _Chain(os.path.basename(path), secret, change)
        data = log.tail(_WHOLE_FILE)[1]
        changed = rewritten(data, fill, chain.change, purged)
        if chain.renamed:
            purged.signed_again += 1
            _rename_heads(layout, fill, chain.renamed, clock)
        _replace(path, data, changed)


def _rename_heads(layout: Layout, fill: Fill, renamed: dict[str, str], clock: Clock) -> None:
    """Let `log/organize.jsonl` know finished sessions by their new last signatures. It is written before the event log: signing
    the same lines again gives the same signatures, so that a purge cut short in between is finished by the next one."""

    def change(fields: Fields) -> Fields:
        return {**fields, "head": renamed[fields["head"]]} if fields.get("head") in renamed else fields

    _purge_under_lock(organize.path(layout), clock, lambda data: rewritten(data, fill, change, PurgedLogs()))


def _purge_spooled(path: str, session: str, needle: Needle, clock: Clock, purged: PurgedLogs) -> None:
    if _concerns(path, needle):
        _rewrite_spooled(path, session, lambda fields: event_line(fields, needle), needle.filled, clock, purged)


def _rewrite_spooled(path: str, session: str, change: Change, fill: Fill, clock: Clock, purged: PurgedLogs) -> None:
    """Lines that are not signed yet. Who merges a spool file holds its session's lock."""
    disk.make_directories(os.path.dirname(session))
    with appending.Appending(session, clock, LOCK_SECONDS):
        data = _bytes(path)
        _replace(path, data, rewritten(data, fill, change, purged))


def _purge_plain(path: str, needle: Needle, clock: Clock, purged: PurgedLogs) -> None:
    if _concerns(path, needle):
        _purge_under_lock(path, clock, lambda data: rewritten(data, needle.filled, lambda fields: plain_line(fields, needle), purged))


def _purge_under_lock(path: str, clock: Clock, change: Callable[[bytes], bytes]) -> None:
    if os.path.exists(path):
        with appending.Appending(path, clock, LOCK_SECONDS) as log:
            data = log.tail(_WHOLE_FILE)[1]
            _replace(path, data, change(data))


def _replace(path: str, data: bytes, changed: bytes) -> None:
    """The caller holds the lock. The date stays: it says when something was last recorded."""
    if changed != data:
        disk.replace(path, (changed,), durable=True, mtime_ns=os.stat(path).st_mtime_ns)


def _concerns(path: str, needle: Needle) -> bool:
    """A look without a lock: whether a log holds the text, or half of it where a cut may have left that."""
    data = _bytes(path)
    return needle.is_in(data) or needle.may_be_cut(data)


def _changes(path: str, change: Change) -> bool:
    """A look without a lock: whether any line would become another one."""
    return any(change(line.fields) != line.fields for line in lines.read(path))


def _as_it_is(data: bytes) -> bytes:
    return data


def _bytes(path: str) -> bytes:
    try:
        with disk.typed_errors(path), open(path, "rb") as stream:
            return stream.read()
    except FileNotFoundError:
        return b""


def _spooled(layout: Layout) -> Iterator[tuple[str, str]]:
    """(spool file, log of its session) of what waits; the part of its name behind the last dots but one says who left it."""
    folder = os.path.join(layout.log, "spool")
    for name in _names(folder):
        stem = name.split(".")[0]
        yield os.path.join(folder, name), os.path.join(events.folder(layout), f"{stem}.jsonl")


def _others(layout: Layout) -> list[str]:
    found = (os.path.join(layout.log, name) for name in _names(layout.log))
    return [path for path in found if path != rotation.path(layout)]


def _names(folder: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(".jsonl"))
    except FileNotFoundError:
        return []
