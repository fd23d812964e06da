"""Where the front matter of a text is: between a first line `---` and the next line `---`.

Reading and editing share this one rule. Lines end at `\\n` (a `\\r` before it belongs to the line end), and a BOM has been removed.
"""

import re
from typing import NamedTuple

MAX_BLOCK_BYTES = 16 * 1024
"""A larger block counts as body, because a large YAML document could keep a parser busy."""

_WINDOW = MAX_BLOCK_BYTES + 64
"""Number of characters in which the closing fence is searched. A block has at most as many characters as bytes."""
_OPENING = re.compile(r"---[ \t]*\r?\n")
_CLOSING = re.compile(r"^---[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
_LOOKS_LIKE_MAPPING = re.compile(r"\s*(?:#[^\n]*\n\s*)*[A-Za-z_][\w-]*[ \t]*:(?:[ \t\r\n]|\Z)")


class FrontMatterBlock(NamedTuple):
    """Offsets into the text, in characters.

    begin, end: the text between the fences
    after: where the body begins
    """

    begin: int
    end: int
    after: int


class MissingBlock(NamedTuple):
    """There is no front matter, and the entire text is body.

    reason: `absent`, `unclosed` or `too_large`
    after: offset where Markdown begins
    """

    reason: str
    after: int = 0


def find(text: str) -> FrontMatterBlock | MissingBlock:
    """Return where the front-matter block of `text` is. Its content is not checked."""
    opening = _OPENING.match(text)
    if opening is None:
        return MissingBlock("absent")
    begin = opening.end()
    closing = _CLOSING.search(text, begin, begin + _WINDOW)
    if closing is not None and closing.end() == begin + _WINDOW:
        closing = _CLOSING.match(text, closing.start())  # `\Z` matched the end of the window, not of the text
    if closing is not None and len(text[begin : closing.start()].encode("utf-8", "surrogatepass")) <= MAX_BLOCK_BYTES:
        return FrontMatterBlock(begin, closing.start(), closing.end())
    if _LOOKS_LIKE_MAPPING.match(text, begin, begin + MAX_BLOCK_BYTES) is None:
        return MissingBlock("absent")  # a horizontal rule above prose
    closing = _CLOSING.search(text, begin)
    return MissingBlock("unclosed") if closing is None else MissingBlock("too_large", closing.end())
