"""Which topics a question is about: its terms, how near they come to a topic, and the nearest two topics that are near enough.

The similarity is a number from 0 to 1: 0.3 means nearer than 95 of 100 questions about other subjects come to their nearest topic, 0.6
nearer than 995 of 1,000. The scale is calibrated for each bank and for the number of words in the question: one shared word is a
coincidence, ten are not.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.words.terms import content_terms
from memorybank.text.words.word_terms import ASKING
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memorybank.episodes.topics.topic import Topic

    Scale = Mapping[int, tuple[float, float]]
    """{number of words: (cosine at the 95th percentile, at the 99.5th)}"""

RELATED, SAME = 0.3, 0.6
"""The similarity that search and injection require, and the one that assigns an episode to a fixed topic."""
LENGTHS = (1, 2, 4, 8, 16, 32)
PRIOR: Scale = {1: (0.125, 0.26), 2: (0.1, 0.22), 4: (0.092, 0.19), 8: (0.095, 0.22), 16: (0.095, 0.2), 32: (0.098, 0.2)}
"""The default scale, for a bank without measurements: medians of development data (scripts/bench/topics --scale)."""
_LEAST = 1e-6
MOST_TOPICS = 2
"""Maximum number of topics that a question is about."""
_READ_CHARACTERS = 4_000
"""Number of characters of a question that are read: a pasted log shows in its first lines what it is about."""


class SimilarityMeasure(Value):
    """Weights of words and the scale of a bank.

    weights: {term: how much it distinguishes}
    rarest: weight of a word that no episode has
    scale: see `Scale`
    """

    weights: Mapping[str, float]
    rarest: float
    scale: Scale

    def cosine(self, terms: Sequence[str], middle: Mapping[str, float]) -> float:
        """Return the cosine between a question's terms and a topic's centroid or an episode. Words that no episode has count fully, as words about something
        else.
        """
        inside = 0.0
        square = 0.0
        for term in terms:
            weight = self.weights.get(term, self.rarest)
            square += weight * weight
            inside += weight * middle.get(term, 0.0)
        return inside / square**0.5 if square > 0 else 0.0

    def similarity(self, terms: Sequence[str], middle: Mapping[str, float]) -> float:
        """Return the calibrated similarity, 0 to 1."""
        return calibrated(self.cosine(terms, middle), scale_of(self.scale, len(terms)))


def scale_of(scale: Scale, words: int) -> tuple[float, float]:
    """Return the percentiles for a question of that many words: those of the next smaller length that was measured."""
    known = [length for length in LENGTHS if length <= words and length in scale] or [length for length in LENGTHS if length in scale]
    return scale[known[-1] if known[-1] <= words else known[0]] if known else PRIOR[LENGTHS[0]]


def calibrated(cosine: float, percentiles: tuple[float, float]) -> float:
    """Map a cosine to the scale: 0 at 0, RELATED and SAME at the percentiles, 1 at 1, linear in between."""
    related, same = max(percentiles[0], _LEAST), max(percentiles[1], percentiles[0] + _LEAST, 2 * _LEAST)
    if cosine <= 0:
        return 0.0
    if cosine < related:
        return RELATED * cosine / related
    if cosine < same:
        return RELATED + (SAME - RELATED) * (cosine - related) / (same - related)
    return min(1.0, SAME + (1 - SAME) * (cosine - same) / max(1 - same, _LEAST))


class TopicMatch(Value):
    """A topic that a question is about. similarity: RELATED to 1; words: terms of the question that the topic contains, most significant first."""

    topic: Topic
    similarity: float
    words: list[str]


def search(question: str, topics: Iterable[Topic], measure: SimilarityMeasure) -> list[TopicMatch]:
    """Return the matching topics, best first; [] when no topic is near enough or the question has no usable term."""
    terms = question_terms(question)
    found = []
    for topic in topics if terms else ():
        similarity = measure.similarity(terms, topic.middle)
        if similarity >= RELATED:
            words = sorted((term for term in terms if term in topic.middle), key=lambda term: (-topic.middle[term] * measure.weights.get(term, 0.0), term))
            found.append(TopicMatch(topic, similarity, words))
    return sorted(found, key=lambda match: (-match.similarity, match.topic.id))[:MOST_TOPICS]


def terms(text: str) -> list[str]:
    """Return the distinct terms of a sentence, in order, without words that only express a request and without plain numbers."""
    return [term for term in content_terms(text) if term not in ASKING and not term.isdigit()]


def question_terms(text: str) -> list[str]:
    """Return the terms of a question, of which only the beginning is read."""
    return terms(text[:_READ_CHARACTERS])
