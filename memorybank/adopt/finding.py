"""Finds everything that one bank can adopt, and gives each discovery a distinct name."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from shlex import quote
from typing import Any

from memorybank.adopt.discovery import AdoptionPlace, Discovery
from memorybank.config import sources
from memorybank.errors import MemorybankError, NotFound, UsageError
from memorybank.storage import disk
from memorybank.storage.layout import Layout
from memorybank.values import Value

_MAX_REGISTRY = 1 << 20
_REGISTRIES_OF_OBSIDIAN = ((".config", "obsidian"), ("Library", "Application Support", "obsidian"))
_DEPTH = 4
"""Maximum number of folder levels below a vault at which the project's folder is searched."""

_INSTRUCTIONS = (
    ("claude", ("CLAUDE.md", ".claude/CLAUDE.md"), "Claude Code loads it itself, so it is searched but not recalled there"),
    ("agents", ("AGENTS.md",), "Codex, Cursor, Copilot and opencode load it themselves, so it is searched but not recalled there"),
    ("gemini", ("GEMINI.md",), "Gemini loads it itself, so it is searched but not recalled there"),
)
_DECISIONS = ("docs/adr", "docs/adrs", "docs/decisions", "docs/architecture/decisions", "doc/adr", "doc/decisions", "adr", "adrs", "decisions")
_DOCS = ("docs", "doc", "documentation")
_CHANGELOGS = ("CHANGELOG.md", "CHANGES.md", "HISTORY.md", "changelog.md")
_VAULT = ".obsidian"


class Found(Value):
    """The discoveries, those in the repository first."""

    discoveries: tuple[Discovery, ...]

    def named(self, name: str) -> Discovery:
        """Return the discovery with this name. Raises `NotFound`, which lists the names."""
        for found in self.discoveries:
            if found.source.name == name:
                return found
        known = ", ".join(found.source.name for found in self.discoveries if not found.is_adopted)
        from_path = f"'memorybank adopt --from {quote(name) if '/' in name else 'PATH'}' adopts any other file or folder"
        raise NotFound(f"nothing named {name!r} was found", next_step=f"name one of {known}; {from_path}" if known and "/" not in name else from_path)


def find(layout: Layout, environment: Mapping[str, str]) -> Found:
    """Return all discoveries. Those that are sources already are marked as adopted."""
    place = AdoptionPlace(layout, environment)
    existing = sources.load(layout, environment)
    found = _without_overlaps([each for each in (*_in_repository(place), *_outside(place)) if each is not None])
    return Found(tuple(_named_apart([each for each in found if each.can_adopt], existing)))


def at(layout: Layout, environment: Mapping[str, str], path: str, name: str | None, kind: str | None) -> Discovery:
    """Return the file or folder at `path` as a discovery.

    name: the default is the name of the file or folder
    kind: the default is a vault for a folder with `.obsidian`, else documentation
    Raises `NotFound` for a missing path, `UsageError` for one that cannot be a source or has no Markdown file.
    """
    place = AdoptionPlace(layout, environment)
    root = os.path.realpath(os.path.expanduser(path))
    if not os.path.exists(root):
        raise NotFound(f"there is no file or folder {path}", next_step="check the path")
    if kind is not None and kind not in sources.KINDS:
        raise UsageError(f"{kind!r} is not a kind of source", next_step=f"use one of {', '.join(sources.KINDS)}")
    chosen = kind or (sources.OBSIDIAN if os.path.isdir(os.path.join(root, _VAULT)) else sources.DOCS)
    named = name or "-".join("".join(sign if sign.isalnum() else " " for sign in os.path.splitext(os.path.basename(root))[0]).split()) or "source"
    if not sources.is_name(named):
        raise UsageError(f"{named!r} cannot be the name of a source", next_step="use letters, digits, '-' and '_', at most 60")
    found = place.outside(named, chosen, root)
    if found is None or root == layout.root or root.startswith(layout.root + os.sep):
        raise UsageError(f"{path} cannot be a source", next_step="name a folder of notes, but not the home folder or the bank itself")
    if not found.files:
        raise UsageError(f"{path} contains no Markdown file", next_step="name a Markdown file, or a folder that contains some")
    existing = sources.load(layout, environment)
    return _named_apart([found], existing)[0]


def _without_overlaps(found: list[Discovery]) -> list[Discovery]:
    """Return the discoveries with each file only in the most specific one, as if all of them were adopted."""
    claimed: dict[str, str] = {}
    for each in sorted(found, key=lambda each: -len(each.source.root)):
        for file in each.files:
            claimed.setdefault(file, each.source.root)
    return [each.with_files(tuple(file for file in each.files if claimed[file] == each.source.root)) for each in found]


def _named_apart(found: list[Discovery], existing: sources.SourceList) -> list[Discovery]:
    """Return the discoveries with distinct names. Those that are sources already keep the name of the source."""
    by_root = {source.root: source.name for source in existing.sources}
    taken = set(by_root.values())
    named = []
    for each in found:
        is_adopted = each.source.root in by_root
        name = by_root[each.source.root] if is_adopted else _free(each.source.name, taken)
        taken.add(name)
        source = sources.Source(name, each.source.kind, each.source.root, each.source.key, each.source.left_out, each.source.is_private, each.source.project)
        named.append(Discovery(source, each.sizes, each.remark, is_adopted))
    return named


def _free(name: str, taken: set[str]) -> str:
    number = 2
    wanted = name
    while wanted in taken:
        wanted = f"{name}-{number}"
        number += 1
    return wanted


def _outside(place: AdoptionPlace) -> Iterator[Discovery | None]:
    yield _claude_code(place)
    yield _codex(place)
    yield place.outside("claude-mem", sources.CLAUDE_MEM, place.home(".claude-mem", "claude-mem.db"), f"what claude-mem stored for {place.project}")
    yield from _obsidian(place)
    yield from _basic_memory(place)


def _claude_code(place: AdoptionPlace) -> Discovery | None:
    """Return the memory that Claude Code keeps for the folder that it is started in."""
    home = place.environment.get("CLAUDE_CONFIG_DIR") or place.home(".claude")
    for folder in place.folders:
        name = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in folder)
        remark = "Claude Code loads MEMORY.md itself, so it is searched but not recalled there"
        found = place.outside("claude-memory", sources.AUTO_MEMORY, os.path.join(home, "projects", name, "memory"), remark)
        if found is not None and found.can_adopt:
            return found
    return None


def _codex(place: AdoptionPlace) -> Discovery | None:
    """Return the memory that Codex keeps of sessions in this repository. One folder contains the sessions of all projects."""
    home = place.environment.get("CODEX_HOME") or place.home(".codex")
    return place.outside("codex-memory", sources.CODEX_MEMORY, os.path.join(home, "memories", "rollout_summaries"), "only the sessions of this repository")


def _obsidian(place: AdoptionPlace) -> Iterator[Discovery | None]:
    """Yield the folders in the person's vaults that are named like this project."""
    for folder in _REGISTRIES_OF_OBSIDIAN:
        vaults = _document(place.home(*folder, "obsidian.json")).get("vaults")
        paths = [each.get("path") for each in vaults.values() if isinstance(each, dict)] if isinstance(vaults, dict) else []
        for path in sorted(path for path in paths if isinstance(path, str) and os.path.isabs(path)):
            for found in _named_folders(path, place.project, _DEPTH):
                yield place.outside("vault", sources.OBSIDIAN, found, f"the folder {place.project} of the vault {os.path.basename(path)}")


def _basic_memory(place: AdoptionPlace) -> Iterator[Discovery | None]:
    """Yield the project of basic-memory that is named like this project or is inside the repository."""
    home = place.environment.get("BASIC_MEMORY_CONFIG_DIR") or place.home(".basic-memory")
    projects = _document(os.path.join(home, "config.json")).get("projects")
    for name, entry in sorted(projects.items()) if isinstance(projects, dict) else ():
        path = entry.get("path") if isinstance(entry, Mapping) else entry
        if isinstance(path, str) and os.path.isabs(os.path.expanduser(path)):
            root = os.path.realpath(os.path.expanduser(path))
            if name.casefold() == place.project.casefold() or root == place.base or root.startswith(place.base + os.sep):
                yield place.outside("basic-memory", sources.BASIC_MEMORY, root, f"the project {name} of basic-memory")


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


def _in_repository(place: AdoptionPlace) -> Iterator[Discovery | None]:
    for name, paths, remark in _INSTRUCTIONS:
        yield _first(place, name, sources.INSTRUCTIONS, paths, remark)
    yield place.inside("cursor-rules", sources.RULES, ".cursor/rules", "Cursor loads the rules with alwaysApply itself, so these are not recalled there")
    yield place.inside("claude-rules", sources.RULES, ".claude/rules", "Claude Code loads the rules without paths itself, so these are not recalled there")
    yield _first(place, "adr", sources.DECISIONS, _DECISIONS)
    yield _first(place, "docs", sources.DOCS, _DOCS)
    yield place.inside("learnings", sources.LEARNINGS, ".learnings")
    yield _first(place, "changelog", sources.CHANGELOG, _CHANGELOGS)
    yield place.inside("memory-bank", sources.MEMORY_BANK, "memory-bank", "summary.md is drafted from it when the bank has none")
    yield _vault(place)


def _first(place: AdoptionPlace, name: str, kind: str, paths: tuple[str, ...], remark: str = "") -> Discovery | None:
    found = (place.inside(name, kind, path, remark) for path in paths if _is_spelled_so(place.base, path))
    return next((each for each in found if each is not None and each.can_adopt), None)


def _is_spelled_so(base: str, path: str) -> bool:
    """Return whether a path exists in exactly this spelling. Some file systems also find `changelog.md` as CHANGELOG.md."""
    folder, name = os.path.split(os.path.join(base, path))
    try:
        return name in os.listdir(folder)
    except OSError:
        return False


def _vault(place: AdoptionPlace) -> Discovery | None:
    """Return an Obsidian vault in the repository: its root, or a folder directly below it."""
    try:
        names = sorted(entry.name for entry in os.scandir(place.base) if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."))
    except OSError:
        return None
    for path in (".", *names):
        if os.path.isdir(os.path.join(place.base, path, _VAULT)):
            return place.inside("vault", sources.OBSIDIAN, path)
    return None
