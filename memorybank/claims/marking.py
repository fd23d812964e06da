"""Marks outdated claims in a text, in parentheses right after the statement that contains them."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_END = lazy_pattern(r"(?<!e\.g)(?<!i\.e)[.!?](?=\s|$)[\"'”)]*|[。！？]|(?=\n)|(?=\s\|)|$")
_OF_A_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/@~+")


def with_marks(text: str, marks: Iterable[tuple[str, str]]) -> str:
    """Return a text with the marks of what it names; subjects that it does not contain are left out.

    marks: (subject as written, what to say about it)
    """
    places: dict[int, list[str]] = {}
    for subject, said in marks:
        at = _find(text, subject)
        if at >= 0:
            end = _END.search(text, at + len(subject))
            places.setdefault(end.end() if end is not None else len(text), []).append(said)
    for place in sorted(places, reverse=True):
        # Japanese sentences follow each other without a space.
        before = "" if text[:place].endswith(("。", "！", "？")) else " "
        text = f"{text[:place]}{before}({'; '.join(places[place])}){text[place:]}"
    return text


def names(text: str, subject: str) -> bool:
    """Return whether a text contains a subject as a complete name."""
    return _find(text, subject) >= 0


def _find(text: str, subject: str) -> int:
    """Return the offset of a subject that is not a part of a longer path; -1 when there is none."""
    at = text.find(subject)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(subject) :]
        continues = after[:1] in _OF_A_NAME and after[:1] != "" and not (after[:1] == "/" and after[1:2] not in _OF_A_NAME)
        if (before not in _OF_A_NAME or before == "") and before != "." and not continues and not _continues_after_dot(after):
            return at
        at = text.find(subject, at + 1)
    return -1


def _continues_after_dot(after: str) -> bool:
    return after[:1] == "." and after[1:2] != "" and after[1:2] in _OF_A_NAME
