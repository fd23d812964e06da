"""Finds the keywords of one note: the words that say what it is about, in readable form and with the lines where they occur.

Words are counted by stem, so that "note" and "notes" are one keyword, shown in the form the note uses most. An identifier counts
as one word; Japanese is counted by runs of kanji and of katakana. The result depends on the note alone, never on other notes.
"""

from __future__ import annotations

__light__ = True

from memorybank.text import tokens
from memorybank.text.pattern import lazy_pattern
from memorybank.text.tokens import TokenizedText
from memorybank.text.word_terms import ENGLISH, JAPANESE, is_digest, whole_term
from memorybank.values import NamedTuple, counted, lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memorybank.config.index import KeywordOptions

_BEFORE = 24
_CACHE_LIMIT = 400_000
_BOOST = 1.5
_TITLE_WEIGHT = 2.0
_HEADING_WEIGHT = 1.5
_KANJI, _KATAKANA, _HANGUL = "\u3400-\u4dbf\u4e00-\u9fff\u3005\u30f6\U00020000-\U000323af", "\u30a1-\u30fa\u30fc", "\uac00-\ud7a3"
_DISPLAYED_RUN = lazy_pattern(f"[{_KANJI}{_KATAKANA}{_HANGUL}](?:(?<=[{_KANJI}])[{_KANJI}]+|(?<=[{_KATAKANA}])[{_KATAKANA}]+|(?<=[{_HANGUL}])[{_HANGUL}]+)")
"""Matches two or more kanji, katakana or Hangul characters. A search skips to the next one, because the pattern begins with a set of all of them."""


class Keyword(NamedTuple):
    """A keyword of a note.

    word: the word in lower case, as displayed
    occurrences: number of occurrences in the body, at least 1
    snippets: lines with the word, in number and length as the settings allow (3 of 80 characters)
    """

    word: str
    occurrences: int
    snippets: tuple[str, ...]


def extract(title: TokenizedText, headings: TokenizedText, tags: TokenizedText, body: TokenizedText, settings: KeywordOptions) -> list[Keyword]:
    """Return the keywords of texts that are already split into parts.

    A word qualifies when it occurs `min_frequency` times in the body, or in the title, a heading or a tag. Its weight is the number
    of occurrences × 1.5 for a boost word × 2 for a word of the title or 1.5 for one of a heading or tag. Equal weights are ordered
    by the word, so that the result depends on nothing else.
    """
    grouping = _grouping(settings.stop_words)
    boosted = _lowered(settings.weight_boost_keywords)
    forms = _forms(body, grouping)
    raised: dict[str, float] = {}
    for reading, factor in ((headings, _HEADING_WEIGHT), (tags, _HEADING_WEIGHT), (title, _TITLE_WEIGHT)):
        for group, found in _forms(reading, grouping).items():
            raised[group] = factor
            forms.setdefault(group, dict.fromkeys(found, 0))
    ranked = []
    least = settings.min_frequency
    for group, counts in forms.items():
        occurrences = sum(counts.values())
        # A word of the title or a heading is a keyword even if the body does not contain it.
        if occurrences >= least or group in raised:
            word = max(counts, key=lambda form: (counts[form], form.islower(), form)).lower()
            weight = max(1, occurrences) * raised.get(group, 1.0) * (_BOOST if word in boosted else 1.0)
            ranked.append((-weight, word, max(1, occurrences), counts))
    ranked.sort(key=lambda entry: entry[:2])
    chosen = ranked[: settings.max_keywords_per_file]
    return [Keyword(word, occurrences, _snippets(body.text, counts, settings)) for _, word, occurrences, counts in chosen]


def _forms(reading: TokenizedText, grouping: _Grouping) -> dict[str, dict[str, int]]:
    """Map each group (stem, identifier or CJK run) to its written forms and how often each occurs."""
    groups: dict[str, dict[str, int]] = {}
    for part, count in counted(reading.parts).items():
        found = grouping[part] if part < tokens.FIRST_CJK else None
        if found is not None:
            group, form = found
            forms = groups.get(group)
            if forms is None:
                groups[group] = {form: count}
            else:
                forms[form] = forms.get(form, 0) + count
    if not reading.text.isascii():
        for run, count in counted(_DISPLAYED_RUN.findall(reading.text)).items():
            if run not in JAPANESE and run not in grouping.stop_words:
                groups[run] = {run: count}
    return groups


class _Grouping(dict[str, tuple[str, str] | None]):
    """Cache of a part as written → (group, form without its genitive); None for function words, numbers and the like."""

    def __init__(self, stop_words: tuple[str, ...]) -> None:
        super().__init__()
        self.stop_words = _lowered(stop_words)

    def __missing__(self, part: str) -> tuple[str, str] | None:
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        found = self[part] = self._group(part)
        return found

    def _group(self, part: str) -> tuple[str, str] | None:
        if part[0].isdigit() or is_digest(part):
            return None
        form = (part if part.isascii() else part.replace("’", "'")).partition("'")[0].strip("_")
        lowered = form.lower()
        if len(form) < 2 or not form[0].isalpha() or lowered in ENGLISH or lowered in self.stop_words:
            return None
        return whole_term(form), form


_grouping = lru_cache(maxsize=4)(_Grouping)


@lru_cache(maxsize=8)
def _lowered(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word.lower() for word in words)


def _snippets(text: str, forms: Iterable[str], settings: KeywordOptions) -> tuple[str, ...]:
    """Return the lines in which the forms of a keyword first occur, cut around the word; different lines only, in order."""
    most, longest = settings.snippets_per_file, settings.snippet_characters
    found: dict[int, str] = {}
    for form in forms:
        at = -1
        for _ in range(most):
            at = _next_word(text, form, at + 1)
            if at < 0:
                break
            line = text.rfind("\n", 0, at) + 1
            found.setdefault(line, _cut(text, line, at, longest))
            at = text.find("\n", at)
            if at < 0:
                break
    ordered: Sequence[int] = sorted(found)
    return tuple(dict.fromkeys(found[line] for line in ordered[:most]))


def _next_word(text: str, form: str, start: int) -> int:
    """Return the next offset at which `form` occurs as a complete word; inside a CJK run every occurrence counts."""
    spaced = form[0] < tokens.FIRST_CJK
    while (at := text.find(form, start)) >= 0 and spaced:
        end = at + len(form)
        if not ((at and _continues(text[at - 1])) or (end < len(text) and _continues(text[end]))):
            break
        start = end
    return at


def _continues(sign: str) -> bool:
    return sign < tokens.FIRST_CJK and (sign == "_" or sign.isalnum())


def _cut(text: str, line: int, at: int, longest: int) -> str:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    start = max(line, min(at - _BEFORE, end - longest))
    snippet = text[start : min(end, start + longest)]
    return " ".join((snippet.lstrip("#>*+- \t") if start == line else snippet).split())
