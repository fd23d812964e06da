"""Splits Markdown into the sentences that state something. Code blocks, comments and quoted passages state nothing about the repository.

The scanner is linear and knows only what separates statements. It serves hooks, which load no Markdown library, and notes alike.
"""

from __future__ import annotations

__light__ = True


from memorybank.claims.past import is_of_the_past
from memorybank.text.pattern import lazy_pattern
from memorybank.values import Value, lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MOST_CHARACTERS = 1 << 20
"""Maximum number of characters of a text that are searched for claims."""
_LONGEST_BLOCK = 20_000
_LONGEST_COMMAND = 1_000
SHELL = -1
"""What `blocks` yields in place of a level for a line of shell."""
Block = tuple[str, int, int]
"""(text, line on which it begins, level of the heading, 0 or `SHELL`)"""
_SHELLS = frozenset(("sh", "bash", "zsh", "shell", "console", "shell-session"))
"""Languages of code blocks that contain commands."""
_HEADING = lazy_pattern(r" {0,3}(#{1,6})\s")
_ITEM = lazy_pattern(r"\s*(?:[-*+•・]|\d{1,3}[.)])\s")
_FENCE = lazy_pattern(r"\s*(?:>\s*)*(`{3,}|~{3,})")
_END = lazy_pattern(r"[.!?。！？](?:(?<=[。！？])|\s+)")
"""The end of a sentence. A search skips to the next character of the set."""


class Sentence(Value):
    """A sentence of a text, or a line of a shell.

    line: 1-based, the line on which it begins.
    is_shell: whether it is a line of a code block with shell commands.
    """

    text: str
    line: int
    is_shell: bool = False


def sentences(found: Iterable[Block], is_needed: Callable[[str], bool]) -> Iterator[Sentence]:
    """Yield the sentences of the blocks of a text in order, without sections and lists that are announced as being about the past.

    is_needed: returns whether a block has to be split into sentences
    """
    level = 0  # of the heading whose section is about the past; 0 for none
    is_list_of_past = False
    for block, line, heading in found:
        if heading > 0:
            if not level or heading <= level:
                level = heading if is_of_the_past(block) else 0
            is_list_of_past = False
            continue
        if heading == SHELL:
            if not level:
                yield Sentence(block, line, True)
            continue
        is_item = _ITEM.match(block) is not None
        if level or (is_list_of_past and is_item):
            continue
        # A sentence such as "Removed in this release:" is about the list that follows it.
        is_list_of_past = block.rstrip().endswith((":", "：")) and is_of_the_past(block)
        for sentence, at in parts(block) if is_needed(block) else ():
            yield Sentence(sentence, line + block.count("\n", 0, at), False)


@lru_cache(maxsize=64)
def parts(block: str) -> tuple[tuple[str, int], ...]:
    """Return (sentence, its offset) of the sentences of a block. Two readers ask for those of the same blocks."""
    return tuple(cut_at([match.end() for match in _END.finditer(block)], block))


def cut_at(ends: Iterable[int], text: str) -> Iterator[tuple[str, int]]:
    """Yield (part with the white space after it, its offset) of a text that is cut at these places."""
    begin = 0
    for end in (*ends, len(text)):
        part = text[begin:end].lstrip()
        if part:
            yield part, end - len(part)
        begin = end


def blocks(text: str, first_line: int = 1) -> Iterator[Block]:
    """Yield paragraphs, list items, rows of tables, headings and lines of shell, without other code and comments.

    first_line: line of the file at which the text begins
    """
    fence, is_comment, is_shell = "", False, False
    lines: list[str] = []
    begun = first_line
    size = 0
    for number, line in enumerate(text[:MOST_CHARACTERS].split("\n"), first_line):
        if line[:1].isalpha() and not fence and not is_comment:
            # Nothing special begins with a letter; most lines of prose do.
            if lines and size + len(line) > _LONGEST_BLOCK:
                yield "\n".join(lines), begun, 0
                lines, size = [], 0
            begun = begun if lines else number
            lines.append(line[:_LONGEST_BLOCK])
            size += len(line)
            continue
        mark = _FENCE.match(line)
        if fence:
            if mark is not None and mark[1].startswith(fence):
                fence = ""
            elif is_shell and line.strip():
                yield line.strip().removeprefix("$ ")[:_LONGEST_COMMAND], number, SHELL
            continue
        if is_comment:
            is_comment = "-->" not in line
            continue
        heading = _HEADING.match(line)
        is_item = _ITEM.match(line) is not None
        is_row = line.lstrip().startswith("|")
        is_comment = line.startswith("<!--")
        ends = mark is not None or heading is not None or is_row or is_item or is_comment or not line.strip() or line.startswith(">")
        if lines and (ends or size + len(line) > _LONGEST_BLOCK):
            yield "\n".join(lines), begun, 0
            lines, size = [], 0
        if mark is not None:
            fence = mark[1]
            is_shell = line[mark.end() :].strip().lower() in _SHELLS
        elif is_comment:
            is_comment = "-->" not in line
        elif heading is not None:
            yield line, number, len(heading[1])
        elif is_row:
            yield line[:_LONGEST_BLOCK], number, 0
        elif is_item or (not ends and (lines or not line.startswith(("    ", "\t")))):
            begun = begun if lines else number
            lines.append(line[:_LONGEST_BLOCK])
            size += len(line)
    if lines:
        yield "\n".join(lines), begun, 0
