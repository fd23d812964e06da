"""The terms of a question or text that can say what it is about. They are the terms of recall's questions, used wherever topics are compared."""

from __future__ import annotations

__light__ = True

from memorybank.text.function_words import ASKING
from memorybank.text.terms import content_terms

_READ_CHARACTERS = 4_000
"""Number of characters of a question that are read: a pasted log shows in its first lines what it is about."""


def terms(text: str) -> list[str]:
    """Return the distinct terms of a sentence, in order, without words that only express a request and without plain numbers."""
    return [term for term in content_terms(text) if term not in ASKING and not term.isdigit()]


def of_question(text: str) -> list[str]:
    """Return the terms of a question, of which only the beginning is read."""
    return terms(text[:_READ_CHARACTERS])
