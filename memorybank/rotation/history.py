"""`metadata/rotation_history.json`: the rotation log as one document. It is derived: the same log gives the same bytes."""

import json
import os
from typing import Any

from memorybank import clock
from memorybank.archive import catalogues
from memorybank.log import rotation as log
from memorybank.log.rotation_state import ArchivedRecord, Rotation, RotationState
from memorybank.rotation.decision import PRESERVED_AS
from memorybank.rotation.rules import MB
from memorybank.storage import disk
from memorybank.storage.layout import BANK, PUBLISHED_PREFIX, Layout

VERSION = "1.0.0"
_PREFIX = BANK.replace(os.sep, "/") + "/"


def write(layout: Layout) -> None:
    """Write the document again from the log."""
    text = json.dumps(document(log.read(layout)), ensure_ascii=False, indent=2) + "\n"
    disk.make_directories(layout.metadata)
    disk.replace(os.path.join(layout.metadata, "rotation_history.json"), (text.encode(),), durable=False)


def write_documents(layout: Layout) -> None:
    """Write everything that is derived from the archive and its log: the catalogues and the history."""
    catalogues.write(layout)
    write(layout)


def document(state: RotationState) -> dict[str, Any]:
    """Return every rotation as JSON, oldest first."""
    ordered = sorted(state.rotations.values(), key=lambda rotation: (rotation.started_at, rotation.id))
    return {"version": VERSION, "rotations": [_rotation(rotation) for rotation in ordered]}


def _rotation(rotation: Rotation) -> dict[str, Any]:
    end = rotation.end or {}
    moved = [record for key, record in rotation.archived.items() if key in rotation.moved]
    counts = rotation.begin.get("preserved_counts")
    return {
        "rotation_id": rotation.id,
        "trigger": rotation.trigger,
        "started_at": clock.isoformat(rotation.started_at),
        "completed_at": None if rotation.completed_at is None else clock.isoformat(rotation.completed_at),
        "rotation_summary": {
            "files_processed": _count(rotation.begin, "files_processed"),
            "files_rotated": len(moved),
            "files_archived": len(rotation.archived),
            "total_size_reduced_mb": round(sum(record.size for record in moved) / MB, 3),
            "errors": _count(end, "errors"),
            "warnings": _count(end, "warnings"),
        },
        "preserved_counts": counts if isinstance(counts, dict) else dict.fromkeys(PRESERVED_AS.values(), 0),
        "details": [_detail(rotation, record) for record in rotation.archived.values()],
    }


def _detail(rotation: Rotation, record: ArchivedRecord) -> dict[str, Any]:
    return {
        "file": PUBLISHED_PREFIX + record.key,
        "action": action(rotation, record.key),
        "reason": record.sidecar.get("reason"),
        "importance_score": record.sidecar.get("importance"),
        "age_days": record.age_days,
        "original_size_bytes": record.size,
        "archive_path": _PREFIX + record.archive_path,
        "sha256": record.sha256,
        "backup_path": _PREFIX + record.backup_path,
    }


def action(rotation: Rotation, key: str) -> str:
    """Return what happened to an archived note: `archived` (it left), `put_back` or `abandoned` (it stayed), or `pending` (the next command decides)."""
    if key in rotation.moved:
        return "archived"
    if key in rotation.put_back:
        return "put_back"
    return "abandoned" if key in rotation.abandoned else "pending"


def _count(fields: dict[str, Any], name: str) -> int:
    value = fields.get(name)
    return value if isinstance(value, int) else 0
