"""What the requests of a session say about it in the line of its day."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.routine import is_routine
from memorybank.text.words.ordinary import SHARES
from memorybank.text.words.scripts import is_japanese
from memorybank.text.words.terms import content_terms
from memorybank.text.words.word_terms import ASKING

QUESTIONS = ("?", "？", "か")
"""The ends of questions."""
LONGEST_REQUEST = 80
"""Characters of a request that stands for a session."""
_NOUNS = lazy_pattern(r"[ァ-ヶー]{2,}|[一-龥]{2,}|[A-Za-z][\w.-]+")
_LEAST_SIGNS = 4
"""Characters of the nouns of a Japanese request that names something."""
_ADVERBS = frozenset(str.split("実際 一案 一度 一旦 今回 今度 全部 全体 最後 最初 本当 普通 結局 一応 多分 適当 同様 願 以上 以下 上記 下記 コミット"))
"""Words of Japanese requests that name nothing."""


def of_requests(said: str) -> tuple[str, str]:
    """Return (the task that a session's requests begin with; the first of them if it is short and no question). "" for what is missing."""
    every = [one.rstrip(" .。") for one in said.split("; ")]
    first = next((one for one in every if not one.endswith(("…", *QUESTIONS)) and not is_routine(one)), every[0])
    task, colon, _ = first.partition(": ")
    if colon and " " not in task:
        return task, ""
    return "", "" if len(first) > LONGEST_REQUEST or first.endswith(("…", *QUESTIONS)) else first


def names_little(request: str) -> bool:
    """Return whether a request does not say what it is about: "try it for real", 「実際に作ってみて」."""
    if not is_japanese(request):
        return SHARES.keys() >= set(content_terms(request)) - ASKING
    return sum(map(len, set(_NOUNS.findall(request)) - _ADVERBS)) < _LEAST_SIGNS
