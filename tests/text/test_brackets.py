"""A bracket in a sentence does not swallow the sentence after it, in English and Japanese."""

import pytest

from memorybank.text.prompts.sentences import sentences


@pytest.mark.parametrize(
    ("said", "cut"),
    [
        ("Fix the export (ok?) Never push to main.", ["Fix the export (ok?)", "Never push to main."]),
        ("Never use npm (use pnpm!) and keep the lock file.", ["Never use npm (use pnpm!) and keep the lock file."]),
        ("add a test (an integration test?) for it", ["add a test (an integration test?) for it"]),
        ("テストを足して（結合テスト？）ください。main には push しないで。", ["テストを足して（結合テスト？）ください。", "main には push しないで。"]),
    ],
)
def test_a_bracket_ends_with_its_sentence(said, cut):
    assert sentences(said) == cut
