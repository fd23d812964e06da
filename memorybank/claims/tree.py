"""The files and folders that exist now: those that git tracks, and others on the disk."""

from __future__ import annotations

from collections.abc import Iterable

from memorybank.claims.disk import PathsOnDisk


class RepositoryFiles:
    """The existing paths of a repository, relative to its root.

    tracked: files that git tracks; None where git cannot say.
    """

    def __init__(self, root: str, tracked: Iterable[str] | None) -> None:
        self._disk = PathsOnDisk(root)
        self.is_complete = tracked is not None
        self._by_name: dict[str, list[str]] = {}
        self._tracked: set[str] = set()
        folders: set[str] = set()
        for path in tracked or ():
            self._tracked.add(path)
            folder, _, name = path.rpartition("/")
            self._by_name.setdefault(name, []).append(path)
            while folder and folder not in folders:
                folders.add(folder)
                above, _, name = folder.rpartition("/")
                self._by_name.setdefault(name, []).append(folder)
                folder = above
        self._tracked |= folders

    def has(self, path: str) -> bool:
        """Return whether a file or folder exists: git tracks it, or it is on the disk."""
        return path in self._tracked or self._disk.has(path)

    def is_tracked(self, path: str) -> bool:
        """Return whether git tracks a file, or a file in a folder."""
        return path in self._tracked

    def ending_with(self, path: str) -> list[str]:
        """Return the tracked files and folders whose paths end with this one, complete names only."""
        end = "/" + path
        return [each for each in self._by_name.get(path.rpartition("/")[2], ()) if each.endswith(end) or each == path]
