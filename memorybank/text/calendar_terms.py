"""Dates and large numbers as search terms. Every notation of a day yields the same tokens, so that "8 May 2023", 08.05.2023, 20230508,
2023年5月8日 and 令和5年5月8日 find a note dated `2023-05-08`, and the other way round; 120,000 and 12万 are 120000.
"""

from __future__ import annotations

__light__ = True

from itertools import chain

from memorybank.text.pattern import lazy_pattern
from memorybank.text.stem import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

_MONTHS = (
    ("January", "Jan"), ("February", "Feb"), ("March", "Mar"), ("April", "Apr"), ("May",), ("June", "Jun"), ("July", "Jul"),
    ("August", "Aug"), ("September", "Sept", "Sep"), ("October", "Oct"), ("November", "Nov"), ("December", "Dec"),
)  # fmt: skip
_NUMBER_OF = {name.lower(): number for number, names in enumerate(_MONTHS, 1) for name in names}
_STEMS = tuple(stem(names[0].lower()) for names in _MONTHS)
_WRITTEN = frozenset(form for name in _NUMBER_OF for form in (name, name.capitalize(), name.upper()))

_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth",
    "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
_DAY_OF = {name: day for day, name in enumerate(_ORDINALS, 1)}
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925}
"""{Japanese era: the year before its first}."""
_MYRIADS = {"万": 10**4, "億": 10**8}

# Every pattern starts with something rare in prose, a digit or a capital letter, so that the scan of a text is fast.
_YEAR = r"((?:1[5-9]|20|21)\d\d)(?!\d)"
_NAME = "({})".format("|".join(sorted(_WRITTEN, key=lambda form: (-len(form), form)))) + r"(?![^\W\d])\.?"
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_NAMED = lazy_pattern(rf"{_DAY}(?<!\d\d\d)(?: of)?[ -]{_NAME}(?:,?[ -]{_YEAR})?|{_NAME} (?:{_DAY}(?![\d:])(?:,? {_YEAR})?|{_YEAR})")
_ANY_MONTH, _ANY_ORDINAL = "|".join(names[0] for names in _MONTHS), "|".join(_ORDINALS)
_ORDINAL = lazy_pattern(rf"\b(?:({_ANY_ORDINAL}) (?:of )?({_ANY_MONTH})|({_ANY_MONTH}) (?:the )?({_ANY_ORDINAL}))\b", "i")
_KANJI = lazy_pattern(r"(\d{1,4})(?:年(\d{1,2})月(?:(\d{1,2})日)?|月(?:(\d{1,2})日)?)")
_ERA = lazy_pattern(rf"({'|'.join(_ERAS)})(元|\d{{1,2}})年(?:(\d{{1,2}})月(?:(\d{{1,2}})日)?)?")
_SLASHED = lazy_pattern(rf"{_YEAR}/(\d{{1,2}})/(\d{{1,2}})(?![\d/])")
_DOTTED = lazy_pattern(r"(\d(?<![\d.]\d)\d?)\.(\d{1,2})\.((?:19|20)\d\d)(?![\d]|\.\d)")
_COMPACT = lazy_pattern(r"((?:19(?<!\w19)|20(?<!\w20))\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?!\w)")
_GROUPED = lazy_pattern(r"(?<![\d,.])\d{1,3}(?:,\d{3})++(?![\d,]*\d)")
_MYRIAD = lazy_pattern(r"(\d{1,4}(?:,\d{3}){0,2}(?:\.\d{1,4})?)([万億])")


def with_canonical_forms(text: str, words: list[str]) -> str | None:
    """Return `text` with the canonical form of every date and large number added at the end of its line; None if there are none.

    The end of the line is the one place where the addition never separates the words of a phrase.
    words: the words of the text as written, for a quick check whether a month name occurs next to a number
    """
    found = []
    for at, form in canonical_forms(text, words):
        end = text.find("\n", at)
        found.append((end if end >= 0 else len(text), form))
    if not found:
        return None
    found.sort()
    pieces: list[str] = []
    start = 0
    for end, form in found:
        pieces += (text[start:end], " ", form, " ")
        start = end
    return "".join((*pieces, text[start:]))


def canonical_forms(text: str, words: list[str]) -> Iterator[tuple[int, str]]:
    """Yield (offset of its end, canonical form) of every date and large number that is written in another way."""
    for pattern, form_of in _applicable(text, words):
        for match in pattern.finditer(text):
            if form := form_of(match):
                yield match.end(), form


def with_days_as_numbers(text: str) -> str:
    """Return `text` with "third of March" and "March the third" as `3 March`."""
    return _ORDINAL.sub(lambda match: f"{_DAY_OF[(match[1] or match[4]).lower()]} {(match[2] or match[3]).capitalize()}", text)


def _applicable(text: str, words: list[str]) -> Iterator[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]]:
    if any(_is_next_to_a_number(month, words) for month in _WRITTEN.intersection(words)):
        yield _NAMED, _named
    if "月" in text:
        yield _KANJI, _kanji
    if "/" in text:
        yield _SLASHED, lambda match: _iso(match[1], int(match[2]), match[3])
    if "年" in text and any(era in text for era in _ERAS):
        yield _ERA, _era
    if "万" in text or "億" in text:
        yield _MYRIAD, _myriads
    if "20" in text or "19" in text:
        yield _COMPACT, lambda match: _iso(match[1], int(match[2]), match[3])
        if "." in text:
            yield _DOTTED, lambda match: _iso(match[3], int(match[2]), match[1])
    if "," in text:
        yield _GROUPED, lambda match: match[0].replace(",", "")


def terms(iso: str) -> tuple[str, ...]:
    """Return the tokens of `2023-05-08`, `2023-05` or `--05-08`: the date, each coarser form, and year, month name and day as words.

    A text that is not a calendar date (month 13, day 0) gives its plain numbers.
    """
    year, month, day = ("", iso[2:4], iso[5:]) if iso.startswith("--") else (iso[:4], iso[5:7], iso[8:])
    if not _is_possible(int(month), day or None):
        return tuple(number.lstrip("0") or "0" for number in (year, month, day) if number)
    found = [f"{year}-{month}-{day}"] if year and day else []
    if year:
        found.append(f"{year}-{month}")
    if day:
        found.append(f"--{month}-{day}")
    return tuple(chain(found, (year,) if year else (), (_STEMS[int(month) - 1],), (day.lstrip("0"),) if day else ()))


def _is_next_to_a_number(month: str, words: list[str]) -> bool:
    at = -1
    for _ in range(words.count(month)):
        at = words.index(month, at + 1)
        if any(word[0].isdigit() for word in words[max(0, at - 2) : at + 2]):
            return True
    return False


def _named(match: re.Match[str]) -> str:
    day, month, year = (match[1], match[2], match[3]) if match[2] else (match[5], match[4], match[6] or match[7])
    return _iso(year, _NUMBER_OF[month.lower()], day)


def _kanji(match: re.Match[str]) -> str:
    if match[2]:
        return _iso(match[1], int(match[2]), match[3]) if len(match[1]) == 4 else ""
    return _iso(None, int(match[1]), match[4])


def _era(match: re.Match[str]) -> str:
    year = _ERAS[match[1]] + (1 if match[2] == "元" else int(match[2]))
    return _iso(str(year), int(match[3]), match[4]) if match[3] else str(year)


def _myriads(match: re.Match[str]) -> str:
    return str(round(float(match[1].replace(",", "")) * _MYRIADS[match[2]]))


def _is_possible(month: int, day: str | None) -> bool:
    return 1 <= month <= 12 and (day is None or 1 <= int(day) <= 31)


def _iso(year: str | None, month: int, day: str | None) -> str:
    """Return `2023-05-08`, `2023-05` or `--05-08`; "" when neither year nor day is known or the date is impossible."""
    if not _is_possible(month, day) or not (year or day):
        return ""
    ending = f"-{int(day):02d}" if day else ""
    return f"{year}-{month:02d}{ending}" if year else f"--{month:02d}{ending}"
