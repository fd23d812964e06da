"""Where the front matter of a text lies: between a first line `---` and the next line `---`.

The one rule for reading and for editing. Lines end at `\\n` (a `\\r` before it belongs to the line end); a BOM was removed.
"""

import re
from typing import NamedTuple

MAX_BLOCK_BYTES = 16 * 1024
"""A block over this is body: YAML of any size is a way to keep a parser busy."""

_WINDOW = MAX_BLOCK_BYTES + 64
"""Characters in which the closing fence is looked for; a block has at most as many characters as bytes."""
_OPENING = re.compile(r"---[ \t]*\r?\n")
_CLOSING = re.compile(r"^---[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
_LOOKS_LIKE_MAPPING = re.compile(r"\s*(?:#[^\n]*\n\s*)*[A-Za-z_][\w-]*[ \t]*:(?:[ \t\r\n]|\Z)")


class Block(NamedTuple):
    """begin, end: the characters between the fences; after: where the body begins, all offsets into the text."""

    begin: int
    end: int
    after: int


class NoBlock(NamedTuple):
    """Why there is none: `absent`, `unclosed` or `too_large`; the whole text is body. after: where Markdown begins in it."""

    reason: str
    after: int = 0


def find(text: str) -> Block | NoBlock:
    """The front-matter block of `text`, its content not yet judged."""
    opening = _OPENING.match(text)
    if opening is None:
        return NoBlock("absent")
    begin = opening.end()
    closing = _CLOSING.search(text, begin, begin + _WINDOW)
    if closing is not None and closing.end() == begin + _WINDOW:
        closing = _CLOSING.match(text, closing.start())  # the window's end was no end of the text
    if closing is not None and len(text[begin : closing.start()].encode("utf-8", "surrogatepass")) <= MAX_BLOCK_BYTES:
        return Block(begin, closing.start(), closing.end())
    if _LOOKS_LIKE_MAPPING.match(text, begin, begin + MAX_BLOCK_BYTES) is None:
        return NoBlock("absent")  # a thematic break above prose
    closing = _CLOSING.search(text, begin)
    return NoBlock("unclosed") if closing is None else NoBlock("too_large", closing.end())
