"""An embedding model behind an OpenAI-compatible API: Ollama, LM Studio, Text Embeddings Inference, vLLM, OpenAI and others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from memorybank.clock import Clock
from memorybank.meaning.embedder import WORDS_INSTEAD, EmbedderBusy, EmbedderRefused, EmbedderUnusable, checked
from memorybank.meaning.prefixes import EmbeddingPrefixes
from memorybank.summarize import outcomes
from memorybank.summarize.calling import CallFailed, Endpoint, ModelApi, error_of
from memorybank.summarize.outcomes import CallVerdict

TIMEOUT_SECONDS = 120.0
QUERY_SECONDS = 10.0
"""The same for a search that somebody waits for."""
_SHORTEST = 100
"""Characters of a text that is not shortened further."""


class EndpointEmbedder:
    """The model as an embedder. key: "" for a server without keys; most: maximum number of texts of one call; patient: whether calls are repeated"""

    def __init__(self, endpoint: Endpoint, key: str, prefixes: EmbeddingPrefixes, most: int, clock: Clock, *, patient: bool = True) -> None:
        self.name = f"endpoint:{endpoint.model}"
        self.most = most
        self._prefixes = prefixes
        self._endpoint = endpoint
        timeout, attempts = (TIMEOUT_SECONDS, outcomes.ATTEMPTS) if patient else (QUERY_SECONDS, 1)
        self._api = ModelApi(endpoint, key, clock, timeout, "meaning", attempts)

    def embed(self, texts: Sequence[str], kind: str) -> list[Sequence[float]]:
        """Return one vector for each text. A batch that is too large for the server is halved; of a text that is too long for the model, the first half is
        embedded.
        """
        prefix, parameters = self._prefixes.of(kind), dict(self._prefixes.parameters(kind))
        inputs = [prefix + text for text in texts]
        found = self._api.call(
            lambda client: client.embeddings.create(model=self._endpoint.model, input=inputs, encoding_format="float", extra_body=parameters), _vectors
        )
        if isinstance(found, CallFailed):
            if found.verdict.kind == "too_long" and len(texts) > 1:
                half = len(texts) // 2
                return [*self.embed(texts[:half], kind), *self.embed(texts[half:], kind)]
            if found.verdict.kind == "too_long" and len(texts[0]) > _SHORTEST:
                return self.embed([texts[0][: len(texts[0]) // 2]], kind)
            self._fail(found)
        return checked(found, len(texts), f"{self.name} at {self._endpoint.host}")

    def _fail(self, failed: CallFailed) -> NoReturn:
        at, verdict = f"{self.name} at {self._endpoint.host}", failed.verdict
        if verdict.ending == outcomes.FATAL:
            raise EmbedderUnusable(f"{at}: {verdict.what}", kind=verdict.kind, next_step=self._api.next_step(verdict, WORDS_INSTEAD)) from None
        if verdict.ending == outcomes.TRANSIENT:
            raise EmbedderBusy(f"{at}: {verdict.what} ({failed.attempts} attempts)" if failed.attempts > 1 else f"{at}: {verdict.what}") from None
        raise EmbedderRefused(f"{at}: {verdict.what}") from None


def _vectors(answer: Any) -> list[Sequence[float]] | CallVerdict:
    """Return the vectors of an answer in the order of the texts."""
    error = error_of(answer)
    if error is not None:
        return error
    data = getattr(answer, "data", None)
    if not isinstance(data, list):
        return CallVerdict(outcomes.TRANSIENT, "malformed", "an answer without vectors")
    by_place = {getattr(each, "index", None): each.embedding for each in data}
    ordered = [by_place[place] for place in range(len(data))] if by_place.keys() == set(range(len(data))) else [each.embedding for each in data]
    return [[float(number) for number in vector] for vector in ordered]
