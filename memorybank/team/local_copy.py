"""The local copy: what others shared as Markdown notes of a derived bank, which recall reads like the personal one. Everything in it can be made again.

Whoever may push to a repository can write any text into it. The copy therefore takes over nothing but title, tags, dates and body: no access rules, ratings or
roles, and no tag that would make a note a rule, except for the memories of the entire organisation.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from hashlib import sha256
from unicodedata import category, normalize

from memorybank import clock as instants
from memorybank.notes.simple_yaml import render, render_text
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NAME_BYTES, Layout
from memorybank.team.offering import MAX_TAG, MAX_TAGS, MAX_TITLE
from memorybank.team.received import ReceivedMemory
from memorybank.team.row import ARCHIVED, ORGANISATION_WIDE
from memorybank.values import Value

TEAM = "team"
"""Folder of the notes of this repository; those of the organisation are in `ORGANISATION_WIDE`. Below it, each origin has a folder."""
MOST_NOTES = 20_000
"""Maximum number of notes in the copy: the latest ones."""
_ORIGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_SEGMENT_BYTES = 80
_LEARNED = "learned/"


class OwnContents(Value):
    """What this bank has itself, which is never shown a second time as somebody else's.

    origin: of this machine
    digests: of its memories, archived ones too, and of those that were deleted here
    modified: {digest of a path (`path_digest`): when the bank's own note was last modified (ms)}; the file that keeps it must not repeat names
    refused: (origin, key, digest) of rows that a purge removed here
    """

    origin: str
    digests: Collection[str]
    modified: Mapping[str, int]
    refused: Collection[tuple[str, str, str]] = ()


def notes_of(
    received: Sequence[ReceivedMemory], own: OwnContents, rule_tags: Collection[str], is_rejected: Callable[[str], bool] = lambda path: False
) -> dict[str, bytes]:
    """Return {key: bytes} of the notes of the copy.

    rule_tags: tags that make a note a rule; only memories of the entire organisation keep them
    is_rejected: whether people rejected the learned note with this path
    """
    wanted = [each for each in received if _is_wanted(each, own, is_rejected)]
    wanted.sort(key=lambda each: (-each.modified, each.repository, each.origin, each.key))
    found: dict[str, bytes] = {}
    said: set[tuple[str, str]] = set()
    for each in wanted:
        if (each.repository, each.digest) in said:  # several clones share the same note
            continue
        said.add((each.repository, each.digest))
        if len(found) == MOST_NOTES:
            break
        key = _key(each)
        if key in found:
            key = f"{key.removesuffix('.md')}-{_eight_digits(each.key)}.md"
        found[key] = _rendered(each, rule_tags)
    return found


def _is_wanted(each: ReceivedMemory, own: OwnContents, is_rejected: Callable[[str], bool]) -> bool:
    """Return whether a memory belongs into the copy. Archived ones are found by 'team search' alone, as those of a bank are not recalled."""
    if each.origin == own.origin or each.kind == ARCHIVED or each.digest in own.digests or (each.origin, each.key, each.digest) in own.refused:
        return False
    if each.modified <= own.modified.get(path_digest(each.path), -1):
        return False
    return not (each.path.startswith(_LEARNED) and is_rejected(each.path))


def _key(each: ReceivedMemory) -> str:
    """Return the key of a memory's note: `team/ORIGIN/PATH`. The path is somebody else's text, so each part of it is made a harmless file name."""
    origin = each.origin if _ORIGIN.fullmatch(each.origin) else _eight_digits(each.origin)
    parts = [part for part in map(_segment, each.path.removesuffix(".md").split("/")) if part][-4:] or ["note"]
    return "/".join((ORGANISATION_WIDE if each.repository == ORGANISATION_WIDE else TEAM, origin, *parts)) + ".md"


def _segment(text: str) -> str:
    """Return a part of a path with letters, digits, `.`, `_` and `-` only."""
    kept = "".join(sign if category(sign)[0] in "LNM" or sign in "._-" else "-" for sign in normalize("NFC", text))
    return kept.lstrip(".-").encode()[: min(_SEGMENT_BYTES, MAX_NAME_BYTES)].decode(errors="ignore").rstrip(".-")


def path_digest(path: str) -> str:
    """Return the digest by which a path is known in `OwnContents`."""
    return sha256(path.encode("utf-8", "replace")).hexdigest()[:16]


def _eight_digits(text: str) -> str:
    """Return eight hexadecimal digits for a text that cannot be part of a name."""
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def _rendered(each: ReceivedMemory, rule_tags: Collection[str]) -> bytes:
    """Return the note. The fence of its front matter ends before the text of others begins, and every value in it is quoted."""
    tags = [_line(tag)[:MAX_TAG] for tag in each.tags[:MAX_TAGS]]
    if each.repository != ORGANISATION_WIDE:
        tags = [tag for tag in tags if tag not in rule_tags]
    front = [f"title: {render_text(_line(each.title)[:MAX_TITLE] or each.path)}"]
    front += [f"tags: {render([tag for tag in tags if tag])}"] if any(tags) else []
    front += [f"created: {instants.isoformat(_past(each.created))}", f"updated: {instants.isoformat(_past(each.modified))}"]
    text = each.text.strip("\n")
    return ("---\n" + "\n".join(front) + f"\n---\n\n{text}\n").encode("utf-8", "replace")


def _line(text: str) -> str:
    return " ".join(text.split())


def _past(at: int) -> int:
    """Return the nearest instant that a note can have as its date."""
    return min(max(at, 0), 253_402_300_799_000)


def write(copy: Layout, wanted: Mapping[str, bytes]) -> int:
    """Leave exactly these notes in the copy, and return how many were written or removed. Another call completes one that was killed."""
    disk.make_directories(copy.active)
    present = {os.path.relpath(os.path.join(folder, name), copy.active) for folder, _, names in os.walk(copy.active) for name in names}
    changed = 0
    for key, data in wanted.items():
        path = os.path.join(copy.active, *key.split("/"))
        if key in present and _is_same(path, data):
            continue
        disk.make_directories(os.path.dirname(path))
        disk.replace(path, (data,), durable=False)
        changed += 1
    for key in present - wanted.keys():
        disk.remove(os.path.join(copy.active, *key.split("/")))
        changed += 1
    for folder, _, _ in os.walk(copy.active, topdown=False):
        if folder != copy.active:
            disk.remove_directory(folder)
    return changed


def _is_same(path: str, data: bytes) -> bool:
    try:
        return disk.read(path, len(data)) == data
    except Exception:  # longer, unreadable or not a file: it is written again
        return False
