"""The person's own settings, `$XDG_CONFIG_HOME/memorybank/config.json`: the only file that may specify a program, a URL or a model.

A bank may come from a stranger; this file cannot, because it is in the person's home folder and is read from nowhere else. API keys are in
neither: they are in the environment or in the keyring of the operating system.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from memorybank.config import personal_bank, sources
from memorybank.config.group import MAX_FILE_BYTES, SettingsGroup, merge
from memorybank.config.keys import SettingFault, choice, number, objects, table, text, whole, words
from memorybank.errors import ConfigInvalid, Problem
from memorybank.storage import disk
from memorybank.values import NamedTuple

SUMMARIZERS = ("extractive", "llm", "command")
NONE, ENDPOINT, COMMAND, FASTEMBED = "none", "endpoint", "command", "fastembed"
AUTO, INPUT_TYPE = "auto", "input_type"
BUILT_IN, MEM0 = "built-in", "mem0"
SERVERS = ("openai", "gemini", "anthropic", "ollama", "vllm", "lmstudio")
_SECRETS = frozenset(("key", "api_key", "apikey", "token", "password", "secret"))


class TokenPriceSettings(SettingsGroup):
    prompt: float = number(0, "Price of a million tokens that are sent; 0 means unknown.", minimum=0, maximum=1_000_000)
    completion: float = number(0, "Price of a million tokens of the answer; 0 means unknown.", minimum=0, maximum=1_000_000)


class SummarizerSettings(SettingsGroup):
    use: str = choice("extractive", "What summarises days: rules on this machine, a model behind a chat API, or a program of yours.", SUMMARIZERS)
    preset: str = choice("gemini", "For `llm`: the server, which determines the address, the model and the key variable unless they are set.", SERVERS)
    url: str = text("", "For `llm`: another base address of the API, such as `http://localhost:8080/v1/`.")
    model: str = text("", "For `llm`: another model.")
    key_variable: str = text("", "For `llm`: the environment variable that contains the key for this address.")
    command: tuple[str, ...] = words((), "For `command`: the program, on PATH or with its absolute path, and its arguments; it runs without a shell.")
    price: TokenPriceSettings = TokenPriceSettings()


class EmbedderSettings(SettingsGroup):
    use: str = choice(
        NONE,
        "What turns texts into vectors for search by meaning: a model behind an embeddings API, a program of yours, or a model that fastembed runs here.",
        (NONE, ENDPOINT, COMMAND, FASTEMBED),
    )
    preset: str = choice("ollama", "For `endpoint`: the server, which determines the address and the key variable unless they are set.", SERVERS)
    url: str = text("", "For `endpoint`: another base address of the API, such as `http://localhost:8080/v1/`.")
    model: str = text("", "For `endpoint` and `fastembed`: the model, such as `text-embedding-3-small` or `BAAI/bge-small-en-v1.5`.")
    folder: str = text("", "For `fastembed`: the folder with the model's files. Without one, they are where fastembed keeps what you downloaded.")
    key_variable: str = text("", "For `endpoint`: the environment variable that contains the key for this address.")
    command: tuple[str, ...] = words((), "For `command`: the program, on PATH or with its absolute path, and its arguments; it runs without a shell.")
    prefixes: str = choice(
        AUTO,
        "How the model learns whether a text is a question or a passage: by the prefixes of its family, by none, or by the parameter `input_type`.",
        (AUTO, NONE, INPUT_TYPE),
    )
    query_prefix: str = text("", "Another prefix for questions, such as `query: `.")
    passage_prefix: str = text("", "Another prefix for passages, such as `passage: `.")
    batch: int = whole(16, "Maximum number of passages of one call.", minimum=1, maximum=2_048)


class VectorStoreSettings(SettingsGroup):
    use: str = choice(BUILT_IN, "What keeps the vectors of search by meaning: a file of memorybank, or mem0 with one of its vector stores.", (BUILT_IN, MEM0))
    provider: str = text("qdrant", "For `mem0`: its vector store, such as `qdrant` (without a server) or `pgvector`.")
    config: Mapping[str, str] = table(
        "For `mem0`: the vector store's own settings by their names in mem0, such as `host`. A value `$NAME` is read from the environment variable; "
        "passwords and keys must be given that way."
    )


class TrustSettings(SettingsGroup):
    folders: tuple[str, ...] = words((), "Folders, absolute or `~/…`, in which every bank may show its memories to agents without asking.")
    remotes: tuple[str, ...] = words((), "Addresses of git remotes, as `git remote -v` prints them, whose banks may do so.")


class PersonalBankSettings(SettingsGroup):
    off_in: tuple[str, ...] = words(
        (), "Folders, absolute or `~/…`, in whose banks nothing of your personal bank is shown; 'memorybank personal off' writes them."
    )


class TeamSettings(SettingsGroup):
    connections: tuple[dict[str, object], ...] = objects("Banks that you connected to the server of a team; 'memorybank team connect' writes them.")


class PersonalSettings(SettingsGroup):
    """The entire file."""

    banks: tuple[str, ...] = words((), "Banks, absolute or `~/…`, that 'memorybank search --all' searches; 'memorybank banks add' writes them.")
    personal: PersonalBankSettings = PersonalBankSettings()
    sources: tuple[dict[str, object], ...] = objects("Files outside the repositories that banks of yours read in place; 'memorybank adopt' writes them.")
    summarizer: SummarizerSettings = SummarizerSettings()
    embedder: EmbedderSettings = EmbedderSettings()
    team: TeamSettings = TeamSettings()
    vector_store: VectorStoreSettings = VectorStoreSettings()
    trust: TrustSettings = TrustSettings()


class PersonalSettingsFile(NamedTuple):
    """The person's own settings and where they are.

    folder: folder of the person's own memorybank files, which may be missing
    path: the settings file
    settings: its contents over the defaults
    """

    folder: str
    path: str
    settings: PersonalSettings


def folder(environment: Mapping[str, str]) -> str:
    """Return `$XDG_CONFIG_HOME/memorybank`, by default `~/.config/memorybank`."""
    return os.path.dirname(sources.own_path(environment))


def load(environment: Mapping[str, str]) -> PersonalSettingsFile:
    """Return the person's own settings, or the defaults without a file. Raises ConfigInvalid with the first problem."""
    own, found = load_with_problems(environment)
    if found:
        where = f"{own.path}:{found[0].line}" if found[0].line else own.path
        raise ConfigInvalid(f"{where}: {found[0].message}", next_step="fix your own settings; docs/configuration.md lists the permitted keys")
    return own


def load_with_problems(environment: Mapping[str, str]) -> tuple[PersonalSettingsFile, list[Problem]]:
    """Return (the usable settings, all problems). Problems show the path with `~` for the home folder."""
    place, path = folder(environment), sources.own_path(environment)
    try:
        data = disk.read(path, MAX_FILE_BYTES)
    except FileNotFoundError:
        return PersonalSettingsFile(place, path, PersonalSettings()), []
    shown = personal_bank.as_written(path, environment)
    from memorybank.config import document  # late: few people have such a file

    parsed = document.parse(data, shown)
    if isinstance(parsed, Problem):
        return PersonalSettingsFile(place, path, PersonalSettings()), [parsed]
    faults: list[SettingFault] = []
    settings = merge(PersonalSettings, parsed, faults)
    lines = document.lines(data.decode())
    return PersonalSettingsFile(place, path, settings), [_problem(fault, shown, document.line_of(lines, fault.path)) for fault in faults]


def _problem(fault: SettingFault, shown: str, line: int | None) -> Problem:
    name = ".".join(part if part.isprintable() else ascii(part) for part in fault.path)[:80]
    if fault.path[-1].lower() in _SECRETS:
        return Problem("config_secret", shown, f"{name}: keys are read from the environment or the keyring, never from a file; remove it", line)
    return Problem(fault.code, shown, f"{name}: {fault.message or 'unknown key'}", line)
