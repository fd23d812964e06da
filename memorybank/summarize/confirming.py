"""Recognises a sentence that says that something has been done, and nothing but what was asked for: "The API reference has been updated."."""

from __future__ import annotations

__light__ = True

from memorybank.summarize.findings import changes, passes
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.sentences import sentences
from memorybank.text.words.compounds import parts_of, words_of
from memorybank.text.words.ordinary import share_of
from memorybank.text.words.terms import content_terms
from memorybank.text.words.word_terms import ASKING, ASKING_JAPANESE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

_ASIDE = lazy_pattern(r"\([^()\n]{0,120}\)|（[^（）\n]{0,120}）")
_DONE = lazy_pattern(
    r"\b(?:has|have) (?:now |also |already |just )?been (?:successfully |properly )?[a-z]+(?:ed|wn|lt|en)(?: successfully)?\W*$"
    r"|(?:[一-龥]{2}(?:し|され|いたし)|を[一-龥][ぁ-ん]{0,3})(?:ました|た)[。！]?$",
    "i",
)
"""Matches at the end of a sentence that something has been done."""


_FOLLOWS = lazy_pattern(
    r"\W*(?:(?:therefore|so|thus|hence|this means|as a result)\b|これにより|その(?:ため|結果)|したがって|従って|よって|つまり)(?!.*\d)", "i"
)
"""Matches the beginning of what follows from the sentence before, without a value."""


def says_nothing_new(text: str, asked: Container[str]) -> bool:
    """Return whether a text only says that what is asked for was done before, what was asked, or how work stood, and what follows from that. asked: terms of
    what is asked"""
    first, *others = sentences(text) or [""]
    return _only_reports(first, asked) and all(_only_reports(one, asked) or _FOLLOWS.match(one) is not None for one in others)


def _only_reports(sentence: str, asked: Container[str]) -> bool:
    return passes(sentence) or only_confirms(sentence, asked)


def only_confirms(sentence: str, about: Container[str]) -> bool:
    """Return whether a sentence says that something has been done, and nothing but what was asked for. about: terms of what was asked"""
    said = _ASIDE.sub("", sentence)
    bare = _DONE.sub("", said)
    if bare == said or changes(sentence):
        return False
    return all(term in about or share_of(term) or _asks(term) for word in words_of(content_terms(bare)) for term in parts_of(word))


def _asks(term: str) -> bool:
    return term in ASKING or term in ASKING_JAPANESE
