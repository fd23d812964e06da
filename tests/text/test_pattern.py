"""Patterns that are compiled when they are first used."""

import pytest

from memorybank import bytecode
from memorybank.text import pattern
from memorybank.text.pattern import lazy_pattern


def test_it_is_compiled_at_the_first_use_and_once(monkeypatch):
    made = []
    compiled = pattern.compiled
    monkeypatch.setattr(pattern, "compiled", lambda text: made.append(text) or compiled(text))
    word = lazy_pattern(r"ab+")
    assert made == []
    assert [bool(word.match(text)) for text in ("abb", "x", "ab")] == [True, False, True]
    assert made == ["ab+"]


def test_flags_are_letters():
    assert lazy_pattern(r"^b$", "im").findall("a\nB") == ["B"]


@pytest.mark.parametrize("flags", ["", "i"])
@pytest.mark.parametrize("text", ["it was DUE TO this", "due to", "rejecteD", "nothing", "", "ſince then", "\u212aey since", "SINCE"])
def test_a_search_is_the_same_with_the_words_of_the_pattern(monkeypatch, text, flags):
    words = ["due to", "rejected", "since"]
    expected = lazy_pattern(r"\b(?:due to|rejected|since)\b", flags).search(text)
    monkeypatch.setattr(bytecode, "words", lambda pattern: words)
    found = lazy_pattern(r"\b(?:due to|rejected|since)\b", flags).search(text)
    assert (found and found.span()) == (expected and expected.span())


def test_without_the_words_in_a_text_a_pattern_is_not_compiled(monkeypatch):
    made = []
    compiled = pattern.compiled
    monkeypatch.setattr(pattern, "compiled", lambda text: made.append(text) or compiled(text))
    monkeypatch.setattr(bytecode, "words", lambda pattern: ["because"])
    cause = lazy_pattern(r"\bbecause\b")
    assert cause.search("nothing of the kind") is None
    assert made == []
    assert cause.search("not because", 4)[0] == "because"
    assert cause.search("because of it", 1) is None


@pytest.mark.parametrize("text", ["BECAUSE of it", "not because", "ſo becauſe", "nothing", ""])
def test_every_sifted_method_is_the_same_with_the_words_of_the_pattern(monkeypatch, text):
    def results():
        cause = lazy_pattern(r"(?i)\bbecause\b")
        spans = [found and found.span() for found in (cause.search(text), cause.match(text), cause.fullmatch(text, 0, 7))]
        return [*spans, cause.sub("as", text), cause.sub(lambda one: one[0][:2], text, count=1)]

    expected = results()
    monkeypatch.setattr(bytecode, "words", lambda pattern: ["because"])
    assert results() == expected
