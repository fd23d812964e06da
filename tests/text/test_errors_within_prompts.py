"""The messages of errors within a sentence that a person types."""

import pytest

from memorybank.text.commands.output_lines import kind
from memorybank.text.prompts.printed import asked_besides, errors_in


@pytest.mark.parametrize(
    "said",
    [
        "Error page: make it blue",
        "error states: use red for the border",
        'log every error: "invalid token" as a warning',
        "Error handling: please use Result types everywhere",
        "エラー画面: 青にして",
        "すべてのエラー: 「無効」も警告として記録して",
    ],
)
def test_what_is_said_about_errors_is_none(said):
    assert errors_in(said) == []


@pytest.mark.parametrize(
    ("said", "message", "besides"),
    [
        ("seeing 'Error: Cannot open the file' on the page", "Error: Cannot open the file", ""),
        ("TypeError: x is undefined. How does the webhook sender retry?", "TypeError: x is undefined.", "How does the webhook sender retry?"),
        ("エラー: 「残高不足」 が出ます。webhook sender のリトライは何回？", "エラー: 「残高不足」 が出ます。", "webhook sender のリトライは何回？"),
        ("Error: Cannot find name 'bwip'. Did you mean 'bwip-js'?", "Error: Cannot find name 'bwip'. Did you mean 'bwip-js'?", ""),
        ('Error: Relation failed. Relation "users" already exists', 'Error: Relation failed. Relation "users" already exists', ""),
    ],
)
def test_an_error_ends_at_its_quotation_mark_or_before_a_question(said, message, besides):
    assert errors_in(said) == [message]
    assert asked_besides(said) == besides


@pytest.mark.parametrize(
    ("line", "of_kind"),
    [
        ('Error: Migration failed. Relation "users" already exists', "said"),
        ("Error: Build failed! Missing env var STRIPE_KEY", "said"),
        ("Error: Migration failed.", "verdict"),
        ("❌ Build failed!", "verdict"),
        ("エラー: ビルド用の変数 STRIPE_KEY がありません", "said"),
    ],
)
def test_a_verdict_with_its_cause_is_an_error(line, of_kind):
    assert kind(line) == of_kind
