"""Decides whether a later statement replaces an earlier one about the same subject. In doubt it does not."""

from __future__ import annotations

__light__ = True

from memorybank.decisions import sentence, words
from memorybank.decisions.decision import Decision
from memorybank.decisions.subject import parts_of
from memorybank.text.pattern import lazy_pattern

REPLACES, REPEATS = "replaces", "repeats"
_MEASURED = lazy_pattern(
    r"^\W*(?:updated|added|fixed|bumped|upgraded|improved|removed|released)\b"
    r"|\b(?:dropped|stopped|tak(?:es|ing)|average|measured?|benchmark\w*|about|approximately|around|roughly|there (?:is|are)|total|count(?:ed)?|found|passed"
    r"|passes|fixed|p9\d|median|faster|slower|so far|result\w*|score\w*|version \d+\.\d+\.\d+)\b|約|およそ|平均|計測|実測|ベンチ|合計|件あ|かかる|かかり|結果",
    "i",
)
"""Matches a number that was counted or measured: another one is another measurement, not another decision."""
_SIDES = lazy_pattern(r"\b(?:up|down|off|before|after|over|under|old|new)\b|[新旧上下](?=[一-龥々ァ-ヴ])|^[ぁ-ゖ]{2,}?(?=[のはが])")
"""Matches words that say little about a subject, and tell two things apart: "scale up at", "scale down at", a name in hiragana."""
_IN_ORDER = lazy_pattern(r"\b[A-Z]\w+|\b(?<=from )\w+|\b(?<=to )\w+|[一-龥々ァ-ヴー]{1,60}(?=から|へ)")
"""Matches names of which another order says something else: "Alice reviews Bob", "from orders to mail"."""
_CERTAIN = 3
"""Number of shared names from which it does not matter that only one of two titles says more than the statements."""


def relation(newer: Decision, older: Decision) -> str:
    """Return REPLACES, REPEATS, or "" when the statements are about different things or do not contradict each other."""
    if newer.environments != older.environments:
        return ""
    if leaves(newer, older) or _denies(newer, older) or _has_other_value(newer, older):
        return REPLACES
    return REPEATS if _says_same(newer, older) else ""


def leaves(newer: Decision, older: Decision) -> bool:
    """Return whether a statement says that what the other one uses for the same subject is no longer used. Then their order follows from the words."""
    if not newer.left or any(clause.denies for clause in older.clauses):
        return False
    used = older.terms - older.left
    if not newer.left <= used or newer.left & _asserted(newer):
        return False
    mine, theirs = _about(newer) - newer.left, _about(older) - newer.left
    lacking, missing = mine - theirs - older.context, theirs - mine - newer.context
    shared = (mine & (theirs | older.context)) | (theirs & newer.context)
    if not shared or (lacking and missing) or len(lacking | missing) > 1:
        return False
    own, foreign = _unsaid(newer, older)
    # `queue-2.md` may be the second note about the queue of `queue.md`.
    is_sure = len(shared) + len(newer.left) >= _CERTAIN or all(map(str.isdecimal, own | foreign))
    return own == foreign or (is_sure and not (own and foreign))


def _denies(newer: Decision, older: Decision) -> bool:
    """Return whether one statement orders what the other one forbids, without a condition that the earlier one lacks."""
    own, foreign = _unsaid(newer, older)
    if own != foreign:
        return False
    for mine in newer.clauses:
        for theirs in older.clauses:
            if mine.denies != theirs.denies and len(older.clauses) == 1:
                said, other = mine.words.names, theirs.words.names
                if len(said) == 1 and not (newer.is_firm and older.is_firm):
                    continue  # one word says too little: "when false, …"
                if said == other or (older.is_firm and newer.is_firm and sentence.head(older.text) <= said <= other):
                    return True
    return False


def _has_other_value(newer: Decision, older: Decision) -> bool:
    """Return whether two statements about one subject have different values of one family."""
    if newer.adds or older.adds or any(clause.denies for clause in (*newer.clauses, *older.clauses)) or len(newer.clauses) != 1 or len(older.clauses) != 1:
        return False
    mine, theirs = newer.clauses[0].words, older.clauses[0].words
    if not mine.about or not theirs.about or mine.values.keys() != theirs.values.keys() or newer.subject != older.subject:
        return False
    if _tells_apart(newer.text, older.text):
        return False
    differing = [family for family in mine.values if mine.values[family] != theirs.values[family]]
    if len(differing) != 1 or len(mine.values[differing[0]]) != 1 or len(theirs.values[differing[0]]) != 1:
        return False
    return differing[0] != words.NUMBER or not (_MEASURED.search(newer.text) or _MEASURED.search(older.text))


def _tells_apart(one: str, other: str) -> bool:
    """Return whether what is not among the words of two statements says that they are about different things."""
    mine, theirs = {*_SIDES.findall(one.lower())}, {*_SIDES.findall(other.lower())}
    if mine and theirs and mine != theirs:
        return True
    first, second = _IN_ORDER.findall(one), _IN_ORDER.findall(other)
    return first != second and sorted(first) == sorted(second)


def _says_same(newer: Decision, older: Decision) -> bool:
    if {clause.denies for clause in newer.clauses} != {clause.denies for clause in older.clauses}:
        return False
    return newer.subject == older.subject and _asserted(newer) == _asserted(older)


def _about(said: Decision) -> frozenset[str]:
    return frozenset().union(*(clause.words.about for clause in said.clauses))


def _asserted(said: Decision) -> frozenset[str]:
    """Return the values that a statement is for."""
    found: frozenset[str] = frozenset()
    for clause in said.clauses:
        if not clause.denies:
            found = found.union(*clause.words.values.values())
    return found - said.left


def _unsaid(newer: Decision, older: Decision) -> tuple[frozenset[str], frozenset[str]]:
    """Return what the title of each says that neither statement does. If that differs, they may be about different things."""
    names = parts_of(newer.terms | older.terms)
    return newer.context - names, older.context - names
