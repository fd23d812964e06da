"""Terms of a short text: the same as those of `tokens`, without what only an index needs.

They equal `tokens.tokens` for every text without dates (a property test checks that). Dates get no canonical form here: `2025-09-17`
is 2025, 09 and 17, and a date in another notation (8 May 2023, 2023年5月8日, 2023/05/08) is not marked with its ISO form. Years,
names of months and numbers are terms nevertheless, and the indexed notes contain them too.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.word_terms import ENGLISH, FIRST_CJK, JAPANESE, LANGUAGES, NAME_OR_RUN, OTHER_WORD, one_form, pairs, word_terms
from memorybank.values import Memo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ASCII_WORDS = "".join(chr(value) if chr(value).isalnum() or chr(value) in "_'" else " " for value in range(128))
_PART = lazy_pattern(f"{NAME_OR_RUN}|{OTHER_WORD}")
_SECTION = lazy_pattern("[\u30a0-\u30ff]+|[\uac00-\ud7a3]+|[^\u3041-\u309f\u30a0-\u30ff\uac00-\ud7a3]+")
HIRAGANA, KATAKANA, HANGUL, CHINESE = range(4)
_PARTICLES = frozenset("のをにはがもとでへや")
_ENDINGS = frozenset("さしすか")
"""Hiragana that after two or more Chinese characters are also grammar (検索する), and after a single one part of the verb (消す)."""
_CACHE_LIMIT, _MOST_RUNS = 50_000, 1_000
_LONG, _LONGEST, _KEPT = 300, 20_000, 4
"""Lengths in characters between which the terms of a text are kept, and the number of texts: several mechanisms read one long prompt."""


def terms(text: str) -> list[str]:
    """Return the terms of `text` in order, with repeats. No term contains white space, a quote or a control character."""
    found: list[str] = []
    for part in _parts(text):
        found += pairs(part).split() if part[0] >= FIRST_CJK else _known[part]
    return found


def content_terms(text: str) -> list[str]:
    """Return the different terms of `text` that say what it is about, in order: no English function words, no single characters. Japanese
    yields the bigrams within Chinese characters, within katakana and within a name in hiragana, and a verb's first character with the next
    (検索の仕組み → 検索 仕組 組み). A compound of two verbs yields its kanji (取り置き → 取置), which the index does not contain."""
    return list(_contents[text] if _LONG < len(text) <= _LONGEST else _content(text))


def _content(text: str) -> dict[str, None]:
    found: dict[str, None] = {}
    for part in dict.fromkeys(_parts(text)):
        if part[0] >= FIRST_CJK:
            found.update(dict.fromkeys(_runs[part]))
        elif part.lower() not in ENGLISH:
            for term in _known[part]:
                if len(term) > 1 and term not in ENGLISH:
                    found[term] = None
    return found


_contents = Memo(_content, _KEPT)
"""Cache of a long text → its content terms."""


def sections(text: str) -> Iterator[str]:
    """Yield the Chinese, Japanese and Korean characters of `text` in sections of one script, a word of katakana or a run of kanji, without hiragana."""
    for part in () if text.isascii() else _parts(text):
        if part[0] >= FIRST_CJK:
            yield from _SECTION.findall(one_form(part))


def compounds(text: str) -> Iterator[str]:
    """Yield the compounds of two verbs in a text, by their kanji: 取置 for 取り置き."""
    if not text.isascii():
        from memorybank.text.words import okurigana  # late: an English text has none

        for part in _parts(text):
            if part[0] >= FIRST_CJK:
                yield from (pair for *_, pair in okurigana.compounds(one_form(part)))


_known = Memo(word_terms, _CACHE_LIMIT)
"""Cache of a word → its terms."""


def _parts(text: str) -> list[str]:
    """Return the words and CJK runs of `text` as written, in order."""
    if text.isascii() and (("#" not in text and "++" not in text) or not any(name in text for name in LANGUAGES)):
        words = text.translate(_ASCII_WORDS).split()  # the pattern takes a hook some milliseconds, and most of its texts are like this
        return words if "'" not in text else [piece for word in words for part in word.split("''") if (piece := part.strip("'"))]
    if text.isascii():
        return _PART.findall(text)
    return _all_parts[text] if _LONG < len(text) <= _LONGEST else _parts_of_any(text)


def _parts_of_any(text: str) -> list[str]:
    from unicodedata import normalize  # imported late: a library of a megabyte that ASCII texts do not need

    return _PART.findall(normalize("NFKC", text))


_all_parts = Memo(_parts_of_any, _KEPT)
"""Cache of a long text → its parts."""


def _terms_of_run(run: str) -> tuple[str, ...]:
    return tuple(_cjk_content(one_form(run)))


_runs = Memo(_terms_of_run, _MOST_RUNS)
"""Cache of a run of Japanese → its terms that say what it is about. A prompt is read as a whole, by its sentences and by their parts."""


def _cjk_content(run: str) -> Iterator[str]:
    if "\u3041" <= run[0] <= "\u309f":
        yield from _hiragana_name(run)
    from memorybank.text.words import okurigana  # late: an English text has none

    compounds = okurigana.compounds(run)
    yield from (pair for *_, pair in compounds)
    parts = {place for begin, end, _ in compounds for place in (begin, end)}
    for start, end, script in _scripts(run):
        segment = run[start:end]
        if segment in JAPANESE:
            continue
        yield from map(str.__add__, segment, segment[1:])
        after = "" if end - 1 in parts else run[end : end + 1]
        if script == CHINESE and after and after not in _PARTICLES and not (len(segment) > 1 and after in _ENDINGS) and script_of(after) == HIRAGANA:
            yield segment[-1] + after


def _hiragana_name(run: str) -> Iterator[str]:
    from memorybank.text.words import hiragana  # late: few texts begin with hiragana

    if hiragana.may_begin_with_name(run):
        end = next((place for place, sign in enumerate(run) if not "\u3041" <= sign <= "\u309f"), len(run))
        name = hiragana.name_at_start(run[:end], is_whole=end == len(run))
        yield from map(str.__add__, name, name[1:])


def _scripts(run: str) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, script) of the sections of `run` in one script."""
    for section in _SECTION.finditer(run):
        yield section.start(), section.end(), script_of(section[0][0])


def is_hiragana(term: str) -> bool:
    """Return whether a term is a part of a name in hiragana."""
    return all("\u3041" <= sign <= "\u309f" for sign in term)


def script_of(sign: str) -> int:
    """Return the script of a Chinese, Japanese or Korean character."""
    if "\u3041" <= sign <= "\u309f":
        return HIRAGANA
    if "\u30a0" <= sign <= "\u30ff":
        return KATAKANA
    return HANGUL if "\uac00" <= sign <= "\ud7a3" else CHINESE
