"""What recall ranks but does not show: kinds that the policy excludes on an occasion, and derived memories that proved worthless at a moment."""

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memorybank.clock import day_of
from memorybank.cycle.fold import schema
from memorybank.cycle.improve import contribution, occasions
from memorybank.cycle.policy import LEARNING, PolicyRecord
from memorybank.storage import database

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection

    from memorybank.bank.bank import Bank


@dataclass(frozen=True, slots=True)
class SuppressedMemory:
    """One thing that recall does not show.

    what: an occasion (`finding@prompt`) or the id of a memory
    moment: at which it is not shown
    reason: why, since when, and by whom
    """

    what: str
    moment: str
    reason: str

    def to_json(self) -> dict[str, str]:
        return {"what": self.what, "moment": self.moment, "reason": self.reason}


def find(bank: "Bank", records: "Sequence[PolicyRecord]", *, learning: bool) -> tuple[SuppressedMemory, ...]:
    """Return everything that recall does not show now: first excluded occasions, then memories. Nothing is written.

    Memories are taken from the cycle's cache as it is on disk.
    records: the policies, oldest first
    learning: whether the settings let recall learn
    """
    found = list(_excluded(records))
    if learning:
        with closing(database.open_frozen(schema.path(bank.layout), schema.TABLES, schema.VERSION)) as connection:
            found += _worthless(connection)
    return tuple(found)


def _excluded(records: "Sequence[PolicyRecord]") -> "Iterable[SuppressedMemory]":
    for occasion in filter(occasions.is_occasion, records[-1].exclusions if records else ()):
        first = records[-1]
        for record in reversed(records):
            if occasion not in record.exclusions:
                break
            first = record
        by = "learning" if first.by == LEARNING else "a person"
        yield SuppressedMemory(occasion, occasion.partition("@")[2], f"{occasions.SUPPRESSED}{by} since policy {first.version}")


def _worthless(connection: "Connection") -> "Iterable[SuppressedMemory]":
    for memory, moment, worth in contribution.worthless(connection, occasions.DERIVED):
        yield SuppressedMemory(memory, moment, occasions.UNUSED.format(day=day_of(worth.since), count=worth.count))
