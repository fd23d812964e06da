"""The values of a three-way merge, and the merges that several kinds of files use: of sets and mappings, and of text line by line, as git does it.

Every merge here is symmetric: the order of the two sides does not change the result, so a merge of A into B and one of B into A give the same bytes.
"""

from __future__ import annotations

import os
import subprocess
import tempfile

from memorybank.storage import disk, jsontext
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from typing import Any, TypeVar

    Item = TypeVar("Item", bound=Hashable)
    Member = TypeVar("Member")

_LABELS = ("-L", "ours", "-L", "base", "-L", "theirs")
_LEAST_FAILURE = 128
"""Exit codes of `git merge-file` from here on mean failure; lower ones are the number of conflicts."""


class MergedText(Value):
    """A merged text. is_clean: whether it contains no conflict marks"""

    data: bytes
    is_clean: bool


class MergeRefused(Exception):
    """A side cannot be understood, or the two sides contradict each other in something that a person has to decide."""


class FileVersions(Value):
    """The three versions of a file.

    path: POSIX, relative to the bank
    base: the common ancestor, b"" when both sides created the file
    """

    path: str
    base: bytes
    ours: bytes
    theirs: bytes

    @property
    def sides(self) -> tuple[bytes, bytes]:
        """Both sides in an order that does not depend on which one is ours."""
        return (self.ours, self.theirs) if self.ours <= self.theirs else (self.theirs, self.ours)


def merged_items(base: Iterable[Item], one: Iterable[Item], other: Iterable[Item]) -> list[Item]:
    """Return the items that both sides have or that a side added, in the order of the first side, then of the second. What one side removed is left out."""
    known, first, second = set(base), list(dict.fromkeys(one)), list(dict.fromkeys(other))
    in_first, in_second = set(first), set(second)
    kept = [item for item in first if item in in_second or item not in known]
    return kept + [item for item in second if item not in in_first and item not in known]


def merged_members(
    base: Mapping[str, Member], one: Mapping[str, Member], other: Mapping[str, Member], decide: Callable[[str, Member | None, Member, Member], Member]
) -> dict[str, Member]:
    """Return a merged mapping. A member that one side removed and the other changed stays.

    decide: returns the value of a member that both sides changed: (name, value of the base or None, value of each side)
    """
    result: dict[str, Member] = {}
    for name in _names(base, one, other):
        before, here, there = base.get(name), one.get(name), other.get(name)
        if here == there or there == before:
            value = here
        elif here == before:
            value = there
        elif here is None or there is None:
            value = here if there is None else there
        else:
            value = decide(name, before, here, there)
        if value is not None:
            result[name] = value
    return result


def merged_values(base: Mapping[str, Any], one: Mapping[str, Any], other: Mapping[str, Any], decide: Callable[[str, Any, Any, Any], Any]) -> dict[str, Any]:
    """Return a merged JSON object, whose values may be None.

    decide: as for `merged_members`; for a member that the base does not have, its value is None
    """
    boxed = [{name: (value,) for name, value in each.items()} for each in (base, one, other)]

    def boxed_decision(name: str, before: tuple[Any] | None, here: tuple[Any], there: tuple[Any]) -> tuple[Any]:
        return (decide(name, before[0] if before is not None else None, here[0], there[0]),)

    return {name: value[0] for name, value in merged_members(boxed[0], boxed[1], boxed[2], boxed_decision).items()}


def greater(name: str, before: Any, one: Any, other: Any) -> Any:
    """Decide by the JSON text of the values: for members that memorybank does not know, where nothing else tells them apart."""
    return max(one, other, key=jsontext.encode)


def _names(base: Mapping[str, Member], one: Mapping[str, Member], other: Mapping[str, Member]) -> Sequence[str]:
    """Return the names in the order of the base; those that the sides added follow, sorted unless both sides agree on their order."""
    added = [name for name in one if name not in base]
    if added != [name for name in other if name not in base]:
        added = sorted({*added, *(name for name in other if name not in base)})
    return [*base, *added]


def three_way(base: bytes, ours: bytes, theirs: bytes) -> MergedText | None:
    """Return the merged text, or None when git cannot merge it, because it is not text or git cannot run."""
    if ours == theirs or theirs == base:
        return MergedText(ours, True)
    if ours == base:
        return MergedText(theirs, True)
    with tempfile.TemporaryDirectory(prefix="memorybank-merge-") as folder:
        paths = [os.path.join(folder, name) for name in ("ours", "base", "theirs")]
        for path, data in zip(paths, (ours, base, theirs), strict=True):
            disk.replace(path, (data,), durable=False)
        try:
            done = subprocess.run(["git", "merge-file", "-p", "-q", *_LABELS, *paths], stdin=subprocess.DEVNULL, capture_output=True, check=False, cwd=folder)
        except OSError:
            return None
    if not 0 <= done.returncode < _LEAST_FAILURE:
        return None
    return MergedText(done.stdout, done.returncode == 0)
