"""The keywords of one note: what it is about, as words a person would read, with where they stand.

Counting is by stem, so that "note" and "notes" are one keyword, shown in the form the note uses most; an identifier counts
as a whole; Japanese counts by runs of kanji and of katakana. A pure function of the note alone: another note never changes
it.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from memorybank.text import tokens
from memorybank.text.function_words import ENGLISH, JAPANESE
from memorybank.text.tokens import Reading

SNIPPETS = 3
SNIPPET_CHARACTERS = 80
_BEFORE = 24
_DISPLAY_RUN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\u3005\u30f6\U00020000-\U000323af]{2,}|[\u30a1-\u30fa\u30fc]{2,}|[\uac00-\ud7a3]{2,}")
_BOOST = 1.5
_TITLE_WEIGHT = 2.0
_HEADING_WEIGHT = 1.5


class KeywordSettings(Protocol):
    """The part of the index settings that extraction reads (`keyword_extraction` and `stop_words` of index_config.json)."""

    @property
    def min_frequency(self) -> int: ...
    @property
    def max_keywords_per_file(self) -> int: ...
    @property
    def weight_boost_keywords(self) -> Collection[str]: ...
    @property
    def stop_words(self) -> Collection[str]: ...


@dataclass(frozen=True, slots=True)
class Keyword:
    """word: lower case, as displayed; occurrences: in the body, at least 1; snippets: up to 3 of ≤ 80 characters."""

    word: str
    occurrences: int
    snippets: tuple[str, ...]


def keywords(title: str, headings: Iterable[str], tags: Iterable[str], body: str, settings: KeywordSettings) -> list[Keyword]:
    """The keywords of a note, most telling first."""
    return extract(tokens.read(title), tokens.read("\n".join(headings)), tokens.read("\n".join(tags)), tokens.read(body), settings)


def extract(title: Reading, headings: Reading, tags: Reading, body: Reading, settings: KeywordSettings) -> list[Keyword]:
    """The same for texts that are already read.

    A word qualifies when the body has it `min_frequency` times, or when title, a heading or a tag has it. Weight =
    occurrences × 1.5 for a boost word × 2 for a word of the title or 1.5 for one of a heading or tag; equal weights are
    ordered by the word, so that the result does not depend on anything else.
    """
    stop_words = frozenset(word.lower() for word in settings.stop_words)
    boosted = frozenset(word.lower() for word in settings.weight_boost_keywords)
    forms = _forms(body, stop_words)
    raised = {group: _HEADING_WEIGHT for reading in (headings, tags) for group in _forms(reading, stop_words)}
    in_title = _forms(title, stop_words)
    raised |= dict.fromkeys(in_title, _TITLE_WEIGHT)
    for reading in (title, headings, tags):
        for group, found in _forms(reading, stop_words).items():
            forms.setdefault(group, dict.fromkeys(found, 0))
    ranked = []
    for group, counts in forms.items():
        occurrences = sum(counts.values())
        if occurrences >= settings.min_frequency or group in raised:
            word = max(counts, key=lambda form: (counts[form], form.islower(), form)).lower()
            weight = max(1, occurrences) * raised.get(group, 1.0) * (_BOOST if word in boosted else 1.0)
            ranked.append((-weight, word, max(1, occurrences), counts))
    ranked.sort(key=lambda entry: entry[:2])
    chosen = ranked[: settings.max_keywords_per_file]
    return [Keyword(word, occurrences, _snippets(body.text, counts)) for _, word, occurrences, counts in chosen]


def _forms(reading: Reading, stop_words: Collection[str]) -> dict[str, dict[str, int]]:
    """Group (stem, identifier or CJK run) → the forms it is written in and how often each comes."""
    counts = Counter(reading.parts)
    if not reading.text.isascii():
        counts.update(_DISPLAY_RUN.findall(reading.text))
    groups: dict[str, dict[str, int]] = {}
    for part, count in counts.items():
        group = _group(part, stop_words)
        if group:
            groups.setdefault(group[0], {})[group[1]] = groups.get(group[0], {}).get(group[1], 0) + count
    return groups


def _group(part: str, stop_words: Collection[str]) -> tuple[str, str] | None:
    """(group, form without its genitive) of a part that may be a keyword; None for function words, numbers and the like."""
    if tokens.is_cjk(part):
        return (part, part) if _DISPLAY_RUN.fullmatch(part) and part not in JAPANESE and part not in stop_words else None
    form = re.split("['’]", part, maxsplit=1)[0].strip("_")
    lowered = form.lower()
    if len(form) < 2 or not form[0].isalpha() or lowered in ENGLISH or lowered in stop_words:
        return None
    return tokens.word_terms(form)[0], form


def _snippets(text: str, forms: Iterable[str]) -> tuple[str, ...]:
    """The lines where a keyword first stands, cut around it; different lines only, in order."""
    found: dict[int, str] = {}
    for form in forms:
        at = -1
        for _ in range(SNIPPETS):
            at = _next_word(text, form, at + 1)
            if at < 0:
                break
            line = text.rfind("\n", 0, at) + 1
            found.setdefault(line, _cut(text, line, at))
            at = text.find("\n", at)
            if at < 0:
                break
    ordered: Sequence[int] = sorted(found)
    return tuple(dict.fromkeys(found[line] for line in ordered[:SNIPPETS]))


def _next_word(text: str, form: str, start: int) -> int:
    """Where `form` next stands as a whole word; inside a CJK run any place counts."""
    spaced = form[0] < tokens.FIRST_CJK
    while (at := text.find(form, start)) >= 0 and spaced:
        end = at + len(form)
        if not ((at and _continues(text[at - 1])) or (end < len(text) and _continues(text[end]))):
            break
        start = end
    return at


def _continues(sign: str) -> bool:
    return sign < tokens.FIRST_CJK and (sign == "_" or sign.isalnum())


def _cut(text: str, line: int, at: int) -> str:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    start = max(line, min(at - _BEFORE, end - SNIPPET_CHARACTERS))
    snippet = text[start : min(end, start + SNIPPET_CHARACTERS)]
    return " ".join((snippet.lstrip("#>*+- \t") if start == line else snippet).split())
