"""Calendar dates as texts (`2025-09-17`), their weeks, and the ranges of merged weeks. No time zone is needed here."""

from __future__ import annotations

__light__ = True

from memorybank import clock

SEPARATORS = ("~", "～", "〜")
"""The separators between the two dates of a range. All are read, the first is written (episodic memory specification, section 6)."""


def parse(text: str) -> tuple[str, str]:
    """Return (first, last) of a date or a range, ignoring blanks around each date.

    Returns ("", "") for a text that is neither, and for a range that ends before it begins.
    """
    if is_date(text):
        return text, text
    for sign in SEPARATORS[1:]:
        text = text.replace(sign, SEPARATORS[0])
    first, separator, last = text.partition(SEPARATORS[0])
    first, last = first.strip(), (last if separator else first).strip()
    if not is_date(first) or not is_date(last) or first > last:
        return "", ""
    return first, last


def written(first: str, last: str) -> str:
    """Return a date, or a range of two dates, as it is written in the list."""
    return first if first == last else f"{first}{SEPARATORS[0]}{last}"


def is_date(text: str) -> bool:
    """Return whether a text is a single date."""
    return len(text) == 10 and clock.parse(text) is not None


def plus(date: str, days: int) -> str:
    """Return the date that many days later. Dates are limited to the years 0001 to 9999."""
    return clock.day_of((clock.parse(date) or 0) + days * clock.DAY)


def between(first: str, last: str) -> list[str]:
    """Return every date from first to last, both included."""
    count = ((clock.parse(last) or 0) - (clock.parse(first) or 0)) // clock.DAY + 1
    return [plus(first, number) for number in range(count)]


def monday(date: str) -> str:
    """Return the Monday of a date's week."""
    return plus(date, -weekday(date))


def weekday(date: str) -> int:
    """Return the day of the week, 0 for Monday to 6 for Sunday."""
    # 1970-01-01, day 0, was a Thursday.
    return ((clock.parse(date) or 0) // clock.DAY + 3) % 7


def week_name(date: str) -> str:
    """Return the ISO 8601 week of a date: `2025-W38`. The year is that of the week's Thursday."""
    thursday = plus(monday(date), 3)
    number = ((clock.parse(thursday) or 0) - (clock.parse(f"{thursday[:4]}-01-01") or 0)) // (7 * clock.DAY) + 1
    return f"{thursday[:4]}-W{number:02d}"


def week_of(name: str) -> str | None:
    """Return the Monday of a week by its name, None when the text is not the name of a week."""
    year, mark, number = name.strip().upper().partition("-W")
    if not (mark and len(year) == 4 and len(number) == 2 and (year + number).isascii() and (year + number).isdigit()):
        return None
    first = monday(f"{year}-01-04")
    found = plus(first, 7 * (int(number) - 1))
    return found if week_name(found) == f"{year}-W{number}" else None
