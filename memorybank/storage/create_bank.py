"""Creates the folders and first files of a bank. It is idempotent and never changes anything that exists."""

import os

from memorybank.errors import NotFound, UsageError
from memorybank.storage import beneath, disk
from memorybank.storage.layout import ACTIVE_FOLDERS, BANK, IGNORED, find_bank, upward

NO_BOOKMARKS = '{\n  "version": "1.0",\n  "bookmarks": []\n}\n'
EPISODES = "config/episodes_config.json"
IGNORES = ".gitignore"
_MOST_IGNORES = 1 << 20
_FOLDERS_OF_AGENTS = (".claude", ".codex", ".gemini", ".cursor", ".copilot", ".basic-memory", ".claude-mem")
"""Folders below the home folder in which agents and their programs keep files of their own."""
_IN_PROJECT = "run 'memorybank init' in the project instead; 'memorybank adopt' reads notes where they are"
_LOCAL = "".join(line + "\n" for line in IGNORED)
GITIGNORE = f"# Local truth and derived files of the memory bank; notes, config and archive are committed.\n{_LOCAL}"

PERSONAL_GITIGNORE = (
    f"# A personal bank belongs to no repository: git ignores it. To keep it in a repository of its own, remove the line with the star.\n*\n{_LOCAL}"
)


def bank_path(start: str, *, explicit: str | None, environment: str | None, home: str | None) -> str:
    """Return the absolute path of the bank that `init` creates: the named folder, else an existing bank, else a folder in the repository root or in `start`.

    Raises `UsageError` for the home folder, where a bank would be used by every project below it.
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
            "the home folder cannot contain a bank: every project below it would share it",
            next_step="run 'memorybank init' inside a project, or name a folder with --bank DIR",
        )
    return os.path.join(folder, BANK)


def refuse_to_litter(root: str, home: str | None) -> None:
    """Raise `UsageError` for a new bank whose folders somebody's vault or an agent's own folder would show. A hidden folder in a vault is not shown.

    root: the bank; an existing one is never refused
    """
    if os.path.isdir(os.path.join(root, "active")):
        return
    own = [os.path.join(os.path.realpath(home), name) for name in _FOLDERS_OF_AGENTS] if home else []
    for folder in own:
        if root.startswith(folder + os.sep):
            raise UsageError(f"{root} is inside {folder}, where an agent keeps files of its own", next_step=_IN_PROJECT)
    parts = root.split(os.sep)
    for depth in range(len(parts) - 1, 1, -1):
        if parts[depth].startswith("."):
            return
        if os.path.isdir(os.path.join(os.sep.join(parts[:depth]), ".obsidian")):
            raise UsageError(f"{root} is inside an Obsidian vault, which would show the files of the bank", next_step=_IN_PROJECT)


def refuse_repository(root: str, home: str) -> None:
    """Raise `UsageError` for a personal bank inside a repository, with which it would be committed. A home folder may be a repository, and so may the bank.

    root: real path of the bank
    """
    repository = _repository_root(root)
    if repository not in (None, root, os.path.realpath(home)):
        raise UsageError(f"{root} is inside the repository {repository}", next_step="set MEMORYBANK_PERSONAL to a folder outside all repositories, or unset it")


def create_bank(root: str, zone: str, *, is_personal: bool = False) -> list[str]:
    """Create whatever is missing and return the relative names of what was created, folders with a trailing slash.

    zone: IANA time zone, by whose days episodes are divided
    is_personal: whether git ignores the entire bank
    """
    beneath.confine(root)
    created = []
    for folder in (*(f"active/{name}" for name in ACTIVE_FOLDERS), "config"):
        path = os.path.join(root, folder)
        if not os.path.isdir(path):
            disk.make_directories(path, disk.USER_DIRECTORY, durable=True)
            created.append(f"{folder}/")
    import json  # late: every status loads this module for the names of the files

    timezone = json.dumps({"timezone": zone}, indent=2) + "\n"
    ignores = PERSONAL_GITIGNORE if is_personal else GITIGNORE
    for name, text in ((IGNORES, ignores), ("bookmarks.json", NO_BOOKMARKS), (EPISODES, timezone)):
        path = os.path.join(root, name)
        if not os.path.lexists(path):
            disk.create(path, text.encode())
            created.append(name)
    return created


def missing_ignores(root: str) -> list[str]:
    """Return the lines that an existing .gitignore lacks. The file is not changed: that is the user's decision."""
    return _missing(disk.read(os.path.join(root, IGNORES), _MOST_IGNORES))


def with_ignores(data: bytes | None) -> bytes:
    """Return the bank's .gitignore with the missing lines; a new one for None."""
    if data is None:
        return GITIGNORE.encode()
    end = b"" if not data or data.endswith(b"\n") else b"\n"
    missing = _missing(data)
    return data + end + "".join(f"{line}\n" for line in missing).encode() if missing else data


def _missing(data: bytes) -> list[str]:
    present = {line.strip().strip("/") for line in data.decode("utf-8", "replace").splitlines()}
    return [line for line in IGNORED if line.strip("/") not in present]


def _repository_root(start: str) -> str | None:
    return next((folder for folder in upward(os.path.realpath(start)) if os.path.exists(os.path.join(folder, ".git"))), None)
