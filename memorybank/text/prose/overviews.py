"""Overviews: passages that go through the parts of a project, one clause for each ("crc.rs has the checksum, walk.rs collects the files, …").

An overview has something in common with every file and many prompts, and answers only who asks how the project is built.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prose.passages import SENTENCE_END

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

LEAST_PARTS = 4
_LEAST_FILES = 3
_LONGEST_CLAUSE = 160
_PART = lazy_pattern(
    r"(?<![\w/.@~*{}-])(?:[\w-]{1,60}/){0,8}[\w-]{1,60}\.[A-Za-z][A-Za-z0-9]{0,4}(?![\w/(-]|\.\w)|(?<![\w/.-])[a-z][\w-]{1,60}/(?![\w*])|`[\w-]{2,40}`"
)
"""A file, a folder with a slash after it, or a name in backticks."""
_CLAUSE_END = lazy_pattern(r"(?:[,;] (?:and |while |whereas |but )?|[、；。]|[.!?](?=\s|$)(?:\s+|$)| [-–—] (?=`|\w[\w/-]*\.\w)|\n)")
_WORD = lazy_pattern(r"[A-Za-z0-9_./-]+")
_CHANGED = lazy_pattern(
    r"\b(?:added|changed|fixed|moved|renamed|removed|updated|deleted|created|wrote|rewrote|replaced|split|extracted|now|no longer|instead)\b"
    r"|ました|直し|変え|変更|追加|消し|削除|移し|なりました",
    "i",
)
"""Matches what a session did."""


def is_overview(text: str) -> bool:
    """Return whether a text goes through at least `LEAST_PARTS` parts, each in a clause of its own."""
    if text.count(".") + text.count("/") + text.count("`") < LEAST_PARTS or _CHANGED.search(text) is not None:
        return False
    told = [found for clause in clauses(text) if len(clause) <= _LONGEST_CLAUSE and len(found := {*_PART.findall(clause)}) == 1]
    parts = set().union(*told)
    return len(parts) >= LEAST_PARTS and sum(not part.startswith("`") for part in parts) >= _LEAST_FILES


def without_overviews(text: str) -> str:
    """Return a text without the sentences of its overviews that name a part."""
    if text.count(".") + text.count("/") + text.count("`") < LEAST_PARTS:
        return text
    blocks = text.split("\n\n")
    return "\n\n".join(_without_parts(block) if is_overview(block) else block for block in blocks)


def _without_parts(block: str) -> str:
    return "\n".join(sentence for line in block.split("\n") for sentence in SENTENCE_END.split(line) if _PART.search(sentence) is None)


def names(text: str) -> set[str]:
    """Return the words of a text that may name a part: its runs of ASCII letters, digits and signs of file names, in lower case, without folders."""
    return {word.strip(".-").rpartition("/")[2].lower() for word in _WORD.findall(text)}


def clauses(text: str) -> list[str]:
    """Return the clauses of a text, without the signs between them."""
    return [part.strip() for part in _CLAUSE_END.split(text) if part and part.strip()]


def parts_in(text: str) -> list[str]:
    """Return the parts that a text names, without backticks and a slash at the end, each once."""
    return list(dict.fromkeys(part.strip("`/") for part in _PART.findall(text)))


def about(text: str, names: Collection[str]) -> str:
    """Return the clauses of an overview about one of these names, "" for none. A name is compared by its last part."""
    wanted = {name.rpartition("/")[2].lower() for name in names}
    chosen = [clause for clause in clauses(text) if any(part.rpartition("/")[2].lower() in wanted for part in parts_in(clause))]
    between, end = (", ", ".") if text.isascii() else ("、", "。")
    return between.join(chosen) + end if chosen else ""
