"""Finishes the change of a note that a killed command left, before an index is brought up to date: its note can be without its name.

Every search checks this, so the check is a single stat: the log of changes has not grown since all of its changes were known to be finished.
"""

from __future__ import annotations

import os
from contextlib import suppress

from memorybank.errors import MemorybankError
from memorybank.index import meta
from memorybank.log import lines
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.index.working import Index

_SIZE = "changes_size"


def finish(index: Index) -> None:
    """Finish an interrupted change, unless another process is just making one. In a frozen index nothing is changed, and an error changes nothing."""
    size = lines.size(os.path.join(index.layout.log, "changes.jsonl"))
    if index.frozen or size == (meta.integer(index.connection, _SIZE) or 0):
        return
    from memorybank.editing.write import finish_interrupted

    # A lock that is held: the change goes on, and the next fold asks again. A cache that is busy: somebody else remembers the size.
    with suppress(MemorybankError, sqlite3.OperationalError):
        if not finish_interrupted(index.layout, index.clock, timeout=0):
            # The size from before: a change that began in the meantime is asked about again.
            meta.write(index.connection, _SIZE, size)
