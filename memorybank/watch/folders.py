"""Listens to file system events through the package watchdog: inotify, FSEvents or kqueue, depending on the system."""

import logging
import os
import threading
from contextlib import suppress

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from memorybank.clock import Clock
from memorybank.errors import ResourceExhausted
from memorybank.storage.layout import Layout

logging.getLogger("watchdog").addHandler(logging.NullHandler())  # its messages about single folders are of no use: every sweep looks at all folders

_READS = frozenset(("opened", "closed_no_write"))
"""Types of events for files that were only read, which a sweep does itself."""
_STOP_SECONDS = 2.0


class WatchedFolders(FileSystemEventHandler):
    """Listens to changes of notes, episodes and settings of one bank. A folder that was replaced under the same name is watched again."""

    def __init__(self, layout: Layout, clock: Clock) -> None:
        self.heard_at: float | None = None
        self._clock = clock
        self._flag = threading.Event()
        self._observer: BaseObserver | None = None
        self._armed: dict[str, tuple[tuple[int, int], ObservedWatch]] = {}
        episodes = os.path.join(layout.root, "episodes")
        self._wanted = {layout.root: False, layout.active: True, layout.config: False, episodes: False}

    def arm(self) -> None:
        """Watch the folders that exist now. Raises `ResourceExhausted` when the system cannot watch one."""
        observer = self._observer or self._start()
        for path, recursive in self._wanted.items():
            found, armed = _identity(path), self._armed.get(path)
            if armed is not None and armed[0] == found:
                continue
            if armed is not None:
                del self._armed[path]
                with suppress(KeyError):  # its emitter ended when the folder was deleted
                    observer.unschedule(armed[1])
            if found is not None:
                self._listen(observer, path, found, recursive)

    def wait(self, seconds: float) -> None:
        """Return when an event was received, or after `seconds`."""
        self._flag.wait(seconds)

    def clear(self) -> None:
        """Forget the events received so far, before a sweep looks at everything."""
        self._flag.clear()  # first: an event between these two lines leaves the flag set
        self.heard_at = None

    def again(self) -> None:
        """Act as if an event had been received now."""
        self.heard_at = self._clock.monotonic()
        self._flag.set()

    def dispatch(self, event: FileSystemEvent) -> None:
        """Called by the observer's thread with each event."""
        if event.event_type not in _READS:
            self.again()

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
    """(device, inode) of a folder, by which a replaced folder is recognized; None when it does not exist."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
