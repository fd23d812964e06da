"""Session notes that nobody edited since memorybank wrote them: finding them, and removing a text from them.

A note that a person edited belongs to that person; the others may be changed. The log of finished sessions decides which is which.
"""

import os

from memorybank.clock import Clock
from memorybank.cycle.finish import session_note
from memorybank.errors import UsageError
from memorybank.log import organize, rotation
from memorybank.log.organize import OrganizeStep
from memorybank.notes import frontmatter, simple_yaml
from memorybank.storage import disk
from memorybank.storage.layout import Layout
from memorybank.storage.lock import Lock
from memorybank.text.needle import PurgeNeedle

_LOCK_SECONDS = 2.0


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
                if step.details.get("tree") == name and session_note.digest_at(tree, key) == digest:
                    found[tree.note_path(key)] = step
            except UsageError:
                continue  # the key is no valid path: somebody wrote the line by hand
    return found


def purge(layout: Layout, tree: Layout, needle: PurgeNeedle, clock: Clock) -> int:
    """Replace a text with the mark in the unedited session notes of a worktree. Return how many contained it.

    As when a note is written, the log records the new digest first, so the note counts as memorybank's own even after a crash. Running it
    twice is the same as running it once.

    Raises LockTimeout after 2 s.
    """
    if not _holding(layout, tree, needle):
        return 0
    with Lock(os.path.join(layout.log, "organize.lock"), "memorybank purge", clock, timeout=_LOCK_SECONDS):
        holding = _holding(layout, tree, needle)
        for path, step, data in holding:
            new = without(data, needle)
            details = {**step.details, "digest": session_note.digest_of(new)}
            steps = [
                OrganizeStep(step.session, name, clock.now(), step.covered_to, step.lines, step.head, details) for name in (organize.NOTING, organize.NOTE)
            ]
            organize.append(layout, steps[:1], clock)
            disk.replace(path, (new,), durable=True, mtime_ns=os.lstat(path).st_mtime_ns)
            organize.append(layout, steps[1:], clock)
    return len(holding)


def _holding(layout: Layout, tree: Layout, needle: PurgeNeedle) -> list[tuple[str, OrganizeStep, bytes]]:
    """(path, step, bytes) of the unedited session notes that contain the text."""
    read = ((path, step, disk.read(path, session_note.MAX_BYTES)) for path, step in sorted(unedited(layout, tree).items()))
    return [(path, step, data) for path, step, data in read if session_note.digest_of(data) == step.details["digest"] and needle.is_in(data)]


def without(data: bytes, needle: PurgeNeedle) -> bytes:
    """Return a session note with the mark instead of the text, and with a front matter that is still valid."""
    text = data.decode("utf-8", "replace")
    front = frontmatter.find_block(text)
    if not isinstance(front, frontmatter.FrontMatterBlock) or not needle.is_in(data):
        return needle.replaced(data)
    lines = [_line_without(line, needle) for line in text[front.begin : front.end].split("\n")]
    return (text[: front.begin] + "\n".join(lines)).encode() + needle.replaced(text[front.end :].encode())


def _line_without(line: str, needle: PurgeNeedle) -> str:
    """One `name: value` line. The brackets of the mark start a list in YAML, so a value without quotes may need them now."""
    masked = needle.masked(line)
    known = simple_yaml.read(line) if masked != line else None
    if known is None:
        return masked  # the simple reader skips only values that have quotes already
    ((name, value),) = known[0].items()
    if isinstance(value, list):
        return f"{name}: {simple_yaml.render([needle.masked(str(item)) for item in value])}"
    return f"{name}: {simple_yaml.render(needle.masked(str(value)))}"
