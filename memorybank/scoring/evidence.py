"""The evidence of one note: everything that its importance depends on."""

from typing import NamedTuple


class ScoreEvidence(NamedTuple):
    """Facts about one note at one instant. Counts are never negative.

    characters: length of the body.
    keyword_hits: occurrences of important keywords outside code.
    duplicate_of: key of the older note that it nearly repeats.
    similarity: similarity of those two notes, 0-1.
    created, modified: instants, ms since the epoch.
    edits: number of edits; None when neither an edit record nor git history exists.
    views (helpful recalls included), recent_edits, shares, dwell_minutes: uses within the access window before `now`.
    access_known: False while the access log is younger than the window.
    internal, external: number of distinct link targets.
    backlinks: number of notes that link to it.
    rating: a person's rating, 0-10, or None.
    shown: number of days within that window on which recall showed the note.
    sentences, statements, specifics, kind: the substance of its text (`text.substance`).
    """

    characters: int
    has_headings: bool
    has_lists: bool
    has_code: bool
    has_links: bool
    keyword_hits: int
    duplicate_of: str | None
    similarity: float
    created: int
    modified: int
    edits: int | None
    views: int
    recent_edits: int
    shares: int
    dwell_minutes: float
    access_known: bool
    internal: int
    external: int
    backlinks: int
    rating: float | None
    bookmarked: bool
    shown: int = 0
    sentences: int = 0
    statements: int = 0
    specifics: int = 0
    kind: int = 0
