"""What a rotation would do, as a value: a Decision with its reason for every note. `execute` does exactly this."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

from memorybank.clock import isoformat
from memorybank.config.settings import Settings
from memorybank.errors import UsageError
from memorybank.index.row import IndexedNote
from memorybank.notes.dates import SHALLOW
from memorybank.reasons.reason import Reason, text_of
from memorybank.rotation import pressure, rules
from memorybank.rotation.grace import BY_AGE, Grace
from memorybank.rotation.pressure import Occupancy
from memorybank.rotation.rules import MB, NoteFacts, RotationRule, RuleLimits
from memorybank.scoring.parts import age_days

PRESERVED_AS = {"high": "high", "recent": "recent", "bookmarked": "bookmark", "user_rated": "rated", "restored": "restored"}
"""Rule → its name in `preserved_counts`."""
NOT_NEEDED = Reason("rotation.not_needed")


class BookmarkedNotes(Protocol):
    def matches(self, key: str) -> bool: ...


class RestoredNotes(Protocol):
    """The notes that came back from the archive. restored: {note key: instant (ms) at which it last came back}"""

    @property
    def restored(self) -> Mapping[str, int]: ...


class RotationDecision(NamedTuple):
    """What happens to one note, and why. It is a named tuple because a plan contains one for every note of the bank.

    action: archive | preserve | keep
    rule: the rule that matched. For `keep` it is `none`, `not_needed` (a rule allows the note to leave, but nothing has to) or `grace` (the bank is new)
    digest: SHA-256 of the bytes for which the decision was made
    lever: the means that keep the note, or would keep it
    delete_after_days: number of days after which retention may delete the object; None: never
    """

    key: str
    action: str
    rule: str
    reason: Reason
    importance: float
    age_days: int
    size: int
    digest: str
    lever: Reason | None
    title: str
    topics: tuple[str, ...]
    modified: int
    compress: bool = True
    delete_after_days: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "path": self.key,
            "action": self.action,
            "rule": self.rule,
            "reason": text_of(self.reason),
            "importance": self.importance,
            "age_days": self.age_days,
            "size": self.size,
            "sha256": self.digest,
            "lever": text_of(self.lever),
            "title": self.title,
        }


@dataclass(frozen=True, slots=True)
class Brake:
    """The limits above which a rotation needs a person's confirmation. files: number of notes; size: bytes"""

    files: int
    size: float


@dataclass(frozen=True, slots=True)
class RotationPlan:
    """The decisions for all notes: first those to archive, in the order in which they leave, then the others by key.

    skipped_rules: (rule, why it was not applied)
    digest: digest of the leaving notes and the rules that select them
    remaining: number of notes that a limited plan leaves for later
    brake: None when it is switched off
    occupancy: how full `active/` is before the rotation
    grace: the period in which no note leaves by its age, or None
    """

    rotation_type: str
    now: int
    decisions: tuple[RotationDecision, ...]
    warnings: tuple[Reason, ...]
    skipped_rules: tuple[tuple[str, Reason], ...]
    digest: str
    brake: Brake | None
    occupancy: Occupancy
    remaining: int = 0
    grace: Grace | None = None

    @property
    def essence(self) -> str:
        """SHA-256 (hex) of the leaving notes and their rules, without the time of planning. Plans with the same essence archive the same notes."""
        return digest_of_plan(self.rotation_type, 0, self.leaving)

    @property
    def leaving(self) -> tuple[RotationDecision, ...]:
        return tuple(decision for decision in self.decisions if decision.action == "archive")

    @property
    def deferred(self) -> tuple[RotationDecision, ...]:
        """The notes that would leave by their age and stay because of the grace."""
        return tuple(decision for decision in self.decisions if decision.rule == "grace")

    @property
    def needed(self) -> tuple[RotationDecision, ...]:
        """The leaving notes that have to leave so that `active/` is within `rotation.pressure`."""
        return tuple(pressure.needed(self.leaving, self.occupancy))

    @property
    def leaving_bytes(self) -> int:
        return sum(decision.size for decision in self.leaving)

    @property
    def is_large(self) -> bool:
        """Whether the plan needs a person's confirmation because it exceeds the brake."""
        return self.brake is not None and (len(self.leaving) > self.brake.files or self.leaving_bytes > self.brake.size)

    @property
    def preserved_counts(self) -> dict[str, int]:
        counts = dict.fromkeys(PRESERVED_AS.values(), 0)
        for decision in self.decisions:
            if decision.action == "preserve":
                counts[PRESERVED_AS[decision.rule]] += 1
        return counts

    def limited(self) -> "RotationPlan":
        """Return the first part of this plan, as much as the brake permits without confirmation."""
        if not self.is_large or self.brake is None:
            return self
        kept: list[RotationDecision] = []
        size = 0
        for decision in self.leaving:
            if len(kept) == self.brake.files or size + decision.size > self.brake.size:
                break
            kept.append(decision)
            size += decision.size
        others = [decision for decision in self.decisions if decision.action != "archive"]
        left = len(self.leaving) - len(kept)
        return replace(self, decisions=(*kept, *others), digest=digest_of_plan(self.rotation_type, self.now, kept), remaining=left)

    def to_json(self, *, every: bool = True) -> dict[str, Any]:
        """Return the plan as JSON.

        every: whether to include all decisions; otherwise only those to archive
        """
        return {
            "rotation_type": self.rotation_type,
            "as_of": isoformat(self.now),
            "digest": self.digest,
            "summary": {
                "files_processed": len(self.decisions) + self.remaining,
                "files_to_archive": len(self.leaving),
                "bytes_to_archive": self.leaving_bytes,
                "preserved_counts": self.preserved_counts,
                "kept": sum(decision.action == "keep" for decision in self.decisions),
                "needs_confirmation": self.is_large,
                "occupancy": self.occupancy.to_json(),
                "grace": None if self.grace is None else {**self.grace.to_json(), "files_deferred": len(self.deferred)},
            },
            "skipped_rules": [{"rule": rule, "reason": text_of(reason)} for rule, reason in self.skipped_rules],
            "warnings": [text_of(warning) for warning in self.warnings],
            "decisions": [decision.to_json() for decision in (self.decisions if every else self.leaving)],
        }


def plan(
    notes: Sequence[IndexedNote],
    bookmarks: BookmarkedNotes,
    state: RestoredNotes,
    settings: Settings,
    now: int,
    rotation_type: str = "manual",
    grace: Grace | None = None,
    outdated: Mapping[str, Reason] | None = None,
) -> RotationPlan:
    """Decide about every note. Raises `UsageError` for an unknown rotation type.

    now: the instant (ms) for which the notes were scored
    rotation_type: one of `rules.TYPES`, or `rules.PRESSURE`
    grace: the period in which no note leaves by its age
    outdated: {key: how much of what the note names is outdated}
    """
    if rotation_type not in (*rules.TYPES, rules.PRESSURE):
        raise UsageError(f"{rotation_type!r} is not a rotation type", next_step=f"choose one of {', '.join(rules.TYPES)}")
    asked, skipped = rules.asked(settings.rotation, rotation_type)
    planner = _Planner(settings, now, asked, grace)
    facts = [_facts(note, bookmarks, state, now, (outdated or {}).get(note.key)) for note in notes]
    decisions, overflow = planner.decide(facts)
    leaving = sorted((decision for decision in decisions if decision.action == "archive"), key=planner.departure)
    others = sorted((decision for decision in decisions if decision.action != "archive"), key=lambda decision: decision.key)
    occupancy = pressure.measure(notes, settings.rotation.pressure)
    if rotation_type == rules.PRESSURE:
        leaving, others = _relieved(leaving, others, occupancy)
    alert = settings.rotation.notification_settings.alert_on_large_rotations
    return RotationPlan(
        rotation_type=rotation_type,
        now=now,
        decisions=(*leaving, *others),
        warnings=(*_bookmark_warnings(bookmarks), *planner.warnings(overflow), *_date_warnings(notes)),
        skipped_rules=skipped,
        digest=digest_of_plan(rotation_type, now, leaving),
        brake=Brake(alert.threshold_files, alert.threshold_size_mb * MB) if alert.enabled else None,
        occupancy=occupancy,
        grace=grace,
    )


def _relieved(
    allowed: Sequence[RotationDecision], others: Sequence[RotationDecision], occupancy: Occupancy
) -> tuple[list[RotationDecision], list[RotationDecision]]:
    """Return (the allowed notes that have to leave, the decisions about all other notes by key)."""
    leaving = pressure.needed(allowed, occupancy)
    keys = {decision.key for decision in leaving}
    spared = [decision._replace(action="keep", rule="not_needed", reason=NOT_NEEDED, lever=None) for decision in allowed if decision.key not in keys]
    return leaving, sorted((*others, *spared), key=lambda decision: decision.key)


class _Planner:
    """The rules that apply in one run, in their order."""

    def __init__(self, settings: Settings, now: int, asked: frozenset[str], grace: Grace | None) -> None:
        self.settings = settings
        self.now = now
        self.bounds: RuleLimits = rules.limits(settings.rotation, settings.scoring)
        self.asked = asked
        self.grace = grace
        self.rules = [rule for rule in rules.table(self.bounds) if rule.action == "preserve" or rule.name in asked]

    def decide(self, facts: Sequence[NoteFacts]) -> tuple[list[RotationDecision], int]:
        """Return (decision about every note, number of notes that rank as 7.9 because too many rank high)."""
        matched = [(fact, self._match(fact)) for fact in facts]
        overflow = self._overflow(fact for fact, rule in matched if rule is rules.HIGH)
        if overflow:
            # The rank must be below the configured threshold, which may be lower than OVERFLOW_RANK.
            rank = min(rules.OVERFLOW_RANK, self.bounds.high - 0.1)
            lowered = {fact.note.key: fact._replace(importance=rank, overflow=True) for fact in overflow}
            matched = [(lowered[fact.note.key], self._match(lowered[fact.note.key])) if fact.note.key in lowered else (fact, rule) for fact, rule in matched]
        if "directory_size" in self.asked:
            matched = self._shrink_directory(matched)
        return [self._after_grace(self._decision(fact, rule)) for fact, rule in matched], len(overflow)

    def departure(self, decision: RotationDecision) -> tuple[bool, int, float, int, str]:
        """Return the sort key of a leaving note. Notes below `archive_threshold` leave first; then rule by rule, the least important and oldest first."""
        above = decision.importance >= self.settings.scoring.thresholds.archive_threshold
        rank = ("size", "low", "medium", "directory_size").index(decision.rule)
        return above, rank, decision.importance, decision.modified, decision.key

    def warnings(self, overflow: int) -> Iterable[Reason]:
        if overflow:
            yield Reason("rotation.too_many_high", count=overflow, most=self.bounds.high_count, rank=rules.OVERFLOW_RANK, limit=self.bounds.high)

    def _match(self, fact: NoteFacts) -> RotationRule | None:
        for rule in self.rules:
            if rule.applies(fact, self.bounds):
                return rule
        return None

    def _overflow(self, high: Iterable[NoteFacts]) -> list[NoteFacts]:
        return sorted(high, key=lambda fact: (-fact.importance, -fact.note.modified, fact.note.key))[self.bounds.high_count :]

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
        note = fact.note
        name = rule.name if rule else "none"
        archival = self.settings.rotation.rotation_strategy.archival_rules
        return RotationDecision(
            key=note.key,
            action=rule.action if rule else "keep",
            rule=name,
            reason=rules.reason(fact, rule, self.bounds) if rule else Reason("rotation.none"),
            importance=note.importance,
            age_days=fact.age,
            size=note.size,
            digest=note.digest,
            lever=rules.lever(fact, name, self.bounds, self.settings.scoring, self.now),
            title=note.title,
            topics=note.topics,
            modified=note.modified,
            compress=archival.low_importance.compress if rules.is_low(fact, self.bounds) else archival.medium_importance.compress,
            delete_after_days=archival.low_importance.delete_after_archive_days if name == "low" else None,
        )


def _facts(note: IndexedNote, bookmarks: BookmarkedNotes, state: RestoredNotes, now: int, outdated: Reason | None) -> NoteFacts:
    return NoteFacts(
        note=note,
        importance=note.importance,
        age=age_days(note.modified, now),
        bookmarked=note.bookmarked or bookmarks.matches(note.key),
        restored_days=age_days(state.restored[note.key], now) if note.key in state.restored else None,
        outdated=outdated,
    )


def _bookmark_warnings(bookmarks: BookmarkedNotes) -> Iterable[Reason]:
    if getattr(bookmarks, "malformed", None):
        yield Reason("rotation.unreadable_bookmarks")


def _date_warnings(notes: Sequence[IndexedNote]) -> Iterable[Reason]:
    hidden = sum(note.date_source == SHALLOW for note in notes)
    if hidden:
        yield Reason("rotation.shallow_clone", count=hidden)


def digest_of_plan(rotation_type: str, now: int, leaving: Iterable[RotationDecision]) -> str:
    """Return the SHA-256 (hex) of the leaving notes and their rules."""
    hashed = sha256(f"{rotation_type}\0{now}".encode())
    for decision in leaving:
        parts = (decision.key, decision.digest, decision.rule, str(decision.importance), str(decision.compress), str(decision.delete_after_days))
        hashed.update(("\0" + "\0".join(parts)).encode("utf-8", "surrogatepass"))
    return hashed.hexdigest()
