"""What a bank offers to a team: the memories that everybody may see and that a person trusts, redacted; and the others, each with the reason why it stays.

A digest covers exactly what would be sent. It never covers a secret, which somebody could guess from its digest.
"""

from __future__ import annotations

from typing import Protocol

from memorybank.reasons.reason import Reason
from memorybank.team.row import content_digest, storable
from memorybank.text.secrets.redact import MARK, is_plain, redact, strip_private
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


MAX_TEXT_BYTES = 1 << 20
"""Maximum size of a text that is shared."""
MAX_TITLE, MAX_PATH, MAX_TAGS, MAX_TAG = 500, 1_000, 50, 100
"""Maximum numbers of characters of a title, of a path, and of a tag, and the maximum number of tags."""

PRIVATE = Reason("team.private")
NOT_ACCEPTED = Reason("team.not_accepted")
UNREADABLE = Reason("team.unreadable")
SESSION_NOTE = Reason("team.session_note")
EPISODES_OFF = Reason("team.episodes_off")
TOO_LARGE = Reason("team.too_large")


class OfferedMemory(Value):
    """A memory as the server would receive it.

    memory: its id on this machine: `note:KEY`, `archive:ID`, `episode:DATE`
    path: what people call it: the key of the note, or the date
    text: the body, redacted
    digest: of title, tags and text
    created, modified: instants (ms)
    redacted: number of secrets that were replaced by marks
    """

    memory: str
    kind: str
    path: str
    title: str
    text: str
    tags: tuple[str, ...]
    created: int
    modified: int
    digest: str
    redacted: int = 0


class KeptMemory(Value):
    """A memory that stays on this machine. path: as people call it"""

    memory: str
    kind: str
    path: str
    why: Reason


class MemoryVectors(Protocol):
    """The vectors that a bank has of what it shares. model: the name of their embedder on the server, "" without one; dimension: of each vector"""

    model: str
    dimension: int

    def of(self, memory: OfferedMemory) -> bytes | None:
        """Return the packed vectors of a memory's passages; None where one is missing."""


class TeamOffer(Value):
    """What a bank shares, and what it keeps."""

    shared: Sequence[OfferedMemory]
    kept: Sequence[KeptMemory]


def offered(memory: str, kind: str, path: str, title: str, text: str, tags: Sequence[str], created: int, modified: int) -> OfferedMemory | KeptMemory:
    """Return a memory as it would be sent, or kept if it is too large. The caller has checked that it may be shared."""
    if len(text.encode("utf-8", "replace")) > MAX_TEXT_BYTES:
        return KeptMemory(memory, kind, path, TOO_LARGE)
    short = [strip_private(part) for part in (title, path, *tags[:MAX_TAGS])]
    if not is_plain(short):
        short = [redact(part, None) for part in short]
    clean = [storable(part) for part in (redact(strip_private(text), None), *short)]
    text, title, path = clean[0].strip("\n"), clean[1][:MAX_TITLE], clean[2][:MAX_PATH]
    kept = tuple(each[:MAX_TAG] for each in clean[3:])
    redacted = sum(part.count(MARK) for part in clean)
    return OfferedMemory(memory, kind, path, title, text, kept, created, modified, content_digest(title, kept, text), redacted)
