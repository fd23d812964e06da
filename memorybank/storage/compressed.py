"""The logs of closed sessions, compressed: the bytes of `log/events/X.jsonl` are in that file or, compressed, in `X.jsonl.zst`.

Everything that reads an event log goes through `stream` and `size`, and everything that writes one through `storage.appending`, which calls
`settle`. So the rest of the program knows such a log only by its name without `.zst`, and offsets in it stay as they are.

After a kill both files can exist. Then the plain one counts, unless it is empty, and the next writer settles it.
"""

from __future__ import annotations

__light__ = True

import errno
from io import BytesIO

from memorybank.errors import ValidationFailed
from memorybank.storage import beneath, disk
from memorybank.storage import system as os
from memorybank.storage.layout import MAX_NOTE_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import BufferedReader

SUFFIX = ".zst"
MOST_BYTES = MAX_NOTE_BYTES
"""Size of the largest log that is compressed. It is decompressed in memory."""
_FOLDER = "/log/events/"
"""Where compressed logs are. The other logs are appended to for ever, so nothing looks for a compressed one."""
_MAGIC = b"\x28\xb5\x2f\xfd"
_HEADER_BYTES = 18
_ANY_SIZE = 1 << 40


def name_of(path: str) -> str:
    """Return the name of the log that a file contains, compressed or not."""
    return path.removesuffix(SUFFIX)


def stream(path: str) -> BufferedReader | BytesIO:
    """Open a log for reading, decompressed. Raises FileNotFoundError.

    What a damaged frame no longer contains is one line of blanks, so that the offsets after it, and the size, stay right.
    """
    if _FOLDER not in path:
        return beneath.stream(path)
    for _ in range(2):  # a writer may put the log back between the two looks
        try:
            plain = beneath.stream(path)
        except FileNotFoundError:
            data = _unpacked(path)
        else:
            if os.fstat(plain.fileno()).st_size:
                return plain
            plain.close()
            data = _unpacked(path)
        if data is not None:
            return BytesIO(data)
    return beneath.stream(path)


def read(path: str) -> bytes:
    """Return the bytes of a log, decompressed. Raises FileNotFoundError."""
    with disk.typed_errors(path), stream(path) as opened:
        return opened.read()


def size(path: str) -> int:
    """Return the size of a log in bytes, decompressed. Raises FileNotFoundError."""
    if _FOLDER not in path:
        return beneath.stat(path).st_size
    for _ in range(2):
        try:
            plain = beneath.stat(path).st_size
        except FileNotFoundError:
            plain = 0
        found = plain or _announced(path)
        if found is not None:
            return found
    return beneath.stat(path).st_size


def modified_ns(path: str) -> int:
    """Return when a log was last written to, 0 when it is missing. The compressed file has the date of the log."""
    for each in (path, path + SUFFIX):
        try:
            return beneath.stat(each).st_mtime_ns
        except FileNotFoundError:
            continue
    return 0


def is_compressed(path: str) -> bool:
    """Return whether a compressed file of this log exists."""
    if _FOLDER not in path:
        return False
    try:
        beneath.lstat(path + SUFFIX)
    except FileNotFoundError:
        return False
    return True


def is_damaged(path: str) -> bool:
    """Return whether a log has a compressed file that cannot be decompressed completely."""
    try:
        _content(path)
    except FileNotFoundError:
        return False
    except ValidationFailed:
        return True
    return False


def pack(path: str, data: bytes, mtime_ns: int) -> int:
    """Write a compressed log durably, read it back, and only then delete the plain one. Return the size of the compressed file, 0 if it would not be smaller.

    The caller holds the lock of the log. A kill leaves the plain log, both files with the same content, or the compressed one.
    data: the bytes of the log
    """
    from memorybank.storage import frames

    folder = os.path.dirname(path)
    frame = frames.compress(data)
    if len(frame) >= len(data):
        return 0
    temp = disk.write_temp(folder, (frame,), mtime_ns=mtime_ns)
    try:
        if frames.unpack(disk.read(temp, MOST_BYTES), MOST_BYTES, temp) != data:
            raise ValidationFailed(f"{path}: the compressed log differs from the log, which stays as it is", next_step="check the disk of this machine")
        disk.publish(temp, path + SUFFIX)
    except BaseException:
        disk.discard(temp)
        raise
    disk.sync_directory(folder)
    disk.remove(path)
    disk.sync_directory(folder)
    return len(frame)


def settle(path: str) -> bool:
    """Make the plain file the only one of a log, with everything that either of the two contains. Return whether the plain file was replaced.

    The caller holds the lock of the plain file; if that was replaced, the lock is on a deleted file. A compressed file that is damaged stays for a person.
    """
    if not is_compressed(path):
        return False
    try:
        packed = _content(path)
    except (FileNotFoundError, ValidationFailed):
        return False
    plain = disk.read(path, _ANY_SIZE)
    joined = _joined(packed, plain)
    if joined == plain:
        disk.sync_file(path)
    else:
        disk.replace(path, (joined,), durable=True, mtime_ns=beneath.stat(path if plain else path + SUFFIX).st_mtime_ns)
    disk.remove(path + SUFFIX)
    disk.sync_directory(os.path.dirname(path))
    return joined != plain


def _joined(packed: bytes, plain: bytes) -> bytes:
    """Return the log that two files contain. An older memorybank, which knows no compressed logs, begins a log of its own when its session goes on."""
    if plain.startswith(packed) or packed.startswith(plain):
        return max(plain, packed, key=len)
    return packed + (b"" if packed.endswith(b"\n") else b"\n") + plain


def _content(path: str) -> bytes:
    """Return the decompressed bytes of a log. Raises FileNotFoundError, and ValidationFailed for a damaged frame."""
    frame = disk.read(path + SUFFIX, 2 * MOST_BYTES)
    from memorybank.storage import frames  # late, and after the look for the file: few sessions have a compressed log, and zstandard takes 2 ms

    return frames.unpack(frame, MOST_BYTES, os.path.basename(path) + SUFFIX)


def _unpacked(path: str) -> bytes | None:
    """Return the decompressed bytes of a log, as many as its header says; None without a compressed file."""
    try:
        return _content(path)
    except FileNotFoundError:
        return None
    except ValidationFailed:
        from memorybank.storage import frames

        whole = min(_announced(path) or 0, MOST_BYTES)
        found = frames.beginning(disk.read(path + SUFFIX, 2 * MOST_BYTES), whole)
        return found if len(found) == whole else found.ljust(whole - 1) + b"\n"


def _announced(path: str) -> int | None:
    """Return the size of the decompressed log as the frame's header says (RFC 8878, 3.1.1.1), 0 for a damaged header, None without a compressed file."""
    try:
        head = disk.read_head(path + SUFFIX, _HEADER_BYTES)[0]
    except OSError as error:
        if error.errno == errno.ENOENT:
            return None
        raise
    if not head.startswith(_MAGIC) or len(head) < 6:
        return 0
    descriptor = head[4]
    is_single = descriptor >> 5 & 1
    begin = 5 + (not is_single) + (0, 1, 2, 4)[descriptor & 3]
    length = (is_single, 2, 4, 8)[descriptor >> 6]
    return int.from_bytes(head[begin : begin + length], "little") + (256 if length == 2 else 0)
