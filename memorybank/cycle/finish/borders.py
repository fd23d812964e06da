"""Summaries of days and months, which remain when the groups of that time are no longer recalled by themselves. No input or output.

Each is made from the session summaries of one cell, item by item by their instants, so that a session over midnight counts in
both days, and from nothing else: the same sessions always give the same days and months.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock
from memorybank.cycle.finish import summary_text
from memorybank.cycle.finish.sessions import SECTIONS, Item, SessionSummary
from memorybank.cycle.fold import wording
from memorybank.cycle.fold.phrases import JAPANESE, phrase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_DAY_LIMIT = 1_500
_MONTH_LIMIT = 1_800
_LINE = 240


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
                chosen = [Item(summary.first_at, summary_text.title(summary))]
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
