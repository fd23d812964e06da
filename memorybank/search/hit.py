"""What a search hands back, for every type of search alike."""

from typing import NamedTuple


class Hit(NamedTuple):
    """One note or episode (keyword, importance, recent) or one line of one (content).

    key: of the note, `episode:DATE` of an episode; path: as published, or of the list of episodes; importance: 0.0–10.0, None of an episode;
    modified: instant (ms), of an episode the last one of its days; size: bytes; match_type: the type of the search; lines: first and last
    line of the passage, 1-based, in the file, or in the episode's text; snippet: the passage without line ends, cut around what matched;
    marks: [start, end) of each match within the snippet; score: relevance, comparable within one answer only (0.0 where order is by
    something else); archive_id: set for an archived note; kind: `note` or `episode`.
    """

    key: str
    path: str
    title: str
    importance: float | None
    modified: int
    size: int
    match_type: str
    lines: tuple[int, int]
    snippet: str
    marks: tuple[tuple[int, int], ...]
    score: float
    archive_id: str | None = None
    kind: str = "note"

    @property
    def restore(self) -> str | None:
        """The command that brings an archived note back."""
        return f"memorybank archive restore {self.archive_id}" if self.archive_id else None


class Answer(NamedTuple):
    """hits: best first; stale: why something might be missing, or None."""

    query: str
    type: str
    hits: tuple[Hit, ...]
    stale: str | None = None
