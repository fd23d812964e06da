"""The merge driver: `memorybank merge-driver KIND %O %A %B %P`, which git runs for each file that both sides of a merge changed.

It reads three files and writes one, and knows nothing of the bank: no settings, no trust, no program that the repository names. In a text of
people, what it cannot decide stays as git's conflict marks. A file that only memorybank writes never gets marks: it stays as it is on our
side, and the merge stops there.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

from memorybank.merging.kinds import MergeKind, named
from memorybank.merging.sides import FileVersions, MergedText, MergeRefused, three_way
from memorybank.storage import disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_BYTES = 1 << 28
CLEAN, CONFLICT, WRONG = 0, 1, 2


def merge(kind: MergeKind, versions: FileVersions) -> MergedText:
    """Return the merged file. Never raises for its content."""
    if versions.ours == versions.theirs or versions.theirs == versions.base:
        return MergedText(versions.ours, True)
    if versions.ours == versions.base:
        return MergedText(versions.theirs, True)
    module, _, function = kind.function.partition(":")
    try:
        merged = getattr(import_module(f"memorybank.merging.{module}"), function)(versions)
        return merged if isinstance(merged, MergedText) else MergedText(merged, True)
    except (MergeRefused, ValueError, RecursionError, ArithmeticError, LookupError, TypeError, AttributeError):
        # Whatever a file of strangers contains, git must get an answer that loses nothing.
        return _undecided(kind, versions)


def _undecided(kind: MergeKind, versions: FileVersions) -> MergedText:
    text = three_way(versions.base, versions.ours, versions.theirs) if kind.is_of_people else None
    return MergedText(text.data, False) if text is not None else MergedText(versions.ours, False)


def run(arguments: Sequence[str]) -> int:
    """Carry out one call of git, and return its exit code: 0 merged, 1 a conflict that a person has to solve, 2 a wrong call.

    arguments: the kind, the files of base, ours and theirs, the path in the repository. The result replaces our file.
    """
    kind = named(arguments[0]) if arguments else None
    if kind is None or len(arguments) != 5:
        sys.stderr.write("memorybank merge-driver: expected KIND BASE OURS THEIRS PATH\n  next: 'memorybank git install' writes the call for git\n")
        return WRONG
    try:
        return _carried_out(kind, *arguments[1:])
    except Exception as error:  # git must not take our side alone for the result of a merge that failed
        sys.stderr.write(f"memorybank: {arguments[4]} is merged as text: {type(error).__name__}: {error}\n")
        _, base, ours, theirs, _ = arguments
        done = subprocess.run(["git", "merge-file", "-L", "ours", "-L", "base", "-L", "theirs", ours, base, theirs], stdin=subprocess.DEVNULL, check=False)
        return CONFLICT if done.returncode else CLEAN


def _carried_out(kind: MergeKind, base_path: str, ours_path: str, theirs_path: str, path: str) -> int:
    base, ours, theirs = (disk.read(name, MAX_BYTES) for name in (base_path, ours_path, theirs_path))
    inside = kind.inside(path)
    if inside is None:  # the attributes of some repository name this driver for another file
        text = three_way(base, ours, theirs)
        merged = text or MergedText(ours, False)
    else:
        merged = merge(kind, FileVersions(inside, base, ours, theirs))
    if merged.data != ours:
        disk.replace(ours_path, (merged.data,), mode=disk.USER_FILE, durable=False)
    if merged.is_clean:
        return CLEAN
    other = "; 'memorybank git resolve' tells an archived copy from a note that git took for it" if kind.name == "archive" else ""
    other = other or "; try 'memorybank git resolve', or take the other side with 'git checkout --theirs'"
    what = "look for <<<<<<< in it" if kind.is_of_people else f"it stays as on our side{other}"
    sys.stderr.write(f"memorybank: {path} needs a decision: {what}, then 'git add' it\n")
    return CONFLICT
