"""Days and times in words, in English and Japanese: `yesterday`, `monday`, `3 days ago`, 昨日, 月曜日, 3日前.

A word means a calendar day in the time zone of this machine. Minutes and hours count back from now exactly.
"""

import re
from datetime import date, timedelta
from typing import NamedTuple
from unicodedata import normalize

from memorybank import clock
from memorybank.clock import Clock

_EPOCH = date(1970, 1, 1).toordinal()
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
_AGO = re.compile(r"(a|an|one|\d{1,5}) (minute|hour|day|week|month)s? ago|(\d{1,5})(分|時間|日|週間|週|か月|ヶ月|ヵ月)前")


class RelativeInstant(NamedTuple):
    """What words about time mean.

    at: instant (ms); of a day its beginning
    day: local date, `YYYY-MM-DD`; "" when the words mean a moment, not a day
    end: last instant of the day; `at` when the words mean a moment
    """

    at: int
    day: str
    end: int


def read(text: str, now: Clock) -> RelativeInstant | None:
    """Return what the words mean at the time of this clock; None if they are not in the table.

    A weekday is the latest one that has begun, today included; with `last` or 先週 before it, one before today or in the week before.
    """
    words = " ".join(normalize("NFKC", text).casefold().split())
    present = now.now()
    if words in ("now", "今"):
        return RelativeInstant(present, "", present)
    match = _AGO.fullmatch(words)
    unit = (match[2] or match[4]) if match else ""
    if match and unit in _EXACT:
        at = present - _count(match) * _EXACT[unit]
        return RelativeInstant(at, "", at)
    today = date.fromordinal((present + clock.machine_offset(present)) // clock.DAY + _EPOCH)
    try:
        found = _months_before(today, _count(match)) if match and _CALENDAR[unit] == "month" else _day(words, match, today)
    except (OverflowError, ValueError):  # before the year 1
        return None
    return None if found is None else RelativeInstant(_midnight(found), found.isoformat(), _midnight(found + timedelta(1)) - 1)


def _count(match: "re.Match[str]") -> int:
    number = match[1] or match[3]
    return int(number) if number.isdecimal() else 1


def _day(words: str, match: "re.Match[str] | None", today: date) -> date | None:
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


def _midnight(day: date) -> int:
    """Return the instant at which a day begins here, also on the days when clocks change."""
    utc = (day.toordinal() - _EPOCH) * clock.DAY
    return utc - clock.machine_offset(utc - clock.machine_offset(utc))
