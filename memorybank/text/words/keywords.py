"""Finds the keywords of one note: the words that say what it is about, in readable form and with the lines where they occur.

Words are counted by stem, so that "note" and "notes" are one keyword, shown in the form the note uses most. An identifier counts
as one word; Japanese is counted by runs of kanji and of katakana. The result depends on the note alone, never on other notes.
"""

from __future__ import annotations

__light__ = True

from _operator import itemgetter

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words import tokens
from memorybank.text.words.tokens import TokenizedText
from memorybank.text.words.word_terms import ENGLISH, JAPANESE, is_digest, plain_term, whole_term
from memorybank.values import NamedTuple, counted, lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from memorybank.config.index import KeywordOptions

_BEFORE = 24
_CACHE_LIMIT = 100_000
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
    raised: dict[str, float] = {}
    elsewhere: dict[str, dict[str, int]] = {}
    for reading, factor in ((headings, _HEADING_WEIGHT), (tags, _HEADING_WEIGHT), (title, _TITLE_WEIGHT)):
        for group, found in _forms(reading, grouping, 1, ()).items():
            raised[group] = factor
            elsewhere.setdefault(group, dict.fromkeys(found, 0))
    ranked = []
    # A word of the title or a heading is a keyword even if the body does not contain it.
    for group, counts in {**elsewhere, **_forms(body, grouping, settings.min_frequency, raised)}.items():
        occurrences = max(1, sum(counts.values()))
        word = (next(iter(counts)) if len(counts) == 1 else max(counts, key=lambda form: (counts[form], form.islower(), form))).lower()
        ranked.append((-occurrences * raised.get(group, 1.0) * (_BOOST if word in boosted else 1.0), word, occurrences, counts))
    ranked.sort(key=itemgetter(0, 1))
    chosen = ranked[: settings.max_keywords_per_file]
    return [Keyword(word, occurrences, _snippets(body.text, counts, settings)) for _, word, occurrences, counts in chosen]


def _forms(reading: TokenizedText, grouping: _Grouping, least: int, raised: Container[str]) -> dict[str, dict[str, int]]:
    """Map groups (stem, identifier or CJK run) to their written forms and how often each occurs.

    least, raised: the groups that occur this often, and these, are included. Most words of a note occur once, so groups are counted first.
    """
    text, parts = reading.text, reading.parts
    if not text.isascii():
        parts = [part for part in parts if part < tokens.FIRST_CJK]
    of_parts = list(map(grouping.__getitem__, parts))
    groups: dict[str, dict[str, int]] = {group: {} for group, count in counted(of_parts).items() if (count >= least or group in raised) and group}
    for part, count in counted([part for part, group in zip(parts, of_parts, strict=True) if group in groups]).items():
        form, forms = _form(part), groups[grouping[part]]
        forms[form] = forms.get(form, 0) + count
    if not text.isascii():
        for run, count in counted(_DISPLAYED_RUN.findall(text)).items():
            if (count >= least or run in raised) and run not in JAPANESE and run not in grouping.stop_words:
                groups[run] = {run: count}
    return groups


def _form(part: str) -> str:
    """Return a part without its genitive, as it is displayed."""
    return (part if part.isascii() else part.replace("’", "'")).partition("'")[0].strip("_")


class _Grouping(dict[str, str]):
    """Cache of a part as written → its group; "" for function words, numbers and the like."""

    def __init__(self, stop_words: tuple[str, ...]) -> None:
        super().__init__()
        self.stop_words = _lowered(stop_words)

    def __missing__(self, part: str) -> str:
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        found = self[part] = self._group(part)
        return found

    def _group(self, part: str) -> str:
        if part[0].isdigit() or is_digest(part):
            return ""
        form = part if part.isalpha() else _form(part)
        lowered = form.lower()
        if form.isascii() and form.isalpha() and len(form) > 1:
            return "" if lowered in ENGLISH or lowered in self.stop_words else plain_term(lowered)
        if len(form) < 2 or not form[0].isalpha() or lowered in ENGLISH or lowered in self.stop_words:
            return ""
        return whole_term(form)


_grouping = lru_cache(maxsize=4)(_Grouping)


@lru_cache(maxsize=8)
def _lowered(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word.lower() for word in words)


def _snippets(text: str, forms: Iterable[str], settings: KeywordOptions) -> tuple[str, ...]:
    """Return the lines in which the forms of a keyword first occur, cut around the word; different lines only, in order.

    A form occurs as a complete word; inside a CJK run every occurrence counts.
    """
    most, longest = settings.snippets_per_file, settings.snippet_characters
    found: dict[int, str] = {}
    for form in forms:
        spaced, size, missing = form[0] < tokens.FIRST_CJK, len(form), most
        at = text.find(form) if most else -1
        while at >= 0:
            past = at + size
            if spaced and (_continues(text[at - 1 : at]) or _continues(text[past : past + 1])):
                at = text.find(form, past)
                continue
            line, end = text.rfind("\n", 0, at) + 1, text.find("\n", past)
            if line not in found:
                found[line] = _cut(text, line, len(text) if end < 0 else end, at, longest)
            missing -= 1
            at = text.find(form, end) if missing and end >= 0 else -1
    ordered: Sequence[int] = sorted(found)
    return tuple(dict.fromkeys([found[line] for line in ordered[:most]]))


def _continues(sign: str) -> bool:
    """Return whether a word goes on with a sign, which is empty at both ends of a text."""
    return sign < tokens.FIRST_CJK and (sign == "_" or sign.isalnum())


def _cut(text: str, line: int, end: int, at: int, longest: int) -> str:
    """Return the part around `at` of the line from `line` to `end`."""
    start = max(line, min(at - _BEFORE, end - longest))
    snippet = text[start : min(end, start + longest)]
    return " ".join((snippet.lstrip("#>*+- \t") if start == line else snippet).split())
