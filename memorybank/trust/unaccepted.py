"""Recognises what others committed to a bank and nobody accepted, in any branch that this clone knows, by the content of a file.

`git restore --source`, `git checkout BRANCH -- PATH`, a merge that is not committed yet or a stash bring such a content into the working tree
without moving HEAD, entirely or mixed with one's own. So a file is recognised by git's blob id and by its passages. The ids are kept in a folder next to
the record, and are computed again after a fetch, after a change of HEAD and after a decision.
"""

from __future__ import annotations

__light__ = True

from memorybank.errors import MemorybankError
from memorybank.storage import disk, jsontext
from memorybank.storage import system as os
from memorybank.storage.digest import sha1, sha256
from memorybank.storage.layout import git_folders
from memorybank.trust import record as records
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memorybank.storage.layout import Layout
    from memorybank.trust.record import TrustRecord

VERSION = 3
MOST_MARKS = 100_000
"""Maximum number of ids: of contents, then of passages, the latest first."""
_CAP = 8 << 20
_MOST_FILE_BYTES = 64 << 20
_FOLDER = "others"


class UnacceptedContents(Value):
    """What others committed and nobody accepted.

    marks: git's blob ids, and ids of passages
    settings: {path of a file of settings that these commits change: blob id that is accepted there, "" for none}. In settings a missing line can show
        agents more, and no passage says so
    """

    marks: frozenset[str] = frozenset()
    settings: Mapping[str, str] = {}


def of_record(layout: Layout, environ: Mapping[str, str], record: TrustRecord, head: str, *, keep: bool) -> UnacceptedContents:
    """Return what others committed and nobody accepted; nothing where git fails or is too slow.

    head: the commit of HEAD.
    keep: whether to save the result.
    """
    own = records.path_of(layout, environ)
    path = os.path.join(os.path.dirname(own), _FOLDER, os.path.basename(own))
    state = _state(layout, record, head)
    try:
        fields = jsontext.decode(disk.read(path, _CAP))
        if fields["version"] == VERSION and fields["state"] == state:
            return UnacceptedContents(frozenset(fields["marks"]), dict(fields["settings"]))
    except (MemorybankError, OSError, LookupError, TypeError, ValueError):
        pass
    from memorybank.trust import arrivals  # late: refs rarely change between two events

    found, settings = arrivals.unaccepted(layout, record, head)
    found = found[:MOST_MARKS]
    if keep:
        try:
            disk.make_directories(os.path.dirname(path))
            fields = {"version": VERSION, "state": state, "marks": found, "settings": settings}
            disk.replace(path, (jsontext.encode_bytes(fields), b"\n"), durable=False)
        except (MemorybankError, OSError):
            pass  # computed again at the next event
    return UnacceptedContents(frozenset(found), settings)


class FileMarks(Value):
    """By what a file is recognised. blobs: the ids that git may have for it; passages: ids of its passages"""

    blobs: frozenset[str] = frozenset()
    passages: frozenset[str] = frozenset()


def marks_of(layout: Layout, path: str) -> FileMarks:
    """Return the marks of a file; none of a missing one. Git stores it as it is, or with other line ends.

    path: relative to the bank.
    """
    try:
        data = disk.read(os.path.join(layout.root, *path.split("/")), _MOST_FILE_BYTES)
    except (MemorybankError, OSError):
        return FileMarks()
    blobs = (sha1(b"blob %d\0" % len(one) + one).hex() for one in (data, data.replace(b"\r\n", b"\n")))
    from memorybank.trust import arrivals, own_notes  # late: they import `re`, and few banks have contents of others that wait

    if own_notes.is_own(layout, path, data):
        return FileMarks(frozenset(blobs))
    return FileMarks(frozenset(blobs), frozenset(map(arrivals.passage_mark, arrivals.passages(path, data))))


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
