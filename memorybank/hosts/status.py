"""Reports where the hook is registered, whether its program still exists, and what each host cannot deliver. Changes nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from memorybank.errors import MemorybankError
from memorybank.hosts import hook_entries, install, settings_text
from memorybank.hosts.detect import CLAUDE_CODE, COPILOT, OPENCODE
from memorybank.hosts.program import PORTABLE, Program, is_plugin, missing, plugin_needs
from memorybank.hosts.registration import SCOPES, TABLE, Registration
from memorybank.values import NamedTuple

INSTALLED = "installed"
OUTDATED = "outdated"
BROKEN = "broken"
UNREADABLE = "unreadable"
SWITCHED_OFF = "switched off"
ABSENT = "not installed"


class HookStatus(NamedTuple):
    """The state of one host and scope.

    state: `installed`, `outdated` (entries of another version or path), `broken` (the command's program is missing),
        `switched off` (the host is configured to run no hooks), `unreadable` or `not installed`
    events: the host's events that are registered
    missing: paths or commands that are missing
    problem: why the file is unreadable
    """

    registration: Registration
    scope: str
    path: str
    state: str
    events: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    problem: str = ""


def hook_statuses(project: str | None, program: Program, environ: Mapping[str, str], hosts: tuple[str, ...] = tuple(TABLE)) -> Iterator[HookStatus]:
    """Yield the status of every scope of these hosts; without a project, only the scopes of the person."""
    for host in hosts:
        registration = TABLE[host]
        for scope in SCOPES:
            file = registration.files.get(scope)
            if file is not None and (file.in_home or project is not None):
                yield _status(registration, scope, project, program, environ)


def is_registered(project: str | None, environ: Mapping[str, str]) -> bool:
    """Return whether any file of a host that can be read registers the hook. It may be outdated or broken, which `hook_statuses` says."""
    for registration in TABLE.values():
        for scope, file in registration.files.items():
            if not file.in_home and project is None:
                continue
            try:
                text = install.read(install.settings_path(registration, scope, project, environ)) or ""
                if text.strip() and (_of_plugin(text, registration)[0] if registration.host == OPENCODE else hook_entries.registered(text, registration)):
                    return True
            except MemorybankError:
                continue
    return False


def _status(registration: Registration, scope: str, project: str | None, program: Program, environ: Mapping[str, str]) -> HookStatus:
    shown = os.path.join(project or "", registration.files[scope].path)
    try:
        path = install.settings_path(registration, scope, project, environ)
        shown = path
        text = install.read(path)
        if text is None or not text.strip():
            return HookStatus(registration, scope, path, ABSENT)
        if registration.host == OPENCODE:
            events, lacking = _of_plugin(text, registration)
        else:
            events = tuple(hook_entries.registered(text, registration))
            lacking = tuple(dict.fromkeys(thing for line in hook_entries.commands(text, registration) for thing in missing(line)))
        if not events:
            return HookStatus(registration, scope, path, ABSENT)
        plan = install.plan_install(registration.host, scope, project, program, environ)
    except MemorybankError as error:
        return HookStatus(registration, scope, shown, UNREADABLE, problem=error.message)
    state = BROKEN if lacking else SWITCHED_OFF if is_switched_off(text, registration) else OUTDATED if plan.changes else INSTALLED
    return HookStatus(registration, scope, path, state, events, lacking)


def elsewhere(change: install.SettingsChange, project: str | None, program: Program, environ: Mapping[str, str]) -> list[HookStatus]:
    """Return the other scopes in which the host of `change` is registered, because it runs the hooks of all of them."""
    found = hook_statuses(project, program, environ, (change.registration.host,))
    return [each for each in found if each.events and each.scope != change.scope and each.path != change.path]


def is_switched_off(text: str, registration: Registration) -> bool:
    """Return whether the same file tells Claude Code or Copilot to run no hooks (`disableAllHooks`)."""
    off = settings_text.parse(text).get("disableAllHooks") if registration.host in (CLAUDE_CODE, COPILOT) else None
    return off is not None and off.plain() is True


def _of_plugin(text: str, registration: Registration) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if not is_plugin(text):
        return (), ()
    needed = plugin_needs(text)
    lacking = [path for path in needed if not os.path.exists(path)] if needed else missing(f"{PORTABLE} hook --host ")
    return tuple(registered.event for registered in registration.events), tuple(lacking)
