"""Changes the person's own settings, `config.json` in their configuration folder, as a function of what it contains. All other keys keep their values."""

import json
from collections.abc import Callable
from typing import Any

from memorybank.config import document
from memorybank.config.group import MAX_FILE_BYTES
from memorybank.config.settings import refuse_newer
from memorybank.editing import outside
from memorybank.errors import ConfigInvalid, Problem
from memorybank.storage import disk


def update(path: str, shown: str, edit: Callable[[dict[str, Any]], dict[str, Any]]) -> bool:
    """Change the settings at `path`, and return whether anything changed. The file is removed when nothing is left in it.

    shown: the path for messages
    edit: receives the present settings and returns the new ones
    Raises `ConfigInvalid` when the file cannot be read as settings, `Conflict` when somebody saved it in the meantime; both change nothing.
    """
    before = read(path)
    present = parsed(before, shown) or {}
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
        raise ConfigInvalid(f"{found.where}: {found.message}", next_step="fix the file, then run the same command again; nothing was changed")
    refuse_newer(found, shown)
    return found


def rendered(value: object) -> bytes:
    """Return settings as the bytes of a file."""
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()
