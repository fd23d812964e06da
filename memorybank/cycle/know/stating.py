"""Statements of people that are in force, each with its repetitions, and what a person has just allowed for good."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.stated import LEAVES, NAMES, REPEATS, REPLACES, Stated, part_of
from memorybank.text.prompts.lasting import may_last
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prompts.stated import RETURNING
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def allowed_in(prompts: Iterable[str], session: str, at: int) -> list[Stated]:
    """Return the lasting permissions that a person gives in prompts of a session, which come newest first, as they do. at: ms."""
    found: list[Stated] = []
    for prompt in prompts:
        lasting = list(filter(may_last, sentences(prompt)))
        if not lasting:
            continue
        from memorybank.text.prompts.permissions import takes_back  # late, as the other imports here: hardly any prompt gives one

        if any(map(takes_back, lasting)):
            from memorybank.text.prompts.statements import statements
            from memorybank.text.prompts.traits import traits

            said = [one for one in reversed(statements(prompt)) if takes_back(one.text)]
            found += [Stated(at, session, one, content_terms(one.text), traits=traits(one.kind, one.text)) for one in said]
    return found


Related = list[tuple[int, str]]
"""[(row of a newer statement, what that one does to an older one)]"""


def grouped(folded: Sequence[tuple[Stated, Related]], allowed: Sequence[Stated] = ()) -> tuple[list[list[Stated]], list[tuple[Stated, Stated]]]:
    """Return (statements in force, each with its repetitions, (replaced statement, its replacement)), each the newest first.

    A statement belongs to the newest group with one that replaces or repeats it. The cache has what folded statements do to each other; what is not folded
    is compared here.

    folded: each with what newer ones do to it, the newest first.
    allowed: what a person just allowed for good, which need not be folded yet and is newer than everything else.
    """
    every = _just_said(folded, allowed)
    _settle_names(every)
    groups: list[list[Stated]] = []
    places: dict[int, tuple[int, int]] = {}  # {row: (its group, when it was said)}
    replaced: list[tuple[Stated, Stated]] = []
    for one, related in every:
        told = [(*places[row], relation) for row, relation in related if row in places]
        one.left = [part_of(relation, at) for _, at, relation in told if relation.startswith(LEAVES)]
        found = {(place, relation) for place, _, relation in told if relation in (REPLACES, REPEATS)}
        place = min((place for place, _ in found), default=len(groups))
        if found and (place, REPEATS) not in found:
            groups[place][0].replaced |= one.replaced
            replaced.append((one, groups[place][0]))
            continue
        if not found:
            groups.append([])
        groups[place].append(one)
        places[one.row] = place, one.at
    return [group for group in groups if any(one.row > 0 for one in group)], replaced


def _just_said(folded: Sequence[tuple[Stated, Related]], allowed: Sequence[Stated]) -> list[tuple[Stated, Related]]:
    """Return all statements, with what those that are not folded do to each. These get rows below zero."""
    if not allowed:
        return list(folded)
    from memorybank.cycle.fold.comparing import relation as relation_of  # late: hardly ever

    every: list[tuple[Stated, Related]] = []
    for number, one in enumerate(allowed, 1):
        one.row = -number
        every.append((one, [(said.row, relation) for said, _ in every if (relation := relation_of(said, one))]))
    return every + [(one, [*related, *((said.row, found) for said in allowed if (found := relation_of(said, one)))]) for one, related in folded]


def _settle_names(every: Sequence[tuple[Stated, Related]]) -> None:
    """Replace NAMES by what it means for the rule that is meant, and remove it where the name may mean several. every: the newest first"""
    places = {one.row: place for place, (one, _) in enumerate(every)}
    named: dict[int, list[int]] = {}
    for place, (_, related) in enumerate(every):
        for row, relation in related:
            if relation == NAMES and row in places:
                named.setdefault(places[row], []).append(place)
    for newer in sorted(named, reverse=True):  # the oldest first: what it ended is not meant by a later one
        by = every[newer][0]
        is_returning = RETURNING in by.traits
        meant = [place for place in named[newer] if is_returning or _is_in_force(every[place][1], places, newer)]
        rows = {every[place][0].row for place in meant}
        is_one = sum(not any(row in rows and relation == REPEATS for row, relation in every[place][1]) for place in meant) == 1
        for place in named[newer]:
            related = every[place][1]
            related.remove((by.row, NAMES))
            if is_one and place in meant:
                related.append((by.row, REPEATS if is_returning else REPLACES))


def _is_in_force(related: Related, places: Mapping[int, int], since: int) -> bool:
    """Return whether nothing had replaced a statement before the one at a place was said."""
    before = [(places[row], relation) for row, relation in related if places.get(row, -1) > since and relation in (REPLACES, REPEATS)]
    return not before or min(before)[1] == REPEATS
