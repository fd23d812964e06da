"""Recognises notes whose names form a series: `turn-001.md`, `turn-002.md`; `2025-09-17.md`, `2025-09-18.md`.

Numbered or dated small notes are often the pieces of one long text. A single piece may lack the words that say what it is about, while
its neighbours have them. Search therefore lets short notes of a series borrow evidence (`search.ranking`).
"""

import re
from typing import NamedTuple

_DATED = re.compile(r"(.*?)(?<!\d)(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?!\d)(.*)", re.DOTALL)
_NUMBERED = re.compile(r"(.*?)(\d{1,9})", re.DOTALL)


class SeriesPosition(NamedTuple):
    """The place of a note in its series.

    prefix, suffix: the text before and after the number or date in all keys of the series
    ordinal: the number, or the date as a number; not always consecutive
    """

    prefix: str
    suffix: str
    ordinal: int


def place(key: str) -> SeriesPosition | None:
    """Return the place of a note in its series; None when the file name has neither a date nor a number at its end."""
    folder, slash, name = key.rpartition("/")
    stem = name.removesuffix(".md")
    dated = _DATED.fullmatch(stem)
    if dated and 1 <= int(dated[3]) <= 12 and 1 <= int(dated[4]) <= 31:
        return SeriesPosition(f"{folder}{slash}{dated[1]}", dated[5], int(dated[2] + dated[3] + dated[4]))
    numbered = _NUMBERED.fullmatch(stem)
    return SeriesPosition(f"{folder}{slash}{numbered[1]}", "", int(numbered[2])) if numbered else None
