"""Keywords: the subject of a note in readable words, from the note alone."""

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.words import tokens
from memorybank.text.words.keywords import Keyword, extract


def settings(**changes):
    values = {
        "min_frequency": 2,
        "max_keywords_per_file": 20,
        "weight_boost_keywords": ("TODO", "ERROR"),
        "stop_words": ("the", "次"),
        "snippets_per_file": 3,
        "snippet_characters": 80,
    }
    return SimpleNamespace(**(values | changes))


def keywords(title, headings, tags, body, settings) -> list[Keyword]:
    return extract(tokens.read(title), tokens.read("\n".join(headings)), tokens.read("\n".join(tags)), tokens.read(body), settings)


def words(body, title="", headings=(), tags=(), **changes):
    return [keyword.word for keyword in keywords(title, headings, tags, body, settings(**changes))]


def test_a_word_needs_the_minimum_frequency_unless_title_heading_or_tag_has_it():
    assert words("cache cache index") == ["cache"]
    assert set(words("cache index", title="Index", headings=["検索"], tags=["sync"])) == {"index", "検索", "sync"}


def test_forms_of_one_word_are_one_keyword_in_its_commonest_form():
    assert words("notes note notes Notes") == ["notes"]


def test_an_identifier_is_one_keyword():
    assert words("parse_config parse_config") == ["parse_config"]


def test_japanese_keywords_are_runs_of_kanji_and_of_katakana():
    assert words("検索エンジンの検索結果。エンジンは速い。検索結果") == ["エンジン", "検索結果"]


def test_a_run_counts_each_time_it_stands_and_no_more():
    (found,) = keywords("", (), (), "検索。検索", settings())
    assert (found.word, found.occurrences) == ("検索", 2)


def test_a_digest_is_no_keyword_and_an_identifier_with_numbers_is_one():
    assert words("e3b0c44298fc1c14 e3b0c44298fc1c14 sha256_sum sha256_sum") == ["sha256_sum"]


def test_boost_words_come_before_equally_frequent_ones():
    assert words("alpha alpha TODO TODO") == ["todo", "alpha"]


def test_stop_words_numbers_and_function_words_are_no_keywords():
    assert words("the the 12 12 and and was was") == []


def test_at_most_so_many():
    body = " ".join(f"word{chr(97 + n)} word{chr(97 + n)}" for n in range(26))
    assert len(words(body)) == 20
    assert len(words(body, max_keywords_per_file=3)) == 3


def test_snippets_are_different_lines_cut_at_characters():
    (found,) = keywords("", (), (), "# cache one\n" + "長い" * 60 + " cache " + "い" * 60 + "\nthe cache\ncache four", settings(max_keywords_per_file=1))
    assert len(found.snippets) == 3
    assert all(len(snippet) <= 80 and "cache" in snippet for snippet in found.snippets)
    assert found.snippets[0] == "cache one"


@given(st.text(st.sampled_from("cache 検索の。\n#'’_AbTODO"), max_size=120))
def test_extraction_never_fails_and_names_words_that_are_there(body):
    for keyword in keywords("", (), (), body, settings()):
        assert keyword.occurrences >= 2
        assert keyword.word in body.lower()
