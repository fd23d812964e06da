"""Language, words and series: labels and counts of a tokenised text."""

import pytest

from memorybank.text.language import identify
from memorybank.text.series import SeriesPosition, place
from memorybank.text.words import word_count


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The index is rebuilt from the notes when it is lost.", "en"),
        ("索引は失われたらノートから作り直します。", "ja"),
        ("`parse_config` は config.json を読む関数です。cache は使わない。", "ja"),
        ("索引可以从笔记重建", "zh"),
        ("색인은 노트에서 다시 만듭니다", "ko"),
        ("Der Index wird aus den Notizen neu gebaut, wenn er nicht da ist.", "de"),
        ("L'index est reconstruit avec les notes qui sont dans le dossier.", "fr"),
        ("Индекс строится заново из заметок", "ru"),
        ("Config cache parser", "en"),
        ("12 34 — …", "und"),
        ("", "und"),
    ],
)
def test_language(text, language):
    assert identify(text) == language


@pytest.mark.parametrize(("text", "words"), [("two words", 2), ("検索は速い", 5), ("Pythonで検索", 4), ("검색 엔진", 2), ("# don't - `x_y`", 2), ("", 0)])
def test_word_count(text, words):
    assert word_count(text) == words


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("log/turn-003.md", SeriesPosition("log/turn-", "", 3)),
        ("2025-09-17.md", SeriesPosition("", "", 20250917)),
        ("sync/2025-09-18-standup.md", SeriesPosition("sync/", "-standup", 20250918)),
        ("notes/20250917.md", SeriesPosition("notes/", "", 20250917)),
        ("adr/0007-choose-sqlite.md", None),
        ("planning/overview.md", None),
        ("日誌/第3.md", SeriesPosition("日誌/第", "", 3)),
    ],
)
def test_series(key, expected):
    assert place(key) == expected
