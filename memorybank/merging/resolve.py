"""Finishes the files of a merge that stopped: with the same rules as the drivers, and for what no driver can see, because one side deleted the file.

A learned note or session note that one side deleted and the other only rewrote is deleted: whoever deletes such a note rejects it. If a person
edited it meanwhile, it stays. A bookmark file, a list or an archive that one side deleted stays. A note that one side archived and the other edited is
active again where git took its archived copy for the renamed note; the copy stays in the archive.
"""

from __future__ import annotations

import os

from memorybank import git
from memorybank.archive import store
from memorybank.archive.object import BY_DATE
from memorybank.editing.write import finish_interrupted
from memorybank.errors import MemorybankError, UsageError
from memorybank.merging import driver, kinds
from memorybank.merging.install import save_merged
from memorybank.merging.sides import FileVersions
from memorybank.storage import disk
from memorybank.storage.digest import sha256
from memorybank.storage.layout import Layout
from memorybank.text import generated
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memorybank.clock import Clock

_SECONDS = 30.0
"""Time limit of each question to git."""
_MARK = b"\n<<<<<<< "
_REJECTABLE = ("learned", "session")
RESOLVED, DELETED, LEFT = "resolved", "deleted", "left"


class UnmergedFile(Value):
    """One file of the bank that git left unmerged.

    path: POSIX, relative to the bank
    outcome: `resolved`, `deleted`, or `left` for a person to decide
    why: why it is left
    before: its content in the working tree, None without a file
    data: its content afterwards; None when it is deleted or left
    """

    path: str
    outcome: str
    why: str = ""
    before: bytes | None = None
    data: bytes | None = None


def plan(layout: Layout) -> list[UnmergedFile]:
    """Return what becomes of each unmerged file of a bank. Raises `UsageError` outside a repository."""
    if layout.repository is None:
        raise UsageError("the bank is not in a git repository", next_step="run 'git init' in the project first")
    stages = _stages(layout, layout.repository)
    found = {path: _decided(layout, layout.repository, path, stages[path]) for path in sorted(stages)}
    for path in [path for path in found if path.startswith(f"{BY_DATE}/") and stages[path].keys() == {1, 2, 3}]:
        found |= {file.path: file for file in _separated(layout, layout.repository, path, stages[path]) if file.path not in stages or file.path == path}
    return [found[path] for path in sorted(found)]


def resolve(layout: Layout, clock: Clock) -> list[UnmergedFile]:
    """Finish the unmerged files of a bank, and return what became of each."""
    finish_interrupted(layout, clock)  # a killed change can leave a file without its name for a moment
    files = plan(layout)
    carry_out(layout, files, clock)
    return files


def carry_out(layout: Layout, files: list[UnmergedFile], clock: Clock) -> None:
    """Write the merged files and add them to git's index. Raises `Conflict` when somebody saved one of them in the meantime; it stays."""
    repository = layout.repository or ""
    for file in files:
        if file.outcome == LEFT:
            continue
        save_merged(layout, file.path, file.before, file.data, clock)
        name = os.path.relpath(os.path.join(layout.root, file.path), repository)
        if git.run(repository, "add", "--all", "--", name, seconds=_SECONDS) is None:
            raise MemorybankError(f"git could not add {name}", next_step=f"run 'git add {name}'")


def _stages(layout: Layout, repository: str) -> dict[str, dict[int, str]]:
    """Return {path relative to the bank: {stage: blob}} of the unmerged files. Stage 1 is the base, 2 ours, 3 theirs."""
    folder, prefix = git.folder_in(repository, layout.root)
    listed = git.run(repository, "ls-files", "--unmerged", "-z", "--", folder, seconds=_SECONDS)
    if listed is None:
        raise MemorybankError("git could not list the unmerged files", next_step="check that the repository is in order with 'git status'")
    found: dict[str, dict[int, str]] = {}
    for entry in listed.split(b"\0"):
        described, _, name = entry.partition(b"\t")
        fields = described.decode("ascii", "replace").split()
        if len(fields) == 3 and fields[0].startswith("100"):
            found.setdefault(name.decode("utf-8", "surrogateescape").removeprefix(prefix), {})[int(fields[2])] = fields[1]
    return found


def _decided(layout: Layout, repository: str, path: str, stages: Mapping[int, str]) -> UnmergedFile:
    kind = kinds.of_path(path)
    if kind is None:
        return UnmergedFile(path, LEFT, "memorybank does not know this kind of file")
    base, ours, theirs = (_blob(repository, stages[stage]) if stage in stages else None for stage in (1, 2, 3))
    present = _present(layout, path)
    if present is not None and present not in (ours, theirs) and _MARK not in b"\n" + present:
        return UnmergedFile(path, LEFT, "somebody changed it since the merge stopped; if it is in order, add it with 'git add'")
    if ours is None or theirs is None:
        return _of_deleted(kind.name, path, base, ours if ours is not None else theirs, present)
    merged = driver.merge(kind, FileVersions(path, base or b"", ours, theirs))
    if merged.is_clean:
        return UnmergedFile(path, RESOLVED, "", present, merged.data)
    return UnmergedFile(path, LEFT, "both sides changed the same text" if kind.is_of_people else "one side cannot be read")


def _of_deleted(kind: str, path: str, base: bytes | None, rest: bytes | None, present: bytes | None) -> UnmergedFile:
    """Decide about a file that one side deleted and the other changed. rest: its version on the other side"""
    if rest is None or base is None:
        return UnmergedFile(path, LEFT, "both sides moved or deleted it")
    if kind in _REJECTABLE:
        if generated.is_sealed(rest):
            return UnmergedFile(path, DELETED, "", present)
        return UnmergedFile(path, LEFT, "one side deleted it, and a person edited it on the other")
    if kind == "note":
        return UnmergedFile(path, LEFT, "one side deleted or archived it, and the other changed it: 'git add' keeps it active, 'git rm' leaves it archived")
    return UnmergedFile(path, RESOLVED, "", present, rest)


def _separated(layout: Layout, repository: str, path: str, stages: Mapping[int, str]) -> list[UnmergedFile]:
    """Return the archived copy and the note that git merged into one file, or nothing when the copy's sidecar does not tell them apart."""
    try:
        described = store.read_sidecar(layout, store.sidecar_beside(path))
    except (MemorybankError, OSError):
        return []
    base, *sides = (_blob(repository, stages[stage]) for stage in (1, 2, 3))
    copies = [data for data in sides if sha256(data).hex() == described.object_sha256]
    others = [data for data in sides if data not in copies]
    if len(copies) != 1 or len(others) != 1:
        return []
    note = f"active/{described.original_path}"
    present = _present(layout, note)
    if present not in (None, others[0]):
        return [UnmergedFile(path, LEFT, f"git put a version of {note} here, and that note exists; copy what you need from 'git show :2:FILE' or ':3:FILE'")]
    copy = UnmergedFile(path, RESOLVED, "", _present(layout, path), copies[0])
    return [copy] if others[0] == base else [copy, UnmergedFile(note, RESOLVED, "archived on one side, edited on the other: it is active", present, others[0])]


def _blob(repository: str, blob: str) -> bytes:
    """Return the bytes of a version. A version that git cannot read must not count as deleted."""
    data = git.run(repository, "cat-file", "blob", blob, seconds=_SECONDS)
    if data is None:
        raise MemorybankError(f"git could not read the object {blob}", next_step="check the repository with 'git fsck'")
    return data


def _present(layout: Layout, path: str) -> bytes | None:
    try:
        return disk.read(os.path.join(layout.root, *path.split("/")), driver.MAX_BYTES)
    except FileNotFoundError:
        return None
