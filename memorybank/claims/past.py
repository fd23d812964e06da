"""Decides whether a sentence speaks of the past: what it names is expected to be missing, so it is not a claim about today."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_ENGLISH = (
    r"\b(?:remov(?:e[ds]?|ing|al)|delet(?:e[ds]?|ing|ion)|renam(?:e[ds]?|ing)|replac(?:e[ds]?|ing)|supersed(?:e[ds]?|ing)|dropp(?:ed|ing)|retired?"
    r"|deprecated|obsolete|formerly|previously|no longer|used to (?:be|live|have)|moved? (?:to|from|into|out)|migrat(?:e[ds]?|ing|ion)|split (?:into|out|up)"
    r"|merged into|instead of|gone|legacy|historical(?:ly)?|(?:is|are|was|were) called|does(?: not|n['’]t) exist|(?:is|are|was|were) missing"
    r"|there (?:is|are|was|were) no|reverted|ported|the old|upgrad(?:e[ds]?|ing)|bump(?:s|ed|ing)?|switched|got rid)\b"
)
_JAPANESE = (
    r"削除|廃止|改名|名前を変|リネーム|移動し|移し|移行|旧|以前|かつて|撤去|除去|置き換|差し替|非推奨|存在しな"
    r"|なくなっ|無くなっ|消え|消し|統合し|分割し|更新し|上げた"
)
_PAST = lazy_pattern(f"{_ENGLISH}|{_JAPANESE}", "i")
_SPAN = lazy_pattern(r"`[^`\n]{0,500}`")
_MOVING = lazy_pattern(r"`\s*(?:git\s+(?:mv|rm)|mv|rm)\s")
_EXAMPLE = lazy_pattern(r"\b(?:e\.g\.|for (?:example|instance)\b|such as\b|example:|imagine\b|suppose\b)|例えば|たとえば|例[：:]|（例", "i")


def is_of_the_past(sentence: str) -> bool:
    """Return whether a sentence says that something left or changed. Names in code spans say nothing about that, except commands that move or delete."""
    if "`" not in sentence:
        return _PAST.search(sentence) is not None
    return _PAST.search(_SPAN.sub(" ", sentence)) is not None or _MOVING.search(sentence) is not None


def is_example(sentence: str) -> bool:
    """Return whether a sentence gives an example, which need not exist."""
    return _EXAMPLE.search(sentence) is not None
