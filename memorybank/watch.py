"""Keeps the index up to date while somebody works in a bank. It runs in the foreground, and nothing depends on it.

File system events (through the package watchdog: inotify, FSEvents or kqueue) are used only as a sign *that* something happened. After
300 ms without an event, but after 5 s at most, everything is compared as a search would, so that a lost, repeated or misread event can
make an update late but never wrong. Every minute everything is compared anyway: scores change with time, and some file systems report no
events.
"""

import logging
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from memorybank.clock import Clock
from memorybank.config import sources
from memorybank.errors import LockTimeout, MemorybankError, ResourceExhausted
from memorybank.index.working import FoldReport
from memorybank.storage.layout import Layout

if TYPE_CHECKING:
    from memorybank.bank import Bank

QUIET_SECONDS = 0.3
LONGEST_SECONDS = 5.0
PATROL_SECONDS = 60.0
_WAIT_SECONDS = 1.0
"""Maximum time of one wait. Python notices a Ctrl-C that arrives just before a wait only when the wait ends."""
_READS = frozenset(("opened", "closed_no_write"))
"""Types of events for files that were only read, which a sweep does itself."""
_STOP_SECONDS = 2.0

logging.getLogger("watchdog").addHandler(logging.NullHandler())  # its messages about single folders are of no use: every sweep looks at all folders


class WatchedFolders(FileSystemEventHandler):
    """Listens to changes of notes, episodes and settings of one bank. A folder that was replaced under the same name is watched again.

    last_event_at: time of the latest event in seconds of the clock; None when none arrived since `clear`
    """

    def __init__(self, layout: Layout, clock: Clock) -> None:
        self.last_event_at: float | None = None
        self._clock = clock
        self._flag = threading.Event()
        self._observer: BaseObserver | None = None
        self._armed: dict[str, tuple[tuple[int, int], ObservedWatch]] = {}
        episodes = os.path.join(layout.root, "episodes")
        self._own = {layout.root: False, layout.active: True, layout.config: False, episodes: False}
        self._layout = layout

    def arm(self) -> None:
        """Watch the folders that exist now. Raises `ResourceExhausted` when the system cannot watch one."""
        observer = self._observer or self._start()
        for path, recursive in self._wanted().items():
            found, armed = _identity(path), self._armed.get(path)
            if armed is not None and armed[0] == found:
                continue
            if armed is not None:
                del self._armed[path]
                with suppress(KeyError):  # its emitter ended when the folder was deleted
                    observer.unschedule(armed[1])
            if found is not None:
                self._listen(observer, path, found, recursive)

    def _wanted(self) -> dict[str, bool]:
        """Return {folder: whether its subfolders are watched too}. Sources can be added while the command runs; of a single file, its folder is watched."""
        wanted = dict(self._own)
        for source in sources.load(self._layout).sources:
            if os.path.isdir(source.root):
                wanted[source.root] = True
            else:
                wanted.setdefault(os.path.dirname(source.root), False)
        return wanted

    def wait(self, seconds: float) -> None:
        """Return when an event was received, or after `seconds`."""
        while seconds > 0 and not self._flag.wait(min(seconds, _WAIT_SECONDS)):
            seconds -= _WAIT_SECONDS

    def clear(self) -> None:
        """Forget the events received so far, before a sweep looks at everything."""
        self._flag.clear()  # first: an event between these two lines leaves the flag set
        self.last_event_at = None

    def mark_event(self) -> None:
        """Act as if an event had been received now."""
        self.last_event_at = self._clock.monotonic()
        self._flag.set()

    def dispatch(self, event: FileSystemEvent) -> None:
        """Called by the observer's thread with each event."""
        if event.event_type not in _READS:
            self.mark_event()

    def close(self) -> None:
        """Stop the observer's thread."""
        if self._observer is not None:
            self._observer.stop()
            self._observer.join(_STOP_SECONDS)

    def _start(self) -> BaseObserver:
        self._observer = Observer()
        self._observer.start()
        return self._observer

    def _listen(self, observer: BaseObserver, path: str, found: tuple[int, int], recursive: bool) -> None:
        try:
            self._armed[path] = found, observer.schedule(self, path, recursive=recursive)
        except FileNotFoundError:
            return  # deleted again; the parent folder reports it
        except OSError as error:
            raise ResourceExhausted(
                f"{path}: the system cannot watch this folder: {error.strerror or error}",
                next_step="on Linux raise fs.inotify.max_user_watches or max_user_instances with sysctl; without watching, every search checks for changes",
            ) from error


def _identity(path: str) -> tuple[int, int] | None:
    """Return (device, inode) of a folder, by which a replaced folder is recognized; None when it does not exist."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


class CompletedSweep(NamedTuple):
    """One sweep that changed rows. seconds: its duration."""

    report: FoldReport
    seconds: float


@dataclass(slots=True)
class WatchLoop:
    """The loop of `memorybank watch`.

    open_bank: called before every sweep, because settings change too.
    swept: called with the result of a sweep that changed rows.
    failed: called with the error of a failed sweep; equal errors in a row are passed once.
    publish: whether to write the published JSON documents too.
    sweeps: number of successful sweeps.
    """

    open_bank: Callable[[], "Bank"]
    folders: WatchedFolders
    clock: Clock
    swept: Callable[[CompletedSweep], None]
    failed: Callable[[MemorybankError], None]
    publish: bool = False
    sweeps: int = 0
    _reported: str = ""

    def run(self) -> None:
        """Sweep and wait for events in turn until KeyboardInterrupt; then sweep once more, so that the index agrees with the notes.

        Errors of the first sweep are raised; later ones are passed to `failed`, and the sweep is tried again. If the last sweep is interrupted
        too, the index stays as the sweep before left it.
        """
        try:
            self.folders.arm()
            self._sweep_first()
            while True:
                self.folders.wait(PATROL_SECONDS)
                settle(self.folders, self.clock)
                self._sweep_after_events()
        except KeyboardInterrupt:
            self._sweep()
        finally:
            self.folders.close()

    def _sweep_first(self) -> None:
        self.folders.clear()
        try:
            self._sweep()
        except LockTimeout:
            self.folders.mark_event()

    def _sweep_after_events(self) -> None:
        """Sweep once. Events after `clear` lead to another sweep."""
        self.folders.clear()
        try:
            self.folders.arm()
            self._sweep()
            self._reported = ""
        except LockTimeout:
            self.folders.mark_event()
        except MemorybankError as error:
            if error.message != self._reported:
                self._reported = error.message
                self.failed(error)

    def _sweep(self) -> None:
        begun = self.clock.monotonic()
        report = self.open_bank().index.sweep(publish=self.publish)
        self.sweeps += 1
        if report.altered:
            self.swept(CompletedSweep(report, self.clock.monotonic() - begun))


def settle(folders: WatchedFolders, clock: Clock) -> None:
    """Return once there was no event for `QUIET_SECONDS`, after `LONGEST_SECONDS` at most; at once if there was none at all."""
    begun = clock.monotonic()
    while (last_event_at := folders.last_event_at) is not None:
        left = min(last_event_at + QUIET_SECONDS, begun + LONGEST_SECONDS) - clock.monotonic()
        if left <= 0:
            return
        clock.sleep(left)
