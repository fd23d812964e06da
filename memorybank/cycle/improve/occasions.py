"""Occasions: a kind of derived memory at one moment, for example `finding@prompt`. Learning can exclude an occasion, on evidence of that occasion alone
(Self-improving memory cycle, phase 4, "低寄与パターン除外").

Notes and statements of people, and failures, are never excluded.

The contribution of a memory is its worth on an occasion, 0 to 1, as a moving average over the samples of its exposures there (phase 4: EMA, α 0.2). A memory
without a sample is neutral, 0.5. A memory that is hardly ever used falls below 0.15 and is no longer shown at that moment, until its shadow exposures would
have been used. It is computed when needed, so no table can disagree with the exposures.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.ticked import EVER, SAMPLE
from memorybank.reasons.reason import Reason
from memorybank.storage.digest import sha256
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Sequence


NEUTRAL = 0.5
ALPHA = 0.2
WORTHLESS = 0.15
"""Worth below which a derived memory is ranked but not shown: reached after six exposures without use."""
REMEMBERED = 30
"""Number of newest samples that count; older ones would weigh less than a thousandth."""
_SAMPLES = (
    f"SELECT {SAMPLE} AS worth, at FROM exposures WHERE memory = ? AND event = ? AND (shown OR excluded) AND worth IS NOT NULL"
    f" ORDER BY at DESC, session DESC, offset DESC, rank DESC LIMIT {REMEMBERED}"
)

DERIVED = ("finding", "files", "session", "topic")
"""The kinds of memory that learning may exclude on an occasion."""
MOMENTS = ("session_start", "prompt", "tool_before", "failure", "subagent_start")
EXCLUDED, UNUSED = "recall.excluded", "recall.unused"
"""Codes of the reasons why learning suppresses a memory."""
PROBED = 20
"""One of this many sessions excludes nothing, so that learning notices when something becomes useful again."""


class MemoryWorth(Value):
    """The worth of a memory, 0 to 1, by a number of samples. since: instant (ms) of the one with which it fell below WORTHLESS, 0 when it never did"""

    average: float
    count: int
    since: int

    @property
    def is_worthless(self) -> bool:
        """Whether the memory is no longer shown at this moment."""
        return self.average < WORTHLESS


def name(kind: str, moment: str) -> str:
    """Return the occasion of a kind at a moment, as policies name it."""
    return f"{kind}@{moment}"


def is_occasion(text: str) -> bool:
    """Return whether a text names an occasion that a policy may exclude. Exclusions of folders and notes in earlier versions are read and ignored."""
    kind, _, moment = text.partition("@")
    return kind in DERIVED and moment in MOMENTS


def is_spared(kind: str) -> bool:
    """Return whether memories of this kind are shown whatever their worth."""
    return kind not in DERIVED


def is_suppressed(why: Reason | None) -> bool:
    """Return whether learning is the reason why a memory is not shown."""
    return why is not None and why.code in (EXCLUDED, UNUSED)


def is_probe(session: str) -> bool:
    """Return whether this session excludes nothing. Decided by a hash of its id, so that nothing must be counted."""
    return int.from_bytes(sha256(session.encode("utf-8", "replace"))[:4], "big") % PROBED == 0


def worth_of(samples: Sequence[tuple[float, int]]) -> MemoryWorth:
    """Return the worth that samples add up to. samples: (sample from 0 to 1, its instant in ms), oldest first."""
    since, average = 0, NEUTRAL
    for sample, at in samples:
        before, average = average, average + ALPHA * (sample - average)
        if before >= WORTHLESS > average:
            since = at
    return MemoryWorth(average, len(samples), since)


def worthless(connection: Connection, kinds: Collection[str]) -> list[tuple[str, str, MemoryWorth]]:
    """Return (memory, moment, worth) of every memory of these kinds that is worthless at a moment, sorted by name."""
    marks = ", ".join("?" * len(kinds))
    rows = connection.execute(
        f"SELECT DISTINCT memory, event FROM exposures WHERE kind IN ({marks}) AND sample IS NOT NULL ORDER BY memory, event", tuple(kinds)
    ).fetchall()
    judged = ((memory, moment, at_occasion(connection, memory, moment)) for memory, moment in rows)
    return [found for found in judged if found[2].is_worthless]


def at_occasion(connection: Connection, memory: str, moment: str) -> MemoryWorth:
    """Return the current worth of a memory at a moment. memory: its id."""
    return worth_of(connection.execute(_SAMPLES, (EVER, memory, moment)).fetchall()[::-1])
