"""Phrases around Chinese and Korean are English, those around Japanese without kana are Japanese."""

import pytest

from memorybank.cycle.fold.phrases import language_of


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("你好", "en"),
        ("不要删除 a.py", "en"),
        ("把它改成中文", "en"),
        ("继续", "en"),
        ("테스트가 실패해요", "en"),
        ("単体試験実施", "ja"),
        ("個別対応", "ja"),
        ("確認請求", "ja"),
        ("`make check` が失敗", "ja"),
    ],
)
def test_the_language_of_phrases(said, language):
    assert language_of(said) == language
