"""What one note's importance depends on, and nothing else."""

from typing import NamedTuple


class Evidence(NamedTuple):
    """Facts about one note at one instant. Counts are never negative; instants are ms since the epoch.

    characters: of the body; keyword_hits: important keywords outside code; duplicate_of: the older note it nearly copies,
    with their similarity 0-1; edits: None when neither an edit record nor git history exists; views, recent_edits, shares,
    dwell_minutes: within the access window before `now`; access_known: False while the access log is younger than the
    window; internal, external, backlinks: distinct targets and sources; rating: 0-10, a person's.
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
