"""Where the list of episodes is, and whether it changed. It imports little: every search asks, and few have to read the list."""

from __future__ import annotations

__light__ = True

from memorybank.storage import beneath
from memorybank.storage import system as os
from memorybank.storage.layout import Layout

FOLDER, NAME = "episodes", "episodic_memory.json"


def folder(layout: Layout) -> str:
    """Return the folder of the episodes."""
    return os.path.join(layout.root, FOLDER)


def path_of(layout: Layout) -> str:
    """Return the path of the list."""
    return os.path.join(folder(layout), NAME)


def signature(path: str) -> tuple[int, ...]:
    """Return what differs after a file has been changed or replaced; () without a file."""
    try:
        found = beneath.stat(path)
    except FileNotFoundError:
        return ()
    return (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def state(layout: Layout) -> str:
    """Return a text that changes whenever the list's file changes or is replaced; "none" without a file."""
    return " ".join(map(str, signature(path_of(layout)))) or "none"


def modified_ns(layout: Layout) -> int:
    """Return when the list's file was last modified (ns); 0 without a file."""
    found = signature(path_of(layout))
    return found[2] if found else 0
