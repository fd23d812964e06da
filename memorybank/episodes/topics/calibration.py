"""Measures the similarity scale of one bank: how near questions about other subjects come to a topic. Deterministic.

A question about another subject is made of the words of an episode outside the topic, so it is in the bank's own language and style. No questions of
people are needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random

from memorybank.episodes.topics.clusters import dealt
from memorybank.episodes.topics.similarity import LENGTHS, PRIOR, SimilarityMeasure
from memorybank.episodes.topics.vectors import Vector, VectorSpace

QUESTIONS = 400
"""Number of questions for each question length."""
PRIOR_WORTH = 40
"""Number of measured questions that the default scale counts for."""


def of_topics(texts: Sequence[Mapping[str, int]], space: VectorSpace, middles: Sequence[Vector], holding: Mapping[int, int]) -> dict[int, tuple[float, float]]:
    """Return the scale for comparing questions with topics: for each question length the (95th, 99.5th percentile) of the cosine to the nearest topic that
    does not contain the episode from which the question is made.

    middles: centroids of the topics
    holding: {text: its topic}, without texts that have no topic
    """
    measure = SimilarityMeasure(space.weights, space.rarest, {})
    chance = Random(len(texts))
    found = {}
    for length in LENGTHS:
        values = []
        for at in _drawn(texts, chance) if len(middles) > 1 or len(holding) < len(texts) else ():
            own = holding.get(at, -1)
            others = [middle for number, middle in enumerate(middles) if number != own]
            if others:
                asked = question(texts[at], length, chance)
                values.append(max(measure.cosine(asked, middle) for middle in others))
        found[length] = mixed(values, PRIOR[length])
    return found


def of_texts(texts: Sequence[Mapping[str, int]], space: VectorSpace, length: int) -> tuple[float, float]:
    """Return the (95th, 99.5th percentile) of the cosine between questions of `length` words and single episodes.

    The words of the episodes are shuffled among them first, so that no episode is about the question.
    """
    measure = SimilarityMeasure(space.weights, space.rarest, {})
    chance = Random(len(texts))
    vectors = [space.vector(text) for text in dealt(texts)]
    values = [measure.cosine(question(texts[at], length, chance), chance.choice(vectors)) for at in _drawn(texts, chance, 4 * QUESTIONS)]
    return mixed(values, PRIOR[max(known for known in LENGTHS if known <= max(length, 1))])


def question(text: Mapping[str, int], length: int, chance: Random) -> list[str]:
    """Return `length` words of a text, or all when it has fewer. Words that the text repeats are drawn more often."""
    words = sorted(Counter(text).elements())
    chance.shuffle(words)
    return [term for term in dict.fromkeys(words) if is_asked(term)][:length]


def is_asked(term: str) -> bool:
    """Return whether a term can occur in a question. Questions contain the bigrams of Japanese text, not its longer runs."""
    return term.isascii() or len(term) < 3 or term[0] < "\u3005"


def _drawn(texts: Sequence[Mapping[str, int]], chance: Random, most: int = QUESTIONS) -> list[int]:
    """Return texts to make questions from, each as often as any other."""
    askable = [at for at, text in enumerate(texts) if text]
    if not askable:
        return []
    return askable * (most // len(askable)) + chance.sample(askable, most % len(askable))


def _percentile(sorted_values: Sequence[float], share: float) -> float:
    """Return the value below which that share of the sorted values lies."""
    return sorted_values[min(len(sorted_values) - 1, int(share * len(sorted_values)))] if sorted_values else 0.0


def mixed(values: Iterable[float], prior: tuple[float, float]) -> tuple[float, float]:
    """Return the percentiles of measured values, averaged with the default ones, which count as `PRIOR_WORTH` measurements."""
    ordered = sorted(values)
    count = len(ordered)
    own = (_percentile(ordered, 0.95), _percentile(ordered, 0.995))
    first, second = ((count * mine + PRIOR_WORTH * known) / (count + PRIOR_WORTH) for mine, known in zip(own, prior, strict=True))
    return round(first, 4), round(second, 4)
