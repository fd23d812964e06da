"""The files and folders that exist now: those that git tracks, and others on the disk."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property

from memorybank.claims.disk import PathsOnDisk

_FEW = 16
"""Number of questions that are answered by searching the list as git printed it. Each reads the entire list, so tables are made for more."""
_UNKNOWN = "\ufffd"
"""What stands for bytes that are not UTF-8. A path that contains it is compared in the decoded list."""


class RepositoryFiles:
    """The existing paths of a repository, relative to its root.

    ask: returns the files that git tracks, each with a zero byte after it (`ls-files -z`); None where git cannot say. It is called once, and only if
        the disk does not answer.

    Nothing is made of the list until somebody asks: the claims of one changed note ask for few paths, or for none.
    """

    def __init__(self, root: str, ask: Callable[[], bytes | None]) -> None:
        self._disk = PathsOnDisk(root)
        self._ask = ask
        self._asked = 0

    @cached_property
    def _answer(self) -> bytes | None:
        return self._ask()

    @cached_property
    def _listed(self) -> bytes:
        """The files that git tracks, each between two zero bytes."""
        return b"\0" + (self._answer or b"")

    @property
    def is_complete(self) -> bool:
        """Whether every path that git tracks is known."""
        return self._answer is not None

    @property
    def is_listed(self) -> bool:
        """Whether git was asked already."""
        return "_answer" in self.__dict__

    def list_files(self) -> None:
        """Ask git now, for a caller that may not wait for it later."""
        _ = self._answer

    @cached_property
    def _paths(self) -> list[str]:
        """The files that git tracks."""
        return [name for name in self._listed.decode("utf-8", "replace").split("\0") if name]

    @cached_property
    def _files(self) -> frozenset[str]:
        return frozenset(self._paths)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """{name: the files and folders with it}"""
        found: dict[str, list[str]] = {}
        folders: set[str] = set()
        for path in self._paths:
            folder, _, name = path.rpartition("/")
            found.setdefault(name, []).append(path)
            while folder and folder not in folders:
                folders.add(folder)
                above, _, name = folder.rpartition("/")
                found.setdefault(name, []).append(folder)
                folder = above
        return found

    def has(self, path: str) -> bool:
        """Return whether a file or folder exists: git tracks it, or it is on the disk."""
        return self._disk.has(path) or self.is_tracked(path)

    def is_tracked(self, path: str) -> bool:
        """Return whether git tracks a file, or a file in a folder."""
        written = self._as_listed(path)
        if written is None:
            return path in self._files or path in self._by_name.get(path.rpartition("/")[2], ())
        return b"\0%b\0" % written in self._listed or b"\0%b/" % written in self._listed

    def named(self, names: Collection[str]) -> list[str]:
        """Return the tracked files with one of these names, which are not those of notes, in git's order."""
        # Nearly all files of a large bank are notes. They become one piece, in which a path begins after the last "//", which no path contains.
        pieces = self._listed.replace(b".md\0", b"//").split(b"\0")
        found = [piece.rpartition(b"//")[2].decode("utf-8", "replace") for piece in pieces]
        return [path for path in found if path.rpartition("/")[2] in names]

    def ending_with(self, path: str) -> list[str]:
        """Return the tracked files and folders whose paths end with this one, complete names only."""
        written = self._as_listed(path)
        if written is not None and not any(before + written + after in self._listed for before in (b"\0", b"/") for after in (b"\0", b"/")):
            return []
        end = "/" + path
        return [each for each in self._by_name.get(path.rpartition("/")[2], ()) if each.endswith(end) or each == path]

    def _as_listed(self, path: str) -> bytes | None:
        """Return a path as the list contains it; None for one that has to be looked up in tables, because it may be there in another form, or because
        many were asked for."""
        self._asked += 1
        if self._asked > _FEW or not path or _UNKNOWN in path or "\0" in path:
            return None
        try:
            return path.encode()
        except UnicodeEncodeError:
            return None
