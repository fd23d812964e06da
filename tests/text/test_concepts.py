"""The table of concepts, everyday words and names in hiragana."""

import pytest

from memorybank.text.words import concepts, everyday, hiragana
from memorybank.text.words.stem import stem
from memorybank.text.words.terms import content_terms


def test_each_concept_has_several_words_and_stands_once():
    lines = concepts.known().lines
    assert len(lines) == len(set(lines)) > 500
    assert all(len(words := line.split()) == len(set(words)) >= 3 for line in lines)


def test_english_words_of_concepts_are_stems():
    words = {word for line in concepts.known().lines for word in line.split() if word.isascii() and word.isalpha()}
    # stemming is not idempotent for every word, so it is enough that a stem has no ending of a plural or a participle
    assert sum(stem(word) != word for word in words) < len(words) / 20


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("kicked out for being idle", "sessions live for 45 minutes"),
        ("どのくらい待つと諦める?", "タイムアウトは8秒です"),
        ("容量が足りない", "the disk is full"),
        ("gibberish characters in the captions", "The worker wrote latin1."),
        ("明細が変な文字になる", "Shift_JIS でした"),
        ("the box falls over", "プロセスがクラッシュしました"),
        ("夜中のやつ", "the nightly job"),
        ("編集画面が固まる", "the page was unresponsive"),
        ("データの控え", "backups are kept for 35 days"),
    ],
)
def test_texts_in_other_words_share_a_concept(one, other):
    known = concepts.known()
    assert known.in_text(one).keys() & known.in_text(other).keys()


@pytest.mark.parametrize(("one", "other"), [("set up tools", "no more than eight"), ("本番の設定", "本を返す"), ("the read-up tool", "at most ten")])
def test_a_part_of_a_word_is_no_concept(one, other):
    known = concepts.known()
    assert not known.in_text(one).keys() & known.in_text(other).keys()


@pytest.mark.parametrize("text", ["look at the first page again please", "最初から見てください", "there were twenty people yesterday"])
def test_everyday_words_are_no_names(text):
    assert not any(map(everyday.is_name, content_terms(text)))


@pytest.mark.parametrize("text", ["Brindle", "orders_daily", "ひばりの設定", "霧島"])
def test_names_are(text):
    assert any(map(everyday.is_name, content_terms(text)))


@pytest.mark.parametrize(("section", "is_whole", "name"), [("ほたるの", False, "ほたる"), ("すばる", False, "すばる"), ("しらなみ", True, "しらなみ")])
def test_a_name_in_hiragana_begins_a_run(section, is_whole, name):
    assert hiragana.name_at_start(section, is_whole=is_whole) == name


@pytest.mark.parametrize("section", ["とりあえず", "なおして", "もっと", "してください", "これは", "ありがとう", "そうじゃなくて", "やりなおしたい"])
def test_grammar_is_no_name(section):
    assert hiragana.name_at_start(section, is_whole=True) == ""
