"""The files of one bank that a commit contains: as they are in the working tree, or as git's index has them.

All paths are POSIX and relative to the bank. A name that is not UTF-8 has its bytes as surrogates.

git's index is only read: the entries below a bank, how they differ from HEAD, and the contents of blobs. A hook of `git commit -a` or `git commit PATH` has
an index of its own, which the environment names (githooks, "pre-commit"; git, "GIT_INDEX_FILE").
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from stat import S_ISLNK, S_ISREG
from typing import NamedTuple, Protocol

from memorybank import git
from memorybank.errors import MemorybankError, NotFound, ResourceExhausted
from memorybank.notes.scan import shown
from memorybank.storage import beneath, disk
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout, git_folders, upward

_SECONDS = 60.0
_MOST_BYTES_AT_ONCE = 64 << 20
_NO_BLOB = "missing"
_STOPPED = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")

PRIVATE_FOLDERS = ("log", "backups", "cache")
"""Folders that contain what was said on this machine."""
LOCAL_FOLDERS = (*PRIVATE_FOLDERS, "indexes", "metadata", "archive/by_importance", "archive/by_topic")
"""Folders that no commit contains: those of this machine, and those that every machine derives for itself."""
FILE, LINK, OTHER, UNMERGED = "file", "link", "other", "unmerged"


class IndexEntry(NamedTuple):
    """One entry of the index below the bank.

    mode: `100644`, `100755`, `120000` (a symbolic link) or `160000` (a commit of another repository)
    stage: 0, or 1 to 3 while a conflict is not resolved
    path: POSIX, relative to the bank
    """

    mode: str
    blob: str
    stage: int
    path: str


class StagingIndex:
    """The index that the next commit is made from.

    repository: root of the work tree
    bank: absolute path
    """

    def __init__(self, repository: str, bank: str) -> None:
        self._repository = repository
        self._inside, self._prefix = git.folder_in(repository, bank)
        self._index = index_of_hook(repository, os.environ)

    def entries(self) -> Iterator[IndexEntry]:
        """Yield the entries below the bank, by path."""
        for entry in self._ask("ls-files", "-z", "--stage", "--full-name", "--", self._inside).split(b"\0"):
            fields, _, path = entry.partition(b"\t")
            if path:
                mode, blob, stage = fields.decode("ascii").split()
                yield IndexEntry(mode, blob, int(stage), self._path(path))

    def differences(self) -> tuple[list[str], list[str]]:
        """Return the paths that the commit adds or changes, and those that it removes, sorted. Before the first commit every entry is new."""
        fields = self._ask("diff", "--cached", "-z", "--name-status", "--no-renames", "--no-ext-diff", "--", self._inside).split(b"\0")
        changed: set[str] = set()
        removed: set[str] = set()
        for status, path in zip(fields[::2], fields[1::2], strict=False):
            (removed if status == b"D" else changed).add(self._path(path))
        return sorted(changed), sorted(removed)

    def blobs(self, ids: Sequence[str], limit: int) -> Iterator[bytes | None]:
        """Yield the contents of blobs in order; None for one that has more than `limit` bytes."""
        sizes = self._sizes(ids)
        for portion in _portions(ids, sizes):
            known = self._contents(list(dict.fromkeys(blob for blob in portion if sizes[blob] <= limit)))
            yield from map(known.get, portion)

    def lines_with(self, texts: Sequence[str], folder: str) -> Iterator[tuple[str, str]]:
        """Yield (path, line) of the staged lines below a folder of the bank that contain one of the texts literally."""
        patterns = [argument for text in texts for argument in ("-e", text)]
        arguments = ("grep", "--cached", "-z", "-I", "--no-color", "--fixed-strings", *patterns, "--", self._prefix + folder)
        # Without a match the exit code of `git grep` is 1, which is not an error here.
        found = git.run(self._repository, *arguments, seconds=_SECONDS, index=self._index) or b""
        at = 0
        while at < len(found):
            middle = found.index(b"\0", at)
            end = found.find(b"\n", middle)
            end = len(found) if end < 0 else end
            yield self._path(found[at:middle]), found[middle + 1 : end].decode("utf-8", "surrogateescape")
            at = end + 1

    def _sizes(self, ids: Sequence[str]) -> dict[str, int]:
        answer = self._ask("cat-file", "--batch-check=%(objectname) %(objectsize)", data="".join(f"{blob}\n" for blob in ids).encode("ascii"))
        sizes = {}
        for line in answer.decode("ascii").splitlines():
            blob, _, size = line.partition(" ")
            if size == _NO_BLOB:
                raise MemorybankError(f"git's index names the object {blob}, which the repository does not contain", next_step="run 'git fsck'")
            sizes[blob] = int(size)
        return sizes

    def _contents(self, ids: Sequence[str]) -> dict[str, bytes]:
        answer = self._ask("cat-file", "--batch=%(objectname) %(objectsize)", data="".join(f"{blob}\n" for blob in ids).encode("ascii"))
        return dict(git.contents_of_batch(answer))

    def _ask(self, *arguments: str, data: bytes = b"") -> bytes:
        answer = git.run(self._repository, *arguments, seconds=_SECONDS, data=data, index=self._index)
        if answer is None:
            raise MemorybankError(f"git {arguments[0]} failed", next_step="run 'git status' in the repository to see why")
        return answer

    def _path(self, path: bytes) -> str:
        return path.decode("utf-8", "surrogateescape").removeprefix(self._prefix)


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
        self._index = StagingIndex(layout.repository, layout.root)
        self.is_merging = is_unfinished(layout.repository)
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
        yield os.path.relpath(path, layout.root)
    if not os.path.isabs(text):
        yield "active/" + os.path.normpath(text)


def _walked(root: str) -> Iterator[str]:
    """Yield every file below a bank outside git, except those of local folders and temporary ones."""
    for folder, folders, names in os.walk(root):
        prefix = f"{folder}/".removeprefix(f"{root}/")
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


def _portions(ids: Sequence[str], sizes: Mapping[str, int]) -> Iterator[list[str]]:
    """Yield the ids in portions whose contents fit into memory."""
    portion: list[str] = []
    total = 0
    for blob in ids:
        if portion and total + sizes[blob] > _MOST_BYTES_AT_ONCE:
            yield portion
            portion, total = [], 0
        portion.append(blob)
        total += sizes[blob]
    yield portion


def is_unfinished(repository: str) -> bool:
    """Return whether git waits for a commit that ends a merge, rebase, cherry-pick or revert."""
    folders = git_folders(repository)
    return folders is not None and any(os.path.exists(os.path.join(folders.own, name)) for name in _STOPPED)


def index_of_hook(repository: str, environment: Mapping[str, str]) -> str:
    """Return the absolute path of the index of a running commit; "" if the environment names none, or that of another repository."""
    named = environment.get("GIT_INDEX_FILE", "")
    top = next((folder for folder in upward(os.getcwd()) if os.path.exists(os.path.join(folder, ".git"))), repository)
    folders, here = git_folders(repository), git_folders(top)
    own = environment.get("GIT_DIR", here.own if here is not None else "")
    if not named or folders is None or os.path.realpath(own) != os.path.realpath(folders.own):
        return ""
    return os.path.join(top, named)
