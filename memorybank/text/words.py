"""Word counts for scripts with and without spaces: words of spaced scripts, plus one per Chinese or Japanese character."""

import re
from functools import cache

from memorybank.text.tokens import FIRST_CJK, TokenizedText, is_cjk, read

_FIRST_HANGUL = "\uac00"


@cache
def _hangul() -> re.Pattern[str]:
    """Compiled on first use, because it takes half a millisecond and most texts contain no Hangul."""
    return re.compile("[\uac00-\ud7a3]+")


def word_count(text: str) -> int:
    """Return the number of words in `text`, without markup characters."""
    return words_in(read(text))


def words_in(reading: TokenizedText) -> int:
    """Return the number of words of a text that is already tokenised. Korean is written with spaces, so a run of Hangul counts once."""
    total = len(reading.parts) - reading.parts.count("\n")
    if not reading.text.isascii():
        runs = [part for part in reading.parts if part >= FIRST_CJK and is_cjk(part)]
        total += sum(len(_hangul().sub("한", run) if max(run) >= _FIRST_HANGUL else run) - 1 for run in runs)
    return total
