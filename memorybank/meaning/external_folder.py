"""The folder of a store that memorybank does not keep itself: the names of its files, its lock, and its deletion."""

from __future__ import annotations

import os

from memorybank.clock import Clock
from memorybank.storage import disk
from memorybank.storage.lock import Lock

FOLDER = "mem0"
"""Folder in the person's state folder with a folder for each bank, and in it one for each store."""
LEDGER, DATA, COLLECTION = "ledger.sqlite3", "data", "collection"
"""The files of a store: its ledger, its data if it has no server, and a record of two lines: the name of its collection, and `leaves_by`."""
LOCK, LOCK_SECONDS = "mem0.lock", 5.0
"""The local mode of Qdrant admits one process at a time."""


def delete_on_this_machine(folder: str, command: str, clock: Clock) -> int:
    """Delete a store without a server, once no process uses it; returns the number of its files."""
    with Lock(os.path.join(folder, LOCK), command, clock, LOCK_SECONDS):
        return delete_folder(folder)


def delete_folder(folder: str) -> int:
    """Delete a folder with everything in it, durably; returns the number of its files. Symbolic links are not followed."""
    count = 0
    for top, _, names in os.walk(folder, topdown=False):
        for name in names:
            disk.remove(os.path.join(top, name))
            count += 1
        disk.remove_directory(top)
    if os.path.isdir(os.path.dirname(folder)):
        disk.sync_directory(os.path.dirname(folder))
    return count
