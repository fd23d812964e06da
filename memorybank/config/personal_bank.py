"""Where the person's own bank is, outside all repositories, and in which repositories they switched it off.

It is `$XDG_DATA_HOME/memorybank/personal`, by default `~/.local/share/memorybank/personal`, or the folder that `$MEMORYBANK_PERSONAL` names.
Whether it is read in a repository is decided by the person's own settings (`personal.off_in`) and by the budget in those of the repository.
"""

from __future__ import annotations

__light__ = True

from memorybank.config.group import MAX_FILE_BYTES
from memorybank.errors import MemorybankError, NotFound, UsageError
from memorybank.storage import disk, jsontext
from memorybank.storage import system as os
from memorybank.storage.layout import Layout, describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

VARIABLE = "MEMORYBANK_PERSONAL"
"""Environment variable: the folder of the personal bank, or `off` for none."""
OFF = "off"
KEY, OFF_IN = "personal", "off_in"
"""The keys of the person's own settings: `personal.off_in` lists the folders in which the personal bank is not read."""
RULE_TAGS = ("rule", "rules", "Rule", "Rules", "ルール", "規則")
"""A note of the personal bank, or of an organisation, with one of these tags is a rule: every session starts with it."""
CREATE = "create it with 'memorybank init --personal'"


def folder(environment: Mapping[str, str]) -> str:
    """Return the absolute real path of the personal bank, which may be missing. Raises `UsageError` when the environment names none."""
    return os.path.realpath(_named(environment))


def existing(environment: Mapping[str, str]) -> Layout:
    """Return the personal bank. Raises `NotFound` when there is none, and `UsageError` as `folder` does."""
    root = _named(environment)
    if not is_there(environment):  # first, because finding the real path of a missing folder loads modules that a hook does not need
        raise NotFound("there is no personal bank yet", next_step=CREATE)
    return describe(os.path.realpath(root))


def is_there(environment: Mapping[str, str]) -> bool:
    """Return whether there is a personal bank, with one look at the disk."""
    try:
        return os.path.isdir(f"{_named(environment)}/active")
    except UsageError:
        return False


def _named(environment: Mapping[str, str]) -> str:
    """Return the path of the personal bank as the environment writes it. A relative `XDG_DATA_HOME` is ignored, as its specification demands."""
    named = environment.get(VARIABLE, "")
    if named.lower() == OFF:
        raise UsageError(f"{VARIABLE} is off, so there is no personal bank", next_step=f"unset {VARIABLE}, or set it to a folder")
    data = environment.get("XDG_DATA_HOME", "")
    if not named:
        named = f"{data if data.startswith('/') else '~/.local/share'}/memorybank/personal"
    path = f"{home(environment)}{named[1:]}" if named.startswith("~/") else named
    if not path.startswith("/") or "\0" in path:
        raise UsageError(f"{named!r} is not an absolute path", next_step=f"set {VARIABLE} to a folder, as a path that begins with / or ~/")
    return path.rstrip("/") or "/"


def beside(layout: Layout, environment: Mapping[str, str]) -> Layout | None:
    """Return the personal bank that is read in addition to another bank; None when there is none, when it is this very bank, or where it is switched off."""
    try:
        found = existing(environment)
    except (MemorybankError, OSError):
        return None
    return None if found.root == layout.root or why_off(layout, environment) else found


def why_off(layout: Layout, environment: Mapping[str, str]) -> str:
    """Return why the person's own settings keep the personal bank from being read next to a bank; "" when they do not.

    Settings that cannot be read switch it off, because they may do so on purpose.
    """
    from memorybank.config import sources  # late: most people have no personal bank, and hooks look for one at each prompt

    try:
        data = disk.read(sources.own_path(environment), MAX_FILE_BYTES)
    except FileNotFoundError:
        return ""
    except (MemorybankError, OSError):
        return "your own settings cannot be read"
    try:
        settings = jsontext.decode(data)
    except ValueError:
        return "your own settings cannot be read"
    personal = settings.get(KEY, {}) if isinstance(settings, dict) else None
    folders = personal.get(OFF_IN, []) if isinstance(personal, dict) else None
    if not isinstance(folders, list):
        return "your own settings cannot be read"
    named = first_above(layout.root, folders, environment)
    return f"switched off in {named}" if named else ""


def first_above(path: str, folders: Iterable[object], environment: Mapping[str, str]) -> str:
    """Return the first of these folders, absolute or `~/…`, that is a path or contains it; "" for none."""
    for each in folders:
        if isinstance(each, str) and (place := place_of(each, environment)) and f"{path}/".startswith(f"{place.rstrip('/')}/"):
            return each
    return ""


def place_of(written: str, environment: Mapping[str, str]) -> str:
    """Return the real path that a person wrote as absolute or `~/…`; "" for any other text."""
    place = f"{home(environment)}{written[1:]}" if written == "~" or written.startswith("~/") else written
    return os.path.realpath(place) if place.startswith("/") and "\0" not in place else ""


def as_written(path: str, environment: Mapping[str, str]) -> str:
    """Return an absolute path as a person writes it, with `~` for the home folder."""
    folder = home(environment).rstrip("/")
    return f"~{path[len(folder) :]}" if folder and (path == folder or path.startswith(f"{folder}/")) else path


def home(environment: Mapping[str, str]) -> str:
    """Return the person's home folder."""
    return environment.get("HOME") or os.path.expanduser("~")
