"""Words that point outside of their sentence, in English and Japanese."""

import pytest

from memorybank.text.words.pointing import demonstrates, opens, points


@pytest.mark.parametrize(
    "sentence", ["It still fails.", "These need a test.", "- Both are missing.", "それは未対応です。", "この件が残っています。", "上記の2件"]
)
def test_a_sentence_begins_with_what_only_the_one_before_names(sentence):
    assert opens(sentence) and points(sentence) != sentence.startswith(("- Both", "上記"))


@pytest.mark.parametrize(
    "sentence",
    [
        *("This repository has no tests yet.", "That's why the upload stops.", "Both importers need a test.", "The worker retries it."),
        *("これから負荷試験に着手します。", "このリポジトリは対象外です。", "それぞれ別のテストが必要です。", "それでも遅い"),
    ],
)
def test_others_name_what_they_are_about(sentence):
    assert not opens(sentence)


def test_a_demonstrative_points_wherever_it_stands():
    assert all(map(demonstrates, ["Log the errors of these handlers.", "Take the other one.", "エラーはその画面に出る"]))
    assert not any(map(demonstrates, ["Sort a list before you print it.", "All tables in this project have an id.", "このプロジェクトの表"]))
