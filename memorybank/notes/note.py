"""The values of a Markdown note: the content of one file of `active/`."""

from __future__ import annotations

__light__ = True

from memorybank.errors import Problem
from memorybank.values import NamedTuple


class FrontMatter(NamedTuple):
    """The front-matter keys that have a meaning here, coerced. An invalid value becomes None (or the strictest value) and a Problem.

    topics: as written; `Note.topics` adds the fallbacks
    rating: 0.0–10.0
    created, updated: instants (ms)
    aliases, permalink: other names of the note, as Obsidian and basic-memory write them
    origin: the place from which the note was copied
    supersedes, superseded_by: the notes that this one replaces, and those that replace it, as they are written
    """

    title: str | None = None
    tags: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    rating: float | None = None
    created: int | None = None
    updated: int | None = None
    language: str | None = None
    agent_created: str | None = None
    session_id: str | None = None
    acl: str | None = None
    privacy: str | None = None
    bookmarked: bool = False
    aliases: tuple[str, ...] = ()
    permalink: str | None = None
    origin: str | None = None
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()


class Link(NamedTuple):
    """One distinct link target.

    kind: `link` (relative Markdown target), `wiki` (`[[…]]`), `mention` (a path or file name ending in .md in running text) or `external`
        (`scheme://…` or `mailto:…`)
    target: for `link` and `wiki`, percent-decoded, without fragment, query and alias. For `external`, the entire URL. For `mention`, the
        run of characters that ends in `.md`; in Japanese text it may begin before the name (`targets.resolve` finds the name in it).
    """

    kind: str
    target: str


class Note(NamedTuple):
    """One note.

    key: POSIX path below `active/`
    digest: SHA-256 (hex) of the bytes
    blob: git's blob id (SHA-1 hex)
    size: bytes
    text: the entire file decoded, without a BOM, line ends unchanged; lines are split at `\\n` only
    body: the text after the front matter; `text[: len(text) - len(body)]` is the front-matter block with its fences
    body_line: the 1-based line of `text` where `body` begins
    title: from the front matter, else the first heading, else the file's stem
    topics: from the front matter, else the tags, else the first folder
    has_code: whether it has a fenced code block
    prose: the body without fenced, indented and inline code
    links: distinct, in order of first appearance, without images
    """

    key: str
    digest: str
    blob: str
    size: int
    text: str
    body: str
    body_line: int
    front: FrontMatter
    title: str
    topics: tuple[str, ...]
    headings: tuple[str, ...]
    has_list: bool
    has_code: bool
    prose: str
    links: tuple[Link, ...]
    problems: tuple[Problem, ...]
