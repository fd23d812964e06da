"""Counts the tags of notes. A nested tag (`db/postgres`) also counts for the tags above it (`db`)."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from memorybank.text.similarity import folded


@dataclass(frozen=True, slots=True)
class TagCount:
    """One tag.

    tag: as most notes write it
    notes: number of notes that have it or a tag below it
    nested: how many of these have only a tag below it
    """

    tag: str
    notes: int
    nested: int = 0


def counted_tags(tags_of_notes: Iterable[Iterable[str]]) -> list[TagCount]:
    """Return the tags, the most frequent first, then by name. Tags that differ only in case or Unicode form are one tag."""
    spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    notes: Counter[str] = Counter()
    own: Counter[str] = Counter()
    for tags in tags_of_notes:
        having: set[str] = set()
        written = {folded(tag): tag for tag in tags}
        for name, tag in written.items():
            own[name] += 1
            parts = tag.split("/")
            for length in range(1, len(parts) + 1):
                above = "/".join(parts[:length])
                if above.strip("/"):
                    spellings[folded(above)][above] += 1
                    having.add(folded(above))
        notes.update(having)
    found = [TagCount(_usual(spellings[name]), count, count - own[name]) for name, count in notes.items()]
    return sorted(found, key=lambda each: (-each.notes, folded(each.tag)))


def _usual(spellings: Counter[str]) -> str:
    """Return the most frequent spelling; of equally frequent ones, that with lower-case letters."""
    return min(spellings, key=lambda each: (-spellings[each], each.swapcase()))
