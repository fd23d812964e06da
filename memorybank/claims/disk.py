"""Which paths below a repository exist on the disk. No link is followed, and nothing is opened."""

from __future__ import annotations

__light__ = True

from memorybank.storage import system as os

_KIND, _FOLDER = 0o170000, 0o040000
"""File types in `st_mode` (POSIX, sys/stat.h)."""


class PathsOnDisk:
    """The paths below a folder that exist. A folder is looked at once.

    root: absolute
    """

    __slots__ = ("_folders", "root")
    is_complete = False

    def __init__(self, root: str) -> None:
        self.root = root
        self._folders = {"": True}

    def has(self, path: str) -> bool:
        """Return whether a file, a folder or a link exists. A path that leads through a link, or out of the root, does not."""
        if not path or path.startswith("/") or ".." in path.split("/") or not self._is_folder(path.rpartition("/")[0]):
            return False
        return self._mode(path) != 0

    def ending_with(self, path: str) -> list[str]:
        """Return no path: a disk is not searched."""
        return []

    def _is_folder(self, path: str) -> bool:
        found = self._folders.get(path)
        if found is None:
            found = self._folders[path] = self._is_folder(path.rpartition("/")[0]) and self._mode(path) & _KIND == _FOLDER
        return found

    def _mode(self, path: str) -> int:
        try:
            return int(os.lstat(f"{self.root}/{path}").st_mode)
        except (OSError, ValueError):
            return 0
