"""Read-only queries to git's index: the entries below a bank, how they differ from HEAD, and the contents of blobs.

A hook of `git commit -a` or `git commit PATH` has an index of its own, which the environment names (githooks, "pre-commit"; git, "GIT_INDEX_FILE").
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memorybank import git
from memorybank.errors import MemorybankError
from memorybank.storage.layout import git_folders, upward

_SECONDS = 60.0
_MOST_BYTES_AT_ONCE = 64 << 20
_NO_BLOB = "missing"
_STOPPED = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")


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
        self._inside = os.path.relpath(bank, repository).replace(os.sep, "/")
        self._prefix = "" if self._inside == "." else self._inside + "/"
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


def is_merging(repository: str) -> bool:
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
