"""Reads and changes the person's own settings, `config.json` in their configuration folder. A change is a function of what they contain."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memorybank.config import document, personal_bank, sources
from memorybank.config.group import MAX_FILE_BYTES
from memorybank.config.settings import refuse_newer
from memorybank.editing import outside
from memorybank.errors import ConfigInvalid, Problem
from memorybank.storage import disk
from memorybank.values import Value

_FIX = "fix the file, then run the same command again; nothing was changed"


class SettingsList(Value):
    """A list in the person's own settings, such as `personal.off_in`.

    keys: where it is: a key, or a section and a key
    entries: what it contains, for messages
    accepts: returns whether a value is such an entry
    """

    keys: tuple[str, ...]
    entries: str
    accepts: Callable[[Any], bool]

    def of(self, settings: Mapping[str, Any], shown: str) -> list[Any]:
        """Return its entries, [] when the settings lack it. Raises `ConfigInvalid` for anything else than a list of such entries."""
        *sections, name = self.keys
        found: Any = settings
        for section in sections:
            found = found.get(section, {}) if isinstance(found, dict) else None
        found = found.get(name, []) if isinstance(found, dict) else None
        if not isinstance(found, list) or not all(map(self.accepts, found)):
            raise ConfigInvalid(f"{shown}: {'.'.join(self.keys)}: expected a list of {self.entries}", next_step=_FIX)
        return found

    def replaced(self, settings: Mapping[str, Any], entries: Sequence[Any]) -> dict[str, Any]:
        """Return the settings with other entries. All other keys stay; an empty list is left out, and so is a section that contained only this list."""
        return _replaced(settings, self.keys, list(entries))

    def read(self, environment: Mapping[str, str]) -> list[Any]:
        """Return the entries in the person's own settings. Raises `ConfigInvalid`."""
        return self.of(load(environment), shown_path(environment))

    def change(self, environment: Mapping[str, str], edit: Callable[[list[Any]], Sequence[Any]]) -> bool:
        """Change the list in the person's own settings, and return whether anything changed. edit and errors: as for `change`"""
        return change(environment, lambda settings: self.replaced(settings, edit(self.of(settings, shown_path(environment)))))


def list_of_folders(*keys: str) -> SettingsList:
    return SettingsList(keys, "folders", lambda entry: isinstance(entry, str))


def shown_path(environment: Mapping[str, str]) -> str:
    """Return the path of the person's own settings for messages, with `~` for the home folder."""
    return personal_bank.as_written(sources.own_path(environment), environment)


def load(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the person's own settings, {} without a file. Raises `ConfigInvalid`."""
    return parsed(read(sources.own_path(environment)), shown_path(environment)) or {}


def change(environment: Mapping[str, str], edit: Callable[[dict[str, Any]], dict[str, Any]]) -> bool:
    """Change the person's own settings, and return whether anything changed. The file is removed when nothing is left in it.

    edit: receives the present settings and returns the new ones
    Raises `ConfigInvalid` when the file cannot be read as settings, `Conflict` when somebody saved it in the meantime; both change nothing.
    """
    path = sources.own_path(environment)
    before = read(path)
    present = parsed(before, shown_path(environment)) or {}
    settings = edit(present)
    if settings == present:
        return False
    write(path, rendered(settings) if settings else None, before)
    return True


def read(path: str) -> bytes | None:
    """Return the bytes of a file of settings, or None if it does not exist."""
    return outside.read(path, MAX_FILE_BYTES)


def write(path: str, data: bytes | None, before: bytes | None) -> None:
    """Replace the person's own settings, or remove them. Raises `Conflict` when somebody changed them since they were read."""
    outside.replace(path, data, before, mode=disk.PRIVATE_FILE)


def parsed(data: bytes | None, shown: str) -> dict[str, Any] | None:
    """Return the settings in a file's bytes, None without a file. Raises `ConfigInvalid`.

    shown: the file's path for messages
    """
    if data is None:
        return None
    found = document.parse(data, shown)
    if isinstance(found, Problem):
        raise ConfigInvalid(f"{found.where}: {found.message}", next_step=_FIX)
    refuse_newer(found, shown)
    return found


def rendered(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _replaced(settings: Mapping[str, Any], keys: Sequence[str], value: Any) -> dict[str, Any]:
    key, *inner = keys
    changed = _replaced(settings.get(key, {}), inner, value) if inner else value
    return {**settings, key: changed} if changed else {name: each for name, each in settings.items() if name != key}
