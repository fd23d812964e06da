"""Access to the cycle's cache: brought up to date as by the next hook, then read."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from memorybank.bank.opened import OpenBank
from memorybank.clock import FixedClock
from memorybank.cycle import base as bases
from memorybank.cycle.base import CycleContext
from memorybank.cycle.event import MAIN
from memorybank.cycle.fold import cache, logs
from memorybank.cycle.recall.ranking import MemoryReader
from memorybank.errors import LockTimeout, MemorybankError
from memorybank.storage.sqlite import sqlite3
from memorybank.visibility import Viewer

_BUSY_SECONDS = 1.0


def base_of(bank: OpenBank, as_of: int | None = None) -> CycleContext:
    """Return the base of a bank's cycle, with the learned policy in force.

    as_of: instant (ms), default now
    """
    clock = bank.clock if as_of is None else FixedClock(as_of)
    base = bases.describe(bank.layout, clock)
    base.bring_policy_into_force()
    return base


def fold(bank: OpenBank, base: CycleContext) -> None:
    """Bring the cycle's cache up to date, as the next hook would. A bank that cannot be written is read as it is."""
    if bank.read_only:
        return
    try:
        with cache.CacheConnection(base.layout, busy_seconds=_BUSY_SECONDS) as connection:
            logs.fold(base, connection, wait=True)
    except MemorybankError as error:
        why = "another process is writing the cache" if isinstance(error, LockTimeout) else error.message
        bank.notify(f"what was recorded last may be missing from this answer ({why})")
    finally:
        cache.close()


@contextmanager
def folded(bank: OpenBank, base: CycleContext) -> Iterator[sqlite3.Connection]:
    """Open the cycle's cache, brought up to date, and close it afterwards, because the process may live for days.

    A missing cache counts as an empty one. No file is created next to the cache of a bank that is `read_only`.
    """
    fold(bank, base)
    with closing(cache.as_it_is(bank.layout, frozen=bank.read_only)) as found:
        yield found


@contextmanager
def seen_by(bank: OpenBank, role: str | None = MAIN) -> Iterator[sqlite3.Connection]:
    """Open the cycle's cache as `folded` does, restricted to what a role may see; None: to what everybody may see."""
    base = base_of(bank)
    reader = MemoryReader(Viewer(role=role), base.settings, bank.clock.now())

    def sees(kind: str, at: int, acl: str, privacy: str, hold: int, author: str | None, session: str | None, agent: str | None) -> bool:
        return role is not None and reader.sees(kind, at, acl, privacy, hold, author, session, agent)

    with folded(bank, base) as connection:
        connection.create_function("sees", 8, sees)
        yield connection
