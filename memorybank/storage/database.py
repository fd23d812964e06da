"""Opens the SQLite caches, and sets a broken one aside. No other module connects to them.

Everything in the cache can be rebuilt. A cache is set aside only when SQLite reports CORRUPT or NOTADB, or when its schema version differs.
BUSY, FULL and READONLY are typed errors .

The C module is used directly, because the package `sqlite3` imports datetime and collections for adapters that are not used here.
"""

from __future__ import annotations

__light__ = True

from memorybank.errors import LockTimeout, MemorybankError, PermissionRefused, ResourceExhausted, ValidationFailed
from memorybank.storage import beneath as os
from memorybank.storage import disk
from memorybank.storage.sqlite import sqlite3

PAGE_CACHE_KIB = 65_536
"""Memory that SQLite may use for pages in a large fold, in KiB. With this much, it seldom has to read back what it just wrote."""

_USUAL_CACHE_KIB = 16_000
"""The same for everything else. SQLite takes only what it needs; with its usual 2 MB a prompt would read many pages twice."""
BUSY_SECONDS = 2.0
"""How long a command waits for another process that writes the cache."""
_HOOK_BUSY_SECONDS = 0.05
"""The same for a hook that only reads."""

_NO_TEMPORARY_FILES = "PRAGMA temp_store = MEMORY"
"""Keeps temporary tables in memory, so that queries also work on a full disk."""
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_NO_TEXT = "Could not decode to UTF-8"
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_COMPANIONS = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps next to a cache."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType


def open_writable(path: str, schema: tuple[str, ...], version: int, *, busy_seconds: float | None = None) -> sqlite3.Connection:
    """Return a connection to the cache, which is created or recreated when needed.

    The connection is in autocommit mode; callers start transactions with BEGIN IMMEDIATE (`transaction`).
    busy_seconds: how long SQLite waits for other writers; None for `BUSY_SECONDS`
    """
    if busy_seconds is None:
        busy_seconds = BUSY_SECONDS
    disk.make_directories(os.path.dirname(path))
    _refuse_links(path)
    # The second attempt creates a new cache after the first has set a broken one aside, or removed one of another version.
    for attempt in (1, 2):
        connection = None
        try:
            connection = _connect(path, busy_seconds)
            found = connection.execute("PRAGMA user_version").fetchone()[0]
            if found not in (0, version):
                connection.close()
                remove(path)
                continue
            connection.execute("PRAGMA journal_mode = WAL")
            _prepare_to_write(connection)
            if found == 0:
                _create(connection, schema, version)
            return connection
        except sqlite3.DatabaseError as error:
            if connection is not None:
                connection.close()
            if attempt == 1 and is_broken(error):
                set_aside(path)
                continue
            raise typed(error, path, was_set_aside=attempt == 2) from error
    raise MemorybankError(f"{path}: the cache cannot be opened or recreated", next_step="delete the cache folder of the bank; it is rebuilt from the notes")


def make_writable(connection: sqlite3.Connection) -> bool:
    """Let a connection of `open_reading` write as one of `open_writable` does, without another reading of the schema. Return False if it cannot."""
    # With `immutable=1` there is no write-ahead log, and the connection is read-only.
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        return False
    connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}")
    _prepare_to_write(connection)
    return True


def _prepare_to_write(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA cache_size = -{_USUAL_CACHE_KIB}")
    connection.execute(_NO_TEMPORARY_FILES)


def write_much(connection: sqlite3.Connection) -> None:
    """Let SQLite keep more pages from now on, for a caller that changes many rows. Whoever only reads needs each page once."""
    connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE_KIB}")


def open_frozen(path: str, schema: tuple[str, ...], version: int) -> sqlite3.Connection:
    """Return a connection that reads the cache without changing any path, byte or mtime in its folder.

    It is opened with `immutable=1` when there is no write-ahead log, else copied into memory. When the cache is missing, broken or of
    another version, the result is an empty one in memory.
    """
    if not os.path.isdir(os.path.dirname(path)):
        return in_memory(schema, version)
    _refuse_links(path)
    connection = None
    try:
        if not os.path.exists(path):
            return in_memory(schema, version)
        connection = _still(path)
        if connection.execute("PRAGMA user_version").fetchone()[0] != version:
            connection.close()
            return in_memory(schema, version)
        return connection
    except sqlite3.DatabaseError as error:
        if connection is not None:
            connection.close()
        if is_broken(error) or isinstance(error, sqlite3.OperationalError):
            return in_memory(schema, version)
        raise typed(error, path) from error


def open_reading(path: str, version: int) -> sqlite3.Connection | None:
    """Return a connection for a hook that only reads the cache, or None when it is missing, behind a link, broken, busy or of another version.

    Nothing is created, repaired or set aside. On a read-only file system, only what the last writer put into the main file is read.
    """
    try:
        os.check(path, *_COMPANIONS)
    except OSError:
        return None
    # mode=rw lets SQLite read the write-ahead log. Where it may not, the main file alone is read.
    for how in ("mode=rw", "mode=ro&immutable=1"):
        connection = None
        try:
            connection = sqlite3.connect(f"file:{quoted(path)}?{how}", uri=True, timeout=_HOOK_BUSY_SECONDS, isolation_level=None)
            connection.execute(f"PRAGMA cache_size = -{_USUAL_CACHE_KIB}")
            if connection.execute("PRAGMA user_version").fetchone()[0] == version:
                return connection
            refused = False
        except sqlite3.DatabaseError as error:
            refused = getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
        if connection is not None:
            connection.close()
        if not refused:
            return None
    return None


def is_damaged(path: str) -> bool:
    """Return whether SQLite, checking every page, finds the cache damaged. A missing cache is not damaged. No file is created or changed."""
    try:
        with disk.typed_errors(path):
            os.stat(path)
    except FileNotFoundError:
        return False
    return _pragma(path, "quick_check(1)") != "ok"


def is_of(path: str, version: int) -> bool:
    """Return whether an existing, undamaged cache has this schema version. No file is created or changed."""
    return _pragma(path, "user_version") == version


def has_full_text() -> bool:
    """Return whether this SQLite has FTS5."""
    try:
        in_memory(("CREATE VIRTUAL TABLE probe USING fts5(text)",), 1).close()
    except sqlite3.OperationalError:
        return False
    return True


def remove(path: str) -> None:
    """Delete a cache and the files that SQLite keeps next to it."""
    for suffix in ("-wal", "-shm", ""):
        disk.remove(path + suffix)


def in_memory(schema: tuple[str, ...], version: int) -> sqlite3.Connection:
    """Return a new, empty cache in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with closed_on_error(connection):
        connection.execute(_NO_TEMPORARY_FILES)
        _create(connection, schema, version)
    return connection


def thaw(frozen: sqlite3.Connection) -> sqlite3.Connection:
    """Return a writable copy, in memory, of an open cache."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with closed_on_error(connection):
        connection.execute(_NO_TEMPORARY_FILES)
        frozen.backup(connection)
    return connection


class closed_on_error:
    """`with closed_on_error(connection): …` closes the connection if the block fails, because then nobody else gets it.

    Python frees a connection that nobody closed at some later garbage collection; until then a process that lives long keeps its file open.
    """

    __slots__ = ("connection",)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is not None:
            self.connection.close()


class transaction:
    """`with transaction(connection): …` runs BEGIN IMMEDIATE and then COMMIT, or ROLLBACK after an error. (On a full disk SQLite has already rolled back.)"""

    __slots__ = ("connection",)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def __enter__(self) -> None:
        self.connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if error is None:
                self.connection.execute("COMMIT")
        finally:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")


def set_aside(path: str) -> None:
    """Rename a broken cache, so that a new one can be created. Only the newest such copy is kept."""
    # The log goes first: SQLite would apply the log of the broken cache to the new file of the same name.
    for suffix in ("-wal", "-shm"):
        disk.remove(path + suffix)
    try:
        os.replace(path, path + ".broken")
    except FileNotFoundError:
        return


def is_broken(error: sqlite3.Error) -> bool:
    """Return whether a cache is damaged. That a text in it is no UTF-8, which SQLite does not examine, is found by Python and has no code."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _BROKEN or str(error).startswith(_NO_TEXT)


def is_busy(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY


def typed(error: sqlite3.Error, path: str, *, was_set_aside: bool = False) -> MemorybankError:
    """Return the typed error for an SQLite error.

    was_set_aside: whether a damaged cache has been moved out of the way
    """
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if is_broken(error) and was_set_aside:
        return ValidationFailed(f"{path}: the cache is damaged and was set aside", next_step="run the same command again: the cache is rebuilt from the notes")
    if is_broken(error):
        return ValidationFailed(f"{path}: the cache is damaged", next_step="run 'memorybank doctor --fix', which removes damaged caches")
    if code in _BUSY:
        return LockTimeout(f"{path}: another process is writing the cache")
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_TOOBIG):
        return ResourceExhausted(f"{path}: {error}", next_step="free space on the device and run the same command again")
    if code == sqlite3.SQLITE_IOERR:
        return ResourceExhausted(f"{path}: {error}", next_step="check that the device has free space and no errors, then run the same command again")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH):
        return PermissionRefused(f"{path}: {error}")
    return MemorybankError(f"{path}: {error}", next_step="run 'memorybank rebuild' to create the cache again")


def _still(path: str) -> sqlite3.Connection:
    """Open an existing cache as it is on disk: as a copy in memory when it has a write-ahead log."""
    try:
        if os.path.getsize(path + "-wal"):
            return _copy_with_log(path)
    except FileNotFoundError:
        pass  # no log, or its last writer has just merged it into the cache
    except OSError:
        pass  # no space for the copy: the answer lacks what is only in the log, as if it had not been written yet
    return sqlite3.connect(f"file:{quoted(path)}?mode=ro&immutable=1", uri=True, isolation_level=None)


def _pragma(path: str, name: str) -> str | int | None:
    """Return the value of a PRAGMA of an existing cache, None when the cache is damaged."""
    _refuse_links(path)
    connection = None
    try:
        connection = _still(path)
        value: str | int = connection.execute(f"PRAGMA {name}").fetchone()[0]
        return value
    except sqlite3.DatabaseError as error:
        if is_broken(error):
            return None
        raise typed(error, path) from error
    finally:
        if connection is not None:
            connection.close()


def _refuse_links(path: str) -> None:
    """Raise `LinkRefused` when the cache, or a file next to it, is behind a link. SQLite opens files by their path, so they are checked before."""
    with disk.typed_errors(path):
        os.check(path, *_COMPANIONS)


def _connect(path: str, busy_seconds: float) -> sqlite3.Connection:
    existed = os.path.exists(path)
    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None)
    if not existed:
        with closed_on_error(connection), disk.typed_errors(path):
            os.chmod(path, disk.PRIVATE_FILE)
    return connection


def _create(connection: sqlite3.Connection, schema: tuple[str, ...], version: int) -> None:
    """Create the tables, unless another process was faster."""
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
        for statement in schema:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {version:d}")
    connection.execute("COMMIT")


def quoted(path: str) -> str:
    """Escape a path for use in an SQLite URI (https://www.sqlite.org/uri.html)."""
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _copy_with_log(path: str) -> sqlite3.Connection:
    """Return a copy in memory of a cache with a write-ahead log, which another process left or still writes. The cache's folder does not change."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="memorybank-") as folder:
        copy = os.path.join(folder, "bank.sqlite3")
        for suffix in ("", "-wal"):
            with os.stream(path + suffix) as source, open(copy + suffix, "wb") as target:
                target.write(source.read())
        disk_copy = sqlite3.connect(copy, isolation_level=None)
        try:
            return thaw(disk_copy)
        finally:
            disk_copy.close()
