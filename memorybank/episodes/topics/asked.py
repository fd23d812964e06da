"""The words of a question or text that can say what it is about: those of recall's questions, on every path that compares topics. Pure."""

from __future__ import annotations

__light__ = True

from memorybank.text.function_words import ASKING
from memorybank.text.terms import content_terms

_READ_CHARACTERS = 4_000
"""Of a question: a pasted log says what it is about in its first lines."""


def terms(text: str) -> list[str]:
    """The different terms of a sentence, in order, without words that only say what is wanted and without bare numbers."""
    return [term for term in content_terms(text) if term not in ASKING and not term.isdigit()]


def of_question(text: str) -> list[str]:
    return terms(text[:_READ_CHARACTERS])
