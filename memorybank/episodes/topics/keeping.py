"""The same topic after another run: its number and the words that a person gave it stay where at least half of its episodes stay. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memorybank.episodes.entry import Episode
from memorybank.episodes.topics.topic import Topic

LEAST_OVERLAP = 0.5
"""Of the episodes that the earlier topic has and the list still tells."""


def match(groups: Sequence[frozenset[str]], topics: Sequence[Topic], episodes: Sequence[Episode]) -> dict[int, Topic]:
    """{number of a group: the topic it was}. groups: ids of episodes; topics: those of the last run, then those that were lost before.

    Each topic goes on in one group at most, the largest overlap first. A merged week stands for the days that were merged into it.
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
    """Which entries of the list tell what an earlier member told."""

    def __init__(self, episodes: Sequence[Episode]) -> None:
        self._ids = {episode.id for episode in episodes}
        self._weeks = [(episode.first, episode.last, episode.id) for episode in episodes if episode.first != episode.last]

    def __call__(self, name: str, written: str) -> set[str]:
        if name in self._ids:
            return {name}
        return {week for first, last, week in self._weeks if first <= written <= last}


def next_number(topics: Iterable[Topic], prefix: str) -> int:
    """The first number that no topic with this prefix ever had."""
    used = [
        int(topic.id[len(prefix) :])
        for topic in topics
        if topic.id.startswith(prefix) and topic.id[len(prefix) :].isascii() and topic.id[len(prefix) :].isdigit()
    ]
    return max(used, default=0) + 1
