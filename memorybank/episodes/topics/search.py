"""Which topics a question is about: the nearest two that are near enough. Every path uses this function."""

from __future__ import annotations

__light__ = True

from memorybank.episodes.topics import asked
from memorybank.episodes.topics.similarity import RELATED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memorybank.episodes.topics.similarity import SimilarityMeasure
    from memorybank.episodes.topics.topic import Topic

MOST = 2


class TopicMatch:
    """A topic that a question is about. similarity: RELATED to 1; words: terms of the question that the topic contains, most significant first."""

    __slots__ = ("similarity", "topic", "words")

    def __init__(self, topic: Topic, similarity: float, words: list[str]) -> None:
        self.topic = topic
        self.similarity = similarity
        self.words = words

    def __repr__(self) -> str:
        return f"TopicMatch({self.topic.id!r}, {self.similarity:.2f})"


def search(question: str, topics: Iterable[Topic], measure: SimilarityMeasure) -> list[TopicMatch]:
    """Return the matching topics, best first; [] when no topic is near enough or the question has no usable term."""
    terms = asked.of_question(question)
    found = []
    for topic in topics if terms else ():
        similarity = measure.similarity(terms, topic.middle)
        if similarity >= RELATED:
            words = sorted((term for term in terms if term in topic.middle), key=lambda term: (-topic.middle[term] * measure.weights.get(term, 0.0), term))
            found.append(TopicMatch(topic, similarity, words))
    return sorted(found, key=lambda match: (-match.similarity, match.topic.id))[:MOST]
