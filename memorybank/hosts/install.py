"""Registers the hook with a host, and removes it: a plan (the file before and after), then its execution.

The settings belong to somebody else. Only memorybank's entries change and the rest keeps every byte; a second run changes nothing; a file
that cannot be parsed is refused and left as it is. Uninstalling restores the exact bytes from before or, if somebody has edited the file
since, removes only memorybank's entries.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from memorybank.editing import outside, steps
from memorybank.errors import Conflict, MemorybankError, UsageError, ValidationFailed
from memorybank.hosts import hook_entries, originals, settings_text
from memorybank.hosts.detect import OPENCODE
from memorybank.hosts.program import Program, is_plugin, plugin_text
from memorybank.hosts.registration import PROJECT, SCOPES, TABLE, Registration, SettingsFile
from memorybank.storage import disk
from memorybank.values import NamedTuple

_CAP = 8 << 20


class SettingsChange(NamedTuple):
    """The planned change of one settings file.

    path: absolute, with links resolved
    before, after: the file's text, None for no file
    original: the record for uninstalling; None deletes the record
    """

    registration: Registration
    scope: str
    path: str
    before: str | None
    after: str | None
    original: originals.SavedSettings | None

    @property
    def changes(self) -> bool:
        return self.before != self.after


def plan_install(host: str, scope: str, project: str | None, program: Program, environ: Mapping[str, str]) -> SettingsChange:
    """Plan to register `host`'s events. project: the project's folder, needed by the scopes local and project."""
    registration = TABLE[host]
    path = settings_path(registration, scope, project, environ)
    before = read(path)
    known = originals.load(path, environ)
    pristine = known is not None and before is not None and originals.digest(before) == known.installed
    # If the file is exactly as memorybank wrote it, start from the original, so that nothing accumulates over several installations.
    base = known.text if known is not None and pristine else _without(before, registration, path)
    runs = None if scope == PROJECT else program
    # When registering into the file as it is would change nothing, it stays as it is, even if somebody edited other parts of it.
    after = _with(before if before is not None and _with(before, registration, runs, path) == before else base, registration, runs, path)
    made = known.made if known is not None else tuple(_missing_folders(path))
    return SettingsChange(registration, scope, path, before, after, originals.SavedSettings(base, originals.digest(after), made))


def plan_uninstall(host: str, scope: str, project: str | None, environ: Mapping[str, str]) -> SettingsChange:
    """Plan to remove memorybank's entries. A file that memorybank created and that contains nothing else is deleted."""
    registration = TABLE[host]
    path = settings_path(registration, scope, project, environ)
    before = read(path)
    known = originals.load(path, environ)
    if before is None:
        return SettingsChange(registration, scope, path, None, None, None)
    if known is not None and originals.digest(before) == known.installed:
        after = known.text
    elif _has_plugin(registration) and not is_plugin(before):
        after = before
    else:
        after = _without(before, registration, path)
        ours = registration.files[scope].own or (known is not None and known.text is None)
        if after is not None and after != before and ours and not _has_plugin(registration) and hook_entries.is_only_ours(after, registration):
            after = None
    return SettingsChange(registration, scope, path, before, after, None)


def execute(change: SettingsChange, environ: Mapping[str, str]) -> None:
    """Carry out a change. The original is saved before the settings are changed. If nothing changes, only an interrupted change is finished.

    Raises Conflict when somebody changed the file after the plan was made.
    """
    if change.changes and read(change.path) != change.before:
        raise steps.changed(change.path)
    if not change.changes:
        outside.finish(change.path)
    known = originals.load(change.path, environ)
    original = change.original if change.after is not None else None
    if original is not None and (change.changes or known is None):
        originals.save(change.path, original, environ)
    if change.changes:
        outside.replace(change.path, _encoded(change.after), _encoded(change.before))
    if original is None:
        for folder in reversed(known.made if known is not None else ()):
            disk.remove_directory(folder)
        originals.forget(change.path, environ)


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def settings_path(registration: Registration, scope: str, project: str | None, environ: Mapping[str, str]) -> str:
    """Return the absolute path of a scope's file, with links resolved. Raises UsageError for a scope that the host does not have."""
    file = registration.files.get(scope)
    if file is None:
        offered = " or ".join(f"--scope {each}" for each in SCOPES if each in registration.files)
        raise UsageError(f"{registration.title} has no scope {scope!r} for hooks", next_step=f"choose {offered}")
    return path_of(file, project, environ)


def path_of(file: SettingsFile, project: str | None, environ: Mapping[str, str]) -> str:
    """Return the absolute path of a host's file, with links resolved."""
    if file.in_home:
        return os.path.realpath(os.path.join(_home_folder(file, environ), file.path))
    if project is None:
        raise UsageError(
            "the project's settings were requested, but no project was found",
            next_step="run the command inside a project with a memory bank, or choose --scope user",
        )
    return inside(project, file.path)


def inside(project: str, name: str) -> str:
    """Return the absolute path of a file in the project, with links resolved. Raises Conflict when it is outside the project."""
    root = os.path.realpath(project)
    path = os.path.realpath(os.path.join(root, name))
    if not path.startswith(root.rstrip(os.sep) + os.sep):
        raise Conflict(
            f"{os.path.join(project, name)} is a link to a path outside the project", next_step="replace the link with a file, or choose --scope user"
        )
    return path


def _home_folder(file: SettingsFile, environ: Mapping[str, str]) -> str:
    named = environ.get(file.variable, "") if file.variable else ""
    return named if os.path.isabs(named) else os.path.join(os.path.expanduser("~"), file.home_folder)


def read(path: str) -> str | None:
    """Return the text of a settings file, or None when it does not exist. Raises ValidationFailed when it is not UTF-8."""
    try:
        data = outside.read(path, _CAP)
    except MemorybankError as error:
        error.next_step = error.next_step or "move it away, so that a settings file can be created there, then run the command again"
        raise
    try:
        return None if data is None else data.decode()
    except UnicodeDecodeError:
        raise ValidationFailed(f"{path} is not valid UTF-8", next_step=settings_text.BY_HAND) from None


def _with(base: str | None, registration: Registration, program: Program | None, path: str) -> str:
    if _has_plugin(registration):
        return plugin_text(program)
    with about(path):
        return hook_entries.put(base or "", registration, program)


def _without(text: str | None, registration: Registration, path: str) -> str | None:
    """Return the file without memorybank's entries; None when there is no file or none would be left."""
    if text is None or not text.strip():
        return text
    if _has_plugin(registration):
        if not is_plugin(text):
            raise Conflict(f"{path} is not memorybank's plugin", next_step="move it away, then run the command again")
        return None
    with about(path):
        return hook_entries.take_out(text, registration)


def _has_plugin(registration: Registration) -> bool:
    """Return whether the host loads a plugin file; the others have entries in their settings."""
    return registration.host == OPENCODE


def _missing_folders(path: str) -> list[str]:
    """Return the folders that must be created for `path`, outermost first."""
    missing: list[str] = []
    folder = os.path.dirname(path)
    while not os.path.isdir(folder):
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    return missing


@contextmanager
def about(path: str) -> Iterator[None]:
    """Add the file's path and the next step to an error about its text. At this point nothing has been changed."""
    try:
        yield
    except ValidationFailed as error:
        step = error.next_step or "the file was not changed; correct it by hand, or move it away, then run the command again"
        raise ValidationFailed(f"{path}: {error.message}", next_step=step) from error
