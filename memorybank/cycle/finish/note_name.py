"""The words in the name of a learned note's file: the first of what it says, as they are written."""

from __future__ import annotations

import re

from memorybank.notes.create import slug as slug_of

_SLUG_BYTES = 40
_PHRASE_END = re.compile("[\u3041-\u309f][^\u3041-\u309f]")
"""The end of a phrase in Japanese: after a particle or an ending in Hiragana, before what is written in other letters."""


def of(text: str) -> str:
    """Return the first words of a text, as they are written, for the name of a file. It ends with a word; in Japanese, which has no spaces, with a phrase.

    Without numbers: they change first, and a note keeps its name.
    """
    slug = "-".join(word for word in slug_of(text).split("-") if not word.isdecimal()) or "note"
    if len(slug.encode()) <= _SLUG_BYTES:
        return slug
    cut = slug.encode()[:_SLUG_BYTES].decode(errors="ignore")
    ends = [end for end in range(len(cut) - 1, 0, -1) if cut[end] == "-" or _PHRASE_END.match(slug, end - 1)]
    name = cut[: ends[0]] if ends else cut
    begin, _, last = name.rpartition("-")
    return begin if begin and len(last) == 1 else name  # a particle alone
