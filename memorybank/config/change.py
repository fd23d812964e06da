"""Change one key of a bank's settings at a person's request. The other contents of the file and their order stay as they are."""

import json
import os

from memorybank.config import document
from memorybank.config.settings import MAX_FILE_BYTES
from memorybank.errors import ConfigInvalid, Problem
from memorybank.storage import disk
from memorybank.storage.layout import Layout


def set_key(layout: Layout, name: str, key: str, value: object) -> None:
    """Set a top-level key of `config/NAME_config.json`, which is created if missing.

    Raises ConfigInvalid if the file cannot be parsed; the file is then left unchanged.
    """
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
