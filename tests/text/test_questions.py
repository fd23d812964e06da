"""Questions for something that somebody knows, and requests for work in their form."""

import pytest

from memorybank.text.questions import asks

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
