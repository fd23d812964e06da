"""The values of a Markdown note: what a file of `active/` says, read without judging it."""

from typing import NamedTuple

from memorybank.errors import Problem


class FrontMatter(NamedTuple):
    """The front-matter keys that mean something here, coerced; an odd value is None (or the cautious value) and a Problem.

    topics are as written (`Note.topics` has the fallback); rating is 0.0–10.0; created and updated are instants (ms).
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


class Link(NamedTuple):
    """One distinct target as written.

    kind: `link` (relative Markdown target), `wiki` (`[[…]]`), `mention` (a path or file name ending in .md in running
    text) or `external` (`scheme://…` or `mailto:…`).
    target: percent-decoded, without fragment, query and alias, for `link` and `wiki`; the whole URL for `external`; for
    `mention` the run of characters that ends in `.md`, which in Japanese text may begin before the name (`targets.resolve`
    finds the name in it).
    """

    kind: str
    target: str


class Note(NamedTuple):
    """One note. key: POSIX path below `active/`; digest: SHA-256 hex of the bytes; blob: git's blob id (SHA-1 hex); size: bytes.

    text: the whole file decoded, without a BOM, line ends untouched; lines are split at `\\n` only.
    body: the text after the front matter; `text[: len(text) - len(body)]` is the front-matter block with its fences.
    body_line: the 1-based line of `text` where `body` begins.
    title: front matter, else the first heading, else the file's stem. topics: front matter, else tags, else the first folder.
    has_code: a fenced code block. prose: the body without fenced, indented and inline code.
    links: distinct, in order of first appearance, images left out.
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
