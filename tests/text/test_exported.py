"""A copy of another session in a prompt is not what the person says now."""

import pytest

from memorybank.text.prompts.exported import without_exports
from memorybank.text.prompts.printed import errors_in
from memorybank.text.prompts.typed import typed

CLAUDE = """ ▐▛███▜▌   Claude Code v2.1.70
▝▜█████▛▘  Sonnet
  ▘▘ ▝▝    ~/harbour

❯ why does the tide table end on Friday?

● Searched for 2 patterns

● The table ends because `ebb.toml` has no entry after Friday.
  Never edit `ebb.toml` by hand.

✻ Worked for 34s
"""
CODEX = """› add the ebb

• Ran cargo test
⏺ Bash(cargo test)
  ⎿  error: no entry for Saturday
"""


@pytest.mark.parametrize("copy", [CLAUDE, CODEX])
@pytest.mark.parametrize("own", ["Go on with the ebb, please.", "この続きをお願いします。干潮も直して"])
def test_only_what_stands_outside_was_typed(copy, own):
    assert typed(f"{own}\n\n{copy}") == own
    assert typed(f"{copy}\n{own}") == own
    assert typed(copy) == ""


@pytest.mark.parametrize(
    "text",
    [
        "● 潮位表を金曜までにする\n● 干潮も表示する\n● 満潮の色を変える",
        "❯ is the sign of our shell, and ● that of a station",
        "fix these:\n> the ebb is missing\n> the flood is late",
        "plain text",
        "● 潮位表を金曜までにする\n    - 色は青\n● 干潮も表示する",
        "Please:\n● add the ebb\n   (in blue)\n● never cut the table",
        "fix these:\n● the ebb is missing\n● the flood is late\n\nthe shell shows\n❯ npm test\nwhat is wrong?",
        "以下を直して\n● 干潮が出ない\n❯ npm test\nなぜ落ちますか",
        "● the table is late\nClaude Code v2.1 hangs there, always use v2.0",
        "  ⎿ is not drawn\n• fix the ebb\n• 干潮も直して",
    ],
)
def test_a_list_or_a_sign_is_no_copy(text):
    assert without_exports(text) == text


@pytest.mark.parametrize("own", ["• show the ebb\n• never cut the table", "● 干潮を表示\n● 潮位表は切らない"])
def test_a_list_before_a_copy_was_typed(own):
    assert typed(f"{own}\n\n{CLAUDE}") == own


@pytest.mark.parametrize("own", ["Fix this:", "これを直して"])
def test_an_error_in_a_copy_is_known(own):
    copy = "❯ run the tests\n\n● Bash(cargo test)\n  ⎿  Error: Exit code 101\n     error[E0425]: cannot find value `ebb` in this scope\n"
    assert typed(f"{own}\n\n{copy}") == own
    assert errors_in(f"{own}\n\n{copy}") == ["error[E0425]: cannot find value `ebb` in this scope"]
