"""Scored notes for tests of rotation: rows made from the files of a bank, with the importance the test wants."""

import hashlib
import os

from memorybank.clock import DAY
from memorybank.config.group import merge
from memorybank.config.rotation import RotationSettings
from memorybank.config.settings import Settings
from memorybank.index.row import IndexedNote
from memorybank.log import rotation as log
from memorybank.notes import bookmarks, scan
from memorybank.rotation import plan as planning
from memorybank.rotation.decision import RotationPlan
from memorybank.scoring.importance import ScoreBreakdown
from memorybank.storage.layout import Layout

NOW = 1_758_112_496_789


def settings(**rotation) -> Settings:
    """Settings with these keys of rotation_config.json."""
    faults: list = []
    made = Settings(rotation=merge(RotationSettings, rotation, faults))
    assert not faults
    return made


def expiring(days=90, **rotation) -> Settings:
    """Settings with which archive objects of rule low are deleted after this many days."""
    return settings(rotation_strategy={"archival_rules": {"low_importance": {"delete_after_archive_days": days}}}, **rotation)


def row(
    key="planning/note.md", *, importance=1.5, age=40, size=1000, rating=None, bookmarked=False, digest="0" * 64, title=None, topics=("planning",), now=NOW
):
    """One row; age in days (a float counts hours too), size in bytes."""
    modified = now - int(age * DAY)
    return IndexedNote(
        key=key,
        file_id="file_1",
        digest=digest,
        size=size,
        mtime_ns=modified * 1_000_000,
        title=title or key,
        language="en",
        tags=(),
        topics=topics,
        created=modified,
        modified=modified,
        date_source="mtime",
        importance=importance,
        rating=rating,
        bookmarked=bookmarked,
        acl=None,
        privacy=None,
        agent_created=None,
        session_id=None,
        words=1,
        duplicate_of=None,
        breakdown=ScoreBreakdown(importance, importance, importance, importance, 5.0, importance, ()),
    )


def rows(layout: Layout, importance=1.5, now=NOW):
    """A row for every note on disk, dated by its mtime. importance: of all, or {key: importance}."""
    made = []
    for found in scan.sweep(layout).found:
        try:
            with open(found.path, "rb") as stream:
                data = stream.read()
        except FileNotFoundError:
            continue
        of_this = importance.get(found.key, 1.5) if isinstance(importance, dict) else importance
        age = (now - found.mtime_ns // 1_000_000) / DAY
        made.append(row(found.key, importance=of_this, age=age, size=len(data), digest=hashlib.sha256(data).hexdigest(), now=now))
    return made


def plan_for(layout: Layout, importance=1.5, now=NOW, rotation_type="manual", settings=None) -> RotationPlan:
    """The plan for what lies on disk."""
    return planning.plan(rows(layout, importance, now), bookmarks.load(layout), log.read(layout), settings or Settings(), now, rotation_type)


def active(layout: Layout) -> dict[str, bytes]:
    """{key: bytes} of every file in active/, temps left out."""
    return tree(layout.active)


def tree(top: str) -> dict[str, bytes]:
    found = {}
    for folder, _, names in os.walk(top):
        for name in names:
            if not name.startswith(".mb-tmp-"):
                path = os.path.join(folder, name)
                with open(path, "rb") as stream:
                    found[os.path.relpath(path, top)] = stream.read()
    return found
