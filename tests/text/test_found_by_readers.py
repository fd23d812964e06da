"""Sentences that a reader of the patterns found: orders that looked like findings, words of a repository that looked like an editor's, answers that looked like
reports of success."""

import pytest

from memorybank.text.commands.error_excerpt import cause_lines
from memorybank.text.prompts.statements import statements
from memorybank.text.prompts.typed import typed
from memorybank.text.prose.open_points import without_open_sections
from memorybank.text.prose.openers import answer_first
from memorybank.text.prose.plans import plans

ROLE = "You are working on the billing service of our shop, which is a Django app.\nAlways use uv, never pip.\n" + "It needs a database. " * 5


@pytest.mark.parametrize(
    "order",
    [
        "That was wrong: always use uv instead of pip.",
        "This came up before: always use rg instead of grep.",
        "Import from @workspace/db only, never from packages/db/src.",
        "Never rename the #editor element, the tests rely on it.",
        "Always post release notes in #changes before a deploy.",
        "CI: the runner cannot reach the internet.",
        "ステージング: 外部APIは存在しないのでモックを使う",
        "We never embed secrets in the image.",
        "We always need a ticket number in commit messages.",
        "了解、常に英語で",
        "```npm test``` must always pass.\nNever push to main.",
        ROLE,
    ],
)
def test_an_order_is_kept_to_its_last_word(order):
    said = statements(order)
    assert said and all(one.text in order.replace("\n", " ") or one.text in order for one in said)


def test_references_to_an_editors_window_are_not_typed():
    assert typed("#terminalLastCommand What does it mean?") == "What does it mean?"
    assert typed("@workspace where is the cart?") == "where is the cart?"
    assert typed("Where is @workspace/ui built?") == "Where is @workspace/ui built?"


@pytest.mark.parametrize(
    ("answer", "rest"),
    [
        ("The page size is fixed. It cannot be configured.", "The page size is fixed. It cannot be configured."),
        ("The old endpoint is gone. Use /v2.", "The old endpoint is gone. Use /v2."),
        ("Redis is running. Port 6380.", "Redis is running. Port 6380."),
        ("The issue is now fixed. The limit was 5.", "The limit was 5."),
    ],
)
def test_only_reports_of_success_are_skipped(answer, rest):
    assert answer_first(answer) == rest


def test_an_unexpected_token_is_a_cause():
    assert cause_lines("FAIL src/cart.test.ts\n  ● Test suite failed to run\n\n    SyntaxError: Unexpected token '}'")[0].startswith("SyntaxError")


def test_code_has_no_headings_and_subheadings_end_no_section():
    fenced = "Fixed.\n\n```python\n# TODO\nx = 1\n```\n\nThe cache now expires."
    assert without_open_sections(fenced) == fenced
    assert without_open_sections("## Next steps\n### Phase 4\n- migrate\n## Done\n- parser") == "## Done\n- parser"


@pytest.mark.parametrize(
    "sentence", ["まずミドルウェアがトークンを検証します。", "次に、キャッシュは Redis に保存されます。", "We need to set DB_URL before the tests run."]
)
def test_how_something_works_is_no_plan(sentence):
    assert not plans(sentence)
