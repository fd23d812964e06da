"""Sends what a bank shares to the server, and fetches what others share into the local copy. Killed at any point, the next run completes it.

push: sequence numbers are stored before the first row is sent, and each confirmed batch is stored before the next one is sent.
pull: a page of rows and the position after it are stored together; the notes of the copy follow from the stored rows alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from memorybank.clock import Clock
from memorybank.config import settings as configuration
from memorybank.config.team_folder import COPY
from memorybank.index.fold import refresh
from memorybank.index.working import open_index
from memorybank.storage import disk
from memorybank.storage.layout import Layout
from memorybank.storage.lock import Lock
from memorybank.team import ledger as ledgers
from memorybank.team import local_copy
from memorybank.team.connection import TeamConnection, user_of
from memorybank.team.ledger import TeamLedger
from memorybank.team.local_copy import OwnContents
from memorybank.team.offering import MemoryVectors, OfferedMemory, TeamOffer
from memorybank.team.purging import LOCK
from memorybank.team.received import ReceivedRows
from memorybank.team.row import ORGANISATION_WIDE, WITHDRAWN, SharedRow, tokens_of
from memorybank.values import Value

if TYPE_CHECKING:
    from memorybank.team.server import TeamServer

BATCH = 200
"""Rows that are confirmed together."""
_ORIGIN_BYTES = 4
_OWN = "own"
"""The fact that contains what this bank had at the last pull: digests, and the dates of its notes."""


class PushReport(Value):
    """What a push did.

    sent, withdrawn: number of memories
    left: number of memories that nobody agreed to share yet, because they changed after the preview
    waiting: number of rows that still wait
    """

    sent: int = 0
    withdrawn: int = 0
    left: int = 0
    waiting: int = 0

    def to_json(self) -> dict[str, Any]:
        return self.as_dict()


class PullReport(Value):
    """What a pull did.

    received: number of rows that arrived
    memories: number of memories of others that this machine has now
    notes: number of notes in the local copy
    changed: number of notes that were written or removed
    lost: repositories that this login may not read any more, so that their memories were removed here
    """

    received: int = 0
    memories: int = 0
    notes: int = 0
    changed: int = 0
    lost: Sequence[str] = ()

    def to_json(self) -> dict[str, Any]:
        return {**self.as_dict(), "lost": list(self.lost)}


class TeamExchange:
    """The exchange of one bank.

    folder: of the bank below the state folder (`config.team_folder`)
    """

    def __init__(self, folder: str, connection: TeamConnection, clock: Clock) -> None:
        self.folder = folder
        self.copy = os.path.join(folder, COPY)
        self.connection = connection
        self.clock = clock

    @contextmanager
    def locked(self, command: str) -> Iterator[None]:
        """Keep other processes of this machine from exchanging the same bank. Raises `LockTimeout`."""
        with Lock(os.path.join(self.folder, LOCK), command, self.clock):
            yield

    def ledger(self) -> TeamLedger:
        """Return the ledger. Raises `ValidationFailed` or `NewerFormat`."""
        return ledgers.load(self.folder)

    def queue(self, offer: TeamOffer, agreed: Mapping[str, str] | None, vectors: MemoryVectors) -> tuple[TeamLedger, int, int]:
        """Store what is to be sent, with sequence numbers. The caller holds the lock. Return (the ledger, the last number before, memories that are left).

        agreed: as in `ledger.queued`
        """
        before = self.ledger()
        if not before.origin:
            before = before.with_changes(origin=self._new_origin())
        planned = ledgers.plan(offer, before, vectors)
        after = ledgers.queued(before, planned, self.clock.now(), agreed=agreed)
        ledgers.save(self.folder, after)
        unknown = [each for each in (*planned.new, *planned.changed) if (row := after.rows.get(each.memory)) is None or row.digest != each.digest]
        return after, before.sequence, len(unknown)

    def send(self, server: TeamServer, offer: TeamOffer, agreed: Mapping[str, str] | None, vectors: MemoryVectors) -> PushReport:
        """Queue and send. The caller holds the lock. Raises the errors of the server; what was confirmed stays confirmed, the rest waits."""
        ledger, before, left = self.queue(offer, agreed, vectors)
        status = server.status()
        if status.last_sequence(self.connection.repository, ledger.origin) > ledger.sequence:
            # An older ledger was restored, or another machine got a copy of this one: what either sent under this origin is withdrawn.
            known = {memory: row.digest for memory, row in ledger.rows.items()} | dict(agreed or {})
            server.revoke(ledger.origin)
            ledgers.save(self.folder, ledgers.started_again(ledger, self._new_origin()))
            ledger, before, left = self.queue(offer, None if agreed is None else known, vectors)
        sent = withdrawn = 0
        contents = {each.memory: each for each in offer.shared}
        due = [(row.sequence, contents[memory]) for memory, row in ledger.rows.items() if row.sequence > before]
        rows = chain(
            (SharedRow(*self._place(ledger), row.sequence, WITHDRAWN, row.key, modified=self.clock.now()) for row in ledger.withdrawn),
            (self._row(ledger, number, memory, vectors) for number, memory in sorted(due, key=lambda each: each[0])),
        )
        while batch := list(islice(rows, BATCH)):
            server.push(batch)
            ledger = ledgers.confirmed(ledger, {row.sequence: row.model for row in batch}, self.clock.now())
            ledgers.save(self.folder, ledger)
            gone = sum(row.is_withdrawn for row in batch)
            withdrawn += gone
            sent += len(batch) - gone
        return PushReport(sent, withdrawn, left, ledger.waiting)

    def fetch(self, server: TeamServer, own: Callable[[TeamLedger], OwnContents], rule_tags: Sequence[str], is_rejected: Callable[[str], bool]) -> PullReport:
        """Fetch what is new, and bring the local copy up to date. The caller holds the lock."""
        ledger = self.ledger()
        status = server.status()
        readable = [name for name in dict.fromkeys((self.connection.repository, ORGANISATION_WIDE)) if name in status.repositories]
        received = 0
        disk.make_directories(self.copy)
        with ReceivedRows(self.copy) as stored:
            before = {each.repository for each in stored.everything()}
            cursor = stored.cursor("\n".join((self.connection.address, self.connection.organisation, *readable)))
            while readable:
                rows, cursor = server.rows_after(readable, cursor, without=ledger.origin)
                if not rows:
                    break
                # What a purge removed here is not stored a second time, and what this machine withdrew itself is not news.
                arrived = [row for row in rows if row.origin != ledger.origin and (row.origin, row.key, row.digest) not in ledger.refused]
                stored.take(arrived, cursor)
                received += len(arrived)
            memories = stored.everything()
            mine = own(ledger)
            stored.keep(_OWN, json.dumps([sorted(mine.digests), dict(mine.modified)], ensure_ascii=False))
        changed, notes = self.place(memories, mine, rule_tags, is_rejected)
        ledgers.save(self.folder, ledger.with_changes(pulled_at=self.clock.now()))
        return PullReport(received, len(memories), notes, changed, tuple(sorted(before.difference(readable))))

    def own_at_last_pull(self, ledger: TeamLedger) -> OwnContents | None:
        """Return what this bank had at the last pull; None before the first one."""
        with ReceivedRows(self.copy) as stored:
            said = stored.fact(_OWN)
        if not said:
            return None
        digests, modified = json.loads(said)
        return OwnContents(ledger.origin, frozenset(digests), modified, ledger.refused)

    def place(self, memories: Sequence[Any], own: OwnContents, rule_tags: Sequence[str], is_rejected: Callable[[str], bool]) -> tuple[int, int]:
        """Write the received memories as notes into the local copy. Return (notes that were written or removed, all notes)."""
        copy = Layout(self.copy)
        wanted = local_copy.notes_of(memories, own, rule_tags, is_rejected)
        changed = local_copy.write(copy, wanted)
        with open_index(copy, configuration.load(copy), self.clock) as index:
            refresh(index, fresh=True)
        return changed, len(wanted)

    def _place(self, ledger: TeamLedger) -> tuple[str, str, str]:
        return self.connection.organisation, self.connection.repository, ledger.origin

    def _row(self, ledger: TeamLedger, sequence: int, each: OfferedMemory, vectors: MemoryVectors) -> SharedRow:
        vector = vectors.of(each)
        dimension, model = (vectors.dimension, vectors.model) if vector is not None else (0, "")
        return SharedRow(
            *self._place(ledger), sequence, each.kind, ledger.rows[each.memory].key, each.path, each.digest, each.title, each.text, each.tags,
            each.created, each.modified, tokens_of(each.title, each.tags, each.text), vector, dimension, model,
        )  # fmt: skip

    def _new_origin(self) -> str:
        """Return a new name for the rows of this machine: the login, which the server knows anyway, and random digits."""
        return f"{user_of(self.connection.address)}.{os.urandom(_ORIGIN_BYTES).hex()}"
