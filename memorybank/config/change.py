"""One key of a bank's settings, written on a person's word: what else stands in the file stays as it is, in its order."""

import json
import os

from memorybank.config import document
from memorybank.config.settings import MAX_FILE_BYTES
from memorybank.errors import ConfigInvalid, Problem
from memorybank.storage import disk
from memorybank.storage.layout import Layout


def set_key(layout: Layout, name: str, key: str, value: object) -> None:
    """Set a top-level key of `config/NAME_config.json`, made when missing. `ConfigInvalid` for a file that cannot be read: it is left alone."""
    path = os.path.join(layout.config, f"{name}_config.json")
    try:
        parsed = document.parse(disk.read(path, MAX_FILE_BYTES), layout.relative(path))
    except FileNotFoundError:
        parsed = {}
    if isinstance(parsed, Problem):
        raise ConfigInvalid(f"{parsed.path}: {parsed.message}")
    disk.make_directories(layout.config, disk.USER_DIRECTORY)
    text = json.dumps({**parsed, key: value}, ensure_ascii=False, indent=2) + "\n"
    disk.replace(path, (text.encode(),), mode=disk.USER_FILE, durable=True)
