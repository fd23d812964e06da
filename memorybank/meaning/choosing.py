"""Chooses the embedder from the person's own settings, never from a bank, which another person may have written.

A key belongs to one host: a preset's variable is used only for the preset's own address.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memorybank.clock import Clock
from memorybank.config.own import COMMAND, ENDPOINT, FASTEMBED, PersonalSettingsFile
from memorybank.errors import ConfigInvalid
from memorybank.meaning.cutting import CUTTING
from memorybank.meaning.embedder import Embedder, EmbedderUnusable
from memorybank.meaning.prefixes import EmbeddingPrefixes, prefixes_of
from memorybank.summarize import choosing
from memorybank.summarize.choosing import PRESETS

if TYPE_CHECKING:
    from memorybank.summarize.calling import Endpoint


@dataclass(frozen=True, slots=True)
class EmbedderChoice:
    """A chosen embedder that has not been built yet.

    name: `endpoint:<model>`, `command:<program>` or `fastembed:<model>`
    leaves_by: the destination of texts: a host (with its port if the address has one), or the name of what runs on this machine
    most: maximum number of texts of one call
    endpoint: the API, only for an endpoint
    command: the program and its arguments, only for a command
    model, folder: a model that fastembed runs, and the folder with its files, "" for fastembed's own
    variables: the environment variables that may hold the key, in order
    """

    name: str
    leaves_by: str
    prefixes: EmbeddingPrefixes
    most: int
    endpoint: Endpoint | None = None
    command: tuple[str, ...] = ()
    model: str = ""
    folder: str = ""
    variables: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def identity(self) -> str:
        """A digest of everything that decides about the vectors; other vectors cannot be compared. An address is not part of it, so that a server may move."""
        model = self.endpoint.model if self.endpoint is not None else self.name if self.model else ""
        parts = (model, *self.command, *map(str, self.prefixes), CUTTING)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()

    def build(self, clock: Clock, *, patient: bool = True) -> Embedder:
        """Return the embedder.

        patient: whether a call may wait and be repeated; a search that somebody waits for may not
        Raises MissingExtra without the package `openai` or `fastembed`, EmbedderUnusable without a model on this machine or without a key that a
        server on another machine needs, ConfigInvalid for a key that would be sent unencrypted.
        """
        if self.endpoint is not None:
            from memorybank.meaning.endpoint import EndpointEmbedder

            key = choosing.key_of(self.endpoint, self.variables, self.environment, EmbedderUnusable)
            return EndpointEmbedder(self.endpoint, key, self.prefixes, self.most, clock, patient=patient)
        if self.model:
            from memorybank.meaning.fastembed_model import FastembedEmbedder

            return FastembedEmbedder(self.model, self.folder, self.prefixes, self.most)
        from memorybank.meaning.command import CommandEmbedder

        return CommandEmbedder(self.command, self.environment, self.prefixes, self.most)


def choose(own: PersonalSettingsFile, environment: Mapping[str, str]) -> EmbedderChoice | None:
    """Return the embedder that the person set up, None without one. Raises ConfigInvalid for settings that lack something."""
    settings = own.settings.embedder
    prefixes = prefixes_of(settings)
    if settings.use == ENDPOINT:
        preset = PRESETS[settings.preset]
        address = settings.url or preset.url
        if not settings.model:
            raise ConfigInvalid("the embedder has no model", next_step=f"set embedder.model in {own.path} to a model for embeddings that this server offers")
        named = (settings.key_variable,) if settings.key_variable else ()
        variables = (*named, *(preset.keys if address == preset.url else ()))
        endpoint = choosing.endpoint_of(address, settings.model, variables)
        return EmbedderChoice(f"endpoint:{settings.model}", endpoint.host, prefixes, settings.batch, endpoint, variables=variables, environment=environment)
    if settings.use == COMMAND:
        from memorybank.summarize.command import name_of

        if not settings.command:
            raise ConfigInvalid("the embedder 'command' has no program", next_step=f"set embedder.command in {own.path}")
        choosing.refuse_relative(settings.command)
        name = name_of(settings.command)
        return EmbedderChoice(name, name, prefixes, settings.batch, command=settings.command, environment=environment)
    if settings.use == FASTEMBED:
        if not settings.model:
            raise ConfigInvalid("the embedder 'fastembed' has no model", next_step=f"set embedder.model in {own.path} to a model that fastembed supports")
        name = f"fastembed:{settings.model}"
        return EmbedderChoice(name, name, prefixes, settings.batch, model=settings.model, folder=os.path.expanduser(settings.folder))
    return None
