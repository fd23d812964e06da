"""A query: its filters, and its text split into units by the rules of the index.

Content words are alternatives and never all required, because a question in natural language contains words that its answer lacks.
Function words are dropped unless the query has no others. A quoted phrase is one unit whose tokens must be adjacent. `auth*` finds the words
that begin with it, and NOT excludes the documents with the next word or phrase.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from memorybank.errors import UsageError
from memorybank.text.pattern import lazy_pattern
from memorybank.text.words import tokens
from memorybank.text.words.character_forms import one_form
from memorybank.text.words.word_terms import ENGLISH
from memorybank.values import NamedTuple, Value

if TYPE_CHECKING:
    import re

    from memorybank.visibility import Viewer

KEYWORD, SEMANTIC, HYBRID = "keyword", "semantic", "hybrid"
TYPES = (KEYWORD, SEMANTIC, HYBRID, "content", "importance", "recent")
BY_MEANING = (SEMANTIC, HYBRID)
"""The types that compare the meaning of texts."""
NOTE, EPISODE = "note", "episode"
KINDS = (NOTE, EPISODE)


class Query(Value):
    """text: may be empty for the types importance and recent, and with a filter.
    category: first folder of the key.
    tags: a note must have all of them.
    since, until: instants (ms); `since` ≤ modified < `until`.
    viewer: whose access rights apply; None shows everything.
    kinds: some of `KINDS`; () for all.
    also: the same question in other words (types keyword, semantic and hybrid).
    """

    text: str = ""
    type: str = "keyword"
    limit: int = 10
    category: str | None = None
    tags: tuple[str, ...] = ()
    since: int | None = None
    until: int | None = None
    min_importance: float | None = None
    regex: bool = False
    archive: bool = False
    viewer: Viewer | None = None
    kinds: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def is_filtered(self) -> bool:
        """Whether a filter narrows the result."""
        return any(value not in (None, ()) for value in (self.category, self.tags, self.since, self.until, self.min_importance, self.kinds))

    @property
    def wordings(self) -> tuple[str, ...]:
        """The text and the same question in other words, each once."""
        return tuple(dict.fromkeys((self.text, *self.also)))

    def or_listing(self) -> Query:
        """Return the query; filters without words as a listing of what passes them, the newest first."""
        return self.with_changes(type="recent") if self.type in (KEYWORD, *BY_MEANING) and not self.text.strip() and self.is_filtered else self

    @property
    def only_of_notes(self) -> str:
        """The first of the query's filters that only notes can pass, in words; "" when there is none."""
        asked = {
            "an importance": self.type == "importance" or self.min_importance is not None,
            "a folder": self.category is not None,
            "tags": bool(self.tags),
        }
        return next((name for name, is_asked in asked.items() if is_asked), "")


class QueryUnit(NamedTuple):
    """One item to look up: a token, several tokens that must be adjacent, or, with `prefix`, every token with this beginning.

    weight: below 1.0 for a guess (a correction of a misspelled word).
    """

    tokens: tuple[str, ...]
    prefix: bool = False
    weight: float = 1.0

    def expression(self) -> str:
        """This unit in the query language of FTS5. Tokens contain no quotes."""
        return f'"{" ".join(self.tokens)}"' + (" *" if self.prefix else "")


_QUOTED = lazy_pattern(r'"([^"]*)"|“([^”]{0,400})”')
_COUNTERS = frozenset("年月日時分秒")
"""On their own these are not searched for: the date or time they belong to is looked up with its number."""
_HIRAGANA = lazy_pattern("[\u3041-\u309f\u30fc]+")
_OPEN_QUOTE = lazy_pattern(r'(?:^|\s)["“](?=\w)([^"“”]+)$')
_BEGINNING = lazy_pattern(r"(?<![\w*])([A-Za-z]\w+)\*(?![\w*])")
_EXCLUDED = lazy_pattern(r'(?<=\s)NOT\s+(?:"([^"]+)"|(\w+))')
_ONLY_EXCLUDED = lazy_pattern(r'\s*(?:NOT\s+(?:"[^"]+"|\w+)\s*)+')
_MONTHS_OR_DIGITS = (*"0123456789", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NUMBERS = lazy_pattern(r"(?<!\d)\d+(?:[.:]\d+)+")


def excluded(text: str) -> tuple[str, list[QueryUnit]]:
    """Return the text without its exclusions (`redux NOT admin`), and the units that no hit may contain. In a text that is all in capitals,
    and before a function word (NOT IN), NOT is a word like any other. Raises `UsageError` if there is nothing but exclusions."""
    unwanted: list[QueryUnit] = []

    def left(match: re.Match[str]) -> str:
        if match[2] and _is_function_word(match[2]):
            return match[0]
        unwanted.append(QueryUnit(tuple(tokens.tokens(match[1]))) if match[1] else QueryUnit(tuple(tokens.tokens(match[2])[:1])))
        return " "

    if "NOT" in text and not text.isupper() and _ONLY_EXCLUDED.fullmatch(text):
        raise UsageError("the query only says what to leave out", next_step="put a word to search for before NOT, as in 'redux NOT admin'")
    rest = text if text.isupper() or "NOT" not in text else _EXCLUDED.sub(left, text)
    return rest, [unit for unit in unwanted if unit.tokens]


def units(text: str) -> list[QueryUnit]:
    """Return the units of a query, in order and without duplicates. Raises `UsageError` when there is nothing to search for."""
    wanted: list[QueryUnit] = []
    spare: list[QueryUnit] = []
    rest_from = 0
    is_quoting = '"' in text or "“" in text
    for match in _QUOTED.finditer(text) if is_quoting else ():
        _add_words(text[rest_from : match.start()], wanted, spare)
        wanted += _phrase(match[1] or match[2] or "")
        rest_from = match.end()
    rest = text[rest_from:]
    if is_quoting and (unclosed := _OPEN_QUOTE.search(rest)):
        wanted += _phrase(unclosed[1])  # in addition to its words, because nobody knows where the phrase was meant to end
    _add_words(rest, wanted, spare)
    found = list(dict.fromkeys(wanted or spare))
    if not found:
        raise UsageError(f"{text!r} contains no word to search for", next_step="search for a word; a search of type content also finds punctuation")
    return found


def _add_words(text: str, wanted: list[QueryUnit], spare: list[QueryUnit]) -> None:
    """Add the units of unquoted text to `wanted`, and function words and the like to `spare`, which is used only if `wanted` stays empty."""
    if "*" in text:
        for match in _BEGINNING.finditer(text):
            plain, stemmed = match[1].lower(), tokens.word_terms(match[1])[0]
            wanted.append(QueryUnit((min(plain, stemmed, key=len) if plain.startswith(stemmed) else plain,), prefix=True))
        text = _BEGINNING.sub(" ", text)
    text, forms = _canonical(text)
    # Dates, times and versions (2.10.1) are one unit; their single numbers would match everywhere.
    for number in _NUMBERS.findall(text) if "." in text or ":" in text else ():
        wanted.append(QueryUnit(tuple(tokens.tokens(number))))
        text = text.replace(number, " ", 1)
    reading = tokens.read(text)
    for part in reading.parts:
        if part == "\n":
            continue
        if tokens.is_cjk(part):
            _add_run(part, wanted, spare)
        elif (terms := tokens.word_terms(part)) and _is_function_word(part):
            spare.append(QueryUnit(terms[:1]))
        else:
            wanted.extend(QueryUnit((term,)) for term in terms)
    # A date in words (17 September, 9月17日) is indexed as 2025-09-17 and 2025-09 too. The numbers of the date stand in the query.
    known = {unit.tokens[0] for unit in (*wanted, *spare)}
    canonical = (token for form in forms for token in tokens.tokens(form) if "-" in token or "-" not in form)
    wanted.extend(QueryUnit((token,)) for token in dict.fromkeys(canonical) if token not in known)


def _canonical(text: str) -> tuple[str, list[str]]:
    """Return the text with days as numbers (third of March → 3 March), and the canonical forms of its dates and large numbers."""
    lowered = text.lower()
    if not any(sign in lowered for sign in _MONTHS_OR_DIGITS):
        return text, []
    from memorybank.text.words import calendar_terms  # imported late: most queries contain no date

    text = calendar_terms.with_days_as_numbers(text)
    reading = tokens.read(text)
    return text, [form for _, form in calendar_terms.canonical_forms(reading.text, reading.parts)]


def _add_run(run: str, wanted: list[QueryUnit], spare: list[QueryUnit]) -> None:
    """Add a run of CJK characters as its overlapping pairs, and a single character as a prefix.

    Pairs of hiragana are endings and particles far more often than words, so they go to `spare`.
    """
    run = one_form(run)
    if len(run) == 1:
        (spare if run in _COUNTERS or _HIRAGANA.fullmatch(run) else wanted).append(QueryUnit((run,), prefix=True))
    for first, second in pairwise(run):
        pair = first + second
        (spare if _HIRAGANA.fullmatch(pair) else wanted).append(QueryUnit((pair,)))


def _is_function_word(word: str) -> bool:
    return word.replace("’", "'").partition("'")[0].lower() in ENGLISH


def _phrase(text: str) -> list[QueryUnit]:
    """Return a quoted phrase as one unit.

    A note may continue the run of CJK characters at the end of the phrase, so the last character alone is not a token there and is left out.
    A run of one character is looked up as a prefix instead.
    """
    reading = tokens.read(text)
    parts = [part for part in reading.parts if part != "\n"]
    found = [token for part in parts for token in tokens.tokens(part)]
    open_end = bool(parts) and tokens.is_cjk(parts[-1])
    if open_end and len(parts[-1]) > 1:
        found.pop()
    return [QueryUnit(tuple(found), prefix=open_end and len(parts[-1]) == 1)] if found else []
