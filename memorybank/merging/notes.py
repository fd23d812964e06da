"""Merges notes: front matter by keys, text by lines. In what memorybank wrote itself, a person's edit wins, and counts are added up."""

from __future__ import annotations

import re

from memorybank import clock as time_of
from memorybank import resident
from memorybank.cycle.know import counted, learned
from memorybank.merging import front_matter
from memorybank.merging.front_matter import SplitNote
from memorybank.merging.sides import FileVersions, MergedText, MergeRefused, three_way
from memorybank.storage.digest import sha256
from memorybank.text import generated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_FIELD = r"^{name}: \"?([^\"\r\n]*)"
_ACTIVE = "active/"


def note(versions: FileVersions) -> MergedText:
    """Return a person's note. Where both sides changed the same lines, or a key without a rule, it has git's conflict marks.

    Raises `MergeRefused` when git cannot merge the text.
    """
    try:
        base, ours, theirs = (front_matter.split(data) for data in (versions.base, versions.ours, versions.theirs))
        body = _lines(base.body.encode("utf-8", "surrogateescape"), ours, theirs)
        one, other = (ours, theirs) if versions.sides[0] is versions.ours else (theirs, ours)
        merged = front_matter.merge(base, one, other, body.data.decode("utf-8", "surrogateescape"))
    except MergeRefused:
        text = three_way(versions.base, versions.ours, versions.theirs)
        if text is None:
            raise
        return text
    return MergedText(front_matter.joined(merged), body.is_clean)


def _lines(base: bytes, ours: SplitNote, theirs: SplitNote) -> MergedText:
    text = three_way(base, ours.body.encode("utf-8", "surrogateescape"), theirs.body.encode("utf-8", "surrogateescape"))
    if text is None:
        raise MergeRefused("git cannot merge the text")
    return text


def learned_note(versions: FileVersions) -> MergedText:
    """Return a learned note: what a person wrote if one side was edited, else one text with the sessions of both."""
    memory = learned.memory_of(versions.path.removeprefix(_ACTIVE))
    named = [side for side in versions.sides if _value(side, "memory") == memory]
    if memory and len(named) == 1:
        # git took another note for a renamed one, because learned notes are short and alike.
        return MergedText(named[0], True)
    return _of_machine(versions, _with_both_counts)


def session_note(versions: FileVersions) -> MergedText:
    """Return a session note: what a person wrote if one side was edited, else the later one."""
    return _of_machine(versions, _later)


def summary(versions: FileVersions) -> MergedText:
    """Return the resident summary: what a person wrote if one side was edited, else the later draft."""
    drafted = [resident.parse(side.decode("utf-8", "replace")).is_drafted for side in versions.sides]
    return _chosen(versions, drafted, lambda base, one, other: max(one, other, key=lambda data: (_instant(data, "updated_at"), data)))


def _of_machine(versions: FileVersions, decide: Callable[[bytes, bytes, bytes], bytes]) -> MergedText:
    return _chosen(versions, [generated.is_sealed(side) for side in versions.sides], decide)


def _chosen(versions: FileVersions, is_machines: list[bool], decide: Callable[[bytes, bytes, bytes], bytes]) -> MergedText:
    """Return the side that a person edited; the decision between two sides that nobody edited; the merged text of two edited sides."""
    one, other = versions.sides
    if all(is_machines):
        return MergedText(decide(versions.base, one, other), True)
    if any(is_machines):
        return MergedText(other if is_machines[0] else one, True)
    return note(versions)


def _later(base: bytes, one: bytes, other: bytes) -> bytes:
    return max(one, other, key=lambda data: (_instant(data, "updated"), data))


def _with_both_counts(base: bytes, one: bytes, other: bytes) -> bytes:
    """Return one side's text, with the sessions of both sides counted and the earlier date.

    It is the text of the newer format; of two of the same format, the one that counts more sessions.
    """
    known = [counted.find(data.decode("utf-8", "replace")) for data in (base, one, other)]
    before, here, there = known
    sides = sorted(((_number(data), found.count if found else 0, sha256(data), data) for data, found in ((one, here), (other, there))), reverse=True)
    kept = front_matter.split(sides[0][3])
    lost = front_matter.split(sides[1][3])
    if "created" in kept.fields and "created" in lost.fields and _instant(lost.fields["created"].encode(), "created") < _instant(sides[0][3], "created"):
        kept.fields["created"] = lost.fields["created"]
    text = front_matter.joined(kept).decode("utf-8", "surrogateescape")
    if here is not None and there is not None:
        text = counted.with_sentence(text, *counted.combined(before if before and generated.is_sealed(base) else None, here, there))
    return generated.sealed(text.encode("utf-8", "surrogateescape"))


def _number(data: bytes) -> int:
    version = _value(data, "version")
    return int(version) if version.isascii() and version.isdecimal() and len(version) < 10 else 0


def _instant(data: bytes, name: str) -> int:
    return time_of.parse(_value(data, name)) or 0


def _value(data: bytes, name: str) -> str:
    """Return the value of one of memorybank's own front-matter lines; "" without one."""
    found = re.search(_FIELD.format(name=name).encode(), data, re.MULTILINE)
    return found[1].decode("utf-8", "replace").strip() if found else ""
