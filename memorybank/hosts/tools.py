"""One canonical name for each kind of tool, and one key for each kind of input, whatever a host calls them."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import MCP, OWN_SERVER
from memorybank.storage.jsontext import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FILE_TOOLS = ("Read", "Write", "Edit", "NotebookEdit")
"""Tools whose `path` is a file."""

_NAMES = {
    "Bash": "bash shell local_shell exec_command unified_exec run_shell_command powershell run_terminal_cmd",
    "Read": "read view read_file read_many_files view_image notebookread",
    "Write": "write create write_file create_file",
    "Edit": "edit replace str_replace str_replace_editor str_replace_based_edit_tool multiedit apply_patch patch search_replace",
    "NotebookEdit": "notebookedit edit_notebook",
    "Grep": "grep rg search_file_content grep_search codesearch",
    "Glob": "glob glob_file_search file_search",
    "LS": "ls list list_dir list_directory",
    "WebFetch": "webfetch web_fetch",
    "WebSearch": "websearch web_search google_web_search",
    "Agent": "agent task spawn_agent subagent",
    "Todo": "todo todowrite todo_write update_todo update_plan write_todos todoread",
}
_CANONICAL = {alias: name for name, aliases in _NAMES.items() for alias in aliases.split()}

_OWN = (f"{OWN_SERVER}-", f"{OWN_SERVER}_")

_INPUTS = {
    "command": "command cmd",
    "description": "description",
    "file_path": "file_path filePath filepath absolute_path notebook_path target_file target_notebook file filename fileName",
    "path": "path dir_path directory target_directory",
    "pattern": "pattern regex glob_pattern",
    "query": "query search_term",
    "url": "url",
    "prompt": "prompt",
    "content": "content contents file_text new_source code_edit patchText",
    "old_string": "old_string oldString old_str",
    "new_string": "new_string newString new_str",
    "subagent_type": "subagent_type subagentType agent_type agent_name",
}
_KEYS = {alias: key for key, aliases in _INPUTS.items() for alias in aliases.split()}
_LISTS = ("paths", "file_paths", "include")
_SHELLS = ("bash", "sh", "zsh", "dash")
_PATCH = "*** Begin Patch"
_PATCH_FILES = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


def name(raw: str) -> str:
    """Return the canonical name of a tool. MCP tools (`mcp__server__tool`) and unknown tools keep their name.

    Copilot and opencode join the names of a server and its tool by a character that other names contain too, so only memorybank's own
    server can be recognised there.
    """
    if raw.startswith(_OWN):
        return f"{MCP}{OWN_SERVER}__{raw[len(OWN_SERVER) + 1 :]}"
    return raw if raw.startswith(MCP) else _CANONICAL.get(raw.lower(), raw)


def inputs(tool: str, raw: object) -> dict[str, Any]:
    """Return the inputs of a call under canonical keys. tool: canonical name. Texts are not cut; `paths` is a list; `other` has the inputs without a key."""
    given = _as_object(tool, raw)
    found: dict[str, Any] = {}
    other: dict[str, Any] = {}
    for key, value in given.items():
        canonical = _KEYS.get(key, "")
        if canonical == "path" and tool in FILE_TOOLS:
            canonical = "file_path"
        if canonical == "command" and isinstance(value, list):
            value = _command(value)
        if canonical and isinstance(value, str):
            if value and canonical not in found:
                found[canonical] = value
        elif key in _LISTS and isinstance(value, list) and "paths" not in found:
            found["paths"] = [item for item in value if isinstance(item, str) and item]
        else:
            other[key] = value
    if tool == "Edit":
        _read_patch(found, other)
    if other:
        found["other"] = other
    return found


def patch_paths(patch: str) -> list[str]:
    """Return the files that a patch in Codex's form names, each once, in order."""
    paths: list[str] = []
    for line in patch.splitlines():
        for mark in _PATCH_FILES:
            if line.startswith(mark) and (path := line[len(mark) :].strip()) and path not in paths:
                paths.append(path)
    return paths


def _as_object(tool: str, raw: object) -> dict[str, Any]:
    """Return arguments as an object: some hosts send them as JSON text, or send a patch as plain text."""
    if isinstance(raw, dict):
        return raw
    if not isinstance(raw, str) or not raw:
        return {}
    if raw.lstrip().startswith("{"):
        try:
            value = decode(raw)
        except ValueError:
            value = None
        if isinstance(value, dict):
            return value
    return {"command" if tool == "Bash" else "content": raw}


def _command(words: list[Any]) -> str:
    """Return a command line made of its words. For `sh -c LINE` it is the line itself."""
    texts = [word for word in words if isinstance(word, str)]
    if len(texts) == 3 and texts[0].rpartition("/")[2] in _SHELLS and texts[1] in ("-c", "-lc"):
        return texts[2]
    return " ".join(texts)


def _read_patch(found: dict[str, Any], other: dict[str, Any]) -> None:
    """Read an edit whose text is a patch, under whatever key: the patch becomes the content, its files the paths."""
    for values in (found, other):
        for key, value in values.items():
            if isinstance(value, str) and _PATCH in value:
                paths = patch_paths(value)
                del values[key]
                found["content"] = value
                if paths:
                    found.setdefault("file_path", paths[0])
                    found["paths"] = paths
                return
