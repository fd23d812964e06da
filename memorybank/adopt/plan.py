"""The plan of an adoption: which sources will be declared, which files will be created, and which are left out and why.

Making a plan reads files and writes nothing. `apply` carries it out.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256
from typing import Any

from memorybank import resident
from memorybank.adopt.discovery import Discovery
from memorybank.config.sources import AUTO_MEMORY, MEMORY_BANK
from memorybank.drafting import page
from memorybank.errors import MemorybankError, UsageError
from memorybank.injection import cut_body
from memorybank.log import key as log_key
from memorybank.notes import edit, source_files
from memorybank.notes.parse import parse
from memorybank.storage import disk
from memorybank.storage.layout import IN_REPOSITORY, MAX_NOTE_BYTES, Layout
from memorybank.text.secrets.redact import redact
from memorybank.values import Value

IN_PLACE, COPY = "in place", "copy"

_OF_A_MEMORY_BANK = ("projectbrief.md", "activeContext.md")
_OF_AN_AGENT = ("MEMORY.md",)
_MOST_UNITS = 6_000
"""Maximum length of a draft in UTF-16 units. Every session starts with the summary, so it must be short."""
_SUMMARY = "summary.md"


class FileToCreate(Value):
    """A file that will be created.

    path: POSIX, relative to the bank
    mtime_ns: modification time of the original; 0 for now
    """

    path: str
    data: bytes
    mtime_ns: int = 0


class Chosen(Value):
    """A discovery that a person chose to adopt. how: `IN_PLACE` or `COPY`."""

    found: Discovery
    how: str


class LeftOutFile(Value):
    """A file that is not copied, with the reason."""

    key: str
    reason: str


class AdoptionPlan(Value):
    """What an adoption would do.

    chosen: the adopted discoveries, in the order of the preview
    files: copies, and the draft of the resident summary
    left_out: files that are not copied
    summary: relative path of the draft of the resident summary; "" for none
    """

    chosen: tuple[Chosen, ...]
    files: tuple[FileToCreate, ...]
    left_out: tuple[LeftOutFile, ...]
    summary: str = ""

    def sources(self, *, private: bool) -> Sequence[Discovery]:
        """Return the discoveries that are read in place. private: those outside the repository, else those inside."""
        return [each.found for each in self.chosen if each.how == IN_PLACE and each.found.source.is_private == private]

    def to_json(self) -> dict[str, Any]:
        return {
            "adopt": [{"name": each.found.source.name, "how": each.how} for each in self.chosen],
            "creates": [file.path for file in self.files],
            "left_out": [{"file": file.key, "reason": file.reason} for file in self.left_out],
            "summary": self.summary or None,
        }


def make(layout: Layout, chosen: Sequence[Discovery], now: int, *, copy: Collection[str] = ()) -> AdoptionPlan:
    """Return the plan for adopting these discoveries.

    now: ms
    copy: names of the discoveries that are copied into `active/`; the others are read in place
    Raises `UsageError` for a discovery that is a source already.
    """
    adopted = [found.source.name for found in chosen if found.is_adopted and found.source.name not in copy]
    if adopted:
        raise UsageError(f"{adopted[0]} is read in place already", next_step="'memorybank list --sources' lists the sources")
    picked = tuple(Chosen(found, COPY if found.source.name in copy else IN_PLACE) for found in chosen)
    files: list[FileToCreate] = []
    left_out: list[LeftOutFile] = []
    for each in picked:
        if each.how == COPY:
            for outcome in _copies(layout, each.found):
                (files if isinstance(outcome, FileToCreate) else left_out).append(outcome)  # type: ignore[arg-type]  # the list fits the outcome
    draft = _summary_draft(layout, chosen, now)
    return AdoptionPlan(picked, tuple([*files, FileToCreate(*draft)] if draft else files), tuple(left_out), draft[0] if draft else "")


def _copies(layout: Layout, found: Discovery) -> Iterator[FileToCreate | LeftOutFile]:
    key = log_key.load(layout)
    for file in found.files:
        try:
            yield _copy(layout, found, file, key)
        except (MemorybankError, OSError) as error:
            yield LeftOutFile(file, error.message if isinstance(error, MemorybankError) else str(error.strerror))


def _copy(layout: Layout, found: Discovery, file: str, key: bytes | None) -> FileToCreate | LeftOutFile:
    status = source_files.find(found.source, file)
    if status is None:
        return LeftOutFile(file, "it no longer exists")
    original = source_files.read(layout, file, MAX_NOTE_BYTES)
    text = original.decode("utf-8", "replace")
    if redact(text, key) != text:
        return LeftOutFile(file, "it seems to contain a secret, and copies are committed with the bank")
    inside = file[len(found.source.key) + 1 :] or os.path.basename(file)
    target = f"active/{found.source.name}/{os.path.splitext(inside)[0]}.md"
    data = edit.set_front_matter(original, "origin", _origin(layout, file))
    present = os.path.join(layout.root, target)
    if os.path.lexists(present):
        same = sha256(disk.read(present, MAX_NOTE_BYTES)).digest() == sha256(data).digest()
        return LeftOutFile(file, "it was copied before" if same else f"{target} already exists")
    return FileToCreate(target, data, status.st_mtime_ns)


def _origin(layout: Layout, file: str) -> str:
    """Return where a copy comes from, without the path of the person's home folder, because copies are committed."""
    return file.removeprefix(IN_REPOSITORY) if not file.startswith("/") else layout.relative(file)


def _summary_draft(layout: Layout, chosen: Sequence[Discovery], now: int) -> tuple[str, bytes] | None:
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
            note = parse(file, source_files.read(layout, file, resident.MAX_BYTES))
        except (MemorybankError, OSError):
            continue
        text = redact(note.body.strip(), key)
        parts.append(text if text.startswith("#") else f"# {note.title}\n\n{text}")
    body = "\n\n".join(part for part in parts if part.strip())
    return cut_body(body, _MOST_UNITS, "")[0].strip() if body else ""
