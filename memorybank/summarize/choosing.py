"""Chooses the summarizer, the address, the model and the key: from flags first, then the environment, then the person's own settings, never from a bank.

A key belongs to one host: a preset's variable is used only for the preset's own address, so that a key for one provider never reaches another.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memorybank import clock as instants
from memorybank.clock import Clock
from memorybank.config import own
from memorybank.config.addresses import host_of
from memorybank.config.own import PersonalSettingsFile
from memorybank.errors import ConfigInvalid, UsageError
from memorybank.storage import appending, disk
from memorybank.summarize.extractive import ExtractiveSummarizer
from memorybank.summarize.summarizer import EXTRACTIVE, ModelUnusable, Summarizer, SummarizerUnusable, TokenPrice

if TYPE_CHECKING:
    from memorybank.summarize.calling import Endpoint
    from memorybank.summarize.command import CommandSummarizer
    from memorybank.summarize.llm import LlmSummarizer


CONSENTS = "consents.jsonl"
"""The consents of a person, one line of JSON each, next to the person's own `config.json`. To withdraw a consent, a person deletes its line."""
_MAX_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Preset:
    """A server known by name. All of them offer the chat API of OpenAI.

    url: base address of the API
    model: "" when the person must name it
    keys: environment variables for the key; the first that is set counts
    """

    url: str
    model: str = ""
    keys: tuple[str, ...] = ()


# The model of Gemini is the one in the specification (`SUMMARIZATION_MODEL`). Servers on the person's machine offer whatever model was loaded,
# so the person must name it.
PRESETS = {
    "openai": Preset("https://api.openai.com/v1/", "gpt-4.1-mini", ("OPENAI_API_KEY",)),
    "gemini": Preset("https://generativelanguage.googleapis.com/v1beta/openai/", "gemini-2.5-flash", ("GEMINI_API_KEY", "GOOGLE_API_KEY")),
    "anthropic": Preset("https://api.anthropic.com/v1/", "claude-haiku-4-5", ("ANTHROPIC_API_KEY",)),
    "ollama": Preset("http://localhost:11434/v1/"),
    "vllm": Preset("http://localhost:8000/v1/"),
    "lmstudio": Preset("http://localhost:1234/v1/"),
}

LLM, COMMAND = "llm", "command"
WORDS = (EXTRACTIVE, LLM, COMMAND, *PRESETS)
"""The values of `--summarizer` and MEMORYBANK_SUMMARIZER. The name of a server means `llm` with its preset."""
SUMMARIZER_VARIABLE, URL_VARIABLE, MODEL_VARIABLE = "MEMORYBANK_SUMMARIZER", "MEMORYBANK_LLM_URL", "MEMORYBANK_LLM_MODEL"
KEY_VARIABLE, COMMAND_VARIABLE = "MEMORYBANK_LLM_KEY", "MEMORYBANK_SUMMARY_COMMAND"
DOCUMENT_MODEL_VARIABLE = "SUMMARIZATION_MODEL"
KEYRING_SERVICE = "memorybank"
_NO_PRICE = TokenPrice()

read_own = own.load


@dataclass(frozen=True, slots=True)
class SummarizerChoice:
    """A chosen summarizer that has not been built yet.

    name: the later `DaySummary.by`
    leaves_by: the destination of texts: a host (with its port if the address has one) or `command:<program>`; None when they stay on this machine
    price: price of a million tokens
    endpoint: the API, only for `llm`
    command: the program and its arguments, only for `command`
    variables: the environment variables that may hold the key, in order
    """

    name: str
    leaves_by: str | None = None
    price: TokenPrice = _NO_PRICE
    endpoint: Endpoint | None = None
    command: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)

    def build(self, clock: Clock) -> Summarizer:
        """Return the summarizer. Raises as `model` does."""
        model = self.model(clock)
        return model if model is not None else ExtractiveSummarizer()

    def model(self, clock: Clock) -> LlmSummarizer | CommandSummarizer | None:
        """Return the model or program, None when texts stay with the extractive summarizer.

        Raises MissingExtra without the package `openai`, SummarizerUnusable without a key that a server on another machine needs, ConfigInvalid
        for a key that would be sent unencrypted.
        """
        if self.endpoint is not None:
            from memorybank.summarize.llm import LlmSummarizer

            return LlmSummarizer(self.endpoint, key_of(self.endpoint, self.variables, self.environment, SummarizerUnusable), clock)
        if self.command:
            from memorybank.summarize.command import CommandSummarizer

            return CommandSummarizer(self.command, self.environment, clock)
        return None


def choose(
    own: PersonalSettingsFile, environment: Mapping[str, str], *, summarizer: str | None = None, url: str | None = None, model: str | None = None
) -> SummarizerChoice:
    """Return the summarizer that the person wants. summarizer, url, model: flags, None when not given. Raises UsageError or ConfigInvalid."""
    settings = own.settings.summarizer
    word = summarizer or environment.get(SUMMARIZER_VARIABLE, "") or settings.use
    if word not in WORDS:
        where = "--summarizer" if summarizer else SUMMARIZER_VARIABLE
        raise UsageError(f"{where} does not accept {word[:40]!r}", next_step=f"use one of: {', '.join(WORDS)}")
    if word == EXTRACTIVE:
        return SummarizerChoice(EXTRACTIVE)
    if word == COMMAND:
        return _program(own, environment)
    return _model(own, environment, word, flagged=summarizer is not None and word in PRESETS, url=url, model=model)


def _program(own: PersonalSettingsFile, environment: Mapping[str, str]) -> SummarizerChoice:
    import shlex

    from memorybank.summarize.command import name_of

    try:
        argv = tuple(shlex.split(environment.get(COMMAND_VARIABLE, ""))) or own.settings.summarizer.command
    except ValueError:
        raise ConfigInvalid(
            f"{COMMAND_VARIABLE} contains an unclosed quotation mark",
            next_step="close the quotation; the value is split into words and never passed to a shell",
        ) from None
    if not argv:
        raise ConfigInvalid(
            "no program is configured for the summarizer 'command'", next_step=f"set summarizer.command in {own.path}, or {COMMAND_VARIABLE} in the environment"
        )
    refuse_relative(argv)
    name = name_of(argv)
    return SummarizerChoice(name, name, command=argv, environment=environment)


def _model(own: PersonalSettingsFile, environment: Mapping[str, str], word: str, *, flagged: bool, url: str | None, model: str | None) -> SummarizerChoice:
    """Return the choice of a model. flagged: a flag names the server, so the address and model in the environment are meant for another one."""
    settings = own.settings.summarizer
    name = settings.preset if word == LLM else word
    preset, mine = PRESETS[name], name == settings.preset
    own_url = settings.url if mine else ""
    address = url or ("" if flagged else environment.get(URL_VARIABLE, "")) or own_url or preset.url
    named = model or ("" if flagged else environment.get(MODEL_VARIABLE, "")) or (environment.get(DOCUMENT_MODEL_VARIABLE, "") if name == "gemini" else "")
    named = named or (settings.model if mine else "") or (preset.model if address == preset.url else "")
    if not named:
        raise ConfigInvalid(
            f"no model is configured for {host_of(address)[0]}", next_step=f"pass --model, or set {MODEL_VARIABLE} or summarizer.model in {own.path}"
        )
    variables = _variables(own, preset, address, own_url, flagged=flagged, mine=mine)
    endpoint = endpoint_of(address, named, variables)
    price = TokenPrice(settings.price.prompt, settings.price.completion) if mine and (settings.price.prompt or settings.price.completion) else _NO_PRICE
    return SummarizerChoice(f"llm:{named}", endpoint.host, price, endpoint, variables=variables, environment=environment)


def _variables(own: PersonalSettingsFile, preset: Preset, address: str, own_url: str, *, flagged: bool, mine: bool) -> tuple[str, ...]:
    """Return the environment variables whose key is meant for this address."""
    chosen = own.settings.summarizer.key_variable
    found = [] if flagged else [KEY_VARIABLE]
    if mine and chosen and address == (own_url or preset.url):
        found.append(chosen)
    return (*found, *(preset.keys if address == preset.url else ()))


def key_of(endpoint: Endpoint, variables: Sequence[str], environment: Mapping[str, str], unusable: type[ModelUnusable]) -> str:
    """Return the key for an endpoint, "" for a server on this machine that needs none.

    variables: the environment variables that may hold it, in order; after them the keyring is asked
    unusable: the class of the error for a key that is missing or invalid
    Raises ConfigInvalid for a key that would be sent unencrypted.
    """
    key = next((value for name in variables if (value := environment.get(name, "").strip())), "") or _from_keyring(endpoint)
    if not key.isascii() or not key.isprintable() or " " in key:
        raise unusable(
            f"the key for {endpoint.host} is not valid: it contains blanks or characters that an HTTP header cannot carry",
            kind="key",
            next_step=f"set another key; {endpoint.keys}",
        )
    if not key and not endpoint.local:
        raise unusable(f"there is no key for {endpoint.host}", kind="key", next_step=f"set the key; {endpoint.keys}")
    if key and endpoint.url.startswith("http://") and not endpoint.local:
        raise ConfigInvalid(f"the key would be sent to {endpoint.host} unencrypted", next_step="use an https:// address")
    return key


def endpoint_of(address: str, model: str, variables: Sequence[str]) -> Endpoint:
    """Return the endpoint at an address. Raises ConfigInvalid for a malformed one. variables: the environment variables that may hold its key"""
    from memorybank.summarize.calling import Endpoint

    host, local = host_of(address)
    keys = f"it is read from {' or '.join((*variables, f'the keyring (keyring set {KEYRING_SERVICE} {host})'))}"
    return Endpoint(address if address.endswith("/") else address + "/", host, model, local, keys)


def refuse_relative(argv: Sequence[str]) -> None:
    """Raise ConfigInvalid for a program with a relative path."""
    if os.sep in argv[0] and not os.path.isabs(os.path.expanduser(argv[0])):
        raise ConfigInvalid(
            f"the program {argv[0][:80]!r} has a relative path, so any folder could provide it",
            next_step="use an absolute path, or a name that is found on PATH",
        )


def _from_keyring(endpoint: Endpoint) -> str:
    """Return the key for this host from the operating system's keyring; "" without a key, without a keyring, or when it cannot be opened."""
    try:
        return (importlib.import_module("keyring").get_password(KEYRING_SERVICE, endpoint.host) or "").strip()
    except Exception:  # backends raise arbitrary errors; without a key the next step tells the person what to do
        return ""


def has_consent(folder: str, bank: str, to: str) -> bool:
    """Return whether the person has consented to sending texts of this bank to this host or program. Unreadable lines count as no consent.

    folder: `PersonalSettingsFile.folder`
    bank: its absolute path
    to: `SummarizerChoice.leaves_by`
    """
    try:
        lines = disk.read(os.path.join(folder, CONSENTS), _MAX_BYTES).decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return False
    return any(_names(line, os.path.realpath(bank), to) for line in lines)


def give_consent(folder: str, bank: str, to: str, clock: Clock) -> None:
    """Store the person's consent, which is asked for once for each bank and destination. It is never in a bank, which another person may clone."""
    disk.make_directories(folder)
    line = json.dumps({"bank": os.path.realpath(bank), "to": to, "at": instants.isoformat(clock.now())}, ensure_ascii=False)
    appending.append(os.path.join(folder, CONSENTS), line.encode("utf-8", "surrogateescape") + b"\n", durable=True, clock=clock)


def _names(line: str, bank: str, to: str) -> bool:
    try:
        said = json.loads(line)
    except ValueError:
        return False
    return isinstance(said, dict) and said.get("bank") == bank and said.get("to") == to
