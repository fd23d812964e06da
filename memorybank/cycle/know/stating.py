"""One statement of a person with its source, and the rule by which a later one replaces or repeats it."""

from __future__ import annotations

__light__ = True

from memorybank.text.forms import names_command
from memorybank.text.pattern import lazy_pattern
from memorybank.text.permissions import may_last
from memorybank.text.sentences import sentences
from memorybank.text.stated import CORRECTION, Statement, denies, says_change, supersedes, takes_back
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
    words: the terms of its text.
    replaced, wanted: purposes (`text.forms`) of the commands that the person did not want, and of those that ran then.
    about: purposes of the commands after or before which it was said.
    objects: what it forbids or limits (`text.objects`).
    """

    __slots__ = ("about", "at", "objects", "replaced", "session", "statement", "subject", "wanted", "words")

    def __init__(
        self,
        at: int,
        session: str,
        statement: Statement,
        words: Iterable[str],
        replaced: Iterable[str] = (),
        wanted: Iterable[str] = (),
        about: Iterable[str] = (),
        objects: Iterable[str] = (),
    ) -> None:
        self.at = at
        self.session = session
        self.statement = statement
        self.subject = statement.terms
        self.words = frozenset(words)
        self.replaced = frozenset(replaced)
        self.wanted = frozenset(wanted)
        self.about = frozenset(about)
        self.objects = frozenset(objects)


def allowed_in(prompts: Iterable[str], session: str, at: int) -> list[Stated]:
    """Return the lasting permissions that a person gives in prompts of a session, which come newest first, as they do. at: ms."""
    found: list[Stated] = []
    for prompt in prompts:
        if may_last(prompt) and any(map(takes_back, sentences(prompt))):
            from memorybank.text.statements import statements  # late: hardly any prompt gives one

            found += [Stated(at, session, one, content_terms(one.text)) for one in reversed(statements(prompt)) if takes_back(one.text)]
    return found


class StatedGroups:
    """Statements in force, each with its repetitions, as they are read, the newest first.

    Two statements are compared only if they share a term of their subjects, or both are about commands. A permission for good is compared with all that
    share a word with it, because a rule of two sentences has the subject of the first.
    """

    def __init__(self) -> None:
        self.groups: list[list[Stated]] = []
        self._with_term: dict[str, set[int]] = {}
        self._of_commands: set[int] = set()
        self._permissions: set[int] = set()

    def add(self, one: Stated) -> Stated | None:
        """Add a statement that is older than all others. Return the statement that replaces it; None if it is in force or repeats one."""
        places = set[int]().union(*(self._with_term.get(term, ()) for term in one.subject), self._permissions, self._of_commands if one.wanted else ())
        place = next((place for place in sorted(places) if _replaces_or_repeats(self.groups[place], one)), None)
        if place is None:
            place = len(self.groups)
            self.groups.append([])
        group = self.groups[place]
        is_replaced = bool(group) and not any(says_the_same(said, one) for said in group)
        if is_replaced:
            group[0].replaced |= one.replaced
        else:
            group.append(one)
            if may_last(one.statement.text) and takes_back(one.statement.text):
                self._permissions.add(place)
            for term in one.subject:
                self._with_term.setdefault(term, set()).add(place)
        if one.replaced or (one.wanted and not is_replaced):
            self._of_commands.add(place)
        return group[0] if is_replaced else None


def _replaces_or_repeats(group: list[Stated], one: Stated) -> bool:
    """Return whether one of the statements of a group, which are newer, replaces or repeats `one`."""
    return any(
        (bool(one.wanted) and _replaces_command(said, one))
        or (not said.subject.isdisjoint(one.subject) and (supersedes(said.statement, one.statement) or says_the_same(said, one)))
        or (not said.words.isdisjoint(one.words) and may_last(said.statement.text) and supersedes(said.statement, one.statement))
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
    if newer.subject.isdisjoint(older.subject) or not _has_most_words_of(newer, older):
        return False
    if takes_back(newer.statement.text) != takes_back(older.statement.text):
        return False
    from memorybank.text.naming import differ  # late: most pairs of statements have too little in common

    is_changed = not newer.words <= older.words and says_change(newer.statement.text)
    return not is_changed and denies(newer.statement.text) == denies(older.statement.text) and not differ(newer.statement.text, older.statement.text)


def _has_most_words_of(newer: Stated, older: Stated) -> bool:
    fewer, more = sorted((len(newer.words), len(older.words)))
    # Most statements differ in length too much, and at a start some hundred pairs are compared.
    return fewer >= _REPEATS * more and len(newer.words & older.words) >= _REPEATS * len(newer.words | older.words)
