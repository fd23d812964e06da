"""Divides text of people and agents into sentences, without Markdown and code, in English and Japanese."""

from __future__ import annotations

__light__ = True

from memorybank.text.emphasis import without_emphasis
from memorybank.text.pattern import lazy_pattern

_END = lazy_pattern(
    r"(?<=\S[.!])\s+|(?<=\?)\s+|(?<=[.!?][\"'”’)\]])\s+"  # at blanks after an English sentence
    r"|(?<=[。！？])(?![。！？!?）」』】]|\s*$)|(?<=[。！？][）」』】])(?!から|[とっのなはがをにでも、。）」』】])"  # after a Japanese sentence
)
_ABBREVIATION = lazy_pattern(r"(?:\b(?:[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|etc|cf|approx|No|Fig|e\.g|i\.e|a\.m|p\.m)\.)$")
_FENCE = ("```", "~~~")
_MARK = lazy_pattern(r"^(?:#{1,6}\s+|>\s?|[-*+]>?\s+|\d{1,3}[.)]\s+|・\s*|[✅✔☑✓]\ufe0f?\s*)+")
_LINK = lazy_pattern(r"!?\[([^\]\n]{0,400})\]\([^)\n]{0,400}\)")
_NUMBER = lazy_pattern(r"(?:^|(?<=[\s。]))\d{1,2}[.)]\s")
"""The number of an item, in a list that was put on one line."""
_CELLS, _CODE = lazy_pattern(r"(?<!\|)\|(?!\|)"), lazy_pattern(r"`[^`\n]{1,400}`")
_BAR = "\ue000"
"""Stands for the sign between cells in code while a row is divided."""
_RULER = frozenset("-=*_~|:+—– \t")


def cut(text: str) -> list[str]:
    """Return the sentences in order, each on one line. A line end ends a sentence, and a heading ends with a colon. Fenced code, rulers and table borders are
    left out."""
    found: list[str] = []
    fence = ""
    heading_at: int | None = None
    for line in text.split("\n"):
        line = line.strip()
        if fence or line.startswith(_FENCE):
            fence = "" if fence and line.startswith(fence) else fence or line[:3]
            continue
        if line and not _RULER.issuperset(line):
            heading_at = len(found) if _is_row(line) else None
            for part in _plain(line).split("\n"):
                found += _of_line(part)
        elif heading_at is not None and "-" in line:  # the line above the ruler of a table holds the names of its columns
            del found[heading_at:]
            heading_at = None
    return found


def _plain(line: str) -> str:
    """Return a line without Markdown. The items of a list that was put on one line are separated by line ends."""
    is_heading = line.startswith("#") and line[-1:].isalnum()
    line = f"{_MARK.sub('', line)}:" if is_heading else _MARK.sub("", line)
    if "](" in line:
        line = _LINK.sub(r"\1", line)
    if _is_row(line):
        line = _row(line)
    if len(_NUMBER.findall(line)) > 1:
        line = _NUMBER.sub("\n", line)
    return without_emphasis(line)


def _is_row(line: str) -> bool:
    """Return whether a line is a row of a table. Code may contain the sign between cells: `a || b`."""
    return line.count("|") > 1 and len(_CELLS.findall(_CODE.sub("", line))) > 1


def _row(line: str) -> str:
    """Return a row of a table as `first cell: other cells`."""
    kept = _CODE.sub(lambda code: code[0].replace("|", _BAR), line.strip("| "))
    first, *others = (cell.replace(_BAR, "|") for cell in map(str.strip, _CELLS.split(kept)) if cell and not _RULER.issuperset(cell))
    return f"{first.rstrip(':')}: {', '.join(others)}" if others else first


def _of_line(line: str) -> list[str]:
    """Return the sentences of one line. A full stop of an abbreviation or in code (`COPY . .`) does not end one."""
    parts: list[str] = []
    is_paired, is_code = line.count("`") % 2 == 0, False
    for part in _END.split(line):
        goes_on, is_code = is_code, is_code ^ (is_paired and part.count("`") % 2 == 1)
        if parts and (goes_on or _ABBREVIATION.search(parts[-1])):
            parts[-1] += " " + part
        elif part:
            parts.append(part)
    return [part for part in (" ".join(part.split()) for part in parts) if part]


def shortened(text: str, limit: int) -> str:
    """Return at most `limit` characters: complete sentences if the first one fits, else the beginning cut at a word, with a mark of omission."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    kept = ""
    for sentence in _of_line(text):
        longer = f"{kept}{'' if not kept or kept[-1] in '。！？」』）】' else ' '}{sentence}"
        if len(longer) > limit:
            break
        kept = longer
    if kept:
        return kept
    return clipped(text, limit)


def clipped(text: str, limit: int) -> str:
    """Return at most `limit` characters, cut at a word, with a mark of omission."""
    if len(text) <= limit:
        return text
    head = text[: max(0, limit - 1)]
    blank = head.rfind(" ")
    return (head[:blank] if blank > limit * 2 // 3 else head).rstrip(" ,;:、") + "…" if limit > 0 else ""
