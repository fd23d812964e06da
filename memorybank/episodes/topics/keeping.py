"""Keeps topics stable between runs: a topic keeps its number and a person's name for it when at least half of its episodes stay together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memorybank.episodes.entry import Episode
from memorybank.episodes.topics.topic import Topic

LEAST_OVERLAP = 0.5
"""Least share of the earlier topic's remaining episodes that a group must contain to continue it."""


def match(groups: Sequence[frozenset[str]], topics: Sequence[Topic], episodes: Sequence[Episode]) -> dict[int, Topic]:
    """Return {number of a group: the topic it continues}.

    groups: ids of episodes
    topics: those of the last run, then retired ones

    Each topic continues in at most one group; the largest overlap decides first. A merged week counts for the days that were merged into it.
    """
    where = _Standing(episodes)
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


class _Standing:
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
