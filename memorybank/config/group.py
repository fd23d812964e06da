"""Groups of settings: typed, immutable, nested like their JSON objects, each key declared once with default, range and meaning.

    class RecentFiles(SettingsGroup):
        preserve_days: int = whole(7, "Days for which a modified note stays.", minimum=0, maximum=MAX_DAYS)

Dataclasses could express the same, but each costs 0.6 ms of start-up (it compiles its methods), and every command has to load its
settings; a SettingsGroup costs 20 µs. An attribute without a given value reads as the default of its Key, so loading the defaults creates nothing.
"""

from __future__ import annotations

__light__ = True

from memorybank.config.keys import SettingFault, SettingKey
from memorybank.values import dataclass_transform

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, ClassVar, TypeVar

    G = TypeVar("G", bound="SettingsGroup")


MAX_FILE_BYTES = 1 << 20
"""Maximum size of a settings file."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
class SettingsGroup:
    """A group of values as attributes. `keys` and `groups` are its declarations, in the order of the JSON document."""

    keys: ClassVar[dict[str, SettingKey]] = {}
    groups: ClassVar[dict[str, type[SettingsGroup]]] = {}

    def __init_subclass__(cls) -> None:
        cls.keys = {}
        cls.groups = {}
        for name, value in vars(cls).items():
            if isinstance(value, SettingKey):
                cls.keys[name] = value
            elif isinstance(value, SettingsGroup):
                cls.groups[name] = type(value)

    def __init__(self, **values: object) -> None:
        if not values:  # the default of every group in another one
            return
        unknown = values.keys() - self.keys.keys() - self.groups.keys()
        if unknown:
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SettingsGroup) or type(self) is not type(other):
            return False
        given = (vars(self).keys() | vars(other).keys()) - {"_hash"}  # of every other key both have the default
        return self is other or all(getattr(self, name) == getattr(other, name) for name in given)

    def __hash__(self) -> int:
        """Return the hash, computed once, because settings are keys of caches."""
        known: int | None = self.__dict__.get("_hash")
        if known is None:
            known = self.__dict__["_hash"] = hash(tuple(self.items()))
        return known

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.items())})"

    def items(self) -> Iterator[tuple[str, Any]]:
        """Yield (name, value or sub-group) in the order of declaration."""
        for name in (*self.keys, *self.groups):
            yield name, getattr(self, name)

    def to_json(self) -> dict[str, Any]:
        """Return the complete group as a JSON object, with lists for tuples."""
        return {name: _plain(value) for name, value in self.items()}

    @classmethod
    def completed(cls, values: dict[str, object]) -> dict[str, object]:
        """Return a JSON object with what the absence of a section means made explicit. The default adds nothing; groups override it."""
        return values


def merge(group: type[G], values: dict[str, object], faults: list[SettingFault], path: tuple[str, ...] = ()) -> G:
    """Return the group with `values` (a JSON object) over its defaults. Every faulty value is added to `faults` and gets its default.

    A `$schema` at the top is for editors, and a `version` is that of the file's format. Neither is a setting.
    """
    given: dict[str, object] = {}
    for name, value in group.completed(values).items():
        here = (*path, name)
        if name in group.keys:
            key = group.keys[name]
            fault = key.fault(value)
            if fault is None:
                given[name] = key.value(value)
            else:
                faults.append(SettingFault(fault[0], here, fault[1]))
        elif here in (("$schema",), ("version",)):
            continue
        elif name not in group.groups:
            faults.append(SettingFault("config_unknown_key", here, ""))
        elif isinstance(value, dict):
            given[name] = merge(group.groups[name], value, faults, here)
        else:
            faults.append(SettingFault("config_type", here, f"expected an object, found {SettingKey.shown(value)}"))
    return group(**given)


def reset(group: G, path: tuple[str, ...]) -> G:
    """Return a copy with one key or sub-group at its default."""
    name, *rest = path
    values = {known: value for known, value in group.items() if known != name}
    if rest:
        values[name] = reset(getattr(group, name), tuple(rest))
    return type(group)(**values)


def replaced(group: G, **values: object) -> G:
    """Return a copy with other values for some keys or sub-groups."""
    return type(group)(**{**dict(group.items()), **values})


def _plain(value: Any) -> Any:
    if isinstance(value, SettingsGroup):
        return value.to_json()
    return list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, dict) else value


def leaves(group: type[SettingsGroup], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], SettingKey]]:
    """Yield the path and the Key of every key in a group and its sub-groups."""
    for name, key in group.keys.items():
        yield (*path, name), key
    for name, part in group.groups.items():
        yield from leaves(part, (*path, name))
