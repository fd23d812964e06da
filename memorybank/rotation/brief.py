"""A plan for showing: the first of the leaving notes with their reasons, and numbers for all others, which are counted in classes and never read.

Its numbers and decisions are those of the full plan (`plan`). Where the decision about a note depends on other notes, the full plan is made instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from memorybank.index import selection
from memorybank.index.row import IndexedNote
from memorybank.index.selection import CountedNotes, NoteClass, NoteMeasures
from memorybank.index.working import Index
from memorybank.notes.bookmarks import Bookmarks
from memorybank.notes.date_record import SHALLOW
from memorybank.reasons.reason import Reason
from memorybank.rotation import pressure
from memorybank.rotation.decision import RotationDecision, RotationPlan, UnlistedNotes
from memorybank.rotation.plan import Planner, RestoredNotes, facts_of, warnings_of


def brief(
    index: Index,
    planner: Planner,
    listed: Sequence[IndexedNote],
    counted: CountedNotes,
    bookmarks: Bookmarks,
    state: RestoredNotes,
    outdated: Mapping[str, Reason],
    first: int,
) -> RotationPlan:
    """Return a plan with at most `first` of the leaving notes.

    listed: the large notes, those about which a person or a return from the archive may decide, and the important ones where they compete for
        `max_preserve_count`
    counted: all other notes
    """

    def decide(notes: Sequence[IndexedNote]) -> tuple[list[RotationDecision], int]:
        return planner.decide([facts_of(note, bookmarks, state, planner.now, outdated.get(note.key)) for note in notes])

    decisions, overflow = decide(listed)
    leaving = [decision for decision in decisions if decision.action == "archive"]
    outcomes = [(planner.outcome(each), each) for each in counted.classes]
    classes = [(outcome.name, each) for outcome, each in outcomes if outcome.leaves]
    occupancy = pressure.measure(listed, planner.settings.rotation.pressure, counted)
    size = sum(decision.size for decision in leaving) + sum(each.size for _, each in classes)
    count = len(leaving) + sum(each.count for _, each in classes)
    sessions = sum(map(pressure.is_session_note, (decision.key for decision in leaving))) + sum(each.session_notes for _, each in classes)
    needed = count
    if not pressure.are_all_needed(occupancy, count - sessions, sessions, size):
        measures = selection.measures_of_classes(index, [each for _, each in classes]) if occupancy.is_over else []
        needed = len(pressure.needed([*map(_measures, leaving), *measures], occupancy))
    found = [note for group in _departing(planner, classes, first) for note in selection.first_of_classes(index, group, first)]
    shown = sorted((*leaving, *decide(found)[0]), key=planner.departure)[:first]
    # In the order in which they leave, as the decisions of a full plan are.
    by_rule = Counter[str]()
    counts = [(decision.rule, decision.importance, 1) for decision in leaving] + [(name, each.importance, each.count) for name, each in classes]
    for name, _, number in sorted(counts, key=lambda each: planner.departure_of(each[0], each[1])):
        by_rule[name] += number
    by_rule.subtract(decision.rule for decision in shown)
    staying = Counter[str]()
    for outcome, each in outcomes:
        staying.update({} if outcome.leaves else {outcome.name: each.count})
    others = sorted((decision for decision in decisions if decision.action != "archive"), key=lambda decision: decision.key)
    shallow = counted.shallow + sum(note.date_source == SHALLOW for note in listed)
    unlisted = UnlistedNotes(+by_rule, size - sum(decision.size for decision in shown), needed)
    return planner.plan((*shown, *others), warnings_of(bookmarks, overflow, planner.bounds, shallow), occupancy, staying, unlisted=unlisted)


def _measures(decision: RotationDecision) -> NoteMeasures:
    return NoteMeasures(decision.key, decision.importance, decision.modified, decision.size)


def _departing(planner: Planner, classes: Sequence[tuple[str, NoteClass]], first: int) -> Iterator[list[NoteClass]]:
    """Yield the classes that contain the first notes to leave, those together whose notes leave by age.

    classes: (the rule that lets its notes leave, a class)
    """
    groups: dict[tuple[bool, int, float], list[NoteClass]] = {}
    for name, each in classes:
        groups.setdefault(planner.departure_of(name, each.importance), []).append(each)
    count = 0
    for place in sorted(groups):
        if count >= first:
            return
        count += sum(each.count for each in groups[place])
        yield groups[place]
