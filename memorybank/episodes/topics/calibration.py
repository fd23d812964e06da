"""The scale of one bank: how near questions about something else come. Pure and deterministic.

A question about something else is made of the words of an episode that the topic does not hold, so it is in the bank's own language and manner; no
question of people is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from memorybank.episodes.topics.clusters import dealt
from memorybank.episodes.topics.similarity import LENGTHS, PRIOR, Measure, mixed
from memorybank.episodes.topics.vectors import Space, Vector

QUESTIONS = 400
"""Asked for each number of words."""
PRIOR_WORTH = 40
"""As many questions as the scale that is known beforehand counts for."""


def of_topics(texts: Sequence[Mapping[str, int]], space: Space, middles: Sequence[Vector], holding: Mapping[int, int]) -> dict[int, tuple[float, float]]:
    """The scale for questions to topics: the nearest topic that does not hold the episode whose words are asked.

    middles: of the topics; holding: {text: its topic}, without those of no topic.
    """
    measure = Measure(space.weights, space.rarest, {})
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
        found[length] = mixed(values, PRIOR[length], PRIOR_WORTH)
    return found


def of_texts(texts: Sequence[Mapping[str, int]], space: Space, length: int) -> tuple[float, float]:
    """(95th, 99.5th percentile) for questions of so many words to single episodes: to episodes whose words were dealt out anew, so that none is
    about what is asked."""
    measure = Measure(space.weights, space.rarest, {})
    chance = Random(len(texts))
    vectors = [space.vector(text) for text in dealt(texts)]
    values = [measure.cosine(question(texts[at], length, chance), chance.choice(vectors)) for at in _drawn(texts, chance, 4 * QUESTIONS)]
    return mixed(values, PRIOR[max(known for known in LENGTHS if known <= max(length, 1))], PRIOR_WORTH)


def question(text: Mapping[str, int], length: int, chance: Random) -> list[str]:
    """So many words of a text, or all when it has fewer; words it says more often are asked more often."""
    words = sorted(Counter(text).elements())
    chance.shuffle(words)
    return [term for term in dict.fromkeys(words) if is_asked(term)][:length]


def is_asked(term: str) -> bool:
    """Whether a question can have it: whole runs of Japanese are no terms of questions, their pairs are."""
    return term.isascii() or len(term) < 3 or term[0] < "\u3005"


def _drawn(texts: Sequence[Mapping[str, int]], chance: Random, most: int = QUESTIONS) -> list[int]:
    """Texts to ask from, each as often as any other."""
    askable = [at for at, text in enumerate(texts) if text]
    if not askable:
        return []
    found = askable * (most // len(askable)) + chance.sample(askable, most % len(askable))
    return found
