"""Learned notes in recall: the memory that a note under `active/learned/` was made from."""

from __future__ import annotations

__light__ = True

from memorybank.storage import beneath
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.storage.layout import Layout

FOLDER = "learned"
_KEY = lazy_pattern(FOLDER + r"/(problem|rule)-.*-([0-9a-f]{8})\.md")


def memory_of(key: str) -> str:
    """Return the merge id in the key of a learned note; "" for any other note."""
    found = _KEY.fullmatch(key)
    return f"{found[1]}:{found[2]}" if found is not None else ""


def notes(layout: Layout) -> dict[str, str]:
    """Return {merge id: key} of the learned notes of a worktree."""
    keys = (f"{FOLDER}/{name}" for name in reversed(beneath.names_in(f"{layout.active}/{FOLDER}")))
    return {memory: key for key in keys if (memory := memory_of(key))}


_PARTS = 3
"""Paragraphs of such a note: its heading, a person's words, when they were said."""
_DAY = lazy_pattern(r"\b\d{4}-\d\d-\d\d\b")


def words_in(note: str) -> tuple[list[str], str]:
    """Return (a person's words, the day on which they were said last) in the text of the note of a rule; ([], "") where somebody wrote something else."""
    parts = note.rpartition("\n---\n")[2].strip().split("\n\n")
    if len(parts) != _PARTS or not all(line.startswith("> ") for line in parts[1].split("\n")):
        return [], ""
    days = _DAY.findall(parts[2])
    return [line[2:] for line in parts[1].split("\n")], days[-1] if days else ""
