"""The ear of watchdog: inotify, FSEvents or kqueue, whatever the system has."""

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

logging.getLogger("watchdog").addHandler(logging.NullHandler())  # what it has to say about single folders is for nobody: every look looks at all of them

_READS = frozenset(("opened", "closed_no_write"))
"""Events of files that somebody only read, as a look itself does."""
_STOP_SECONDS = 2.0


class Folders(FileSystemEventHandler):
    """Hears what happens to notes, episodes and settings of one bank. Folders that come back under their name are listened to anew."""

    def __init__(self, layout: Layout, clock: Clock) -> None:
        self.heard_at: float | None = None
        self._clock = clock
        self._flag = threading.Event()
        self._observer: BaseObserver | None = None
        self._armed: dict[str, tuple[tuple[int, int], ObservedWatch]] = {}
        episodes = os.path.join(layout.root, "episodes")
        self._wanted = {layout.root: False, layout.active: True, layout.config: False, episodes: False}

    def arm(self) -> None:
        observer = self._observer or self._start()
        for path, recursive in self._wanted.items():
            found, armed = _identity(path), self._armed.get(path)
            if armed is not None and armed[0] == found:
                continue
            if armed is not None:
                del self._armed[path]
                with suppress(KeyError):  # its emitter ended when the folder went
                    observer.unschedule(armed[1])
            if found is not None:
                self._listen(observer, path, found, recursive)

    def wait(self, seconds: float) -> None:
        self._flag.wait(seconds)

    def clear(self) -> None:
        self._flag.clear()  # first: what is heard between the two leaves the flag set
        self.heard_at = None

    def again(self) -> None:
        self.heard_at = self._clock.monotonic()
        self._flag.set()

    def dispatch(self, event: FileSystemEvent) -> None:
        """Called by the observer's thread with each event."""
        if event.event_type not in _READS:
            self.again()

    def close(self) -> None:
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
            return  # gone again; the event that says so comes from the folder above
        except OSError as error:
            raise ResourceExhausted(
                f"{path}: the system does not let anybody listen to this folder: {error.strerror or error}",
                next_step="on Linux raise fs.inotify.max_user_watches or max_user_instances (sysctl); without watching, every search looks by itself",
            ) from error


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
