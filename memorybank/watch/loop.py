"""When to sweep a bank that somebody works in.

File system events are used only as a sign *that* something happened. After 300 ms without an event, but after 5 s at most, everything is
compared as a search would, so that a lost, repeated or misread event can make an update late but never wrong. Every minute everything is
compared anyway: scores change with time, and some file systems report no events.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from memorybank.clock import Clock
from memorybank.errors import LockTimeout, MemorybankError
from memorybank.index.fold import FoldReport

if TYPE_CHECKING:
    from memorybank.bank import Bank

QUIET_SECONDS = 0.3
LONGEST_SECONDS = 5.0
PATROL_SECONDS = 60.0


class FileEventListener(Protocol):
    """Receives events about the files of a bank.

    heard_at: when the latest event arrived, in seconds of the clock; None when none arrived since `clear`.
    """

    heard_at: float | None

    def arm(self) -> None:
        """Watch the folders that exist now. Raises `MemorybankError` when the system does not allow it."""

    def wait(self, seconds: float) -> None:
        """Return when an event was received, or after `seconds`."""

    def clear(self) -> None:
        """Forget the events received so far, before a sweep looks at everything."""

    def again(self) -> None:
        """Act as if an event had been received now."""

    def close(self) -> None: ...


class CompletedSweep(NamedTuple):
    """One sweep that changed rows. seconds: its duration."""

    report: FoldReport
    seconds: float


@dataclass(slots=True)
class WatchLoop:
    """The loop of `memorybank watch`.

    open_bank: called before every sweep, because settings change too.
    swept: called with the result of a sweep that changed rows.
    failed: called with the error of a failed sweep, once for errors in a row that are equal.
    publish: also write the published JSON documents.
    sweeps: number of successful sweeps.
    """

    open_bank: Callable[[], "Bank"]
    ear: FileEventListener
    clock: Clock
    swept: Callable[[CompletedSweep], None]
    failed: Callable[[MemorybankError], None]
    publish: bool = False
    sweeps: int = 0
    _told: str = ""

    def run(self) -> None:
        """Sweep and wait for events in turn until KeyboardInterrupt; then sweep once more, so that the index agrees with the notes.

        Errors of the first sweep are raised; later ones are passed to `failed`, and the sweep is tried again. If the last sweep is interrupted
        too, the index stays as the sweep before left it.
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
        """Sweep once. Events after `clear` lead to another sweep."""
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
            self.swept(CompletedSweep(report, self.clock.monotonic() - begun))


def settle(ear: FileEventListener, clock: Clock) -> None:
    """Return once there was no event for `QUIET_SECONDS`, after `LONGEST_SECONDS` at most; at once if there was none at all."""
    begun = clock.monotonic()
    while (heard_at := ear.heard_at) is not None:
        left = min(heard_at + QUIET_SECONDS, begun + LONGEST_SECONDS) - clock.monotonic()
        if left <= 0:
            return
        clock.sleep(left)
