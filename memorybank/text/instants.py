"""Reads dates and times as a person means them, by one rule for every entry point: commands, MCP, the local page and Python (ADR 0058).

- With an offset (`2025-09-17T12:30:00Z`, `…+09:00`) it is that instant.
- Without one it is local time of this machine, and a date alone is the entire day of the person who writes it.
- `+60d`, `-7d`, `-12h`, `+2w`, `90 minutes ago` and 2時間前 count from now exactly.
- Words mean a calendar day of this machine: `yesterday`, `monday`, `3 days ago`, 昨日, 月曜日, 3日前.

Dates inside files are not read here: there a date without an offset is UTC, so that the same note has the same score on every machine.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING
from unicodedata import normalize

from memorybank import clock
from memorybank.clock import Clock
from memorybank.text.pattern import lazy_pattern
from memorybank.values import Value

if TYPE_CHECKING:
    import re

FORMS = "2025-09-17, 2025-09-17T12:30:00Z, an offset from now such as +60d or -7d, or words such as yesterday, monday or '3 days ago'"
"""The forms that `read` accepts, for messages."""
_EPOCH = date(1970, 1, 1).toordinal()
_UNITS = {"h": clock.HOUR, "d": clock.DAY, "w": 7 * clock.DAY}
_DAYS_AGO = {
    "today": 0, "yesterday": 1, "the day before yesterday": 2, "day before yesterday": 2,
    "今日": 0, "本日": 0, "きょう": 0, "昨日": 1, "きのう": 1, "一昨日": 2, "おととい": 2,
}  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY_OF = {
    **{name[:letters]: number for number, name in enumerate(_WEEKDAYS) for letters in (3, len(name))},
    **{name + ending: number for number, name in enumerate("月火水木金土日") for ending in ("曜", "曜日")},
}
_EXACT = {"minute": clock.MINUTE, "hour": clock.HOUR, "分": clock.MINUTE, "時間": clock.HOUR}
_CALENDAR = {"day": "day", "日": "day", "week": "week", "週間": "week", "週": "week", "month": "month", "か月": "month", "ヶ月": "month", "ヵ月": "month"}
_AGO = lazy_pattern(r"(a|an|one|\d{1,5}) (minute|hour|day|week|month)s? ago|(\d{1,5})(分|時間|日|週間|週|か月|ヶ月|ヵ月)前")


class GivenInstant(Value):
    """The meaning of a text about time.

    at: the instant (ms); of a day its beginning
    day: local date, `YYYY-MM-DD`; "" for an exact instant, which has no zone
    end: last instant of the day; `at` when the text names a time
    """

    at: int
    day: str
    end: int

    @property
    def is_day(self) -> bool:
        """Whether an entire day is meant."""
        return self.end > self.at


def read(text: str, now: Clock) -> GivenInstant | None:
    """Return the meaning of a text at the time of this clock; None if it is not a date.

    A weekday is the latest one that has begun, today included; with `last` or 先週 before it, one before today or in the week before.
    """
    text = text.strip()
    return _offset(text, now) or _relative(text, now) or _calendar(text)


def _offset(text: str, now: Clock) -> GivenInstant | None:
    sign, digits, unit = text[:1], text[1:-1], text[-1:]
    if sign not in ("+", "-") or not digits.isascii() or not digits.isdigit() or len(digits) > 6 or unit not in _UNITS:
        return None
    return _exactly(now.now() + int(digits) * _UNITS[unit] * (1 if sign == "+" else -1))


def _calendar(text: str) -> GivenInstant | None:
    """Return the instant of an ISO 8601 date or date-time."""
    at = clock.parse(text)
    if at is None:
        return None
    if clock.has_offset(text):
        return _exactly(at)
    if len(text) == 10:
        return _entire(date.fromisoformat(text))
    begin = clock.from_local(at)
    return GivenInstant(begin, text[:10], begin)


def _exactly(at: int) -> GivenInstant:
    return GivenInstant(at, "", at)


def _entire(day: date) -> GivenInstant:
    """Return a day as it is on this machine, also when clocks change on it."""
    midnight = (day.toordinal() - _EPOCH) * clock.DAY
    return GivenInstant(clock.from_local(midnight), day.isoformat(), clock.from_local(midnight + clock.DAY) - 1)


def _relative(text: str, now: Clock) -> GivenInstant | None:
    """Return the meaning of words; None if they are not in the tables."""
    words = " ".join(normalize("NFKC", text).casefold().split())
    present = now.now()
    if words in ("now", "今"):
        return _exactly(present)
    match = _AGO.fullmatch(words)
    unit = (match[2] or match[4]) if match else ""
    if match and unit in _EXACT:
        return _exactly(present - _count(match) * _EXACT[unit])
    today = date.fromordinal((present + clock.machine_offset(present)) // clock.DAY + _EPOCH)
    try:
        found = _months_before(today, _count(match)) if match and _CALENDAR[unit] == "month" else _day(words, match, today)
    except (OverflowError, ValueError):  # before the year 1
        return None
    return None if found is None else _entire(found)


def _count(match: re.Match[str]) -> int:
    number = match[1] or match[3]
    return int(number) if number.isdecimal() else 1


def _day(words: str, match: re.Match[str] | None, today: date) -> date | None:
    monday = today - timedelta(today.weekday())
    if match:
        return today - timedelta(_count(match) * (7 if _CALENDAR[match[2] or match[4]] == "week" else 1))
    if words in _DAYS_AGO:
        return today - timedelta(_DAYS_AGO[words])
    if words in _WEEKDAY_OF:
        return today - timedelta((today.weekday() - _WEEKDAY_OF[words]) % 7)
    if words.startswith("last ") and words[5:] in _WEEKDAY_OF:
        return today - timedelta((today.weekday() - _WEEKDAY_OF[words[5:]] - 1) % 7 + 1)
    if words.startswith("先週の") and words[3:] in _WEEKDAY_OF:
        return monday + timedelta(_WEEKDAY_OF[words[3:]] - 7)
    beginnings = {
        "this week": monday, "今週": monday, "last week": monday - timedelta(7), "先週": monday - timedelta(7),
        "this month": today.replace(day=1), "今月": today.replace(day=1),
        "last month": _months_before(today.replace(day=1), 1), "先月": _months_before(today.replace(day=1), 1),
    }  # fmt: skip
    return beginnings.get(words)


def _months_before(day: date, count: int) -> date:
    """Return the same day some months earlier; the last day of that month if it is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 - count, 12)
    following = date(year + (month == 11), (month + 1) % 12 + 1, 1)
    return date(year, month + 1, min(day.day, (following - timedelta(1)).day))
