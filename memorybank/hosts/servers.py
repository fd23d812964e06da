"""Registering the MCP server with a host: in the file that a project commits for it, else by the host's own command, which a person types.

A client rewrites its own files of a person (`~/.claude.json`, `~/.codex/config.toml`) whenever it runs, so memorybank leaves these alone. In a
project's file the entry `memorybank` is added where there is none, and everything else keeps every byte; an entry that is there is a person's
choice (`--as`, `--allow-write`) and stays. Sources: `mcp add --help` of the real clients; docs/hosts.md.
"""

import os
from collections.abc import Mapping
from typing import NamedTuple

from memorybank.errors import ValidationFailed
from memorybank.hosts import install, originals, settings_text
from memorybank.hosts.install import Change
from memorybank.hosts.program import PORTABLE, Program, on_path, quote
from memorybank.hosts.registration import LOCAL, PROJECT, TABLE, USER, File
from memorybank.hosts.settings_text import Node

NAME = "memorybank"
KEY = "mcpServers"
ENTRY = {"type": "stdio", "command": PORTABLE, "args": ["mcp"]}
_EMPTY = "{}\n"


class Place(NamedTuple):
    """Where a host looks for servers. file: that a project commits, None for a host without one that is JSON; commands: what a person types, by scope."""

    file: File | None
    commands: dict[str, str]


PLACES = {
    "claude-code": Place(
        File(".mcp.json"),
        {LOCAL: "claude mcp add --scope local memorybank -- {program} mcp", USER: "claude mcp add --scope user memorybank -- {program} mcp"},
    ),
    "codex": Place(None, dict.fromkeys((PROJECT, USER), "codex mcp add memorybank -- {program} mcp")),
    "gemini": Place(
        None,
        {PROJECT: "gemini mcp add --scope project memorybank {program} mcp", USER: "gemini mcp add --scope user memorybank {program} mcp"},
    ),
    "copilot": Place(None, dict.fromkeys((LOCAL, PROJECT, USER), "copilot mcp add memorybank -- {program} mcp")),
    "cursor": Place(File(".cursor/mcp.json"), {}),
}
"""opencode has no such command that asks nothing; docs/hosts.md shows what to write for it."""


def to_type(host: str, scope: str, program: Program) -> str:
    """The command that registers the server, for a person to type; "" where a file does it, or where the host has none. Where `memorybank`
    is not on the PATH it names this Python, with `-P`: a server starts in the project's folder, and nothing there may stand for a library."""
    place = PLACES.get(host)
    line = place.commands.get(scope, "") if place is not None else ""
    return line.format(program=PORTABLE if on_path(PORTABLE) else f"{quote(program.python)} -P -m memorybank") if line else ""


def plan_install(host: str, scope: str, project: str | None, environ: Mapping[str, str]) -> Change | None:
    """Register the server in the project's file; None where this scope has none."""
    path = _path(host, scope, project)
    if path is None:
        return None
    before = install.read(path)
    known = originals.load(path, environ)
    after = _with(before, path)
    base = known.text if known is not None and before is not None and originals.digest(before) == known.installed else before
    if after == before:
        base = known.text if known is not None else before
    made = known.made if known is not None else ()
    return Change(TABLE[host], scope, path, before, after, originals.Original(base, originals.digest(after), made))


def plan_uninstall(host: str, scope: str, project: str | None, environ: Mapping[str, str]) -> Change | None:
    """Take our entry out again; a file that holds nothing else and that we made goes. None where this scope has no file."""
    path = _path(host, scope, project)
    if path is None:
        return None
    before = install.read(path)
    if before is None:
        return Change(TABLE[host], scope, path, None, None, None)
    known = originals.load(path, environ)
    if known is not None and originals.digest(before) == known.installed:
        return Change(TABLE[host], scope, path, before, known.text, None)
    after: str | None = _without(before, path)
    if known is not None and known.text is None and after is not None and not settings_text.parse(after).children:
        after = None
    return Change(TABLE[host], scope, path, before, after, None)


def is_ours(entry: object) -> bool:
    """Whether a server's entry starts `memorybank mcp`, with whatever options."""
    if not isinstance(entry, dict) or not isinstance(entry.get("command"), str):
        return False
    arguments = entry.get("args")
    words = [entry["command"], *(arguments if isinstance(arguments, list) else [])]
    return "mcp" in words[1:] and (os.path.basename(words[0]) == PORTABLE or PORTABLE in words[1:])


def _path(host: str, scope: str, project: str | None) -> str | None:
    place = PLACES.get(host)
    if place is None or place.file is None or scope != PROJECT or project is None:
        return None
    return install.inside(project, place.file.path)


def _with(text: str | None, path: str) -> str:
    text = text if text is not None and text.strip() else _EMPTY
    root, servers = _servers(text, path)
    if servers is None:
        return settings_text.append(text, root, {NAME: ENTRY}, KEY)
    return text if servers.get(NAME) is not None else settings_text.append(text, servers, ENTRY, NAME)


def _without(text: str, path: str) -> str:
    root, servers = _servers(text, path) if text.strip() else (None, None)
    entry = servers.get(NAME) if servers is not None else None
    if root is None or servers is None or entry is None or not is_ours(entry.plain()):
        return text
    text = settings_text.remove(text, servers, max(place for place, child in enumerate(servers.children) if child.key == NAME))
    root, servers = _servers(text, path)
    if servers is not None and not servers.children:
        text = settings_text.remove(text, root, max(place for place, child in enumerate(root.children) if child.key == KEY))
    return text


def _servers(text: str, path: str) -> tuple[Node, Node | None]:
    """(the root, what stands under the key of servers)."""
    with install.about(path):
        root = settings_text.parse(text)
        servers = root.get(KEY)
        if servers is not None and servers.kind != "object":
            raise ValidationFailed(f"{KEY} is no JSON object", next_step="correct the file by hand, or move it away, and run the command again")
    return root, servers
