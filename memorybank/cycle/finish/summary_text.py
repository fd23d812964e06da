"""A session summary as text: the short form that recall shows, and the body of the session note. No input or output."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.finish.sessions import SessionSummary
from memorybank.cycle.fold import wording
from memorybank.cycle.fold.phrases import phrase
from memorybank.summarize.listed import about, of_task

_SHORT_ORDER = (
    *(("results", 2, 380), ("decisions", 3, 200), ("open_ends", 3, 200), ("goals", 3, 240)),
    *(("fixes", 2, 340), ("commits", 5, 120), ("changed", 8, 110)),
)
"""(section, maximum items, characters of one item), in the order that helps somebody who continues the work; what is cut off is at the end."""
_NOTE_ORDER = ("results", "decisions", "open_ends", "goals", "changed", "commits", "fixes")
_TITLE = 80


def short(summary: SessionSummary, limit: int = 1_900) -> str:
    """Return the summary in at most `limit` characters, one complete line for each item. Of the goals it contains the first and the latest."""
    chosen_lines: list[str] = []
    left = limit
    for name, most, characters in _SHORT_ORDER:
        items = summary.sections[name]
        chosen = [*items[:1], *items[1:][1 - most :]] if name == "goals" else items[:most] if name == "changed" else items[-most:]
        for number, item in enumerate(chosen):
            mark = f"{phrase(name, summary.language)}: " if number == 0 else "- "
            line = mark + wording.one_line(item.text, characters)
            if len(line) + 1 > left:
                return "\n".join(chosen_lines)
            chosen_lines.append(line)
            left -= len(line) + 1
    return "\n".join(chosen_lines)


def body(summary: SessionSummary) -> str:
    """Return the Markdown body of a session note: a heading for each section that has items, and nothing left out."""
    parts = [f"# {_unlinked(title(summary))}"]
    for name in _NOTE_ORDER:
        items = summary.sections[name]
        if items:
            listed = "\n".join(f"- {_unlinked(item.text)}" for item in items)
            parts.append(f"## {phrase(name, summary.language)}\n\n{listed}")
    return "\n\n".join(parts) + "\n"


def title(summary: SessionSummary) -> str:
    """Return what the session was about, or else the beginning of its text."""
    first = about(summary.gist[0].text) if summary.gist else short(summary).partition("\n")[0]
    for task in summary.tasks:
        first = first.removeprefix(of_task(task))
    return wording.one_line(_without_marks(first), _TITLE)


def _unlinked(text: str) -> str:
    """Return a text without links: in this note they would be links of the note, most often broken ones."""
    return text.replace("](", "] (").replace("[[", "[ [")


def _without_marks(text: str) -> str:
    return text.lstrip("#*->_ “「").replace("`", "").rstrip("。”」")
