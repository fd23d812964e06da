"""No key is dead: changing any of them changes a score, a plan or a path, or is rejected; or a test of another package proves its effect."""

import json
import re
from pathlib import Path

import pytest

from memorybank.config.group import leaves, merge
from memorybank.config.settings import DEFAULTS, FILES, Settings, load_with_problems, placed_layout
from memorybank.index.row import IndexedNote
from memorybank.notes.date_record import BankStart
from memorybank.rotation import rules
from memorybank.rotation.grace import grace_since
from memorybank.rotation.plan import plan
from memorybank.scoring.importance import ScoreBreakdown, score
from memorybank.scoring.parts import ScoreEvidence, keyword_hits
from memorybank.storage.layout import Layout

PACKAGE = Path(__file__).resolve().parents[2] / "memorybank"
DAY = 86_400_000
NOW = 1_758_112_496_789
LEAVES = {".".join((name, *path)): (name, path, key) for name, group in FILES.items() if name != "cycle" for path, key in leaves(group)}

ELSEWHERE = {
    "scoring.access_patterns.frequency_scoring.window_days": "index: which uses are counted",
    "scoring.relationship_analysis.dependency_tracking.file_dependencies": "index: links to repository files counted as internal",
    "scoring.relationship_analysis.dependency_tracking.content_references": "index: wiki links and mentions counted",
    "scoring.relationship_analysis.dependency_tracking.tag_relationships": "index: related notes published",
    "rotation.unattended": "rotation: maintain",
    "rotation.rotation_policy.triggers.size_based.check_interval_hours": "rotation: maintain",
    "rotation.rotation_policy.triggers.time_based.cleanup_interval_hours": "rotation: maintain",
    "rotation.rotation_policy.triggers.importance_based.evaluation_interval_hours": "rotation: maintain",
    "rotation.backup_policy.backup_before_rotation": "rotation: retention of backups",
    "rotation.backup_policy.backup_retention_days": "rotation: retention of backups",
    "rotation.backup_policy.backup_compression": "rotation: compression of backups",
    "index.keyword_extraction.min_frequency": "text: keywords",
    "index.keyword_extraction.max_keywords_per_file": "text: keywords",
    "index.keyword_extraction.weight_boost_keywords": "text: keywords; index: importance_weight",
    "index.stop_words": "text: keywords; search: query terms",
    "index.freshness.max_sweep_notes": "index: freshness",
    "index.freshness.max_age_seconds": "index: freshness",
    "index.freshness.racy_window_ms": "index: fold",
    "index.publish.after_update": "bank: index update",
    "index.publish.snippets_per_file": "text: keywords",
    "index.publish.snippet_characters": "text: keywords",
    "index.monitoring.search_mean_ms": "metrics: alerts",
    "episodes.timezone": "episodes: days",
    "episodes.lookback": "episodes: window",
    "episodes.summary_characters": "episodes: update",
    "episodes.chat_logs": "episodes: chat logs",
    "episodes.topics.inject": "cycle: topics at a prompt",
    "episodes.topics.fixed": "episodes: fixed topics",
}
"""Keys with an effect in another package, whose tests prove it. Here only that the package reads the key."""

SHOWN_ONLY = {"rotation.rotation_policy.triggers.manual_trigger.command"}
"""Informational by design: shown by `config show`, never acted on."""


def flipped(dotted):
    """Return settings with this one key at another valid value. A neighbouring weight balances a changed one."""
    name, path, key = LEAVES[dotted]
    values = {}
    put(values, path, OTHER_VALUES[dotted] if dotted in OTHER_VALUES else FLIPS[key.kind](key))
    partner = BALANCE.get(dotted)
    if partner:
        other = LEAVES[partner][2].written
        put(values, LEAVES[partner][1], other - (FLIPS[key.kind](key) - key.written))
    faults = []
    settings = Settings(**{name: merge(FILES[name], values, faults)})
    assert faults == []
    return settings


def put(values, path, value):
    for part in path[:-1]:
        values = values.setdefault(part, {})
    values[path[-1]] = value


FLIPS = {
    "switch": lambda key: not key.written,
    "whole": lambda key: key.written + 5,
    "number": lambda key: key.written + 0.1,
    "words": lambda key: ["完了"],
    "text": lambda key: "other",
    "path": lambda key: key.written.replace(".claude/memory/", ".claude/memory/kept/"),
}
_METRIC = "scoring.content_analysis.text_quality_metrics."
OTHER_VALUES = {
    "rotation.rotation_strategy.archival_rules.low_importance.delete_after_archive_days": 90,
    "rotation.pressure.notes": 10,
    "rotation.pressure.size_mb": 100,
    "rotation.pressure.session_notes": 1,
    "rotation.unattended": "by_rules",
    "rotation.rotation_policy.triggers.time_based.max_age_days": 60,
    "rotation.rotation_strategy.archival_rules.medium_importance.archive_after_days": 60,
    "rotation.rotation_policy.triggers.importance_based.min_importance_threshold": 1.0,
    "rotation.rotation_strategy.archival_rules.low_importance.threshold_max": 1.0,
    "rotation.rotation_strategy.archival_rules.medium_importance.threshold_min": 3.0,
    "rotation.rotation_strategy.archival_rules.medium_importance.threshold_max": 3.0,
    "rotation.rotation_strategy.preservation_rules.high_importance_files.threshold": 6.0,
    "rotation.rotation_strategy.preservation_rules.high_importance_files.max_preserve_count": 1,
    "rotation.rotation_policy.triggers.size_based.max_directory_size_mb": 10.0,
    "scoring.temporal_analysis.modification_tracking.recent_edit_boost": 1.1,
    "scoring.thresholds.high_importance": 6.0,
    "scoring.thresholds.medium_importance": 3.0,
    "scoring.thresholds.low_importance": 1.0,
    "scoring.thresholds.archive_threshold": 1.7,
}
BALANCE = {
    **{f"scoring.scoring_algorithm.weights.{name}": "scoring.scoring_algorithm.weights.temporal_relevance"
       for name in ("content_quality", "access_frequency", "relationship_density", "user_rating")},
    "scoring.scoring_algorithm.weights.temporal_relevance": "scoring.scoring_algorithm.weights.content_quality",
    **{f"{_METRIC}{name}.weight": f"{_METRIC}length_score.weight" for name in ("structure_score", "keyword_density", "uniqueness_score")},
    f"{_METRIC}length_score.weight": f"{_METRIC}structure_score.weight",
}  # fmt: skip


def scores(settings):
    """Return unrounded parts and importances of notes that together exercise every formula."""
    busy = ScoreEvidence(700, True, True, True, True, 2, None, 0.0, 0, NOW - 3 * DAY, 4, 2, 1, 1, 4.0, True, 2, 1, 1, 7.0, False, 3, 9, 2, 4, 0)
    notes = [
        busy,
        busy._replace(modified=NOW, edits=0, views=1, dwell_minutes=1.0, statements=0),
        busy._replace(modified=NOW - 90 * DAY, characters=40),
        busy._replace(characters=5000, duplicate_of="older.md", similarity=0.85),
        busy._replace(views=0, recent_edits=0, shares=0, dwell_minutes=0.0, shown=0, internal=1, statements=0, specifics=0),
    ]
    hits = keyword_hits("TODO 完了 NOTE", settings.scoring.content_analysis.text_quality_metrics.keyword_density)
    return [hits, *(score(note, settings.scoring, NOW) for note in notes)]


def indexed(key, importance, age, size=1000, rating=None):
    parts = ScoreBreakdown(importance, importance, importance, importance, importance, importance, ())
    values = {"key": key, "file_id": key, "digest": key, "size": size, "mtime_ns": 0, "title": key, "language": "ja", "tags": (), "topics": (), "created": 0}
    values |= {"modified": NOW - age * DAY, "date_source": "mtime", "importance": importance, "rating": rating, "bookmarked": False, "breakdown": parts}
    rest = {field: None for field in IndexedNote._fields} | {"words": 1}
    return IndexedNote(**(rest | values))


class NoBookmarks:
    def matches(self, key):
        return False


class OneRestored:
    def __init__(self):
        self.restored = {"restored.md": NOW - 10 * DAY}


NOTES = [
    indexed("best.md", 9.0, 40), indexed("good.md", 8.2, 40), indexed("high.md", 6.5, 40), indexed("medium.md", 4.0, 40), indexed("edge.md", 2.5, 40),
    indexed("old.md", 2.2, 400), indexed("low.md", 1.5, 10), indexed("lower.md", 1.6, 12), indexed("recent.md", 1.0, 6), indexed("recent-good.md", 8.5, 6),
    indexed("restored.md", 1.0, 10), indexed("big.md", 5.5, 12, 10 * rules.MB + 30_000), indexed("huge.md", 8.8, 40, 11 * rules.MB),
    indexed("重い.md", 5.2, 9, 9 * rules.MB), indexed("sync/sessions/a.md", 3.0, 40), indexed("sync/sessions/b.md", 3.1, 40),
]  # fmt: skip


def plans(settings):
    grace = grace_since(BankStart("init", NOW - 16 * DAY), settings, NOW)
    made = [plan(NOTES, NoBookmarks(), OneRestored(), settings, NOW, kind, grace) for kind in (*rules.TYPES, rules.PRESSURE)]
    return [(found.to_json(), found.brake, [(item.compress, item.delete_after_days) for item in found.decisions]) for found in made]


def places(settings):
    layout = placed_layout(Layout("/bank"), settings)
    return layout.bookmarks, layout.backups


BASE = scores(DEFAULTS), plans(DEFAULTS), places(DEFAULTS)


@pytest.mark.parametrize("dotted", [dotted for dotted, (_, _, key) in LEAVES.items() if key.kind != "fixed" and dotted not in {*ELSEWHERE, *SHOWN_ONLY}])
def test_flipping_a_key_changes_a_score_a_plan_or_a_place(dotted):
    settings = flipped(dotted)
    assert (scores(settings), plans(settings), places(settings)) != BASE


@pytest.mark.parametrize("dotted", [dotted for dotted, (_, _, key) in LEAVES.items() if key.kind == "fixed"])
def test_flipping_a_key_that_is_not_built_is_refused_with_the_reason(bank, dotted):
    """Such a value causes exit code 6; it is never silently ignored."""
    name, path, key = LEAVES[dotted]
    values = {}
    put(values, path, not key.written if isinstance(key.written, bool) else [0, 100] if isinstance(key.written, tuple) else "other")
    scratch = bank()
    scratch.configure(name, json.dumps(values))
    settings, problems = load_with_problems(scratch.layout)
    assert settings is None
    assert [(problem.code, key.reason in problem.message) for problem in problems] == [("config_not_built", True)]


@pytest.mark.parametrize("dotted", ELSEWHERE)
def test_the_room_that_owns_a_key_reads_it(dotted):
    """The tests of that package prove the effect; a key that no code reads fails here."""
    attribute = LEAVES[dotted][1][-1]
    rooms = [path for path in PACKAGE.rglob("*.py") if path.parent.name != "config"]
    assert any(re.search(rf"\.{attribute}\b", path.read_text(encoding="utf-8")) for path in rooms), f"{dotted} ({ELSEWHERE[dotted]}) is read nowhere"


@pytest.mark.parametrize("dotted", SHOWN_ONLY)
def test_an_informational_key_is_read_by_no_code(dotted):
    """A program named by a bank is never run: no code outside the settings even reads the key."""
    attribute = LEAVES[dotted][1][-1]
    rooms = [path for path in PACKAGE.rglob("*.py") if path.parent.name != "config"]
    assert not [path for path in rooms if re.search(rf"manual_trigger\.{attribute}\b", path.read_text(encoding="utf-8"))]
    assert flipped(dotted).to_json() != DEFAULTS.to_json()


def test_every_key_is_accounted_for():
    assert {*ELSEWHERE, *SHOWN_ONLY} <= LEAVES.keys()
