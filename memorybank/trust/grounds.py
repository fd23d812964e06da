"""Decides whether a bank without a record on this machine may be trusted without asking a person."""

import os
from collections.abc import Mapping

from memorybank import git
from memorybank.config import own, personal_bank
from memorybank.errors import MemorybankError
from memorybank.storage import beneath
from memorybank.storage.layout import Layout, git_folders
from memorybank.trust import record

_MOST_CONFIG = 1 << 20


def of_bank(layout: Layout, environ: Mapping[str, str], *, has_key: bool) -> str:
    """Return why the bank is trusted (`record.SETTINGS` and so on), or "" when a person must decide.

    has_key: whether the bank contains a key for its logs. It proves that this machine used the bank before, unless git tracks it.
    """
    if is_named(layout, environ):
        return record.SETTINGS
    if layout.repository is None:
        return record.KEY if has_key else record.CREATED if _is_empty(layout) else ""
    paths = git.tracked(layout.repository, layout.root)
    if paths is None:
        return ""
    if not paths and git.head(layout.repository) is not None:
        return record.UNCOMMITTED
    if has_key and not any(path.startswith("log/") for path in paths):
        return record.KEY
    return record.CREATED if git.head(layout.repository) is None and _is_empty(layout) else ""


def is_named(layout: Layout, environ: Mapping[str, str]) -> bool:
    """Return whether the person's own settings name the bank's folder, a folder above it, or a remote of its repository."""
    try:
        settings = own.load_with_problems(environ)[0].settings.trust
    except (MemorybankError, OSError):
        return False
    if personal_bank.first_above(layout.root, settings.folders, environ):
        return True
    return bool(settings.remotes) and not _remotes(layout).isdisjoint(settings.remotes)


def _remotes(layout: Layout) -> set[str]:
    """Return the addresses of the repository's remotes, as `.git/config` has them."""
    folders = git_folders(layout.repository) if layout.repository else None
    if folders is None:
        return set()
    try:
        with beneath.stream(os.path.join(folders.common, "config")) as stream:
            text = stream.read(_MOST_CONFIG).decode("utf-8", "replace")
    except OSError:
        return set()
    found, section = set(), ""
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            section = line
        name, equals, value = line.partition("=")
        if equals and name.strip() == "url" and section.startswith("[remote "):
            found.add(value.strip())
    return found


def _is_empty(layout: Layout) -> bool:
    """Return whether the bank contains nothing that an agent could be shown."""
    if any(os.path.lexists(os.path.join(layout.root, *name.split("/"))) for name in ("summary.md", "episodes", "config/cycle_config.json")):
        return False
    return not any(name.endswith(".md") for _, _, names in os.walk(layout.active) for name in names)
