"""Removes texts from the logs: one text that a person names (`purge`), or all long texts before a date (`expire`).

This is the only permitted rewrite of a log. Lines stay where they are, at the same offsets, without the text.

A text field that contains the text (`seal.TEXT_FIELDS`) is blanked completely; the chain stays valid, because the signature covers
only the field's keyed digest. In a field that the signature does cover (a task, a tool's name), the text is replaced by a mark, and
the lines from there on whose signatures were valid are signed again. Each file is replaced atomically under its lock, with every line
as long as before: offsets stored elsewhere stay right, and a writer that waited for the lock notices that the file was replaced.

`log/rotation.jsonl` is left to `rotation.purge`, which knows the meaning of its lines.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from memorybank.clock import Clock, parse
from memorybank.log import events, extracted, key, learned, lines, organize, rotation
from memorybank.log.seal import CUT_MARK, LONGEST_WORD, TEXT_FIELDS, blank
from memorybank.storage import appending, beneath, compressed, disk
from memorybank.storage.layout import Layout
from memorybank.text.secrets.needle import PurgeNeedle

LOCK_SECONDS = 2.0
_WHOLE_FILE = 1 << 40
_OF_THE_FORMAT = frozenset(
    str.split("""id kind at schema_version event timestamp session_id host status host_status acl privacy origin epoch digest digests whole signature head mtime
    step tree hash corrects""")
)
"""Fields that never contain a person's or a tool's text: words of the format, instants, ids, hashes."""

EXPIRING = {"prompt": ("inputs",), "turn_end": ("outputs", "remarks")}
"""By event: the fields with complete texts of people and agents. What was derived from them at recording (lessons, anchors) stays."""

Fields = dict[str, Any]
Change = Callable[[Fields], Fields]
Fill = Callable[[bytes], bytes]


@dataclass(slots=True)
class PurgedLogs:
    """Counts of a purge. lines: rewritten lines; fields: texts blanked or marked in them; signed_again: sessions whose chain was signed again."""

    lines: int = 0
    fields: int = 0
    signed_again: int = 0


def purge(layout: Layout, needle: PurgeNeedle, clock: Clock) -> PurgedLogs:
    """Remove a text from the event logs, their spool and the other logs but `learned.jsonl`. Running it twice has the same effect as once.

    Raises LockTimeout when a log stays locked for `LOCK_SECONDS`.
    """
    rewriting = _Rewriting(layout, clock, lambda path: _concerns(path, needle), lambda fields: event_line(fields, needle), needle.filled)
    purged = rewriting.event_logs()
    for path in _others(layout):
        _purge_lines(path, needle, clock, purged)
    rewriting.extracted_items(lambda fields: _item_without(fields, needle))
    return purged


def purge_learned(layout: Layout, needle: PurgeNeedle, clock: Clock) -> PurgedLogs:
    """Remove a text from `learned.jsonl`, by which learned notes with the text are recognised: call it after they were removed."""
    purged = PurgedLogs()
    _purge_lines(learned.path(layout), needle, clock, purged)
    return purged


def expire(layout: Layout, before: int, clock: Clock) -> PurgedLogs:
    """Blank the complete texts (`EXPIRING`) of events before an instant, in the event logs and their spool. Safe to repeat.

    before: instant in ms.
    Raises LockTimeout when a log stays locked for `LOCK_SECONDS`.
    """

    def change(fields: Fields) -> Fields:
        return expired(fields, before)

    rewriting = _Rewriting(layout, clock, lambda path: _changes(path, change), change, lambda data: data)
    rewriting.event_logs()
    rewriting.extracted_items(lambda fields: fields)
    return rewriting.purged


def rewritten(data: bytes, fill: Fill, change: Change, purged: PurgedLogs) -> bytes:
    """Return the bytes of a log with `change` applied to every valid line, each line as long as before.

    fill: replaces an invalid line, and a torn tail, by bytes of the same length.
    purged: the counts of lines and fields, which are increased.
    """
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
    """Return an event line without its complete texts when it is older than `before` (ms); otherwise the same fields."""
    names = EXPIRING.get(str(fields.get("event")), ())
    # A line without a readable timestamp is not blanked: nothing says that it is old.
    if not any(fields.get(name) for name in names) or (parse(str(fields.get("timestamp"))) or before) >= before:
        return fields
    return {name: blank(value) if name in names else value for name, value in fields.items()}


def event_line(fields: Fields, needle: PurgeNeedle) -> Fields:
    """Return an event line without the text; an equal line when it does not contain it."""
    found = {}
    for name, value in fields.items():
        if name in TEXT_FIELDS:
            found[name] = blank(value) if needle.is_held(value) or _is_cut(value, needle) else value
        else:
            found[name] = value if name in _OF_THE_FORMAT else needle.without(value)
    return found


def plain_line(fields: Fields, needle: PurgeNeedle) -> Fields:
    """Return a line of any other log without the text."""
    return {name: value if name in _OF_THE_FORMAT else needle.without(value) for name, value in fields.items()}


def _is_cut(value: object, needle: PurgeNeedle) -> bool:
    """Return whether a cut made before the line was written (`log.seal`) left at least half of the text at an edge."""
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
    """The signature chain of one session while its lines are rewritten. renamed: {old signature: new signature}."""

    def __init__(self, name: str, secret: bytes | None, change: Change) -> None:
        self.before = self.after = name
        self.secret = secret
        self.without = change
        self.renamed: dict[str, str] = {}

    def change(self, old: Fields) -> Fields:
        """Return the line without the text. Its signature changes only where it was valid before and no longer is."""
        new = self.without(old)
        signature = old.get("signature")
        if self.secret is None or not isinstance(signature, str):
            return new
        # Once one line has a new signature, every later one must be signed again, because each signature covers the one before.
        # A line that was already invalid keeps its signature: signing it would hide the tampering from `log verify`.
        moved = self.before != self.after or events.covered(old) != events.covered(new)
        if moved and signature == events.signature(self.before, old, self.secret):
            new["signature"] = self.renamed[signature] = events.signature(self.after, new, self.secret)
        self.before, self.after = signature, new["signature"]
        return new


class _Rewriting:
    """One rewriting of the event logs, their spool, and the items that a model made from them.

    concerns: returns, without a lock, whether a file has to be rewritten
    change: returns the new version of a line
    fill: see `rewritten`
    """

    def __init__(self, layout: Layout, clock: Clock, concerns: Callable[[str], bool], change: Change, fill: Fill) -> None:
        self.layout = layout
        self.clock = clock
        self.concerns = concerns
        self.change = change
        self.fill = fill
        self.purged = PurgedLogs()

    def event_logs(self) -> PurgedLogs:
        """Rewrite the files that contain the text, and return the counts."""
        secret = key.load(self.layout)
        for name in events.names(self.layout):
            path = os.path.join(events.folder(self.layout), name)
            if self.concerns(path):
                self._session(path, secret)
        for path, session in _spooled(self.layout):
            if self.concerns(path):
                self._spool_file(path, session)
        return self.purged

    def _session(self, path: str, secret: bytes | None) -> None:
        with appending.Appending(path, self.clock, LOCK_SECONDS) as log:
            chain = _Chain(os.path.basename(path), secret, self.change)
            data = log.tail(_WHOLE_FILE)[1]
            changed = rewritten(data, self.fill, chain.change, self.purged)
            if chain.renamed:
                self.purged.signed_again += 1
                self._rename_heads(chain.renamed)
            _replace(path, data, changed)

    def _rename_heads(self, renamed: dict[str, str]) -> None:
        """Replace the old last signatures of finished sessions in `log/organize.jsonl`.

        This happens before the event log is replaced. Signing the same lines again gives the same signatures, so after a crash in between
        the next purge completes the work.
        """

        def change(fields: Fields) -> Fields:
            return {**fields, "head": renamed[fields["head"]]} if fields.get("head") in renamed else fields

        _rewrite_under_lock(organize.path(self.layout), self.clock, lambda data: rewritten(data, self.fill, change, PurgedLogs()))

    def _spool_file(self, path: str, session: str) -> None:
        """Rewrite a spool file; its lines are not signed yet. Holds the session's lock, as a writer does that merges the file."""
        disk.make_directories(os.path.dirname(session))
        with appending.Appending(session, self.clock, LOCK_SECONDS):
            data = _bytes(path)
            _replace(path, data, rewritten(data, self.fill, self.change, self.purged))

    def extracted_items(self, change: Change) -> None:
        """Rewrite the items that a model made from texts. Comes after `event_logs`: an item whose source was blanked there is blanked too.

        change: returns the new version of a line of `log/extracted.jsonl`
        """
        path = extracted.path(self.layout)

        def without(fields: Fields) -> Fields:
            return extracted.withdrawn(self.layout, change(fields))

        if self.concerns(path) or _changes(path, without):
            _rewrite_under_lock(path, self.clock, lambda data: rewritten(data, self.fill, without, self.purged))


def _purge_lines(path: str, needle: PurgeNeedle, clock: Clock, purged: PurgedLogs) -> None:
    """Rewrite a log whose lines are not chained, if it contains the text."""
    if _concerns(path, needle):
        _rewrite_under_lock(path, clock, lambda data: rewritten(data, needle.filled, lambda fields: plain_line(fields, needle), purged))


def _item_without(fields: Fields, needle: PurgeNeedle) -> Fields:
    """Return a line without the text. An item that contains the text loses all of its texts, because they say the same in other words."""
    changed = plain_line(fields, needle)
    return changed if changed == fields or fields.get("kind") != extracted.EXTRACTED else extracted.blanked(changed)


def _rewrite_under_lock(path: str, clock: Clock, change: Callable[[bytes], bytes]) -> None:
    if os.path.exists(path):
        with appending.Appending(path, clock, LOCK_SECONDS) as log:
            data = log.tail(_WHOLE_FILE)[1]
            _replace(path, data, change(data))


def _replace(path: str, data: bytes, changed: bytes) -> None:
    """Replace the file while the caller holds its lock. The mtime stays, because it says when something was last recorded."""
    if changed != data:
        disk.replace(path, (changed,), durable=True, mtime_ns=os.stat(path).st_mtime_ns)


def _concerns(path: str, needle: PurgeNeedle) -> bool:
    """Return, without a lock, whether a log contains the text, or half of it where a cut may have left that."""
    data = _bytes(path)
    return needle.is_in(data) or needle.may_be_cut(data)


def _changes(path: str, change: Change) -> bool:
    """Return, without a lock, whether `change` would alter any line."""
    return any(change(line.fields) != line.fields for line in lines.read(path))


def _bytes(path: str) -> bytes:
    try:
        return compressed.read(path)
    except FileNotFoundError:
        return b""


def _spooled(layout: Layout) -> Iterator[tuple[str, str]]:
    """Yield (spool file, log of its session) for the waiting lines. The name up to the first dot is the session, the rest says who left the file."""
    folder = os.path.join(layout.log, "spool")
    for name in _names(folder):
        stem = name.split(".")[0]
        yield os.path.join(folder, name), os.path.join(events.folder(layout), f"{stem}.jsonl")


def _others(layout: Layout) -> list[str]:
    found = (os.path.join(layout.log, name) for name in _names(layout.log))
    return [path for path in found if path not in (rotation.path(layout), extracted.path(layout), learned.path(layout))]


def _names(folder: str) -> list[str]:
    return [name for name in beneath.names_in(folder) if name.endswith(".jsonl")]
