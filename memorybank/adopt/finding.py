"""Finds everything that one bank can adopt, and gives each discovery a distinct name."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memorybank.adopt import elsewhere, repository
from memorybank.adopt.discovery import AdoptionPlace, Discovery
from memorybank.config import sources
from memorybank.config.sources import DOCS, KINDS, OBSIDIAN
from memorybank.errors import NotFound, UsageError
from memorybank.storage.layout import Layout
from memorybank.values import Value


class Found(Value):
    """The discoveries, those in the repository first."""

    discoveries: tuple[Discovery, ...]

    def named(self, name: str) -> Discovery:
        """Return the discovery with this name. Raises `NotFound`, which lists the names."""
        for found in self.discoveries:
            if found.source.name == name:
                return found
        known = ", ".join(found.source.name for found in self.discoveries if not found.is_adopted)
        raise NotFound(f"nothing named {name!r} was found", next_step=f"name one of {known}" if known else "'memorybank adopt --from PATH' adopts a folder")


def find(layout: Layout, environment: Mapping[str, str]) -> Found:
    """Return all discoveries. Those that are sources already are marked as adopted."""
    place = AdoptionPlace(layout, environment)
    existing = sources.load(layout, environment)
    found = _without_overlaps([each for each in (*repository.find(place), *elsewhere.find(place)) if each is not None])
    return Found(tuple(_named_apart([each for each in found if each.can_adopt], existing)))


def at(layout: Layout, environment: Mapping[str, str], path: str, name: str | None, kind: str | None) -> Discovery:
    """Return the file or folder at `path` as a discovery.

    name: the default is the name of the file or folder
    kind: the default is a vault for a folder with `.obsidian`, else documentation
    Raises `NotFound` for a missing path, `UsageError` for one that cannot be a source.
    """
    place = AdoptionPlace(layout, environment)
    root = os.path.realpath(os.path.expanduser(path))
    if not os.path.exists(root):
        raise NotFound(f"there is no file or folder {path}", next_step="check the path")
    if kind is not None and kind not in KINDS:
        raise UsageError(f"{kind!r} is not a kind of source", next_step=f"use one of {', '.join(KINDS)}")
    chosen = kind or (OBSIDIAN if os.path.isdir(os.path.join(root, ".obsidian")) else DOCS)
    named = name or "-".join("".join(sign if sign.isalnum() else " " for sign in os.path.splitext(os.path.basename(root))[0]).split()) or "source"
    if not sources.is_name(named):
        raise UsageError(f"{named!r} cannot be the name of a source", next_step="use letters, digits, '-' and '_', at most 60")
    found = place.outside(named, chosen, root)
    if found is None or root == layout.root or root.startswith(layout.root + os.sep):
        raise UsageError(f"{path} cannot be a source", next_step="name a folder of notes, but not the home folder or the bank itself")
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
