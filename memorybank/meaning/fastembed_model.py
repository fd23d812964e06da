"""A model that the library fastembed runs in this process, with ONNX. No text leaves the machine, and no model is downloaded: the person does that."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from memorybank.errors import MissingExtra
from memorybank.installed import extra_command
from memorybank.meaning.embedder import EmbedderUnusable, checked
from memorybank.meaning.prefixes import EmbeddingPrefixes

_QUIET = {"ORT_DISABLE_TELEMETRY": "1", "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "LOGURU_LEVEL": "CRITICAL"}
"""Variables that libraries read when they are imported. Without the first one, ONNX Runtime sends telemetry (since 1.29); what fastembed logs about a missing
file is part of the errors below."""


class FastembedEmbedder:
    """The model as an embedder. folder: its files, "" for those in fastembed's own folder; most: maximum number of texts of one call"""

    def __init__(self, model: str, folder: str, prefixes: EmbeddingPrefixes, most: int) -> None:
        self.name = f"fastembed:{model}"
        self.most = most
        self._prefixes = prefixes
        self._model = _loaded(model, folder)

    def embed(self, texts: Sequence[str], kind: str) -> list[Sequence[float]]:
        """Return the vectors of the model. It cuts a text that is too long for it."""
        prefix = self._prefixes.of(kind)
        found = self._model.embed([prefix + text for text in texts], batch_size=self.most)
        return checked([vector.tolist() for vector in found], len(texts), self.name)


def _loaded(model: str, folder: str) -> Any:
    """Return fastembed's model. Raises MissingExtra, and EmbedderUnusable for a model that it does not know or that is not on this machine."""
    os.environ.update(_QUIET)
    try:
        supported: Any = import_module("fastembed").TextEmbedding
    except ImportError:
        raise MissingExtra("the package 'fastembed' is not installed", next_step=f"install it with: {extra_command('fastembed')}") from None
    if model.lower() not in {each["model"].lower() for each in supported.list_supported_models()}:
        step = "choose one of those that 'python -c \"import fastembed; print(fastembed.TextEmbedding.list_supported_models())\"' lists"
        raise EmbedderUnusable(f"fastembed does not support the model {model}", kind="model", next_step=step)
    try:
        return supported(model, local_files_only=True, **({"specific_model_path": folder} if folder else {}))
    except Exception as error:  # fastembed and onnxruntime raise many kinds, also for incomplete files
        step = f"download it with: python -c 'import fastembed; fastembed.TextEmbedding(\"{model}\")', or name its folder in embedder.folder"
        reason = str(error).partition("\n")[0][:200]
        raise EmbedderUnusable(f"the model {model} cannot be loaded on this machine: {reason}", kind="model", next_step=step) from None
