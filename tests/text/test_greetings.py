"""A sentence that only greets, and what says more than that."""

import pytest

from memorybank.text.prompts.greetings import only_greets


@pytest.mark.parametrize("text", [
    "Good morning.", "good morning Claude!", "Hi there!", "Hello again.", "Hey,", "Morning all", "Good afternoon, team.", "Hi, good morning!",
    "おはようございます。", "お疲れ様です。", "おはようございます、お疲れ様です！", "こんにちは", "お世話になっております。",
    "今日もよろしくお願いします。",
])  # fmt: skip
def test_it_is_recognised(text):
    assert only_greets(text)


@pytest.mark.parametrize("text", [
    "Good morning, the build is red.", "The good evening mail is missing", "Hi Claude, please fix it", "Hide the banner", "Morning job fails",
    "yes please", "ok", "Hello World example fails", "おはようメールが届かない。", "お疲れ様会の予約を追加して", "こんにちはと表示して",
    "続きをお願いします。", "はい", "よろしければ直してください",
])  # fmt: skip
def test_other_texts_with_its_words_are_none(text):
    assert not only_greets(text)
