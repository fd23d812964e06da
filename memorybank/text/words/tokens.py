"""The tokeniser that the index and the queries share, so that both are split by the same rules.

Text is normalised to NFKC and lower case, and Latin letters lose their accents. English words become Porter stems; identifiers are kept
complete and in parts (`parseConfigs` → parseconfig pars config); dates get one canonical form (`calendar_terms`). Runs of Chinese,
Japanese and Korean characters become overlapping bigrams and their last character (検索語 → 検索 索語 語), so that any two adjacent
characters are found without a dictionary, and a single one by prefix.

For speed, one regular expression finds the parts of a text, and each distinct word is processed once per process.
"""

from __future__ import annotations

__light__ = True

from unicodedata import normalize

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words import word_terms as words
from memorybank.text.words.word_terms import CJK_LETTER as CJK_LETTER
from memorybank.text.words.word_terms import FIRST_CJK as FIRST_CJK
from memorybank.text.words.word_terms import is_cjk as is_cjk
from memorybank.text.words.word_terms import pairs
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_DATE = r"\d(?<![\w-]\d)\d{3}-\d\d(?:-\d\d)?(?!\d|-\d)|--(?<![\w-]--)\d\d-\d\d(?!\d)"
PART = lazy_pattern(rf"{words.NAME_OR_RUN}|\n|{_DATE}|{words.OTHER_WORD}")
"""One part of a text: a word, an ISO date, a CJK run, or a line end."""
_NEXT_PART = lazy_pattern(rf"[ .,;:!?()*#>|=\[\]\"]*+(?:({PART.pattern})|[\s\S]|\Z)")
"""Matches a part and the signs before it, which are skipped in one step. The group is empty where no part follows them."""
_HANGUL = lazy_pattern("[\uac00-\ud7a3]+")
_DIGIT = lazy_pattern(words.DIGIT)
_CACHE_LIMIT = 100_000
_STRETCH = 1 << 18
"""Number of characters that are split into parts at a time."""
_BETWEEN_WORDS = "\n 。"
"""Where a text may be divided: no part contains these, apart from the line end, which is a part by itself."""


class TokenizedText(Value):
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
    parts = _parts(text)
    found = parts
    if _DIGIT.search(text):
        from memorybank.text.words import calendar_terms  # imported late: most searches contain no date

        dated = calendar_terms.with_canonical_forms(text, parts)
        found = parts if dated is None else _parts(dated)
    return TokenizedText(text, parts, " ".join(map(_token_string, found)))


def _parts(text: str) -> list[str]:
    """Return the parts of `text` in order. Equal parts of one stretch of a long text are one object, which takes a fifth of the memory."""
    if len(text) <= _STRETCH:
        return list(filter(None, _NEXT_PART.findall(text)))
    parts: list[str] = []
    for begin, end in stretches(text):
        found = list(filter(None, _NEXT_PART.findall(text, begin, end)))
        known = dict(zip(found, found, strict=True))
        parts += map(known.__getitem__, found)
    return parts


def stretches(text: str) -> Iterator[tuple[int, int]]:
    """Yield (begin, end) of stretches that together are the text, each of some 100 kB. No word or token begins in one and ends in the next."""
    begin = 0
    while begin < len(text):
        end, reach = len(text), _STRETCH
        while end == len(text) and begin + reach < len(text):
            places = [text.find(sign, begin + reach, begin + 2 * reach) for sign in _BETWEEN_WORDS]
            end = min((at + 1 for at in places if at >= 0), default=end)
            reach *= 2
        yield begin, end
        begin = end


def tokens(text: str) -> list[str]:
    """Return the tokens of `text` in order. No token contains white space, a quote or a control character."""
    return read(text).indexed.split()


def word_terms(word: str) -> tuple[str, ...]:
    """Return the tokens of one word or ISO date, not of a CJK run: first the complete word, then the parts of an identifier."""
    if (word[0].isdigit() and "-" in word) or word.startswith("--"):
        from memorybank.text.words import calendar_terms

        return calendar_terms.terms(word)
    return words.word_terms(word)


class _Cache(dict[str, str]):
    """Cache of a part as written → its tokens joined by spaces. CJK runs are not cached, because few of them occur twice."""

    def __missing__(self, part: str) -> str:
        if part[0] >= FIRST_CJK:
            return pairs(part)
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        if part.isalpha() and part.isascii() and (part.islower() or part[1:].islower()):
            found = self[part] = words.plain_term(part.lower())  # as `word_terms` does, for most words
        else:
            found = self[part] = "\n" if part == "\n" else " ".join(word_terms(part))
        return found


_token_string = _Cache().__getitem__


def fold(text: str) -> str:
    """NFKC-normalize and case-fold a text, so that ｱｸｾｽ matches アクセス and ß matches ss. Line ends are preserved.

    The index stores folded texts for literal search, and a search folds what it looks for in the same way.
    """
    return (text if text.isascii() else normalize("NFKC", text)).casefold()


def word_count(text: TokenizedText) -> int:
    """Return the number of words: those of scripts with spaces, plus one for each Chinese or Japanese character. Korean is written with spaces,
    so a run of Hangul counts once."""
    total = len(text.parts) - text.parts.count("\n")
    if not text.text.isascii():
        runs = [part for part in text.parts if part >= FIRST_CJK]
        total += len("".join(runs)) - len(runs) if _HANGUL.search(text.text) is None else sum(len(_HANGUL.sub("한", run)) - 1 for run in runs)
    return total
