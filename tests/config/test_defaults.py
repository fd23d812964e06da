"""The shipped JSON, the code, the schemas, the documentation page and the specification agree."""

import json
from pathlib import Path

import jsonschema
import pytest

from memorybank.config.group import leaves, merge
from memorybank.config.settings import DEFAULTS, FILES, load
from tests.scripts import loaded

from . import specification_defaults as specification

ROOT = Path(__file__).resolve().parents[2]


config_files = loaded("config_files.py")


def shipped(name):
    return json.loads((ROOT / "config" / f"{name}_config.json").read_text(encoding="utf-8"))


def schema(name):
    return json.loads((ROOT / "config" / "schemas" / f"{name}_config.schema.json").read_text(encoding="utf-8"))


def without(values, path):
    """Return a copy of a JSON object without one key."""
    name, *rest = path
    return {key: (without(value, rest) if key == name and rest else value) for key, value in values.items() if rest or key != name}


@pytest.mark.parametrize("name", FILES)
def test_code_defaults_are_the_shipped_json(name):
    """Loading the shipped file changes nothing: it contains every key with the default of the code."""
    faults = []
    assert merge(FILES[name], shipped(name), faults) == getattr(DEFAULTS, name)
    assert faults == []
    assert getattr(DEFAULTS, name).to_json() == shipped(name)


def test_generated_files_are_up_to_date():
    """Covers config/*.json, the schemas and the tables of docs/configuration.md. Run scripts/config_files.py when this fails."""
    stale = [str(path.relative_to(ROOT)) for path, text in config_files.generated().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    assert stale == []


def test_scoring_defaults_are_those_of_the_specification():
    """The defaults equal the specification's, plus our own keys."""
    found = without(shipped("scoring"), ["scoring_algorithm", "global_adjustment"])
    found = without(without(found, ["calibration"]), ["access_patterns", "user_behavior", "shown_weight"])
    assert found == specification.SCORING


def test_rotation_defaults_are_those_of_the_specification():
    """The defaults equal the specification's, plus the keys of our own."""
    ours = shipped("rotation")
    for name in ("unattended", "grace_days", "pressure"):
        ours = without(ours, [name])
    deletion = ["rotation_strategy", "archival_rules", "low_importance", "delete_after_archive_days"]
    assert without(ours, deletion) == without(specification.ROTATION, deletion)


def test_nothing_is_deleted_unless_a_person_asks_for_it():
    """The specification deletes after 90 days (ADR 0051)."""
    assert shipped("rotation")["rotation_strategy"]["archival_rules"]["low_importance"]["delete_after_archive_days"] is None


def test_index_defaults_fill_the_blocks_that_the_specification_publishes():
    values = shipped("index")
    assert values["keyword_extraction"] == specification.KEYWORD_EXTRACTION
    assert values["stop_words"][:10] == specification.STOP_WORDS


def test_every_key_is_documented():
    """docs/configuration.md has one row for each key, marked † if the specification does not have it. The cycle file is all ours; the page says so once."""
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    known = {"scoring": specification.SCORING, "rotation": specification.ROTATION}
    known["index"] = {"keyword_extraction": specification.KEYWORD_EXTRACTION, "stop_words": specification.STOP_WORDS}
    known["cycle"] = DEFAULTS.cycle.to_json()
    known["episodes"] = DEFAULTS.episodes.to_json()
    for name, group in FILES.items():
        for path, _ in leaves(group):
            value = known[name]
            for part in path:
                value = value.get(part) if isinstance(value, dict) else None
            mark = "†" if value is None else ""
            assert f"| `{'.'.join(path)}`{mark} |" in page, path


def test_every_problem_code_is_documented():
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "memorybank" / "config").glob("*.py"))
    import re

    for code in set(re.findall(r'"(config_[a-z_]+)"', sources)):
        assert f"`{code}`" in page, code


@pytest.mark.parametrize("name", FILES)
def test_schema_is_valid_and_accepts_the_defaults(name):
    jsonschema.Draft202012Validator.check_schema(schema(name))
    jsonschema.Draft202012Validator(schema(name)).validate(shipped(name))
    jsonschema.Draft202012Validator(schema(name)).validate({})
    jsonschema.Draft202012Validator(schema(name)).validate({"$schema": "x", "unknown": 1})


def test_a_bank_without_config_has_the_defaults(bank):
    """The defaults need no file and read none."""
    assert load(bank().layout) is DEFAULTS


def test_stop_words_are_single_lower_case_words_of_both_languages():
    words = DEFAULTS.index.stop_words
    assert len(set(words)) == len(words)
    assert all(word == word.lower() and not any(character.isspace() for character in word) for word in words)
    assert {"the", "there", "する", "について"} <= set(words)
