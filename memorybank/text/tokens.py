"""The one tokeniser: what the index stores and what a query asks are cut by the same rules.

NFKC, lower case, accents of Latin letters dropped; English words as Porter stems; identifiers whole and in their parts
(`parseConfigs` → parseconfig pars config); dates in one canonical form (`calendar_terms`); runs of Chinese, Japanese and
Korean characters as overlapping pairs and their last character (検索語 → 検索 索語 語), so that any two characters in a row
are found without a dictionary, and a single one by prefix.

Speed: one regular expression finds the parts of a text, and each distinct word is worked on once in a process.
"""

import re
from typing import NamedTuple
from unicodedata import normalize

from memorybank.text import word_terms as words
from memorybank.text.word_terms import FIRST_CJK as FIRST_CJK
from memorybank.text.word_terms import is_cjk as is_cjk
from memorybank.text.word_terms import pairs

CJK_LETTER = r"[^\W\x00-\u3004]"
"""One such letter, for regular expressions. Two plain ranges: a set of all the blocks would take 10 ms to compile."""

_SPACED_WORD = r"(?:(?=[\x00-\u3004])\w|(?<=\w)['’](?=[\x00-\u3004])(?=\w))+"
_DATE = r"\d(?<![\w-]\d)\d{3}-\d\d(?:-\d\d)?(?!\d|-\d)|--(?<![\w-]--)\d\d-\d\d(?!\d)"
PART = re.compile(rf"[A-Za-z][A-Za-z0-9_]*+(?!['\u0080-\u3004])|{CJK_LETTER}+|\n|{_DATE}|{_SPACED_WORD}")
"""One part of a text: a word, an ISO date, a CJK run, or a line end."""
_DIGIT = re.compile(r"\d")
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


def word_terms(word: str) -> tuple[str, ...]:
    """The tokens of one word or ISO date that is no CJK run: the whole first, then, for an identifier, its parts."""
    if (word[0].isdigit() and "-" in word) or word.startswith("--"):
        from memorybank.text import calendar_terms

        return calendar_terms.terms(word)
    return words.word_terms(word)


class _Cache(dict[str, str]):
    """Part as written → its tokens joined by spaces. CJK runs are cut at once: few of them come twice."""

    def __missing__(self, part: str) -> str:
        if is_cjk(part):
            return pairs(part)
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        found = self[part] = "\n" if part == "\n" else " ".join(word_terms(part))
        return found


_token_string = _Cache().__getitem__
