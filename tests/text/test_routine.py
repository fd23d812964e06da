"""Prompts that ask for a routine step name no subject; everything else does."""

import pytest

from memorybank.text.prompts.routine import is_routine


@pytest.mark.parametrize(
    "prompt",
    [
        "can you address the PR comment?",
        "/workflows:review https://github.com/shop/cli/pull/6/files",
        "can you review the changes in this branch?",
        "please fix the open comments on #214 and push again",
        "commit this",
        "can you review the copilot comments on the PR?",
        "プルリクのコメントに対応してください",
        "レビューの指摘を修正して",
        "最新の変更をコミットしてください",
        "make lint is showing errors, can you take a look?",
        "npm test:unit fails, can you check?",
        "ビルドが失敗しました。確認して",
    ],
)
def test_a_routine_step_has_no_subject(prompt):
    assert is_routine(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "can you address the comment about the upload timeout?",
        "why do the tests of the parser fail?",
        "commit and update the changelog",
        "how are uploads retried?",
        "アップロードの再送の上限は？",
        "レビューで決めた締切の扱いを教えて",
        "",
        "go on",
        "the upload test fails in CI, can you check?",
        "アップロードのテストが落ちています",
    ],
)
def test_a_prompt_with_a_subject_or_without_a_step_is_none(prompt):
    assert not is_routine(prompt)


@pytest.mark.parametrize("end", ["", "Also, why did we choose exponential backoff for uploads?"])
def test_a_long_prompt_is_a_routine_step_only_if_all_of_it_is(end):
    prompt = "Please address the review comments on the PR. " * 12 + end
    assert is_routine(prompt) == (not end)
    assert not is_routine(f"Why did we choose exponential backoff? {prompt}")
