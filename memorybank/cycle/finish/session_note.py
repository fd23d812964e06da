"""The session note: the public summary of a finished session, as a Markdown note in `active/sync/sessions/` that is committed
like any other. Each session has one.

A note is written again, or purged of a text, only while its bytes are those that we wrote; a person who edits it owns it. The log of finished sessions
tells which bytes are ours.
"""

from __future__ import annotations

import os
from hashlib import sha256
from itertools import chain, count
from stat import S_ISREG

from memorybank import clock as time_of
from memorybank.cycle.finish import summary_text
from memorybank.editing.write import NoteWriter, finish_interrupted
from memorybank.errors import Conflict, NotFound, UsageError
from memorybank.log import organize, rotation
from memorybank.log.organize import OrganizeStep
from memorybank.notes import frontmatter, generated, simple_yaml
from memorybank.storage import disk
from memorybank.storage.lock import Lock
from memorybank.text.neutral import neutralise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memorybank.clock import Clock
    from memorybank.cycle.finish.sessions import SessionSummary
    from memorybank.storage.layout import Layout
    from memorybank.text.needle import PurgeNeedle

FOLDER = "sync/sessions"
MAX_BYTES = 1 << 20
_FILES = 40
"""Maximum number of files in the front matter: those that changed most."""
_LOCK_SECONDS = 2.0
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
    keys = chain((f"{stem}.md",), (f"{stem}-{number}.md" for number in count(2)))
    return next(key for key in keys if digest_at(layout, key) in (None, digest))


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


def unedited(layout: Layout, tree: Layout) -> dict[str, OrganizeStep]:
    """Return {path: the step whose digest matches the file} of the session notes in one worktree.

    layout: the bank whose log is read.
    tree: the worktree.
    """
    name = rotation.tree_of(tree)
    steps_of: dict[str, dict[tuple[str, str], OrganizeStep]] = {}
    for step in organize.read(layout):
        key, digest = step.details.get("key"), step.details.get("digest")
        if isinstance(key, str) and isinstance(digest, str):
            known = steps_of.get(step.session, {})
            # A new key means that a person took over the note at the old one, so the old digests no longer count.
            steps_of[step.session] = {each: one for each, one in known.items() if each[0] == key} | {(key, digest): step}
    found = {}
    for steps in steps_of.values():
        for (key, digest), step in steps.items():
            try:
                if step.details.get("tree") == name and digest_at(tree, key) == digest:
                    found[tree.note_path(key)] = step
            except UsageError:
                continue  # an invalid path: somebody wrote the line by hand
    return found


def purge(layout: Layout, tree: Layout, needle: PurgeNeedle, clock: Clock) -> int:
    """Replace a text with the mark in the unedited session notes of a worktree. Return how many contained it.

    As when a note is written, the log records the new digest first, so the note counts as memorybank's own even after a crash. Running it
    twice has the same effect as once. What somebody saved in the meantime stays.

    Raises LockTimeout after 2 s.
    """
    finish_interrupted(tree, clock)  # a killed change can leave a note without its name for a moment
    if not _holding(layout, tree, needle):
        return 0
    with Lock(os.path.join(layout.log, "organize.lock"), "memorybank purge", clock, timeout=_LOCK_SECONDS):
        holding = _holding(layout, tree, needle)
        for path, step, data in holding:
            new = without(data, needle)
            details = {**step.details, "digest": digest_of(new)}
            steps = [
                OrganizeStep(step.session, name, clock.now(), step.covered_to, step.lines, step.head, details) for name in (organize.NOTING, organize.NOTE)
            ]
            organize.append(layout, steps[:1], clock)
            try:
                with NoteWriter(tree, "memorybank purge", clock) as writer:
                    # The former version contains the text, so it is not kept.
                    writer.replace(f"active/{step.details['key']}", new, {digest_of(data)}, mtime_ns=os.lstat(path).st_mtime_ns, is_kept=False)
            except (Conflict, NotFound, FileNotFoundError):
                continue  # somebody edited the note in the meantime, so it is theirs, and is reported as such
            organize.append(layout, steps[1:], clock)
    return len(holding)


def _holding(layout: Layout, tree: Layout, needle: PurgeNeedle) -> list[tuple[str, OrganizeStep, bytes]]:
    """Return (path, step, bytes) of the unedited session notes that contain the text."""
    read = ((path, step, disk.read(path, MAX_BYTES)) for path, step in sorted(unedited(layout, tree).items()))
    return [(path, step, data) for path, step, data in read if digest_of(data) == step.details["digest"] and needle.is_in(data)]


def without(data: bytes, needle: PurgeNeedle) -> bytes:
    """Return a session note in which a mark replaces the purged text. Its front matter stays valid."""
    text = data.decode("utf-8", "replace")
    front = frontmatter.find_block(text)
    if not isinstance(front, frontmatter.FrontMatterBlock) or not needle.is_in(data):
        return needle.replaced(data)
    lines = [_line_without(line, needle) for line in text[front.begin : front.end].split("\n")]
    masked = (text[: front.begin] + "\n".join(lines)).encode() + needle.replaced(text[front.end :].encode())
    return generated.sealed(masked) if generated.is_sealed(data) else masked


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
