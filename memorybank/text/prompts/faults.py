"""Reports of a fault: what goes wrong, and what is to be repaired. They are true until somebody repairs it, and say nothing about later work."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_GOES_WRONG = lazy_pattern(
    r"\b(?:when|whenever|if|once|as soon as|every time|each time|while)\b.{4,}?"
    r"(?:, (?:the |our |an? )?(?:[\w-]+ ){1,3}?|\b(?:we|they|you|i|users?|customers?) )(?:(?:just|then|always|also|silently|sometimes|simply) )?"
    r"(?:(?:lose|miss|fail|crash|hang|freeze|die|leak|stall|block|break)(?:e?s)?|times? out|ends? up|runs? out"
    r"|(?:get|see|return|throw|show)s? (?:an? |the |only )?(?:\w+ )?(?:errors?|exceptions?|timeouts?|nothing|nulls?|[45]\d\d))\b"
    r"(?!.*\b(?:must|should|always \w+ (?:it|them)|never|please|don['’]?t|do not|make sure)\b)"
    r"|(?:と|ときに?|時に?|たら|れば|場合)、?[^。、]{1,24}(?:を|が|は)(?:失(?:い|う|わ)|消え|落ち|止ま|固ま|漏れ|欠け|壊れ|失敗し?)(?:る|て(?:しま(?:う|い)|い(?:る|ま))?|ます?)*"
    r"(?:んです(?:が|けど)?|ようです)?[。！!]*$",
    "i",
)
"""Matches what happens to people or programs under a condition: "when an endpoint is down we lose the event". What they do about it is a habit."""
_TO_BE_REPAIRED = lazy_pattern(
    r"^\W*(?:(?:please|pls|can you|could you|so|and|first)\b\W*)*(?:find (?:out|the (?:cause|reason|bug|problem))|figure out"
    r"|look into|investigate|debug|fix|repair|(?:check|see|tell me) why"
    r"|why\b|any idea"
    r"|make (?:it|them) (?:pass|stable|work|green))"
    r"|^[^。]{0,16}(?:調べて|調査して|直して|修正して|原因を|なぜ|どうして)",
    "i",
)
"""Requests to repair what the sentence before them reports: "CI is flaky. Find out why." reports a fault of the day."""


def goes_wrong(sentence: str) -> bool:
    """Return whether a sentence says what goes wrong under a condition."""
    return _GOES_WRONG.search(sentence) is not None


def asks_for_repair(sentence: str) -> bool:
    """Return whether a sentence asks to repair what the one before it reports."""
    return _TO_BE_REPAIRED.search(sentence) is not None
