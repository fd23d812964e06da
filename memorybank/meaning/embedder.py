"""The interface of all embedders: texts in, vectors out, and the ways in which a call can fail.

How a caller uses this package:

    choice = choosing.choose(own.load(os.environ), os.environ)      # the person's own settings, never a bank; None without an embedder
    embedder = choice.build(clock)                                  # MissingExtra, ConfigInvalid, EmbedderUnusable
    vectors = embedder.embed(texts, PASSAGE)                        # EmbedderBusy, EmbedderRefused, EmbedderUnusable
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from memorybank.errors import MemorybankError
from memorybank.summarize.summarizer import ModelUnusable

QUERY, PASSAGE = "query", "passage"
"""The kinds of text. Many models were trained with a prefix for each."""
WORDS_INSTEAD = "search with --type keyword"


class Embedder(Protocol):
    """A model that turns texts into vectors."""

    @property
    def name(self) -> str:
        """`endpoint:<model>`, `command:<program>` or `fastembed:<model>`, for messages."""

    @property
    def most(self) -> int:
        """Maximum number of texts of one call."""

    def embed(self, texts: Sequence[str], kind: str) -> list[Sequence[float]]:
        """Return one vector for each text, all of one dimension. kind: QUERY or PASSAGE. Raises EmbedderBusy, EmbedderRefused or EmbedderUnusable."""


class EmbedderBusy(MemorybankError):
    """The embedder does not answer now. Passages that it embedded before are kept."""

    code = "embedder_busy"
    next_step = "run the same command again later; what was embedded is kept"


class EmbedderRefused(MemorybankError):
    """The embedder will not embed one of these texts, or answered with something else than vectors."""

    code = "embedder_refused"
    next_step = "check the model that your own config.json names: it must be one for embeddings"


class EmbedderUnusable(ModelUnusable):
    """The embedder cannot be used as it is configured. kind: as for ModelUnusable"""

    code = "embedder_unusable"


def checked(vectors: Sequence[Sequence[float]], count: int, name: str) -> list[Sequence[float]]:
    """Return the vectors of an answer. Raises EmbedderRefused if they are not `count` vectors of one dimension with finite numbers, not all of them 0."""
    wrong = ""
    if len(vectors) != count:
        wrong = f"{len(vectors)} vectors for {count} texts"
    elif len({len(vector) for vector in vectors}) > 1 or not len(vectors[0]):
        wrong = "vectors of different lengths"
    elif not all(abs(number) < float("inf") for vector in vectors for number in vector):
        wrong = "numbers that are not finite"
    elif not all(any(vector) for vector in vectors):
        wrong = "a vector of zeros"
    if wrong:
        raise EmbedderRefused(f"{name} answered with {wrong}")
    return list(vectors)
