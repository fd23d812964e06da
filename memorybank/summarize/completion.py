"""The interface of a model for any question: instructions and a record go in, the model's text comes out. Summaries and extractions both use it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from memorybank.summarize.summarizer import Tokens


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to a model.

    title: the subject of the record, a date or a session, also for messages
    instructions: returns the instructions for an answer of at most this many characters
    record: returns the record in at most this many characters, redacted
    budget: maximum characters of the answer
    """

    title: str
    instructions: Callable[[int], str]
    record: Callable[[int], str]
    budget: int


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The answer of a model as it was given, including thoughts and wrappers. cut: whether it was stopped by a length limit."""

    text: str
    cut: bool
    tokens: Tokens


class LanguageModel(Protocol):
    """A model behind an API, or a program of the person's choice."""

    @property
    def name(self) -> str:
        """`llm:<model>` or `command:<program>`."""

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the answer. Raises SummarizerBusy, SummaryRefused or SummarizerUnusable."""
