"""Patterns: memories that can be left out together, by what they are: `kind/tool family/top folder`, for example `group/bash/-` or
`note/-/planning`; and occasions, by how they come up: `kind@moment/evidence`, for example `day@prompt/-` or `lesson@tool_before/cmd+file`.

Self-improving memory cycle, phase 4 ("低寄与パターン除外"). Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.storage.digest import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

ANY = "-"
_FAMILIES = {
    **dict.fromkeys(("Edit", "Write", "NotebookEdit"), "edit"),
    **dict.fromkeys(("Read", "Grep", "Glob", "LS"), "read"),
    **dict.fromkeys(("WebFetch", "WebSearch"), "web"),
}
_FILE = "file:"
_OF_FAILURES = ("failure", "session_start")
_OF_CALLS = ("group", "lesson")
PROBED = 20
"""One session of so many leaves nothing out, so that what became useful again is seen."""


def pattern(kind: str, tool: str | None, anchors: Iterable[str], key: str = "") -> str:
    """kind, tool: of the memory; anchors: all it has; key: of a note. The folder is `-` unless all its files lie in one."""
    return f"{kind}/{_family(tool)}/{_folder([key] if key else [anchor[len(_FILE) :] for anchor in anchors if anchor.startswith(_FILE)])}"


def is_pattern(text: str) -> bool:
    """Whether a text has the three parts of one, or the three of an occasion."""
    kind, at, rest = text.partition("@")
    parts = [kind, *rest.split("/")] if at else text.split("/")
    return len(parts) == 3 and all(parts)


def occasion(memory: str, moment: str, evidence: str) -> str:
    """memory: its id, whose first part is its kind; evidence: kinds of the anchors that it and the moment have in common, "" for words alone."""
    return f"{memory.partition(':')[0]}@{moment}/{evidence or ANY}"


def is_spared(occasion: str, *, protected: bool, failed: bool) -> bool:
    """Whether a memory is told on an occasion whatever that was worth so far: what a person said is, always; a failure with its fix where
    something failed, where its own error is at hand, and at the start of a session."""
    kind, _, rest = occasion.partition("@")
    if not failed or kind not in _OF_CALLS:
        return protected
    moment, _, evidence = rest.partition("/")
    return moment in _OF_FAILURES or "err" in evidence.split("+")


def is_probe(session: str) -> bool:
    """Whether this session is one of those that leave nothing out: by a hash of its id, so that nothing has to be counted."""
    return int.from_bytes(sha256(session.encode("utf-8", "replace"))[:4], "big") % PROBED == 0


def _family(tool: str | None) -> str:
    if not tool:
        return ANY
    return _FAMILIES.get(tool) or (tool.split("__")[1] if tool.startswith("mcp__") and tool.count("__") >= 2 else tool).lower()


def _folder(paths: list[str]) -> str:
    folders = {path.split("/", 1)[0] if "/" in path else "." for path in paths}
    return folders.pop() if len(folders) == 1 else ANY
