"""A memory as the server of an organisation stores it, and what a search there finds.

A machine (`origin`) numbers its rows of a repository. It never changes a row: a newer version, and the removal of a memory (`WITHDRAWN`), are rows of their
own with a higher number. What holds of a memory is its row with the highest number.

Words travel as our own tokens with their positions, in the notation of PostgreSQL's `tsvector`, because no text search configuration of PostgreSQL splits
Japanese. Vectors travel as `meaning.vectors` packs them, those of a text's passages one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

from memorybank.meaning.vectors import FACTOR_BYTES
from memorybank.text.words import tokens
from memorybank.values import Value

NOTE, ARCHIVED, LEARNED, EPISODE, WITHDRAWN = "note", "archived", "learned", "episode", "withdrawn"
KINDS = (NOTE, ARCHIVED, LEARNED, EPISODE)
"""The kinds of memories. A row of the kind `WITHDRAWN` removes one."""
ORGANISATION_WIDE = "organisation"
"""The repository whose memories concern every repository of the organisation."""
_TITLE, _TAGS, _BODY = "A", "B", "D"
"""The labels of positions in a `tsvector`: where a token was found."""
_MOST_POSITIONS, _LAST_POSITION = 255, 16_383
"""Limits of a `tsvector`: positions of one token, and the largest one."""
_MOST_TOKENS = 20_000
"""Distinct tokens of a row; the rest of a huge text is not found by words. A `tsvector` takes at most 1 MiB."""


class SharedRow(Value):
    """One row.

    organisation, repository: where it belongs
    origin: the machine that owns it, `<login>.<8 hex>`
    sequence: its number among the rows of this machine in this repository, from 1
    kind: one of `KINDS`, or `WITHDRAWN`
    key: the memory, as a digest that says nothing about it
    path: what people call it; '' if withdrawn
    digest: SHA-256 of its content in hex; '' if withdrawn
    text: redacted Markdown
    created, modified: instants (ms)
    tokens: its words (`tokens_of`)
    vector: the packed vectors of its passages, or None
    dimension: of the vectors
    model: the name of the embedder, or ''
    """

    organisation: str
    repository: str
    origin: str
    sequence: int
    kind: str
    key: str
    path: str = ""
    digest: str = ""
    title: str = ""
    text: str = ""
    tags: tuple[str, ...] = ()
    created: int = 0
    modified: int = 0
    tokens: tuple[str, ...] = ()
    vector: bytes | None = None
    dimension: int = 0
    model: str = ""

    @property
    def is_withdrawn(self) -> bool:
        return self.kind == WITHDRAWN

    @property
    def vectors(self) -> tuple[bytes, ...]:
        """The packed vectors of the passages, one by one."""
        if not self.vector or not self.dimension:
            return ()
        size = FACTOR_BYTES + self.dimension
        return tuple(self.vector[at : at + size] for at in range(0, len(self.vector), size))


def withdrawn(row: SharedRow, sequence: int, now: int) -> SharedRow:
    """Return the row that removes the memory of `row`: its key alone. now: instant (ms)"""
    return SharedRow(row.organisation, row.repository, row.origin, sequence, WITHDRAWN, row.key, modified=now)


def content_digest(title: str, tags: Iterable[str], text: str) -> str:
    """Return the SHA-256 of a content in hex."""
    return sha256("\0".join((title, "\1".join(tags), text)).encode("utf-8", "surrogatepass")).hexdigest()


def tokens_of(title: str, tags: Sequence[str], text: str) -> tuple[str, ...]:
    """Return the tokens of a memory with their positions, each as an element of a `tsvector`: `'retri':1A,7`."""
    places: dict[str, list[str]] = {}
    at = 0
    for part, label in ((title, _TITLE), (" \n ".join(tags), _TAGS), (text, _BODY)):
        for token in tokens.read(part).indexed.split(" "):
            at += 1
            if not token or token == "\n":
                continue
            found = places.get(token)
            if found is None:
                if len(places) == _MOST_TOKENS:
                    continue
                found = places[token] = []
            if len(found) < _MOST_POSITIONS and at <= _LAST_POSITION:
                found.append(f"{at}{label}" if label != _BODY else str(at))
    return tuple(f"{quoted(token)}:{','.join(found)}" if found else quoted(token) for token, found in sorted(places.items()))


def storable(text: str) -> str:
    """Return a text with characters that every database accepts: what PostgreSQL stores in no text becomes U+FFFD."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def quoted(token: str) -> str:
    """Return a token as PostgreSQL reads it in a `tsvector` or `tsquery`."""
    return "'" + token.replace("\\", "\\\\").replace("'", "''") + "'"


class TeamHit(Value):
    """A memory that a search found.

    row: without tokens and vectors
    lines: first and last line of its best passage in the text, 0-based, or None
    found_by: `words`, `meaning` or `both`
    is_weak: whether it contains less than half of what the query asks for
    origins: the machines that share the same content
    """

    row: SharedRow
    score: float
    lines: tuple[int, int] | None = None
    found_by: str = ""
    is_weak: bool = False
    origins: tuple[str, ...] = ()

    @property
    def excerpt(self) -> str:
        """The lines of the best passage, or the beginning of the text."""
        written = self.row.text.split("\n")
        first, last = self.lines or (0, 4)
        return "\n".join(written[first : last + 1])


class OriginStatus(Value):
    """One machine in one repository, as far as the caller may see it. last: its highest sequence; rows: what it shares now"""

    origin: str
    repository: str
    rows: int
    last: int
    is_revoked: bool = False


class TeamStatus(Value):
    """What the server says about itself and the caller.

    version: of the schema
    user: the role that is logged in
    repositories: {repository: what the caller may do there: `read` or `write`}
    rows: memories that the caller may see
    """

    version: int
    user: str
    repositories: dict[str, str]
    rows: int
    origins: tuple[OriginStatus, ...]

    def last_sequence(self, repository: str, origin: str) -> int:
        """Return the highest number that a machine used in a repository; 0 if it used none."""
        return max((one.last for one in self.origins if (one.repository, one.origin) == (repository, origin)), default=0)

    def to_json(self) -> dict[str, Any]:
        return {**self.as_dict(), "origins": [one.as_dict() for one in self.origins]}
