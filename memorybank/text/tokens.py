"""The one tokeniser: what the index stores and what a query asks are cut by the same rules.

NFKC, lower case, accents of Latin letters dropped; English words as Porter stems; identifiers whole and in their parts
(`parseConfigs` → parseconfig pars config); dates in one canonical form (`calendar_terms`); runs of Chinese, Japanese and
Korean characters as overlapping pairs and their last character (検索語 → 検索 索語 語), so that any two characters in a row
are found without a dictionary, and a single one by prefix.

Speed: one regular expression finds the parts of a text, and each distinct word is worked on once in a process.
"""

import re
from operator import add
from typing import NamedTuple
from unicodedata import combining, normalize

from memorybank.text.stem import stem

FIRST_CJK = "\u3005"
"""Letters from here on (々, kana, Chinese characters, Hangul, Yi …) are written without spaces between words, or may be."""
CJK_LETTER = r"[^\W\x00-\u3004]"
"""One such letter, for regular expressions. Two plain ranges: a set of all the blocks would take 10 ms to compile."""
LONGEST_WORD = 64
"""Longer words (digests, base64) are indexed and asked by their first characters."""

_SPACED_WORD = r"(?:(?=[\x00-\u3004])\w|(?<=\w)['’](?=[\x00-\u3004])(?=\w))+"
_DATE = r"\d(?<![\w-]\d)\d{3}-\d\d(?:-\d\d)?(?!\d|-\d)|--(?<![\w-]--)\d\d-\d\d(?!\d)"
PART = re.compile(rf"[A-Za-z][A-Za-z0-9_]*+(?!['\u0080-\u3004])|{CJK_LETTER}+|\n|{_DATE}|{_SPACED_WORD}")
"""One part of a text: a word, an ISO date, a CJK run, or a line end."""
_PARTS_OF_NAME = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d+")
_DIGIT = re.compile(r"\d")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_CONTRACTED = frozenset(("s", "t", "d", "m", "re", "ve", "ll"))
_CACHE_LIMIT = 400_000


class Reading(NamedTuple):
    """One text, read once: full text, keywords, language and word count are all taken from it.

    text: NFKC form; parts: its words and CJK runs as written, in order, with "\\n" for each line end;
    indexed: its tokens joined by spaces, line ends kept as "\\n" tokens (which FTS5 skips).
    """

    text: str
    parts: list[str]
    indexed: str


def read(text: str) -> Reading:
    """Tokenise `text` once for every use of it."""
    if not text.isascii():
        text = normalize("NFKC", text)
    parts = PART.findall(text)
    dated = _dated(text, parts) if _DIGIT.search(text) else None
    found = parts if dated is None else PART.findall(dated)
    return Reading(text, parts, " ".join(map(_token_string, found)))


def _dated(text: str, parts: list[str]) -> str | None:
    from memorybank.text import calendar_terms

    return calendar_terms.marked(text, parts)


def tokens(text: str) -> list[str]:
    """The tokens of `text` in order; no token holds white space, a quote or a control character."""
    return read(text).indexed.split()


def is_cjk(part: str) -> bool:
    """Whether a part of a Reading is a run of Chinese, Japanese or Korean characters."""
    return part[0] >= FIRST_CJK


def word_terms(word: str) -> tuple[str, ...]:
    """The tokens of one word that is no CJK run: the whole first, then, for an identifier, its parts."""
    if (word[0].isdigit() and "-" in word) or word.startswith("--"):
        from memorybank.text import calendar_terms

        return calendar_terms.terms(word)
    if "'" in word or "’" in word:
        return _apostrophe_terms(re.split("['’]", word))
    if word.isascii() and word.isalpha() and (word.islower() or word[1:].islower()):
        return (stem(word.lower())[:LONGEST_WORD],)
    return _identifier_terms(word)


class _Cache(dict[str, str]):
    """Part as written → its tokens joined by spaces. CJK runs are cut at once: few of them come twice."""

    def __missing__(self, part: str) -> str:
        if is_cjk(part):
            return " ".join((*map(add, part, part[1:]), part[-1]))
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        found = self[part] = "\n" if part == "\n" else " ".join(word_terms(part))
        return found


_token_string = _Cache().__getitem__


def _apostrophe_terms(pieces: list[str]) -> tuple[str, ...]:
    """`Melanie's` and `don't` are melani and don; `O'Brien` is o and brien."""
    if len(pieces) > 1 and pieces[-1].lower() in _CONTRACTED:
        del pieces[-1]
    return tuple(term for piece in pieces if piece for term in word_terms(piece))


def _identifier_terms(word: str) -> tuple[str, ...]:
    whole = _plain(word).strip("_")
    if not whole or _ORDINAL.fullmatch(whole):
        return (whole[:-2],) if whole else ()
    if not word.isascii():
        return ((stem(whole) if whole.isascii() and whole.isalpha() else whole)[:LONGEST_WORD],)
    pieces = _PARTS_OF_NAME.findall(word)
    if len(pieces) < 2:
        return ((stem(whole) if whole.isalpha() else whole)[:LONGEST_WORD],)
    parts = (stem(piece.lower()) for piece in pieces if len(piece) > 1)
    return tuple(dict.fromkeys(term[:LONGEST_WORD] for term in (stem(whole) if whole.isalpha() else whole, *parts)))


def _plain(word: str) -> str:
    """Lower case; accents dropped when every letter is Latin (`Café` → cafe), kept elsewhere, where they make other letters."""
    lowered = word.lower()
    if lowered.isascii() or max(lowered) > "\u1eff" or any("\u0250" <= sign < "\u1e00" for sign in lowered):
        return lowered
    return "".join(sign for sign in normalize("NFKD", lowered) if not combining(sign))
