"""What a note decides: statements that another one can contradict, and what it says about replacing other notes."""

from __future__ import annotations

__light__ = True

from memorybank.decisions.subject import parts_of
from memorybank.decisions.words import ENVIRONMENTS, NUMBER, Words
from memorybank.values import NamedTuple, Value

ENTIRE = -1
"""Position of an entire note, in place of one of its statements."""


class Clause(NamedTuple):
    """A part of a statement. denies: whether it says that something is not done or not so."""

    words: Words
    denies: bool


class Decision(NamedTuple):
    """A statement about how something is done or is, in a form that can be compared.

    text: the sentence, with white space collapsed
    line: 1-based, the line of the file on which it begins
    day: the date (YYYY-MM-DD) that the sentence or its section has; "" when it has none
    context: words of the title and the headings above it
    clauses: its parts in order
    left: names that it says are no longer used
    is_change: whether it says that something changed, or that nothing else is meant
    is_firm: whether it is an order (always, must, never), not a description
    adds: whether it says that it holds next to something else
    """

    text: str
    line: int
    day: str
    context: frozenset[str]
    clauses: tuple[Clause, ...]
    left: frozenset[str]
    is_change: bool
    is_firm: bool
    adds: bool

    @property
    def environments(self) -> frozenset[str]:
        """The environments and platforms that it, or else its title, is limited to."""
        return frozenset().union(*(clause.words.environments for clause in self.clauses)) or self.context & ENVIRONMENTS

    @property
    def subject(self) -> frozenset[str]:
        """The words that say what it is about: its own and those of its title and headings, apart from its values."""
        found = parts_of(frozenset().union(*(clause.words.about | clause.words.environments for clause in self.clauses)))
        return found | self.context - self.named_values if self.context else found

    @property
    def named_values(self) -> frozenset[str]:
        """Its values that a title may repeat. A number in a title is a name: "Room 2" has 2 seats."""
        return frozenset().union(*(found for clause in self.clauses for family, found in clause.words.values.items() if family != NUMBER))

    @property
    def terms(self) -> frozenset[str]:
        """The words by which statements about the same are found."""
        return self.left.union(*(clause.words.names for clause in self.clauses))


class Replacement(Value):
    """What a note says about replacing another one.

    older, newer: a note as it is written: a link, a name or the number of a decision record; "" for the note itself
    line: 1-based
    """

    older: str
    newer: str
    line: int
