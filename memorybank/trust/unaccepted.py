"""The contents that others committed to a bank and nobody accepted, in any branch that this clone knows.

`git restore --source`, `git checkout BRANCH -- PATH`, a merge that is not committed yet or a stash bring such a content into the working tree
without moving HEAD. So a file is recognised by its content: git's blob id. The ids are kept in a folder next to the record, and are computed
again after a fetch, after a change of HEAD and after a decision.
"""

from __future__ import annotations

__light__ = True

from memorybank.errors import MemorybankError
from memorybank.storage import disk, jsontext
from memorybank.storage import system as os
from memorybank.storage.digest import sha1, sha256
from memorybank.storage.layout import git_folders
from memorybank.trust import record as records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memorybank.storage.layout import Layout
    from memorybank.trust.record import TrustRecord

VERSION = 1
MOST_BLOBS = 20_000
"""Maximum number of ids; the latest ones are kept."""
_CAP = 4 << 20
_MOST_FILE_BYTES = 64 << 20
_NO_BLOBS: frozenset[str] = frozenset()
_FOLDER = "others"


def of_record(layout: Layout, environ: Mapping[str, str], record: TrustRecord, head: str, *, keep: bool) -> frozenset[str]:
    """Return the blob ids of what others committed and nobody accepted; none where git fails or is too slow.

    head: the commit of HEAD.
    keep: False to save nothing.
    """
    own = records.path_of(layout, environ)
    path = os.path.join(os.path.dirname(own), _FOLDER, os.path.basename(own))
    state = _state(layout, record, head)
    try:
        fields = jsontext.decode(disk.read(path, _CAP))
        if fields["version"] == VERSION and fields["state"] == state:
            return frozenset(fields["blobs"])
    except (MemorybankError, OSError, LookupError, TypeError, ValueError):
        pass
    from memorybank.trust import arrivals  # late: refs rarely change between two events

    found = arrivals.unaccepted(layout, record, head)[:MOST_BLOBS]
    if keep:
        try:
            disk.make_directories(os.path.dirname(path))
            disk.replace(path, (jsontext.encode_bytes({"version": VERSION, "state": state, "blobs": found}), b"\n"), durable=False)
        except (MemorybankError, OSError):
            pass  # computed again at the next event
    return frozenset(found)


def blobs_of(layout: Layout, path: str) -> frozenset[str]:
    """Return the ids that git may have for the content of a file: as it is, and with the line ends that git stores. None for a missing file.

    path: relative to the bank.
    """
    try:
        data = disk.read(os.path.join(layout.root, *path.split("/")), _MOST_FILE_BYTES)
    except (MemorybankError, OSError):
        return _NO_BLOBS
    return frozenset(sha1(b"blob %d\0" % len(one) + one).hex() for one in (data, data.replace(b"\r\n", b"\n")))


def _state(layout: Layout, record: TrustRecord, head: str) -> str:
    """Return a digest of what the ids depend on. Every fetch writes FETCH_HEAD; a clone writes packed-refs."""
    folders = git_folders(layout.repository) if layout.repository else None
    places: tuple[str, ...] = ()
    if folders is not None:
        places = (os.path.join(folders.own, "FETCH_HEAD"), os.path.join(folders.common, "FETCH_HEAD"), os.path.join(folders.common, "packed-refs"))
    parts = [head, *record.known[-1:], *sorted(record.held), *record.accepted]
    for place in places:
        try:
            found = os.stat(place)
            parts.append(f"{found.st_mtime_ns} {found.st_size}")
        except OSError:
            parts.append("")
    return sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hex()
