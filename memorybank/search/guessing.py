"""What the words of a query stand for: those that no document contains are completed or corrected with words that some contain.

Where the words are counted is a `Vocabulary`: the index of a bank (`lookup`), or the server of a team.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from memorybank.search.query import QueryUnit
from memorybank.text.pattern import lazy_pattern
from memorybank.text.words import tokens
from memorybank.text.words.spelling import slips_between

COMPLETIONS = 8
"""Maximum number of words that a query word is completed to."""
SPELLINGS = 5
"""Maximum number of words that a query word is corrected to."""
_COMPLETED, _RESPELT = 0.7, 0.6
"""Weights of guesses, below the 1.0 of a word that was asked for."""
_FEW_UNITS, _COMMON = 2, 3
"""In a query of up to two units, a word that one document contains can be a slip for a word that three or more documents contain."""
_HASH = lazy_pattern(r"(?=[a-f]*[0-9])[0-9a-f]{6,64}")
"""A commit's hash, or its beginning."""
_SHORTEST_HASH = 6
_SHORTEST_GUESSED, _SHORTEST_STEM, _LONGEST_ENDING = 3, 5, 7
ANY_LENGTH = 1, 1 << 30
"""Lengths of words, from the shortest to the longest."""
_UMLAUT = lazy_pattern("([aou])e")
"""Ueberpruefung is indexed as uberprufung if the note writes Überprüfung."""


class Vocabulary(Protocol):
    """The words of some documents."""

    def frequency(self, unit: QueryUnit) -> int:
        """Return the number of documents that contain a unit."""

    def beginning_with(self, prefix: str, lengths: tuple[int, int] = ANY_LENGTH) -> Sequence[tuple[str, int]]:
        """Return (term, number of documents that contain it) of every term with this beginning and a length from lengths[0] to lengths[1]."""

    def is_known_elsewhere(self, unit: QueryUnit) -> bool:
        """Return whether a unit is spelled correctly although none of these documents contains it."""


def resolve(vocabulary: Vocabulary, units: Sequence[QueryUnit]) -> dict[QueryUnit, int]:
    """Return {unit: number of documents that contain it}, without the units that none contains.

    A single word that no document contains is replaced by guesses. A word that occurs in notes is regarded as spelled correctly, even if no
    episode contains it; but if it is nearly all that was asked for and occurs once, what it may have meant is looked up too.
    """
    found: dict[QueryUnit, int] = {}
    for unit in units:
        count = vocabulary.frequency(unit)
        if count:
            found[unit] = count
            if count == 1 and len(units) <= _FEW_UNITS and not unit.prefix and len(unit.tokens) == 1 and _can_be_guessed(unit.tokens[0]):
                for guess, notes in _spellings(vocabulary, unit.tokens[0], _COMMON):
                    found.setdefault(guess, notes)
        # Phrases, prefixes and CJK pairs are not guessed: only a single word of an alphabet can be incomplete or misspelled.
        elif len(unit.tokens) == 1 and not unit.prefix and _can_be_guessed(unit.tokens[0]) and not vocabulary.is_known_elsewhere(unit):
            for guess, notes in _guesses(vocabulary, unit.tokens[0]):
                found.setdefault(guess, notes)
    return found


def _can_be_guessed(token: str) -> bool:
    return (len(token) >= _SHORTEST_GUESSED and token.isalpha() and token < tokens.FIRST_CJK) or _HASH.fullmatch(token) is not None


def _guesses(vocabulary: Vocabulary, token: str) -> list[tuple[QueryUnit, int]]:
    """Return what a word that no document contains may have meant: the word with umlauts, words that begin with it, otherwise words with a similar
    spelling."""
    if (umlauts := _UMLAUT.sub(r"\1", token)) != token and (notes := vocabulary.frequency(QueryUnit((umlauts,)))):
        return [(QueryUnit((umlauts,), weight=_COMPLETED), notes)]
    completed = sorted(vocabulary.beginning_with(token), key=lambda entry: (-entry[1], entry[0]))[:COMPLETIONS]
    if completed:
        return [(QueryUnit((term,), weight=_COMPLETED), notes) for term, notes in completed]
    if _HASH.fullmatch(token):
        shorter = (QueryUnit((token[:length],)) for length in range(len(token) - 1, _SHORTEST_HASH - 1, -1))
        return next(([(unit, notes)] for unit in shorter if (notes := vocabulary.frequency(unit))), [])
    return _spellings(vocabulary, token, 1)


def _spellings(vocabulary: Vocabulary, token: str, least: int) -> list[tuple[QueryUnit, int]]:
    """Return the terms with a similar spelling that at least `least` documents contain, with the number of these documents."""
    slips = 1 if len(token) < 8 else 2
    lengths = max(_SHORTEST_GUESSED, len(token) - _LONGEST_ENDING), len(token) + slips
    beginnings = dict.fromkeys((token[:2], token[1] + token[0]))
    terms = [(term, notes) for beginning in beginnings for term, notes in vocabulary.beginning_with(beginning, lengths) if term != token and notes >= least]
    return _respellings(token, terms, slips) if terms else []


def _respellings(token: str, terms: Iterable[tuple[str, int]], slips: int) -> list[tuple[QueryUnit, int]]:
    """Return the nearest terms, the most common first, that differ by one slip; by at most two for words of eight or more letters.

    The distance is optimal string alignment, in which two swapped neighbours are one slip. The vocabulary contains stems, and a slip may have
    kept the query word from being stemmed, so a term is also compared with the first letters of the word, as many as the term has. The first
    two letters are assumed to be right or swapped: reading all terms with the same first letter costs more than it finds.
    """
    near = []
    for term, notes in terms:
        distance = slips_between(token, term, slips)
        if distance > slips and len(term) >= _SHORTEST_STEM:
            distance = slips_between(token[: len(term)], term, slips)
        if distance <= slips:
            near.append((distance, -notes, term))
    near.sort()
    return [(QueryUnit((term,), weight=_RESPELT), -notes) for distance, notes, term in near[:SPELLINGS] if distance == near[0][0]]
