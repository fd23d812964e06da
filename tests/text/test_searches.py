"""What a call searches for is read from search tools and from shell commands."""

import pytest

from memorybank.text.commands import searches


def of(tool, **inputs):
    found = searches.of_call(tool, inputs)
    return None if found is None else (list(found.alternatives), list(found.places))


@pytest.mark.parametrize(
    ("inputs", "alternatives", "places"),
    [
        ({"pattern": "parentId|parent_id", "path": "/r/src"}, ["parentId", "parent_id"], ["/r/src"]),
        ({"pattern": r"func.*\bGetAgent\(", "glob": "*.go"}, ["func. GetAgent"], ["*.go"]),
        ({"pattern": "決済|請求書"}, ["決済", "請求書"], []),
        ({"pattern": "src/**/*retry*.py"}, ["src/ / retry .py"], []),
    ],
)
def test_a_search_tool_searches_for_its_pattern(inputs, alternatives, places):
    assert of("Grep", **inputs) == (alternatives, places)


@pytest.mark.parametrize(
    ("command", "alternatives", "places"),
    [
        ("grep -rn 'back_off' src tests", ["back_off"], ["src", "tests"]),
        ("cd app && rg -A 5 'def retry\\(' lib | head -20", ["def retry"], ["lib"]),
        ("git grep -n -e back_off -- src", ["back_off"], ["src"]),
        ('grep -rn "決済\\|請求書" app', ["決済", "請求書"], ["app"]),
        ("find . -name '*retry*' -o -iname 'upload*'", ["retry", "upload"], ["."]),
        ("fd retry src", ["retry"], ["src"]),
    ],
)
def test_a_command_searches_for_its_pattern(command, alternatives, places):
    assert of("Bash", command=command) == (alternatives, places)


@pytest.mark.parametrize(
    "command",
    ["ls -la | grep retry", "git log --oneline | rg fix", "find src -type f", "pytest -k retry", "grep", "grep -rn", "echo grep", "", "grep '*' src", "rg -e"],
)
def test_what_filters_or_names_nothing_is_no_search(command):
    assert of("Bash", command=command) is None


@pytest.mark.parametrize("inputs", [{}, {"pattern": ""}, {"pattern": 3}, {"pattern": ".*"}, {"pattern": None, "path": "src"}, {"command": "grep x"}])
def test_other_inputs_are_no_search(inputs):
    assert of("Grep", **inputs) is None


def test_a_long_pattern_is_cut():
    ((alternative,), _) = of("Grep", pattern="word " * 5_000)
    assert len(alternative) <= 1_000
