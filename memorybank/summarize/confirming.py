"""Recognises a sentence that says that something has been done, and nothing but what was asked for: "The API reference has been updated."."""

from __future__ import annotations

__light__ = True

from memorybank.summarize.findings import changes
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.sentences import sentences
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


def only_says_done(text: str, asked: Container[str]) -> bool:
    """Return whether a text only says that what is asked for was done before. asked: terms of what is asked"""
    return all(only_confirms(sentence, asked) for sentence in sentences(text))


def only_confirms(sentence: str, about: Container[str]) -> bool:
    """Return whether a sentence says that something has been done, and nothing but what was asked for. about: terms of what was asked"""
    said = _ASIDE.sub("", sentence)
    bare = _DONE.sub("", said)
    return bare != said and not changes(sentence) and _names_nothing_else(bare, about)


def _names_nothing_else(bare: str, about: Container[str]) -> bool:
    terms = content_terms(bare)
    known = [term in about or share_of(term) > 0 or term in ASKING or term in ASKING_JAPANESE for term in terms]
    joins = (not term.isascii() and 0 < at < len(known) - 1 and known[at - 1] and known[at + 1] for at, term in enumerate(terms))
    return all(is_known or is_joint for is_known, is_joint in zip(known, joins, strict=True))  # コードレビュー is two words, and ドレ none
