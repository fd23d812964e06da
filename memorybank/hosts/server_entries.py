"""Adds, finds and removes the MCP server's entry in a host's file, JSON or TOML. The rest of the file keeps every byte."""

import json
import re
import tomllib
from typing import Any, NamedTuple

from memorybank.errors import ValidationFailed
from memorybank.hosts import settings_text
from memorybank.hosts.program import PORTABLE
from memorybank.hosts.settings_text import JsonNode

NAME = "memorybank"
_HEADER = re.compile(r"\s*\[")


class ServerFormat(NamedTuple):
    """How a host's file describes MCP servers.

    key: the key above the servers' names
    toml: whether the file is TOML, otherwise JSON
    in_one: whether program and arguments are one list, and the type is `local`
    """

    key: str
    toml: bool = False
    in_one: bool = False


def entry(form: ServerFormat, words: list[str]) -> dict[str, Any]:
    """Return the value that registers the server under its name. words: the command line that starts it."""
    if form.in_one:
        return {"type": "local", "command": words, "enabled": True}
    kind = {} if form.toml else {"type": "stdio"}
    return {**kind, "command": words[0], "args": words[1:]}


def command_line(found: object) -> list[str]:
    """Return the words of an entry that starts `memorybank mcp`, with any options; [] for any other entry."""
    if not isinstance(found, dict):
        return []
    command, arguments = found.get("command"), found.get("args")
    words = [*(command if isinstance(command, list) else [command]), *(arguments if isinstance(arguments, list) else [])]
    if not all(isinstance(word, str) for word in words) or "mcp" not in words[1:]:
        return []
    return words if words[0].rpartition("/")[2] == PORTABLE or PORTABLE in words[1:] else []


def find(form: ServerFormat, text: str, above: tuple[str, ...] = ()) -> object:
    """Return the entry named `memorybank`, or None. above: keys above the servers' own key."""
    found: object = _plain(form, text)
    for key in (*above, form.key, NAME):
        found = found.get(key) if isinstance(found, dict) else None
    return found


def put(form: ServerFormat, text: str, words: list[str]) -> str:
    """Return `text` with the server added where none is named `memorybank`. An existing entry is somebody's choice and stays."""
    if form.toml:
        return _put_toml(form, text, words)
    text = text if text.strip() else "{}\n"
    root, servers = _servers(form, text)
    if servers is None:
        return settings_text.append(text, root, {NAME: entry(form, words)}, form.key)
    return text if servers.get(NAME) is not None else settings_text.append(text, servers, entry(form, words), NAME)


def take_out(form: ServerFormat, text: str) -> str:
    """Return `text` without the server if the entry is memorybank's, and without the servers' key if that contained nothing else."""
    if not text.strip():
        return text
    if form.toml:
        return _take_out_toml(form, text) if command_line(find(form, text)) else text
    _, servers = _servers(form, text)
    ours = servers.get(NAME) if servers is not None else None
    if servers is None or ours is None or not command_line(ours.plain()):
        return text
    text = settings_text.remove_member(text, servers, NAME)
    root, servers = _servers(form, text)
    return settings_text.remove_member(text, root, form.key) if servers is not None and not servers.children else text


def is_empty(form: ServerFormat, text: str) -> bool:
    """Return whether the file contains no settings."""
    return not text.strip() if form.toml else not settings_text.parse(text).children


def _servers(form: ServerFormat, text: str) -> tuple[JsonNode, JsonNode | None]:
    """Return (the root, the value under the servers' key)."""
    root = settings_text.parse(text)
    servers = root.get(form.key)
    if servers is not None and servers.kind != "object":
        raise ValidationFailed(f"{form.key} must be a JSON object", next_step=settings_text.BY_HAND)
    return root, servers


def _put_toml(form: ServerFormat, text: str, words: list[str]) -> str:
    """Append a table at the end. That is valid wherever the file does not write its servers as one value."""
    known = _plain(form, text)
    if find(form, text) is not None:
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text.strip() else end if text.endswith("\n") else end * 2
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in entry(form, words).items()]
    after = text + gap + "".join(f"{line}{end}" for line in (f"[{form.key}.{NAME}]", *lines))
    servers = {**known.get(form.key, {}), NAME: entry(form, words)} if isinstance(known.get(form.key, {}), dict) else None
    return _holding(form, after, {**known, form.key: servers}, "is written in a form to which no table can be added")


def _take_out_toml(form: ServerFormat, text: str) -> str:
    """Remove memorybank's table and the tables below it, each from its header to the next header."""
    known = _plain(form, text)
    ours = re.compile(rf"""\s*\[\s*["']?{re.escape(form.key)}["']?\s*\.\s*["']?{NAME}["']?\s*[.\]]""")
    # Python can read TOML but not write it, so lines are removed, and `_holding` checks what the result means.
    kept: list[str] = []
    within = False
    for line in text.splitlines(keepends=True):
        if _HEADER.match(line):
            within = ours.match(line) is not None
        if not within:
            kept.append(line)
    if within and kept and not kept[-1].strip():
        kept.pop()  # the empty line that separated the previous table from memorybank's
    servers = {name: each for name, each in known[form.key].items() if name != NAME}
    rest = {**known, form.key: servers} if servers else {key: value for key, value in known.items() if key != form.key}
    return _holding(form, "".join(kept), rest, "is written in a form from which the entry cannot be removed automatically")


def _holding(form: ServerFormat, text: str, meant: dict[str, Any], otherwise: str) -> str:
    """Return `text` if it parses to `meant`; otherwise raise ValidationFailed, before anything was changed."""
    try:
        found = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        found = None
    if found != meant:
        raise ValidationFailed(f"{form.key} {otherwise}", next_step=f"edit [{form.key}.{NAME}] by hand")
    return text


def _plain(form: ServerFormat, text: str) -> dict[str, Any]:
    try:
        found = tomllib.loads(text) if form.toml else json.loads(text.removeprefix("\ufeff").strip() or "{}")
    except (ValueError, RecursionError) as error:
        raise ValidationFailed(f"not valid {'TOML' if form.toml else 'JSON'}: {error}", next_step=settings_text.BY_HAND) from None
    if not isinstance(found, dict):
        raise ValidationFailed("the file must contain a JSON object", next_step=settings_text.BY_HAND)
    return found
