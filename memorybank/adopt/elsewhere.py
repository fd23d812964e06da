"""Finds what other programs keep about this project in the person's home folder. Files about other projects are ignored."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from memorybank.adopt.discovery import AdoptionPlace, Discovery
from memorybank.config.sources import AUTO_MEMORY, BASIC_MEMORY, CLAUDE_MEM, CODEX_MEMORY, OBSIDIAN
from memorybank.errors import MemorybankError
from memorybank.storage import disk

_MAX_REGISTRY = 1 << 20
_REGISTRIES_OF_OBSIDIAN = ((".config", "obsidian"), ("Library", "Application Support", "obsidian"))
_DEPTH = 4
"""Maximum number of folder levels below a vault at which the project's folder is searched."""


def find(place: AdoptionPlace) -> Iterator[Discovery | None]:
    """Yield the discoveries outside the repository."""
    yield _claude_code(place)
    yield _codex(place)
    yield place.outside("claude-mem", CLAUDE_MEM, place.home(".claude-mem", "claude-mem.db"), f"what claude-mem stored for {place.project}")
    yield from _obsidian(place)
    yield from _basic_memory(place)


def _claude_code(place: AdoptionPlace) -> Discovery | None:
    """Return the memory that Claude Code keeps for the folder that it is started in."""
    home = place.environment.get("CLAUDE_CONFIG_DIR") or place.home(".claude")
    for folder in place.folders:
        name = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in folder)
        remark = "Claude Code loads MEMORY.md itself, so it is searched but not recalled there"
        found = place.outside("claude-memory", AUTO_MEMORY, os.path.join(home, "projects", name, "memory"), remark)
        if found is not None and found.can_adopt:
            return found
    return None


def _codex(place: AdoptionPlace) -> Discovery | None:
    """Return the memory that Codex keeps of sessions in this repository. One folder contains the sessions of all projects."""
    home = place.environment.get("CODEX_HOME") or place.home(".codex")
    return place.outside("codex-memory", CODEX_MEMORY, os.path.join(home, "memories", "rollout_summaries"), "only the sessions of this repository")


def _obsidian(place: AdoptionPlace) -> Iterator[Discovery | None]:
    """Yield the folders in the person's vaults that are named like this project."""
    for folder in _REGISTRIES_OF_OBSIDIAN:
        vaults = _document(place.home(*folder, "obsidian.json")).get("vaults")
        paths = [each.get("path") for each in vaults.values() if isinstance(each, dict)] if isinstance(vaults, dict) else []
        for path in sorted(path for path in paths if isinstance(path, str) and os.path.isabs(path)):
            for found in _named_folders(path, place.project, _DEPTH):
                yield place.outside("vault", OBSIDIAN, found, f"the folder {place.project} of the vault {os.path.basename(path)}")


def _basic_memory(place: AdoptionPlace) -> Iterator[Discovery | None]:
    """Yield the project of basic-memory that is named like this project or is inside the repository."""
    home = place.environment.get("BASIC_MEMORY_CONFIG_DIR") or place.home(".basic-memory")
    projects = _document(os.path.join(home, "config.json")).get("projects")
    for name, entry in sorted(projects.items()) if isinstance(projects, dict) else ():
        path = entry.get("path") if isinstance(entry, Mapping) else entry
        if isinstance(path, str) and os.path.isabs(os.path.expanduser(path)):
            root = os.path.realpath(os.path.expanduser(path))
            if name.casefold() == place.project.casefold() or root == place.base or root.startswith(place.base + os.sep):
                yield place.outside("basic-memory", BASIC_MEMORY, root, f"the project {name} of basic-memory")


def _named_folders(folder: str, name: str, depth: int) -> Iterator[str]:
    """Yield the folders named `name` below `folder`, at most `depth` levels deep. Hidden folders, and folders inside a found one, are skipped."""
    try:
        entries = sorted((entry for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False)), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.casefold() == name.casefold():
            yield entry.path
        elif depth > 1 and not entry.name.startswith("."):
            yield from _named_folders(entry.path, name, depth - 1)


def _document(path: str) -> dict[str, Any]:
    """Return the JSON object in another program's file; {} when the file is missing or contains anything else."""
    try:
        found = json.loads(disk.read(path, _MAX_REGISTRY))
    except (MemorybankError, OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
