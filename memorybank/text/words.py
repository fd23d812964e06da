"""Counting words where not every script has spaces: Latin and other spaced words, plus one per Chinese or Japanese character."""

import re

from memorybank.text.tokens import FIRST_CJK, Reading, is_cjk, read

_HANGUL = re.compile("[\uac00-\ud7a3]+")


def word_count(text: str) -> int:
    """How many words `text` has; markup signs are none."""
    return words_in(read(text))


def words_in(reading: Reading) -> int:
    """The same for a text that is already read. Korean is written with spaces: a run of it counts once."""
    total = len(reading.parts) - reading.parts.count("\n")
    if not reading.text.isascii():
        total += sum(len(_HANGUL.sub("한", part)) - 1 for part in reading.parts if part >= FIRST_CJK and is_cjk(part))
    return total
