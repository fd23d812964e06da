"""Finds the files that a purge removes instead of changing them: derived ones, those that killed processes left, and records that are written again."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from memorybank.config import own
from memorybank.storage import abandoned, beneath, disk
from memorybank.storage.layout import Layout, state_folder
from memorybank.text.needle import PurgeNeedle

DERIVED_FOLDERS = ("cache", "indexes", "metadata", "archive/by_importance", "archive/by_topic")
RECORD_FOLDERS = ("hosts", "working")
"""Folders of the person's state folder whose records may be removed. The decisions about trust must stay: they name the files that wait for a person."""
BLOCK = 1 << 24


def paths(top: str, closed: list[OSError] | None = None) -> Iterator[str]:
    """Yield every file and folder below `top`. Symbolic links are not followed.

    closed: receives the errors of folders that cannot be listed
    """
    for folder, folders, names in os.walk(top, onerror=None if closed is None else closed.append):
        folders.sort()
        for name in sorted([*folders, *names]):
            yield os.path.join(folder, name)


def blocks(path: str, needle: PurgeNeedle) -> Iterator[bytes]:
    """Yield a file in blocks that overlap by the maximum length of the text."""
    with disk.typed_errors(path), beneath.stream(path) as stream:
        rest = b""
        while block := stream.read(BLOCK):
            yield rest + block
            rest = (rest + block)[-needle.reach :]


def derived(tree: Layout) -> list[str]:
    """Return the derived files of a bank: published documents, catalogues, and cache files of any name. Lock files are left out."""
    found = []
    for folder in DERIVED_FOLDERS:
        suffixes = {"cache": ("",), "indexes": (".json",), "metadata": (".json",)}.get(folder, (".md",))
        top = os.path.join(tree.root, *folder.split("/"))
        found += [path for path in paths(top) if path.endswith(suffixes) and not path.endswith(".lock") and not os.path.isdir(path)]
    return found


def abandoned_temps(tops: Iterable[str], now: int) -> list[str]:
    """Return the temporary files that nobody writes any more. What a torn one contains cannot always be read, so all of them have to go.

    tops: folders
    """
    found = {path for top in tops for path in paths(top) if os.path.basename(path).startswith(disk.TEMP_PREFIX)}
    return sorted(path for path in found if abandoned.is_abandoned(path, now))


def own_folders(environ: Mapping[str, str]) -> tuple[str, str]:
    """Return the person's state folder and the folder of the person's settings."""
    return state_folder(environ), own.folder(environ)


def records(needle: PurgeNeedle, environ: Mapping[str, str]) -> list[str]:
    """Return the records in the person's state folder that contain the text and that can be removed.

    Without the saved settings of a host, its hooks are uninstalled entry by entry. A stamp is written again by the next session.
    """
    found: list[str] = []
    for folder in RECORD_FOLDERS:
        files = [path for path in paths(os.path.join(state_folder(environ), folder)) if os.path.isfile(path)]
        held = tuple(path for path in files if needle.is_in(os.fsencode(os.path.basename(path))) or any(map(needle.is_in, blocks(path, needle))))
        # The files next to a stamp have its name, in which signs of the project's path are replaced.
        found += [path for path in files if path in held or path.startswith(tuple(f"{each}." for each in held))]
    return found


def empty_folders(tops: Sequence[str], needle: PurgeNeedle) -> list[str]:
    """Return the folders without any file whose paths contain the text, the innermost first."""
    found = set()
    for top in tops:
        for folder, _, _ in os.walk(top):
            inside = os.path.relpath(folder, top)
            if inside != "." and needle.is_in(os.fsencode(inside)) and all(os.path.isdir(path) for path in paths(folder)):
                found.add(folder)
    return sorted(found, key=len, reverse=True)
