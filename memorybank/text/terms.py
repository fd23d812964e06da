"""The terms of a short text: what `text.tokens` makes of it, without regular expressions, whose import a hook cannot pay.

Equal to `tokens.tokens` wherever no date stands in the text (a property test holds them together). Dates are not made
canonical here: `2025-09-17` is 2025, 09 and 17, which note texts hold too.
Light imports only: hooks load this file.
"""

from __future__ import annotations

from unicodedata import normalize

from memorybank.text.function_words import ENGLISH, JAPANESE
from memorybank.text.stem import stem
from memorybank.text.word_terms import FIRST_CJK, pairs, word_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_APOSTROPHES = ("'", "’")
_STOP_TERMS = frozenset((*ENGLISH, *(stem(word) for word in ENGLISH if word.isalpha())))
_PARTICLES = frozenset("のをにへとがはもでやかすさし")
_known: dict[str, tuple[str, ...]] = {}


def terms(text: str) -> list[str]:
    """The terms of `text` in order; none holds white space, a quote or a control character."""
    found: list[str] = []
    for part in parts(text):
        if part[0] >= FIRST_CJK:
            found += pairs(part).split()
        else:
            known = _known.get(part)
            if known is None:
                known = _known[part] = word_terms(part)
            found += known
    return found


def content_terms(text: str) -> list[str]:
    """The different terms of `text` that say what it is about, in order: no English function words, no Japanese grammar (what
    begins in hiragana, or ends in a particle or a form of する), none of the words of the stop lists, no single signs."""
    found: dict[str, None] = {}
    for part in parts(text):
        if part[0] >= FIRST_CJK:
            found.update((pair, None) for pair in pairs(part).split() if len(pair) > 1 and pair not in JAPANESE and not _is_grammar(pair))
        else:
            found.update((term, None) for term in word_terms(part) if len(term) > 1 and term not in _STOP_TERMS)
    return list(found)


def _is_grammar(pair: str) -> bool:
    return "\u3041" <= pair[0] <= "\u309f" or pair[1] in _PARTICLES


def parts(text: str) -> Iterator[str]:
    """The words and CJK runs of `text` as written, in order."""
    if not text.isascii():
        text = normalize("NFKC", text)
    at, size = 0, len(text)
    while at < size:
        sign = text[at]
        if not _is_word(sign):
            if sign in _APOSTROPHES and at and _is_word(text[at - 1]) and _is_spaced(text[at + 1 : at + 2]):
                end = _end_of_spaced(text, at)
                yield text[at:end]
                at = end
            else:
                at += 1
            continue
        end = _end_of_run(text, at) if sign >= FIRST_CJK else _end_of_spaced(text, at)
        yield text[at:end]
        at = end


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _is_spaced(sign: str) -> bool:
    return sign != "" and sign < FIRST_CJK and _is_word(sign)


def _end_of_run(text: str, at: int) -> int:
    while at < len(text) and text[at] >= FIRST_CJK and _is_word(text[at]):
        at += 1
    return at


def _end_of_spaced(text: str, at: int) -> int:
    """The end of a word of a script with spaces; apostrophes inside belong to it."""
    size = len(text)
    while at < size and (_is_spaced(text[at]) or (text[at] in _APOSTROPHES and _is_word(text[at - 1]) and _is_spaced(text[at + 1 : at + 2]))):
        at += 1
    return at
