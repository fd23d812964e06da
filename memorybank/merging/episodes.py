"""Merges the list of episodes, the archives of merged weeks, and the topics."""

from __future__ import annotations

from memorybank.episodes import archive, list_file
from memorybank.episodes.entry import Episode, sort
from memorybank.episodes.topics import store as topics
from memorybank.episodes.topics.topic import Topic
from memorybank.merging.sides import FileVersions, MergeRefused, greater, merged_items, merged_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def entries(versions: FileVersions) -> bytes:
    """Return the list with the entries of both sides, without those that a side replaced.

    Two entries about the same messages both stay in the file. Readers use the better one, and the next command that writes the list moves the
    other to the archives. Raises `MergeRefused` when a side cannot be read completely.
    """
    base = list_file.parse(versions.base) if versions.base else list_file.StoredEpisodes()
    sides = [list_file.parse(side) for side in versions.sides]
    for side in sides:
        if side.broken or side.newer:
            raise MergeRefused(side.broken or side.newer)
    known: dict[str, Episode] = {}
    encoded = [_encoded(each, known) for each in (base, *sides)]
    kept = merged_items(*encoded)
    # The sides are in canonical order, so entries with the same sort key end up in the same order, whoever merges.
    return list_file.encode(sort([known[text] for text in sorted(kept)]), _members(base, *sides))


def _encoded(stored: list_file.StoredEpisodes, known: dict[str, Episode]) -> list[str]:
    for entry in (*stored.entries, *stored.dropped):
        known.setdefault(entry.encoded, entry)
    return [entry.encoded for entry in (*stored.entries, *stored.dropped)]


def _members(base: list_file.StoredEpisodes, one: list_file.StoredEpisodes, other: list_file.StoredEpisodes) -> dict[str, Any] | None:
    """Return the members of the object that the list is in, or None for a list alone on both sides."""
    if one.members is None and other.members is None:
        return None
    return merged_values(base.members or {}, one.members or {}, other.members or {}, greater)


def week(versions: FileVersions) -> bytes:
    """Return a week's archive with the entries of both sides. Raises `MergeRefused` when an entry does not match its digest."""
    known: dict[str, Episode] = {}
    sides = []
    name = versions.path.rpartition("/")[2].removesuffix(".json")
    for data in (versions.base, *versions.sides):
        try:
            found = archive.parse(data) if data else []
        except ValueError as error:
            if data == versions.base:
                found = []
            else:
                raise MergeRefused(str(error)) from error
        known.update((entry.encoded, entry) for entry in found)
        sides.append([entry.encoded for entry in found])
    return archive.rendered(name, sort([known[text] for text in sorted(merged_items(*sides))]))


def clusters(versions: FileVersions) -> bytes:
    """Return the topics of the side that was updated last, with the names that people gave on either side.

    Everything else in the file is derived from the list of episodes, and the next update computes it again.
    """
    base = topics.parse(versions.base) if versions.base else topics.StoredTopics()
    older, newer = sorted((topics.parse(side) for side in versions.sides), key=lambda side: (side.updated, topics.body(side)))
    for side in (older, newer):
        if side.broken:
            raise MergeRefused(side.broken)
    before = {topic.id: topic.persona_label for topic in (*base.topics, *base.retired)}
    # A name that the older side only kept is not joined: the newer side may have changed it.
    given = [topic for topic in (*older.topics, *older.retired) if topic.persona_label and topic.persona_label != before.get(topic.id)]
    other = {topic.id: topic for topic in given}
    named = tuple(_named(topic, other.get(topic.id), before.get(topic.id, "")) for topic in newer.topics)
    joined = topics.joined(newer.changed(topics=named), older.changed(topics=(), retired=tuple(given)))
    return topics.body(joined).encode("utf-8", "replace")


def _named(topic: Topic, other: Topic | None, before: str) -> Topic:
    """Return a topic with the name that only the other side gave it, if the other side means the same episodes.

    before: its name in the common ancestor
    """
    if other is None or topic.persona_label != before or not set(topic.episodes) & set(other.episodes):
        return topic
    return topic.with_fields(persona_label=other.persona_label)
