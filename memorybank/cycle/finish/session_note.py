"""The session note: what everybody may know of a finished session, as a Markdown note in `active/sync/sessions/` that is committed
like any other. Each session has one. It is written again only while its bytes are those that we wrote; a person who edits it owns it."""

from __future__ import annotations

import os
from hashlib import sha256
from itertools import count
from stat import S_ISREG

from memorybank import clock as time_of
from memorybank.cycle.finish import summary_text
from memorybank.notes import simple_yaml
from memorybank.storage import disk
from memorybank.text.neutral import neutralise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.finish.sessions import SessionSummary
    from memorybank.storage.layout import Layout

FOLDER = "sync/sessions"
MAX_BYTES = 1 << 20
_FILES = 40
"""Maximum number of files in the front matter: those that changed most."""


def render(summary: SessionSummary, session: str, role: str) -> bytes:
    """Return the bytes of the note. The same summary gives the same bytes."""
    front: dict[str, simple_yaml.Settable] = {
        "title": neutralise(summary_text.title(summary)),
        "session_id": session,
        "agent_created": role,
        "acl": "user",
        "privacy": "public",
        "tags": ["session", *summary.tasks[-3:]],
        "files": summary.files[:_FILES],
        "created": time_of.isoformat(summary.first_at),
        "updated": time_of.isoformat(summary.last_at),
    }
    lines = "".join(f"{name}: {simple_yaml.render(value)}\n" for name, value in front.items() if value)
    return f"---\n{lines}---\n\n{neutralise(summary_text.body(summary))}".encode("utf-8", "replace")


def choose(layout: Layout, data: bytes, *, host: str, session: str, first_at: int, known: str | None, digests: tuple[str, ...]) -> str:
    """Return the key under which the note belongs.

    known: key of the note that we wrote for this session before.
    digests: digests of what we wrote there or were about to write. If somebody changed, moved or removed that note, theirs stays as it is and
    the new note gets the next free number.
    """
    if known is not None and digest_at(layout, known) in digests:
        return known
    stem = f"{FOLDER}/{time_of.day_of(first_at)}-{sha256(f'{host} {session}'.encode('utf-8', 'replace')).hexdigest()[:8]}"
    digest = digest_of(data)
    for number in count(1):
        key = f"{stem}.md" if number == 1 else f"{stem}-{number}.md"
        if digest_at(layout, key) in (None, digest):
            return key
    raise AssertionError("unreachable: some number is free")


def write(layout: Layout, key: str, data: bytes, digests: tuple[str, ...]) -> bool:
    """Write the note at `key`. Return False when another file appeared there in the meantime.

    digests: of the bytes that may be replaced.
    """
    path = layout.note_path(key)
    disk.make_directories(os.path.dirname(path), disk.USER_DIRECTORY, durable=True)
    try:
        disk.create(path, data)
    except FileExistsError:
        present = digest_at(layout, key)
        if present == digest_of(data):  # from a run that crashed: the bytes are visible, but perhaps not durable yet
            disk.sync_file(path)
            disk.sync_directory(os.path.dirname(path))
            return True
        if present not in digests:
            return False
        disk.replace(path, (data,), durable=True)
    return True


def digest_of(data: bytes) -> str:
    """Return the SHA-256 of the bytes of a note."""
    return sha256(data).hexdigest()


def digest_at(layout: Layout, key: str) -> str | None:
    """Return the digest of the file at a key; None when nothing is there, "" for anything that cannot be our file."""
    path = layout.note_path(key)
    try:
        with disk.typed_errors(path):
            status = os.lstat(path)
        if not S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
            return ""
        return digest_of(disk.read(path, MAX_BYTES))
    except FileNotFoundError:
        return None
