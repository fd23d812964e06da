"""Parses a summary written by `lines.told` back into the parts of its sessions, for a summary of several days."""

from __future__ import annotations

from dataclasses import replace

from memorybank.summarize.labels import label
from memorybank.summarize.summarizer import COMMITS, SECTIONS, SessionItem

_LABELS = {label(section, language): section for section in SECTIONS for language in ("en", "ja")}
_ALSO = (label("also", "en"), label("also", "ja"))


def parts(text: str, date: str) -> tuple[SessionItem, ...]:
    """Return the parts of a summary, the first of each session prefixed with the date.

    Returns () for a text in any other form: by a model, by a person, or about a day of chats.
    """
    found: list[SessionItem] = []
    number = 0
    for line in text.split("\n"):
        number += line.startswith("- ")
        bare = line[2:] if line.startswith(("- ", "  ")) else line
        name = next((name for name in _LABELS if bare.startswith(name)), None)
        if name is None:
            if bare.strip() and not bare.startswith(_ALSO):
                return ()
            continue
        said = bare.removeprefix(name)
        session = f"{date} {number}"
        items = said.split("; ") if _LABELS[name] == COMMITS else [said]
        is_first = not found or found[-1].session != session
        told = [SessionItem(_LABELS[name], item, session) for item in items]
        found += [replace(told[0], text=f"[{date}] {told[0].text}"), *told[1:]] if is_first else told
    return tuple(found)
