"""Counting words where not every script has spaces: Latin and other spaced words, plus one per Chinese or Japanese character."""

import re

from memorybank.text.tokens import Reading, is_cjk, read

_HANGUL = re.compile("[\uac00-\ud7a3]+")


def word_count(text: str) -> int:
    """How many words `text` has; markup signs are none."""
    return words_in(read(text))


def words_in(reading: Reading) -> int:
    """The same for a text that is already read. Korean is written with spaces: a run of it counts once."""
    total = 0
    for part in reading.parts:
        if part == "\n":
            continue
        total += len(_HANGUL.sub("한", part)) if is_cjk(part) else 1
    return total
