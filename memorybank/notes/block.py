"""Where the front matter of a text lies: between a first line `---` and the next line `---`.

The one rule for reading and for editing. Lines end at `\\n` (a `\\r` before it belongs to the line end); a BOM was removed.
"""

import re
from dataclasses import dataclass

MAX_BLOCK_BYTES = 16 * 1024
"""A block over this is body: YAML of any size is a way to keep a parser busy."""

_OPENING = re.compile(r"---[ \t]*\r?\n")
_CLOSING = re.compile(r"^---[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
_LOOKS_LIKE_MAPPING = re.compile(r"\s*(?:#[^\n]*\n\s*)*[A-Za-z_][\w-]*[ \t]*:(?:[ \t\r\n]|\Z)")


@dataclass(frozen=True, slots=True)
class Block:
    """begin, end: the characters between the fences; after: where the body begins, all offsets into the text."""

    begin: int
    end: int
    after: int


@dataclass(frozen=True, slots=True)
class NoBlock:
    """Why there is none: `absent`, `unclosed`, or `too_large` (closed, or not within the cap). The whole text is body."""

    reason: str


def find(text: str) -> Block | NoBlock:
    """The front-matter block of `text`, its content not yet judged."""
    opening = _OPENING.match(text)
    if opening is None:
        return NoBlock("absent")
    begin = opening.end()
    closing = _CLOSING.search(text, begin, begin + MAX_BLOCK_BYTES + 8)
    if closing is not None and closing.end() == begin + MAX_BLOCK_BYTES + 8:
        closing = _CLOSING.match(text, closing.start())  # what stood at the window's end was no end of text
    if closing is not None and len(text[begin : closing.start()].encode("utf-8", "surrogatepass")) <= MAX_BLOCK_BYTES:
        return Block(begin, closing.start(), closing.end())
    if _LOOKS_LIKE_MAPPING.match(text, begin, begin + MAX_BLOCK_BYTES) is None:
        return NoBlock("absent")  # a thematic break above prose
    return NoBlock("unclosed" if closing is None and len(text) - begin <= MAX_BLOCK_BYTES else "too_large")
