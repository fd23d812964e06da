"""`memorybank hooks install|uninstall|status|plugin`."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from memorybank.cli import hooks_report, output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.errors import Conflict, MissingExtra, UsageError, ValidationFailed
from memorybank.installed import extra_command
from memorybank.storage.layout import project_of

if TYPE_CHECKING:
    from memorybank.hosts.install import SettingsChange
    from memorybank.hosts.servers import InstallPlan

HOSTS = ("claude-code", "codex", "gemini", "copilot", "cursor", "opencode")
SCOPES = ("local", "project", "user")

_host = click.option("--host", type=click.Choice(HOSTS), default="claude-code", show_default=True, help="Coding agent whose settings change.")
_scope = click.option(
    "--scope",
    type=click.Choice(SCOPES),
    help=(
        "local: this project on this machine; project: committed, for everybody who works on it; user: all your projects. "
        "Default: local, or project for hosts without a local scope."
    ),
)
_dry_run = click.option("--dry-run", is_flag=True, help="Only show the change; nothing is written.")


@click.group(
    epilog=examples(
        "memorybank hooks install",
        "memorybank hooks install --host codex --scope user --dry-run",
        "memorybank hooks status",
        "memorybank hooks uninstall",
    )
)
def command() -> None:
    """Register memorybank with a coding agent, which then calls it at its events to record the session and recall memories.

    The settings belong to you: only memorybank's own entries are added and removed, and everything else stays as it is, byte for byte.
    """


@command.command(
    "install",
    short_help="Register the hook in a host's settings.",
    epilog=examples("memorybank hooks install", "memorybank hooks install --host gemini --scope project", "memorybank hooks install --dry-run"),
)
@_host
@_scope
@click.option(
    "--mcp/--no-mcp",
    "with_server",
    default=None,
    help="Also register the MCP server, if the scope has a file for it. Default: yes, if the extra memorybank[mcp] is installed.",
)
@_dry_run
@output.format_option()
@click.pass_obj
def install(call: CommandCall, host: str, scope: str | None, with_server: bool | None, dry_run: bool, form: str) -> None:
    """Register the hook in a host's settings, and list the steps that are left to you.

    Running it again changes nothing, or updates the entries of an older version. If memorybank is uninstalled later, the registered command does nothing.
    Notes that are not indexed yet, as in a fresh clone, are indexed, so that the first session recalls them. With --dry-run the change is only shown.
    """
    from memorybank.cli.index import take_in
    from memorybank.hosts import bytecode_file, heartbeat, servers
    from memorybank.hosts import install as installing
    from memorybank.hosts import status as looking
    from memorybank.hosts.program import this_program
    from memorybank.hosts.registration import default_scope

    scope, program = scope or default_scope(host), this_program()
    has_extra = servers.has_extra()
    if with_server and not has_extra:
        raise MissingExtra("the package 'mcp', version 2 or later, is not installed", next_step=f"install it with: {extra_command('mcp')}")
    project = _project(call, scope)
    change = installing.plan_install(host, scope, project, program, os.environ)
    plan, server_steps = servers.InstallPlan(change), []
    if has_extra if with_server is None else with_server:
        plan, refused = _with_server(change, lambda: servers.plan_install(host, scope, project, program, os.environ, change), insists=bool(with_server))
        known = servers.server_statuses(_project_if_any(call), os.environ)
        server_steps = refused or hooks_report.remaining_server_steps(plan, scope, servers.add_command(host, scope, program, known))
    if not dry_run:
        for each in plan.changes:
            installing.execute(each, os.environ)
        if not bytecode_file.is_current():
            bytecode_file.write()
        heartbeat.write_script(os.environ)
    indexed = 0 if dry_run else take_in(call)
    steps = [
        *hooks_report.remaining_steps(change),
        *_trust_step(call),
        *server_steps,
        *(hooks_report.duplicate_registration_notice(each, dry_run) for each in looking.elsewhere(change, _project_if_any(call), program, os.environ)),
    ]
    if not output.as_json(form, {**hooks_report.plan_fields(plan, dry_run), **hooks_report.install_fields(change, steps), "indexed": indexed}):
        hooks_report.print_install(form, plan, steps, dry_run, indexed)


def _trust_step(call: CommandCall) -> list[str]:
    """Return the step after which agents are shown a bank that came with a repository."""
    from memorybank.errors import NotFound
    from memorybank.trust import gate

    try:
        layout = call.layout()
    except NotFound:
        return []
    reason = gate.gate_of(layout, os.environ, call.clock, keep=False).reason
    return [reason[0].upper() + reason[1:] + "."] if reason else []


@command.command(
    "uninstall",
    short_help="Remove the hook from a host's settings.",
    epilog=examples("memorybank hooks uninstall", "memorybank hooks uninstall --host codex --scope user"),
)
@_host
@_scope
@_dry_run
@output.format_option()
@click.pass_obj
def uninstall(call: CommandCall, host: str, scope: str | None, dry_run: bool, form: str) -> None:
    """Remove the hook from a host's settings.

    The file becomes what it was before, byte for byte. If it was edited since, memorybank's entries are removed and the edits stay. The memory bank is not
    touched.
    """
    from memorybank.hosts import heartbeat, servers
    from memorybank.hosts import install as installing
    from memorybank.hosts.registration import default_scope

    scope = scope or default_scope(host)
    project = _project(call, scope)
    change = installing.plan_uninstall(host, scope, project, os.environ)
    plan, steps = _with_server(change, lambda: servers.plan_uninstall(host, scope, project, os.environ, change), insists=False)
    if by_hand := servers.remove_command(host, scope, servers.server_statuses(project, os.environ)):
        steps.append(f"The MCP server was registered by hand; to remove it, run: {by_hand}")
    if not dry_run:
        for each in plan.changes:
            installing.execute(each, os.environ)
        if project is not None:
            heartbeat.forget(project, os.environ)
    if not output.as_json(form, {**hooks_report.plan_fields(plan, dry_run), "still_to_do": steps}):
        hooks_report.print_uninstall(form, plan, steps, dry_run)


@command.command(
    "status",
    short_help="Show where hook and MCP server are registered, and what each host cannot deliver.",
    epilog=examples("memorybank hooks status", "memorybank hooks status --format json"),
)
@output.format_option()
@click.pass_obj
def status(call: CommandCall, form: str) -> None:
    """Show where the hook and the MCP server are registered, whether their programs still exist, and at which moments a host accepts no memory.

    Whether you have trusted the hooks in the host itself cannot be seen from outside.
    """
    from memorybank.hosts import servers
    from memorybank.hosts import status as looking
    from memorybank.hosts.program import this_program
    from memorybank.hosts.registration import TABLE

    project = _project_if_any(call)
    found = list(looking.hook_statuses(project, this_program(), os.environ))
    registered_servers = list(servers.server_statuses(project, os.environ))
    shown = [each for each in found if each.state != looking.ABSENT]
    absent = [registration.title for host, registration in TABLE.items() if not any(each.registration.host == host for each in shown)]
    if output.as_json(form, [hooks_report.status_fields(each, registered_servers) for each in found]):
        return
    hooks_report.print_registrations(form, shown, registered_servers)
    remarks = [line for each in shown for line in hooks_report.status_remarks(each)]
    remarks += [line for each in registered_servers for line in hooks_report.server_remarks(each)]
    page.say(*remarks)
    for host in dict.fromkeys(each.registration.host for each in shown):
        registered = [each for each in shown if each.registration.host == host and each.events]
        if len(registered) > 1:
            again = f"{TABLE[host].title} is registered {len(registered)} times, so every event starts a hook for each registration."
            page.say(f"{again} {hooks_report.duplicate_registration_cost(registered[-1])}")
        for reason in TABLE[host].lacks.values():
            page.say(f"{TABLE[host].title}: {reason}")
    if (shown or registered_servers) and absent:
        page.say(f"No hooks are registered in: {', '.join(absent)}")


@command.command(
    "plugin",
    short_help="Write a plugin of Claude Code, or an extension of Gemini CLI, with the same hooks.",
    epilog=examples(
        "memorybank hooks plugin ./memorybank-plugin",
        "claude plugin validate ./memorybank-plugin --strict",
        "memorybank hooks plugin ./memorybank-extension --host gemini",
        "gemini extensions install ./memorybank-extension --consent",
    ),
)
@click.argument("folder", metavar="DIR")
@click.option("--host", type=click.Choice(["claude-code", "gemini"]), default="claude-code", show_default=True, help="The agent that loads it.")
@_dry_run
@output.format_option()
def plugin(folder: str, host: str, dry_run: bool, form: str) -> None:
    """Write a plugin of Claude Code, or an extension of Gemini CLI, with the same hooks into DIR.

    Use it to install a plugin instead of changing settings, or to share the hooks. It runs 'memorybank hook' and the MCP server from the PATH.
    """
    from memorybank import __version__
    from memorybank.hosts import plugin as writing

    path = os.path.abspath(folder)
    planned = writing.plan(path, __version__, host)
    if not dry_run:
        writing.write(path, planned)
    if output.as_json(form, {"folder": path, "dry_run": dry_run, "files": [{"path": file.name, "changed": not file.unchanged} for file in planned]}):
        return
    for file in planned:
        page.say(f"{'unchanged' if file.unchanged else 'would write' if dry_run else 'wrote'} {os.path.join(folder, file.name)}")


def _with_server(change: "SettingsChange", plan: "Callable[[], InstallPlan]", *, insists: bool) -> "tuple[InstallPlan, list[str]]":
    """Return (the plan with the MCP server next to the hooks, the steps that are left to a person).

    A file that cannot be edited automatically leaves out the server only.

    insists: whether to raise the error instead, because the server was asked for explicitly
    """
    from memorybank.hosts import servers

    try:
        return plan(), []
    except (Conflict, ValidationFailed) as error:
        if insists:
            raise
        return servers.InstallPlan(change), [f"The MCP server is left as it is: {error.message}. To change that, {error.next_step}."]


def _project(call: CommandCall, scope: str) -> str | None:
    """Return the project whose settings change; None for the person's own settings. Raises `UsageError` for the personal bank, in which no agent works."""
    if call.is_personal:
        raise UsageError("hooks belong to a project, not to the personal bank", next_step="run 'memorybank hooks' in the project, without --personal")
    return None if scope == "user" else project_of(call.layout())


def _project_if_any(call: CommandCall) -> str | None:
    from memorybank.errors import NotFound

    try:
        return project_of(call.layout())
    except NotFound:
        if call.named is not None:
            raise
        return None
