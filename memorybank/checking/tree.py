"""The files of one bank that a commit contains: as they are in the working tree, or as git's index has them.

All paths are POSIX and relative to the bank. A name that is not UTF-8 has its bytes as surrogates.
"""

import os
from collections.abc import Iterator, Sequence
from stat import S_ISLNK, S_ISREG
from typing import NamedTuple, Protocol

from memorybank import git
from memorybank.checking import staged
from memorybank.errors import NotFound, ResourceExhausted
from memorybank.notes.scan import shown
from memorybank.storage import beneath, disk
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout

PRIVATE_FOLDERS = ("log", "backups", "cache")
"""Folders that contain what was said on this machine."""
LOCAL_FOLDERS = (*PRIVATE_FOLDERS, "indexes", "metadata", "archive/by_importance", "archive/by_topic")
"""Folders that no commit contains: those of this machine, and those that every machine derives for itself."""
FILE, LINK, OTHER, UNMERGED = "file", "link", "other", "unmerged"


class TreeFile(NamedTuple):
    """One file of a tree.

    kind: `file`, `link` (symbolic), `other` (a pipe, a device, a repository of its own) or `unmerged` (git has several versions of it)
    blob: git's id of the content; "" in the working tree
    """

    path: str
    kind: str = FILE
    blob: str = ""


class CommittedTree(Protocol):
    """The files of a bank in one of the two places.

    files: by path
    changed: paths that the commit adds or changes; every path in the working tree
    removed: paths that the commit removes
    is_merging: whether the commit ends a merge, rebase, cherry-pick or revert that stopped
    """

    files: dict[str, TreeFile]
    changed: Sequence[str]
    removed: Sequence[str]
    is_merging: bool

    def contents(self, files: Sequence[TreeFile]) -> Iterator[tuple[TreeFile, bytes | None]]:
        """Yield the content of each regular file; None for one over the limit of notes."""

    def lines_with(self, texts: Sequence[str], folder: str) -> Iterator[tuple[str, str]]:
        """Yield (path, line) of the lines below a folder that contain one of the texts literally."""


class StagedTree:
    """The bank as git's index contains it, that is, as the next commit will contain it."""

    def __init__(self, layout: Layout) -> None:
        if layout.repository is None:
            raise NotFound("this bank is not in a git repository, so nothing is staged", next_step="run 'memorybank check' without --staged")
        self._index = staged.StagingIndex(layout.repository, layout.root)
        self.is_merging = staged.is_merging(layout.repository)
        self.files: dict[str, TreeFile] = {}
        for entry in self._index.entries():
            kind = UNMERGED if entry.stage else FILE if entry.mode.startswith("100") else LINK if entry.mode == "120000" else OTHER
            self.files[entry.path] = TreeFile(entry.path, kind, entry.blob)
        added, removed = self._index.differences()
        self.removed: Sequence[str] = removed
        self.changed: Sequence[str] = [path for path in added if path in self.files]

    def contents(self, files: Sequence[TreeFile]) -> Iterator[tuple[TreeFile, bytes | None]]:
        by_blob = self._index.blobs([file.blob for file in files], MAX_NOTE_BYTES)
        yield from ((file, data) for file, data in zip(files, by_blob, strict=True))

    def lines_with(self, texts: Sequence[str], folder: str) -> Iterator[tuple[str, str]]:
        return self._index.lines_with(texts, folder)


class WorkingTree:
    """The bank as it is on disk, without what git ignores; outside git, without local folders."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.is_merging = False
        self.files: dict[str, TreeFile] = {}
        names = git.committable(layout.repository, layout.root) if layout.repository is not None else None
        for path in sorted(_walked(layout.root) if names is None else names):
            kind = _kind(os.path.join(layout.root, path))
            if kind:
                self.files[path] = TreeFile(path, kind)
        self.changed: Sequence[str] = list(self.files)
        self.removed: Sequence[str] = ()

    def contents(self, files: Sequence[TreeFile]) -> Iterator[tuple[TreeFile, bytes | None]]:
        for file in files:
            try:
                yield file, disk.read(os.path.join(self._layout.root, file.path), MAX_NOTE_BYTES)
            except FileNotFoundError:
                continue  # removed since it was listed
            except ResourceExhausted as error:
                if isinstance(error.__cause__, OSError):
                    raise
                yield file, None

    def lines_with(self, texts: Sequence[str], folder: str) -> Iterator[tuple[str, str]]:
        files = [file for file in self.files.values() if file.kind == FILE and is_below(file.path, (folder,))]
        for file, data in self.contents(files):
            for line in (data or b"").decode("utf-8", "surrogateescape").split("\n"):
                if any(text in line for text in texts):
                    yield file.path, line


def is_below(path: str, folders: Sequence[str]) -> bool:
    """Return whether a path is in one of these folders."""
    return any(path.startswith(folder + "/") for folder in folders)


def chosen(tree: CommittedTree, layout: Layout, given: Sequence[str], folder: str) -> list[str]:
    """Return the paths of the tree that a person names: files, folders or keys of notes. Raises `NotFound` for what is not in the tree.

    given: as typed, relative to `folder`
    """
    found: dict[str, None] = {}
    for text in given:
        names = list(dict.fromkeys(_meant(layout, text, folder)))
        matching = [path for path in tree.files for name in names if name == "." or path == name or path.startswith(name + "/")]
        if not matching:
            raise NotFound(f"no file of this bank to check: {shown(text)}", next_step="name a file or folder in the bank that git does not ignore, or a note")
        found.update(dict.fromkeys(matching))
    return sorted(found)


def _meant(layout: Layout, text: str, folder: str) -> Iterator[str]:
    """Yield the paths that a text can mean: relative to the folder, or to `active/`."""
    path = os.path.normpath(os.path.join(os.path.realpath(folder), text))
    path = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)) if path != layout.root else path
    if path == layout.root or layout.root.startswith(path + os.sep):
        yield "."
    elif path.startswith(layout.root + os.sep):
        yield os.path.relpath(path, layout.root).replace(os.sep, "/")
    if not os.path.isabs(text):
        yield "active/" + os.path.normpath(text)


def _walked(root: str) -> Iterator[str]:
    """Yield every file below a bank outside git, except those of local folders and temporary ones."""
    for folder, folders, names in os.walk(root):
        inside = os.path.relpath(folder, root).replace(os.sep, "/")
        prefix = "" if inside == "." else inside + "/"
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        folders[:] = sorted(name for name in folders if prefix + name not in LOCAL_FOLDERS)
        yield from (prefix + name for name in [*names, *links] if not name.startswith(disk.TEMP_PREFIX))


def _kind(path: str) -> str:
    """Return the kind of a file on disk; "" for one that does not exist."""
    try:
        mode = beneath.lstat(path).st_mode
    except beneath.LinkInBank:
        return LINK
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        raise disk.from_os_error(error, path) from error
    return FILE if S_ISREG(mode) else LINK if S_ISLNK(mode) else OTHER
