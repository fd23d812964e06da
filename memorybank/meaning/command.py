"""A program of the person's choice as embedder: JSON lines on its standard input, JSON lines on its standard output.

Each line of the input is `{"text": …, "kind": "query" | "passage"}`; the output has one line for each, in order: a list of numbers, or an object
with the list as `embedding`. The program is started from a list of words, never by a shell, once for each batch.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence

from memorybank.meaning.embedder import EmbedderBusy, EmbedderRefused, EmbedderUnusable, checked
from memorybank.meaning.prefixes import EmbeddingPrefixes
from memorybank.summarize.command import NOT_RUN, ProgramRun, name_of

TIMEOUT_SECONDS = 120.0
MOST_BYTES = 32 * 1024 * 1024
_NEXT = "check 'embedder.command' in your own config.json (docs/configuration.md)"


class CommandEmbedder:
    """The program as an embedder. most: maximum number of texts of one run; timeout: seconds for one run"""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str], prefixes: EmbeddingPrefixes, most: int, timeout: float = TIMEOUT_SECONDS) -> None:
        self.name = name_of(argv)
        self.most = most
        self._argv = [os.path.expanduser(argv[0]), *argv[1:]]
        self._environment = {**environment, "MEMORYBANK_INTERNAL": "1"}
        self._prefixes = prefixes
        self._timeout = timeout

    def embed(self, texts: Sequence[str], kind: str) -> list[Sequence[float]]:
        """Return the vectors that the program printed."""
        prefix = self._prefixes.of(kind)
        lines = (json.dumps({"text": prefix + text, "kind": kind}, ensure_ascii=False) + "\n" for text in texts)
        run = ProgramRun(self._argv, self._environment, self._timeout, MOST_BYTES)
        try:
            status = run.through("".join(lines).encode("utf-8", "replace"))
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise EmbedderUnusable(f"{self.name} cannot be started: {reason}", kind="program", next_step=_NEXT) from None
        if status in NOT_RUN:
            raise EmbedderUnusable(f"{self.name} ended with status {status}: {run.complaint()}", kind="program", next_step=_NEXT)
        if run.timed_out:
            raise EmbedderBusy(f"{self.name} took longer than {self._timeout:g} s")
        if status != 0:
            raise EmbedderBusy(f"{self.name} ended with status {status}: {run.complaint()}".rstrip(": "))
        return checked(self._parsed(run.output), len(texts), self.name)

    def _parsed(self, output: bytes) -> list[Sequence[float]]:
        try:
            found = [json.loads(line) for line in output.decode("utf-8").splitlines() if line.strip()]
            return [[float(number) for number in (line["embedding"] if isinstance(line, dict) else line)] for line in found]
        except (ValueError, TypeError, KeyError):
            raise EmbedderRefused(f"{self.name} printed something else than one JSON list of numbers for each text", next_step=_NEXT) from None
