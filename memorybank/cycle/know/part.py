"""The part of a long passage that is about certain words: of a list some items, else the sentences that have them, and what stands next to these."""

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

_BETWEEN, _MORE = 4, 100
"""Characters between two items of a list, with the mark for those that are left out; and those by which several sentences may exceed a limit."""
_TELLS_WHY, _ASKS_BACK = 2.0, 0.5
"""Factors on the words of a sentence that states a reason, and of a question, among the sentences of one passage."""


def part_about(text: str, matched: Collection[str], rarity: Rarity, limit: int) -> str:
    """Return at most about `limit` characters of a passage: of a list, the items that have most of these terms by rarity; else the sentence that has most of
    them, or the reason, with those that have others of them, which may take `_MORE` characters, and then as much as fits of what stands next to these."""
    if len(text) <= limit:
        return text
    lead, items = items_of(text)
    if items:
        return excerpt(with_items(lead, items, _heaviest([(_weight(item, matched, rarity), len(item)) for item in items], limit - len(lead))), limit)
    said = with_reasons(sentences(text), limit)
    kept = _having(said, set(matched), rarity, limit + _MORE)
    for place in (*range(min(kept) + 1, len(said)), *reversed(range(min(kept)))):
        if not kept.isdisjoint((place - 1, place + 1)) and len(joined([said[one] for one in {*kept, place}])) <= limit:
            kept.add(place)
    parts = [said[place] if not place or place - 1 in kept else f"… {said[place]}" for place in sorted(kept)]
    return excerpt(joined(parts), max(limit, len(joined(parts)) if len(kept) > 1 else 0))


def _having(said: Sequence[str], left: set[str], rarity: Rarity, most: int) -> set[int]:
    """Return the places of the sentence that has most of the terms by rarity, and of others that have further ones, up to `most` characters together."""
    kept: set[int] = set()
    while left:
        weights = [_weight(sentence, left, rarity) if place not in kept else 0.0 for place, sentence in enumerate(said)]
        best = weights.index(max(weights))
        if kept and (not weights[best] or len(joined([said[one] for one in {*kept, best}])) > most):
            break
        kept.add(best)
        left = left.difference(content_terms(said[best]))
    return kept or {0}


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
