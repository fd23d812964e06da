"""The front matter of a note: finds the block, reads it with the fast parser or else the YAML library, and coerces its values."""

from typing import NamedTuple

from memorybank.errors import Problem
from memorybank.notes import block as blocks
from memorybank.notes import schema, subset
from memorybank.notes.note import FrontMatter

NONE = FrontMatter()
_BLOCK_LINE = 2
"""Line number of the block's first line; the opening fence is line 1."""
_NO_BLOCK = {
    "unclosed": ("front_matter_unclosed", "a front matter begins here but no line '---' ends it; the entire file is read as body"),
    "too_large": ("front_matter_too_large", f"a front matter begins here but is longer than {blocks.MAX_BLOCK_BYTES} bytes; the entire file is read as body"),
}


class FrontMatterReading(NamedTuple):
    """The result of reading a front matter.

    body_offset: where the body begins in the text; 0 when the entire text is body
    markdown_offset: where Markdown begins; later than the body when a refused block remains part of the body
    """

    front: FrontMatter
    body_offset: int
    problems: list[Problem]
    markdown_offset: int = 0


def read(text: str, path: str) -> FrontMatterReading:
    """Read the front matter of `text` (without a BOM). Never raises.

    path: how Problems name the note
    """
    if not text.startswith("---"):
        return FrontMatterReading(NONE, 0, [])
    found = blocks.find(text)
    if isinstance(found, blocks.MissingBlock):
        if found.reason == "absent":
            return FrontMatterReading(NONE, 0, [])
        code, message = _NO_BLOCK[found.reason]
        return FrontMatterReading(schema.cautious(text[: blocks.MAX_BLOCK_BYTES]), 0, [Problem(code, path, message, 1)], found.after)
    block = text[found.begin : found.end]
    usual = subset.read(block)
    if usual is not None:
        front, problems = schema.coerce(*usual, path, _BLOCK_LINE)
        return FrontMatterReading(front, found.after, problems, found.after)
    return _read_yaml(block, found.after, path)


def _read_yaml(block: str, after: int, path: str) -> FrontMatterReading:
    from memorybank.notes import yaml_reader

    result = yaml_reader.read(block)
    if result is None:
        return FrontMatterReading(NONE, 0, [])  # prose between two horizontal rules
    if isinstance(result, yaml_reader.UnreadableYaml):
        line = result.line + _BLOCK_LINE - 1 if result.line is not None else 1
        problem = Problem(result.code, path, f"front matter: {result.message}; the entire file is read as body", line)
        return FrontMatterReading(schema.cautious(block), 0, [problem], after)
    front, problems = schema.coerce(result.values, result.lines, path, _BLOCK_LINE)
    if result.duplicates:
        front = _protect(front, result.duplicates)
        for key in result.duplicates:
            problems.append(Problem("front_matter_duplicate_key", path, f"{key}: given more than once, so it is ignored", result.lines[key] + _BLOCK_LINE - 1))
    return FrontMatterReading(front, after, problems, after)


def _protect(front: FrontMatter, duplicates: tuple[str, ...]) -> FrontMatter:
    """Use the stricter value of access keys that are given more than once."""
    guard = schema.cautious("", duplicates)
    return front._replace(acl=guard.acl or front.acl, privacy=guard.privacy or front.privacy, bookmarked=guard.bookmarked or front.bookmarked)
