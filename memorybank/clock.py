"""The only reader of the machine's clock and of its time zone, and the one text form of an instant.

An *instant* is an int: milliseconds since 1970-01-01T00:00:00Z. It is written as RFC 3339 in UTC with exactly three decimals
(`2025-09-17T12:34:56.789Z`), the form that the samples of the specification use.
"""

from __future__ import annotations

__light__ = True

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
_EARLIEST, _LATEST = -62_135_596_800_000, 253_402_300_799_999
"""The first instant of the year 0001 and the last of 9999."""
LARGEST_STORABLE = 2**63 - 1
"""The largest number that SQLite stores. As an instant in ns it is on 2262-04-11."""

_MOST_DATES = 4_096
_dates: dict[int, str] = {}
"""Cache of `day_of`: {days since 1970-01-01: `YYYY-MM-DD`}. Most instants fall on a few days."""


def storable(number: int) -> int:
    """Return a file's time (ns) or inode as the index can store it: times before 1677 and after 2262 are clamped."""
    return number if -LARGEST_STORABLE <= number <= LARGEST_STORABLE else LARGEST_STORABLE if number > 0 else -LARGEST_STORABLE


class Clock:
    """The machine's clock. Tests pass another object with the same methods."""

    def now(self) -> int:
        """Return the current instant, in ms."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Return the reading of a clock that never goes back, in seconds. Only differences have a meaning."""
        return time.monotonic()

    def cpu(self) -> float:
        """Return the seconds of processor time that this process has used."""
        return time.process_time()

    def sleep(self, seconds: float) -> None:
        """Wait this many seconds."""
        time.sleep(seconds)


class FixedClock(Clock):
    """A clock that always shows `instant` (ms), for `--as-of` and for tests."""

    def __init__(self, instant: int) -> None:
        self.instant = instant

    def __repr__(self) -> str:
        return f"FixedClock({isoformat(self.instant)!r})"

    def now(self) -> int:
        return self.instant


def isoformat(instant: int) -> str:
    """Return the RFC 3339 text of an instant: `0` → `1970-01-01T00:00:00.000Z`. Instants outside the years 0001 to 9999 are clamped."""
    instant = min(max(instant, _EARLIEST), _LATEST)
    seconds, milliseconds = divmod(instant, SECOND)
    year, month, day, hour, minute, second, *_ = time.gmtime(seconds)
    # By hand, because `strftime` does not pad years before 1000 with zeros on every system.
    return f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}.{milliseconds:03d}Z"


def day_of(instant: int) -> str:
    """Return the UTC calendar day of an instant, `YYYY-MM-DD`."""
    number = instant // DAY
    known = _dates.get(number)
    if known is None:
        if len(_dates) >= _MOST_DATES:
            _dates.clear()
        known = _dates[number] = isoformat(number * DAY)[:10]
    return known


def minute_of(instant: int) -> str:
    """Return the UTC date and time of an instant as people read it, `2025-09-17 09:30`."""
    return isoformat(instant)[:16].replace("T", " ")


def stamp(instant: int) -> str:
    """Return an instant in the form used in file names, to the second: `YYYYmmddTHHMMSSZ`."""
    text = isoformat(instant)
    return text[:19].replace("-", "").replace(":", "") + "Z"


def machine_offset(instant: int) -> int:
    """Return how many milliseconds the machine's local time ($TZ, else the system's zone) is ahead of UTC at an instant."""
    time.tzset()  # localtime reads $TZ only once; it may have changed since
    return time.localtime(instant // SECOND).tm_gmtoff * SECOND


def local_day_of(instant: int) -> str:
    """Return the calendar day of an instant in the machine's local time, `YYYY-MM-DD`."""
    return day_of(instant + machine_offset(instant))


def from_local(local: int, offset_at: Callable[[int], int] = machine_offset) -> int:
    """Return the instant of a local time.

    local: the local date and time, encoded as if it were UTC (ms)
    offset_at: returns how far local time is ahead of UTC at an instant; default: that of the machine

    Of an hour that a clock change repeats, the first one is meant. A time that the change skips is read with the offset before the change, so
    that a day whose midnight is skipped begins when the change happens.
    """
    candidates = {local - offset_at(local - DAY), local - offset_at(local + DAY)}
    return min((at for at in candidates if offset_at(at) == local - at), default=max(candidates))


def has_offset(text: str) -> bool:
    """Return whether an ISO 8601 date or date-time states its offset from UTC."""
    rest = text.strip()[10:]
    return rest[-1:] in ("Z", "z") or "+" in rest or "-" in rest


def parse(text: str) -> int | None:
    """Return the instant of an ISO 8601 date or date-time, or None if `text` is neither.

    A time without an offset is UTC. Seconds and their fraction may be missing.
    """
    text = text.strip()
    date, time_part = text[:10], text[10:]
    if len(date) != 10 or date[4] != "-" or date[7] != "-" or not _digits(date[:4] + date[5:7] + date[8:]):
        return None
    year, month, day = int(date[:4]), int(date[5:7]), int(date[8:])
    if year < 1 or not 1 <= month <= 12 or not 1 <= day <= _days_in_month(year, month):
        return None
    instant = _days(year, month, day) * DAY
    if not time_part:
        return instant
    if time_part[0] not in "Tt ":
        return None
    offset_minutes = 0
    body = time_part[1:].strip()
    if body[-1:] in ("Z", "z"):
        body = body[:-1]
    else:
        cut = max(body.rfind("+"), body.rfind("-"))
        if cut > 0:
            sign = 1 if body[cut] == "+" else -1
            zone = body[cut + 1 :].replace(":", "")
            if len(zone) not in (2, 4) or not _digits(zone):
                return None
            hours, minutes = int(zone[:2]), int(zone[2:] or 0)
            if hours > 23 or minutes > 59:
                return None
            offset_minutes = sign * (hours * 60 + minutes)
            body = body[:cut]
    parts = body.rstrip().split(":")
    if len(parts) not in (2, 3):
        return None
    seconds, _, fraction = (parts[2] if len(parts) == 3 else "0").partition(".")
    if not all(_digits(part) and len(part) <= 2 for part in (parts[0], parts[1], seconds)) or (fraction and not _digits(fraction)):
        return None
    hour, minute, second = int(parts[0]), int(parts[1]), int(seconds)
    if hour > 23 or minute > 59 or second > 59:
        return None
    instant += (hour * 60 + minute - offset_minutes) * MINUTE + second * SECOND
    return instant + int((fraction + "000")[:3]) if fraction else instant


def _digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _days_in_month(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _days(year: int, month: int, day: int) -> int:
    """Return the days from 1970-01-01 to a proleptic Gregorian date (H. Hinnant, chrono-compatible date algorithms)."""
    year -= month <= 2
    era = year // 400
    year_of_era = year - era * 400
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146_097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719_468
