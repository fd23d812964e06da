"""A snippet is one line of limited length, and its marks are exactly at the matches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.prose import snippets
from memorybank.text.words import tokens


def marked(snippet):
    return [snippet.text[start:end] for start, end in snippet.marks]


def test_words_are_marked_in_any_form_and_pairs_of_japanese_as_one():
    found = snippets.cut(["The Caches hold", "検索エンジンの検索"], set(tokens.tokens("cache 検索エンジン")))
    assert found.text == "The Caches hold 検索エンジンの検索"
    assert marked(found) == ["Caches", "検索エンジン", "検索"]


def test_full_width_words_are_marked():
    assert marked(snippets.cut(["これはＡＰＩです"], {"api"})) == ["ＡＰＩ"]


def test_a_long_passage_is_cut_around_its_matches():
    found = snippets.cut(["word " * 200 + "needle and needle " + "word " * 200], {"needl"})
    assert marked(found) == ["needle", "needle"]
    assert found.text.startswith("…") and found.text.endswith("…")
    assert len(found.text) <= snippets.SNIPPET_CHARACTERS


def test_signs_that_act_on_a_terminal_are_left_out():
    assert snippets.cut(["a\x1b[31mred\u202e b"], ()).text == "a[31mred b"


@given(st.text(st.sampled_from("ab cd検索のｱ\n"), max_size=400), st.sets(st.sampled_from(["ab", "cd", "a", "検索", "索の", "の"])), st.integers(10, 80))
def test_marks_lie_in_order_inside_the_snippet(text, terms, length):
    found = snippets.cut(text.split("\n"), terms, length)
    assert len(found.text) <= length
    assert "\n" not in found.text
    edges = [edge for mark in found.marks for edge in mark]
    assert edges == sorted(edges)
    assert all(0 <= start < end <= len(found.text) for start, end in found.marks)


class Counted(list):
    """A list that counts how often its items are read."""

    reads = 0

    def __getitem__(self, at):
        self.reads += 1
        return super().__getitem__(at)

    def __iter__(self):
        for item in super().__iter__():
            self.reads += 1
            yield item


def test_a_place_is_found_in_one_pass_over_the_matches():
    """A note of `x ` repeated has as many matches of x."""
    marks = Counted((at, at + 1) for at in range(0, 10_000, 2))
    found = snippets.around("x " * 5_000, marks)
    assert len(found.marks) > 100 and marks.reads <= 6 * len(marks)


def test_each_different_word_is_stemmed_once(monkeypatch):
    stemmed = []
    real = tokens.word_terms
    monkeypatch.setattr(tokens, "word_terms", lambda word: [stemmed.append(word), *real(word)][1:])
    assert len(snippets.matches("x X xs " * 5_000, {"x"})) == 10_000
    assert sorted(stemmed) == ["X", "x", "xs"]


def most(marks, length):
    return max((len([1 for start, last in marks if start >= first and last <= first + length - 2]) for first, _ in marks), default=0)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 6)), max_size=40), st.integers(12, 60))
def test_the_snippet_holds_as_many_matches_as_fit(gaps, length):
    marks, at = [], 0
    for gap, size in gaps:
        marks.append((at + gap, at + gap + size))
        at = marks[-1][1]
    text = "a" * (at + 200)
    found = snippets.around(text, marks, length)
    assert len(found.marks) >= most(marks, length) - 1  # the ellipses may take the place of one


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (["# Title", "", "## Result", "", "- first"], "Title: Result: - first"),
        (["## What now?", "Text."], "What now? Text."),
        (["## 結果", "本文。"], "結果: 本文。"),
        (["### Closed ###", "#hashtag", "#"], "Closed: #hashtag #"),
        (["```sh", "# a comment", "```", "# A heading"], "```sh # a comment ``` A heading:"),
        (["~~~~", "~~~", "# a comment", "~~~~", "# A heading"], "~~~~ ~~~ # a comment ~~~~ A heading:"),
    ],
)
def test_a_heading_is_read_as_words_on_one_line(lines, shown):
    assert snippets.shown(" ".join(snippets.with_plain_headings(lines))) == shown
