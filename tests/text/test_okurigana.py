"""Compounds with kana between their kanji are words, in each of their spellings; verbs of a sentence are none."""

import pytest

from memorybank.cycle.recall.query import as_written, words
from memorybank.text.words.okurigana import compounds, spellings
from memorybank.text.words.terms import content_terms


def labels(text):
    return [word.label for word in words(text)]


@pytest.mark.parametrize(
    ("text", "kanji"),
    [
        ("取り置きとは何ですか", "取置"),
        ("引き当ての順番は", "引当"),
        ("仮押さえの締め切り", "締切"),
        ("売り越しを防ぐ", "売越"),
        ("払い戻しの期限", "払戻"),
        ("受け取りの場所", "受取"),
        ("打ち切りの条件", "打切"),
        ("積み替えの拠点", "積替"),
        ("届け先を直す", "届先"),
        ("送り状の印字", "送状"),
        ("貸し出しの上限", "貸出"),
        ("預かり証の番号", "預証"),
        ("売り切れの表示", "売切"),
        ("持ち越しの在庫", "持越"),
        ("この商品を取り置いておく", "取置"),
        ("仮取り置き", "取置"),
    ],
)
def test_a_compound_is_one_word(text, kanji):
    assert kanji in labels(text)
    assert kanji in content_terms(text)


@pytest.mark.parametrize(
    "text",
    [
        "直して動かす",
        "見て書く",
        "古い行を消す",
        "少し待って早く直して",
        "確認を行い出力する",
        "使い続けると落ちる",
        "もう一度書き直して",
        "設定を読み込んで値を書き込む",
        "次の行に切り替える",
        "同じ処理を繰り返す",
        "名前を付けて閉じた",
        "高い値は捨てる",
        "赤い札と青い箱",
    ],
)
def test_verbs_and_adjectives_of_a_sentence_are_none(text):
    assert compounds(text) == []


def test_the_spellings_of_a_compound_meet():
    first, second, third = (next(word for word in words(text) if word.label == "取置") for text in ("取り置きの期限", "取置きの期限", "取置の期限"))
    assert first.terms == second.terms == third.terms == ("取置",)
    assert list(first.others) == list(second.others) == list(third.others) == [("取り", "り置")]
    assert "取置" in {*content_terms("取り置き")} & {*content_terms("取置き")} & {*content_terms("取置")}


def test_a_compound_stands_for_its_parts():
    assert content_terms("取り置きと引き当て") == ["取置", "引当"]
    assert spellings("検索") == []


def test_a_reader_sees_a_compound_as_it_was_written():
    assert as_written("取置", "明日の取り置きは？") == "取り置き"
    assert as_written("締切", "締め切り") == "締め切り"
    assert as_written("取置", "取置きは？") == "取置"
    assert as_written("引当", "在庫") == "引当"
