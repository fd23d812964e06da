"""Makes a Claude Code plugin with the hooks and the MCP server from the table of registrations.

It is for people who install with `claude plugin install` instead of editing settings.
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
MANIFEST = ".claude-plugin/plugin.json"
_CAP = 1 << 20

_README = f"""# memorybank for Claude Code

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


class PlannedFile(NamedTuple):
    """One file of the plugin: path relative to the folder, its text, and the text that the folder already has, None for no file."""

    name: str
    text: str
    before: str | None

    @property
    def unchanged(self) -> bool:
        return self.text == self.before


def files(version: str) -> dict[str, str]:
    """Return {relative path: text} of the plugin for one version of memorybank."""
    registration = TABLE["claude-code"]
    server = SERVER_LOCATIONS["claude-code", PROJECT].form
    hooks = {registered.event: [hook_entries.entry(registration, registered, None)] for registered in registration.events}
    manifest = {
        "name": NAME,
        "version": version,
        "description": "The project's memory bank: records sessions and shows relevant memories, locally.",
        "author": {"name": NAME},
        "license": "MIT",
        "keywords": ["memory", "notes", "recall"],
    }
    return {
        MANIFEST: _json(manifest),
        "hooks/hooks.json": _json({"description": "Records the session in the memory bank and recalls from it.", "hooks": hooks}),
        ".mcp.json": _json({server.key: {server_entries.NAME: server_entries.entry(server, [PORTABLE, "mcp"])}}),
        "README.md": _README,
    }


def plan(folder: str, version: str) -> list[PlannedFile]:
    """Return the files that `write` would write. Raises Conflict for a folder that contains anything other than this plugin."""
    if os.path.isdir(folder) and os.listdir(folder) and not _is_plugin(folder):
        raise Conflict(f"{folder} is not empty and does not contain a memorybank plugin", next_step="choose a new or empty folder")
    return [PlannedFile(name, text, _read(os.path.join(folder, name))) for name, text in files(version).items()]


def write(folder: str, planned: list[PlannedFile]) -> None:
    """Write the plugin below `folder`. Files that are already correct are left alone. Raises Conflict for one that somebody saved since the plan."""
    for file in planned:
        path = os.path.join(folder, file.name)
        if file.unchanged:
            outside.finish(path)
        else:
            before = None if file.before is None else file.before.encode("utf-8", "surrogateescape")
            outside.replace(path, file.text.encode(), before)


def _is_plugin(folder: str) -> bool:
    try:
        found = json.loads(_read(os.path.join(folder, MANIFEST)) or "")
    except ValueError:
        return False
    return isinstance(found, dict) and found.get("name") == NAME


def _read(path: str) -> str | None:
    data = outside.read(path, _CAP)
    return None if data is None else data.decode("utf-8", "surrogateescape")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
