"""When to look at a bank that somebody works in.

What the file system reports only says *that* something happened. After 300 ms of quiet, 5 s at most, everything is looked at as any search
would, so that an event that was lost, doubled or misread can make this late and never wrong. Every minute everything is looked at anyway:
scores move with time, and some file systems report nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from memorybank.clock import Clock
from memorybank.errors import LockTimeout, MemorybankError
from memorybank.index.report import FoldReport

if TYPE_CHECKING:
    from memorybank.bank import Bank

QUIET_SECONDS = 0.3
LONGEST_SECONDS = 5.0
PATROL_SECONDS = 60.0


class Ear(Protocol):
    """Hears that something happened below a bank. heard_at: when it last did (s, of the clock), None since `clear` nothing."""

    heard_at: float | None

    def arm(self) -> None:
        """Listen to the folders that are there now; `MemorybankError` when the system does not let anybody listen."""

    def wait(self, seconds: float) -> None:
        """Return when something was heard, or after so many seconds."""

    def clear(self) -> None:
        """What was heard so far is about to be looked at."""

    def again(self) -> None:
        """As if something had been heard now."""

    def close(self) -> None: ...


class Swept(NamedTuple):
    """One look at everything that found something. seconds: how long it took."""

    report: FoldReport
    seconds: float


@dataclass(slots=True)
class Watch:
    """Whom to ask and whom to tell. open_bank: called before every look, because settings change too; publish: also write the JSON documents;
    swept, failed: told of what a look found, and why one could not be taken."""

    open_bank: Callable[[], "Bank"]
    ear: Ear
    clock: Clock
    swept: Callable[[Swept], None]
    failed: Callable[[MemorybankError], None]
    publish: bool = False
    sweeps: int = 0
    _told: str = ""

    def run(self) -> None:
        """Look, listen, look again, until a KeyboardInterrupt ends it; then look once more, so that the index is that of the notes as they lie.

        The first look raises what it meets; later ones tell it and are taken again. Interrupted in its last look, it leaves the index as the
        look before left it.
        """
        try:
            self.ear.arm()
            self._first()
            while True:
                self.ear.wait(PATROL_SECONDS)
                settle(self.ear, self.clock)
                self._look()
        except KeyboardInterrupt:
            self._sweep()
        finally:
            self.ear.close()

    def _first(self) -> None:
        self.ear.clear()
        try:
            self._sweep()
        except LockTimeout:
            self.ear.again()

    def _look(self) -> None:
        """What happens from `clear` on is for the next look."""
        self.ear.clear()
        try:
            self.ear.arm()
            self._sweep()
            self._told = ""
        except LockTimeout:
            self.ear.again()
        except MemorybankError as error:
            if error.message != self._told:
                self._told = error.message
                self.failed(error)

    def _sweep(self) -> None:
        begun = self.clock.monotonic()
        report = self.open_bank().index.sweep(publish=self.publish)
        self.sweeps += 1
        if report.altered:
            self.swept(Swept(report, self.clock.monotonic() - begun))


def settle(ear: Ear, clock: Clock) -> None:
    """Return once nothing was heard for `QUIET_SECONDS`, after `LONGEST_SECONDS` at most; at once when nothing was heard at all."""
    begun = clock.monotonic()
    while (heard_at := ear.heard_at) is not None:
        left = min(heard_at + QUIET_SECONDS, begun + LONGEST_SECONDS) - clock.monotonic()
        if left <= 0:
            return
        clock.sleep(left)
