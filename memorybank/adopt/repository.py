"""Finds what a repository itself contains: instructions for agents, rules of an editor, documentation, decisions, learnings, a changelog, a memory bank."""

from __future__ import annotations

import os
from collections.abc import Iterator

from memorybank.adopt.discovery import AdoptionPlace, Discovery
from memorybank.config.sources import CHANGELOG, DECISIONS, DOCS, INSTRUCTIONS, LEARNINGS, MEMORY_BANK, OBSIDIAN, RULES

_INSTRUCTIONS = (
    ("claude", ("CLAUDE.md", ".claude/CLAUDE.md"), "Claude Code loads it itself, so it is searched but not recalled there"),
    ("agents", ("AGENTS.md",), "Codex, Cursor, Copilot and opencode load it themselves, so it is searched but not recalled there"),
    ("gemini", ("GEMINI.md",), "Gemini loads it itself, so it is searched but not recalled there"),
)
_DECISIONS = ("docs/adr", "docs/adrs", "docs/decisions", "docs/architecture/decisions", "doc/adr", "doc/decisions", "adr", "adrs", "decisions")
_DOCS = ("docs", "doc", "documentation")
_CHANGELOGS = ("CHANGELOG.md", "CHANGES.md", "HISTORY.md", "changelog.md")
_VAULT = ".obsidian"


def find(place: AdoptionPlace) -> Iterator[Discovery | None]:
    """Yield the discoveries in the repository."""
    for name, paths, remark in _INSTRUCTIONS:
        yield _first(place, name, INSTRUCTIONS, paths, remark)
    yield place.inside("cursor-rules", RULES, ".cursor/rules", "Cursor loads the rules with alwaysApply itself, so these are not recalled there")
    yield place.inside("claude-rules", RULES, ".claude/rules", "Claude Code loads the rules without paths itself, so these are not recalled there")
    yield _first(place, "adr", DECISIONS, _DECISIONS)
    yield _first(place, "docs", DOCS, _DOCS)
    yield place.inside("learnings", LEARNINGS, ".learnings")
    yield _first(place, "changelog", CHANGELOG, _CHANGELOGS)
    yield place.inside("memory-bank", MEMORY_BANK, "memory-bank", "summary.md is drafted from it when the bank has none")
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
            return place.inside("vault", OBSIDIAN, path)
    return None
