"""Decisions that are reversed: "following symlinks by default is off the table again", 「シンボリックリンクを追うのはやっぱりやめます」.

They may be worded in few of the words in which the decision was. So what counts is that one sentence reverses something, and that what it names besides
is what the earlier one is about.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.lasting import GIVEN_UP, GIVEN_UP_JA
from memorybank.values import lru_cache

_REVERSES = lazy_pattern(
    rf"\b(?:is|are|was|were|has been|have been)?(?:['’]s)? ?(?:now )?(?:{GIVEN_UP})(?: again| now| after all)*\b"
    r"|\b(?:is|are) (?:off|out|dead|history) again\b"
    r"|\b(?:let['’]?s |we(?:['’]re|['’]ll| are| will| do| should|['’]d rather)? )(?:not|n['’]t|no longer|stop)\b(?=(?: [\w./-]+){1,12}? after all(?! \w))"
    r"|\bno (?=(?:[\w-]+ ){1,6}after all(?! \w))|\b(?:don['’]?t|do not)(?= .{1,60} after all(?! \w))|\bafter all(?=\W*$|,)"
    r"|\b(?:we(?:['’]ve| have)?|i(?:['’]ve| have)?)? ?(?:decided|agreed) (?:against|not to)\b"
    r"|(?:の|こと|案|件|話|方針)?(?:は|を)?、?(?:やっぱり?|やはり|結局)、?(?:[^、。]{0,4}(?:やめ|無し|なし|ナシ|見送|中止|取りやめ|撤回)[^、。]{0,10}|しない(?:こと)?[^、。]{0,8})[。！!]*$"
    rf"|(?:の|こと|案|件|話|方針)?(?:は|を)(?:{GIVEN_UP_JA})[^、。]{{0,10}}[。！!]*$",
    "i",
)
"""Matches the words by which a sentence reverses a decision."""
_NEGATES = lazy_pattern(
    r"\b(?:not|no|never|stop|against|off|scrapped|dead|history|out|no-?go)\b|n['’]t\b|やめ|な[しい]|ナシ|無し|見送|中止|撤回|白紙|取り",
    "i",
)
_HOLDS_NOW = lazy_pattern(
    r"^\W*(?:so |and |the )?(?:(?:new )?default(?: is)?|instead|from now on|for now|now|rather)\b ?[:,]? [^.]{3,80}\.?$"
    r"|^\W*(?:we (?:stay|keep|go back|stick)|back to|stay with|keep)\b[^.]{3,80}\.?$"
    r"|^(?:デフォルト|既定|代わりに|今後|これから|以後|当面|元の)[はも]?[:：、]?[^。]{3,60}。?$",
    "i",
)
"""Matches the sentence after a reversed decision that says what holds now."""
_LEAST_NAMES = 2
_SHORT_RULE = 2
_LEAST_PART = 4
"""Letters of a name that is found within another one: "links" are "symlinks"."""
_FRAME = frozenset(str.split("idea plan decis thing tabl again after 案 件 話 方針 結局"))
"""Names of no decision."""


def reverses(sentence: str) -> bool:
    """Return whether a sentence reverses a decision that it names."""
    return reversed_in(sentence) != ()


def takes_over(new: str, old: str) -> bool:
    """Return whether a later statement reverses what an earlier one orders: it names that with two words, or with one of a rule
    of at most two names, and nothing narrower."""
    wanted = reversed_in(new)
    if not wanted:
        return False
    from memorybank.text.prompts.about import denies, is_among, names  # late, as the next one: most sentences reverse nothing

    if denies(old) or reverses(old):
        return False
    own = names(old)
    shared = [word for word in wanted if is_among((word,), own) or any(len(one) >= _LEAST_PART and one in word for one in own)]
    return len(shared) == len(wanted) and (len(shared) >= _LEAST_NAMES or len(own) <= _SHORT_RULE)


@lru_cache(maxsize=512)
def reversed_in(text: str) -> tuple[str, ...]:
    """Return the names of the decision that a text reverses; none if it reverses none."""
    if _NEGATES.search(text) is None:
        return ()
    from memorybank.text.prompts.about import clauses, names

    for clause in clauses(text):
        if _NEGATES.search(clause) is not None and (found := _REVERSES.search(clause)) is not None:
            return tuple(name for name in names(f"{clause[: found.start()]} {clause[found.end() :]}") if name not in _FRAME)
    return ()


def holds_now(sentence: str) -> bool:
    """Return whether a sentence says what holds in place of the decision that the one before it reverses."""
    return _HOLDS_NOW.search(sentence) is not None
