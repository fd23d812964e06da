"""The tokeniser that the index and the queries share, so that both are split by the same rules.

Text is normalised to NFKC and lower case, and Latin letters lose their accents. English words become Porter stems; identifiers are kept
complete and in parts (`parseConfigs` → parseconfig pars config); dates get one canonical form (`calendar_terms`). Runs of Chinese,
Japanese and Korean characters become overlapping bigrams and their last character (検索語 → 検索 索語 語), so that any two adjacent
characters are found without a dictionary, and a single one by prefix.

For speed, one regular expression finds the parts of a text, and each distinct word is processed once per process.
"""

import re
from typing import NamedTuple
from unicodedata import normalize

from memorybank.text import word_terms as words
from memorybank.text.word_terms import FIRST_CJK as FIRST_CJK
from memorybank.text.word_terms import is_cjk as is_cjk
from memorybank.text.word_terms import pairs

CJK_LETTER = r"[^\W\x00-\u3004]"
"""One CJK letter in a regular expression. Two plain ranges, because a set of all the blocks would take 10 ms to compile."""

_SPACED_WORD = r"(?:(?=[\x00-\u3004])\w|(?<=\w)['’](?=[\x00-\u3004])(?=\w))+"
_DATE = r"\d(?<![\w-]\d)\d{3}-\d\d(?:-\d\d)?(?!\d|-\d)|--(?<![\w-]--)\d\d-\d\d(?!\d)"
PART = re.compile(rf"[A-Za-z][A-Za-z0-9_]*+(?!['\u0080-\u3004])|{CJK_LETTER}+|\n|{_DATE}|{_SPACED_WORD}")
"""One part of a text: a word, an ISO date, a CJK run, or a line end."""
_DIGIT = re.compile(r"\d")
_CACHE_LIMIT = 400_000


class TokenizedText(NamedTuple):
    """One text, tokenised once for full-text search, keywords, language and word count.

    text: its NFKC form
    parts: its words and CJK runs as written, in order, with "\\n" for each line end
    indexed: its tokens joined by spaces, with line ends as "\\n" tokens (which FTS5 skips)
    """

    text: str
    parts: list[str]
    indexed: str


def read(text: str) -> TokenizedText:
    """Tokenise `text` once for all its uses."""
    if not text.isascii():
        text = normalize("NFKC", text)
    parts = PART.findall(text)
    dated = _dated(text, parts) if _DIGIT.search(text) else None
    found = parts if dated is None else PART.findall(dated)
    return TokenizedText(text, parts, " ".join(map(_token_string, found)))


def _dated(text: str, parts: list[str]) -> str | None:
    from memorybank.text import calendar_terms

    return calendar_terms.marked(text, parts)


def tokens(text: str) -> list[str]:
    """Return the tokens of `text` in order. No token contains white space, a quote or a control character."""
    return read(text).indexed.split()


def word_terms(word: str) -> tuple[str, ...]:
    """Return the tokens of one word or ISO date, not of a CJK run: first the complete word, then the parts of an identifier."""
    if (word[0].isdigit() and "-" in word) or word.startswith("--"):
        from memorybank.text import calendar_terms

        return calendar_terms.terms(word)
    return words.word_terms(word)


class _Cache(dict[str, str]):
    """Cache of a part as written → its tokens joined by spaces. CJK runs are not cached, because few of them occur twice."""

    def __missing__(self, part: str) -> str:
        if is_cjk(part):
            return pairs(part)
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        found = self[part] = "\n" if part == "\n" else " ".join(word_terms(part))
        return found


_token_string = _Cache().__getitem__
