"""Makes a plugin of Claude Code or an extension of Gemini CLI with the hooks and the MCP server, from the table of registrations.

It is for people who install with `claude plugin install` or `gemini extensions install` instead of editing settings.
"""

import json
import os
from typing import NamedTuple

from memorybank.editing import outside
from memorybank.errors import Conflict
from memorybank.hosts import hook_entries, server_entries
from memorybank.hosts.program import PORTABLE
from memorybank.hosts.registration import PROJECT, SESSION_NOTES, TABLE
from memorybank.hosts.servers import SERVER_LOCATIONS

NAME = "memorybank"
CLAUDE_CODE, GEMINI = "claude-code", "gemini"
MANIFESTS = {CLAUDE_CODE: ".claude-plugin/plugin.json", GEMINI: "gemini-extension.json"}
"""{host that can be extended: its manifest, relative to the folder}. Both hosts read the hooks from `hooks/hooks.json`."""
_DESCRIPTION = "The project's memory bank: records sessions and shows relevant memories, locally."
_CAP = 1 << 20

_CLAUDE_CODE_README = f"""# memorybank for Claude Code

This plugin starts `memorybank hook` at the events of a Claude Code session. It records what the agent does in the project's memory
bank (`.claude/memory`), organises the record, and shows relevant memories to the agent: when a session starts, with a
prompt, before a tool is used, and after a failure. It works without a daemon, without the network and without a model.

It needs `memorybank` on the PATH (`pip install memorybank`) and a bank in the project (`memorybank init`). Where either is missing it
does nothing. {SESSION_NOTES}

Claude Code gives the hooks of a plugin 1.5 seconds when a session ends. Work that takes longer is completed when the next one starts;
`memorybank hooks install` registers the hooks in a settings file instead, where the limit is 5 seconds.

With the extra (`pip install 'memorybank[mcp]'`), the plugin also offers the memory as tools: search, read, recall, recent, episodes and
status. These tools only read. Without the extra, Claude Code reports that the server `memorybank` did not start; the hooks still work.
"""
_GEMINI_README = f"""# memorybank for Gemini CLI

This extension starts `memorybank hook` at the events of a Gemini CLI session. It records what the agent does in the project's memory
bank (`.claude/memory`), organises the record, and shows relevant memories to the agent: when a session starts, with a prompt, and after a tool's result.
It works without a daemon, without the network and without a model.

It needs `memorybank` on the PATH (`pip install memorybank`) and a bank in the project (`memorybank init`). Where either is missing it
does nothing. {SESSION_NOTES}

    gemini extensions install DIR --consent
    gemini extensions uninstall memorybank

Gemini CLI copies the folder; after an update of it, run `gemini extensions update memorybank`. With the extra (`pip install 'memorybank[mcp]'`),
the extension also offers the memory as tools that only read: search, read, recall, recent, episodes and status.
"""


class PlannedFile(NamedTuple):
    """One file of the plugin: path relative to the folder, its text, and the text that the folder already has, None for no file."""

    name: str
    text: str
    before: str | None

    @property
    def unchanged(self) -> bool:
        return self.text == self.before


def files(version: str, host: str = CLAUDE_CODE) -> dict[str, str]:
    """Return {relative path: text} of the plugin or extension for one version of memorybank."""
    registration = TABLE[host]
    form = SERVER_LOCATIONS[host, PROJECT].form
    hooks = {registered.event: [hook_entries.entry(registration, registered, None)] for registered in registration.events}
    # The server is named inside the manifest: a file of its own, `.mcp.json`, would be taken for the settings of the project that contains the folder.
    servers = {form.key: {server_entries.NAME: server_entries.entry(form, [PORTABLE, "mcp"])}}
    manifest: dict[str, object] = {"name": NAME, "version": version, "description": _DESCRIPTION}
    if host == CLAUDE_CODE:
        manifest |= {"author": {"name": NAME}, "license": "MIT", "keywords": ["memory", "notes", "recall"]}
    return {
        MANIFESTS[host]: _json(manifest | servers),
        "hooks/hooks.json": _json({"description": "Records the session in the memory bank and recalls from it.", "hooks": hooks}),
        "README.md": _CLAUDE_CODE_README if host == CLAUDE_CODE else _GEMINI_README,
    }


def plan(folder: str, version: str, host: str = CLAUDE_CODE) -> list[PlannedFile]:
    """Return the files that `write` would write. Raises Conflict for a folder that contains anything other than this plugin."""
    if os.path.isdir(folder) and os.listdir(folder) and not _is_plugin(folder, host):
        raise Conflict(f"{folder} is not empty and does not contain a memorybank plugin for {host}", next_step="choose a new or empty folder")
    return [PlannedFile(name, text, _read(os.path.join(folder, name))) for name, text in files(version, host).items()]


def write(folder: str, planned: list[PlannedFile]) -> None:
    """Write the plugin below `folder`. Files that are already correct are left alone. Raises Conflict for one that somebody saved since the plan."""
    for file in planned:
        path = os.path.join(folder, file.name)
        if file.unchanged:
            outside.finish(path)
        else:
            before = None if file.before is None else file.before.encode("utf-8", "surrogateescape")
            outside.replace(path, file.text.encode(), before)


def _is_plugin(folder: str, host: str) -> bool:
    try:
        found = json.loads(_read(os.path.join(folder, MANIFESTS[host])) or "")
    except ValueError:
        return False
    return isinstance(found, dict) and found.get("name") == NAME


def _read(path: str) -> str | None:
    data = outside.read(path, _CAP)
    return None if data is None else data.decode("utf-8", "surrogateescape")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
