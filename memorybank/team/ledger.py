"""The ledger of one machine and one bank: which memories the server has from here, and which rows still wait to be sent.

It contains no text: a queued row is read again from the bank when it is sent, and only sent if it still is what was queued. Each row has a sequence number
that is written here before the row is sent. A row that was not confirmed gets another number before it is sent again, so after a kill the server has the row
once or twice, and the later one counts. The keys of rows are random, so a row can be withdrawn after `purge` removed the name of its memory here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from memorybank.errors import MemorybankError, NewerFormat, ValidationFailed
from memorybank.storage import disk, jsontext
from memorybank.team.offering import KeptMemory, MemoryVectors, OfferedMemory, TeamOffer
from memorybank.text.secrets.needle import PurgeNeedle
from memorybank.values import Value

VERSION = 1
FILE = "ledger.json"
_MAX_BYTES = 64 << 20
_KEY_BYTES = 16
_MOST_DROPPED = 20_000


class LedgerRow(Value):
    """One row that this machine owns on the server, or is about to.

    key: its random key
    digest: of its content; "" for one that is withdrawn
    sequence: its number; a later one replaces an earlier one of the same key
    is_sent: whether the server confirmed it
    model: the embedder of the vectors that the server has of it, "" without vectors
    """

    key: str
    digest: str
    sequence: int
    is_sent: bool = False
    model: str = ""


class TeamLedger(Value):
    """The ledger.

    origin: the name of this machine's rows on the server, "" before the first contact
    sequence: the latest sequence number that was assigned
    rows: {memory: its row}
    withdrawn: the rows that the server must withdraw, without the names of their memories
    dropped: digests of what was withdrawn because it was deleted or archived here; the same content of another machine is not shown here either
    refused: (origin, key, digest) of rows of others that a purge removed here, so that no pull brings them back
    sent_at, pulled_at: when the server last confirmed rows, and when it last answered a pull (ms); 0 for never
    queued_at: since when rows wait (ms); 0 if none do
    """

    origin: str = ""
    sequence: int = 0
    rows: Mapping[str, LedgerRow] = {}
    withdrawn: Sequence[LedgerRow] = ()
    dropped: Sequence[str] = ()
    refused: frozenset[tuple[str, str, str]] = frozenset()
    sent_at: int = 0
    pulled_at: int = 0
    queued_at: int = 0

    @property
    def waiting(self) -> int:
        """Number of rows that the server has not confirmed."""
        return sum(not row.is_sent for row in self.rows.values()) + len(self.withdrawn)

    @property
    def shared(self) -> int:
        """Number of memories that the server has from here."""
        return sum(row.is_sent for row in self.rows.values())


class WithdrawnMemory(Value):
    """A memory that the server is to withdraw. why: the reason why it may not be shared any more; None for one that was deleted or archived"""

    memory: str
    why: KeptMemory | None


class PushPlan(Value):
    """What a push would send.

    new, changed: memories
    withdrawn: memories that the server has and that this bank no longer shares
    waiting: memories that were queued before and have not changed
    embedded: memories that the server has without the vectors that this bank has now
    same: number of memories that the server already has
    kept: memories that stay on this machine, with the reasons
    tombstones: number of withdrawn rows that wait
    """

    new: Sequence[OfferedMemory]
    changed: Sequence[OfferedMemory]
    withdrawn: Sequence[WithdrawnMemory]
    waiting: Sequence[OfferedMemory]
    embedded: Sequence[OfferedMemory]
    same: int
    kept: Sequence[KeptMemory]
    tombstones: int = 0

    @property
    def is_empty(self) -> bool:
        return not (self.new or self.changed or self.withdrawn or self.waiting or self.embedded or self.tombstones)


def plan(offer: TeamOffer, ledger: TeamLedger, vectors: MemoryVectors) -> PushPlan:
    """Return what a push of this offer would send."""
    new: list[OfferedMemory] = []
    changed: list[OfferedMemory] = []
    waiting: list[OfferedMemory] = []
    embedded: list[OfferedMemory] = []
    same = 0
    for each in offer.shared:
        row = ledger.rows.get(each.memory)
        if row is None:
            new.append(each)
        elif row.digest != each.digest:
            changed.append(each)
        elif not row.is_sent:
            waiting.append(each)
        elif row.model != vectors.model and vectors.of(each) is not None:
            embedded.append(each)
        else:
            same += 1
    kept = {each.memory: each for each in offer.kept}
    gone = sorted(ledger.rows.keys() - {each.memory for each in offer.shared})
    withdrawn = [WithdrawnMemory(memory, kept.get(memory)) for memory in gone]
    return PushPlan(new, changed, withdrawn, waiting, embedded, same, offer.kept, len(ledger.withdrawn))


def queued(ledger: TeamLedger, planned: PushPlan, at: int, *, agreed: Mapping[str, str] | None = None) -> TeamLedger:
    """Return the ledger with everything queued that a plan sends, each row with a new sequence number.

    at: now (ms)
    agreed: {memory: digest} of what a person saw in a preview; None for everything. Rows that wait, and vectors of a text that the server
        has, need no new agreement; withdrawals never need one.
    """
    rows = dict(ledger.rows)
    sequence = ledger.sequence
    withdrawn: list[LedgerRow] = []
    dropped = dict.fromkeys(ledger.dropped)
    for gone in planned.withdrawn:
        row = rows.pop(gone.memory)
        dropped[row.digest] = None
        withdrawn.append(row)
    numbered = []
    for row in (*ledger.withdrawn, *withdrawn):
        sequence += 1
        numbered.append(LedgerRow(row.key, "", sequence))
    for each in (*planned.waiting, *planned.new, *planned.changed, *planned.embedded):
        before = rows.get(each.memory)
        if agreed is not None and agreed.get(each.memory) != each.digest and (before is None or before.digest != each.digest):
            continue
        sequence += 1
        rows[each.memory] = LedgerRow(before.key if before is not None else os.urandom(_KEY_BYTES).hex(), each.digest, sequence)
    after = ledger.with_changes(rows=rows, sequence=sequence, withdrawn=tuple(numbered), dropped=tuple(dropped)[-_MOST_DROPPED:])
    return after.with_changes(queued_at=(ledger.queued_at or at) if after.waiting else 0)


def confirmed(ledger: TeamLedger, models: Mapping[int, str], at: int) -> TeamLedger:
    """Return the ledger after the server confirmed rows. models: {sequence number: the embedder of its vectors}"""
    rows = {
        memory: LedgerRow(row.key, row.digest, row.sequence, is_sent=True, model=models[row.sequence]) if row.sequence in models else row
        for memory, row in ledger.rows.items()
    }
    after = ledger.with_changes(rows=rows, withdrawn=tuple(row for row in ledger.withdrawn if row.sequence not in models), sent_at=at)
    return after if after.waiting else after.with_changes(queued_at=0)


def started_again(ledger: TeamLedger, origin: str) -> TeamLedger:
    """Return the ledger of a new origin, under which everything is sent again: the old one's rows were withdrawn on the server."""
    return TeamLedger(origin=origin, dropped=ledger.dropped, refused=ledger.refused, pulled_at=ledger.pulled_at)


def purged(ledger: TeamLedger, needle: PurgeNeedle, at: int) -> TeamLedger:
    """Return the ledger without the names that contain a text. Their rows are withdrawn; a memory that still has its name is sent again as a new one.

    at: now (ms)
    """
    holding = [memory for memory in ledger.rows if needle.is_in(memory.encode("utf-8", "surrogateescape"))]
    if not holding:
        return ledger
    removed = PushPlan((), (), [WithdrawnMemory(memory, None) for memory in sorted(holding)], (), (), 0, ())
    return queued(ledger, removed, at)


def load(folder: str) -> TeamLedger:
    """Return the ledger in the folder of a bank, an empty one without a file. Raises `ValidationFailed` for a damaged one, `NewerFormat`."""
    path = os.path.join(folder, FILE)
    try:
        fields = jsontext.decode(disk.read(path, _MAX_BYTES))
    except FileNotFoundError:
        return TeamLedger()
    except ValueError:
        raise _damaged(path) from None
    if isinstance(fields, dict) and isinstance(fields.get("version"), int) and fields["version"] > VERSION:
        raise NewerFormat(f"{path} was written by a newer memorybank")
    try:
        return TeamLedger(
            str(fields["origin"]),
            int(fields["sequence"]),
            {str(memory): LedgerRow(*_typed(row)) for memory, row in fields["rows"].items()},
            tuple(LedgerRow(*_typed(row)) for row in fields["withdrawn"]),
            tuple(map(str, fields["dropped"])),
            frozenset((str(origin), str(key), str(digest)) for origin, key, digest in fields["refused"]),
            int(fields["sent_at"]),
            int(fields["pulled_at"]),
            int(fields["queued_at"]),
        )
    except (TypeError, ValueError, KeyError, AttributeError):
        raise _damaged(path) from None


def save(folder: str, ledger: TeamLedger) -> None:
    """Write the ledger durably. The caller holds the lock of the folder."""
    fields = {
        "version": VERSION,
        "origin": ledger.origin,
        "sequence": ledger.sequence,
        "rows": {memory: _fields(row) for memory, row in ledger.rows.items()},
        "withdrawn": [_fields(row) for row in ledger.withdrawn],
        "dropped": list(ledger.dropped),
        "refused": sorted(map(list, ledger.refused)),
        "sent_at": ledger.sent_at,
        "pulled_at": ledger.pulled_at,
        "queued_at": ledger.queued_at,
    }
    disk.make_directories(folder)
    disk.replace(os.path.join(folder, FILE), (jsontext.encode_bytes(fields), b"\n"), durable=True)


def _fields(row: LedgerRow) -> list[object]:
    return [row.key, row.digest, row.sequence, row.is_sent, row.model]


def _typed(row: Sequence[Any]) -> tuple[str, str, int, bool, str]:
    key, digest, sequence, is_sent, model = row
    if not (isinstance(key, str) and isinstance(digest, str) and isinstance(sequence, int) and isinstance(is_sent, bool) and isinstance(model, str)):
        raise TypeError
    return key, digest, sequence, is_sent, model


def _damaged(path: str) -> MemorybankError:
    return ValidationFailed(
        f"{path} is damaged, so this machine does not know what it shared",
        next_step="move it away, then push again: the rows of the old origin are withdrawn with 'memorybank team revoke'",
    )
