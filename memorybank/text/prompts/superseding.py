"""The rule by which a later durable sentence of a person replaces an earlier one. In doubt it does not: then both are in force."""

from __future__ import annotations

__light__ = True

from memorybank.text.prompts.about import clauses, denies, differ, has_another_value, says_change
from memorybank.text.prompts.languages import speaks_otherwise
from memorybank.text.prompts.permissions import LASTING, ONCE, permission_of
from memorybank.text.prompts.reversing import takes_over
from memorybank.text.prompts.rivals import takes_place
from memorybank.text.prompts.stated import EXPECTATION, Statement
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set

_SAME_SUBJECT, _CHANGED_SUBJECT = 0.6, 0.5
"""Minimum shares of common terms at which a later statement replaces an earlier one; the second applies when it says that something changed."""


def supersedes(new: Statement, old: Statement) -> bool:
    """Return whether `new`, stated later, replaces `old`: their subjects have a sufficient share of terms in common."""
    if EXPECTATION in (old.kind, new.kind):
        return False
    allowed = permission_of(new.text)
    if allowed == LASTING:
        from memorybank.text.prompts.ending import ends  # late: most statements allow nothing

        return ends(new.text, old.text)
    if allowed == ONCE:
        return False
    if has_another_value(new.text, old.text) or takes_place(new.text, old.text) or speaks_otherwise(new.text, old.text) or takes_over(new.text, old.text):
        return True
    mine, theirs = new.terms, old.terms
    # Without another value, only the opposite replaces a statement. One common term between longer subjects is a coincidence.
    common = len(mine & theirs)
    if not common or (common == 1 and min(len(mine), len(theirs)) > 2) or denies(new.text) == denies(old.text):
        return False
    if denies(old.text) and not says_change(new.text):
        return False
    if theirs < mine and _is_exception(new, mine - theirs):
        return False
    least = _CHANGED_SUBJECT if says_change(new.text) else _SAME_SUBJECT
    return common / min(len(mine), len(theirs)) >= least and not differ(new.text, old.text)


def _is_exception(new: Statement, further: Set[str]) -> bool:
    """Return whether the opposite of an earlier statement only limits it: it is for a narrower case. "Never squash, use merge commits" limits nothing.

    further: the terms that only `new` has
    """
    return not says_change(new.text) and not further.isdisjoint(content_terms(clauses(new.text)[0]))
