"""terms: a hook queries with the terms that the index contains, without the regular expressions that a hook cannot afford."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memorybank.text.words import tokens
from memorybank.text.words.terms import HIRAGANA, content_terms, script_of, sections, terms
from memorybank.text.words.word_terms import FIRST_CJK

WORDS = st.sampled_from(
    str.split(
        """parseConfigs HTTPServer APIs snake_case __init__ don't Melanie's O'Brien l’été Café naïve ÉCOLE
        1st 22nd 3.5 utf8 sha256sum A I'm we’ve
        x'y''z 'quoted' "quoted" 検索 検索語の一覧 インデックスを更新 データベース ー 々 한국어
        中文 src/app.py:12 --flag key=value $HOME [link](a.md) §5 ½ ﬁne ＡＢＣ ｱｲｳ が ß
        İstanbul ΑΒΓ привет عربي हिन्दी 🎉 _ __ ' ’ 語's 語'abc abc語 a_1_b XMLHttpRequest2 iOS IDs URLs getURLs2x ABCs ABs As sS Ss I Ab ABc"""
    )
)
PLAIN = st.characters(exclude_categories=("Nd", "Cs"), exclude_characters="-/月年0123456789")
TEXTS = st.one_of(
    st.lists(WORDS, max_size=8).map(" ".join),
    st.lists(WORDS, max_size=5).map("".join),
    st.text(PLAIN, max_size=40),
    st.text("aAbZsS_'’é語検のーア \n.", max_size=30),
    st.text("aS'’語ア_ ", max_size=8),
    st.text("aAsZ19_", max_size=12).map(lambda word: f"x {word} y"),
)


@given(TEXTS)
@example("語's語's")
def test_they_equal_the_tokens_of_the_index(text):
    """English, Japanese, identifiers, other scripts and unbalanced quotes yield the same tokens in the same order (texts without dates)."""
    assert terms(text) == tokens.tokens(text)


@pytest.mark.parametrize("text", ["met on 2023-05-08", "8 May 2023", "2023年5月8日に会った", "2023/05/08"])
def test_dates_are_the_only_difference(text):
    """The index adds the ISO form of a date at every precision; a hook's query contains the numbers and words as written."""
    assert set(terms(text)) - {"05", "08"} <= set(tokens.tokens(text))


def test_content_leaves_function_words_out():
    assert content_terms("How do I fix the flaky login test that we've seen?") == ["fix", "flaki", "login", "test", "seen"]
    assert content_terms("Please just do it for me, don't you?") == []


def test_content_of_japanese_is_what_is_no_grammar():
    assert content_terms("検索の仕組みを教えてください") == ["検索", "仕組", "組み", "教え"]
    assert content_terms("データベースへ接続する設定") == ["デー", "ータ", "タベ", "ベー", "ース", "接続", "設定"]
    assert content_terms("古い行を消す") == ["古い", "消す"]
    assert content_terms("はい、おねがいします") == []
    assert content_terms("この場合はそのままでよい") == []


def test_content_terms_are_different_ones_that_the_index_knows():
    text = "検索エンジンの検索 parseConfig ParseConfig parse_config の設定ファイル settings"
    found = content_terms(text)
    assert len(found) == len(set(found))
    assert set(found) <= set(tokens.tokens(text))


@given(TEXTS)
def test_content_is_a_part_of_the_terms(text):
    assert set(content_terms(text)) <= set(terms(text))


@given(TEXTS)
def test_terms_of_a_long_text_that_is_read_again_are_the_same(text):
    """The terms of long texts are kept; a caller may change the list that it gets."""
    long = f"{text} " * (1 + 300 // (len(text) + 1))
    first = content_terms(long)
    expected = list(first)
    first.clear()
    assert content_terms(long) == expected == [term for term in content_terms(long[:-1])]


@given(TEXTS)
def test_sections_have_the_characters_of_the_terms(text):
    assert set("".join(sections(text))) == {sign for term in terms(text) if term[0] >= FIRST_CJK for sign in term if script_of(sign) != HIRAGANA}
