"""What the requests of a session say about it in the line of its day."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.routine import is_routine
from memorybank.text.words.scripts import is_japanese
from memorybank.text.words.terms import content_terms
from memorybank.text.words.word_terms import ASKING

QUESTIONS = ("?", "？", "か")
"""The ends of questions."""
LONGEST_REQUEST = 80
"""Characters of a request that stands for a session."""
_LIGHT = frozenset(str.split("try real now next one again ok okay go run do make it same other thing way rest all everyth continu start finish done work"))
"""Terms of requests that name nothing."""
_NOUNS = lazy_pattern(r"[ァ-ヶー]{2,}|[一-龥]{2,}|[A-Za-z][\w.-]+")
_SAY_NOTHING = lazy_pattern(
    "実際|一案|一度|一旦|今回|今度|全部|全体|全て|最後|最初|本当|普通|結局|一応|多分|適当|同様|以上|以下|上記|下記|提案|作業|通り|お願い|コミット|修正|確認|変更|実装|対応|追加|削除|作成|実行|調査"
)
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
    if is_japanese(request):
        return _NOUNS.search(_SAY_NOTHING.sub(" ", request)) is None
    return set(content_terms(request)) <= ASKING | _LIGHT
