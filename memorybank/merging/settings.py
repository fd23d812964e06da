"""Merges the settings in `config/`: by lines like any text and, where that leaves a conflict, by members."""

from __future__ import annotations

import json

from memorybank.config import document
from memorybank.errors import Problem
from memorybank.merging.sides import FileVersions, MergedText, MergeRefused, merged_values, three_way
from memorybank.storage import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NAME = "name"


def merge(versions: FileVersions) -> MergedText:
    """Return the settings with what both sides changed. Where both changed the same value, the text has conflict marks, because a person has to decide."""
    text = three_way(versions.base, versions.ours, versions.theirs)
    if text is not None and text.is_clean and _is_read(text.data):
        return text
    try:
        base = _parsed(versions.base) if versions.base else {}
        one, other = (_parsed(side) for side in versions.sides)
        merged = _objects(base, one, other)
    except MergeRefused as error:
        if text is None:
            raise MergeRefused(str(error)) from error
        return MergedText(text.data, False)
    return MergedText((json.dumps(merged, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace"), True)


def _objects(base: dict[str, Any], one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    return merged_values(base, one, other, _decide)


def _decide(name: str, before: Any, one: Any, other: Any) -> Any:
    if isinstance(one, dict) and isinstance(other, dict):
        return _objects(before if isinstance(before, dict) else {}, one, other)
    known, here, there = (_by_name(value) for value in (before, one, other))
    if here is None or there is None:
        raise MergeRefused(f"both sides changed {name}")
    return list(_objects(known or {}, here, there).values())


def _by_name(value: object) -> dict[str, Any] | None:
    """Return {name: object} of a list of objects with distinct names, such as the sources; None for anything else."""
    if not isinstance(value, list) or not all(isinstance(item, dict) and isinstance(item.get(_NAME), str) for item in value):
        return None
    named = {item[_NAME]: item for item in value}
    return named if len(named) == len(value) else None


def _parsed(data: bytes) -> dict[str, Any]:
    """Return settings as every command reads them. Raises `MergeRefused` for a file that it would refuse."""
    found = document.parse(data, "")
    if isinstance(found, Problem):
        raise MergeRefused(found.message)
    return found


def _is_read(data: bytes) -> bool:
    """Return whether commands and hooks can read a file."""
    try:
        _parsed(data)
        jsontext.decode(data)
    except (ValueError, MergeRefused):
        return False
    return True
