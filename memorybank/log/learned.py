"""`log/learned.jsonl`: the learned notes that memorybank wrote or was about to write, by which it recognises its own text later.

There is one line per writing. A line of kind `learned` has `at`, `memory` (its merge id), `key`, `digest` (SHA-256 hex) and `tree` (the
worktree). This log is truth on this machine: a note without a line here was written by somebody else and is never replaced.

A line of kind `withdrawn` (`at`, `memory`) says that memorybank removed a note, because a person took back what it says: the commit of that removal is no
rejection. A line of kind `announced` records that a person was informed about the first learned note. A line of kind `purging` (`at`, `key`) says
that `purge` is about to remove a note, and with it the note's name, which consists of words of its text.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock as time_of
from memorybank.log import lines
from memorybank.storage import system as os
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memorybank.clock import Clock
    from memorybank.storage.layout import Layout

KIND = "learned"
ANNOUNCED = "announced"
PURGING = "purging"
WITHDRAWN = "withdrawn"


class LearnedNote(Value, frozen=False):
    """The learned note of one memory. key, tree: its latest key and worktree; digests: those of every text written under that key."""

    key: str
    tree: str
    digests: list[str]


def path(layout: Layout) -> str:
    return os.path.join(layout.log, "learned.jsonl")


def append(layout: Layout, memory: str, key: str, digest: str, tree: str, clock: Clock) -> None:
    """Record a note that is about to be written. The line is synced first, because it must exist by the time the note does."""
    fields = {"kind": KIND, "at": time_of.isoformat(clock.now()), "memory": memory, "key": key, "digest": digest, "tree": tree}
    lines.append(path(layout), (fields,), clock=clock, durable=True)


def append_withdrawn(layout: Layout, memory: str, clock: Clock) -> None:
    """Record that memorybank is about to remove a note, because a later statement replaced or took back what it says.

    The line is synced first, as in `append`.
    """
    lines.append(path(layout), ({"kind": WITHDRAWN, "at": time_of.isoformat(clock.now()), "memory": memory},), clock=clock, durable=True)


def withdrawn(layout: Layout) -> set[str]:
    """Return the memories whose note memorybank itself removed last."""
    found = lines.read_containing(path(layout), f'"{WITHDRAWN}"'.encode())
    return {str(fields.get("memory")) for fields in found if fields.get("kind") == WITHDRAWN}


def append_announced(layout: Layout, clock: Clock) -> None:
    """Record that a person was informed about the first learned note."""
    lines.append(path(layout), ({"kind": ANNOUNCED, "at": time_of.isoformat(clock.now())},), clock=clock)


def is_announced(layout: Layout) -> bool:
    """Return whether a person was informed about the first learned note."""
    return any(fields.get("kind") == ANNOUNCED for fields in lines.read_containing(path(layout), f'"{ANNOUNCED}"'.encode()))


def append_purging(layout: Layout, keys: Iterable[str], clock: Clock) -> None:
    """Record that these notes are about to be removed because they contain a purged text. A purge that was killed finds their names again here."""
    at = time_of.isoformat(clock.now())
    lines.append(path(layout), [{"kind": PURGING, "at": at, "key": key} for key in keys], clock=clock, durable=True)


def purging(layout: Layout) -> list[str]:
    """Return the keys of notes that `purge` was about to remove. It marks the keys themselves last."""
    return [str(line.fields.get("key")) for line in lines.read(path(layout)) if line.fields.get("kind") == PURGING]


def read(layout: Layout) -> dict[str, LearnedNote]:
    """Return {memory id: its learned note}."""
    found: dict[str, LearnedNote] = {}
    for line in lines.read(path(layout)):
        memory, key, digest, tree = (line.fields.get(name) for name in ("memory", "key", "digest", "tree"))
        if line.fields.get("kind") != KIND or not (isinstance(memory, str) and isinstance(key, str) and isinstance(digest, str) and isinstance(tree, str)):
            continue
        before = found.get(memory)
        # After a move, only texts written at the new key count: what is at the old key is no longer memorybank's.
        if before is None or before.key != key:
            before = found[memory] = LearnedNote(key, tree, [])
        before.tree = tree
        before.digests.append(digest)
    return found
