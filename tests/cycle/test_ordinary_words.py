"""Words that every text about software may contain are no evidence that a prompt is about an earlier turn, in English and Japanese."""

import pytest

from memorybank.text.words.everyday import is_name
from tests.cycle.recalling import Remembering, prompt

TURNS = [
    ("なぜ伝票の締めが遅れますか？", "締めが環境ごとに伝票を読み直しているため遅れます。"),
    ("Why does the ledger close late?", "It reads each voucher again because the timeout of the lock is too short."),
]


@pytest.fixture
def remembering(bank, fixed_clock):
    return Remembering(bank({}), fixed_clock)


@pytest.mark.parametrize(
    ("turn", "asked"),
    [
        (TURNS[0], "なぜ在庫の画面は環境によって白くなりますか？"),
        (TURNS[1], "Why does the stock page need a timeout?"),
    ],
    ids=["japanese", "english"],
)
def test_ordinary_words_in_common_do_not_bring_an_earlier_turn(remembering, turn, asked):
    for number, said in enumerate((turn, ("Move the footer below the form.", "Moved."), ("一覧を名前の順に並べて", "並べました。"))):
        work = remembering.session(f"s{number}", days_ago=4 - number)
        work.prompt(said[0])
        work.turn_end(said[1])
        work.end()
    remembering.fold()
    assert remembering.ask(prompt(asked)) is None
    assert remembering.ask(prompt(turn[0])) is not None


@pytest.mark.parametrize("word", ["追加", "確認", "環境", "進捗", "根本", "workflow", "fallback", "timeout"])
def test_an_ordinary_word_names_nothing(word):
    assert not is_name(word)
