"""Plans a rotation from the index: only notes that a rule could select are read, and all others are counted (ADR 0094).

The result is that of `plan` with every note of the bank. Where the decision about one note depends on all others, because `active/` is too
large or bookmarks.json cannot be read, every note is read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from memorybank.clock import DAY
from memorybank.index import rescore, selection, totals
from memorybank.index.row import IndexedNote
from memorybank.index.selection import NOTHING_COUNTED, AgingNote, NoteRange
from memorybank.index.working import Index
from memorybank.notes.bookmarks import Bookmarks
from memorybank.notes.date_record import SHALLOW
from memorybank.reasons.reason import Reason
from memorybank.rotation import rules
from memorybank.rotation.brief import brief
from memorybank.rotation.decision import LeavingLater, RotationPlan
from memorybank.rotation.grace import Grace
from memorybank.rotation.plan import Planner, RestoredNotes, facts_of, plan
from memorybank.rotation.pressure import SESSION_NOTES
from memorybank.rotation.rules import RuleLimits
from memorybank.scoring.horizon import most_lost
from memorybank.scoring.importance import importance_at
from memorybank.scoring.parts import USER_RATED


class PlanSource:
    """What plans of one bank are made from.

    index: up to date
    is_too_large: whether `active/` is larger than `max_directory_size_mb`
    """

    def __init__(self, index: Index, bookmarks: Bookmarks, state: RestoredNotes, size: int | None = None) -> None:
        """Make the source. size: bytes of all notes, if the caller has added them up"""
        self.index = index
        self.settings = index.settings
        self.bookmarks = bookmarks
        self.state = state
        self.bounds: RuleLimits = rules.limits(self.settings.rotation, self.settings.scoring)
        self.is_too_large = (totals.totals(index).size if size is None else size) > self.bounds.directory_bytes

    def plan(
        self, rotation_type: str = "manual", grace: Grace | None = None, outdated: Mapping[str, Reason] | None = None, *, every: bool = False
    ) -> RotationPlan:
        """Return the plan of a rotation at the index's `now`. Raises `UsageError` for an unknown rotation type.

        grace, outdated: as for `plan`
        every: whether to decide about every note; otherwise the plan only counts notes that stay
        """
        notes, counted, now = None, NOTHING_COUNTED, self.index.now
        if not every and not self._is_joint(rotation_type):
            notes = self._select(rules.ranges(self.bounds, now), self._exceptions(now), rated=USER_RATED)
            counted = selection.count_others(self.index, rules.borders(self.bounds, now), SESSION_NOTES, SHALLOW)
        notes = self.index.notes() if notes is None else notes
        return plan(notes, self.bookmarks, self.state, self.settings, now, rotation_type, grace, outdated, counted)

    def brief(self, first: int, grace: Grace | None = None, outdated: Mapping[str, Reason] | None = None, *, rotation_type: str = "manual") -> RotationPlan:
        """Return a plan for showing, with the first notes that leave; all of them where the decision about one depends on the others.

        grace, outdated: as for `plan`
        """
        if rotation_type != rules.PRESSURE and not self._is_joint(rotation_type):
            now = self.index.now
            planner = Planner(self.settings, now, rotation_type, grace)
            listed = self._select((rules.large(self.bounds),), self._exceptions(now), rated=USER_RATED)
            counted = selection.count_others(self.index, rules.borders(self.bounds, now), SESSION_NOTES, SHALLOW)
            return brief(self.index, planner, listed, counted, self.bookmarks, self.state, outdated or {}, first)
        return self.plan(rotation_type, grace, outdated)

    def leaving_later(self, planned: RotationPlan, until: int, grace: Grace | None, first: int | None = None) -> LeavingLater:
        """Return the notes that a rotation by all rules would archive at `until`, without those of a plan for now, if only time passes.

        grace: the period that applies at `until`
        first: maximum number of decisions; None decides about all of the notes
        """
        changing = self._changing(until)
        notes = self._aging(planned, until, changing)
        if planned.unlisted is None:
            already = {decision.key for decision in planned.leaving}
        else:
            present = Planner(self.settings, self.index.now, planned.rotation_type, planned.grace)
            already = present.leaving_keys([facts_of(each, self.bookmarks, self.state, self.index.now) for each in notes])
        # Important notes compete for `max_preserve_count`; the decision about any other note depends on that note alone.
        if not self._is_joint(planned.rotation_type):
            notes = [each for each in notes if each.key not in already or each.importance >= self.bounds.high]
        later = Planner(self.settings, until, "manual", grace)
        importances = self._importances(notes, until, changing)
        facts = [facts_of(each, self.bookmarks, self.state, until, importance=importances[each.key]) for each in notes]
        leaving = [each for each in later.leaving(facts, importances) if each[0].note.key not in already]
        keys = [fact.note.key for fact, _ in leaving[:first]]
        scores = rescore.scores_at(self.index, keys, until)
        shown = {note.key: note.scored(scores[note.key]) if note.key in scores else note for note in self.index.notes(keys)}
        return LeavingLater(len(leaving), tuple(later.decisions(leaving[:first], shown)))

    def _aging(self, planned: RotationPlan, until: int, changing: Iterable[str]) -> list[AgingNote]:
        """Return all notes that can leave until then, and maybe others. Notes that leave now for certain are left out.

        changing: those of `_changing`
        """
        if self._is_joint(planned.rotation_type) or rescore.can_rise(self.index, until):
            return selection.select_aging(self.index, (NoteRange(),))
        is_certain = planned.rotation_type == "manual" and not planned.skipped_rules and planned.grace is None
        beside = rules.certain_ranges(self.bounds, self.index.now) if is_certain else ()
        keys = [*changing, *self._restored(self.index.now)]
        return selection.select_aging(self.index, (*rules.ranges(self.bounds, until, self._falls(until)), *self._competing()), keys=keys, beside=beside)

    def _importances(self, notes: Sequence[AgingNote], until: int, changing: Collection[str]) -> dict[str, float]:
        """Return {key: the importance at `until` if only time passes}. changing: those of `_changing`"""
        if rescore.can_rise(self.index, until):
            changing = {each.key for each in notes}
        scores = rescore.scores_at(self.index, [each.key for each in notes if each.key in changing], until)
        scoring = self.settings.scoring
        found: dict[str, float] = {}
        known: dict[tuple[int, int | None], float] = {}
        for note in notes:
            # The parts of most notes stay as they are, except the one that follows from the age.
            if note.key in scores:
                found[note.key] = scores[note.key].total
            elif note.key in changing:
                found[note.key] = note.importance
            else:
                found[note.key] = importance_at(note, note.modified, note.edits, scoring, until, known)
        return found

    def _changing(self, until: int) -> set[str]:
        """Return the keys of the notes whose score time changes until then in other ways than through their age."""
        # The rows are older than `now` where another process keeps the index from being brought up to date.
        since = min(self.index.now, rescore.scored_at(self.index.connection))
        return selection.changed_by_time(self.index.connection, self.settings.scoring.window_days * DAY, since, until)

    def _is_joint(self, rotation_type: str) -> bool:
        """Return whether the decision about any note can depend on all others."""
        asked, _ = rules.asked(self.settings.rotation, rotation_type)
        return ("directory_size" in asked and self.is_too_large) or self.bookmarks.malformed is not None

    def _select(self, ranges: Iterable[NoteRange], keys: Iterable[str], rated: float | None) -> list[IndexedNote]:
        return selection.select(self.index, (*ranges, *self._competing()), rated=rated, keys=keys)

    def _competing(self) -> tuple[NoteRange, ...]:
        """Return the range of the important notes if they compete for `max_preserve_count`."""
        return (NoteRange(least=self.bounds.high),) if self._are_too_many_high() else ()

    def _are_too_many_high(self) -> bool:
        """Return whether more important notes exist than the rules keep for their importance."""
        return selection.has_more_important(self.index.connection, self.bounds.high, self.bounds.high_count)

    def _exceptions(self, now: int) -> list[str]:
        """Return the notes that a bookmark or their return from the archive may keep, whatever the rules say."""
        bookmarked = filter(self.bookmarks.matches, self.index.keys()) if self.bookmarks.entries else ()
        return [*bookmarked, *self._restored(now)]

    def _restored(self, now: int) -> list[str]:
        """Return the notes that came back recently enough to stay for it."""
        return [key for key, at in self.state.restored.items() if at > now - (self.bounds.recent_days + 1) * DAY]

    def _falls(self, until: int) -> Callable[[int], float]:
        """Return a function from an age in days at `until` to the most that an importance falls until then."""
        days = -((self.index.now - until) // DAY)
        return lambda age: most_lost(age - days, days, self.settings.scoring)
