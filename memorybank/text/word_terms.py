"""The terms of one word: a stem, an identifier complete and in parts, the plain form of a word with accents.

Both tokenisers split texts into words and call this module for each: `text.tokens` for notes, `text.terms` for prompts and commands.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.character_forms import one_form
from memorybank.text.pattern import lazy_pattern
from memorybank.text.stem import stem

FIRST_CJK = "\u3005"
"""The first character (々) of the scripts that have no spaces between words, or do not need them: kana, Chinese characters, Hangul, Yi …"""
CJK_LETTER = r"[^\W\x00-\u3004]"
"""One CJK letter in a regular expression. Two plain ranges, because a set of all the blocks would take 10 ms to compile."""
LANGUAGES = ("C++", "c++", "C#", "c#", "F#", "f#")
NAME_OR_RUN = rf"(?:[Cc]\+\+|[CcFf]#)(?![\w+#])|[A-Za-z][A-Za-z0-9_]*+(?!['\u0080-\u3004])|{CJK_LETTER}+"
"""C++, C# or F#, a name or word in ASCII letters, or a CJK run: most parts of a text."""
OTHER_WORD = r"(?:(?=[\x00-\u3004])\w|(?<=\w)['’](?=[\x00-\u3004])(?=\w))+|[\U0001f300-\U0001faff]"
"""Any other word of a script with spaces, also with apostrophes; or an emoji."""
LONGEST_WORD = 64
"""Maximum length of a term. Longer words (digests, base64) are indexed and searched by their first characters."""

_SHORTEST_DIGEST = 16
_HEXADECIMAL = "0123456789abcdefABCDEF"
_CONTRACTED = frozenset(("s", "t", "d", "m", "re", "ve", "ll"))
_CACHE_LIMIT = 100_000
_ORDINALS = ("st", "nd", "rd", "th")
_PART_OF_NAME = lazy_pattern("[0-9]+|[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""A part of an ASCII identifier: `parseHTTPConfigs2_v1` is parse HTTP Configs 2 v 1. A plural such as `URLs` stays one part."""


class _Stems(dict[str, str]):
    """Cache of a word → its stem. Parts of identifiers and words in two spellings occur again and again."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        found = self[word] = stem(word)
        return found


_stems = _Stems()


def is_cjk(part: str) -> bool:
    """Return whether a part of a text is a run of Chinese, Japanese or Korean characters."""
    return part[0] >= FIRST_CJK


def pairs(run: str) -> str:
    """Return a CJK run as overlapping bigrams and its last character, joined by spaces: 検索語 → `検索 索語 語`."""
    run = one_form(run)
    return " ".join([run[at : at + 2] for at in range(len(run))])


def word_terms(word: str) -> tuple[str, ...]:
    """Return the terms of one word that is neither a CJK run nor a date: first the complete word, then the parts of an identifier."""
    if word[-1] in "+#":
        return word.lower(), word[0].lower()
    if "'" in word or "’" in word:
        return _apostrophe_terms(word.replace("’", "'").split("'"))
    if word.isascii() and word.isalpha() and (word.islower() or word[1:].islower()):
        return (_stems[word.lower()][:LONGEST_WORD],)
    if word.isdecimal() and word.isascii():
        return (word[:LONGEST_WORD],)
    return _identifier_terms(word)


def _apostrophe_terms(pieces: list[str]) -> tuple[str, ...]:
    """Return the terms of a word with apostrophes: melani for `Melanie's`, don for `don't`, o and brien for `O'Brien`."""
    if len(pieces) > 1 and pieces[-1].lower() in _CONTRACTED:
        del pieces[-1]
    return tuple(term for piece in pieces if piece for term in word_terms(piece))


def whole_term(word: str) -> str:
    """Return the first term of a word without apostrophes, which stands for the complete word; "" for underscores alone."""
    whole = _plain(word).strip("_")
    if whole.isalpha():
        return (_stems[whole] if whole.isascii() else whole)[:LONGEST_WORD]
    if whole[-2:] in _ORDINALS and whole[:-2].isdecimal():
        return whole[:-2]
    return whole[:LONGEST_WORD]


def is_digest(word: str) -> bool:
    """Return whether a word is a digest in hexadecimal digits (64 bits or more). The letters between its digits mean nothing."""
    return len(word) >= _SHORTEST_DIGEST and not word.strip(_HEXADECIMAL) and not word.isalpha()


def _identifier_terms(word: str) -> tuple[str, ...]:
    if len(word) >= _SHORTEST_DIGEST and is_digest(word):
        return (word.lower()[:LONGEST_WORD],)
    whole = whole_term(word)
    if not whole or whole.isdecimal() or not word.isascii():
        return (whole,) if whole else ()
    pieces = _PART_OF_NAME.findall(word)
    if len(pieces) < 2:
        return (whole,)
    found = {whole: None}
    for piece in pieces:
        if len(piece) > 1:
            # A number is its own stem.
            found[(piece if piece[0] <= "9" else _stems[piece.lower()])[:LONGEST_WORD]] = None
    return tuple(found)


def _plain(word: str) -> str:
    """Return the word in lower case. Accents are dropped if every letter is Latin (`Café` → cafe); in other scripts they make different letters."""
    lowered = word.lower()
    if lowered.isascii():
        return lowered
    lowered = lowered.replace("ß", "ss")
    if lowered.isascii() or max(lowered) > "\u1eff" or any("\u0250" <= sign < "\u1e00" for sign in lowered):
        return lowered
    from unicodedata import combining, normalize  # imported late: a library of a megabyte, needed only for letters with accents

    return "".join(sign for sign in normalize("NFKD", lowered) if not combining(sign))
