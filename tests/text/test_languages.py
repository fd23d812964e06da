"""A later order for another language ends an earlier one about the same."""

import pytest

from memorybank.text.prompts.languages import language_of, speaks_otherwise


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("from now on commit in English", "commit messages in Japanese, always"),
        ("commit messages in German from now on", "always write commit messages in English"),
        ("docs in French from now on", "docs in English only"),
        ("これからは英語で書いてください", "コミットメッセージは日本語で書いてください"),
        ("コミットメッセージは日本語で", "これからは英語で書いてください"),
        ("今後、PRの説明は日本語でお願いします", "PRの説明は必ず英語で書いてください"),
    ],
)
def test_another_language_for_the_same(new, old):
    assert speaks_otherwise(new, old)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("comments in Japanese", "commit messages in English"),
        ("commit messages in apps/web in German", "commit messages in English"),
        ("commit messages in English", "always write commit messages in English"),
        ("answer me in German from now on", "always write in English"),
        ("これから回答は日本語でお願いします", "これからは英語で書いてください"),
        ("commits also in German", "commit messages in English"),
    ],
)
def test_both_stay(new, old):
    assert not speaks_otherwise(new, old)


def test_what_is_not_wanted_is_no_language():
    assert language_of("write in English, not in Japanese") == "en"
    assert language_of("translate from English to German") == ""
