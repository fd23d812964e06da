"""Stand-ins for the `os` module of memorybank.storage: one records every primitive that changes the disk, others kill or fail.

Production code knows nothing of them: they are handed in from outside by replacing the name `os` in the modules of storage/.
"""

import errno
import os
import signal
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memorybank.clock import FixedClock
from memorybank.storage import abandoned, appending, beneath, database, disk, lock

CHANGES = ("open", "write", "pwrite", "fsync", "fdatasync", "link", "rename", "replace", "unlink", "mkdir", "rmdir", "utime", "chmod", "ftruncate")
READS = ("read", "pread", "fstat", "lstat", "listdir")
SYNCS = ("fsync", "fdatasync")


@contextmanager
def replaced(stand_in: object) -> Iterator[None]:
    """Let the modules of storage/ see `stand_in` as their `os`."""
    modules = (disk, abandoned, appending, lock, database)
    before = [module.os for module in modules]
    try:
        for module in modules:
            module.os = stand_in
        yield
    finally:
        for module, original in zip(modules, before, strict=True):
            module.os = original


class Impatient(FixedClock):
    """A clock that advances by a second at each read, so that waiting for a lock takes no time."""

    seconds = 0.0

    def monotonic(self) -> float:
        self.seconds += 1
        return self.seconds

    def sleep(self, seconds: float) -> None:
        pass


class Passing:
    """`os` itself, except that syncs cost nothing: scratch banks need none."""

    def __getattr__(self, name):
        return (lambda descriptor: None) if name in SYNCS else getattr(beneath, name)


class Recorder(Passing):
    """Records what changes below `root` as plain values, paths relative to it.

    ("mkdir", path) ("create", path, file) ("open", path, file) ("write", file, data, appends) ("truncate", file, length)
    ("sync", file) ("sync_folder", path) ("link", path, path) ("rename", path, path) ("unlink", path) ("rmdir", path) ("utime", file, ns)
    """

    def __init__(self, root: str) -> None:
        self.root = root
        self.trace: list[tuple] = []
        self.files: dict[int, tuple[str, bool]] = {}
        self.opened = 0

    def _inside(self, path: str) -> str | None:
        path = os.path.abspath(path)
        return os.path.relpath(path, self.root) if path.startswith(self.root + os.sep) or path == self.root else None

    def open(self, path, flags, mode=0o777):
        existed = os.path.lexists(path)
        descriptor = beneath.open(path, flags, mode)
        relative = self._inside(path)
        self.files.pop(descriptor, None)
        if relative is None or relative.endswith(".lock"):
            return descriptor
        if flags & os.O_DIRECTORY:
            self.files[descriptor] = (relative, True)
        elif existed or flags & (os.O_WRONLY | os.O_RDWR):
            self.opened += 1
            token = f"file{self.opened}"
            self.files[descriptor] = (token, False)
            self.trace.append(("open" if existed else "create", relative, token))
        return descriptor

    def write(self, descriptor, data):
        written = os.write(descriptor, data)
        if descriptor in self.files:
            import fcntl

            appends = bool(fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_APPEND)
            self.trace.append(("write", self.files[descriptor][0], bytes(data[:written]), appends))
        return written

    def fsync(self, descriptor):
        self._sync(descriptor)

    def fdatasync(self, descriptor):
        self._sync(descriptor)

    def _sync(self, descriptor):
        if descriptor in self.files:
            name, is_folder = self.files[descriptor]
            self.trace.append(("sync_folder" if is_folder else "sync", name))

    def link(self, source, target, **options):
        beneath.link(source, target, **options)
        self._pair("link", source, target)

    def rename(self, source, target):
        beneath.rename(source, target)
        self._pair("rename", source, target)

    def replace(self, source, target):
        beneath.replace(source, target)
        self._pair("rename", source, target)

    def _pair(self, kind, source, target):
        self.trace.append((kind, self._inside(source), self._inside(target)))

    def unlink(self, path):
        beneath.unlink(path)
        self.trace.append(("unlink", self._inside(path)))

    def mkdir(self, path, mode=0o777):
        beneath.mkdir(path, mode)
        self.trace.append(("mkdir", self._inside(path)))

    def rmdir(self, path):
        beneath.rmdir(path)
        self.trace.append(("rmdir", self._inside(path)))

    def utime(self, target, ns):
        os.utime(target, ns=ns)
        if target in self.files:
            self.trace.append(("utime", self.files[target][0], ns[1]))


class Counting(Passing):
    """Counts primitives; `names` are those that count."""

    def __init__(self, names=CHANGES) -> None:
        self.names = names
        self.calls: list[str] = []
        self.arguments: list[tuple] = []

    def __getattr__(self, name):
        if name not in self.names:
            return super().__getattr__(name)
        return lambda *arguments, **options: self._call(name, arguments, options)

    def _call(self, name, arguments, options):
        self.calls.append(name)
        self.arguments.append(arguments)
        return self._real(name)(*arguments, **options)

    def _real(self, name):
        return (lambda descriptor: None) if name in SYNCS else getattr(beneath, name)


class Striking(Counting):
    """Strikes before or after the k-th primitive (from 0), each subclass in its own way."""

    strike: Callable[[], None]

    def __init__(self, k: int, *, after: bool) -> None:
        super().__init__()
        self.k = k
        self.after = after

    def _call(self, name, arguments, options):
        here = len(self.calls) == self.k
        if here and not self.after:
            self.strike()
        try:
            return super()._call(name, arguments, options)
        finally:
            if here:
                self.strike()


class Killing(Striking):
    """Kills its own process with SIGKILL."""

    def strike(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Interrupting(Striking):
    """Ctrl-C."""

    def strike(self) -> None:
        raise KeyboardInterrupt


class Failing(Counting):
    """Raises OSError(number) at the k-th primitive, once or from then on. Reads count too."""

    def __init__(self, k: int, number: int, *, forever: bool) -> None:
        super().__init__(CHANGES + READS)
        self.k = k
        self.number = number
        self.forever = forever
        self.failed = 0

    def _call(self, name, arguments, options):
        at = len(self.calls)
        self.calls.append(name)
        if at == self.k or (self.forever and at > self.k):
            self.failed += 1
            if name == "write" and self.number == errno.ENOSPC and arguments[1]:
                os.write(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
            raise OSError(self.number, os.strerror(self.number))
        return self._real(name)(*arguments, **options)


def is_regular(path: str) -> bool:
    return stat.S_ISREG(os.lstat(path).st_mode)
