"""What a search hands back, for every type of search alike."""

from typing import NamedTuple


class Hit(NamedTuple):
    """One note (keyword, importance, recent) or one line of one (content).

    key: of the note; path: as published, or of the archive object; importance: 0.0–10.0; modified: instant (ms); size:
    bytes; match_type: the type of the search; lines: first and last line of the passage, 1-based, in the file; snippet: the
    passage without line ends, cut around what matched; marks: [start, end) of each match within the snippet; score:
    relevance, comparable within one answer only (0.0 where order is by something else); archive_id: set for an archived note.
    """

    key: str
    path: str
    title: str
    importance: float
    modified: int
    size: int
    match_type: str
    lines: tuple[int, int]
    snippet: str
    marks: tuple[tuple[int, int], ...]
    score: float
    archive_id: str | None = None

    @property
    def restore(self) -> str | None:
        """The command that brings an archived note back."""
        return f"memorybank archive restore {self.archive_id}" if self.archive_id else None


class Answer(NamedTuple):
    """hits: best first; stale: why a note changed just now might be missing, or None."""

    query: str
    type: str
    hits: tuple[Hit, ...]
    stale: str | None = None
