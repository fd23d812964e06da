"""What a settings file was before memorybank changed it, so that uninstalling can give back every byte.

One record a settings file, in the person's own state folder (`$XDG_STATE_HOME/memorybank/hosts/`, mode 0600): settings may hold keys,
so a copy belongs neither beside them nor into a repository, where it could be committed, or be planted by whoever wrote the repository.
"""

import json
import os
from collections.abc import Mapping
from typing import NamedTuple

from memorybank.errors import MemorybankError
from memorybank.storage import disk
from memorybank.storage.digest import sha256

_CAP = 8 << 20


class Original(NamedTuple):
    """text: the file without us, None when there was none; installed: SHA-256 of the file as we wrote it; made: folders we made, outermost first."""

    text: str | None
    installed: str
    made: tuple[str, ...]


def digest(text: str) -> str:
    return sha256(text.encode()).hex()


def path_of(settings: str, environ: Mapping[str, str]) -> str:
    """Where the record of a settings file (absolute path) lies."""
    state = environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):
        state = os.path.join(os.path.expanduser("~"), ".local", "state")
    name = f"{os.path.basename(settings)}-{digest(settings)[:16]}.json"
    return os.path.join(state, "memorybank", "hosts", name)


def load(settings: str, environ: Mapping[str, str]) -> Original | None:
    """The record, or None: also when it cannot be read as one."""
    try:
        fields = json.loads(disk.read(path_of(settings, environ), _CAP))
        text, installed, made = fields["original"], fields["installed"], fields["made"]
    except (OSError, MemorybankError, ValueError, TypeError, KeyError):
        return None
    if not (text is None or isinstance(text, str)) or not isinstance(installed, str) or not isinstance(made, list):
        return None
    return Original(text, installed, tuple(path for path in made if isinstance(path, str)))


def save(settings: str, original: Original, environ: Mapping[str, str]) -> str:
    """Write the record durably; returns its path."""
    path = path_of(settings, environ)
    fields = {"file": settings, "original": original.text, "installed": original.installed, "made": list(original.made)}
    disk.make_directories(os.path.dirname(path))
    disk.replace(path, (json.dumps(fields, ensure_ascii=False, indent=2).encode() + b"\n",), durable=True)
    return path


def forget(settings: str, environ: Mapping[str, str]) -> None:
    disk.remove(path_of(settings, environ))
