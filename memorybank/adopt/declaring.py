"""The two files that declare sources: the bank's `config/sources_config.json`, and the person's own settings. Other members of both stay as they are."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from memorybank.adopt.discovery import Discovery
from memorybank.config import document
from memorybank.config.group import MAX_FILE_BYTES
from memorybank.config.settings import refuse_newer
from memorybank.config.sources import FILE, OWN_KEY
from memorybank.editing import outside
from memorybank.errors import ConfigInvalid, Conflict, Problem
from memorybank.storage import disk
from memorybank.storage.layout import Layout
from memorybank.storage.source_keys import IN_REPOSITORY

COMMITTED = f"config/{FILE}"
_VERSION = "1.0"


def committed_text(before: bytes | None, found: Sequence[Discovery], shown: str) -> bytes:
    """Return the text of the bank's declaration with these discoveries added.

    before: the file's present bytes; None if it does not exist
    shown: the file's path for messages
    Raises `ConfigInvalid` when the file cannot be read, `Conflict` when it already declares a source of that name.
    """
    declared = _parsed(before, shown) or {"version": _VERSION}
    entries = declared.get("sources", [])
    if not isinstance(entries, list):
        raise ConfigInvalid(f"{shown}: sources: expected a list of objects")
    return _rendered({**declared, "sources": [*entries, *_new(entries, [_entry(each, each.source.key.removeprefix(IN_REPOSITORY)) for each in found])]})


def own_text(before: bytes | None, layout: Layout, found: Sequence[Discovery], shown: str) -> bytes:
    """Return the person's own settings with these discoveries added for this bank. Parameters and errors are those of `committed_text`."""
    settings = _parsed(before, shown) or {}
    entries = settings.get(OWN_KEY, [])
    if not isinstance(entries, list):
        raise ConfigInvalid(f"{shown}: {OWN_KEY}: expected a list of objects")
    added = [{"bank": layout.local_root, **_entry(each, each.source.root)} for each in found]
    return _rendered({**settings, OWN_KEY: [*entries, *_new(entries, added)]})


def committed_text_without(before: bytes, names: Collection[str], shown: str) -> bytes:
    """Return the bank's declaration without these sources."""
    declared = _parsed(before, shown) or {}
    entries = declared.get("sources")
    kept = [each for each in entries if not (isinstance(each, dict) and each.get("name") in names)] if isinstance(entries, list) else entries
    return _rendered({**declared, "sources": kept})


def own_text_without(before: bytes, layout: Layout, names: Collection[str], shown: str) -> bytes | None:
    """Return the person's own settings without these sources of this bank, or None if nothing else is left in them."""
    settings = _parsed(before, shown) or {}
    entries = settings.get(OWN_KEY)
    if isinstance(entries, list):
        kept = [each for each in entries if not (isinstance(each, dict) and each.get("bank") == layout.local_root and each.get("name") in names)]
        settings = {name: value for name, value in settings.items() if name != OWN_KEY} if not kept else {**settings, OWN_KEY: kept}
    return _rendered(settings) if settings else None


def read(path: str) -> bytes | None:
    """Return the bytes of a settings file, or None if it does not exist."""
    return outside.read(path, MAX_FILE_BYTES)


def write_own(path: str, data: bytes | None, before: bytes | None) -> None:
    """Replace the person's own settings, or remove them. Raises `Conflict` when somebody changed them since they were read."""
    outside.replace(path, data, before, mode=disk.PRIVATE_FILE)


def _entry(found: Discovery, path: str) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": found.source.name, "kind": found.source.kind, "path": path}
    return {**entry, "except": list(found.source.left_out)} if found.source.left_out else entry


def _new(entries: list[Any], added: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return `added`. Raises `Conflict` when the bank already has a source with one of their names, for example after two simultaneous adoptions."""
    taken = {(each.get("bank"), each.get("name")) for each in entries if isinstance(each, dict)}
    for entry in added:
        if (entry.get("bank"), entry["name"]) in taken:
            raise Conflict(f"there is already a source named {entry['name']!r}", next_step="'memorybank list --sources' lists the sources")
    return added


def _parsed(data: bytes | None, shown: str) -> dict[str, Any] | None:
    if data is None:
        return None
    parsed = document.parse(data, shown)
    if isinstance(parsed, Problem):
        raise ConfigInvalid(f"{parsed.where}: {parsed.message}", next_step="fix the file, then run the same command again; nothing was changed")
    refuse_newer(parsed, shown)
    return parsed


def _rendered(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()
