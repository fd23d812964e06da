"""How a hook reads `cycle_config.json`: quickly, and without ever raising."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.config import cycle as cycle_settings
from memorybank.config.cycle import CycleSettings
from memorybank.config.group import leaves
from memorybank.config.settings import DEFAULTS, load_with_problems
from memorybank.storage.layout import Layout

ROOT = Path(__file__).resolve().parents[2]


def read(bank, values):
    scratch = bank()
    scratch.configure("cycle", values if isinstance(values, str) else json.dumps(values))
    return cycle_settings.load(scratch.layout)


def test_a_bank_without_the_file_has_the_defaults(bank):
    assert cycle_settings.load(bank().layout) == (DEFAULTS.cycle, [])
    assert cycle_settings.load(Layout("/nowhere/at/all")) == (DEFAULTS.cycle, [])


def test_hook_and_command_line_read_the_same(bank):
    values = {
        "memory": {"inject_summary": False},
        "roles": {"conductor": "main", "指揮者": "main"},
        "record": {"tools": ["Bash"], "durability": "event"},
        "recall": {"weights": {"importance": 0.5, "recency": 0.2}, "enabled": {"prompt": False}},
    }
    scratch = bank()
    scratch.configure("cycle", json.dumps(values))
    settings, faults = cycle_settings.load(scratch.layout)
    assert faults == []
    assert settings == load_with_problems(scratch.layout)[0].cycle
    assert settings.roles == {"conductor": "main", "指揮者": "main"}
    assert settings.recall.enabled.prompt is False
    assert hash(settings) == hash(load_with_problems(scratch.layout)[0].cycle)


@pytest.mark.parametrize(("values", "on"), [({}, False), ({"session_notes": True}, False), ({"memory": {}}, True), ({"memory": {"enabled": True}}, True)])
def test_a_file_without_memory_switches_the_memory_section_off(bank, values, on):
    """The rule of the ticket. In a bank without the file the section is on."""
    scratch = bank()
    scratch.configure("cycle", json.dumps(values))
    settings, faults = cycle_settings.load(scratch.layout)
    assert (settings.memory.enabled, faults) == (on, [])
    assert load_with_problems(scratch.layout)[0].cycle.memory.enabled is on
    assert settings.phases == DEFAULTS.cycle.phases


def test_a_faulty_key_leaves_its_default_and_the_rest_counts(bank):
    settings, faults = read(bank, {"memory": {}, "recall": {"top_k": 999, "min_score": 0.5}, "unknown": 1, "budgets": 3, "record": {"durability": "never"}})
    assert (settings.recall.top_k, settings.recall.min_score) == (5, 0.5)
    assert settings.budgets == DEFAULTS.cycle.budgets
    assert {(fault.code, fault.path) for fault in faults} == {
        ("config_range", ("recall", "top_k")),
        ("config_unknown_key", ("unknown",)),
        ("config_type", ("budgets",)),
        ("config_range", ("record", "durability")),
    }


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({"recall": {"weights": {"importance": 0.9}, "top_k": 3}}, ("recall", "weights")),
        ({"event_importance": {"cost": 0.9}}, ("event_importance",)),
    ],
)
def test_keys_that_contradict_each_other_count_as_their_defaults(bank, values, path):
    """The command line rejects such settings with their names; a hook continues with values that are known to be valid."""
    scratch = bank()
    scratch.configure("cycle", json.dumps({"memory": {}, **values}))
    settings, faults = cycle_settings.load(scratch.layout)
    assert [fault.path for fault in faults] == [path]
    assert settings.recall.weights == DEFAULTS.cycle.recall.weights
    assert settings.event_importance == DEFAULTS.cycle.event_importance
    assert settings.organize == DEFAULTS.cycle.organize
    assert settings.recall.top_k == values.get("recall", {}).get("top_k", 5)
    refused, problems = load_with_problems(scratch.layout)
    assert refused is None
    assert [problem.code for problem in problems] == [faults[0].code]


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{'a': 1}", '{"a": NaN}', "[" * 100_000, '{"memory": {}} {}', '{"a": ' + "9" * 5000 + "}"])
def test_a_file_that_is_no_object_switches_the_phases_off(bank, text):
    """The file may have said that nothing is to be recorded, so hooks do nothing until somebody fixes it."""
    settings, faults = read(bank, text)
    assert settings.phases.to_json() == {"record": False, "organize": False, "recall": False, "improve": False}
    assert [fault.code for fault in faults] == ["config_json"]


def test_a_file_that_cannot_be_read_switches_the_phases_off(bank):
    scratch = bank()
    (scratch.root / "config" / "cycle_config.json").mkdir(parents=True)
    settings, faults = cycle_settings.load(scratch.layout)
    assert settings == cycle_settings.OFF
    assert [fault.code for fault in faults] == ["config_unreadable"]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(max_size=10), children, max_size=4),
    max_leaves=8,
)
_PATHS = [path for path, _ in leaves(CycleSettings)] + [path[:1] for path, _ in leaves(CycleSettings)]


@given(st.lists(st.tuples(st.sampled_from(_PATHS), _JSON), max_size=6))
def test_no_value_of_any_key_makes_a_hook_raise(tmp_path_factory, pairs):
    values = {}
    for path, value in pairs:
        here = values
        for name in path[:-1]:
            here = here[name] if isinstance(here.get(name), dict) else here.setdefault(name, {})
            if not isinstance(here, dict):
                break
        if isinstance(here, dict):
            here[path[-1]] = value
    folder = tmp_path_factory.mktemp("bank")
    (folder / "config").mkdir()
    (folder / "config" / "cycle_config.json").write_text(json.dumps(values), encoding="utf-8")
    settings, _ = cycle_settings.load(Layout(str(folder)))
    assert isinstance(settings, CycleSettings)
    assert abs(sum(value for _, value in settings.recall.weights.items()) - 1) < 0.002
    hash(settings)


def test_reading_it_loads_nothing_heavy(bank):
    """The modules must not import typing, collections, re or json: these cost a hook more than all its work."""
    scratch = bank()
    scratch.configure("cycle", '{"memory": {}, "roles": {"conductor": "main"}, "recall": {"top_k": 99}}')
    probe = (
        "import sys; before = set(sys.modules); sys.path.insert(0, sys.argv[1]); from memorybank.config import cycle as cycle_settings; "
        "from memorybank.storage.layout import Layout; cycle_settings.load(Layout(sys.argv[2])); print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", probe, str(ROOT), str(scratch.root)], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if not name.startswith("memorybank")}
    assert loaded <= {"__future__", "_json", "_stat", "errno", "fcntl", "genericpath", "os", "os.path", "posixpath", "stat", "_collections_abc"}
