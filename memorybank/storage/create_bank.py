"""Creating the folders and first files of a bank: idempotent, and nothing that exists is touched."""

import json
import os
from collections.abc import Iterator

from memorybank.errors import NotFound, UsageError
from memorybank.storage import disk
from memorybank.storage.layout import ACTIVE_FOLDERS, BANK, IGNORED, find_bank

NO_BOOKMARKS = json.dumps({"version": "1.0", "bookmarks": []}, indent=2) + "\n"
EPISODES = "config/episodes_config.json"
_MOST_IGNORES = 1 << 20
GITIGNORE = "# Local truth and derived files of the memory bank; notes, config and archive are committed.\n" + "".join(line + "\n" for line in IGNORED)


def place(start: str, *, explicit: str | None, environment: str | None, home: str | None) -> str:
    """The absolute folder where `init` makes the bank: the named one, the one that exists, else the repository root's, else `start`'s.

    The home folder itself is refused: a bank there would catch every project below it.
    """
    named = explicit or environment
    if named:
        return os.path.realpath(os.path.join(start, named))
    try:
        return find_bank(start, home=home).root
    except NotFound:
        folder = _repository_root(start) or os.path.realpath(start)
    if home and folder == os.path.realpath(home):
        raise UsageError(
            "the home folder is no place for a bank: every project below it would share it",
            next_step="run 'memorybank init' inside a project, or name a folder with --bank DIR",
        )
    return os.path.join(folder, BANK)


def create_bank(root: str, zone: str) -> list[str]:
    """Make what is missing; returns the relative names made, folders with a trailing slash. zone: IANA, whose days episodes are of."""
    return list(_create(root, zone))


def missing_ignores(root: str) -> list[str]:
    """Lines that a .gitignore written by somebody else lacks; the user decides about that file."""
    present = {line.strip().strip("/") for line in disk.read(os.path.join(root, ".gitignore"), _MOST_IGNORES).decode("utf-8", "replace").splitlines()}
    return [line for line in IGNORED if line.strip("/") not in present]


def add_ignores(root: str) -> list[str]:
    """Write the lines that the bank's .gitignore lacks behind what stands there, or make the file; returns them."""
    path = os.path.join(root, ".gitignore")
    try:
        text = disk.read(path, _MOST_IGNORES)
    except FileNotFoundError:
        disk.create(path, GITIGNORE.encode())
        return list(IGNORED)
    missing = missing_ignores(root)
    if missing:
        end = b"" if not text or text.endswith(b"\n") else b"\n"
        disk.replace(path, (text, end, "".join(f"{line}\n" for line in missing).encode()), mode=disk.USER_FILE, durable=True)
    return missing


def _create(root: str, zone: str) -> Iterator[str]:
    for folder in (*(f"active/{name}" for name in ACTIVE_FOLDERS), "config"):
        path = os.path.join(root, folder)
        if not os.path.isdir(path):
            disk.make_directories(path, disk.USER_DIRECTORY, durable=True)
            yield folder + "/"
    for name, text in ((".gitignore", GITIGNORE), ("bookmarks.json", NO_BOOKMARKS), (EPISODES, _timezone(zone))):
        path = os.path.join(root, name)
        if not os.path.lexists(path):
            disk.create(path, text.encode())
            yield name


def _timezone(zone: str) -> str:
    return json.dumps({"timezone": zone}, indent=2) + "\n"


def _repository_root(start: str) -> str | None:
    directory = os.path.realpath(start)
    while not os.path.exists(os.path.join(directory, ".git")):
        parent = os.path.dirname(directory)
        if parent == directory:
            return None
        directory = parent
    return directory
