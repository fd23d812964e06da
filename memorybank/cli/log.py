"""`memorybank log list|show|verify|tail`."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import CountType, InstantType, completing, limit_option
from memorybank.cli.output import Column
from memorybank.cli.page import Card, print_findings
from memorybank.clock import isoformat
from memorybank.errors import ValidationFailed
from memorybank.log.events import EVENTS, STATUSES
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.log.chain import SessionCheck
    from memorybank.log.sessions import SessionOverview
    from memorybank.rotation.report import ArchiveFinding

Fields = dict[str, Any]
"""A line of an event log."""

_PURGED = "[PURGED]"
_CHARACTERS = 200
_SHOWN = ("text", "command", "file_path", "path", "pattern", "query", "url", "description", "prompt", "content")
"""Inputs of a call in the order of preference: the first one present says best what the call is about."""
_FAULTLESS = ("line_torn", "tail_open", "newer_format")
"""Codes that are not faults: a line that a kill cut short, and a line that is still being written."""
NEWEST = 20
_LIST = (
    *output.columns("session", "host", "first", "last"),
    *output.columns("lines", "prompts", "failures", "purged", right=True),
    Column("state"),
)
_CHECKS = (*output.columns("session", "state"), *output.columns("lines", "purged", "faults", right=True))


@completing
def complete_session(call: CommandCall, typed: str) -> dict[str, str | None]:
    from memorybank.log import events

    return dict.fromkeys(name.removesuffix(".jsonl") for name in events.names(call.layout()))


@click.group(
    epilog=examples(
        "memorybank log list",
        "memorybank log show 3f0c --event prompt",
        "memorybank log show 3f0c --status failure",
        "memorybank log tail",
        "memorybank log verify",
    )
)
def command() -> None:
    """Inspect what hooks recorded on this machine: sessions, their events, and whether the log is unaltered.

    The log is never committed. To remove a text from it, use 'memorybank purge'.
    """


@command.command("list", short_help="List recorded sessions.", epilog=examples("memorybank log list", "memorybank log list --limit 5 --format json"))
@limit_option("Only the N newest sessions.")
@output.format_option()
@click.pass_obj
def show_list(call: CommandCall, limit: int | None, form: str) -> None:
    """List recorded sessions, the one with the newest line first.

    A session is 'finished' when its end was reported or it has been summarised since. 'failures' counts failed calls, 'purged' counts blanked texts.
    """
    found = call.open(read_only=True).log.sessions(limit=limit)
    data = [session.to_json() for session in found]
    page.listing(form, found, _LIST, _session_cells, _session_card, data, empty="no session has been recorded yet")


@command.command(
    "show",
    short_help="Show the events of a session.",
    epilog=examples(
        "memorybank log show 3f0c",
        "memorybank log show 3f0c --event tool_after --tool Bash --status failure",
        "memorybank log show 3f0c --since -2h --limit 20",
        "memorybank log show 3f0c --format json",
    ),
)
@click.argument("session", shell_complete=complete_session)
@click.option("--event", "events", multiple=True, type=click.Choice(EVENTS), metavar="EVENT", help=f"Only these events; may be repeated: {', '.join(EVENTS)}.")
@click.option("--tool", "tools", multiple=True, metavar="TOOL", help="Only calls of this tool (Bash, Edit, mcp__server__tool, ...); may be repeated.")
@click.option("--status", "statuses", multiple=True, type=click.Choice(STATUSES), help="Only results with this outcome; may be repeated.")
@click.option("--since", type=InstantType(), metavar="WHEN", help="Only events from this time on: 2025-09-17T12:30, -2h, -1d.")
@limit_option("Only the N newest of these events.")
@output.format_option()
@click.pass_obj
def show(
    call: CommandCall, session: str, events: tuple[str, ...], tools: tuple[str, ...], statuses: tuple[str, ...], since: int | None, limit: int | None, form: str
) -> None:
    """Show the events of a session, in order. SESSION is its id, or the beginning of the id if only one session has it.

    A text that 'memorybank purge' blanked is shown as [PURGED]. JSON contains the lines as they were recorded.
    """
    first = None if since is None else isoformat(since)
    lines = call.open(read_only=True).log.lines(session, events=events, tools=tools, statuses=statuses, since=first)
    _show_lines(lines[-limit:] if limit else lines, form, empty="no event of this session matches")


@command.command(
    "tail", short_help="Show the newest events of all sessions.", epilog=examples("memorybank log tail", "memorybank log tail -n 100 --format json")
)
@click.option("-n", "--lines", "count", type=CountType(1), default=NEWEST, show_default=True, metavar="N", help="Number of events.")
@output.format_option()
@click.pass_obj
def tail(call: CommandCall, count: int, form: str) -> None:
    """Show the newest events of all sessions together, the newest last."""
    _show_lines(call.open(read_only=True).log.newest(count), form, empty="no event has been recorded yet", sessions=True)


@command.command(
    "verify", short_help="Verify that the event log is unaltered.", epilog=examples("memorybank log verify", "memorybank log verify --format json")
)
@output.format_option()
@click.pass_obj
def verify(call: CommandCall, form: str) -> None:
    """Verify that the event log is unaltered: every signature follows from the one before, and every text is the one that was signed.

    A session is 'whole', 'open' while its last line is being written, 'unknown' without this machine's key (log/.key), or 'faulty' when lines were altered,
    removed or moved: then the exit code is 9. Lines that a kill cut short are listed but are not a fault.
    """
    found = call.open(read_only=True).log.verify()
    if not output.as_json(form, [_check_fields(check) for check in found]):
        cells = [(_stem(check.name), check.state, check.lines, check.purged, len(check.faults)) for check in found]
        output.rows(form, _CHECKS, cells, None, empty="no session has been recorded yet")
        print_findings(_findings(found), form)
    _conclude(found)


def _conclude(found: "Sequence[SessionCheck]") -> None:
    unknown = sum(check.state == "unknown" for check in found)
    if unknown:
        output.notice(f"{counted(unknown, 'session')} cannot be verified: log/.key, the signing key of this machine, is missing")
    faulty = [_stem(check.name) for check in found if check.state == "faulty"]
    if faulty:
        raise ValidationFailed(
            f"{counted(len(faulty), 'session')} with faults: {', '.join(faulty[:5])}",
            next_step="the lines before the first fault are unaltered; compare the rest with a copy of log/events, if you have one",
        )


def _show_lines(lines: Sequence[Fields], form: str, *, empty: str, sessions: bool = False) -> None:
    cells, card = partial(_line_cells, sessions=sessions), partial(_line_card, sessions=sessions)
    page.listing(form, lines, _line_columns(sessions), cells, card, lines, empty=empty)


def _session_cells(session: "SessionOverview") -> tuple[object, ...]:
    return (
        session.session_id,
        session.host,
        _instant(session.first),
        _instant(session.last),
        session.lines,
        session.prompts,
        session.failures,
        session.purged,
        session.state,
    )


def _session_card(session: "SessionOverview") -> Card:
    counts = [counted(session.lines, "line"), counted(session.prompts, "prompt"), counted(session.failures, "failure")]
    purged = [f"{counted(session.purged, 'text')} purged"] if session.purged else []
    when = f"{session.host}, {_instant(session.first)} to {_instant(session.last)}"
    return Card(session.state, session.session_id, (when, ", ".join([*counts, *purged])))


def _check_fields(check: "SessionCheck") -> dict[str, object]:
    return {
        "file": f"log/events/{check.name}",
        "state": check.state,
        "lines": check.lines,
        "purged": check.purged,
        "faults": [{"code": fault.code, "line": fault.line, "message": fault.message} for fault in check.faults],
    }


def _stem(name: str) -> str:
    return name.removesuffix(".jsonl")


def _instant(at: int | None) -> str:
    return "-" if at is None else isoformat(at)[:19].replace("T", " ")


def _line_columns(sessions: bool) -> tuple[Column, ...]:
    session = (Column("session"),) if sessions else ()
    return (Column("time"), *session, *output.columns("agent", "event", "tool", "status"), Column("what", flexible=True))


def _line_cells(fields: Fields, *, sessions: bool) -> tuple[object, ...]:
    session = (_session_prefix(fields),) if sessions else ()
    return (_time(fields), *session, _agent(fields), fields.get("event"), fields.get("tool"), fields.get("status"), _summary(fields) or None)


def _line_card(fields: Fields, *, sessions: bool) -> Card:
    """Return a card for a terminal: the event, and below it the text."""
    agent = _agent(fields)
    title = " ".join(str(part) for part in (fields.get("event"), fields.get("tool"), fields.get("status")) if part)
    about = [f"session {_session_prefix(fields)}"] if sessions else []
    about += [f"agent {agent}"] if agent != "main" else []
    text = _summary(fields)
    return Card(_time(fields), ", ".join([title, *about]), (text,) if text else ())


def _summary(fields: Fields) -> str:
    """Return in one short line what an event is about. Texts that were purged show as [PURGED]."""
    parts = [_exposed(fields) if fields.get("event") == "exposure" else "", _input(fields), _outcome(fields)]
    text = " ".join(" → ".join(part for part in parts if part).split())
    return output.cut(text, _CHARACTERS)


def _findings(checks: Iterable["SessionCheck"]) -> "list[ArchiveFinding]":
    from memorybank.rotation.report import ERROR, WARNING, ArchiveFinding

    found = []
    for check in checks:
        for fault in check.faults:
            where = f"log/events/{check.name}" + (f":{fault.line}" if fault.line else "")
            found.append(ArchiveFinding(where, fault.code, WARNING if fault.code in _FAULTLESS else ERROR, fault.message))
    return found


def _input(fields: Fields) -> str:
    if _is_purged(fields, "inputs"):
        return _PURGED
    inputs = fields.get("inputs") or {}
    named = next((str(inputs[name]) for name in _SHOWN if inputs.get(name)), "")
    return named or ", ".join(f"{name}: {value}" for name, value in inputs.items()) or str(fields.get("source") or fields.get("reason") or "")


def _outcome(fields: Fields) -> str:
    """Return the error, or the first lines of the output."""
    for name in ("error", "outputs"):
        if _is_purged(fields, name):
            return _PURGED
        value = fields.get(name)
        if value:
            return str(value.get("head", "")) if isinstance(value, dict) else str(value)
    return ""


def _exposed(fields: Fields) -> str:
    if _is_purged(fields, "exposures"):
        return _PURGED
    shown: Sequence[Fields] = fields.get("exposures") or ()
    names = ", ".join(str(each.get("memory")) for each in shown if each.get("shown"))
    return f"shown: {names}" if names else f"not shown: {len(shown):,}"


def _is_purged(fields: Fields, name: str) -> bool:
    return name in (fields.get("digests") or ()) and not fields.get(name)


def _agent(fields: Fields) -> str:
    return str(fields.get("agent_role") or fields.get("agent_id") or "main")


def _session_prefix(fields: Fields) -> str:
    return str(fields.get("session_id", ""))[:8]


def _time(fields: Fields) -> str:
    return str(fields.get("timestamp", ""))[:19].replace("T", " ")
