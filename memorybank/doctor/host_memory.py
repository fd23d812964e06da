"""Checks of what coding agents read on their own, besides the bank, and of where they stop reading; and of our own resident summary.

Sources: Claude Code's documentation of its memory (the first 200 lines of MEMORY.md or 25 KB, whichever is less, are loaded) and its warning
about large pages (40,000 characters); Codex's `project_doc_max_bytes` (32 KiB for all pages on the way together).
"""

import os
import re
from collections.abc import Iterator

from memorybank import resident
from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import WARN, Symptom
from memorybank.errors import MemorybankError
from memorybank.hosts.detect import CLAUDE_CODE
from memorybank.hosts.transcripts import found as transcripts
from memorybank.injection import estimate_tokens
from memorybank.storage import disk

MEMORY_LINES, MEMORY_BYTES = 200, 25_000
CLAUDE_CHARACTERS = 40_000
AGENTS_BYTES = 32 << 10
_CAP = 8 << 20


def read_whole(context: DoctorContext) -> Iterator[Symptom]:
    """Report when Claude Code's own notes about this project (MEMORY.md) are too long to be read to their end."""
    folder = re.sub(r"[^a-zA-Z0-9]", "-", context.project)
    path = os.path.join(transcripts.folder_of(CLAUDE_CODE, context.environ), folder, "memory", "MEMORY.md")
    data = _read(path)
    if data is None:
        return
    count = data.count(b"\n") + (not data.endswith(b"\n"))
    if count > MEMORY_LINES or len(data) > MEMORY_BYTES:
        what = f"{count:,} lines and {len(data):,} bytes: Claude Code reads only the first {MEMORY_LINES} lines or {MEMORY_BYTES:,} bytes"
        yield Symptom(WARN, what, context.shown(path), "move what is worth keeping into notes of the bank: they are found when they are needed")


def short_pages(context: DoctorContext) -> Iterator[Symptom]:
    """Report when CLAUDE.md or AGENTS.md, which hosts read at every start, exceed the limits of their hosts."""
    for name in ("CLAUDE.md", os.path.join(".claude", "CLAUDE.md"), "CLAUDE.local.md"):
        path = os.path.join(context.project, name)
        characters = len((_read(path) or b"").decode("utf-8", "replace"))
        if characters > CLAUDE_CHARACTERS:
            what = f"{characters:,} characters: above {CLAUDE_CHARACTERS:,}, Claude Code warns that the page slows down every turn"
            yield Symptom(WARN, what, context.shown(path), "move what is not needed in every session into notes of the bank")
    path = os.path.join(context.project, "AGENTS.md")
    size = len(_read(path) or b"")
    if size > AGENTS_BYTES:
        what = f"{size:,} bytes: Codex stops reading at {AGENTS_BYTES:,} unless project_doc_max_bytes says otherwise"
        yield Symptom(WARN, what, context.shown(path), "move what is not needed in every session into notes of the bank")


def summary(context: DoctorContext) -> Iterator[Symptom]:
    """Report when the resident summary cannot be read or is long."""
    path = resident.path_of(context.layout)
    if not os.path.lexists(path):
        return
    found = resident.collect(context.layout)
    if found.reason:
        yield Symptom(
            WARN, f"sessions begin without the resident summary: {found.reason}", "summary.md", "'memorybank summary show' shows what an agent is given"
        )
    elif (tokens := estimate_tokens(found.body)) > resident.TOKENS_WARNED_ABOUT:
        what = f"about {tokens:,} tokens in every session; more than {resident.TOKENS_WARNED_ABOUT:,} crowd out what is recalled"
        yield Symptom(WARN, what, "summary.md", "shorten it, and keep the rest in notes")


def _read(path: str) -> bytes | None:
    """The bytes of a page of another program; None when it does not exist."""
    try:
        return disk.read(os.path.realpath(path), _CAP)
    except FileNotFoundError:
        return None
    except MemorybankError as error:
        raise MemorybankError(f"{path}: {error.message}") from error
