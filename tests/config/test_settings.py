"""Settings as values: merged, immutable, with a digest, and cheap to load."""

import json
import subprocess
import sys

import pytest

from memorybank.config.group import leaves
from memorybank.config.settings import DEFAULTS, FILES, Settings, load, placed_layout


def load_with(bank, **files):
    scratch = bank()
    for name, values in files.items():
        scratch.configure(name, json.dumps(values))
    return load(scratch.layout)


def test_objects_merge_deep_and_lists_replace(bank):
    settings = load_with(
        bank,
        scoring={"content_analysis": {"text_quality_metrics": {"keyword_density": {"important_keywords": ["重要"]}}}},
        rotation={"rotation_strategy": {"preservation_rules": {"recent_files": {"preserve_days": 14}}}},
    )
    density = settings.scoring.content_analysis.text_quality_metrics.keyword_density
    assert density.important_keywords == ("重要",)
    assert density.boost_factor == 1.5
    recent = settings.rotation.rotation_strategy.preservation_rules.recent_files
    assert (recent.preserve_days, recent.ignore_importance) == (14, False)
    assert settings.index == DEFAULTS.index


def test_numbers_take_their_declared_type(bank):
    settings = load_with(
        bank,
        scoring={"temporal_analysis": {"recency_scoring": {"half_life_days": 14}}, "access_patterns": {"frequency_scoring": {"window_days": 14.0}}},
    )
    assert type(settings.scoring.temporal_analysis.recency_scoring.half_life_days) is float
    assert type(settings.scoring.window_days) is int


def test_settings_are_frozen_and_hashable():
    with pytest.raises(AttributeError):
        DEFAULTS.scoring.thresholds.high_importance = 1.0
    assert hash(Settings()) == hash(DEFAULTS)
    assert Settings() == DEFAULTS
    assert "half_life_days=7.0" in repr(DEFAULTS.scoring)
    with pytest.raises(TypeError):
        Settings(scorign=1)


def test_settings_are_equal_when_their_effective_values_are(bank):
    """A default that is written out is not a change; any other value of any key is one."""
    assert load_with(bank, rotation=DEFAULTS.rotation.to_json(), scoring={}, index={"unknown": 1}) == DEFAULTS
    assert load_with(bank, rotation={"rotation_policy": {"triggers": {"size_based": {"max_file_size_mb": 10}}}}) == DEFAULTS
    other = load_with(bank, rotation={"rotation_policy": {"enabled": False}})
    assert other != DEFAULTS
    assert other.scoring == DEFAULTS.scoring


def test_bookmarks_and_backups_lie_where_the_settings_put_them(bank):
    scratch = bank()
    scratch.configure(
        "rotation",
        json.dumps(
            {
                "rotation_strategy": {"preservation_rules": {"user_bookmarked": {"bookmark_file": ".claude/memory/kept/しおり.json"}}},
                "backup_policy": {"backup_directory": ".claude/memory/old/"},
            }
        ),
    )
    layout = scratch.layout
    placed = placed_layout(layout, load(layout))
    assert placed.bookmarks == f"{layout.root}/kept/しおり.json"
    assert placed.backups == f"{layout.root}/old"
    unplaced = placed_layout(layout, DEFAULTS)
    assert (unplaced.bookmarks, unplaced.backups, unplaced.log) == (layout.bookmarks, layout.backups, layout.log)


def test_the_keys_of_rotation_ages_tell_when_a_rule_looks_again():
    assert DEFAULTS.rotation.age_borders == (8, 31)


def test_keyword_settings_gather_what_the_text_room_needs():
    keywords = DEFAULTS.index.keywords
    assert (keywords.min_frequency, keywords.max_keywords_per_file) == (2, 20)
    assert keywords.stop_words is DEFAULTS.index.stop_words


def test_every_key_has_a_meaning():
    for group in FILES.values():
        for path, key in leaves(group):
            assert key.meaning.endswith((".", ")")), path
            assert key.kind != "fixed" or key.reason, path


def test_defaults_load_without_json_dataclasses_or_a_schema_validator(tmp_path):
    """A process that only searches does not load a parser that it does not use."""
    code = (
        "import sys\n"
        "from memorybank.config import settings\n"
        "from memorybank.storage.layout import Layout\n"
        "settings.load(Layout(sys.argv[1]))\n"
        "print([name for name in ('json', 'dataclasses', 'jsonschema', 're', 'difflib', 'hashlib', 'memorybank.config.document') if name in sys.modules])"
    )
    command = [sys.executable, "-S", "-c", code, str(tmp_path)]
    found = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONPATH": ":".join(sys.path)})
    assert set(json.loads(found.stdout.replace("'", '"'))) <= {"re"}
