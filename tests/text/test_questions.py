"""Questions for something that somebody knows, and requests for work in their form."""

import pytest

from memorybank.text.prompts.questions import asks, stands_alone

QUESTIONS = [
    "What is the timeout?",
    "payment gateway timeout?",
    "whats the port",
    "Tell me how deploys work.",
    "remind me where the fixtures are",
    "is the cache cleared on deploy?",
    "I forgot it. Where do we keep the keys?",
    "do we have a helper for dates?",
    "在庫はどのテーブルですか",
    "キャッシュの期限は？",
    "どうやってたっけ？",
    "デプロイの手順を教えて",
]
WORK = [
    "can you run the tests?",
    "ok so could you check the logs?",
    "should we rename it?",
    "would it be possible to add one?",
    "how about renaming it?",
    "commit and push",
    "fix the tests",
    "直してもらえますか？",
    "テストを追加していただけますか",
    "まとめましょうか？",
    "続けて",
]


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_question_asks(text):
    assert asks(text)


@pytest.mark.parametrize("text", WORK)
def test_a_request_for_work_does_not(text):
    assert not asks(text)


ALONE = [
    "返品を受け付けるかの質問が来ています。いつもどう返していますか。",
    "請求書の宛名は誰が決めるんでしたっけ。",
    "なぜキャッシュをやめたんでしたっけ？",
    "バックアップはいつ取っていますか",
    "what do we answer about refunds?",
    "which days may we deploy on?",
    "what should we say about s3?",
    "Whom do I ask about invoices?",
]
LEANING = [
    "and retries?",
    "is that also true for refunds?",
    "why is it slow?",
    "same for refunds?",
    "refunds?",
    "fix the uploader",
    "ステージングは？",
    "それはどこですか",
    "これの返品はどうしますか",
    "じゃあ返品はどうしますか",
    "本番だとどうなりますか？",
    "さっきのテストはどこですか",
]


@pytest.mark.parametrize(("prompt", "alone"), [*((prompt, True) for prompt in ALONE), *((prompt, False) for prompt in LEANING)])
def test_a_question_stands_alone_unless_it_points_to_what_was_said_before(prompt, alone):
    assert stands_alone(prompt) is alone
