"""What counts as a name of code in a prompt."""

import pytest

from memorybank.text.words.code_names import names_and_files_in, names_in, only_lists


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("set LIMIT_REPLICAS from replicaCount", ["LIMIT_REPLICAS", "replicaCount"]),
        ("src/shop/tasks.py の close_month を直して", ["close_month"]),
        ("`send_confirmation.delay()` in src/area_37/hooks_test.go", ["send_confirmation"]),
        ("P2034 と GNT-388、TS2322 です", ["P2034", "GNT-388", "TS2322"]),
        ("Is (`splitName`), or 'read_rows'? And GNT-12: A12.", ["splitName", "read_rows", "GNT-12"]),
        ("Look at\nHttpServer\tand\u3000maxRetries", ["HttpServer", "maxRetries"]),
        ("call it with --no-verify on gnt-prod-euw1", ["--no-verify", "gnt-prod-euw1"]),
    ],
)
def test_names(text, names):
    assert names_in(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "Please update README.md and index.ts",
        "on GitHub",
        "a well-known e-mail",
        "id dd283666-3a94-43cd-8565-7dff030c01d1",
        "UTF-8 で 2026-01-06",
        "e.g. this",
        "OpenAI and OpenAPI on macOS and iOS",
        "PostgreSQL と TypeScript",
    ],
)
def test_what_names_nothing_or_too_much(text):
    assert names_in(text) == []


@pytest.mark.parametrize(
    ("text", "is_listed"),
    [
        ("All hooks are created (SessionStart, Stop, PromptSubmit, PreToolUse); existing ones stay.", True),
        ("四つのフック（SessionStart、Stop、PromptSubmit、PreToolUse）を作ります。", True),
        ("PromptSubmit is one of them (SessionStart, Stop, PromptSubmit, PreToolUse).", False),
        ("It merges the rows (keeps `PromptSubmit`, sums the counts, adds the ids).", False),
        ("The prompt waits (when PromptSubmit is slow).", False),
        ("PromptSubmit（遅いとき）は待ちます。", False),
        ("The hook is created before PromptSubmit (Stop, Start, PreToolUse are later).", False),
        ("PromptSubmit is slow", False),
    ],
)
def test_a_name_in_a_list_in_brackets_is_mentioned_in_passing(text, is_listed):
    assert only_lists(text, ["PromptSubmit"]) is is_listed
    assert not only_lists(text, [])


def test_a_very_long_word_is_pasted_data_and_is_not_searched():
    assert names_in(f"read_rows {'a-' * 499} gives {'A-' * 100_000}b HttpServer") == ["read_rows", "HttpServer"]
    assert names_and_files_in(f"see {'x1/' * 100_000}read_rows.py and src/state.go") == {"state.go"}
