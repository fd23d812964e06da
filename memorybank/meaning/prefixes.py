"""The prefixes that families of models were trained with: without them, questions and passages are compared less well."""

from collections.abc import Mapping
from typing import NamedTuple

from memorybank.config.own import AUTO, INPUT_TYPE, EmbedderSettings
from memorybank.meaning.embedder import PASSAGE, QUERY


class EmbeddingPrefixes(NamedTuple):
    """What distinguishes a question from a passage. as_parameter: whether the parameter `input_type` says it instead"""

    query: str = ""
    passage: str = ""
    as_parameter: bool = False

    def of(self, kind: str) -> str:
        return self.query if kind == QUERY else self.passage

    def parameters(self, kind: str) -> Mapping[str, str]:
        """Return the parameters of a request that say the kind of its texts."""
        return {"input_type": QUERY if kind == QUERY else PASSAGE} if self.as_parameter else {}


_QUESTION = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "
# The first name that is part of the model's name counts. Sources: the pages of these models on Hugging Face.
_SEARCHED = "Represent this sentence for searching relevant passages: "
_FAMILIES = (
    (("e5-mistral", "e5-large-instruct", "qwen3-embedding"), EmbeddingPrefixes(_QUESTION)),
    (("e5",), EmbeddingPrefixes("query: ", "passage: ")),
    (("nomic-embed", "modernbert-embed"), EmbeddingPrefixes("search_query: ", "search_document: ")),
    (("ruri-v3",), EmbeddingPrefixes("検索クエリ: ", "検索文書: ")),
    (
        ("mxbai-embed", "arctic-embed", "bge-small-en", "bge-base-en", "bge-large-en"),
        EmbeddingPrefixes(_SEARCHED),
    ),
    (("embeddinggemma",), EmbeddingPrefixes("task: search result | query: ", "title: none | text: ")),
)


def prefixes_of(settings: EmbedderSettings) -> EmbeddingPrefixes:
    """Return the prefixes that the person set, else those of the model's family, else none."""
    if settings.query_prefix or settings.passage_prefix:
        return EmbeddingPrefixes(settings.query_prefix, settings.passage_prefix)
    if settings.prefixes == INPUT_TYPE:
        return EmbeddingPrefixes(as_parameter=True)
    name = settings.model.lower() if settings.prefixes == AUTO else ""
    return next((found for names, found in _FAMILIES if any(part in name for part in names)), EmbeddingPrefixes())
