"""Keeps the content of a settings file from before memorybank changed it, so that uninstalling can restore every byte.

There is one record per settings file, in the person's own state folder (`$XDG_STATE_HOME/memorybank/hosts/`, mode 0600). Settings may
contain keys, so a copy must not be next to them or in a repository, where it could be committed, or be planted by the repository's author.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from memorybank.errors import MemorybankError
from memorybank.storage import disk
from memorybank.storage.digest import sha256
from memorybank.storage.layout import state_folder
from memorybank.values import NamedTuple

_CAP = 8 << 20


class SavedSettings(NamedTuple):
    """A settings file from before memorybank changed it.

    text: its content; None if there was no file
    installed: SHA-256 of the file as memorybank wrote it
    made: the folders that were created for it, outermost first
    """

    text: str | None
    installed: str
    made: tuple[str, ...]


def digest(text: str) -> str:
    return sha256(text.encode()).hex()


def path_of(settings: str, environ: Mapping[str, str]) -> str:
    """Return the path of the record for a settings file (absolute path)."""
    name = f"{os.path.basename(settings)}-{digest(settings)[:16]}.json"
    return os.path.join(state_folder(environ), "hosts", name)


def load(settings: str, environ: Mapping[str, str]) -> SavedSettings | None:
    """Return the record, or None when it is missing or unreadable."""
    import json  # late: `status` asks for the record of a file that is usually missing

    try:
        fields = json.loads(disk.read(path_of(settings, environ), _CAP))
        text, installed, made = fields["original"], fields["installed"], fields["made"]
    except (OSError, MemorybankError, ValueError, TypeError, KeyError):
        return None
    if not (text is None or isinstance(text, str)) or not isinstance(installed, str) or not isinstance(made, list):
        return None
    return SavedSettings(text, installed, tuple(path for path in made if isinstance(path, str)))


def save(settings: str, original: SavedSettings, environ: Mapping[str, str]) -> str:
    """Write the record durably and return its path."""
    import json  # late, as in `load`

    path = path_of(settings, environ)
    fields = {"file": settings, "original": original.text, "installed": original.installed, "made": list(original.made)}
    disk.make_directories(os.path.dirname(path))
    disk.replace(path, (json.dumps(fields, ensure_ascii=False, indent=2).encode() + b"\n",), durable=True)
    return path


def forget(settings: str, environ: Mapping[str, str]) -> None:
    disk.remove(path_of(settings, environ))
