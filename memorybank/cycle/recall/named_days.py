"""The days that a prompt names, so that their episodes are shown: `2025-09-17`, `2025/9/17`, 2025年9月17日, 9月17日, `September 17, 2025`, `17 Sep`.

A search for words cannot find them: a date is three numbers, and short numbers are no search terms.
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes import dates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MOST = 4
"""Maximum number of days in one prompt; a prompt that names more is not about any of them in particular."""
_YEARS = ("19", "20")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
_BETWEEN = ("st", "nd", "rd", "th", "of")
"""May occur between a day and its month: the 3rd of May."""
_SHORT = tuple(name[:3] for name in _MONTHS)
_READ_CHARACTERS = 2_000
_INSIDE = ("-", "_", "/", ".")


def named(text: str, today: str) -> list[str]:
    """Return the named dates in the order of the text, each once.

    today: a date such as `2025-09-17`. A date without a year is the latest such day up to it.
    """
    text = text[:_READ_CHARACTERS]
    if not _may_name(text):
        return []
    found: dict[str, None] = {}
    words = _words(text)
    for place in range(len(words)):
        date = _numeric(words, place) or _english(words[place : place + 3])
        whole = _with_year(date, today) if date else ""
        if whole:
            found[whole] = None
    return list(found)[:MOST]


def _may_name(text: str) -> bool:
    """Whether the text may contain a date. This cheap check avoids reading every prompt character by character."""
    if "月" in text or any(name in text for name in _SHORT):
        return True
    for century in _YEARS:
        at = text.find(century)
        while at >= 0:
            if text[at + 4 : at + 5] in ("-", "/"):
                return True
            at = text.find(century, at + 2)
    return False


def _words(text: str) -> list[str]:
    """Runs of digits, runs of ASCII letters, and every other character by itself, without blanks. Digits of any width become ASCII digits."""
    found: list[str] = []
    kind = ""
    for sign in text:
        digit = sign.isdecimal()
        now = "digit" if digit else "letter" if sign.isascii() and sign.isalpha() else ""
        if digit and not sign.isascii():
            sign = str(int(sign))
        if now and now == kind:
            found[-1] += sign
        elif not sign.isspace() and sign != ",":
            found.append(sign)
        kind = now
    kept: list[str] = []
    for word in found:
        if word not in _BETWEEN or not kept or not kept[-1].isdigit():
            kept.append(word)
    return kept


def _numeric(words: Sequence[str], place: int) -> str:
    """`2025-09-17` for 2025-9-17, 2025/9/17 and 2025年9月17日, `-09-17` for 9月17日; "" for anything else.

    A date in a file name (`notes-2025-09-17.md`) and one before a time (a line of a log) do not count: they do not ask for a day.
    """
    before, behind = words[place - 1] if place else "", words[place + 5 : place + 7]
    words = words[place : place + 5]
    if len(words) >= 4 and words[0].isdigit() and words[1] == "月" and words[2].isdigit() and words[3] == "日":
        return _date("", words[0], words[2])
    if len(words) < 5 or len(words[0]) != 4 or not words[0].startswith(_YEARS) or not (words[2] + words[4]).isdigit():
        return ""
    if before in _INSIDE or behind[:1] in (["-"], ["_"], ["T"]) or behind[1:] == [":"]:
        return ""
    if (words[1] == words[3] and words[1] in "-/") or (words[1] == "年" and words[3] == "月"):
        return _date(words[0], words[2], words[4])
    return ""


def _english(words: list[str]) -> str:
    """`2025-09-17` for "September 17 2025" and "17 Sep 2025", `-09-17` without a year. The month needs a capital: "you may try 3 times" is not a date."""
    if len(words) < 2:
        return ""
    month, day = (words[0], words[1]) if words[0].isalpha() else (words[1], words[0])
    number = next((place for place, name in enumerate(_MONTHS, 1) if month == name or (len(month) in (3, 4) and name.startswith(month))), 0)
    if not number or not day.isdigit():
        return ""
    year = words[2] if len(words) > 2 and len(words[2]) == 4 and words[2].startswith(_YEARS) else ""
    return _date(year, str(number), day)


def _date(year: str, month: str, day: str) -> str:
    return f"{year}-{month:0>2}-{day:0>2}" if len(month) <= 2 and len(day) <= 2 else ""


def _with_year(date: str, today: str) -> str:
    """The complete date, or "" when it does not exist. A date without a year becomes the latest such day up to today."""
    if date.startswith("-"):
        year = int(today[:4])
        date = f"{year}{date}" if f"{year}{date}" <= today else f"{year - 1}{date}"
    return date if dates.is_date(date) else ""
