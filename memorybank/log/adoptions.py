"""`log/adoptions.jsonl`: the adoptions, with the data needed to take them back.

A line of kind `adopted` has `id`, `at`, `names`, `change` (of the bank's files, "" when none was written), and, if the person's own settings changed,
`own_names`, `own_before` (their text, null without a file) and `own_after` (SHA-256 hex). A line of kind `undone` has `id` and `at`.
"""

from __future__ import annotations

import os

from memorybank import clock as time_of
from memorybank.log import lines
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.clock import Clock
    from memorybank.storage.layout import Layout

ADOPTED, UNDONE = "adopted", "undone"


class Adoption(Value):
    """One adoption. change: id of its changes in the bank; own_names: sources that it added to the person's own settings."""

    id: str
    at: int
    names: tuple[str, ...]
    change: str
    own_names: tuple[str, ...] = ()
    own_before: str | None = None
    own_after: str = ""
    is_undone: bool = False


def path(layout: Layout) -> str:
    return os.path.join(layout.log, "adoptions.jsonl")


def append(layout: Layout, adoption: Adoption, clock: Clock) -> None:
    """Record an adoption. The line is synced, because taking the adoption back depends on it."""
    fields: dict[str, object] = {
        "kind": ADOPTED,
        "at": time_of.isoformat(adoption.at),
        "id": adoption.id,
        "names": list(adoption.names),
        "change": adoption.change,
    }
    if adoption.own_names:
        fields.update(own_names=list(adoption.own_names), own_before=adoption.own_before, own_after=adoption.own_after)
    lines.append(path(layout), [fields], clock=clock, durable=True)


def append_undone(layout: Layout, identifier: str, clock: Clock) -> None:
    """Record that an adoption was taken back."""
    lines.append(path(layout), [{"kind": UNDONE, "at": time_of.isoformat(clock.now()), "id": identifier}], clock=clock, durable=True)


def read(layout: Layout) -> Sequence[Adoption]:
    """Return every adoption of this machine, oldest first. Lines of another shape are skipped."""
    found: dict[str, Adoption] = {}
    for line in lines.read(path(layout)):
        fields = line.fields
        identifier, at = fields.get("id"), time_of.parse(str(fields.get("at")))
        if not isinstance(identifier, str) or at is None:
            continue
        if fields.get("kind") == ADOPTED:
            before = fields.get("own_before")
            found[identifier] = Adoption(
                identifier, at, _texts(fields.get("names")), str(fields.get("change", "")), _texts(fields.get("own_names")),
                before if isinstance(before, str) else None, str(fields.get("own_after", "")),
            )  # fmt: skip
        elif fields.get("kind") == UNDONE and identifier in found:
            found[identifier] = found[identifier].with_changes(is_undone=True)
    return list(found.values())


def _texts(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()
