"""What a bank's config files may contain. Everything else is a Problem with file, line and key, never a traceback."""

import json
import os
import sys
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.config.group import leaves, merge
from memorybank.config.settings import DEFAULTS, FILES, WARNINGS, load, load_with_problems
from memorybank.errors import ConfigInvalid, PermissionRefused

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = {
    name: jsonschema.Draft202012Validator(json.loads((ROOT / f"config/schemas/{name}_config.schema.json").read_text(encoding="utf-8"))) for name in FILES
}
LEAVES = [(name, path, key) for name, group in FILES.items() for path, key in leaves(group)]
IDS = [".".join((name, *path)) for name, path, _ in LEAVES]


def nested(path, value):
    for name in reversed(path):
        value = {name: value}
    return value


def problems_of(bank, name, text):
    scratch = bank()
    path = scratch.configure(name, "")
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_with_problems(scratch.layout)


def one_problem(bank, name, text):
    settings, problems = problems_of(bank, name, text)
    assert settings is None
    problems = [problem for problem in problems if problem.code not in WARNINGS]
    assert len(problems) == 1, problems
    assert problems[0].path == f".claude/memory/config/{name}_config.json"
    return problems[0]


MALFORMED = {
    "empty file": (b"", "config_json", 1),
    "white space": (b" \n\n", "config_json", 3),
    "no JSON": (b"threshold: 8\n", "config_json", 1),
    "comment": (b'{\n  // the threshold\n  "a": 1\n}', "config_json", 2),
    "trailing comma": (b'{\n"rotation_policy": {},\n}', "config_json", 2 if sys.version_info >= (3, 13) else 3),  # the comma, or what follows it
    "single quotes": (b"{'a': 1}", "config_json", 1),
    "cut short": (b'{\n"rotation_policy": {\n"enabled": true', "config_json", 3),
    "two documents": (b"{}\n{}", "config_json", 2),
    "a list": (b"[1]", "config_json", 1),
    "a string": (b'"rotation_policy"', "config_json", 1),
    "null": (b"null", "config_json", 1),
    "a number": (b"7", "config_json", 1),
    "byte order mark": (b"\xef\xbb\xbf{}", "config_encoding", 1),
    "UTF-16": ("{}".encode("utf-16"), "config_encoding", 1),
    "Latin-1": (b'{\n\n"x": "caf\xe9"}', "config_encoding", 3),
    "Shift JIS": ('{\n"x": "メモ"}'.encode("shift_jis"), "config_encoding", 2),
    "NUL": (b"{}\x00", "config_json", 1),
    "raw newline in a string": (b'{"a\n": 1}', "config_json", 1),
    "NaN": (b'{\n"rotation_policy":\n{"x": NaN}}', "config_json", 3),
    "Infinity": (b'{"x":\n Infinity}', "config_json", 2),
    "minus Infinity": (b'{"x": -Infinity}', "config_json", 1),
    "a key twice": (b'{\n"rotation_policy": {"enabled": true,\n"triggers": {},\n"enabled": false}}', "config_json", 4),
    "an escaped key twice": (b'{"a": 1,\n"\\u0061": 2}', "config_json", 2),
    "a million digits": (b'{"x":\n' + b"9" * 500_000 + b"}", "config_json", 2),
    "100,000 nested lists": (b'{"x":\n' + b"[" * 100_000 + b"]" * 100_000 + b"}", "config_json", 2),
    "100,000 nested objects": (b'{"x":\n' + b'{"x":' * 100_000 + b"1" + b"}" * 100_001, "config_json", 2),
    "brackets and a string of quotes that never ends": (b"[] " * 40 + b'"' + b'\\"' * 400_000, "config_json", 1),
    "brackets and a string that ends in a backslash": (b"[] " * 40 + b'\n"' + b'\\"' * 400_000 + b"\\", "config_json", 1),
    "unclosed nesting": (b'{"x":' * 50_000, "config_json", 1),
    "larger than 1 MiB": (b'{"x": "' + b"y" * (1 << 20) + b'"}', "config_unreadable", None),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_files_are_one_problem_with_its_line(bank, case):
    text, code, line = MALFORMED[case]
    problem = one_problem(bank, "rotation", text)
    assert (problem.code, problem.line) == (code, line)
    assert len(problem.message) < 200


@pytest.mark.parametrize("kind", ["symlink", "dangling symlink", "fifo", "folder"])
def test_only_regular_files_are_read(bank, kind):
    """No file outside the bank is opened through a link, and reading a pipe does not block."""
    scratch = bank()
    path = scratch.configure("index", "{}")
    path.unlink()
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        target = scratch.repository / "elsewhere.json"
        if kind == "symlink":
            target.write_text("{}")
        path.symlink_to(target)
    settings, problems = load_with_problems(scratch.layout)
    assert settings is None
    assert [problem.code for problem in problems] == ["config_unreadable"]


def test_a_config_folder_that_is_a_file_is_a_problem(bank):
    scratch = bank()
    (scratch.root / "config").write_text("")
    assert {problem.code for problem in load_with_problems(scratch.layout)[1]} == {"config_unreadable"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_a_permission_error(bank):
    scratch = bank()
    scratch.configure("index", "{}").chmod(0)
    with pytest.raises(PermissionRefused):
        load(scratch.layout)


WRONG = {
    "switch": ["true", 1, 0, None, [], {}],
    "whole": ["7", True, None, 7.5, [7], {}, 1e999],
    "number": ["7", True, None, [7], {}, 1e999, -1e999],
    "words": ["TODO", None, [1], [""], [None], [" TODO"], ["a\nb"], ["\ud800"], {"TODO": 1}, ["x" * 501]],
    "text": [1, None, "", "a\nb", "\x1b[2J", "\ud800", ["x"], "x" * 501],
    "path": [1, None, "", [], "a\0b"],
    "choice": [1, None, "", True, [], {}],
    "table": [1, None, "main", [], ["main"], {"conductor": 1}, {"conductor": ""}, {"conductor": " main"}, {"": "main"}, {"a\nb": "main"}, {"ok": "x" * 501}],
    "fixed": [None, "other", 12345, [], {}],
}


@pytest.mark.parametrize(("name", "path", "key"), LEAVES, ids=IDS)
def test_every_key_refuses_other_types_in_code_and_schema(bank, name, path, key):
    """Such a value causes exit code 6 with the key's path and line; the schema for editors rejects the same values."""
    for value in WRONG[key.kind]:
        if value is None and key.optional:
            continue
        text = json.dumps(nested(path, value), indent=1).replace("Infinity", "1e999")
        problem = one_problem(bank, name, text)
        assert problem.message.startswith(".".join(path) + ": ")
        assert problem.line == len(path) + 1
        assert problem.code in ("config_type", "config_not_built", "config_path")
        if value in (1e999, -1e999):
            continue
        assert not SCHEMAS[name].is_valid(nested(path, value)), value


@pytest.mark.parametrize(("name", "path", "key"), [leaf for leaf in LEAVES if leaf[2].kind == "choice"])
def test_every_choice_refuses_another_word_in_code_and_schema(bank, name, path, key):
    for word in key.options:
        assert key.fault(word) is None
        assert SCHEMAS[name].is_valid(nested(path, word))
    assert not SCHEMAS[name].is_valid(nested(path, "sometimes"))
    problem = one_problem(bank, name, json.dumps(nested(path, "sometimes")))
    assert problem.code == "config_range"
    assert all(repr(word) in problem.message for word in key.options)


@pytest.mark.parametrize(("name", "path", "key"), [leaf for leaf in LEAVES if leaf[2].kind in ("whole", "number")])
def test_every_number_refuses_what_is_out_of_range_in_code_and_schema(name, path, key):
    step = 1 if key.kind == "whole" else 1e-6
    inside = [key.above + step if key.above is not None else key.minimum, key.maximum]
    outside = [key.above if key.above is not None else key.minimum - step, key.maximum + step, -1e300, 10**400]
    for value in inside:
        assert key.fault(value) is None
        assert SCHEMAS[name].is_valid(nested(path, value))
    for value in outside:
        assert key.fault(value)[0] in ("config_range", "config_type")
        assert not SCHEMAS[name].is_valid(nested(path, value))


@pytest.mark.parametrize(("name", "path", "key"), [leaf for leaf in LEAVES if leaf[2].optional])
def test_null_is_a_value_of_an_optional_key(bank, name, path, key):
    scratch = bank()
    for value, read in ((None, None), (30, 30), (30.0, 30)):
        scratch.configure(name, json.dumps(nested(path, value)))
        settings, problems = load_with_problems(scratch.layout)
        assert problems == [] and SCHEMAS[name].is_valid(nested(path, value))
        found = getattr(settings, name)
        for part in path:
            found = getattr(found, part)
        assert found == read
    assert "or null" in one_problem(bank, name, json.dumps(nested(path, 0))).message
    assert "or null" in one_problem(bank, name, json.dumps(nested(path, "90"))).message


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
NAMES = st.text() | st.sampled_from(["scoring_algorithm", "weights", "thresholds"])


@given(data=st.data(), value=st.recursive(SCALARS, lambda part: st.lists(part, max_size=3), max_leaves=4))
def test_code_and_schema_agree_on_any_value_of_any_key(data, value):
    name, path, key = data.draw(st.sampled_from(LEAVES))
    if key.kind == "path":
        return
    assert (key.fault(value) is None) is SCHEMAS[name].is_valid(nested(path, value))


@given(st.recursive(SCALARS, lambda part: st.lists(part) | st.dictionaries(NAMES, part), max_leaves=20))
def test_merge_never_raises_and_never_alters_the_defaults(value):
    before = DEFAULTS.scoring.to_json()
    merge(FILES["scoring"], value if isinstance(value, dict) else {"thresholds": value}, [])
    assert DEFAULTS.scoring.to_json() == before


PATHS = {
    ".claude/memory/old": (True, False),
    ".claude/memory/old/": (True, False),
    ".claude/memory/backups": (True, False),
    ".claude/memory/backups/deep/er": (True, False),
    ".claude/memory/日本語": (True, False),
    ".claude/memory/bookmarks.json": (True, True),
    ".claude/memory/kept/しおり.json": (True, True),
    ".claude/memory/backups/bookmarks.json": (True, False),
    ".claude/memory/activex": (True, False),
    ".claude/memory/": (False, False),
    ".claude/memory": (False, False),
    ".claude/memory/active": (False, False),
    ".claude/memory/active/": (False, False),
    ".claude/memory/archive/by_date": (False, False),
    ".claude/memory/log/x.json": (False, False),
    ".claude/memory/.git": (False, False),
    ".claude/memory/../backups": (False, False),
    ".claude/memory/x/../../y": (False, False),
    ".claude/memory/x/./y.json": (False, False),
    ".claude/memory/x//y": (False, False),
    ".claude/memory//x": (False, False),
    ".claude/memory/x\\y": (False, False),
    "backups": (False, False),
    "/etc": (False, False),
    "~/backups": (False, False),
    "../backups": (False, False),
    ".claude/memory/x\0y": (False, False),
}


@pytest.mark.parametrize("value", PATHS)
def test_paths_stay_inside_the_bank_in_code_and_schema(bank, value):
    folder_ok, file_ok = PATHS[value]
    keys = {("backup_policy", "backup_directory"): folder_ok, ("rotation_strategy", "preservation_rules", "user_bookmarked", "bookmark_file"): file_ok}
    for path, fine in keys.items():
        settings, problems = problems_of(bank, "rotation", json.dumps(nested(path, value)))
        assert (settings is not None) is fine, problems
        assert SCHEMAS["rotation"].is_valid(nested(path, value)) is fine


def test_a_path_that_leaves_the_bank_through_a_symlink_is_refused(bank, tmp_path):
    scratch = bank()
    (scratch.root / "old").symlink_to(tmp_path)
    scratch.configure("rotation", json.dumps({"backup_policy": {"backup_directory": ".claude/memory/old/backups"}}))
    _, problems = load_with_problems(scratch.layout)
    assert [problem.code for problem in problems] == ["config_path"]


def test_weights_of_each_group_sum_to_one(bank):
    weights = {"scoring_algorithm": {"weights": {"content_quality": 0.5, "user_rating": 0.05}}}
    problem = one_problem(bank, "scoring", json.dumps(weights, indent=1))
    assert problem.code == "config_weights"
    assert "sum to 1.1" in problem.message
    assert problem.line == 4
    metrics = {"content_analysis": {"text_quality_metrics": {"structure_score": {"weight": 0.298}}}}
    assert one_problem(bank, "scoring", json.dumps(metrics)).code == "config_weights"


@pytest.mark.parametrize(("share", "fine"), [(0.4, True), (0.4009, True), (0.3991, True), (0.401, True), (0.399, True), (0.4011, False), (0.3989, False)])
def test_weights_may_miss_one_by_a_thousandth(bank, share, fine):
    settings, _ = problems_of(bank, "scoring", json.dumps({"scoring_algorithm": {"weights": {"content_quality": share}}}))
    assert (settings is not None) is fine


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("scoring", {"content_analysis": {"text_quality_metrics": {"length_score": {"min_chars": 1000}}}}),
        ("scoring", {"content_analysis": {"text_quality_metrics": {"length_score": {"optimal_chars": 10000}}}}),
        ("scoring", {"content_analysis": {"text_quality_metrics": {"length_score": {"max_chars": 999}}}}),
        ("scoring", {"thresholds": {"low_importance": 5.1}}),
        ("scoring", {"thresholds": {"archive_threshold": 2.1}}),
        ("scoring", {"thresholds": {"high_importance": 4.9}}),
        ("rotation", {"rotation_strategy": {"archival_rules": {"medium_importance": {"threshold_max": 1.9}}}}),
    ],
)
def test_limits_in_the_wrong_order_are_refused(bank, name, values):
    """Divisors stay positive, and no threshold passes its neighbour."""
    assert one_problem(bank, name, json.dumps(values)).code == "config_range"


@pytest.mark.parametrize(
    ("name", "values", "wanted"),
    [
        ("rotation", {"rotation_policy": {"triggers": {"time_based": {"max_age_day": 1}}}}, "rotation_policy.triggers.time_based.max_age_days"),
        ("rotation", {"preserve_days": 14}, "rotation_strategy.preservation_rules.recent_files.preserve_days"),
        ("scoring", {"scoring_algorithm": {"wieghts": {}}}, "scoring_algorithm.weights"),
        ("index", {"stopwords": []}, "stop_words"),
        ("index", {"まったく別": 1}, None),
    ],
)
def test_unknown_keys_warn_with_the_nearest_known_key(bank, name, values, wanted):
    settings, problems = problems_of(bank, name, json.dumps(values))
    assert settings is not None
    assert [problem.code for problem in problems] == ["config_unknown_key"]
    assert (repr(wanted) in problems[0].message) if wanted else ("did you mean" not in problems[0].message)


@pytest.mark.parametrize("name", ["summarizer", "model", "api_key", "endpoint", "command", "url"])
def test_a_bank_names_no_program_url_model_or_key(bank, name):
    """Such keys are ignored, change nothing, and are reported with the reason."""
    settings, problems = problems_of(bank, "index", json.dumps({name: "curl https://example.invalid"}))
    assert settings == DEFAULTS
    assert [problem.code for problem in problems] == ["config_untrusted"]


ONE_THING = [
    ("scoring", {"thresholds": {"high_importance": 9.0}}, True),
    ("scoring", {"thresholds": {"high_importance": 7.0}}, False),
    ("rotation", {"rotation_strategy": {"preservation_rules": {"high_importance_files": {"threshold": 9.0}}}}, True),
    ("rotation", {"rotation_policy": {"triggers": {"time_based": {"max_age_days": 10}}}}, True),
    ("rotation", {"rotation_policy": {"triggers": {"time_based": {"max_age_days": 60}}}}, False),
    ("rotation", {"rotation_strategy": {"archival_rules": {"medium_importance": {"archive_after_days": 10}}}}, True),
    ("rotation", {"rotation_policy": {"triggers": {"importance_based": {"min_importance_threshold": 3.0}}}}, True),
    ("rotation", {"rotation_policy": {"triggers": {"importance_based": {"min_importance_threshold": 1.5}}}}, False),
    ("rotation", {"rotation_strategy": {"archival_rules": {"low_importance": {"threshold_max": 2.5}}}}, True),
    ("rotation", {"rotation_strategy": {"archival_rules": {"low_importance": {"threshold_max": 1.9}}}}, False),
    ("rotation", {"rotation_strategy": {"archival_rules": {"low_importance": {"archive_after_days": 3}}}}, True),
    ("rotation", {"rotation_strategy": {"archival_rules": {"low_importance": {"archive_after_days": 14}}}}, False),
    ("rotation", {"rotation_strategy": {"archival_rules": {"medium_importance": {"threshold_max": 6.9}}}}, True),
    ("rotation", {"rotation_strategy": {"archival_rules": {"medium_importance": {"threshold_max": 4.0}}}}, False),
]


@pytest.mark.parametrize(("name", "values", "warned"), ONE_THING)
def test_a_key_without_effect_beside_a_more_cautious_one_warns(bank, name, values, warned):
    settings, problems = problems_of(bank, name, json.dumps(values))
    assert settings is not None
    assert [problem.code for problem in problems] == (["config_contradiction"] if warned else [])
    assert "config_contradiction" in WARNINGS


def test_every_problem_of_every_file_is_told_at_once(bank):
    scratch = bank()
    scratch.configure("rotation", '{"rotation_policy": {\n"enabled": "no",\n"trigers": {}}}')
    scratch.configure("scoring", "{")
    scratch.configure("index", '{"publish": {"snippets_per_file": -1}}')
    settings, problems = load_with_problems(scratch.layout)
    assert settings is None
    assert [(problem.path.rpartition("/")[2], problem.line, problem.code) for problem in problems] == [
        ("index_config.json", 1, "config_range"),
        ("rotation_config.json", 2, "config_type"),
        ("rotation_config.json", 3, "config_unknown_key"),
        ("scoring_config.json", 1, "config_json"),
    ]
    with pytest.raises(ConfigInvalid) as caught:
        load(scratch.layout)
    assert caught.value.exit_code == 6
    assert "(and 2 more)" in caught.value.message
    assert "index_config.json:1" in caught.value.message
    assert caught.value.next_step


def test_a_file_of_thousands_of_faults_is_told_in_short(bank):
    """Errors come first, so that warnings cannot hide one; the others are counted."""
    values = {f"unknown{number}": 1 for number in range(20_000)} | {"publish": {"snippets_per_file": "three"}}
    settings, problems = problems_of(bank, "index", json.dumps(values, indent=0))
    assert settings is None
    assert len(problems) == 51
    assert [problem.line for problem in problems if problem.code == "config_type"] == [20_003]
    assert any(problem.message == "19951 more problems in this file" for problem in problems)


def test_messages_cannot_carry_control_characters_of_a_hostile_file(bank):
    """A value from a stranger's file is shown as data: short, on one line, escaped."""
    settings, problems = problems_of(bank, "rotation", json.dumps({"rotation_policy": {"enabled": "\x1b[2J\n" + "x" * 10_000, "\x1b[31m\n": 1}}))
    assert settings is None
    for problem in problems:
        assert problem.message.isprintable()
        assert len(problem.message) < 300


@pytest.mark.parametrize(("text", "codes"), [('{"recall": {"top_k": 3}}', ["config_section_missing"]), ('{"memory": {}, "recall": {"top_k": 3}}', [])])
def test_a_cycle_file_that_switches_the_resident_summary_off_by_saying_nothing_warns(bank, text, codes):
    scratch = bank()
    scratch.configure("cycle", text)
    settings, problems = load_with_problems(scratch.layout)
    assert [problem.code for problem in problems] == codes
    assert settings.cycle.recall.top_k == 3
