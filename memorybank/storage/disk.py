"""The only code that changes files, together with `appending` (logs) and `abandoned` (leftovers of killed processes).

Every disk primitive is called as `os.<name>` through the module's `os`, so that a test can replace it from outside with one that records or
fails. Nothing here depends on tests.

Write order: *durable* means that the data is fsynced before the name appears, and the folder after it. Files
that cannot be rebuilt are written durably; derived files are replaced atomically without a sync.

Paths are absolute strings. `FileNotFoundError` and `FileExistsError` pass through, because callers handle them. Every other `OSError`
becomes a typed error (`PermissionRefused`, `ResourceExhausted` or `MemorybankError`).
"""

from __future__ import annotations

__light__ = True

import errno
from _stat import S_IMODE, S_ISREG

from memorybank.errors import LinkRefused, MemorybankError, Misplaced, PermissionRefused, ResourceExhausted, ValidationFailed
from memorybank.storage import beneath as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

TEMP_PREFIX = ".mb-tmp-"
PRIVATE_FILE = 0o600
PRIVATE_DIRECTORY = 0o700
USER_FILE = 0o666
"""Mode of notes and committed files, to which the user's umask applies."""
USER_DIRECTORY = 0o777

_NO_HARD_LINK = (errno.EPERM, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS)
_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS)
_EXHAUSTED = (errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.EFBIG, errno.ENOMEM)
_temp_count = 0


class typed_errors:
    """`with typed_errors(path): …` turns an OSError about `path` into the typed error with a next step."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(error, OSError) and not isinstance(error, FileNotFoundError | FileExistsError):
            raise from_os_error(error, self.path) from error


def from_os_error(error: OSError, path: str) -> MemorybankError:
    """Return the typed error for an OSError about `path`."""
    if isinstance(error, os.LinkInBank):
        return LinkRefused(f"{error.filename}: {error.strerror}")
    reason = error.strerror or str(error)
    if error.errno in _REFUSED:
        return PermissionRefused(f"{path}: {reason}")
    if error.errno == errno.EISDIR:
        return Misplaced(f"{path}: a folder stands where a file belongs")
    if error.errno == errno.ENOTDIR:
        return Misplaced(f"{_file_above(path)}: a file stands where a folder belongs")
    if error.errno in _EXHAUSTED:
        return ResourceExhausted(f"{path}: {reason}", next_step="free space or raise the limit, then run the same command again to finish the work")
    return MemorybankError(f"{path}: {reason}")


def _file_above(path: str) -> str:
    """Return the part of a path that exists and is not a folder; the whole path when it is one for display only, such as `archive/by_date`."""
    if not path.startswith("/"):
        return path
    while not os.path.lexists(path) and path != os.path.dirname(path):
        path = os.path.dirname(path)
    return path


def read(path: str, limit: int) -> bytes:
    """Return the bytes of a regular file. A symbolic link at the end of `path` is not followed.

    limit: bytes. Raises `ResourceExhausted` for a larger file, `ValidationFailed` for anything that is not a regular file.
    """
    with typed_errors(path):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            status = os.fstat(descriptor)
            if not S_ISREG(status.st_mode):
                raise ValidationFailed(f"{path}: not a regular file")
            if status.st_size > limit:
                raise ResourceExhausted(f"{path}: {status.st_size} bytes, over the limit of {limit}")
            chunks = []
            # A file can grow while it is read, so the limit holds for what was read, not only for the size above.
            remaining = limit + 1
            while remaining > 0 and (chunk := os.read(descriptor, min(remaining, status.st_size + 1, 1 << 20))):
                chunks.append(chunk)
                remaining -= len(chunk)
            if remaining <= 0:
                raise ResourceExhausted(f"{path}: over the limit of {limit} bytes")
            return b"".join(chunks)
        finally:
            os.close(descriptor)


def read_head(path: str, size: int) -> tuple[bytes, int]:
    """Return (the first `size` bytes of a file, its mtime in ns). A link is not followed, and a pipe does not block. Raises OSError."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        return os.read(file, size), os.fstat(file).st_mtime_ns
    finally:
        os.close(file)


def make_directories(path: str, mode: int = PRIVATE_DIRECTORY, *, durable: bool = False) -> None:
    """Create `path` and its missing parents. Existing folders keep their mode."""
    missing = []
    current = path
    while not os.path.isdir(current):
        missing.append(current)
        current = os.path.dirname(current)
    with typed_errors(path):
        if durable:
            # A killed command may have created the last existing folder without syncing its name.
            sync_directory(os.path.dirname(current))
        for directory in reversed(missing):
            try:
                os.mkdir(directory, mode)
            except FileNotFoundError as error:
                # Callers would take a FileNotFoundError to mean that the file is missing, but here a parent was deleted during the call.
                raise from_os_error(error, directory) from error
            except FileExistsError:
                if not os.path.isdir(directory):
                    raise Misplaced(f"{directory}: a file stands where a folder belongs") from None
            if durable:
                sync_directory(os.path.dirname(directory))


def write_temp(directory: str, chunks: Iterable[bytes], *, mode: int = PRIVATE_FILE, durable: bool = True, mtime_ns: int | None = None) -> str:
    """Write a temporary file in `directory` and return its path. `publish` gives it its final name."""
    descriptor, temp = _open_temp(directory, mode)
    try:
        with typed_errors(temp):
            try:
                for chunk in chunks:
                    write_all(descriptor, chunk)
                if mtime_ns is not None:
                    os.utime(descriptor, ns=(mtime_ns, mtime_ns))
                if durable:
                    os.fsync(descriptor)
            finally:
                os.close(descriptor)
    except BaseException:
        discard(temp)
        raise
    return temp


def publish(temp: str, path: str) -> None:
    """Give a temporary file its final name without replacing anything. Raises `FileExistsError` when the name is taken."""
    with typed_errors(path):
        _give_name(temp, path)
        os.unlink(temp)


def create(path: str, data: bytes, *, mode: int = USER_FILE, mtime_ns: int | None = None) -> None:
    """Create a file durably without replacing one. Raises `FileExistsError` when the name is taken."""
    directory = os.path.dirname(path)
    temp = write_temp(directory, (data,), mode=mode, mtime_ns=mtime_ns)
    try:
        publish(temp, path)
    except BaseException:
        discard(temp)
        raise
    sync_directory(directory)


def replace(path: str, chunks: Iterable[bytes], *, mode: int = PRIVATE_FILE, durable: bool, mtime_ns: int | None = None) -> None:
    """Replace a file atomically. An existing file's mode is kept. A log may be replaced only under its lock (`storage.appending`)."""
    directory = os.path.dirname(path)
    with typed_errors(path):
        try:
            mode = S_IMODE(os.lstat(path).st_mode)
            keep_mode = True
        except FileNotFoundError:
            keep_mode = False
    temp = write_temp(directory, chunks, mode=mode, durable=durable, mtime_ns=mtime_ns)
    try:
        with typed_errors(path):
            if keep_mode:
                # open() has applied the umask to the mode.
                os.chmod(temp, mode)
            os.replace(temp, path)
    except BaseException:
        discard(temp)
        raise
    if durable:
        sync_directory(directory)


def keep_copy(source: str, target: str) -> None:
    """Give a file a second name durably, without replacing anything. Where hard links are not supported, copy it. The folder of `target` must exist."""
    with typed_errors(source):
        _give_name(source, target)
    sync_directory(os.path.dirname(target))


def _give_name(source: str, target: str) -> bool:
    """Give a file a second name, or copy it where hard links are not supported. Return whether it is the same file."""
    try:
        # link() fails when the name exists; rename() would replace that file.
        os.link(source, target, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_HARD_LINK:
            raise
        _copy_exclusively(source, target)
        return False
    return True


def set_mode(path: str, mode: int) -> None:
    """Give a file that memorybank creates exactly this mode, whatever the umask is."""
    with typed_errors(path):
        os.chmod(path, mode)


def move(source: str, target: str) -> None:
    """Rename within one file system. The caller ensures that `target` does not exist and syncs both folders."""
    with typed_errors(source):
        os.rename(source, target)


def move_back(source: str, target: str) -> None:
    """Undo a `move` without replacing anything; the inode stays the same. Raises `FileExistsError` when `target` is taken.

    Where hard links are not supported, the bytes are copied and `source` stays, because a program may still be writing to it.
    """
    with typed_errors(target):
        if _give_name(source, target):
            # A power loss can keep a removal and lose an addition, so the new name is durable before the old one is removed.
            sync_directory(os.path.dirname(target))
            os.unlink(source)


def remove(path: str) -> None:
    """Delete a file; a missing one is not an error."""
    with typed_errors(path):
        try:
            os.unlink(path)
        except FileNotFoundError:
            return


def remove_directory(path: str) -> None:
    """Remove an empty folder. A missing or non-empty one is left alone."""
    try:
        os.rmdir(path)
    except OSError:
        return


def discard(path: str) -> None:
    """Delete one of our temporary files after an error. Failures are ignored."""
    try:
        os.unlink(path)
    except OSError:
        return


def remove_permissions(path: str, bits: int) -> None:
    """Remove the permission `bits` from a file or folder. Raises `MemorybankError` for a symbolic link, which is never followed."""
    with typed_errors(path):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            os.fchmod(descriptor, S_IMODE(os.fstat(descriptor).st_mode) & ~bits)
        finally:
            os.close(descriptor)


def sync_file(path: str) -> None:
    """Make the bytes of a file durable that another process wrote, because that process may have been killed before it could."""
    _sync(path, os.O_NOFOLLOW | os.O_NONBLOCK)


def sync_directory(path: str) -> None:
    """Make the names in a folder durable."""
    _sync(path or ".", os.O_DIRECTORY)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`, in as many writes as the system needs."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _sync(path: str, flags: int) -> None:
    with typed_errors(path):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | flags)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _open_temp(directory: str, mode: int) -> tuple[int, str]:
    global _temp_count
    while True:
        _temp_count += 1
        temp = os.path.join(directory, f"{TEMP_PREFIX}{os.getpid()}-{_temp_count}")
        with typed_errors(temp):
            try:
                return os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode), temp
            except FileExistsError:
                continue
            except FileNotFoundError as error:
                raise from_os_error(error, temp) from error  # the folder was deleted during the call; see `make_directories`


def _copy_exclusively(temp: str, path: str) -> None:
    """Copy and sync the content under `O_EXCL`, where hard links are not supported. The caller holds the bank's lock."""
    status = os.lstat(temp)
    data = read(temp, status.st_size)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, S_IMODE(status.st_mode))
    try:
        write_all(descriptor, data)
        os.utime(descriptor, ns=(status.st_mtime_ns, status.st_mtime_ns))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
