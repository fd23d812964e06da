"""How long the steps at the end of a session take, and which of them may begin in the time that is left.

A heavy step is expected to take as long as the faster one of its last two runs, which the log says: a machine that was busy once says nothing about the next
time. While it runs, it is expected to take longer than any end of a session, so that a step that gets this process killed does not kill the next one too.
Such a step is skipped and left to commands, and it is expected to take less from then on (`StepDurations.skip`). The cache keeps all of this in `meta`.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY
from memorybank.cycle.fold import cache
from memorybank.log import organize
from memorybank.storage import database
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable

    from memorybank.cycle.base import CycleContext
    from memorybank.log.organize import OrganizeStep

    Left = Callable[[], float]
    """Returns the milliseconds until the deadline."""

LEAST_FOR_A_SESSION, LEAST_FOR_A_DAY, LEAST_FOR_A_LEARNED_NOTE, LEAST_TO_FOLD_DAYS = 30, 40, 60, 100
"""Milliseconds that must be left to begin these: a session's log is read, the episode of a day is written, git may be asked about a learned note, and the
index is opened for the new episodes."""
LEAST = {organize.INDEX: 250, organize.PUBLISH: 150, organize.EPISODES: 300, organize.MAINTAIN: 400}
"""Milliseconds that a heavy step takes at least: its imports, and its work in a small bank."""
MARGIN = 1.5
"""A step begins when its expected duration times this fits into the remaining time."""
PATIENCE = DAY
"""How long (ms) a round waits for a step that handles notes. After that the step is left to commands, so that later steps do not wait any longer."""
ENDLESS = 60_000
"""A duration (ms) that does not fit into the end of any session, and the time of a caller without a deadline."""
_PUBLISHING = 2.5
"""How many times as long as writing the documents, which is what a command records, the step takes that also renders what changed and measures the bank."""


class StepDurations:
    """What the steps of one bank are expected to take. left: see `Left`."""

    def __init__(self, base: CycleContext, connection: Connection, left: Left) -> None:
        self.base = base
        self.connection = connection
        self.left = left
        self._needed: dict[str, float] = {}

    def needed(self, step: str) -> float:
        """Return the milliseconds that a step is likely to take."""
        if step not in self._needed:
            self._needed[step] = max(_least(step), MARGIN * cache.value(self.connection, f"{step}_ms"))
        return self._needed[step]

    def fits(self, step: str) -> bool:
        """Return whether a step is likely to end in time."""
        return self.needed(step) <= self.left()

    def never_fits(self, step: str) -> bool:
        """Return whether a step fits into no end of a session."""
        return self.needed(step) > max(self.base.settings.deadlines_ms.session_end, _least(step))

    def is_given_up(self, step: str, begun: int) -> bool:
        """Return whether a round that began at this instant (ms) has waited long enough for a step. Episodes are never given up: they are written day by
        day as time allows."""
        return step in (organize.INDEX, organize.PUBLISH) and begun < self.base.clock.now() - PATIENCE

    def is_for_now(self, step: str, begun: int) -> bool:
        """Return whether something can be done about a step that a round lacks: do it, or skip it."""
        return self.fits(step) or self.never_fits(step) or self.is_given_up(step, begun)

    def begin(self, step: str) -> int:
        """Return what a step is expected to take (ms). Until `end`, it is expected to take too long."""
        took = cache.value(self.connection, f"{step}_ms")
        self._expect(step, ENDLESS, self._published()[0] if step == organize.PUBLISH else 0)
        return took

    def end(self, step: str, milliseconds: int) -> None:
        """Set what a step is expected to take after it ended, until the log says how long it took."""
        self._expect(step, milliseconds)

    def skip(self, step: str) -> None:
        """Make sure that a step that fits into no end of a session is tried again some day: folding, because others fold part of what waits; episodes,
        because the next days are other work. Publishing stays the same amount of work, so it waits for another process to publish (`look_again`)."""
        if step != organize.PUBLISH:
            self._expect(step, cache.value(self.connection, f"{step}_ms") // 2 if step == organize.INDEX else 0)

    def look_again(self, step: str) -> None:
        """Expect of a publication that fits into no end of a session what another process needed for one since."""
        if step == organize.PUBLISH and self.never_fits(step):
            at, took = self._published()
            if at > cache.value(self.connection, f"{step}_seen"):
                self._expect(step, round(_PUBLISHING * took), at)

    def _published(self) -> tuple[int, float]:
        """Return (instant, milliseconds) of the latest publication; 0 for none."""
        from memorybank.index import glance  # late: a start asks how long a step takes, and publishes nothing

        return glance.published(self.base.layout) or (0, 0)

    def _expect(self, step: str, milliseconds: int, seen: int = 0) -> None:
        """Set what a step is expected to take. If the cache is busy, nothing is changed.

        seen: instant (ms) up to which runs of other processes are already counted; 0 counts every run.
        """
        self._needed.pop(step, None)
        try:
            with database.transaction(self.connection):
                self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"{step}_ms", milliseconds))
                if seen:
                    self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"{step}_seen", seen))
                else:
                    self.connection.execute("DELETE FROM meta WHERE name = ?", (f"{step}_seen",))
        except sqlite3.OperationalError as error:
            if not database.is_busy(error):
                raise


def remember(connection: Connection, step: OrganizeStep) -> None:
    """Keep how long a step took, according to its line of the log, in the caller's transaction."""
    took = step.details.get("ms")
    if not isinstance(took, int):
        return
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (f"{step.step}_last_ms",)).fetchone()
    known = {"last_ms": took, "ms": took if row is None else min(took, row[0])}
    if step.step == organize.PUBLISH:  # the hook's own publication does not show that another process published
        known["seen"] = step.at
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", [(f"{step.step}_{name}", value) for name, value in known.items()])


def _least(step: str) -> int:
    return LEAST.get(step, LEAST_FOR_A_SESSION)
