"""When a note was created and last modified. The mtime is the last resort, because `git clone` sets it to the time of the clone.

modified: the later of front matter `updated` and the newest observed edit, else the date recorded for this exact content, else git's date
    when HEAD contains this exact content, else the mtime.
created: front matter, else git, else the earliest date recorded for the key, else the mtime; never later than modified.

A date in the future is kept as it is; for the note's age it counts as now.
"""

from typing import NamedTuple

from memorybank import clock
from memorybank.errors import Problem
from memorybank.git import GitDates
from memorybank.notes.note import FrontMatter


class ObservedEdits(NamedTuple):
    """What `log/access.jsonl` says about a note. Dates are instants (ms).

    edits: number of `edit` lines of the key
    last_edit: newest date among them
    recorded: the date recorded for the current digest under any key, so that a renamed note keeps its date
    first: the earliest date recorded for the key
    """

    edits: int = 0
    last_edit: int | None = None
    recorded: int | None = None
    first: int | None = None


class NoteDates(NamedTuple):
    """The dates of a note, as instants (ms).

    source: where `modified` comes from: front_matter, edit, recorded, git or mtime
    """

    created: int
    modified: int
    source: str


def dates(front: FrontMatter, observed: ObservedEdits, git: GitDates | None, mtime: int, blob: str) -> NoteDates:
    """Return the dates of a note.

    mtime: of the file, in ms
    blob: git blob id of its bytes
    """
    modified, source = _modified(front, observed, git, mtime, blob)
    created = next((date for date in (front.created, git.created if git is not None else None, observed.first) if date is not None), mtime)
    return NoteDates(min(created, modified), modified, source)


def _modified(front: FrontMatter, observed: ObservedEdits, git: GitDates | None, mtime: int, blob: str) -> tuple[int, str]:
    said = [(date, source) for date, source in ((front.updated, "front_matter"), (observed.last_edit, "edit")) if date is not None]
    if said:
        return max(said)
    if observed.recorded is not None:
        return observed.recorded, "recorded"
    if git is not None and git.modified is not None and git.blob == blob:
        return git.modified, "git"
    return mtime, "mtime"


def edits(observed: ObservedEdits, git: GitDates | None) -> int | None:
    """Return how often the note was edited after its creation, or None when neither an edit record nor the git history has it."""
    if git is not None and git.commits:
        return max(observed.edits, git.commits - 1)
    return observed.edits or None


def future_problems(key: str, dated: NoteDates, now: int) -> list[Problem]:
    """Return a Problem for each date that is later than `now`."""
    return [
        Problem("date_in_future", key, f"{name} {clock.isoformat(date)} is in the future; for the note's age it counts as now")
        for name, date in (("created", dated.created), ("modified", dated.modified))
        if date > now
    ]
