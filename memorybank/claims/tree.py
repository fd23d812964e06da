"""The files and folders that exist now: those that git tracks, and others on the disk."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from memorybank.claims.disk import PathsOnDisk


class RepositoryFiles:
    """The existing paths of a repository, relative to its root.

    tracked: files that git tracks; None where git cannot say.

    Sets and tables of all paths are made when a question needs them: the claims of one changed note seldom do.
    """

    def __init__(self, root: str, tracked: Collection[str] | None) -> None:
        self._disk = PathsOnDisk(root)
        self.is_complete = tracked is not None
        self._listed = tracked or ()

    @cached_property
    def _files(self) -> frozenset[str]:
        return frozenset(self._listed)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """{name: the files and folders with it}"""
        found: dict[str, list[str]] = {}
        folders: set[str] = set()
        for path in self._listed:
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
        return path in self._files or self._disk.has(path) or self.is_tracked(path)

    def is_tracked(self, path: str) -> bool:
        """Return whether git tracks a file, or a file in a folder."""
        return path in self._files or path in self._by_name.get(path.rpartition("/")[2], ())

    def ending_with(self, path: str) -> list[str]:
        """Return the tracked files and folders whose paths end with this one, complete names only."""
        end = "/" + path
        return [each for each in self._by_name.get(path.rpartition("/")[2], ()) if each.endswith(end) or each == path]
