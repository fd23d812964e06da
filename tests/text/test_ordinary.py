"""Ordinary words are listed as queries label them, each once, and not where a query never searches for them."""

from memorybank.cycle.recall.query import words
from memorybank.text.words import ordinary
from memorybank.text.words.word_terms import ASKING, ASKING_JAPANESE, ENGLISH, JAPANESE, MODAL


def test_every_word_of_an_ordinary_request_is_known_in_both_languages():
    for asked in ("sort the table by date and highlight the selected row", "return an empty list instead of null", "split the module into two files"):
        assert {word.label for word in words(asked)} - MODAL - {"highlight"} <= ordinary.SHARES.keys(), asked
    for asked in ("エラーメッセージの表示を変更して", "設定ファイルの読み込みを別のモジュールに移動して", "画面の右上にボタンを配置して"):
        unknown = {word.label for word in words(asked)} - ordinary.SHARES.keys()
        assert len(unknown) <= 1, (asked, unknown)


def test_names_of_one_project_are_not_listed():
    for asked in ("deploy the billing worker to Lisbon with Terraform", "予約の決済を佐藤さんに相談"):
        assert not {word.label for word in words(asked)} & ordinary.SHARES.keys(), asked


def test_no_word_is_listed_that_a_query_leaves_out():
    left_out = ENGLISH | ASKING | MODAL | JAPANESE | ASKING_JAPANESE
    assert not ordinary.SHARES.keys() & left_out
    assert all(word in {each.label for each in words(f"{word}の")} for word in ordinary.SHARES if not word.isascii())


def test_a_common_word_is_expected_more_often_than_a_usual_one():
    assert 0 < ordinary.SHARES["button"] < ordinary.SHARES["test"] < 1
    assert 0 < ordinary.SHARES["検索"] < ordinary.SHARES["テスト"] < 1
