"""What a fold changed in the rows; the later steps of the fold start from it."""

from collections.abc import Sequence
from typing import NamedTuple

from memorybank.index.frequencies import TermCounts


class ChangedNote(NamedTuple):
    """A note that is new or has a new content: its row id, digest, git blob, and the file's mtime (ns)."""

    id: int
    key: str
    digest: str
    blob: str
    mtime_ns: int
    fingerprint: Sequence[int]


class FoldChanges:
    """The changes of one fold.

    revision: number of this fold; larger than that of everything rendered before.
    contents: new or changed notes.
    touched: keys whose file changed but not its content.
    removed: keys of removed notes.
    names: link names that a note gained or lost.
    unlinked: keys that may have lost a link to them.
    terms: how many more or fewer notes contain each term.
    """

    __slots__ = ("contents", "names", "removed", "revision", "terms", "touched", "unlinked")

    def __init__(self, revision: int) -> None:
        self.revision = revision
        self.contents: list[ChangedNote] = []
        self.touched: set[str] = set()
        self.removed: list[str] = []
        self.names: set[str] = set()
        self.unlinked: set[str] = set()
        self.terms = TermCounts()

    def keys(self) -> set[str]:
        """Keys of all new, changed, touched and removed notes."""
        return {content.key for content in self.contents} | self.touched | set(self.removed)
