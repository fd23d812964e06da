"""Patterns that are compiled when they are first used."""

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
