"""Finds, counts and renames the tags of notes. A nested tag (`db/postgres`) also counts for the tags above it (`db`)."""

from __future__ import annotations

__light__ = True

from memorybank.errors import UsageError
from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.similarity import folded
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator

_TAG = lazy_pattern(r"(?:^|(?<=[\s、。，．（「]))#(\w[\w/-]*)", "m")


class TagCount(Value):
    """One tag.

    tag: as most notes write it
    notes: number of notes that have it or a tag below it
    nested: how many of these have only a tag below it
    """

    tag: str
    notes: int
    nested: int = 0


def inline_tags(prose: str) -> tuple[str, ...]:
    """Return the distinct tags written in a text without code (`#db/postgres`, `#設計`), in order. A number alone is not a tag, it refers to an issue."""
    return tuple(dict.fromkeys(_written_tags(prose)))


def counted_tags(tags_of_notes: Iterable[Iterable[str]]) -> list[TagCount]:
    """Return the tags, the most frequent first, then by name. Tags that differ only in case or Unicode form are one tag."""
    from collections import Counter, defaultdict  # late: reading a note counts no tags

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


def renamings(tags: Iterable[str], old: str, new: str) -> dict[str, str]:
    """Return {tag: its new name} of those tags of a note that are `old`, without case and Unicode form, or below it."""
    depth = old.count("/") + 1
    found = {tag: "/".join((new, *tag.split("/")[depth:])) for tag in tags if is_below(tag, old)}
    return {tag: renamed for tag, renamed in found.items() if renamed != tag}


def is_below(tag: str, name: str) -> bool:
    """Return whether a tag is `name` or nested below it, without case and Unicode form."""
    return folded("/".join(tag.split("/")[: name.count("/") + 1])) == folded(name)


def checked_name(text: str) -> str:
    """Return a text as the name of a tag. Raises `UsageError` when no front matter can contain it."""
    name = " ".join(text.split()).removeprefix("#")
    if not name.strip("/") or "" in name.split("/") or any(sign in ",、，" or not sign.isprintable() for sign in name):
        raise UsageError(f"{text!r} is not the name of a tag", next_step="write a word such as decision, or a nested one such as db/postgres, without commas")
    return name


def _written_tags(prose: str) -> Iterator[str]:
    if "#" not in prose:
        return
    for match in _TAG.finditer(prose):
        tag = match[1].rstrip("/-")
        if any(not (sign.isdigit() or sign in "/-_") for sign in tag):
            yield tag


def _usual(spellings: Counter[str]) -> str:
    """Return the most frequent spelling; of equally frequent ones, that with lower-case letters."""
    return min(spellings, key=lambda each: (-spellings[each], each.swapcase()))
