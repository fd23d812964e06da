"""What a fold did to rows, for what follows from it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from memorybank.index.frequencies import Counts


@dataclass(frozen=True, slots=True)
class Content:
    """A note that is new or has another content: its row, digest, git blob, and the file's mtime (ns)."""

    id: int
    key: str
    digest: str
    blob: str
    mtime_ns: int
    fingerprint: Sequence[int]


@dataclass(slots=True)
class Changes:
    """contents: new or changed notes; touched: keys whose file changed but not its content; removed: keys;
    names: link names that a note began or ceased to bear; unlinked: keys that may have lost a link to them;
    terms: how many notes more or fewer hold each term; revision: what changes now is newer than everything rendered before."""

    revision: int
    contents: list[Content] = field(default_factory=list)
    touched: set[str] = field(default_factory=set)
    removed: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    unlinked: set[str] = field(default_factory=set)
    terms: Counts = field(default_factory=Counts)

    def keys(self) -> set[str]:
        return {content.key for content in self.contents} | self.touched | set(self.removed)
