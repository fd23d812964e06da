"""An indexed note as a value, shared by scoring, search, rotation and listings."""

from __future__ import annotations

from memorybank.scoring.importance import ScoreBreakdown
from memorybank.values import Value


class IndexedNote(Value):
    """One note at the index's `now`.

    size: bytes.
    created, modified: instants (ms).
    date_source: the rule that determined `modified`.
    importance: 0.0–10.0, one decimal, equal to `breakdown.total`.
    bookmarked: whether its front matter bookmarks it; the rotation reads bookmarks.json itself.
    source: name of the source that the file belongs to; "" for a note of the bank.
    """

    key: str
    file_id: str
    digest: str
    size: int
    mtime_ns: int
    title: str
    language: str
    tags: tuple[str, ...]
    topics: tuple[str, ...]
    created: int
    modified: int
    date_source: str
    importance: float
    rating: float | None
    bookmarked: bool
    acl: str | None
    privacy: str | None
    agent_created: str | None
    session_id: str | None
    words: int
    duplicate_of: str | None
    breakdown: ScoreBreakdown
    source: str = ""

    def scored(self, breakdown: ScoreBreakdown) -> IndexedNote:
        """Return the note with another score."""
        return self.with_changes(importance=breakdown.total, breakdown=breakdown)
