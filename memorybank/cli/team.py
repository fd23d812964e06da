"""`memorybank team`: one memory with a team, on a server of the organisation."""

import sys
from typing import TYPE_CHECKING, Any

import click

from memorybank.cli import output, page, team_report
from memorybank.cli.asking import require_consent
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import InstantType, limit_option
from memorybank.errors import MemorybankError, UsageError
from memorybank.reasons.reason import text_of
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.team.connection import TeamConnection
    from memorybank.team.row import TeamStatus

_TYPES = ("keyword", "semantic", "hybrid")
_KINDS = ("note", "archived", "learned", "episode")
_NONE = "none"


@click.group(
    epilog=examples(
        "memorybank team connect postgresql://ann@db.example.org/memory --organisation acme",
        "memorybank team push --dry-run              what would be shared, and what stays here, with the reasons",
        "memorybank team push                        the same, then it asks",
        "memorybank team pull                        fetch what others shared; sessions are shown it after the repository's own memories",
        "memorybank team search retry policy         every repository that you may read",
        "memorybank team status",
        "memorybank team revoke                      withdraw everything that this machine shared",
    )
)
def command() -> None:
    """Share this bank's memories with your team through a PostgreSQL server of your organisation, and use what others shared.

    Sharing by git needs no server and stays the default (docs/teams.md). Nothing is sent before you run 'team push', or let 'maintain' do it with
    'team connect --push maintain'. Only what everybody may see and what you trust is shared, without secrets.
    """


@command.command(
    "connect",
    epilog=examples(
        "memorybank team connect postgresql://ann@db.example.org/memory --organisation acme",
        "memorybank team connect 'postgresql://ann@db.example.org/memory?sslrootcert=/etc/acme/ca.pem' --organisation acme",
        "memorybank team connect ADDRESS --organisation acme --episodes --push maintain    change what is shared, and when",
        "pass show acme/memory | memorybank team connect ADDRESS --organisation acme --password-stdin",
    ),
)
@click.argument("address")
@click.option("--organisation", required=True, metavar="NAME", help="Name of the organisation on the server.")
@click.option(
    "--repository", metavar="NAME", help="Name of this repository on the server. Default: an id that follows from its first commit, the same in every clone."
)
@click.option("--name", metavar="TEXT", help="Name of this repository in your own listings; it is not sent. Default: the name of its folder.")
@click.option("--push", "push", type=click.Choice(["command", "maintain"]), help="Push only by 'team push', or also by 'maintain'. Default: command.")
@click.option("--episodes/--no-episodes", "episodes", default=None, help="Share the summaries of days. Default: no.")
@click.option("--session-notes/--no-session-notes", "session_notes", default=None, help="Share the notes about sessions. Default: no.")
@click.option("--pull-at-session-end/--no-pull-at-session-end", "pull_at_session_end", default=None, help="Also pull when a session ends. Default: no.")
@click.option("--password-stdin", is_flag=True, help="Read the password from the first line of standard input.")
@click.option("--offline", is_flag=True, help="Store the connection without asking the server.")
@output.text_format_option("Lines of text, or a JSON object.")
@click.pass_obj
def connect(call: CommandCall, /, address: str, organisation: str, password_stdin: bool, offline: bool, form: str, **chosen: Any) -> None:
    """Connect this bank to the server at ADDRESS (postgresql://LOGIN@HOST/DATABASE), or change how it is connected. Nothing is shared yet.

    The connection is stored in your own settings, the password in the keyring of your system. The server is verified by its certificate. Run it in each
    clone: the server recognises the repository.
    """
    bank = call.open()
    proposed = bank.team.proposed(address, organisation, **chosen)
    password = _password(proposed, is_given=password_stdin, is_asked=form != "json" and not offline)
    status = None if offline else bank.team.check(proposed=proposed, password=password)
    bank.team.connect(proposed, password=password)
    access = status.repositories.get(proposed.repository, "") if status is not None else ""
    data = {**proposed.to_json(), "access": access or None, "server": status.to_json() if status is not None else None}
    output.result(form, f"connected to {proposed.host} as repository {proposed.repository} of {organisation}", data)
    if status is not None and access not in ("write", "lead"):
        may = "only read" if access else "not read or write"
        output.notice(f"your login may {may} this repository; an administrator of the server can change that, with the name {proposed.repository}")
    elif form != "json" and (state := bank.team.state()) is not None and not state.ledger.shared:
        output.notice("nothing is shared yet; 'memorybank team push' shows what would be, and asks")


def _password(proposed: "TeamConnection", *, is_given: bool, is_asked: bool) -> str:
    """Return the password that the person gave to this command; "" when the stored one is used, or none is needed."""
    import os

    from memorybank.team import passwords
    from memorybank.team.connection import host_of_address

    if is_given:
        given = sys.stdin.readline().rstrip("\r\n")
        if not given:
            raise UsageError("standard input contains no password", next_step="write it into the command, such as: pass show acme | memorybank team connect …")
        return given
    is_needed = not host_of_address(proposed.address)[1] and not passwords.load(proposed.address, os.environ)
    if is_needed and is_asked and sys.stdin.isatty():
        return str(click.prompt("Password (empty for none)", hide_input=True, default="", show_default=False, err=True))
    return ""


@command.command("disconnect", epilog=examples("memorybank team revoke && memorybank team disconnect      withdraw everything first"))
@output.text_format_option("One line, or a JSON object.")
@click.pass_obj
def disconnect(call: CommandCall, form: str) -> None:
    """Forget the connection, its password, and what others shared. What this machine shared stays on the server until 'team revoke'."""
    bank = call.open()
    shared = state.ledger.shared if (state := bank.team.state()) is not None else 0
    found = bank.team.disconnect()
    output.result(form, f"disconnected from {found.host}", {"address": found.address, "organisation": found.organisation, "still_shared": shared})
    if shared:
        output.notice(f"{counted(shared, 'memory', 'memories')} of this machine stay on the server; 'team revoke' withdraws them, after 'team connect'")


@command.command("status", epilog=examples("memorybank team status", "memorybank team status --offline --format json"))
@click.option("--offline", is_flag=True, help="Do not ask the server.")
@output.format_option()
@click.pass_obj
def status(call: CommandCall, offline: bool, form: str) -> None:
    """Show the connection of this bank: what is shared, what waits, and which machines share something. It also works when the server does not answer."""
    bank = call.open()
    bank.team.required()
    state = bank.team.state()
    assert state is not None, "there is a connection"
    answer, error = (None, None) if offline else _asked(bank)
    if form == "json":
        of_server = {"server": answer.to_json() if answer is not None else None, "error": error.message if error is not None else None}
        output.write_json({**state.to_json(), **of_server})
        return
    page.facts(form, [*team_report.facts(state), *team_report.server_facts(state, answer, error)])
    if answer is not None and answer.origins:
        names = bank.team.names()
        page.say("")
        cells = [
            (names.get(one.repository, one.repository), team_report.machine(one.origin, state), one.rows, "revoked" if one.is_revoked else None)
            for one in answer.origins
        ]
        output.rows(form, team_report.ORIGIN_COLUMNS, cells, None, empty="")


def _asked(bank: "Bank") -> "tuple[TeamStatus | None, MemorybankError | None]":
    try:
        return bank.team.check(quick=True), None
    except MemorybankError as error:
        return None, error


@command.command(
    "push",
    epilog=examples(
        "memorybank team push --dry-run                 what would be sent; uses no network",
        "memorybank team push --all                     with the name of every memory",
        "memorybank team push --yes --format json",
    ),
)
@click.option("--dry-run", is_flag=True, help="Only print what would be sent and what stays here. Uses no network.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@click.option("--all", "every", is_flag=True, help="Name every memory in the preview, not only the first of each kind.")
@output.text_format_option("Lines of text, or a JSON object.")
@click.pass_obj
def push(call: CommandCall, dry_run: bool, yes: bool, every: bool, form: str) -> None:
    """Share what is new or changed, and withdraw what you deleted, archived, purged or made private. Shows everything first, and asks.

    Without a server, what you agreed to waits for the next push or 'maintain'. The queue contains no texts: they are read again when they are sent, and
    only sent if they still are what you agreed to.
    """
    bank = call.open(read_only=dry_run)
    planned = bank.team.plan()
    if form != "json":
        team_report.preview(planned, every=every)
    if dry_run or planned.is_empty:
        if form == "json":
            output.write_json({**team_report.plan_fields(planned), "dry_run": dry_run, "pushed": None})
        return
    if not yes:
        step = "look at it with --dry-run, then repeat the command with --yes"
        require_consent(f"Send this to {bank.team.required().host}?", refusal="nobody agreed to share this", next_step=step)
    try:
        report = bank.team.push(planned)
    except MemorybankError as error:
        if error.code == "team_unreachable":
            output.notice("what you agreed to waits, and is sent by the next 'team push' or 'maintain'")
        raise
    if output.as_json(form, {**team_report.plan_fields(planned), "dry_run": False, "pushed": report.to_json()}):
        return
    page.say(f"sent {report.sent:,}, withdrew {report.withdrawn:,}")
    if report.left:
        output.notice(f"{counted(report.left, 'memory', 'memories')} changed after the preview and were not sent; push again")


@command.command("pull", epilog=examples("memorybank team pull", "memorybank team pull --format json"))
@output.text_format_option("One line, or a JSON object.")
@click.pass_obj
def pull(call: CommandCall, form: str) -> None:
    """Fetch what others shared about this repository, and the memories of the entire organisation, into a local copy.

    Sessions are shown it after the repository's own memories, labelled with the machine that shared it, and without any network.
    """
    report = call.open().team.pull()
    output.result(form, f"received {report.received:,}; {counted(report.notes, 'note')} of others here, {report.changed:,} changed", report.to_json())
    for name in report.lost:
        output.notice(f"your login may not read {name} any more, so its memories were removed here")


@command.command(
    "search",
    epilog=examples(
        "memorybank team search retry policy",
        "memorybank team search --type hybrid 'people get logged out'",
        "memorybank team search --here staging          this repository and the entire organisation",
        "memorybank team search --kind note,learned --since 2026-01-01 deadlock --format json",
    ),
)
@click.argument("words", nargs=-1, required=True, metavar="QUERY...")
@click.option("--type", type=click.Choice(_TYPES), default="keyword", show_default=True, help="By words, by meaning (with your embedder), or by both.")
@click.option("--here", is_flag=True, help="Search only this repository and the memories of the entire organisation.")
@click.option("--kind", "kinds", metavar="|".join(_KINDS), help="Kinds of memories, separated by commas. Default: all.")
@click.option("--since", type=InstantType(), help="Only memories that were modified then or later.")
@limit_option("Maximum number of hits.", default=10, most=200)
@output.format_option()
@click.pass_obj
def search(call: CommandCall, words: tuple[str, ...], type: str, here: bool, kinds: str | None, since: int | None, limit: int, form: str) -> None:
    """Search what everybody shared, in all repositories that you may read. Asks the server; the text of the query is sent to it, without secrets."""
    bank = call.open()
    wanted = tuple(kind.strip() for kind in kinds.split(",")) if kinds else ()
    for kind in wanted:
        if kind not in _KINDS:
            raise click.UsageError(f"--kind: {kind!r} is not one of {', '.join(_KINDS)}")
    found, why = bank.team.search(" ".join(words), type, limit, everywhere=not here, kinds=wanted, since=since)
    if why is not None:
        output.notice(text_of(why))
    names = bank.team.names()
    data = {"query": " ".join(words), "type": type, "hits": [team_report.hit_fields(hit, names) for hit in found]}
    cells = [team_report.hit_cells(rank, hit, names) for rank, hit in enumerate(found, 1)]
    output.rows(form, team_report.HIT_COLUMNS, cells, data, empty="no hits")


@command.command(
    "revoke",
    epilog=examples(
        "memorybank team revoke                          everything that this machine shared for this repository",
        "memorybank team revoke ann.3f9c2a71             what another machine shared: your own, or as a lead of the repository",
    ),
)
@click.argument("origin", required=False)
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@output.text_format_option("One line, or a JSON object.")
@click.pass_obj
def revoke(call: CommandCall, origin: str | None, yes: bool, form: str) -> None:
    """Withdraw everything that a machine shared, and refuse what it sends later, such as after a laptop was lost. 'team status' lists the machines."""
    bank = call.open()
    bank.team.required()
    if not yes:
        question = f"Withdraw everything that {origin or 'this machine'} shared?"
        require_consent(question, refusal="nobody agreed to withdraw this", next_step="repeat the command with --yes")
    named, count = bank.team.revoke(origin or "")
    output.result(form, f"withdrew {count:,} of {named}", {"origin": named, "withdrawn": count})


def _administrators_password(address: str, *, is_given: bool) -> str:
    """Return the password of the administrator: from standard input, the environment or the keyring; "" where the server needs none."""
    import os

    from memorybank.team import passwords

    return sys.stdin.readline().rstrip("\r\n") if is_given else passwords.load(address, os.environ)


@command.command(
    "install",
    epilog=examples(
        "memorybank team install 'postgresql://postgres@/memory?host=/run/postgresql' --organisation acme",
        "pass show db/admin | memorybank team install postgresql://admin@db.example.org/memory --organisation acme --password-stdin",
    ),
)
@click.argument("address")
@click.option("--organisation", required=True, metavar="NAME", help="Name of the organisation on the server.")
@click.option("--password-stdin", is_flag=True, help="Read the password from the first line of standard input.")
@output.text_format_option("One line, or a JSON object.")
def install(address: str, organisation: str, password_stdin: bool, form: str) -> None:
    """Install the schema of a team's memory in a PostgreSQL database, or bring it up to date. For administrators of the database."""
    from memorybank.team.connection import checked_name
    from memorybank.team.roles import TeamAdministration

    checked_name(organisation, "the organisation")
    with TeamAdministration(address, _administrators_password(address, is_given=password_stdin), organisation=organisation) as administration:
        done = administration.install()
    said = f"installed version {done.version}" if not done.before else f"version {done.version}, before {done.before}"
    output.result(form, said, {"schema": done.version, "before": done.before, "hides_sizes": done.hides_sizes})
    if not done.hides_sizes and form != "json":
        output.notice("only a superuser can hide the sizes of tables; logins of this server can see how much others share, but not what")


@command.command(
    "grant",
    epilog=examples(
        "memorybank team grant ADDRESS --organisation acme --team kettles --login ann --role writer",
        "memorybank team grant ADDRESS --organisation acme --team kettles --repository git-3f9c2a71b0de5a44c1d2e3f4 --access write",
        "memorybank team grant ADDRESS --organisation acme --team kettles --login ann --role none     takes it back",
    ),
)
@click.argument("address")
@click.option("--organisation", required=True, metavar="NAME", help="Name of the organisation on the server.")
@click.option("--team", "team", required=True, metavar="NAME", help="The team.")
@click.option("--login", metavar="NAME", help="Login that becomes a member of the team; it must exist on the server.")
@click.option("--role", type=click.Choice(["reader", "writer", "lead", _NONE]), help="Role of the login in the team; a lead can revoke machines of others.")
@click.option("--repository", metavar="NAME", help="Repository that the team may use, as 'team connect' names it. It is added if it is new.")
@click.option("--access", type=click.Choice(["read", "write", _NONE]), help="What the team may do with the repository.")
@click.option("--password-stdin", is_flag=True, help="Read the password from the first line of standard input.")
@output.text_format_option("One line, or a JSON object.")
def grant(
    address: str,
    organisation: str,
    team: str,
    login: str | None,
    role: str | None,
    repository: str | None,
    access: str | None,
    password_stdin: bool,
    form: str,
) -> None:
    """Give a login a role in a team, and a team access to a repository. For administrators of the server."""
    from memorybank.team.connection import checked_name
    from memorybank.team.roles import TeamAdministration

    if (login is None) != (role is None) or (repository is None) != (access is None) or (login is None and repository is None):
        raise UsageError("name a login with its role, a repository with its access, or all four", next_step="'memorybank team grant --help' shows examples")
    checked_name(organisation, "the organisation")
    did = []
    with TeamAdministration(address, _administrators_password(address, is_given=password_stdin), organisation=organisation) as administration:
        if login is not None and role is not None:
            administration.set_member(team, login, None if role == _NONE else role)
            did.append(f"{login}: {role} of {team}")
        if repository is not None and access is not None:
            administration.add_repository(checked_name(repository, "the repository"))
            administration.set_access(team, repository, None if access == _NONE else access)
            did.append(f"{team}: {access} for {repository}")
    output.result(form, "; ".join(did), {"organisation": organisation, "team": team, "login": login, "role": role, "repository": repository, "access": access})
