"""What a fold did to rows, for what follows from it."""

from collections.abc import Sequence
from typing import NamedTuple

from memorybank.index.frequencies import Counts


class Content(NamedTuple):
    """A note that is new or has another content: its row, digest, git blob, and the file's mtime (ns)."""

    id: int
    key: str
    digest: str
    blob: str
    mtime_ns: int
    fingerprint: Sequence[int]


class Changes:
    """contents: new or changed notes; touched: keys whose file changed but not its content; removed: keys;
    names: link names that a note began or ceased to bear; unlinked: keys that may have lost a link to them;
    terms: how many notes more or fewer hold each term; revision: what changes now is newer than everything rendered before."""

    __slots__ = ("contents", "names", "removed", "revision", "terms", "touched", "unlinked")

    def __init__(self, revision: int) -> None:
        self.revision = revision
        self.contents: list[Content] = []
        self.touched: set[str] = set()
        self.removed: list[str] = []
        self.names: set[str] = set()
        self.unlinked: set[str] = set()
        self.terms = Counts()

    def keys(self) -> set[str]:
        return {content.key for content in self.contents} | self.touched | set(self.removed)
