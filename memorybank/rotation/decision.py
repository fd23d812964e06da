"""What a rotation would do, as values: a RotationDecision with its reason for each note, and a RotationPlan with all of them. `execute` does exactly this."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from memorybank.clock import isoformat
from memorybank.reasons.reason import Reason, text_of
from memorybank.rotation import pressure
from memorybank.rotation.grace import Grace
from memorybank.rotation.pressure import Occupancy
from memorybank.storage.digest import sha256
from memorybank.values import NamedTuple, Value

PRESERVED_AS = {"high": "high", "recent": "recent", "bookmarked": "bookmark", "user_rated": "rated", "restored": "restored"}
"""Rule → its name in `preserved_counts`."""


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


class LeavingLater(Value):
    """The notes that leave until a later instant in addition to those of a plan. count: their number; decisions: about the first of them, or all"""

    count: int
    decisions: tuple[RotationDecision, ...] = ()


class Brake(Value):
    """The limits above which a rotation needs a person's confirmation. files: number of notes; size: bytes"""

    files: int
    size: float


class UnlistedNotes(Value):
    """The leaving notes of a plan that are counted instead of listed, because the caller asked for the first ones only.

    leaving: {rule: number of them}
    size: bytes of them
    needed: number of all notes that have to leave, also of the listed ones
    """

    leaving: Mapping[str, int]
    size: int
    needed: int


class RotationPlan(Value):
    """The decisions: first those to archive, in the order in which they leave, then those about other notes by key.

    skipped_rules: (rule, why it was not applied)
    digest: digest of the leaving notes and the rules that select them
    remaining: number of notes that a limited plan leaves for later
    brake: None when it is switched off
    occupancy: how full `active/` is before the rotation
    grace: the period in which no note leaves by its age, or None
    counted: {rule: number of notes} of the notes that stay and have no decision here, because the caller asked for none about them
    unlisted: the leaving notes that have no decision here either; None when every one has. Such a plan is only for showing
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
    counted: Mapping[str, int] = {}
    unlisted: UnlistedNotes | None = None

    @property
    def notes(self) -> int:
        """Number of notes that the plan is about."""
        return len(self.decisions) + sum(self.counted.values()) + (sum(self.unlisted.leaving.values()) if self.unlisted is not None else 0)

    @property
    def kept(self) -> int:
        """Number of notes that stay although no rule preserves them."""
        listed = sum(decision.action == "keep" for decision in self.decisions)
        return listed + sum(count for rule, count in self.counted.items() if rule not in PRESERVED_AS)

    @property
    def essence(self) -> str:
        """SHA-256 (hex) of the leaving notes and their rules, without the time of planning. Plans with the same essence archive the same notes."""
        return digest_of_plan(self.rotation_type, 0, self.leaving)

    @property
    def leaving(self) -> tuple[RotationDecision, ...]:
        return tuple(decision for decision in self.decisions if decision.action == "archive")

    @property
    def leaving_by_rule(self) -> dict[str, int]:
        """Return {rule: number of notes that it lets leave}, also of those that are not listed."""
        counts = Counter(decision.rule for decision in self.leaving)
        counts.update(self.unlisted.leaving if self.unlisted is not None else {})
        return dict(counts)

    @property
    def leaving_count(self) -> int:
        return len(self.leaving) + (sum(self.unlisted.leaving.values()) if self.unlisted is not None else 0)

    @property
    def deferred_count(self) -> int:
        return len(self.deferred) + self.counted.get("grace", 0)

    @property
    def needed_count(self) -> int:
        return len(self.needed) if self.unlisted is None else self.unlisted.needed

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
        return sum(decision.size for decision in self.leaving) + (self.unlisted.size if self.unlisted is not None else 0)

    @property
    def is_large(self) -> bool:
        """Whether the plan needs a person's confirmation because it exceeds the brake."""
        return self.brake is not None and (self.leaving_count > self.brake.files or self.leaving_bytes > self.brake.size)

    @property
    def preserved_counts(self) -> dict[str, int]:
        counts = dict.fromkeys(PRESERVED_AS.values(), 0)
        for decision in self.decisions:
            if decision.action == "preserve":
                counts[PRESERVED_AS[decision.rule]] += 1
        for rule, count in self.counted.items():
            if rule in PRESERVED_AS:
                counts[PRESERVED_AS[rule]] += count
        return counts

    def limited(self) -> RotationPlan:
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
        return self.with_changes(decisions=(*kept, *others), digest=digest_of_plan(self.rotation_type, self.now, kept), remaining=left)

    def to_json(self, *, every: bool = True) -> dict[str, Any]:
        """Return the plan as JSON.

        every: whether to include all decisions; otherwise only those to archive
        """
        return {
            "rotation_type": self.rotation_type,
            "as_of": isoformat(self.now),
            "digest": self.digest,
            "summary": {
                "files_processed": self.notes + self.remaining,
                "files_to_archive": len(self.leaving),
                "bytes_to_archive": self.leaving_bytes,
                "preserved_counts": self.preserved_counts,
                "kept": self.kept,
                "needs_confirmation": self.is_large,
                "occupancy": self.occupancy.to_json(),
                "grace": None if self.grace is None else {**self.grace.to_json(), "files_deferred": len(self.deferred)},
            },
            "skipped_rules": [{"rule": rule, "reason": text_of(reason)} for rule, reason in self.skipped_rules],
            "warnings": [text_of(warning) for warning in self.warnings],
            "decisions": [decision.to_json() for decision in (self.decisions if every else self.leaving)],
        }


def digest_of_plan(rotation_type: str, now: int, leaving: Iterable[RotationDecision]) -> str:
    """Return the SHA-256 (hex) of the leaving notes and their rules."""
    hashed = [f"{rotation_type}\0{now}".encode()]
    for decision in leaving:
        parts = (decision.key, decision.digest, decision.rule, str(decision.importance), str(decision.compress), str(decision.delete_after_days))
        hashed.append("\0".join(parts).encode("utf-8", "surrogatepass"))
    return sha256(b"\0".join(hashed)).hex()
