"""Where a bank keeps what it exchanges with the server of a team: below the person's state folder, never in a repository.

The folder contains the ledger of what this machine shared, and the local copy of what others shared, which is a bank of its own. Its existence means that
the person connected the bank on this machine.
"""

from __future__ import annotations

__light__ = True

from memorybank.storage import system as os
from memorybank.storage.digest import sha256
from memorybank.storage.layout import Layout, state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "team"
"""Folder of the state folder."""
COPY = "copy"


def folder(layout: Layout, environment: Mapping[str, str]) -> str:
    """Return the folder of a bank, named after a digest of its path in the main worktree. All worktrees share it."""
    return f"{state_folder(environment)}/{NAME}/{sha256(layout.local_root.encode('utf-8', 'surrogateescape')).hex()[:24]}"


def copy_root(layout: Layout, environment: Mapping[str, str]) -> str:
    """Return the folder of the local copy, which may be missing."""
    return f"{folder(layout, environment)}/{COPY}"


def copy_of(layout: Layout, environment: Mapping[str, str]) -> Layout | None:
    """Return the local copy of what others shared; None where the bank is not connected or nothing was pulled yet. Takes one look at the disk."""
    root = copy_root(layout, environment)
    return Layout(root) if os.path.isdir(f"{root}/active") else None
