"""When a note was created and last modified. Committed evidence comes first, so that a note has the same age in every clone.

modified: the first of these that is known.
    1. `dates.jsonl`, for exactly this content
    2. front matter `updated`, or the last commit that changed the note after the one that added it, whichever is later
    3. git's date, when HEAD contains exactly this content and the history is complete
    4. for content that is not committed: the newest edit that was observed here, the date recorded for this content, the mtime
    5. in a shallow clone that hides the last change: the date of the commit at its border. The note is at least that old
created: front matter, else `dates.jsonl`, else git, else the earliest date recorded for the key, else the mtime; never later than modified.

The mtime is the last resort, because `git clone` sets it to the time of the clone. A date in the future is kept as it is; for the note's age it
counts as now.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock
from memorybank.errors import Problem
from memorybank.notes.date_record import MTIME, RECORDED, SHALLOW
from memorybank.notes.note import FrontMatter
from memorybank.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.notes.git_dates import GitDates


class ObservedEdits(NamedTuple):
    """The edits of a note according to `log/access.jsonl`. Dates are instants (ms).

    edits: number of `edit` lines of the key
    last_edit: newest date among them
    recorded: the date recorded for the key with its current digest
    first: the earliest date recorded for the key
    """

    edits: int = 0
    last_edit: int | None = None
    recorded: int | None = None
    first: int | None = None


class CommittedDates(NamedTuple):
    """The dates of a note according to `dates.jsonl`, as instants (ms).

    modified: None when its lines are about other versions of the note
    edits: number of edits when that line, or the newest line about another version, was written; None when unknown
    """

    created: int | None = None
    modified: int | None = None
    edits: int | None = None


NOT_COMMITTED = CommittedDates()


class NoteDates(NamedTuple):
    """The dates of a note, as instants (ms).

    source: source of `modified`: committed (`dates.jsonl`), front_matter, git, edit, recorded, mtime, or shallow (at least that old)
    """

    created: int
    modified: int
    source: str


def dates(front: FrontMatter, observed: ObservedEdits, git: GitDates | None, mtime: int, blob: str, committed: CommittedDates = NOT_COMMITTED) -> NoteDates:
    """Return the dates of a note.

    mtime: modification time of the file (ms)
    blob: git blob id of its bytes
    """
    modified, source = _modified(front, observed, git, mtime, blob, committed)
    said = (front.created, committed.created, git.created if git is not None else None, observed.first)
    created = next((date for date in said if date is not None), mtime)
    return NoteDates(min(created, modified), modified, source)


def _modified(front: FrontMatter, observed: ObservedEdits, git: GitDates | None, mtime: int, blob: str, committed: CommittedDates) -> tuple[int, str]:
    if committed.modified is not None:
        return committed.modified, "committed"
    in_head = git if git is not None and git.blob == blob else None
    edit: tuple[int | None, str] = (observed.last_edit, "edit")
    if in_head is not None:
        # What HEAD contains has the date of its commit in every clone, whenever it was saved here.
        edit = (in_head.modified if in_head.commits > 1 else None, "git")
    known = [(date, source) for date, source in ((front.updated, "front_matter"), edit) if date is not None]
    if known:
        return max(known)
    if in_head is not None and in_head.modified is not None:
        return in_head.modified, "git"
    if in_head is not None and in_head.latest is not None:
        return in_head.latest, SHALLOW
    if observed.recorded is not None:
        return observed.recorded, RECORDED
    return mtime, MTIME


def edits(observed: ObservedEdits, git: GitDates | None, committed: CommittedDates = NOT_COMMITTED) -> int | None:
    """Return the number of edits after the note's creation, or None when neither a record of edits nor git history exists."""
    if committed.modified is not None:
        return committed.edits
    known = [observed.edits] if observed.edits else []
    if git is not None and git.commits:
        known.append(git.commits - 1)
    if committed.edits is not None:
        known.append(committed.edits)
    return max(known, default=None)


def future_problems(key: str, dated: NoteDates, now: int) -> list[Problem]:
    """Return a Problem for each date that is later than `now`."""
    return [
        Problem("date_in_future", key, f"{name} {clock.isoformat(date)} is in the future; for the note's age it counts as now")
        for name, date in (("created", dated.created), ("modified", dated.modified))
        if date > now
    ]
