"""One statement of a person with its source, and the rule by which a later one replaces or repeats it."""

from __future__ import annotations

__light__ = True

from memorybank.text.named import names_command
from memorybank.text.pattern import lazy_pattern
from memorybank.text.stated import CORRECTION, Statement, denies, says_change, supersedes
from memorybank.text.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_REPEATS = 0.6
_ORDERS = lazy_pattern(r"\b(?:before|after|first|then)\b|前に|後に|後は|先に|まず", "i")
"""Matches what has to run before or after something, and replaces nothing."""


class Stated:
    """One statement and where it was made.

    at: ms.
    subject: the terms of its key.
    replaced, wanted: purposes (`text.named`) of the commands that the person did not want, and of those that ran then.
    """

    __slots__ = ("_words", "at", "replaced", "session", "statement", "subject", "wanted")

    def __init__(self, at: int, session: str, statement: Statement, replaced: Iterable[str] = (), wanted: Iterable[str] = ()) -> None:
        self.at = at
        self.session = session
        self.statement = statement
        self.subject = frozenset(statement.subject.split())
        self.replaced = frozenset(replaced)
        self.wanted = frozenset(wanted)
        self._words: frozenset[str] | None = None

    @property
    def words(self) -> frozenset[str]:
        """Its terms, read when they are first needed."""
        if self._words is None:
            self._words = frozenset(content_terms(self.statement.text))
        return self._words


def replaces_or_repeats(group: list[Stated], one: Stated) -> bool:
    """Return whether one of the statements of a group, which are newer, replaces or repeats `one`."""
    return any(
        _replaces_command(said, one) or (not said.subject.isdisjoint(one.subject) and (supersedes(said.statement, one.statement) or says_the_same(said, one)))
        for said in group
    )


def _replaces_command(newer: Stated, older: Stated) -> bool:
    """Return whether a correction replaces the command that an earlier one wanted, and not only says what has to run before or after it, or repeats it."""
    both = newer.replaced & older.wanted
    is_replaced = bool(both) and names_command(newer.statement.text, both) and _ORDERS.search(newer.statement.text) is None
    return is_replaced or _corrects_alike(newer, older)


def _corrects_alike(newer: Stated, older: Stated) -> bool:
    return bool(newer.wanted) and newer.wanted == older.wanted and newer.replaced == older.replaced


def says_the_same(newer: Stated, older: Stated) -> bool:
    """Return whether one statement repeats the other: they have most words in common, both ways. "pnpm instead of npm" does not repeat "use npm",
    and an order does not repeat a prohibition."""
    if _corrects_alike(newer, older) and newer.statement.kind == older.statement.kind == CORRECTION:
        return True
    if (
        newer.subject.isdisjoint(older.subject)
        or denies(newer.statement.text) != denies(older.statement.text)
        or (says_change(newer.statement.text) and newer.words - older.words)
    ):
        return False
    return len(newer.words & older.words) >= _REPEATS * len(newer.words | older.words)
