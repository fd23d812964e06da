"""`episodes/topic_clusters.json`: the topics of a bank, and the data for searching them.

Except for the names that people give to topics, everything in it is derived from the list of episodes. The file is replaced atomically. An unreadable
file is kept as `topic_clusters.broken-<stamp>.json` before a new one is written. With git's conflict marks, our side is read, and the names from both
sides are kept.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import Clock
from memorybank.episodes import list_file, union
from memorybank.episodes import store as episodes
from memorybank.episodes.topics.similarity import LENGTHS, SimilarityMeasure
from memorybank.episodes.topics.topic import Topic, stored_text
from memorybank.errors import MemorybankError, NewerFormat, ValidationFailed
from memorybank.storage import disk, jsontext, versions
from memorybank.storage import system as os
from memorybank.storage.layout import Layout
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

NAME = "topic_clusters.json"
VERSION = "1.0"
NEWER = "was written by a newer memorybank"
MAX_BYTES = 1 << 24
_OURS = ("version", "last_updated", "episodes_digest", "words", "scale", "rarest_word", "clusters", "retired")


class StoredTopics(Value):
    """The content of the file.

    retired: topics without episodes, kept for the name that a person gave them
    measure: the data for searching
    fields: members of the file that are not ours
    broken: the reason why it cannot be read, else ""
    merged: whether it holds git's conflict marks
    updated: instant of the last change, as written
    made_of: digest of the episodes that were grouped
    """

    topics: tuple[Topic, ...] = ()
    retired: tuple[Topic, ...] = ()
    measure: SimilarityMeasure = SimilarityMeasure({}, 1.0, {})
    fields: Mapping[str, Any] = {}
    broken: str = ""
    merged: bool = False
    updated: str = ""
    made_of: str = ""

    def changed(self, **fields: Any) -> StoredTopics:
        """Return a copy with other values. The copy no longer counts as one with conflict marks."""
        kept = {name: getattr(self, name) for name in ("topics", "retired", "measure", "fields", "updated", "made_of")}
        return StoredTopics(**{**kept, **fields})

    @property
    def is_newer(self) -> bool:
        """Whether a newer memorybank wrote the file. It is not unreadable, so it is never set aside or replaced."""
        return self.broken.startswith(NEWER)

    def same(self, other: StoredTopics) -> bool:
        """Return whether these and the other topics give the same file."""
        return body(self) == body(other)


def path_of(layout: Layout) -> str:
    return os.path.join(list_file.folder(layout), NAME)


def read(layout: Layout) -> StoredTopics:
    """Return the content of the file. Never raises for the content. A missing file has no topics."""
    try:
        return parse(disk.read(path_of(layout), MAX_BYTES))
    except FileNotFoundError:
        return StoredTopics()
    except MemorybankError as error:
        return StoredTopics(broken=error.message)


def parse(data: bytes) -> StoredTopics:
    """Return the content that these bytes hold."""
    try:
        ours, *other = union.copies(data, _parsed, "JSON object")
    except ValueError as error:
        return StoredTopics(broken=str(error))
    if not other:
        return ours
    return joined(ours, *other)


def joined(ours: StoredTopics, theirs: StoredTopics) -> StoredTopics:
    """Return our topics with the names of both sides: those that only the other side has become retired topics."""
    known = {topic.persona_label for topic in (*ours.topics, *ours.retired)}
    called = tuple(
        topic.with_fields(cluster_id=f"{topic.id}_other")  # our side may use the same number for a different topic
        for topic in (*theirs.topics, *theirs.retired)
        if topic.persona_label and topic.persona_label not in known
    )
    return ours.changed(retired=(*ours.retired, *called), merged=True)


def refuse_broken(layout: Layout, stored: StoredTopics) -> None:
    """Raise ValidationFailed when the file cannot be parsed, NewerFormat when a newer memorybank wrote it."""
    if stored.is_newer:
        raise NewerFormat(f"{layout.relative(path_of(layout))} {stored.broken}")
    if stored.broken:
        raise ValidationFailed(
            f"{layout.relative(path_of(layout))}: {stored.broken}; nothing was changed",
            next_step="restore the file from git, or run 'memorybank episodes topics update', which keeps it under another name and computes the topics again",
        )


def change(layout: Layout, clock: Clock, edit: Callable[[StoredTopics], StoredTopics], *, renew: bool = False) -> str:
    """Replace the file by the result of `edit`. Return the new name of an unreadable file that was set aside, else "". The caller holds the lock of the
    episodes.

    edit: receives the present content; called again when somebody saves the file in between. The value that it received means no change.
    renew: set an unreadable file aside, instead of raising ValidationFailed
    Raises NewerFormat for a file of a newer memorybank.
    """
    from memorybank.editing.write import update  # imported here because hooks only read

    aside = ""

    def changed(data: bytes | None) -> bytes | None:
        nonlocal aside
        stored = StoredTopics() if data is None else parse(data)
        if stored.is_newer or not renew:
            refuse_broken(layout, stored)
        if stored.broken and data is not None:
            aside = episodes.keep_broken(layout, NAME, data, clock)
            stored = StoredTopics()
        after = edit(stored)
        return data if after is stored and not aside else body(after).encode("utf-8", "replace")

    # Derived from the episodes, except for the names that people gave, which every change keeps.
    update(layout, "memorybank episodes topics", clock, f"{list_file.FOLDER}/{NAME}", changed, is_kept=False)
    return aside


def forget_words(layout: Layout, clock: Clock) -> bool:
    """Remove everything that is derived from the words of episodes, and return whether there was anything.

    Called when a text is purged: its words are in this file too, one by one and normalised, where no search for the text finds them. Members and people's
    names stay; the next update restores the rest. The caller holds the lock of the episodes.
    """

    def bare(topic: Topic) -> Topic:
        return topic.with_fields(auto_label=topic.auto_label if topic.is_fixed else "", summary="", centroid={})

    def forgotten(stored: StoredTopics) -> StoredTopics:
        if not (stored.topics or stored.retired):
            return stored
        topics, retired = tuple(map(bare, stored.topics)), tuple(map(bare, stored.retired))
        return stored.changed(topics=topics, retired=retired, measure=SimilarityMeasure({}, 1.0, {}), made_of="")

    before = read(layout)
    if before.broken or not (before.topics or before.retired):
        return False
    change(layout, clock, forgotten)
    return True


def body(stored: StoredTopics) -> str:
    """Return the content of the file, with one line for each member of a topic, so that git shows what changed."""
    measure = stored.measure
    head = {**stored.fields, "version": VERSION, "last_updated": stored.updated, "episodes_digest": stored.made_of}
    lines = [f"  {jsontext.encode(name)}: {jsontext.encode(value)}" for name, value in head.items()]
    scale = {str(length): list(measure.scale[length]) for length in LENGTHS if length in measure.scale}
    lines.append(f'  "clusters": {_list(stored.topics)}')
    lines.append(f'  "retired": {_list(stored.retired)}')
    lines.append(f'  "scale": {jsontext.encode(scale)}')
    lines.append(f'  "rarest_word": {jsontext.encode(measure.rarest)}')
    lines.append(f'  "words": {jsontext.encode(dict(sorted(measure.weights.items())))}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _list(topics: Sequence[Topic]) -> str:
    shown = []
    for topic in topics:
        members = ",\n".join(f"      {jsontext.encode(name)}: {jsontext.encode(value)}" for name, value in topic.raw.items())
        shown.append(f"    {{\n{members}\n    }}")
    return "[\n" + ",\n".join(shown) + "\n  ]" if shown else "[]"


def _parsed(text: str) -> StoredTopics:
    """Parse the file's text. Raises ValueError with the reason when it does not hold topics."""
    try:
        value = jsontext.decode(text)
    except ValueError as error:
        raise ValueError(f"is not JSON ({error})") from None
    newer = versions.newer(value.get("version")) if isinstance(value, dict) else ""
    if newer:
        raise ValueError(newer)
    if not isinstance(value, dict) or not isinstance(value.get("clusters"), list):
        raise ValueError("has no list of clusters")
    return StoredTopics(
        _topics(value["clusters"]),
        _topics(value.get("retired")),
        _measure(value),
        {name: what for name, what in value.items() if name not in _OURS},
        updated=stored_text(value.get("last_updated")),
        made_of=stored_text(value.get("episodes_digest")),
    )


def _topics(value: object) -> tuple[Topic, ...]:
    return tuple(Topic(raw) for raw in value if isinstance(raw, dict)) if isinstance(value, list) else ()


def _measure(value: Mapping[str, Any]) -> SimilarityMeasure:
    words, rarest, scale = value.get("words"), value.get("rarest_word"), value.get("scale")
    weights = {term: float(weight) for term, weight in words.items() if _is_number(weight)} if isinstance(words, dict) else {}
    found = {}
    for length in LENGTHS:
        pair = scale.get(str(length)) if isinstance(scale, dict) else None
        if isinstance(pair, list) and len(pair) == 2 and all(map(_is_number, pair)):
            found[length] = (float(pair[0]), float(pair[1]))
    return SimilarityMeasure(weights, float(rarest) if isinstance(rarest, int | float) and _is_number(rarest) else 1.0, found)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1_000
