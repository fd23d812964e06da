"""Whether a sentence limits or forbids something."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_LIMITS = lazy_pattern(
    r"\b(?:never|not(?! only\b)|no|cannot|avoid|forbidden|prohibited|without|instead of|rather than|must|only|(?:do|ca|wo|must|should)nt)\b|n['’]t\b"
    r"|stop \w+ing\b",
    "i",
)
_LIMITS_IN_JAPANESE = lazy_pattern(r"ない(?:で|こと|よう|$)|ません|だと.*ない|せず|禁止|不可|やめ|避け|だめ|ダメ|なし|ナシ|無し|NG|だけ|のみ|必ず")
_FORBIDS_IN_JAPANESE = lazy_pattern(r"ない(?:で|こと|よう|$)|だと.*ない|せず|禁止|不可|やめ|避け|だめ|ダメ|なし|ナシ|無し|NG")
_VERBAL = lazy_pattern(
    r"\b(?:(?:do|must|should|may|can)(?: not|n['’]t)|(?:do|must|should)nt|never)\s+"
    r"(?!(?:be|have|know|think|care|mind|worry|see|understand|remember|need)\b)(?=([^.,;:!?()–—]+))",
    "i",
)
_NOMINAL = lazy_pattern(
    r"(?<!\bhas )(?<!\bhave )(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bhad )"
    r"\b(?:no|avoid|without|instead of|rather than|stop(?= \w+ing\b))\s+"
    r"(?!need\b|longer\b|more\b|idea\b|problem|wor|way\b|matter|one\b)(?=([^.,;:!?()–—]+))",
    "i",
)
"""Match a prohibition, with the rest of its part of the sentence: of a verb ("never touch …"), or of a thing ("no …")."""
_NOT_SO = lazy_pattern(r"^\W*(?:(?:no|nope|please)\W+)*not (?:on|in|into|at|to|with|like|for|the|a|an)\b", "i")


def limits(sentence: str) -> bool:
    """Return whether a sentence forbids or limits something."""
    return (_LIMITS_IN_JAPANESE if _is_japanese(sentence) else _LIMITS).search(sentence) is not None


def forbids(sentence: str) -> bool:
    """Return whether a sentence says what must not be done or used. That something did not work forbids nothing."""
    if _is_japanese(sentence):
        return _FORBIDS_IN_JAPANESE.search(sentence) is not None
    return any(pattern.search(sentence) for pattern in (_VERBAL, _NOMINAL, _NOT_SO))


def _is_japanese(sentence: str) -> bool:
    return any("ぁ" <= sign <= "ヿ" for sign in sentence)
