"""The part of a long passage that is about certain words: of a list some items, else the text from the sentence on that has most of them."""

from __future__ import annotations

__light__ = True

from memorybank.summarize.findings import decides
from memorybank.text.prompts.sentences import joined, with_reasons
from memorybank.text.prose.passages import excerpt, items_of, sentences, with_items
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memorybank.cycle.know.search import Rarity

_BETWEEN = 4
"""Characters between two items of a list, with the mark for those that are left out."""
_TELLS_WHY, _ASKS_BACK = 2.0, 0.5
"""Factors on the words of a sentence that states a reason, and of a question, among the sentences of one passage."""


def part_about(text: str, matched: Collection[str], rarity: Rarity, limit: int) -> str:
    """Return at most about `limit` characters of a passage: of a list, the items that have most of these terms by rarity; else the text from the sentence on
    that has most of them, or the reason."""
    if len(text) <= limit:
        return text
    lead, items = items_of(text)
    if items:
        return excerpt(with_items(lead, items, _heaviest([(_weight(item, matched, rarity), len(item)) for item in items], limit - len(lead))), limit)
    said = with_reasons(sentences(text), limit)
    return from_best(said, [_weight(sentence, matched, rarity) for sentence in said], limit)


def from_best(said: Sequence[str], weights: Sequence[float], limit: int) -> str:
    """Return at most about `limit` characters from the sentence that weighs most on, or from as many before it as there is space for."""
    begin = weights.index(max(weights))
    while begin and len(joined(said[begin - 1 :])) <= limit:
        begin -= 1
    return ("… " if begin else "") + excerpt(joined(said[begin:]), limit)


def _heaviest(items: Sequence[tuple[float, int]], limit: int) -> set[int]:
    """Return the places of the items that weigh most and fit into a limit together, at least one. items: (weight, characters) of each."""
    kept: set[int] = set()
    for place in sorted(range(len(items)), key=lambda place: -items[place][0]):
        limit -= items[place][1] + _BETWEEN
        if kept and limit < 0:
            break
        kept.add(place)
    return kept


def _weight(sentence: str, matched: Collection[str], rarity: Rarity) -> float:
    return rarity.sum(set(matched).intersection(content_terms(sentence))) * _telling(sentence)


def _telling(sentence: str) -> float:
    """Return the factor of a sentence among those of its passage: a reason tells more, a question less."""
    return _TELLS_WHY if decides(sentence) else _ASKS_BACK if sentence.rstrip().endswith(("?", "？")) else 1.0
