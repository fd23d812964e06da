"""Decisions that are reversed: "let's not deploy on merge after all", 「シンボリックリンクを追うのはやっぱりやめます」.

They may be worded in few of the words in which the decision was. So what counts is that one sentence reverses something, and that what it names besides
is what the earlier one is about.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.lasting import GIVEN_UP, GIVEN_UP_JA
from memorybank.values import lru_cache

_REVERSES = lazy_pattern(
    rf"\b(?:is|are|was|were|we(?:['’]ve)?)?(?:['’]s)? ?(?:now )?(?:{GIVEN_UP})(?: again| now| after all)*\b"
    r"|\b(?:let['’]?s |we(?:['’]re|['’]ll| are| will| do)? )(?:not|n['’]t|no longer)\b(?=(?: [\w./-]+){1,12}? after all(?! \w))"
    r"|\bno (?=(?:[\w-]+ ){1,6}after all(?! \w))|\b(?:don['’]?t|do not)(?= .{1,60} after all(?! \w))|\bafter all(?=\W*$|,)"
    r"|\b(?:we(?:['’]ve| have)?|i(?:['’]ve| have)?)? ?(?:decided|agreed) (?:against|not to)\b"
    r"|(?:の|こと|案|件|話|方針)?(?:は|を)?、?(?:やっぱり?|やはり|結局)、?[^、。]{0,4}(?:やめ|無し|なし|ナシ|見送|中止|取りやめ|撤回)[^、。]{0,10}[。！!]*$"
    rf"|(?:の|こと|案|件|話|方針)?(?:は|を)(?:{GIVEN_UP_JA})[^、。]{{0,10}}[。！!]*$",
    "i",
)
"""Matches the words by which a sentence reverses a decision."""
_NEGATES = lazy_pattern(rf"\b(?:not|no|never|against|{GIVEN_UP})\b|n['’]t\b|やめ|な[しい]|ナシ|無し|中止|{GIVEN_UP_JA}", "i")
_LEAST_NAMES, _SHORT_RULE = 2, 2
_LEAST_PART = 4
"""Letters of a name that is found within another one: "links" are "symlinks"."""
_FRAME = frozenset(str.split("idea plan decis thing again after 案 件 話 方針 結局"))
"""Names of no decision."""


def reverses(sentence: str) -> bool:
    """Return whether a sentence reverses a decision that it names."""
    return _reversed_in(sentence) != ()


def takes_over(new: str, old: str) -> bool:
    """Return whether a later statement reverses what an earlier one orders: it names that with two words, or with one of a rule of at most two names, and
    nothing narrower."""
    wanted = _reversed_in(new)
    if not wanted:
        return False
    from memorybank.text.prompts.about import denies, is_among, names  # late, as the next one: most sentences reverse nothing

    if denies(old) or reverses(old):
        return False
    own = names(old)
    shared = [word for word in wanted if is_among((word,), own) or any(len(one) >= _LEAST_PART and one in word for one in own)]
    return len(shared) == len(wanted) and (len(shared) >= _LEAST_NAMES or len(own) <= _SHORT_RULE)


@lru_cache(maxsize=512)
def _reversed_in(text: str) -> tuple[str, ...]:
    """Return the names of the decision that a text reverses; none if it reverses none."""
    if _NEGATES.search(text) is None:
        return ()
    from memorybank.text.prompts.about import clauses, names

    for clause in clauses(text):
        if _NEGATES.search(clause) is not None and (found := _REVERSES.search(clause)) is not None:
            return tuple(name for name in names(f"{clause[: found.start()]} {clause[found.end() :]}") if name not in _FRAME)
    return ()
