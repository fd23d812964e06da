"""The reports of rotation as values: what a run did, and what a check of stored data found."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from memorybank.clock import isoformat
from memorybank.errors import MemorybankError
from memorybank.reasons.reason import Reason, text_of
from memorybank.rotation.recover import Recovery
from memorybank.rotation.rules import MB

ERROR = "error"
WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class ArchiveFinding:
    """Something about stored data that a person should know, such as damage, a late edit or an unknown file.

    path: relative to the bank
    code: snake_case, listed in docs/format.md
    level: `error` or `warning`; an error ends the command with exit code 9
    """

    path: str
    code: str
    level: str
    message: str
    next_step: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"code": self.code, "level": self.level, "path": self.path, "message": self.message, "next_step": self.next_step}


@dataclass(frozen=True, slots=True)
class RotatedNote:
    """A note that left `active/`. Its paths are written as in the log."""

    key: str
    rule: str
    reason: Reason
    importance: float
    age_days: int
    size: int
    archive_path: str
    backup_path: str


@dataclass(frozen=True, slots=True)
class StayedNote:
    """A note that the plan selected but that stayed.

    reason: changed, vanished, bookmarked, put_back, pending, or the code of an error
    taken_by: id of the other rotation that archived it after the plan was made, "" for none
    """

    key: str
    reason: str
    message: str
    taken_by: str = ""


@dataclass(slots=True)
class RotationReport:
    """What a rotation did.

    rotation_id: None when there was nothing to do
    errors: the most severe one determines the exit code
    remaining: number of notes that the brake left for later
    """

    rotation_id: str | None
    rotation_type: str
    started_at: int
    completed_at: int = 0
    files_processed: int = 0
    remaining: int = 0
    rotated: list[RotatedNote] = field(default_factory=list)
    stayed: list[StayedNote] = field(default_factory=list)
    errors: list[tuple[str, MemorybankError]] = field(default_factory=list)
    warnings: list[Reason | str] = field(default_factory=list)
    recovery: Recovery = field(default_factory=Recovery)

    @property
    def bytes_moved(self) -> int:
        return sum(note.size for note in self.rotated)

    @property
    def taken(self) -> dict[str, int]:
        """{id of another rotation: number of notes of the plan that it archived first}."""
        return dict(Counter(note.taken_by for note in self.stayed if note.taken_by))

    def fail(self, key: str, error: MemorybankError) -> None:
        """Record that one note stays because of an error. The run continues."""
        self.errors.append((key, error))
        self.stayed.append(StayedNote(key, error.code, error.message))

    def to_json(self) -> dict[str, Any]:
        return {
            "rotation_id": self.rotation_id,
            "rotation_type": self.rotation_type,
            "started_at": isoformat(self.started_at),
            "completed_at": isoformat(self.completed_at),
            "rotation_summary": {
                "files_processed": self.files_processed,
                "files_rotated": len(self.rotated),
                "files_archived": len(self.rotated),
                "total_size_reduced_mb": round(self.bytes_moved / MB, 3),
                "errors": len(self.errors),
                "warnings": len(self.warnings),
                "remaining": self.remaining,
            },
            "rotated": [
                {
                    "path": note.key,
                    "rule": note.rule,
                    "reason": text_of(note.reason),
                    "importance": note.importance,
                    "age_days": note.age_days,
                    "size": note.size,
                    "archive_path": note.archive_path,
                    "backup_path": note.backup_path,
                }
                for note in self.rotated
            ],
            "stayed": [{"path": note.key, "reason": note.reason, "message": note.message} for note in self.stayed],
            "finished_from_before": self.recovery.finished,
            "errors": [{"path": key, "code": error.code, "message": error.message} for key, error in self.errors],
            "warnings": [text_of(warning) for warning in self.warnings],
        }
