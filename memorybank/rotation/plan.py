"""Decides what happens to each note: the rules in their order, what too many important notes and too large a folder change, and the grace of a new bank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from memorybank.config.settings import Settings
from memorybank.index.row import IndexedNote
from memorybank.index.selection import NOTHING_COUNTED, AgingNote, CountedNotes, NoteClass
from memorybank.notes.date_record import SHALLOW
from memorybank.reasons.reason import Reason
from memorybank.rotation import pressure, rules
from memorybank.rotation.decision import Brake, RotationDecision, RotationPlan, UnlistedNotes, digest_of_plan
from memorybank.rotation.grace import BY_AGE, Grace
from memorybank.rotation.pressure import Occupancy
from memorybank.rotation.rules import MB, NoteFacts, RotationRule, RuleLimits
from memorybank.scoring.importance import ScoreBreakdown
from memorybank.scoring.parts import age_days
from memorybank.values import NamedTuple

NOT_NEEDED = Reason("rotation.not_needed")
_NOTHING = ScoreBreakdown(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, ())
_UNLISTED = IndexedNote("", "", "", 0, 0, "", "", (), (), 0, 0, "", 0.0, None, False, None, None, None, None, 0, None, _NOTHING)
"""Stands for a note that is counted in a class: no rule selects or keeps it by its size, its rating or its key."""


LeavingNote: TypeAlias = tuple[NoteFacts, RotationRule]
"""A note that leaves, with the rule that lets it."""


class BookmarkedNotes(Protocol):
    def matches(self, key: str) -> bool: ...


class RestoredNotes(Protocol):
    """The notes that came back from the archive. restored: {note key: instant (ms) at which it last came back}"""

    @property
    def restored(self) -> Mapping[str, int]: ...


def plan(
    notes: Sequence[IndexedNote],
    bookmarks: BookmarkedNotes,
    state: RestoredNotes,
    settings: Settings,
    now: int,
    rotation_type: str = "manual",
    grace: Grace | None = None,
    outdated: Mapping[str, Reason] | None = None,
    counted: CountedNotes = NOTHING_COUNTED,
) -> RotationPlan:
    """Decide about these notes. Raises `UsageError` for an unknown rotation type.

    now: the instant (ms) for which the notes were scored
    rotation_type: one of `rules.TYPES`, or `rules.PRESSURE`
    grace: the period in which no note leaves by its age
    outdated: {key: how much of what the note names is outdated}
    counted: the other notes of the bank, none of which a rule could select (`selecting.PlanSource`)
    """
    planner = Planner(settings, now, rotation_type, grace)
    facts = [facts_of(note, bookmarks, state, now, (outdated or {}).get(note.key)) for note in notes]
    decisions, overflow = planner.decide(facts)
    leaving = sorted((decision for decision in decisions if decision.action == "archive"), key=planner.departure)
    others = sorted((decision for decision in decisions if decision.action != "archive"), key=lambda decision: decision.key)
    occupancy = pressure.measure(notes, settings.rotation.pressure, counted)
    if rotation_type == rules.PRESSURE:
        leaving, others = _relieved(leaving, others, occupancy)
    warnings = warnings_of(bookmarks, overflow, planner.bounds, counted.shallow + sum(note.date_source == SHALLOW for note in notes))
    staying = Counter[str]()
    for each in counted.classes:
        staying[planner.outcome(each).name] += each.count
    return planner.plan((*leaving, *others), warnings, occupancy, staying, digest_of_plan(rotation_type, now, leaving))


def _relieved(
    allowed: Sequence[RotationDecision], others: Sequence[RotationDecision], occupancy: Occupancy
) -> tuple[list[RotationDecision], list[RotationDecision]]:
    """Return (the allowed notes that have to leave, the decisions about all other notes by key)."""
    leaving = pressure.needed(allowed, occupancy)
    keys = {decision.key for decision in leaving}
    spared = [decision._replace(action="keep", rule="not_needed", reason=NOT_NEEDED, lever=None) for decision in allowed if decision.key not in keys]
    return leaving, sorted((*others, *spared), key=lambda decision: decision.key)


class ClassOutcome(NamedTuple):
    """What a plan does with notes that are alike to all rules. name: the rule, or why they stay: `none` or `grace`"""

    leaves: bool
    name: str


class Planner:
    """The rules that apply in one run, in their order. Raises `UsageError` for an unknown rotation type."""

    def __init__(self, settings: Settings, now: int, rotation_type: str, grace: Grace | None) -> None:
        asked, self.skipped = rules.asked(settings.rotation, rotation_type)
        self.settings = settings
        self.now = now
        self.rotation_type = rotation_type
        self.bounds: RuleLimits = rules.limits(settings.rotation, settings.scoring)
        self.asked = asked
        self.grace = grace
        self.rules = [rule for rule in rules.table(self.bounds) if rule.action == "preserve" or rule.name in asked]

    def decide(self, facts: Sequence[NoteFacts]) -> tuple[list[RotationDecision], int]:
        """Return (decision about every note, number of notes that rank as 7.9 because too many rank high)."""
        matched, overflow = self._matched(facts)
        return [self._after_grace(self._decision(fact, rule)) for fact, rule in matched], overflow

    def leaving(self, facts: Sequence[NoteFacts], importances: Mapping[str, float]) -> list[LeavingNote]:
        """Return those of the notes that leave, in the order in which they do.

        importances: {key: the note's own importance}, which may be higher than the one that it counts with
        """

        def departure(each: LeavingNote) -> tuple[bool, int, float, int, str]:
            note = each[0].note
            return *self.departure_of(each[1].name, importances[note.key]), note.modified, note.key

        return sorted(self._leave(facts), key=departure)

    def decisions(self, leaving: Iterable[LeavingNote], notes: Mapping[str, IndexedNote]) -> list[RotationDecision]:
        """Return the decisions about notes that `leaving` returned. notes: {key: the complete note}"""
        return [self._decision(fact._replace(note=notes[fact.note.key]), rule) for fact, rule in leaving]

    def leaving_keys(self, facts: Sequence[NoteFacts]) -> set[str]:
        """Return the keys of those of the notes that leave."""
        return {fact.note.key for fact, _ in self._leave(facts)}

    def _leave(self, facts: Sequence[NoteFacts]) -> list[LeavingNote]:
        matched = self._matched(facts)[0]
        return [(fact, rule) for fact, rule in matched if rule is not None and rule.action == "archive" and not (self.grace and rule.name in BY_AGE)]

    def _matched(self, facts: Sequence[NoteFacts]) -> tuple[list[tuple[NoteFacts, RotationRule | None]], int]:
        """Return (each note with the rule that decides about it, number of notes that rank as 7.9 because too many rank high)."""
        matched = [(fact, self._match(fact)) for fact in facts]
        high = sorted((fact for fact, rule in matched if rule is rules.HIGH), key=lambda fact: (-fact.importance, -fact.note.modified, fact.note.key))
        overflow = high[self.bounds.high_count :]
        if overflow:
            # The rank must be below the configured threshold, which may be lower than OVERFLOW_RANK.
            rank = min(rules.OVERFLOW_RANK, self.bounds.high - 0.1)
            lowered = {fact.note.key: fact._replace(importance=rank, overflow=True) for fact in overflow}
            matched = [(lowered[fact.note.key], self._match(lowered[fact.note.key])) if fact.note.key in lowered else (fact, rule) for fact, rule in matched]
        if "directory_size" in self.asked:
            matched = self._shrink_directory(matched)
        return matched, len(overflow)

    def departure(self, decision: RotationDecision) -> tuple[bool, int, float, int, str]:
        """Return the sort key of a leaving note. Notes below `archive_threshold` leave first; then rule by rule, the least important and oldest first."""
        return *self.departure_of(decision.rule, decision.importance), decision.modified, decision.key

    def departure_of(self, rule: str, importance: float) -> tuple[bool, int, float]:
        """Return the part of the sort key that notes of one rule and importance have in common."""
        above = importance >= self.settings.scoring.thresholds.archive_threshold
        return above, ("size", "low", "medium", "directory_size").index(rule), importance

    def outcome(self, counted: NoteClass) -> ClassOutcome:
        """Return what happens to all notes of a class, where neither too many important notes nor a too large folder changes it."""
        rule = self._match(NoteFacts(_UNLISTED, counted.importance, age_days(counted.until, self.now), False, None))
        if rule is None:
            return ClassOutcome(False, "none")
        if self.grace is not None and rule.name in BY_AGE:
            return ClassOutcome(False, "grace")
        return ClassOutcome(rule.action == "archive", rule.name)

    def plan(
        self,
        decisions: tuple[RotationDecision, ...],
        warnings: Iterable[Reason],
        occupancy: Occupancy,
        counted: Mapping[str, int],
        digest: str = "",
        unlisted: UnlistedNotes | None = None,
    ) -> RotationPlan:
        """Return the plan with these decisions."""
        alert = self.settings.rotation.notification_settings.alert_on_large_rotations
        return RotationPlan(
            rotation_type=self.rotation_type,
            now=self.now,
            decisions=decisions,
            warnings=tuple(warnings),
            skipped_rules=self.skipped,
            digest=digest,
            brake=Brake(alert.threshold_files, alert.threshold_size_mb * MB) if alert.enabled else None,
            occupancy=occupancy,
            grace=self.grace,
            counted=dict(counted),
            unlisted=unlisted,
        )

    def _match(self, fact: NoteFacts) -> RotationRule | None:
        for rule in self.rules:
            if rule.applies(fact, self.bounds):
                return rule
        return None

    def _shrink_directory(self, matched: list[tuple[NoteFacts, RotationRule | None]]) -> list[tuple[NoteFacts, RotationRule | None]]:
        """Select more notes, the least important and oldest unpreserved first, until the rest fits `max_directory_size_mb`."""
        staying = [(fact, rule) for fact, rule in matched if rule is None or rule.action == "preserve"]
        total = sum(fact.note.size for fact, _ in staying)
        free = [fact for fact, rule in staying if rule is None or (rule is rules.HIGH and not self.bounds.high_always)]
        leaving: set[str] = set()
        for fact in sorted(free, key=lambda fact: (fact.importance, fact.note.modified, fact.note.key)):
            if total <= self.bounds.directory_bytes:
                break
            total -= fact.note.size
            leaving.add(fact.note.key)
        directory = RotationRule(
            "directory_size", "archive", lambda *_: True, lambda _, bounds: Reason("rotation.directory_size", limit=bounds.directory_bytes / MB)
        )
        return [(fact, directory if fact.note.key in leaving else rule) for fact, rule in matched] if leaving else matched

    def _after_grace(self, decision: RotationDecision) -> RotationDecision:
        """Return the decision, or the decision to keep the note if the grace forbids that it leaves by its age."""
        if self.grace is None or decision.rule not in BY_AGE:
            return decision
        return decision._replace(action="keep", rule="grace", reason=self.grace.reason(decision.rule), delete_after_days=None)

    def _decision(self, fact: NoteFacts, rule: RotationRule | None) -> RotationDecision:
        note = fact.complete
        name = rule.name if rule else "none"
        archival = self.settings.rotation.rotation_strategy.archival_rules
        return RotationDecision._make(
            (
                note.key,
                rule.action if rule else "keep",
                name,
                rules.reason(fact, rule, self.bounds) if rule else Reason("rotation.none"),
                note.importance,
                fact.age,
                note.size,
                note.digest,
                rules.lever(fact, name, self.bounds, self.settings.scoring, self.now),
                note.title,
                note.topics,
                note.modified,
                archival.low_importance.compress if rules.is_low(fact, self.bounds) else archival.medium_importance.compress,
                archival.low_importance.delete_after_archive_days if name == "low" else None,
            )
        )


def facts_of(
    note: IndexedNote | AgingNote, bookmarks: BookmarkedNotes, state: RestoredNotes, now: int, outdated: Reason | None = None, importance: float | None = None
) -> NoteFacts:
    """Return what the rules look at of a note.

    outdated: how much of what it names is outdated
    importance: the importance at `now`, if it is another one than that of the note
    """
    # `_make` is C code: a plan has the facts of ten thousand notes.
    return NoteFacts._make(
        (
            note,
            note.importance if importance is None else importance,
            age_days(note.modified, now),
            note.bookmarked or bookmarks.matches(note.key),
            age_days(state.restored[note.key], now) if note.key in state.restored else None,
            False,
            outdated,
        )
    )


def warnings_of(bookmarks: BookmarkedNotes, overflow: int, bounds: RuleLimits, hidden: int) -> Iterable[Reason]:
    """Yield the warnings of a plan. hidden: number of notes whose date a shallow clone hides"""
    if getattr(bookmarks, "malformed", None):
        yield Reason("rotation.unreadable_bookmarks")
    if overflow:
        yield Reason("rotation.too_many_high", count=overflow, most=bounds.high_count, rank=rules.OVERFLOW_RANK, limit=bounds.high)
    if hidden:
        yield Reason("rotation.shallow_clone", count=hidden)
