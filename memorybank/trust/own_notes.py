"""Session notes that this machine wrote, whatever lines they share with those of other clones: the same file, the same edit, the same request.

Such a note is exactly what some memorybank wrote (its seal says so), and the event log of its session is on this machine. Logs never come with git.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from memorybank.log import events
from memorybank.text import generated

if TYPE_CHECKING:
    from memorybank.storage.layout import Layout

FOLDER = "active/sync/sessions/"
_SESSION = re.compile(rb"^session_id: ([^\r\n]+)", re.MULTILINE)


def is_own(layout: Layout, path: str, data: bytes) -> bool:
    """Return whether a file is a session note that this machine wrote and nobody edited. path: relative to the bank"""
    found = _SESSION.search(data) if path.startswith(FOLDER) and generated.is_sealed(data) else None
    if found is None:
        return False
    log = events.path_of(layout, found[1].decode("utf-8", "replace").strip().strip("\"'"))
    return os.path.isfile(log) or os.path.isfile(f"{log}.zst")
