"""Decides whether two findings say the same, by their content words.

A session that finds the same again writes it in other words and with another id. A finding that corrects a rejected one also has most of
its words. Therefore two findings differ if each names a number that the other lacks, if one of them denies something, or if they are one
sentence with a single place replaced. In doubt they differ: a finding that comes back can be rejected again, but nobody notices a
correction that is never shown.
"""

from __future__ import annotations

__light__ = True

from memorybank.storage.digest import hmac_sha256
from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.terms import content_terms
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Any

_SAME = 2 / 3
"""Share of the words of both findings together that the two have in common when they say the same."""
_FEW = 3
"""Findings with fewer words in common say the same only if all their words are equal."""
_MOST_TERMS = 120
_DIGEST_BYTES = 6
_NEGATED = lazy_pattern(r"\b(?:not|never|no|nor|neither|cannot|wrong|false)\b|n['’]t\b|ない|なかっ|ません|(?:では|じゃ)なく|違い|誤り", "i")
_NAME = lazy_pattern(r"[\d_]")


class FindingWords(Value):
    """The content words of one finding in their order, or their keyed digests; those that are numbers or identifiers; and whether it denies something."""

    terms: Sequence[str]
    names: Collection[str]
    is_negated: bool

    def keyed(self, key: bytes) -> FindingWords:
        """Return the same words as digests, from which words cannot be guessed without the bank's key."""
        return FindingWords([digest(key, term) for term in self.terms], [digest(key, term) for term in self.names], self.is_negated)

    def to_json(self) -> dict[str, Any]:
        return {"terms": list(self.terms), "names": sorted(set(self.names)), "negated": self.is_negated}


def of_text(text: str) -> FindingWords:
    """Return the words of a text."""
    terms = content_terms(text)[:_MOST_TERMS]
    return FindingWords(terms, [term for term in terms if _NAME.search(term)], _NEGATED.search(text) is not None)


def of_json(value: object) -> FindingWords | None:
    """Return the words that a line contains, None when it contains none."""
    if not isinstance(value, dict):
        return None
    terms, names = value.get("terms"), value.get("names")
    if not isinstance(terms, list) or not isinstance(names, list) or not all(isinstance(term, str) for term in (*terms, *names)):
        return None
    return FindingWords(terms[:_MOST_TERMS], names[:_MOST_TERMS], value.get("negated") is True)


def digest(key: bytes, term: str) -> str:
    """Return the keyed digest of one term, 12 hexadecimal digits."""
    return hmac_sha256(key, b"claim\0" + term.encode("utf-8", "replace"))[:_DIGEST_BYTES].hex()


def may_say_same(words: FindingWords, terms: Iterable[str]) -> bool:
    """Return whether a longer text with these terms can contain a finding that says the same: a quick test before the exact one."""
    wanted = set(words.terms)
    return len(wanted.intersection(terms)) >= _SAME * len(wanted)


def says_same(one: FindingWords, other: FindingWords) -> bool:
    """Return whether two findings say the same. Both with their terms, or both with digests under the same key."""
    first, second = set(one.terms), set(other.terms)
    both = first & second
    if one.is_negated != other.is_negated or not both:
        return False
    if len(both) < _FEW or first == second:
        return first == second
    if len(both) < _SAME * len(first | second) or not (second.issuperset(one.names) or first.issuperset(other.names)):
        return False
    return not _replaces(one.terms, other.terms)


def _replaces(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether the words are the same in the same order but for one place, where each has its own."""
    least = min(len(one), len(other))
    begin = 0
    while begin < least and one[begin] == other[begin]:
        begin += 1
    end = 0
    while end < least - begin and one[-1 - end] == other[-1 - end]:
        end += 1
    mine, theirs = one[begin : len(one) - end], other[begin : len(other) - end]
    return bool(mine) and bool(theirs) and set(mine).isdisjoint(theirs)
