"""What a later statement of a person does to an earlier one: it replaces it, repeats it, or leaves it alone.

This follows from the two statements alone, so it is found out once, when the second of them is stored (`fold.statement_rows`), and recall compares nothing.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.stated import BETWEEN, LEAVES, NAMES, REPEATS, REPLACES, Stated
from memorybank.text.commands.forms import names_command
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.about import denies, differ, has_another_value, says_change
from memorybank.text.prompts.called import calls, returns
from memorybank.text.prompts.complaints import blames, work_of
from memorybank.text.prompts.languages import language_of
from memorybank.text.prompts.oneself import OF_ONESELF, holds_no_longer
from memorybank.text.prompts.permissions import takes_back
from memorybank.text.prompts.stated import CORRECTION
from memorybank.text.prompts.superseding import supersedes
from memorybank.text.words.terms import content_terms

_REPEATS, _FEW = 0.6, 3
_ORDERS = lazy_pattern(r"\b(?:before|after|first|then)\b|前に|後に|後は|先に|まず", "i")
"""Matches what has to run before or after something, and replaces nothing."""


def relation(newer: Stated, older: Stated) -> str:
    """Return REPLACES, REPEATS, NAMES, LEAVES with what it took back and left (`fold.stated`), or "" when both stay as they are.

    That takes a common term of their subjects, or commands that both are about. A permission for good is compared with everything, because a rule of two
    sentences has the subject of the first.
    """
    if newer.statement.subject.startswith(OF_ONESELF):
        if newer.statement.subject != older.statement.subject:
            return ""
        return REPEATS if holds_no_longer(newer.statement.text) == holds_no_longer(older.statement.text) else REPLACES
    if returns(newer.statement.text):
        return NAMES if _is_rule(older.statement.text) and calls(newer.statement.text, older.statement.text) else ""
    if _says_the_same(newer, older):
        return REPEATS
    if older.wanted and _replaces_command(newer, older):
        return REPLACES
    if not newer.wanted and blames(newer.statement.text):
        return ""  # "again no tests" asks for tests
    is_about_same = not newer.subject.isdisjoint(older.subject) or takes_back(newer.statement.text)
    is_about_same = is_about_same or bool(language_of(newer.statement.text) and language_of(older.statement.text))
    if not is_about_same:
        return ""
    return REPLACES if supersedes(newer.statement, older.statement) else _takes_part_back(newer.statement.text, older.statement.text)


def _is_rule(text: str) -> bool:
    return not takes_back(text) and not returns(text)


def _takes_part_back(newer: str, older: str) -> str:
    if not takes_back(newer):
        return ""
    from memorybank.text.prompts.ending import may_mean, part_ended, rest_of  # late: most statements allow nothing

    clause = part_ended(newer, older)
    if clause:
        return f"{LEAVES} {clause}{BETWEEN}{rest_of(older, clause)}"
    return NAMES if may_mean(newer, older) and _is_rule(older) else ""


def _replaces_command(newer: Stated, older: Stated) -> bool:
    """Return whether a correction replaces the command that an earlier one wanted, and not only says what has to run before or after it, or repeats it."""
    both = newer.replaced & older.wanted
    is_replaced = bool(both) and names_command(newer.statement.text, both) and _ORDERS.search(newer.statement.text) is None
    return is_replaced or _corrects_alike(newer, older)


def _corrects_alike(newer: Stated, older: Stated) -> bool:
    return bool(newer.wanted) and newer.wanted == older.wanted and newer.replaced == older.replaced


def _says_the_same(newer: Stated, older: Stated) -> bool:
    """Return whether one statement repeats the other: they have most words in common, both ways. "pnpm instead of npm" does not repeat "use npm",
    and an order does not repeat a prohibition."""
    if _corrects_alike(newer, older) and newer.statement.kind == older.statement.kind == CORRECTION:
        return True
    said, other = newer.statement.text, older.statement.text
    if newer.subject.isdisjoint(older.subject) or takes_back(said) != takes_back(other):
        return False
    if work_of(said)[0] or work_of(other)[0]:
        return _is_about_work_of(said, other) or _is_about_work_of(other, said)
    if not _has_most_words_of(newer, older):
        return False
    is_changed = (not newer.words <= older.words and says_change(said)) or has_another_value(said, other)
    return not is_changed and denies(said) == denies(other) and not differ(said, other)


def _is_about_work_of(text: str, order: str) -> bool:
    """Return whether a sentence complains that an order was not followed, or orders the same work. The order may be a complaint, too."""
    said, is_forbidden = work_of(text)
    wanted, is_other_forbidden = work_of(order)
    words, others = (set(content_terms(one) or one.split()) for one in (said, wanted or order))
    common = len(words & others)
    if not common or common < _REPEATS * len(words) or (common == 1 and len(others) > _FEW):
        return False
    return (is_forbidden or denies(said)) == (is_other_forbidden or denies(wanted or order))


def _has_most_words_of(newer: Stated, older: Stated) -> bool:
    fewer, more = sorted((len(newer.words), len(older.words)))
    # Most statements differ in length too much.
    return fewer >= _REPEATS * more and len(newer.words & older.words) >= _REPEATS * len(newer.words | older.words)
