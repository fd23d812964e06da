"""`episodes topics update`: groups the episodes of the list into topics. Fixed topics come first, and earlier names are kept. A pure computation on values.

Source: topic clustering of the program whose episodic memory specification this follows, section 6.

The similarity scale of a bank is how near questions about other subjects come to a topic. Such a question is made of the words of an episode outside the
topic, so it is in the bank's own language and style. No questions of people are needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from memorybank.episodes.entry import Episode, text_digest
from memorybank.episodes.topics import clusters, labelling
from memorybank.episodes.topics.clusters import LEAST_MEMBERS, TextClusters, dealt
from memorybank.episodes.topics.similarity import LENGTHS, PRIOR, SAME, SimilarityMeasure, calibrated, question_terms
from memorybank.episodes.topics.store import StoredTopics
from memorybank.episodes.topics.topic import Topic
from memorybank.episodes.topics.vectors import Vector, VectorSpace, counts, heaviest, total, unit
from memorybank.storage import jsontext
from memorybank.storage.digest import sha256
from memorybank.values import Value

QUESTIONS = 400
"""Number of questions for each question length."""
PRIOR_WORTH = 40
"""Number of measured questions that the default scale counts for."""

PREFIX, FIXED_PREFIX = "cluster_", "cluster_fixed_"
MIDDLE_TERMS = 80
MOST_WORDS = 2_000
"""Maximum number of word weights in the file: those of the centroids, then the most common words. Any other word counts as a rare one."""
_DIGITS = 4
LEAST_OVERLAP = 0.5
"""Least share of an earlier topic's remaining episodes that a group must contain to continue it, with its number and a person's name for it."""


def showable(episodes: Sequence[Episode]) -> list[Episode]:
    """Return the episodes from which topics are made: those that may be shown to an agent."""
    return [episode for episode in episodes if episode.is_showable]


def update(
    before: StoredTopics,
    episodes: Sequence[Episode],
    fixed: Sequence[str],
    now: str,
    step: Callable[[int, int], None] = lambda done, total: None,
) -> StoredTopics:
    """Return the content of the file after a run. When the topics are the same as before, nothing changes, `last_updated` included.

    before: the current content
    fixed: names of the topics that a person configured
    now: the instant, as it is written
    step: called with (steps done, total)
    """
    members = showable(episodes)
    texts = [counts(episode.summary) for episode in members]
    grouped = clusters.group(texts, step)
    middles = [middle(grouped.vectors, group) for group in grouped.groups]
    holding = {at: number for number, group in enumerate(grouped.groups) for at in group}
    scale = scale_of_topics(texts, grouped.space, middles, holding)
    measure = SimilarityMeasure(grouped.space.weights, grouped.space.rarest, scale)
    named = _fixed(fixed, texts, grouped, middles, measure)
    taken = {at for group in named.values() for at in group}
    rest = [left for group in grouped.groups if len(left := [at for at in group if at not in taken]) >= LEAST_MEMBERS]
    run = _Run(before, members, grouped, now)
    topics = (*run.fixed(named), *run.found(rest))
    going_on = {topic.id for topic in topics}
    lost = tuple(topic for topic in run.known if topic.persona_label and topic.id not in going_on)
    after = before.changed(topics=topics, retired=lost, measure=_stored_measure(measure, topics), made_of=digest_of(members))
    return after if after.same(before) and not before.merged else after.changed(updated=now)


def digest_of(episodes: Sequence[Episode]) -> str:
    """Return the digest of everything from which topics are made."""
    content = [[episode.id, episode.date, text_digest(episode.summary)] for episode in episodes if episode.is_showable]
    return sha256(jsontext.encode_bytes(content)).hex()[:32]


def middle(vectors: Sequence[Vector], group: Sequence[int]) -> Vector:
    """Return the centroid of a group, limited to terms that can occur in a question."""
    held = {term: weight for term, weight in total(vectors[at] for at in group).items() if is_asked(term)}
    return {term: round(weight, _DIGITS) for term, weight in unit(heaviest(held, MIDDLE_TERMS)).items() if round(weight, _DIGITS) > 0}


def _fixed(
    names: Sequence[str], texts: Sequence[Counter[str]], grouped: TextClusters, middles: Sequence[Vector], measure: SimilarityMeasure
) -> dict[str, list[int]]:
    """Return {fixed topic: its texts}: the texts near enough to its name, and every group that is near enough as a whole. Each text goes to the nearest
    name.
    """
    best: dict[int, tuple[float, str]] = {}
    for name in dict.fromkeys(names):
        terms = question_terms(name)
        if not terms or not texts:
            continue
        percentiles = scale_of_texts(texts, grouped.space, len(terms))
        near = {at: calibrated(measure.cosine(terms, vector), percentiles) for at, vector in enumerate(grouped.vectors)}
        for group, held in zip(grouped.groups, middles, strict=True):
            whole = measure.similarity(terms, held)
            near.update((at, max(near[at], whole)) for at in group)
        for at, similarity in near.items():
            if similarity >= SAME and (at not in best or similarity > best[at][0]):
                best[at] = (similarity, name)
    return {name: [at for at in sorted(best) if best[at][1] == name] for name in dict.fromkeys(names)}


class _Run(Value):
    """One run: the content of the file before it, the episodes, their groups, and the instant as it is written."""

    before: StoredTopics
    members: list[Episode]
    clusters: TextClusters
    now: str

    @property
    def known(self) -> list[Topic]:
        """Every topic of the file."""
        return [*self.before.topics, *self.before.retired]

    def fixed(self, named: dict[str, list[int]]) -> list[Topic]:
        """Return the fixed topics. A single episode is enough for one; without any episode a fixed topic is left out until there is one."""
        known = {topic.auto_label: topic for topic in self.known if topic.is_fixed}
        return self._topics(FIXED_PREFIX, 2, [(known.get(name), name, group) for name, group in named.items() if group])

    def found(self, groups: Sequence[Sequence[int]]) -> list[Topic]:
        """Return the topics of groups, each with the number and the name of the topic that it continues."""
        kept = continued([frozenset(self.members[at].id for at in group) for group in groups], self.known, self.members)
        return self._topics(PREFIX, 3, [(kept.get(number), "", group) for number, group in enumerate(groups)])

    def _topics(self, prefix: str, digits: int, groups: Sequence[tuple[Topic | None, str, Sequence[int]]]) -> list[Topic]:
        """Return topics for (the earlier topic, the name of a fixed topic or "", the members of the group)."""
        number = next_number(self.known, prefix)
        found = []
        for earlier, label, group in groups:
            if earlier is not None:
                found.append(self._topic(earlier.raw, earlier.id, label, group))
            else:
                found.append(self._topic({}, f"{prefix}{number:0{digits}d}", label, group))
                number += 1
        return found

    def _topic(self, earlier: dict[str, Any], name: str, label: str, group: Sequence[int]) -> Topic:
        held = [self.members[at] for at in group]
        centre = middle(self.clusters.vectors, group)
        return Topic(
            {
                **earlier,
                "cluster_id": name,
                "auto_label": label or labelling.label(held, centre, self.clusters.space.weights),
                "persona_label": Topic(earlier).persona_label or None,
                "is_fixed": bool(label),
                "episode_count": len(held),
                "episode_dates": [episode.date for episode in held],
                "episode_ids": [episode.id for episode in held],
                "summary": labelling.summary(held, centre),
                "centroid": centre,
                "created_at": earlier.get("created_at") or self.now,
            }
        )


def _stored_measure(measure: SimilarityMeasure, topics: Sequence[Topic]) -> SimilarityMeasure:
    """Return the measure as it is stored: limited to the words that a question is likely to contain."""
    needed = {term for topic in topics for term in topic.middle}
    common = sorted((term for term in measure.weights if is_asked(term)), key=lambda term: (measure.weights[term], term))
    kept = [*sorted(needed), *(term for term in common if term not in needed)][:MOST_WORDS] if topics else []
    weights = {term: round(measure.weights[term], _DIGITS) for term in kept if term in measure.weights}
    return SimilarityMeasure(weights, round(measure.rarest, _DIGITS), measure.scale if topics else {})


def continued(groups: Sequence[frozenset[str]], topics: Sequence[Topic], episodes: Sequence[Episode]) -> dict[int, Topic]:
    """Return {number of a group: the topic it continues}.

    groups: ids of episodes
    topics: those of the last run, then retired ones

    Each topic continues in at most one group; the largest overlap decides first. A merged week counts for the days that were merged into it.
    """
    where = _CurrentEntries(episodes)
    pairs = []
    for number, topic in enumerate(topics):
        if topic.is_fixed:
            continue
        members = {found for name, written in zip(topic.episodes, topic.written, strict=False) for found in where(name, written)}
        for group, held in enumerate(groups):
            common = len(members & held)
            if common and common >= LEAST_OVERLAP * len(members):
                pairs.append((-common, not topic.persona_label, number, group))
    earlier: dict[int, Topic] = {}
    taken: set[int] = set()
    for _, _, number, group in sorted(pairs):
        if group not in earlier and number not in taken:
            earlier[group] = topics[number]
            taken.add(number)
    return earlier


class _CurrentEntries:
    """A lookup of the current entries that cover what an earlier member of a topic covered."""

    def __init__(self, episodes: Sequence[Episode]) -> None:
        self._ids = {episode.id for episode in episodes}
        self._weeks = [(episode.first, episode.last, episode.id) for episode in episodes if episode.first != episode.last]

    def __call__(self, name: str, written: str) -> set[str]:
        if name in self._ids:
            return {name}
        return {week for first, last, week in self._weeks if first <= written <= last}


def next_number(topics: Iterable[Topic], prefix: str) -> int:
    """Return the first number that no topic with this prefix has used."""
    used = [
        int(topic.id[len(prefix) :])
        for topic in topics
        if topic.id.startswith(prefix) and topic.id[len(prefix) :].isascii() and topic.id[len(prefix) :].isdigit()
    ]
    return max(used, default=0) + 1


def scale_of_topics(
    texts: Sequence[Mapping[str, int]], space: VectorSpace, middles: Sequence[Vector], holding: Mapping[int, int]
) -> dict[int, tuple[float, float]]:
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


def scale_of_texts(texts: Sequence[Mapping[str, int]], space: VectorSpace, length: int) -> tuple[float, float]:
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
    """Return the positions of `most` texts to make questions from. No text occurs more than once more often than another."""
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
