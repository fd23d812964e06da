"""One topic as `episodes/topic_clusters.json` stores it."""

from __future__ import annotations

__light__ = True

from memorybank.episodes import dates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Topic:
    """One topic, a cluster of the file. Every attribute is read from `raw`, the JSON object as it is in the file.

    Reading never raises, and unknown members are written back. Names and structure follow the program whose specification this implements
    (`cluster_id`, `auto_label`, `persona_label`, `episode_dates` …). Instead of its `centroid_embedding` there is `centroid`, a mapping of
    words to weights.

    id: `cluster_001`; of a fixed topic `cluster_fixed_01`
    auto_label: derived from its episodes
    persona_label: a person's name for it, "" without one
    episodes: ids of its members
    written: their dates and ranges, in the same order
    summary: a few of their sentences
    middle: the centroid, {term: weight}
    """

    __slots__ = ("auto_label", "episodes", "id", "is_fixed", "middle", "persona_label", "raw", "summary", "written")

    def __init__(self, raw: Any) -> None:
        fields: dict[str, Any] = raw if isinstance(raw, dict) else {}
        self.raw = fields
        self.id = stored_text(fields.get("cluster_id"))
        self.auto_label = stored_text(fields.get("auto_label"))
        self.persona_label = stored_text(fields.get("persona_label"))
        self.summary = stored_text(fields.get("summary"))
        self.is_fixed = fields.get("is_fixed") is True
        self.episodes = stored_texts(fields.get("episode_ids"))
        self.written = stored_texts(fields.get("episode_dates"))
        self.middle = stored_weights(fields.get("centroid"))

    @property
    def label(self) -> str:
        """The name of the topic: a person's name for it, else the derived label."""
        return self.persona_label or self.auto_label or self.id

    @property
    def first(self) -> str:
        """The earliest date, "" without any."""
        return min((first for first, _ in map(dates.parse, self.written) if first), default="")

    @property
    def last(self) -> str:
        """The latest date, "" without any."""
        return max((last for _, last in map(dates.parse, self.written) if last), default="")

    @property
    def size(self) -> int:
        return len(self.written)

    def with_fields(self, **fields: Any) -> Topic:
        """Return a copy with some members replaced."""
        return Topic({**self.raw, **fields})

    def __repr__(self) -> str:
        return f"Topic({self.id!r}, {self.label!r}, {self.size})"


def stored_text(value: Any) -> str:
    """Return a text of the file, "" for anything else."""
    return value if isinstance(value, str) else ""


def stored_texts(value: Any) -> tuple[str, ...]:
    """Return the texts in a list of the file; other items are left out."""
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def stored_weights(value: Any) -> dict[str, float]:
    """Return the weights of a mapping in the file that are above 0 and at most 1."""
    if not isinstance(value, dict):
        return {}
    return {term: float(weight) for term, weight in value.items() if isinstance(weight, int | float) and 0 < weight <= 1}
