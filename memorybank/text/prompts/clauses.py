"""The parts of one sentence, of which some may last although the sentence does not: "one remark, good so far: handlers never panic"."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_DONE_TO_IT = r"(?!(?:\w{2,}ed|shown|seen|written|read|broken|given|taken|done|made|found|kept|set|run|was|is|are|the|an?)\b(?! (?:the|an?|it|th\w+)\b))"
"""Does not match a participle: what is never shown or used is described, not ordered."""
_BINDS = (
    rf"(?:(?:never|always) {_DONE_TO_IT}|from now on\b|(?:in (?:the )?future|going forward|remember)\b,? |no more \w|make sure (?:you|to)\b"
    r"|(?:don['’]?t|do not) (?:ever|[^,;]{1,60}\bever\b))"
)
"""Matches the beginning of an order for good."""
_JOINTS = lazy_pattern(
    r"\s[-–—]+\s+|[;:]\s+|(?:…|\.\.\.)\s*"
    rf"|(?P<order>(?:,?\s(?:and|but)|,)\s+(?=(?:please |pls |also |so |and )*{_BINDS})"
    r"|、(?=(?:あと|それと|それから|ちなみに|なお)(?:[、A-Za-zァ-ヶ一-龥]|これから)|(?:今後|これから|以後|次回から|今度から)))"
    r"|,\s+(?=(?:purely|exclusively|strictly|solely) )",
    "i",
)
_FORBIDS = lazy_pattern(
    r"(?:please |also |pls |remember,? )*(?:never(?! \w+(?<!s)s\b)|from now on|no more|make sure (?:you|to)|(?:don['’]?t|do not) ever) "
    r"|[^、]{0,6}(?:今後|これから|以後|次回から|今度から)",
    "i",
)
"""Matches, at the beginning of a part, an order. A verb with an "s" tells what something never does."""


def clauses(sentence: str) -> list[tuple[int, int]]:
    """Return (begin, end) of each part of a sentence, [] if it has only one."""
    joints = list(_JOINTS.finditer(sentence))
    return list(zip([0, *(joint.end() for joint in joints)], [*(joint.start() for joint in joints), len(sentence)], strict=True)) if joints else []


def orders_beside(sentence: str) -> list[tuple[int, int]]:
    """Return (begin, end) of the parts that forbid something whatever the rest of the sentence tells: "CI is red, and never commit to main directly"."""
    ordered = {joint.end() for joint in _JOINTS.finditer(sentence) if joint["order"]}
    return [part for part in clauses(sentence) if part[0] in ordered and _FORBIDS.match(sentence, part[0]) is not None]
