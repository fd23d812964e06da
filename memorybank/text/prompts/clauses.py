"""The parts of one sentence, of which some may last although the sentence does not: "one remark, good so far: handlers never panic"."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_DONE_TO_IT = r"(?!(?:\w{2,}ed|shown|seen|written|read|broken|given|taken|done|made|found|kept|set|run|was|is|are|the|an?)\b(?! (?:the|an?|it|th\w+)\b))"
"""Does not match a participle: what is never shown or used is described, not ordered."""
_BINDS = (
    rf"(?:never {_DONE_TO_IT}(?!\w+(?<!s)s\b)|always {_DONE_TO_IT}|from now on\b|(?:in (?:the )?future|going forward|next time|remember)\b,? |no more \w"
    r"|make sure (?:you|to)\b|we (?:never|always) |(?:don['’]?t|do not) (?:ever|[^,;]{1,60}\bever\b))"
)
"""Matches the beginning of an order for good. A verb with an "s" tells what something never does."""
_JOINTS = lazy_pattern(
    r"\s[-–—]+\s+|[;:]\s+|(?:…|\.\.\.)\s*"
    rf"|(?P<order>(?:,?\s(?:and|but)|,)\s+(?=(?:please |pls |also |so |and |but ){{0,3}}{_BINDS})"
    r"|、(?=(?:あと|それと|それから|ちなみに|なお)(?:[、A-Za-zァ-ヶ一-龥]|これから)|(?:今後|これから|以後|次から|次回から|今度から)))"
    r"|,\s+(?=(?:purely|exclusively|strictly|solely) )",
    "i",
)
_BINDER = lazy_pattern(
    r",? (?:always|every time|we always do(?: (?:it|that|this|so))?|(?:that|this|it|which) (?:goes|holds|applies|counts) for [\w -]{3,40}"
    r"|for (?:all|every) (?:[\w-]+ ){1,4}?(?:in|of) (?:this|the|our) (?:repo|repository|project|code ?base|app)"
    r"|i(?:['’]ve)? (?:already )?(?:asked|told) (?:you )?(?:that|this|so)? ?(?:before|already|twice|\w+ times))(?:,? please)?\W*$"
    r"|、(?:これ|それ)?は?(?:全部|すべて|全て|毎回|いつも|常に)(?:の[^、。]{1,10})?(?:で|に)?(?:も|お願い(?:します)?|ね|です|そう)?[。！!]*$",
    "i",
)
"""Matches words at the end of a sentence by which what precedes them lasts: "…, that goes for all docs"."""
_LIMITS = lazy_pattern(r"^\W*(?:for|until|till|during|while|unless|if|as long as|before|after)\b[^,;:]{1,60}$", "i")
"""Matches a beginning without which an order would say more than the person did: "for now, always use the mock"."""
_COMMA = lazy_pattern(r",\s+|、")
_CONNECTIVE = lazy_pattern(
    r"^(?:(?:but|and|also|plus|oh|well)\b[,:;]?\s+)+(?=\S)|^(?:それと|あと|また|でも|ただし?|なお|ちなみに|それから|そして)[、,]\s*(?=\S)"
    r"|^(?:それと(?![同似違比関一別])|それから|ちなみに|あと)(?=[A-Za-zァ-ヶ一-龥])(?![数何少半一二三四五六七八九十])",
    "i",
)
"""Matches the words that only join a sentence to what was said before it."""


def clauses(sentence: str) -> list[tuple[int, int]]:
    """Return (begin, end) of each part of a sentence, [] if it has only one."""
    joints = [joint for joint in _JOINTS.finditer(sentence) if not joint["order"] or _LIMITS.search(sentence[: joint.start()]) is None]
    return list(zip([0, *(joint.end() for joint in joints)], [*(joint.start() for joint in joints), len(sentence)], strict=True)) if joints else []


def orders_beside(sentence: str) -> list[tuple[int, int]]:
    """Return (begin, end) of the parts that order for good whatever the rest of the sentence tells: "CI is red, and never commit to main directly"."""
    ordered = {joint.end() for joint in _JOINTS.finditer(sentence) if joint["order"]}
    return [part for part in clauses(sentence) if part[0] in ordered]


def bound(sentence: str) -> str:
    """Return the clause that the last words of a sentence bind for good, "" for none: "write the tests, with pytest not unittest, always"."""
    found = _BINDER.search(sentence)
    return _COMMA.split(sentence[: found.start()])[-1] if found is not None else ""


def without_connective(sentence: str) -> str:
    """Return a sentence without the words that only join it to what was said before it: "And never …", 「それと、…」."""
    return _CONNECTIVE.sub("", sentence, count=1)
