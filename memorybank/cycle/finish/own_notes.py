"""Session notes that are still as memorybank wrote them: which these are, and the same without a text that must disappear.

What a person edited is that person's; what nobody touched since is ours to mend. The log of finished sessions tells them apart.
"""

import os

from memorybank.clock import Clock
from memorybank.cycle.finish import session_note
from memorybank.errors import UsageError
from memorybank.log import organize, rotation
from memorybank.log.organize import OrganizeStep
from memorybank.notes import block, scalar, subset
from memorybank.storage import disk
from memorybank.storage.layout import Layout
from memorybank.storage.lock import Lock
from memorybank.text.needle import PurgeNeedle

_LOCK_SECONDS = 2.0


def unedited(layout: Layout, tree: Layout) -> dict[str, OrganizeStep]:
    """{path: the step that told of these very bytes} of the session notes in one worktree. layout: whose log it is."""
    name = rotation.tree_of(tree)
    told: dict[str, dict[tuple[str, str], OrganizeStep]] = {}
    for step in organize.read(layout):
        key, digest = step.details.get("key"), step.details.get("digest")
        if isinstance(key, str) and isinstance(digest, str):
            known = told.get(step.session, {})
            told[step.session] = {each: one for each, one in known.items() if each[0] == key} | {(key, digest): step}  # another key: the former is a person's
    found = {}
    for steps in told.values():
        for (key, digest), step in steps.items():
            try:
                if step.details.get("tree") == name and session_note.lies_at(tree, key) == digest:
                    found[tree.note_path(key)] = step
            except UsageError:
                continue  # a line that somebody wrote by hand
    return found


def purge(layout: Layout, tree: Layout, needle: PurgeNeedle, clock: Clock) -> int:
    """Put the mark in place of a text in the unedited session notes of a worktree; how many held it.

    The log learns of the new bytes first, as when a note is written, so that it stays memorybank's whatever happens in between.
    Twice equals once.
    """
    if not _holding(layout, tree, needle):
        return 0
    with Lock(os.path.join(layout.log, "organize.lock"), "memorybank purge", clock, timeout=_LOCK_SECONDS):
        holding = _holding(layout, tree, needle)
        for path, told, data in holding:
            new = without(data, needle)
            details = {**told.details, "digest": session_note.digest_of(new)}
            steps = [
                OrganizeStep(told.session, step, clock.now(), told.covered_to, told.lines, told.head, details) for step in (organize.NOTING, organize.NOTE)
            ]
            organize.append(layout, steps[:1], clock)
            disk.replace(path, (new,), durable=True, mtime_ns=os.lstat(path).st_mtime_ns)
            organize.append(layout, steps[1:], clock)
    return len(holding)


def _holding(layout: Layout, tree: Layout, needle: PurgeNeedle) -> list[tuple[str, OrganizeStep, bytes]]:
    """(path, step, bytes) of the unedited session notes with the text."""
    read = ((path, told, disk.read(path, session_note.MAX_BYTES)) for path, told in sorted(unedited(layout, tree).items()))
    return [(path, told, data) for path, told, data in read if session_note.digest_of(data) == told.details["digest"] and needle.is_in(data)]


def without(data: bytes, needle: PurgeNeedle) -> bytes:
    """A session note with the mark in place of the text, its front matter still one."""
    text = data.decode("utf-8", "replace")
    front = block.find(text)
    if not isinstance(front, block.FrontMatterBlock) or not needle.is_in(data):
        return needle.replaced(data)
    lines = [_line_without(line, needle) for line in text[front.begin : front.end].split("\n")]
    return (text[: front.begin] + "\n".join(lines)).encode() + needle.replaced(text[front.end :].encode())


def _line_without(line: str, needle: PurgeNeedle) -> str:
    """One `name: value`. The mark's brackets mean a list to YAML, so a value that was plain may need quotes now."""
    masked = needle.masked(line)
    known = subset.read(line) if masked != line else None
    if known is None:
        return masked  # a value that the cheap reader leaves alone stands in quotes already
    ((name, value),) = known[0].items()
    if isinstance(value, list):
        return f"{name}: {scalar.render([needle.masked(str(item)) for item in value])}"
    return f"{name}: {scalar.render(needle.masked(str(value)))}"
