"""Rules that concern several keys: weights sum to 1, limits are in order, paths are inside the bank, and two keys do not contradict each other.

The module is loaded only when a bank has a config file.
"""

import os
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from memorybank.config import cycle, episodes
from memorybank.config.group import SettingsGroup, leaves
from memorybank.config.keys import BANK_PREFIX, SettingFault, weights_fault
from memorybank.config.scoring import Weights
from memorybank.storage.layout import Layout

if TYPE_CHECKING:
    from memorybank.config.cycle import CycleSettings
    from memorybank.config.episodes import EpisodeSettings
    from memorybank.config.rotation import RotationSettings
    from memorybank.config.scoring import ScoringSettings


class CheckedSettings(Protocol):
    """The groups of settings that the rules concern."""

    @property
    def scoring(self) -> "ScoringSettings": ...
    @property
    def rotation(self) -> "RotationSettings": ...
    @property
    def cycle(self) -> "CycleSettings": ...
    @property
    def episodes(self) -> "EpisodeSettings": ...


Found = list[tuple[str, SettingFault]]

_WEIGHT_GROUPS = (
    tuple(("scoring_algorithm", "weights", name) for name in Weights.keys),
    tuple(("content_analysis", "text_quality_metrics", name, "weight") for name in ("length_score", "structure_score", "keyword_density", "uniqueness_score")),
)
_LENGTH = ("content_analysis", "text_quality_metrics", "length_score")
_MEDIUM = ("rotation_strategy", "archival_rules", "medium_importance")
_LOW = ("rotation_strategy", "archival_rules", "low_importance")
_ORDERED = (
    ("scoring", tuple((*_LENGTH, name) for name in ("min_chars", "optimal_chars", "max_chars")), True),
    ("scoring", tuple(("thresholds", name) for name in ("archive_threshold", "low_importance", "medium_importance", "high_importance")), False),
    ("rotation", tuple((*_MEDIUM, name) for name in ("threshold_min", "threshold_max")), False),
)
OWN_FOLDERS = frozenset({"active", "archive", "cache", "config", "episodes", "indexes", "log", "metadata"})
_TRIGGERS = ("rotation_policy", "triggers")
_PRESERVED = ("rotation_strategy", "preservation_rules")
_BOOKMARKS = ("rotation_strategy", "preservation_rules", "user_bookmarked", "bookmark_file")
_BACKUPS = ("backup_policy", "backup_directory")
_OUTWARD = frozenset(
    str.split("""summarizer summariser llm provider preset model model_name summarization_model embedder embedding url base_url api_base endpoint host proxy
    key api_key apikey key_variable token secret command program executable argv shell exec""")
)
"""Names, at any depth, that other tools use for a program, an address, a model or a key."""


def faults(settings: CheckedSettings, given: dict[str, dict[str, Any]], layout: Layout) -> Found:
    """Return (file, fault) for every rule that the effective values break. Only rules about keys that the bank's files set are checked."""
    return [
        *_weights(settings, given),
        *_orders(settings, given),
        *_paths(settings, given, layout),
        *_contradictions(settings, given),
        *_sections(given),
        *(("cycle", fault) for fault in cycle.contradictions(settings.cycle) if is_given(given.get("cycle", {}), fault.path)),
        *(("episodes", fault) for fault in episodes.contradictions(settings.episodes) if is_given(given.get("episodes", {}), fault.path)),
    ]


def is_untrusted_key(path: tuple[str, ...]) -> bool:
    """Return whether an unknown key looks like one that a bank must never set: where texts are sent, or which program runs."""
    return any(name.lower().replace("-", "_") in _OUTWARD for name in path)


def unknown_key(group: type[SettingsGroup], path: tuple[str, ...]) -> str:
    """Return the message about an unknown key, with the most similar known key."""
    if is_untrusted_key(path):
        return "ignored: a bank cannot set a program, an address, a model or a key; set them with flags, in the environment or in your own config.json"
    from difflib import get_close_matches

    known = {".".join(found) for found, _ in leaves(group)} | {".".join(found[:depth]) for found, _ in leaves(group) for depth in range(1, len(found))}
    known -= {".".join(path[:depth]) for depth in range(1, len(path))}
    nearest = get_close_matches(".".join(path)[:200], known, 1, 0.8)
    if not nearest:
        by_name: dict[str, str] = {}
        for name in sorted(known):
            by_name.setdefault(name.rpartition(".")[2], name)
        nearest = [by_name[name] for name in get_close_matches(path[-1][:200], by_name, 1, 0.8)]
    return "unknown key, ignored" + (f"; did you mean {nearest[0]!r}?" if nearest else "")


def value_at(group: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        group = getattr(group, name)
    return group


def is_given(values: Any, path: tuple[str, ...]) -> bool:
    """Return whether a bank's file sets this key."""
    for name in path:
        if not isinstance(values, dict) or name not in values:
            return False
        values = values[name]
    return True


def _first_given(given: dict[str, Any], paths: tuple[tuple[str, ...], ...]) -> tuple[str, ...] | None:
    return next((path for path in paths if is_given(given, path)), None)


def _weights(settings: CheckedSettings, given: dict[str, dict[str, Any]]) -> Found:
    found: Found = []
    for paths in _WEIGHT_GROUPS:
        named = _first_given(given.get("scoring", {}), paths)
        weights = {path[-2] if path[-1] == "weight" else path[-1]: value_at(settings.scoring, path) for path in paths}
        fault = weights_fault(named, weights) if named else None
        if fault is not None:
            found.append(("scoring", fault))
    return found


def _sections(given: dict[str, dict[str, Any]]) -> Found:
    """Report a cycle_config.json without a `memory` section. It may have been written for another purpose, yet it switches the resident summary off."""
    if "cycle" not in given or "memory" in given["cycle"]:
        return []
    return [("cycle", SettingFault("config_section_missing", ("memory",), 'missing, which switches the resident summary off; add "memory": {} to keep it on'))]


def _orders(settings: CheckedSettings, given: dict[str, dict[str, Any]]) -> Found:
    found: Found = []
    for file, paths, strictly in _ORDERED:
        group = getattr(settings, file)
        for lower, upper in pairwise(paths):
            named = _first_given(given.get(file, {}), (upper, lower))
            low, high = value_at(group, lower), value_at(group, upper)
            if named and (low > high or (strictly and low == high)):
                relation = "less than" if strictly else "at most"
                found.append((file, SettingFault("config_range", named, f"{lower[-1]} ({low:g}) must be {relation} {upper[-1]} ({high:g})")))
    return found


def _paths(settings: CheckedSettings, given: dict[str, dict[str, Any]], layout: Layout) -> Found:
    found: Found = []
    for path, base in ((_BOOKMARKS, layout.root), (_BACKUPS, layout.local_root)):
        if is_given(given.get("rotation", {}), path):
            reason = _path_fault(value_at(settings.rotation, path), base, file=path is _BOOKMARKS)
            if reason:
                found.append(("rotation", SettingFault("config_path", path, reason)))
    return found


def _path_fault(text: str, base: str, *, file: bool) -> str:
    """Return why a path cannot be used, or ""."""
    relative = text.removeprefix(BANK_PREFIX)
    parts = (relative if file else relative.removesuffix("/")).split("/")
    if relative == text or "\\" in relative or any(part in ("", ".", "..") for part in parts):
        return f"must be inside the bank and begin with '{BANK_PREFIX}'"
    if parts[0] in OWN_FOLDERS or parts[0].startswith("."):
        return f"{parts[0]!r} is a name that the bank uses itself; choose another one"
    if file and (not relative.endswith(".json") or parts[0] == "backups"):
        return "must be a .json file outside the backups folder"
    if not os.path.realpath(os.path.join(base, *parts)).startswith(os.path.realpath(base) + os.sep):
        return "leads out of the bank through a symbolic link"
    return ""


class _Side(NamedTuple):
    """One key of a pair of keys about the same limit.

    file, path: file and path of the key
    inclusive: whether its limit is inclusive (`<= 1.9`), although that of the other key is exclusive (`< 2.0`)
    """

    file: str
    path: tuple[str, ...]
    inclusive: bool = False

    def limit(self, settings: CheckedSettings) -> float:
        """Return the exclusive limit. Importances have one decimal, so `<= 1.9` is the same as `< 2.0`."""
        value: float = value_at(getattr(settings, self.file), self.path)
        return round(value + 0.1, 10) if self.inclusive else value


_PRESERVE_DAYS = _Side("rotation", (*_PRESERVED, "recent_files", "preserve_days"))
_MAX_AGE = _Side("rotation", (*_TRIGGERS, "time_based", "max_age_days"))
_MEDIUM_AGE = _Side("rotation", (*_MEDIUM, "archive_after_days"))
_LOW_AGE = _Side("rotation", (*_LOW, "archive_after_days"))
_LOW_LIMITS = (
    _Side("scoring", ("thresholds", "low_importance")),
    _Side("rotation", (*_TRIGGERS, "importance_based", "min_importance_threshold")),
    _Side("rotation", (*_LOW, "threshold_max"), inclusive=True),
)
_MEDIUM_LIMITS = (_Side("scoring", ("thresholds", "medium_importance")), _Side("rotation", (*_MEDIUM, "threshold_max"), inclusive=True))
_HIGH_LIMITS = (_Side("scoring", ("thresholds", "high_importance")), _Side("rotation", (*_PRESERVED, "high_importance_files", "threshold")))

_RIVALS: tuple[tuple[_Side, _Side, Callable[[float, float], float]], ...] = (
    *((side, other, min) for limits in (_LOW_LIMITS, _MEDIUM_LIMITS, _HIGH_LIMITS) for side in limits for other in limits if side is not other),
    *((side, other, max) for side, other in ((_MAX_AGE, _MEDIUM_AGE), (_MEDIUM_AGE, _MAX_AGE))),
    *((side, _PRESERVE_DAYS, max) for side in (_LOW_AGE, _MEDIUM_AGE, _MAX_AGE)),
)
"""(key, a key about the same thing, the function that selects the more cautious of the two values)"""


def _contradictions(settings: CheckedSettings, given: dict[str, dict[str, Any]]) -> Found:
    """Report keys that a bank sets without effect, because another key about the same thing is more cautious.

    If both have their defaults, the contradiction is in the specification itself and there is nothing to fix.
    """
    found: Found = []
    warned = set()
    for side, other, cautious in _RIVALS:
        if side in warned or not is_given(given.get(side.file, {}), side.path) or (_is_default(side, settings) and _is_default(other, settings)):
            continue
        mine, theirs = side.limit(settings), other.limit(settings)
        if mine != theirs and cautious(mine, theirs) == theirs:
            warned.add(side)
            value = value_at(getattr(settings, other.file), other.path)
            message = f"has no effect: {'.'.join(other.path)} in {other.file}_config.json is {value:g}, and the more cautious of the two applies; change both"
            found.append((side.file, SettingFault("config_contradiction", side.path, message)))
    return found


def _is_default(side: _Side, settings: CheckedSettings) -> bool:
    group = getattr(settings, side.file)
    return bool(value_at(group, side.path) == value_at(type(group)(), side.path))
