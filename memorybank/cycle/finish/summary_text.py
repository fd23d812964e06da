"""A session summary as text: the short form that recall shows, and the body of the session note. Summaries of days and months.

The latter remain when the groups of that time are no longer recalled by themselves. They are made from the session summaries of one cell, item by
item by their instants, so that a session over midnight counts in both days, and from nothing else: the same sessions always give the same days and
months. No input or output.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock
from memorybank.cycle.finish.sessions import SECTIONS, Item, SessionSummary
from memorybank.cycle.fold import wording
from memorybank.cycle.fold.phrases import JAPANESE, phrase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


_SHORT_ORDER = (
    *(("results", 2, 380), ("decisions", 3, 200), ("open_ends", 3, 200), ("goals", 3, 240)),
    *(("fixes", 2, 340), ("commits", 5, 120), ("changed", 8, 110)),
)
"""(section, maximum items, characters of one item), in the order that helps somebody who continues the work; what is cut off is at the end."""
_NOTE_ORDER = ("results", "decisions", "open_ends", "goals", "changed", "commits", "fixes")
_TITLE = 80

_DAY_LIMIT = 1_500
_MONTH_LIMIT = 1_800
_LINE = 240


def short(summary: SessionSummary, limit: int = 1_900) -> str:
    """Return the summary in at most `limit` characters, one complete line for each item. Of the goals it contains the first and the latest."""
    chosen_lines: list[str] = []
    left = limit
    for name, most, characters in _SHORT_ORDER:
        items = summary.section(name)
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
        items = summary.section(name)
        if items:
            parts.append(f"## {phrase(name, summary.language)}\n\n{_list(items)}")
    return "\n\n".join(parts) + "\n"


def title(summary: SessionSummary) -> str:
    """Return what the session was about, in the words of its first request, or else of its commits, results or changes."""
    for name in ("goals", "commits", "results", "changed", "fixes", "decisions"):
        items = summary.section(name)
        if items:
            said = wording.sentences(items[0].text)
            return wording.one_line(_without_marks(said[0] if said else items[0].text), _TITLE)
    return phrase("session", summary.language)


def _list(items: Iterable[Item]) -> str:
    return "\n".join(f"- {_unlinked(item.text)}" for item in items)


def _unlinked(text: str) -> str:
    """Return a text without links: in this note they would be links of the note, most often broken ones."""
    return text.replace("](", "] (").replace("[[", "[ [")


def _without_marks(text: str) -> str:
    return text.replace("`", "").lstrip("#*->_ ").rstrip("。")


def days_of(summary: SessionSummary) -> set[str]:
    """Return the UTC days of a session's items."""
    return {clock.day_of(item.at) for name in SECTIONS for item in summary.section(name)}


def day_text(day: str, sessions: Iterable[SessionSummary]) -> str:
    """Return what happened on one day, at most 1,500 characters; "" when nothing did."""
    return _text(day, sessions, _DAY_LIMIT, (("results", 2), ("goals", 2), ("fixes", 2), ("decisions", 2), ("commits", 4), ("changed", 4)))


def month_text(month: str, sessions: Iterable[SessionSummary]) -> str:
    """Return what happened in one month, at most 1,800 characters. Failures and what people said stay recallable by themselves."""
    return _text(month, sessions, _MONTH_LIMIT, (("goals", 1), ("commits", 2), ("decisions", 1), ("fixes", 1)))


def _text(period: str, sessions: Iterable[SessionSummary], limit: int, wanted: tuple[tuple[str, int], ...]) -> str:
    """Return one line per session with its subject, then the `wanted` sections, latest items first, in at most `limit` characters."""
    parts = [(summary, {name: _within(summary.section(name), period) for name in SECTIONS}) for summary in sessions]
    parts = [(summary, sections) for summary, sections in parts if any(sections.values())]
    if not parts:
        return ""
    parts.sort(key=lambda part: (part[0].first_at, part[0].last_at))
    language = JAPANESE if 2 * sum(summary.language == JAPANESE for summary, _ in parts) > len(parts) else "en"
    lines = [f"{period}: {phrase('sessions', language, count=len(parts))}" if len(parts) > 1 else period]
    room = limit - len(lines[0])
    for name, most in wanted:
        first = True
        for summary, sections in parts:
            items = sections[name]
            chosen = items[:most] if name in ("goals", "changed") else items[-most:]
            if name == "goals" and not chosen:
                chosen = [Item(summary.first_at, title(summary))]
            for item in chosen:
                line = (f"{phrase(name, language)}: " if first else "- ") + wording.one_line(item.text, _LINE)
                if len(line) >= room:
                    break
                lines.append(line)
                room -= len(line) + 1
                first = False
    return "\n".join(lines)


def _within(items: list[Item], period: str) -> list[Item]:
    """Return the items of a day (`2025-09-17`) or month (`2025-09`)."""
    return [item for item in items if clock.day_of(item.at).startswith(period)]
