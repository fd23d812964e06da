"""The day until which a sentence holds, from what it says (`dates`) and when it was written."""

from __future__ import annotations

from datetime import date, timedelta

from memorybank.claims.claim import EXPIRED, HOLDS, UNKNOWN, UNKNOWN_STATE, ClaimState
from memorybank.claims.dates import VAGUE
from memorybank.clock import DAY, HOUR

REVIEW_DAYS = 180
"""Age in days from which a statement that says "temporary" or "for now" is proposed for review."""
_EVERYWHERE = 36 * HOUR
"""Time from the beginning of a day in UTC until it is over everywhere on earth."""
_EPOCH = date(1970, 1, 1).toordinal()
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def date_state(place: str, created: int, written: int | None, now: int) -> ClaimState:
    """Return the state of a claim about a date: `holds` or `expired` with the last day as `target`, else `unknown`.

    `at` is the instant at which the claim expires, or from which a vague one is to be reviewed; 0 if nothing is known.

    place: as `dates` gives it.
    created: instant (ms) of the note. A date before it is about the past.
    written: latest instant (ms) at which the sentence can have been written; None if that is not known.
    """
    says, _, when = place.partition(" ")
    if says == VAGUE:
        since = _last_day(when, None) if when else _day(written)
        return UNKNOWN_STATE if since is None else ClaimState(UNKNOWN, "", "", _instant(since) + REVIEW_DAYS * DAY)
    last = _last_day(when, _day(written))
    if last is None or _instant(last) + DAY <= created:
        return UNKNOWN_STATE
    at = _instant(last) + _EVERYWHERE
    return ClaimState(EXPIRED if at <= now else HOLDS, last.isoformat(), "", at)


def _day(instant: int | None) -> date | None:
    return None if instant is None else date.fromordinal(instant // DAY + _EPOCH)


def _instant(day: date) -> int:
    return (day.toordinal() - _EPOCH) * DAY


def _last_day(when: str, written: date | None) -> date | None:
    """Return the last day that is meant; of two possible ones the later. None if it does not exist or depends on an unknown day of writing."""
    try:
        if when[:2].isdigit():
            year, month, *day = map(int, when.split("-"))
            return date(year, month, *day) if day else _end_of_month(year, month)
        if written is None:
            return None
        if when.startswith("--"):
            return _next_in_year(when[2:].removesuffix("+"), written, is_later=when.endswith("+"))
        return _from(when.removesuffix("+"), written, later=when.endswith("+"))
    except (ValueError, OverflowError):
        return None


def _next_in_year(when: str, written: date, *, is_later: bool) -> date:
    """Return the next such day or end of a month. is_later: whether the month of writing itself is not meant."""
    month, *day = map(int, when.split("-"))
    years = (written.year, written.year + 1)
    found = [date(year, month, *day) if day else _end_of_month(year, month) for year in years]
    return found[0] if found[0] >= written and not (is_later and month == written.month) else found[1]


def _from(when: str, written: date, *, later: bool) -> date:
    """Return the day that a word such as `friday` or `month` means. later: the one after it."""
    monday = written - timedelta(written.weekday())
    if when == "tomorrow":
        return written + timedelta(1)
    if when == "week":
        return monday + timedelta(13 if later else 6)
    if when == "month":
        return _end_of_month(written.year + (written.month + later > 12), (written.month + later - 1) % 12 + 1)
    if when == "year":
        return date(written.year + later, 12, 31)
    ahead = (_WEEKDAYS.index(when) - written.weekday()) % 7
    return monday + timedelta(7 + _WEEKDAYS.index(when)) if later else written + timedelta(ahead)


def _end_of_month(year: int, month: int) -> date:
    first = date(year, month, 1)
    return date(first.year + month // 12, month % 12 + 1, 1) - timedelta(1)
