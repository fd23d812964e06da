"""Notes that belong in a row by their names: `turn-001.md`, `turn-002.md`; `2025-09-17.md`, `2025-09-18.md`.

Whoever numbers or dates small notes has cut one long text into pieces; a piece alone often lacks the words that say what it
is about, and its neighbours have them. Search lets short notes of a series borrow evidence (`search.ranking`).
"""

import re
from typing import NamedTuple

_DATED = re.compile(r"(.*?)(?<!\d)(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?!\d)(.*)", re.DOTALL)
_NUMBERED = re.compile(r"(.*?)(\d{1,9})", re.DOTALL)


class Place(NamedTuple):
    """prefix, suffix: what all keys of the row have before and behind their number or date; ordinal: the place, not always dense."""

    prefix: str
    suffix: str
    ordinal: int


def place(key: str) -> Place | None:
    """The place of a note in its series, from its key; None when the file name bears neither a date nor a number at its end."""
    folder, slash, name = key.rpartition("/")
    stem = name.removesuffix(".md")
    dated = _DATED.fullmatch(stem)
    if dated and 1 <= int(dated[3]) <= 12 and 1 <= int(dated[4]) <= 31:
        return Place(f"{folder}{slash}{dated[1]}", dated[5], int(dated[2] + dated[3] + dated[4]))
    numbered = _NUMBERED.fullmatch(stem)
    return Place(f"{folder}{slash}{numbered[1]}", "", int(numbered[2])) if numbered else None
