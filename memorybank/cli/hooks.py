"""`memorybank hooks install|uninstall|status|plugin`."""

import os

import click

from memorybank.cli import hooks_report, output, page
from memorybank.cli.call import Call
from memorybank.cli.help import examples
from memorybank.cli.output import Column
from memorybank.cli.quantities import counted
from memorybank.errors import MissingExtra
from memorybank.storage.layout import project_of

HOSTS = ("claude-code", "codex", "gemini", "copilot", "cursor", "opencode")
SCOPES = ("local", "project", "user")

_host = click.option("--host", type=click.Choice(HOSTS), default="claude-code", show_default=True, help="The coding agent's program.")
_scope = click.option(
    "--scope",
    type=click.Choice(SCOPES),
    help=(
        "local: this project on this machine; project: committed, for everybody who works on it; user: all your projects. "
        "Default: local, and project for hosts that have no local one."
    ),
)
_dry_run = click.option("--dry-run", is_flag=True, help="Show the change and make none.")


@click.group(
    epilog=examples(
        "memorybank hooks install",
        "memorybank hooks install --host codex --scope user --dry-run",
        "memorybank hooks status",
        "memorybank hooks uninstall",
    )
)
def command() -> None:
    """Let a coding agent's program call memorybank at its events: it records the session and recalls what matters.

    The settings belong to you: only memorybank's own entries are added and removed, everything else keeps every byte.
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
    help="Also register the MCP server, in the file that a project commits for it. Default: with --scope project when the extra memorybank[mcp] is installed.",
)
@_dry_run
@output.format_option()
@click.pass_obj
def install(call: Call, host: str, scope: str | None, with_server: bool | None, dry_run: bool, form: str) -> None:
    """Register the hook in a host's settings, and say what is left to do.

    Running it again changes nothing, or renews the entries of an older version. The registered command does nothing when
    memorybank is gone. With --dry-run the change is shown and not made.
    """
    from memorybank.hosts import bytecode_file, servers
    from memorybank.hosts import install as installing
    from memorybank.hosts import status as looking
    from memorybank.hosts.program import this_program
    from memorybank.hosts.registration import default_scope

    scope = scope or default_scope(host)
    has_extra = _has_extra()
    if with_server and not has_extra:
        raise MissingExtra("the package 'mcp' is not installed", next_step="python -m pip install 'memorybank[mcp]'")
    wanted = has_extra if with_server is None else with_server
    change = installing.plan_install(host, scope, _project(call, scope), this_program(), os.environ)
    server = servers.plan_install(host, scope, _project(call, scope), os.environ) if wanted else None
    if not dry_run:
        installing.execute(change, os.environ)
        if server is not None:
            installing.execute(server, os.environ)
        bytecode_file.write()
    to_type = servers.to_type(host, scope, this_program()) if wanted else ""
    asks = [
        *hooks_report.asks_of(change),
        *hooks_report.asks_of_server(server, to_type),
        *(hooks_report.also(each, dry_run) for each in looking.elsewhere(change, _project_if_any(call), this_program(), os.environ)),
    ]
    if form == "json":
        output.write_json({**hooks_report.fields(change, dry_run), **hooks_report.told(change, asks), **hooks_report.server_fields(server)})
        return
    done = "would register" if dry_run else "registered"
    title = change.registration.title
    if change.changes:
        page.say(f"{title}: {done} {counted(len(change.registration.moments), 'event')} in {hooks_report.shown_path(change.path)}")
    else:
        page.say(f"{title}: {hooks_report.shown_path(change.path)} is as it should be; nothing changed")
    if dry_run:
        output.write(hooks_report.diff(change))
    if server is not None:
        page.say(f"{title}: {f'{done} the MCP server in' if server.changes else 'the MCP server is registered in'} {hooks_report.shown_path(server.path)}")
        if dry_run:
            output.write(hooks_report.diff(server))
    hooks_report.tell(change, asks)


@command.command(
    "uninstall",
    short_help="Take the hook out of a host's settings.",
    epilog=examples("memorybank hooks uninstall", "memorybank hooks uninstall --host codex --scope user"),
)
@_host
@_scope
@_dry_run
@output.format_option()
@click.pass_obj
def uninstall(call: Call, host: str, scope: str | None, dry_run: bool, form: str) -> None:
    """Take the hook out of a host's settings.

    The file is what it was before, byte for byte; where somebody edited it since, memorybank's entries go and the edits stay. The
    memory bank is not touched.
    """
    from memorybank.hosts import install as installing
    from memorybank.hosts import servers
    from memorybank.hosts.registration import default_scope

    scope = scope or default_scope(host)
    change = installing.plan_uninstall(host, scope, _project(call, scope), os.environ)
    server = servers.plan_uninstall(host, scope, _project(call, scope), os.environ)
    if not dry_run:
        installing.execute(change, os.environ)
        if server is not None:
            installing.execute(server, os.environ)
    if form == "json":
        output.write_json({**hooks_report.fields(change, dry_run), **hooks_report.server_fields(server)})
        return
    title, shown = change.registration.title, hooks_report.shown_path(change.path)
    if not change.changes:
        page.say(f"{title}: nothing of memorybank's in {shown}; nothing changed")
    elif change.after is None:
        page.say(f"{title}: {'would remove' if dry_run else 'removed'} {shown}, which memorybank had made")
    else:
        page.say(f"{title}: {'would take' if dry_run else 'took'} memorybank's entries out of {shown}")
    if dry_run:
        output.write(hooks_report.diff(change))
    if server is not None and server.changes:
        page.say(f"{title}: {'would take' if dry_run else 'took'} the MCP server out of {hooks_report.shown_path(server.path)}")
        if dry_run:
            output.write(hooks_report.diff(server))


@command.command(
    "status",
    short_help="Show where the hook is registered, and what each host cannot deliver.",
    epilog=examples("memorybank hooks status", "memorybank hooks status --format json"),
)
@output.format_option()
@click.pass_obj
def status(call: Call, form: str) -> None:
    """Show where the hook is registered, whether its program is still there, and at which moments a host takes no memory.

    Whether a person has trusted the hooks in the host itself cannot be seen from outside.
    """
    from memorybank.hosts import status as looking
    from memorybank.hosts.program import this_program
    from memorybank.hosts.registration import TABLE

    found = list(looking.standings(_project_if_any(call), this_program(), os.environ))
    shown = [each for each in found if each.state != looking.ABSENT]
    absent = [registration.title for host, registration in TABLE.items() if not any(each.registration.host == host for each in shown)]
    if form == "json":
        output.write_json([hooks_report.standing_fields(each) for each in found])
        return
    if shown and form == "table" and output.is_page():
        page.cards(hooks_report.card(each) for each in shown)
    else:
        columns = (Column("host"), Column("scope"), Column("state"), Column("events", right=True), Column("file", flexible=True))
        cells = [(each.registration.title, each.scope, each.state, len(each.events) or "-", hooks_report.shown_path(each.path)) for each in shown]
        output.rows(form, columns, cells, None, empty="no hook is registered; 'memorybank hooks install' registers one")
    for each in shown:
        for line in hooks_report.remarks(each):
            page.say(line)
    for host in dict.fromkeys(each.registration.host for each in shown):
        registered = [each for each in shown if each.registration.host == host and each.events]
        if len(registered) > 1:
            page.say(f"{TABLE[host].title} is registered {len(registered)} times: every event starts a hook for each. {hooks_report.once(registered[-1])}")
        for reason in TABLE[host].lacks.values():
            page.say(f"{TABLE[host].title}: {reason}")
    if shown and absent:
        page.say(f"Not registered: {', '.join(absent)}")


@command.command(
    "plugin",
    short_help="Write a Claude Code plugin with the same hooks.",
    epilog=examples("memorybank hooks plugin ./memorybank-plugin", "claude plugin validate ./memorybank-plugin --strict"),
)
@click.argument("folder", metavar="DIR")
@_dry_run
@output.format_option()
@click.pass_obj
def plugin(call: Call, folder: str, dry_run: bool, form: str) -> None:
    """Write a Claude Code plugin with the same hooks into DIR.

    For people who install plugins instead of changing settings, and for sharing: it starts 'memorybank hook' from the PATH.
    """
    from memorybank import __version__
    from memorybank.hosts import plugin as writing

    path = os.path.abspath(folder)
    planned = writing.plan(path, __version__)
    if not dry_run:
        writing.write(path, planned)
    if form == "json":
        output.write_json({"folder": path, "dry_run": dry_run, "files": [{"path": file.name, "changed": not file.unchanged} for file in planned]})
        return
    for file in planned:
        page.say(f"{'unchanged' if file.unchanged else 'would write' if dry_run else 'wrote'} {os.path.join(folder, file.name)}")


def _has_extra() -> bool:
    """Whether `memorybank mcp` would start; looked up, not loaded."""
    from importlib.util import find_spec

    return find_spec("mcp") is not None


def _project(call: Call, scope: str) -> str | None:
    """The folder whose settings are meant; None for the person's own."""
    return None if scope == "user" else project_of(call.layout())


def _project_if_any(call: Call) -> str | None:
    from memorybank.errors import NotFound

    try:
        return project_of(call.layout())
    except NotFound:
        if call.named is not None:
            raise
        return None
