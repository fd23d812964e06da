"""In which script a sign or a sentence is written."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

_KATAKANA = lazy_pattern("[ァ-ヺー]{3,}")
_LATIN_A_SIGN = 3
"""Maximum number of Latin letters for each kanji of a Japanese sentence without kana."""


def has_kana(text: str) -> bool:
    """Return whether a text contains hiragana or katakana, as every Japanese sentence does. A name may contain kanji in any language."""
    return not text.isascii() and any("ぁ" <= sign <= "ヿ" for sign in text)


def is_japanese(sentence: str) -> bool:
    """Return whether a sentence contains kana, or mostly kanji. The name of a file may contain some kanji."""
    if sentence.isascii() or has_kana(sentence):
        return not sentence.isascii()
    signs = sum(map(is_kanji, sentence))
    return signs * _LATIN_A_SIGN >= sum(sign.isascii() and sign.isalpha() for sign in sentence) and signs > 0


def is_kanji(sign: str) -> bool:
    """Return whether a sign is a Chinese character; "" is none."""
    return "\u4e00" <= sign <= "\u9fff"


def parts_of_other_words(terms: Collection[str], one: str, other: str) -> set[str]:
    """Return the terms of two texts that are parts of katakana words which only one of them contains: `ント`, of ステートメント and ドキュメント."""
    words, others = set(_KATAKANA.findall(one)), set(_KATAKANA.findall(other))
    common, apart = " ".join(words & others), " ".join(words ^ others)
    return {term for term in terms if term in apart and term not in common}
