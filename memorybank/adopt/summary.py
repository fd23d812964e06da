"""Drafts the resident summary from what a person or an agent already wrote as one: a project brief and the active context, or MEMORY.md.

A draft from the repository becomes `summary.md` if the bank has none. Files from outside the repository are private, so they only become
`summary.draft.md`, which the bank's .gitignore excludes: a person decides which parts to commit.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from memorybank import resident
from memorybank.adopt.discovery import Discovery
from memorybank.config.sources import AUTO_MEMORY, MEMORY_BANK
from memorybank.drafting import page
from memorybank.errors import MemorybankError
from memorybank.injection import cut_body
from memorybank.log import key as log_key
from memorybank.notes import source_text
from memorybank.notes.parse import parse
from memorybank.storage.layout import Layout
from memorybank.text.redact import redact

_OF_A_MEMORY_BANK = ("projectbrief.md", "activeContext.md")
_OF_AN_AGENT = ("MEMORY.md",)
_MOST_UNITS = 6_000
"""Maximum length of a draft in UTF-16 units. Every session starts with the summary, so it must be short."""
_SUMMARY = "summary.md"


def draft(layout: Layout, chosen: Sequence[Discovery], now: int) -> tuple[str, bytes] | None:
    """Return (path relative to the bank, bytes) of a draft, or None when no chosen file can become one or when the draft's file already exists.

    now: ms
    """
    for kind, names in ((MEMORY_BANK, _OF_A_MEMORY_BANK), (AUTO_MEMORY, _OF_AN_AGENT)):
        for found in chosen:
            body = _body(layout, found, names) if found.source.kind == kind else ""
            if body:
                has_summary = os.path.lexists(resident.path_of(layout))
                target = page.DRAFT_NAME if found.source.is_private or has_summary else _SUMMARY
                if os.path.lexists(os.path.join(layout.root, target)):
                    return None
                return target, page.rendered(body, now).encode()
    return None


def _body(layout: Layout, found: Discovery, names: Sequence[str]) -> str:
    """Return the texts of these files, each under its title, without secrets."""
    key = log_key.load(layout)
    parts = []
    for name in names:
        file = next((file for file in found.files if file == f"{found.source.key}/{name}"), None)
        if file is None:
            continue
        try:
            note = parse(file, source_text.read(layout, file, resident.MAX_BYTES))
        except (MemorybankError, OSError):
            continue
        text = redact(note.body.strip(), key)
        parts.append(text if text.startswith("#") else f"# {note.title}\n\n{text}")
    body = "\n\n".join(part for part in parts if part.strip())
    return cut_body(body, _MOST_UNITS, "")[0].strip() if body else ""
