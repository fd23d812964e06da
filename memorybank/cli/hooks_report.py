"""Prints the results of the `hooks` commands: changes to a host's settings, and where hooks are registered."""

import difflib
import os
from typing import TYPE_CHECKING, NamedTuple

from memorybank.cli import output, page
from memorybank.cli.output import Column
from memorybank.cli.page import Card
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.hosts.install import SettingsChange
    from memorybank.hosts.servers import InstallPlan, ServerStatus
    from memorybank.hosts.status import HookStatus


WITHOUT_MEMORY = (
    "To run a session without memory, set MEMORYBANK_RECALL=off in the environment, or write 'no memory in this session' in a prompt. "
    "It is shown nothing, and nothing is made of it. Only its event log (log/events) and the lines of it in the cache (cache/cycle.sqlite3) stay, on this "
    "machine; neither is committed."
)


def plan_fields(plan: "InstallPlan", dry_run: bool) -> dict[str, object]:
    change = plan.hooks
    return {
        "host": change.registration.host,
        "scope": change.scope,
        "file": change.path,
        "changed": change.changes,
        "dry_run": dry_run,
        "diff": diffs(plan),
        "mcp_server": None if plan.server is None else {"file": plan.server.path, "changed": plan.changes_server},
    }


def install_fields(change: "SettingsChange", steps: list[str]) -> dict[str, object]:
    from memorybank.hosts.registration import SESSION_NOTES

    return {
        "events": [registered.event for registered in change.registration.events],
        "still_to_do": steps,
        "not_delivered": change.registration.lacks,
        "session_notes": SESSION_NOTES,
    }


def print_install(form: str, plan: "InstallPlan", steps: list[str], dry_run: bool, indexed: int) -> None:
    """Print what was or would be registered where, and the steps that are left to a person.

    indexed: number of notes that were new to the index
    """
    from memorybank.hosts.originals import path_of
    from memorybank.hosts.registration import SESSION_NOTES

    change, done = plan.hooks, "would register" if dry_run else "registered"
    title, path = change.registration.title, shown_path(change.path)
    if change.changes:
        page.say(f"{title}: {done} {counted(len(change.registration.events), 'event')} in {path}")
    else:
        page.say(f"{title}: {path} is up to date; nothing changed")
    if plan.server is not None:
        state = f"{done} the MCP server in" if plan.changes_server else "the MCP server is registered in"
        page.say(f"{title}: {state} {shown_path(plan.server.path)}")
    if dry_run:
        output.write(diffs(plan))
    had_file = change.original is not None and change.original.text is not None
    kept = [("backup", f"the file before the change: {shown_path(path_of(change.path, os.environ))}")] if had_file else []
    lacks = [("no memory", reason) for reason in change.registration.lacks.values()]
    index = [("index", f"indexed {counted(indexed, 'note')}")] if indexed else []
    page.facts(form, [*kept, *index, *lacks, *(("to do", step) for step in steps), ("notes", SESSION_NOTES), ("opt out", WITHOUT_MEMORY)])


def print_uninstall(form: str, plan: "InstallPlan", steps: list[str], dry_run: bool) -> None:
    """Print what was or would be removed from where, and the steps that are left to a person."""
    change, done = plan.hooks, "would remove" if dry_run else "removed"
    title, path = change.registration.title, shown_path(change.path)
    is_deleted = plan.changes[-1].after is None
    if not change.changes:
        page.say(f"{title}: no memorybank hook in {path}{'' if plan.changes_server else '; nothing changed'}")
    elif is_deleted:
        page.say(f"{title}: {done} {path}, which memorybank had created")
    else:
        page.say(f"{title}: {done} memorybank's entries from {path}")
    if plan.server is not None and plan.changes_server and not (is_deleted and plan.server.path == change.path):
        page.say(f"{title}: {done} the MCP server from {shown_path(plan.server.path)}")
    if dry_run:
        output.write(diffs(plan))
    page.facts(form, [("to do", step) for step in steps])


def remaining_steps(change: "SettingsChange") -> list[str]:
    from memorybank.hosts.program import PORTABLE, on_path
    from memorybank.hosts.status import is_switched_off

    steps = list(change.registration.asks)
    if change.after is not None and is_switched_off(change.after, change.registration):
        steps.insert(0, f"'disableAllHooks' in {shown_path(change.path)} disables every hook: remove it, or nothing is recorded.")
    if change.scope == "local":
        steps.append(f"{shown_path(change.path)} now contains paths of this machine: keep it out of git, for example with a line in .gitignore.")
    if change.scope == "project" and not on_path(PORTABLE):
        steps.append(f"'{PORTABLE}' is not on the PATH here, so nothing is recorded on this machine yet: install it in a folder on the PATH.")
    if change.scope == "project":
        steps.append("Everybody who works on this project needs 'memorybank' on the PATH; where it is missing, the hook does nothing.")
    return steps


def remaining_server_steps(plan: "InstallPlan", scope: str, add_command: str) -> list[str]:
    """Return the steps that are left before an agent has the tools of `memorybank mcp`."""
    from memorybank.hosts.servers import SERVER_LOCATIONS

    place = SERVER_LOCATIONS.get((plan.hooks.registration.host, scope))
    if add_command:
        everywhere = "" if place is not None else " (in all your projects, because this host has no file for one project on one machine)"
        return [f"To offer memory as tools, too{everywhere}, run: {add_command}"]
    if place is None or plan.server is None:
        return []
    others = f"Everybody who uses the tools of {shown_path(plan.server.path)} needs the extra: pip install 'memorybank[mcp]'."
    return [*filter(None, (place.ask,)), *([others] if scope == "project" else [])]


class _RegistrationRow(NamedTuple):
    """One row of `memorybank hooks status`.

    what: hooks or MCP server
    events: number of registered events; 0 for a server
    """

    title: str
    scope: str
    what: str
    state: str
    events: int
    path: str


_ROW_COLUMNS = (Column("host"), Column("scope"), Column("what"), Column("state"), Column("events", right=True), Column("file", flexible=True))


def print_registrations(form: str, hooks: "Sequence[HookStatus]", servers: "Sequence[ServerStatus]") -> None:
    from memorybank.hosts.registration import TABLE

    rows = [_RegistrationRow(each.registration.title, each.scope, "hooks", each.state, len(each.events), shown_path(each.path)) for each in hooks]
    rows += [_RegistrationRow(TABLE[each.host].title, each.scope, "MCP server", each.state, 0, shown_path(each.path)) for each in servers]
    page.listing(form, rows, _ROW_COLUMNS, _row_cells, _row_card, empty="no hook is registered; 'memorybank hooks install' registers one")


def _row_cells(row: _RegistrationRow) -> tuple[object, ...]:
    return row.title, row.scope, row.what, row.state, row.events or "-", row.path


def _row_card(row: _RegistrationRow) -> Card:
    registered = f"{counted(row.events, 'event')} in " if row.events else "" if row.what == "hooks" else f"{row.what} in "
    return Card(row.state, f"{row.title}, scope {row.scope}", (f"{registered}{row.path}",))


def duplicate_registration_notice(status: "HookStatus", dry_run: bool) -> str:
    """Return the consequence of a registration of the same host in another scope."""
    would = "would start" if dry_run else "starts"
    also = f"{shown_path(status.path)} (scope {status.scope}) also registers the hook"
    return f"{also}, so every event {would} one for each registration. {duplicate_registration_cost(status)}"


def duplicate_registration_cost(status: "HookStatus") -> str:
    out = f"'memorybank hooks uninstall --host {status.registration.host} --scope {status.scope}'"
    return f"Events are recorded once and memory is shown once, but each hook takes time; {out} removes this registration."


def status_remarks(status: "HookStatus") -> list[str]:
    title = f"{status.registration.title} ({status.scope})"
    again = f"'memorybank hooks install --host {status.registration.host} --scope {status.scope}'"
    renewed = "install memorybank in a folder on the PATH" if status.scope == "project" else f"{again} updates it"
    lines = [f"{title}: {thing} is missing here, so the hook does nothing; {renewed}" for thing in status.missing]
    if status.problem:
        lines.append(f"{title}: {status.problem}")
    if status.state == "switched off":
        lines.append(f"{title}: 'disableAllHooks' in that file disables every hook")
    if status.state == "outdated":
        lines.append(f"{title}: the entries are outdated; {again} updates them")
    return lines


def server_remarks(server: "ServerStatus") -> list[str]:
    from memorybank.hosts.registration import TABLE

    title = f"{TABLE[server.host].title} ({server.scope}): the MCP server"
    lines = [f"{title} cannot start, because {thing} is missing here; {step}" for thing, step in server.missing]
    return [*lines, *([f"{title} could not be checked: {server.problem}"] if server.problem else [])]


def status_fields(status: "HookStatus", servers: "Sequence[ServerStatus]") -> dict[str, object]:
    """Return the JSON fields of one host and scope, with the MCP server if it is registered there too."""
    server = next((each for each in servers if (each.host, each.scope) == (status.registration.host, status.scope)), None)
    return {
        "host": status.registration.host,
        "scope": status.scope,
        "file": status.path,
        "state": status.state,
        "events": list(status.events),
        "missing": list(status.missing),
        "problem": status.problem,
        "not_delivered": status.registration.lacks,
        "mcp_server": None if server is None else server_fields(server),
    }


def server_fields(server: "ServerStatus") -> dict[str, object]:
    return {
        "file": server.path,
        "state": server.state,
        "command": list(server.words),
        "missing": [each.thing for each in server.missing],
        "problem": server.problem,
    }


def diffs(plan: "InstallPlan") -> str:
    """Return the changes to each file as unified diffs; "" when nothing changes."""
    return "".join(diff(change) for change in reversed(plan.changes))


def diff(change: "SettingsChange") -> str:
    """Return the changes to a file as a unified diff; "" when nothing changes."""
    before, after = ((text or "").splitlines(keepends=True) for text in (change.before, change.after))
    shown = shown_path(change.path)
    lines = difflib.unified_diff(before, after, shown if change.before is not None else "/dev/null", shown if change.after is not None else "/dev/null")
    return output.clean_text("".join(line if line.endswith("\n") else line + "\n" for line in lines))


def shown_path(path: str) -> str:
    """Return the path relative to the working folder or to `~` if it is inside one of them."""
    from memorybank.config import personal_bank

    relative = os.path.relpath(path)
    return personal_bank.as_written(path, os.environ) if relative.startswith("..") else relative
