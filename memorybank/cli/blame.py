"""`memorybank blame`."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import key_argument
from memorybank.cli.output import Column
from memorybank.cli.page import Card, Fact
from memorybank.clock import local_day_of
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.bank.blaming import BlamedNote
    from memorybank.blame.origins import BlamedStatement, LineOrigin

_COLUMNS = (Column("lines"), Column("date"), Column("author"), Column("commit"), Column("session"), Column("by"), Column("statement"))
_COMMIT, _SESSION = 10, 8
_SHOWN_LINES = 4
"""Maximum number of lines of one statement on a page."""
_SHOWN_SOURCES = 5


@click.command(
    epilog=examples(
        "memorybank blame planning/overview.md",
        "memorybank blame staging                    a short name, also of an archived note",
        "memorybank blame shared/用語集.md --lines     every line alone",
        "memorybank blame shared/api.md --as planner    also sessions that only planners may see",
        "memorybank blame shared/api.md --format json",
    )
)
@key_argument()
@click.option("--lines", "by_line", is_flag=True, help="Show every line alone, not paragraphs, list items and blocks of code.")
@click.option("--as", "role", metavar="ROLE", help="Show what this role may see. Default: sessions that everybody may see.")
@output.format_option()
@click.pass_obj
def command(call: CommandCall, key: str, by_line: bool, role: str | None, form: str) -> None:
    """Show who wrote or changed each statement of a note: the commit, the session of an agent, and the tool or command.

    Git says who committed a line, across renames. The logs of this machine say which session or command wrote it, for as long as they have it;
    'probably' marks what follows from the time alone. Nothing is changed, and no view is recorded.
    """
    found = call.open(read_only=True).blame(key, by_line=by_line, role=role)
    if output.as_json(form, found):
        return
    facts = list(_facts(found))
    if facts:
        page.facts(form, facts)
        page.say("")
    if form == "table" and output.is_page() and found.statements:
        page.cards(_cards(found.statements))
    else:
        output.rows(form, _COLUMNS, map(_cells, found.statements), None, empty="this note is empty")


def _facts(found: "BlamedNote") -> Iterator[Fact]:
    if found.archive_id:
        yield "archived", f"{found.key}, as {found.archive_id}"
    if found.agent or found.session:
        session = f" in session {found.session[:_SESSION]}" if found.session else ""
        yield "written by", f"{found.agent or 'an agent'}{session}, according to its front matter"
    for source in found.sources[:_SHOWN_SOURCES]:
        yield "learned from", f"session {source.session[:_SESSION]}, {local_day_of(source.at)}: {source.text}"
    if len(found.sources) > _SHOWN_SOURCES:
        yield "", f"and {counted(len(found.sources) - _SHOWN_SOURCES, 'more source')}; 'memorybank know show' lists them"


def _cells(statement: "BlamedStatement") -> tuple[object, ...]:
    latest = statement.origins[0]
    first, *more = statement.text.split("\n")
    rest = f"  [and {counted(len(more), 'more line')}]" if more else ""
    date = local_day_of(latest.at) if latest.at is not None else None
    authors = ", ".join(dict.fromkeys(origin.author for origin in statement.origins if origin.author))
    commit = f"{latest.commit[:_COMMIT]}{' or earlier' if latest.is_boundary else ''}"
    return _place(statement), date, authors or None, commit or None, latest.session[:_SESSION] or None, _by(latest) or None, first + rest


def _cards(statements: "Sequence[BlamedStatement]") -> Iterator[Card]:
    """Yield one card for consecutive statements of the same origin."""
    for origins, group in groupby(statements, key=lambda statement: statement.origins):
        alike = list(group)
        place = _place(alike[0]._replace(last=alike[-1].last))
        lines = [line for statement in alike for line in _shown(statement.text.split("\n"))]
        yield Card(place, _sentence(origins[0]), (*map(output.clean, lines), *(f"partly {_sentence(origin)}" for origin in origins[1:])))


def _shown(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:_SHOWN_LINES]
    if len(lines) > _SHOWN_LINES:
        yield f"and {counted(len(lines) - _SHOWN_LINES, 'more line')}"


def _place(statement: "BlamedStatement") -> str:
    return f"{statement.first}-{statement.last}" if statement.last != statement.first else f"{statement.first}"


def _by(origin: "LineOrigin") -> str:
    """Return the tool or command; with `probably` if only the time says so."""
    return f"probably {origin.command}" if origin.command and origin.evidence == "time" else origin.command


def _sentence(origin: "LineOrigin") -> str:
    """`2025-09-17, Ann, commit 0123456789 "subject", session 12345678 of claude-code, Edit`."""
    session = f"session {origin.session[:_SESSION]}{f' of {origin.host}' if origin.host else ''}" if origin.session else ""
    commit = f'commit {origin.commit[:_COMMIT]} "{origin.summary}"{" or earlier" if origin.is_boundary else ""}' if origin.commit else "not committed"
    date = local_day_of(origin.at) if origin.at is not None else ""
    return ", ".join(part for part in (date, origin.author, commit, session, _by(origin)) if part)
