"""Statements of people that are in force, each with its repetitions, and what a person has just allowed for good."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.stated import LEAVES, REPEATS, Stated, part_of
from memorybank.text.lasting import may_last
from memorybank.text.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def allowed_in(prompts: Iterable[str], session: str, at: int) -> list[Stated]:
    """Return the lasting permissions that a person gives in prompts of a session, which come newest first, as they do. at: ms."""
    found: list[Stated] = []
    for prompt in filter(may_last, prompts):
        from memorybank.text.permissions import takes_back  # late, as the other imports here: hardly any prompt gives one
        from memorybank.text.sentences import sentences

        if any(map(takes_back, sentences(prompt))):
            from memorybank.text.statements import statements
            from memorybank.text.traits import traits

            said = [one for one in reversed(statements(prompt)) if takes_back(one.text)]
            found += [Stated(at, session, one, content_terms(one.text), traits=traits(one.kind, one.text)) for one in said]
    return found


class StatedGroups:
    """Statements in force, each with its repetitions, as they are read, the newest first. What is not folded comes before everything else.

    A statement belongs to the newest group with one that replaces or repeats it. The cache has what folded statements do to each other; what is not folded
    is compared here.
    """

    def __init__(self) -> None:
        self.groups: list[list[Stated]] = []
        self._places: dict[int, tuple[int, int]] = {}
        """{row: (its group, when it was said)}"""
        self._just_said: list[tuple[Stated, int]] = []

    def add(self, one: Stated, related: Iterable[tuple[int, str]] = ()) -> Stated | None:
        """Add a statement that is older than all others. Return the statement that replaces it; None if it is in force or repeats one.

        related: (row of a newer statement, what that one does to it)
        """
        told = [(*self._places[row], relation) for row, relation in related if row in self._places]
        if self._just_said:
            from memorybank.cycle.fold.comparing import relation as relation_of  # late: hardly ever

            told += [(place, said.at, relation) for said, place in self._just_said if (relation := relation_of(said, one))]
        one.left = [part_of(relation, at) for _, at, relation in told if relation.startswith(LEAVES)]
        found = {(place, relation) for place, _, relation in told if not relation.startswith(LEAVES)}
        place = min((place for place, _ in found), default=len(self.groups))
        if found and (place, REPEATS) not in found:
            self.groups[place][0].replaced |= one.replaced
            return self.groups[place][0]
        if not found:
            self.groups.append([])
        self.groups[place].append(one)
        if one.row:
            self._places[one.row] = place, one.at
        else:
            self._just_said.append((one, place))
        return None
