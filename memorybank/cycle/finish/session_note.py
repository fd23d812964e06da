"""The session note: the public summary of a finished session, as a Markdown note in `active/sync/sessions/` that is committed
like any other. Each session has one.

A note is written again, or purged of a text, only while nobody edited it, which its seal proves (`text.generated`); a person who edits it owns it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from itertools import chain, count
from stat import S_ISREG

from memorybank import clock as time_of
from memorybank.cycle.finish import summary_text
from memorybank.editing.write import NoteWriter, finish_interrupted
from memorybank.errors import Conflict, MemorybankError, NotFound
from memorybank.notes import frontmatter, simple_yaml
from memorybank.storage import beneath, disk
from memorybank.text import generated
from memorybank.text.untrusted.neutral import neutralise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memorybank.clock import Clock
    from memorybank.cycle.finish.sessions import SessionSummary
    from memorybank.storage.layout import Layout
    from memorybank.text.secrets.needle import PurgeNeedle

FOLDER = "sync/sessions"
MAX_BYTES = 1 << 20
_FILES = 40
"""Maximum number of files in the front matter: those that changed most."""
HOOK_LOCK_SECONDS = 0.2


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
    return note_bytes({name: value for name, value in front.items() if value}, summary_text.body(summary))


def note_bytes(front: Mapping[str, simple_yaml.Settable], body: str) -> bytes:
    """Return the bytes of a note that nobody wrote by hand, with its seal."""
    lines = "".join(f"{name}: {simple_yaml.render(value)}\n" for name, value in front.items())
    return generated.sealed(f"---\n{lines}---\n\n{neutralise(body)}".encode("utf-8", "replace"))


def put(layout: Layout, data: bytes, clock: Clock, *, host: str, session: str, first_at: int, known: str | None) -> str:
    """Write the note of a session and return its key.

    known: its key so far. If somebody changed, moved or removed that note, theirs stays as it is, and the new one gets the next free number.
    Raises LockTimeout after 0.2 s.
    """
    stem = f"{FOLDER}/{time_of.day_of(first_at)}-{sha256(f'{host} {session}'.encode('utf-8', 'replace')).hexdigest()[:8]}"
    keys = chain((f"{stem}.md",), (f"{stem}-{number}.md" for number in count(2)))
    if known is not None and own(layout, known) is not None:
        keys = chain((known,), keys)
    return next(key for key in keys if write(layout, key, data, () if (present := own(layout, key)) is None else (digest_of(present),), clock))


def write(layout: Layout, key: str, data: bytes, digests: tuple[str, ...], clock: Clock) -> bool:
    """Write the note at `key`. Return False when another file appeared there in the meantime.

    digests: SHA-256 of the bytes that may be replaced.
    Raises LockTimeout after 0.2 s.
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
        try:
            with NoteWriter(layout, "memorybank hook", clock, timeout=HOOK_LOCK_SECONDS) as writer:
                writer.replace(f"active/{key}", data, digests)
        except (Conflict, NotFound):
            return False
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


def own(layout: Layout, key: str) -> bytes | None:
    """Return the bytes of a note that memorybank wrote and nobody edited; None for anything else."""
    try:
        data = disk.read(layout.note_path(key), MAX_BYTES)
    except (FileNotFoundError, MemorybankError):
        return None
    return data if generated.is_sealed(data) else None


def unedited(layout: Layout, folder: str = FOLDER) -> dict[str, bytes]:
    """Return {key: bytes} of the notes in a folder of a worktree that memorybank wrote and nobody edited."""
    names = beneath.names_in(os.path.join(layout.active, folder))
    found = ((key, own(layout, key)) for key in (f"{folder}/{name}" for name in names if name.endswith(".md")))
    return {key: data for key, data in found if data is not None}


def purge(layout: Layout, needle: PurgeNeedle, clock: Clock) -> int:
    """Replace a text with the mark in the unedited session notes of a worktree. Return how many contained it.

    Running it twice has the same effect as once. What somebody saved in the meantime stays. Raises LockTimeout after 2 s.
    """
    finish_interrupted(layout, clock)  # a killed change can leave a note without its name for a moment
    holding = {key: data for key, data in unedited(layout).items() if needle.is_in(data)}
    if not holding:
        return 0
    with NoteWriter(layout, "memorybank purge", clock) as writer:
        for key, data in holding.items():
            with suppress(Conflict, NotFound, FileNotFoundError):  # somebody edited the note in the meantime, so it is theirs, and is reported as such
                # The former version contains the text, so it is not kept.
                modified = os.lstat(layout.note_path(key)).st_mtime_ns
                writer.replace(f"active/{key}", without(data, needle), {digest_of(data)}, mtime_ns=modified, is_kept=False)
    return len(holding)


def without(data: bytes, needle: PurgeNeedle) -> bytes:
    """Return a session note in which a mark replaces the purged text. Its front matter stays valid, and its seal is that of the new text."""
    text = data.decode("utf-8", "replace")
    front = frontmatter.find_block(text)
    if not isinstance(front, frontmatter.FrontMatterBlock):
        return needle.replaced(data)
    lines = [_line_without(line, needle) for line in text[front.begin : front.end].split("\n")]
    return generated.sealed((text[: front.begin] + "\n".join(lines)).encode() + needle.replaced(text[front.end :].encode()))


def _line_without(line: str, needle: PurgeNeedle) -> str:
    """Return one `name: value` line. The brackets of the mark start a list in YAML, so a value without quotes may need them now."""
    masked = needle.masked(line)
    known = simple_yaml.read(line) if masked != line else None
    if known is None:
        return masked  # the simple reader skips only values that have quotes already
    ((name, value),) = known[0].items()
    if isinstance(value, list):
        return f"{name}: {simple_yaml.render([needle.masked(str(item)) for item in value])}"
    return f"{name}: {simple_yaml.render(needle.masked(str(value)))}"
