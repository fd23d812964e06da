"""Numbers with a unit meet however the unit is written; other numbers stay as they are."""

import pytest

from memorybank.cycle.recall.query import words
from memorybank.text.words.tokens import tokens


def meets(asked, noted):
    """Whether a number of a question stands in a note, as the full-text index looks for it."""
    held = f" {' '.join(tokens(noted))} "
    return any(f" {' '.join(word.terms)} " in held for word in words(asked) if word.terms[0].isdigit())


@pytest.mark.parametrize(("asked", "noted"), [
    ("buffer 256k is too big", "BUF is 256 KiB."),
    ("why 256 KiB?", "the buffer has 256k"),
    ("make it 128 KB", "BUF is 128 KiB"),
    ("does it time out after 10s?", "The gateway waits 10 seconds."),
    ("why 10 seconds?", "timeout: 10s"),
    ("１０秒で切れる", "タイムアウトは 10 seconds"),
    ("タイムアウトは10秒?", "接続は10s で切れる"),
    ("1万件を読み込めますか", "at most 10,000 rows"),
    ("10,000件を超えると", "limit: 10,000 rows"),
    ("バッファは64kで足りますか", "BUF は 64 KiB"),
    ("a cost of 15 %", "it costs the NAS about 15 percent"),
    ("15パーセント遅い", "15 % slower on the NAS"),
])  # fmt: skip
def test_a_number_with_a_unit_meets_the_same_number(asked, noted):
    assert meets(asked, noted)


@pytest.mark.parametrize("asked", [
    "errors on line 10 of 20",
    "HTTP and 10 files",
    "10:30 v1.10 #42",
    "src/a10.py:12 fails",
    "a10s is down",
    "step 2 of 3",
    "手順の12を消して",
    "the 64-bit build",
    "3 o'clock",
    "32日本語",
])  # fmt: skip
def test_a_short_number_without_one_says_nothing(asked):
    assert not [word.label for word in words(asked) if word.label.isdigit()]


def test_a_number_counts_once():
    assert [word.label for word in words("buffer 256k")] == ["buffer", "256"]
    assert [word.label for word in words("import 10,000 rows")] == ["import", "row", "10,000"]
