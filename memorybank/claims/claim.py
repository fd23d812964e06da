"""A claim: something that a memory names and that can be looked up in the repository. Its state says what the repository answered.

`Vanished` is what git's history removed: a file that was deleted or renamed, a branch that was merged.
"""

from __future__ import annotations

__light__ = True

from memorybank.reasons.reason import Reason
from memorybank.values import Value

PATH, NOTE, COMMIT, BRANCH, COMMAND, VERSION = "path", "note", "commit", "branch", "command", "version"
SYMBOL, VARIABLE, KEY, DATE = "symbol", "variable", "key", "date"
"""Kinds of claims. A note is claimed by a wiki link; a Markdown link claims the path of its destination."""
KINDS = (PATH, NOTE, COMMIT, BRANCH, COMMAND, VERSION, SYMBOL, VARIABLE, KEY, DATE)
NAMES = (SYMBOL, VARIABLE, KEY)
"""Kinds of the names of code."""
HOLDS, MOVED, GONE, CHANGED, EXPIRED, UNKNOWN = "holds", "moved", "gone", "changed", "expired", "unknown"
STATES = (GONE, MOVED, CHANGED, EXPIRED, HOLDS, UNKNOWN)
"""The states, the most urgent first."""
UNTRUE = (GONE, MOVED, CHANGED, EXPIRED)
"""The states of claims that are marked."""
COMMIT_DIGITS = 7
"""Number of hexadecimal digits of a commit in sentences."""


class Vanished(Value):
    """Something that one commit removed.

    kind: `path`, `branch`, `command`, `version`, `symbol` or `key`.
    path: of the file, relative to the repository; the name of a branch; of a definition the file and the name, as in `src/a.py::parse_plan`; of a
        configuration key its parts, as in `upload/timeout`.
    target: the file's new path; "" when it was deleted. For a branch "".
    at: committer date (ms).
    """

    kind: str
    path: str
    target: str
    commit: str
    at: int

    @property
    def name(self) -> str:
        """The last part of the path, or the name of the definition."""
        return self.path.rpartition("/")[2].rpartition("::")[2]


class Claim(Value):
    """Something that a text names.

    subject: as it is written, without what follows the name (`:12`, `#L3`).
    line: 1-based line of the file or text.
    place: what exactly is looked up, where it is not the subject: of a link the path from the repository, of a command its key (`npm:build`), of a version
        the name and the number (`react 17.0`), of a symbol its names and the file (`src/a.py::Client.retry`), of a key its parts (`upload/timeout`),
        of a date what it limits and the day (`until 2026-03-01`).
    """

    kind: str
    subject: str
    line: int
    place: str = ""


class ClaimState(Value):
    """What the repository answered.

    target: where the subject is now, or what is there instead; of a date its last day; "" if nothing is known.
    commit: the commit that made the claim untrue; "" if no commit is known.
    at: date of that commit (ms), or the instant at which a date passes; 0 without one.
    """

    state: str
    target: str = ""
    commit: str = ""
    at: int = 0


UNKNOWN_STATE = ClaimState(UNKNOWN)
HOLDING = ClaimState(HOLDS)


def sentence(claim: Claim, found: ClaimState) -> Reason | None:
    """Return what a reader should know about an untrue claim; None for any other."""
    subject, target, commit = (claim.kind == PATH and claim.place) or claim.subject, found.target, found.commit[:COMMIT_DIGITS]
    if found.state == CHANGED:
        return Reason("claim.changed", name=claim.place.partition(" ")[0], target=target, commit=commit)
    if found.state == EXPIRED:
        return Reason("claim.due", day=target) if claim.place.startswith("due ") else Reason("claim.expired", day=target)
    if found.state == MOVED and claim.kind == SYMBOL and target.endswith(f"::{claim.place.rpartition('::')[2].rpartition('.')[2]}"):
        return Reason("claim.relocated", subject=subject, target=target.rpartition("::")[0], commit=commit)
    if found.state == MOVED:
        return Reason("claim.moved", subject=subject, target=target, commit=commit)
    if found.state != GONE:
        return None
    if claim.kind == BRANCH:
        return Reason("claim.merged", subject=subject, commit=commit)
    if claim.kind in (COMMAND, VERSION, *NAMES):
        return Reason("claim.removed", subject=claim.place.partition(" ")[0] if claim.kind == VERSION else subject, commit=commit)
    return Reason("claim.deleted", subject=subject, commit=commit)
