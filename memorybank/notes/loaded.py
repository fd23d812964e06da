"""Tells which hosts load a file into an agent's context themselves, so that recalling it would show it twice.

According to the documentation of the hosts (docs/hosts.md). Only files that a host always loads count: a rule that applies to some files, and a
topic of an agent's memory, are read only when the agent asks for them.
"""

from __future__ import annotations

__light__ = True

from memorybank.config.sources import AUTO_MEMORY, INSTRUCTIONS, RULES, Source
from memorybank.storage import system as os
from memorybank.storage.disk import read_head
from memorybank.text.pattern import lazy_pattern

CLAUDE_CODE, CODEX, GEMINI, CURSOR, COPILOT, OPENCODE = "claude-code", "codex", "gemini", "cursor", "copilot", "opencode"
_INSTRUCTIONS = {
    "CLAUDE.md": (CLAUDE_CODE, CURSOR, COPILOT, OPENCODE),
    "CLAUDE.local.md": (CLAUDE_CODE,),
    "AGENTS.md": (CODEX, CURSOR, COPILOT, OPENCODE),
    "GEMINI.md": (GEMINI, COPILOT),
}
_AT_TOP = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md")
_MOST_BYTES = 65_536
_ALWAYS = lazy_pattern(r"^alwaysapply:[ \t]*true[ \t]*\r?$", "m")
_PATHS = lazy_pattern(r"^paths:", "m")
_IMPORT = lazy_pattern(r"(?:^|(?<=\s))@(~?[\w./-]*[\w/-])", "m")
IMPORTING = (CLAUDE_CODE, GEMINI)
"""Hosts that also load the files that their instructions import with `@path`."""


def at_top(root: str) -> str:
    """Return the texts of the instruction files at the top of a repository, up to 64 KiB of each."""
    found = []
    for name in _AT_TOP:
        try:
            data, _ = read_head(os.path.join(root, name), _MOST_BYTES)
        except OSError:
            continue
        found.append(data.decode("utf-8", "replace"))
    return "\n".join(found)


def hosts(source: Source, key: str, opening: str) -> tuple[str, ...]:
    """Return the hosts that load a file of a source.

    opening: the file's front matter, case-folded
    """
    name = os.path.basename(key)
    if source.kind == INSTRUCTIONS:
        return _INSTRUCTIONS.get(name, ())
    if source.kind == RULES:
        if "/.cursor/" in f"{source.key}/":
            return (CURSOR,) if _ALWAYS.search(opening) else ()
        return () if _PATHS.search(opening) else (CLAUDE_CODE,)
    return (CLAUDE_CODE,) if source.kind == AUTO_MEMORY and name == "MEMORY.md" else ()


def imports(key: str, text: str) -> list[str]:
    """Return the keys of the files that an instructions file imports with `@path`, relative to its own folder.

    text: its text; case does not matter
    """
    found = []
    for match in _IMPORT.finditer(text):
        path = os.path.normpath(os.path.join(os.path.dirname(key), match[1]))
        found.append(path if path.startswith("/") else f"./{path}")
    return found
