"""Brings the index up to date after git changed the working tree. It never fails, because git has done its work already."""

import os
from contextlib import suppress

from memorybank.errors import MemorybankError


def refresh(root: str) -> bool:
    """Fold the changed notes into the index of a bank, and return whether that was done. A bank without an index is left without one.

    root: the bank, absolute or relative to the working folder
    """
    from memorybank.bank.bank import Bank

    if not os.path.exists(os.path.join(root, "cache", "bank.sqlite3")):
        return False
    with suppress(MemorybankError, OSError):
        Bank.open(root).index.sweep()
        return True
    return False
