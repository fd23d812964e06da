"""Ticket keys in prompts, by patterns that are never regular expressions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.cycle.phases.line import task_key


@pytest.mark.parametrize(
    ("prompt", "patterns", "key"),
    [
        ("Fix ABC-123 please", ["ABC-#"], "ABC-123"),
        ("ABC-12を直して", ["ABC-#"], "ABC-12"),
        ("see XABC-12 and ABC-12x and ABC- 1", ["ABC-#"], None),
        ("see #45, then OPS-7", ["OPS-#", "##"], "#45"),
        ("issue #45", ["issue ##"], "issue #45"),
        ("2024/031 and task_9", ["#/#", "task_#"], "2024/031"),
        ("number 42", ["#"], None),
        ("ABC-1", ["ABC-[0-9]+", "(a+)+$"], None),
        ("a hotfix for login", ["hotfix"], "hotfix"),
        ("", ["ABC-#"], None),
        ("ABC-1", [], None),
        ("ABC-1 " * 3, ["", "#" * 70, "ABC-#"], "ABC-1"),
    ],
)
def test_task_keys(prompt, patterns, key):
    assert task_key(prompt, patterns) == key


@given(st.text("AB-#1 0", max_size=30), st.lists(st.text("AB-#1 0", max_size=8), max_size=4))
def test_a_task_key_is_a_part_of_the_prompt(prompt, patterns):
    found = task_key(prompt, patterns)
    assert found is None or found in prompt
