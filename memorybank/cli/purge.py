"""`memorybank purge`."""

import os
import sys
from typing import TYPE_CHECKING

import click

from memorybank.cli import out_of_reach, output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.out_of_reach import UnreachedPlace
from memorybank.cli.output import Column
from memorybank.cli.page import Card, Fact
from memorybank.errors import Conflict, ValidationFailed
from memorybank.text.needle import PurgeNeedle
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.bank.leaks import LeakLocation
    from memorybank.bank.purge import PurgeReport

COLUMNS = (Column("place"), Column("times", right=True), Column("lines", flexible=True), Column("what"))
_MAX_BYTES = 1 << 20


@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog=examples(
        "memorybank purge 'the text' --dry-run     where it occurs",
        "memorybank purge 'the text'",
        "memorybank purge --stdin                  asks for the text, so that the shell history does not keep it",
        "pass show old-token | memorybank purge --stdin",
    ),
)
@click.argument("words", nargs=-1, metavar="[TEXT]")
@click.option(
    "--stdin", "from_stdin", is_flag=True, help="Read the text from standard input, without its last line end, so that a secret stays out of the shell history."
)
@click.option("--dry-run", is_flag=True, help="Only show where the text occurs; nothing is changed.")
@output.format_option()
@click.pass_obj
def command(call: CommandCall, words: tuple[str, ...], from_stdin: bool, dry_run: bool, form: str) -> None:
    """Remove a leaked text from everything that memorybank keeps: event logs, archive, backups, episodes, caches, and what killed commands left.

    The lines of the log stay, without the text, and can still be verified; in archived notes and episodes it is replaced by [PURGED]. It is also blanked in
    session notes and in a drafted summary that nobody edited. All derived files are removed, and 'memorybank rebuild' regenerates them. Notes that people
    wrote or edited, and files that the bank reads in place, are never changed: those that contain the text are listed with their lines, and the exit code is
    1 as long as anything contains it. What cannot be read is listed too, and counts as a failure.

    The text is found in either Unicode form, wrapped, as JSON and URLs write it, in Base64 and in UTF-16. It is never printed and never logged. Where it may
    be that purge does not reach, such as git history and transcripts, is listed with the commands for it.
    """
    text = _text(words, from_stdin)
    bank = call.open(read_only=dry_run)
    report = bank.purge(text, dry_run=dry_run)
    beyond = _masked(out_of_reach.places(bank.layout, os.environ), text)
    if form == "json":
        output.write_json({**report.to_json(), "out_of_reach": {"ask": out_of_reach.ASK, "places": [place.to_json() for place in beyond]}})
    else:
        _show(report, form)
        _show_beyond(beyond)
    if report.remaining and not dry_run:
        raise Conflict(
            f"the text still occurs in {counted(len(report.remaining), 'place')}, listed above",
            next_step="edit or remove these files, then run the same command again; also replace the secret",
        )
    if report.problems and not dry_run:
        raise ValidationFailed(
            f"{counted(len(report.problems), 'file')} could not be examined, listed above",
            next_step="repair or remove these files ('memorybank verify' shows what is wrong with archived notes), then run the same command again",
        )


def _masked(places: list[UnreachedPlace], text: str) -> list[UnreachedPlace]:
    """Return the places with the text masked, which may be part of a path."""
    needle = PurgeNeedle(text)
    return [place._replace(commands=tuple(map(needle.masked, place.commands))) for place in places]


def _text(words: tuple[str, ...], from_stdin: bool) -> str:
    """Return the text to purge. No error message repeats it."""
    if from_stdin or words == ("-",):
        if words not in ((), ("-",)):
            raise click.UsageError("give the text or --stdin, not both")
        return _from_stdin()
    if not words:
        raise click.UsageError("give the text, or use --stdin to enter it")
    if len(words) > 1:
        raise click.UsageError("more than one text was given, or an unknown option; put the text in quotes")
    return words[0]


def _from_stdin() -> str:
    if sys.stdin.isatty():
        text: str = click.prompt("Text to purge", hide_input=True, err=True)
        return text
    data = sys.stdin.buffer.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise click.UsageError("standard input is larger than 1 MB; give a shorter text")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise click.UsageError("standard input is not UTF-8") from None
    return text.removesuffix("\n").removesuffix("\r")


def _show(report: "PurgeReport", form: str) -> None:
    from memorybank.bank.purge import outcome

    if not report.found and not report.lines and not report.remaining:
        page.say("the text does not occur in this bank" + (f"; {_REMOVED_ALL_THE_SAME}" if report.removed else ""))
    else:
        page.facts(form, _facts(report))
        page.say("")

        def cells(place: "LeakLocation") -> tuple[object, ...]:
            return place.path, place.count or "name", _lines(place), outcome(place, report)

        page.listing(form, report.found, COLUMNS, cells, lambda place: _card(place, outcome(place, report)), empty="no complete occurrence")
    known = {place.path for place in report.found}
    for place in report.remaining:
        if place.path not in known:
            page.say(f"new since then: {place.path}, {counted(place.count, 'time')}")
    for problem in report.problems:
        page.say(f"not examined: {problem.path}: {problem.message}")
    if report.found:
        page.say("")
        page.say(_ADVICE)
        if not report.dry_run:
            page.say(_AGAIN)


def _show_beyond(places: list[UnreachedPlace]) -> None:
    """Print the commands as they are to be copied, whatever the width of the terminal."""
    output.write(f"\n{_BEYOND}\n\n  {out_of_reach.ASK}\n")
    for place in places:
        output.write("\n".join(["", f"{place.what}:", *(f"  {command}" for command in place.commands), ""]))


_ADVICE = "A secret that leaked must be replaced: purge does not reach everything that may have a copy."
_BEYOND = "Out of reach of purge. These commands (for bash and zsh) find the text there, and remove it:"
_REMOVED_ALL_THE_SAME = "caches and published files were removed nevertheless; 'memorybank rebuild' creates them again"
_AGAIN = "'memorybank rebuild' creates indexes and catalogues again; archive/, session notes and episodes/ are committed, so commit what changed there."


def _facts(report: "PurgeReport") -> list[Fact]:
    facts = [("found", f"{counted(report.times, 'time')} in {counted(len(report.found), 'file')}")]
    if report.dry_run:
        return facts
    signed = f", {counted(report.signed_again, 'session')} signed again" if report.signed_again else ""
    return [
        *facts,
        ("log lines", f"{report.lines:,} rewritten{signed}"),
        ("archived notes", f"{report.objects:,} replaced"),
        ("backups", f"{report.backups:,} replaced"),
        ("session notes", f"{report.session_notes:,} blanked"),
        *([("summary", f"{counted(report.pages, 'page')} blanked")] if report.pages else []),
        ("episodes", f"{counted(report.episodes, 'file')} replaced"),
        ("other files", f"{report.removed:,} removed: derived ones, and what killed commands left"),
        ("remaining", f"{counted(len(report.remaining), 'place')}" if report.remaining else "nothing"),
    ]


def _card(place: "LeakLocation", became: str) -> Card:
    where = f", {'line' if len(place.lines) == 1 else 'lines'} {_lines(place)}" if place.lines else ""
    named = ("its name contains the text",) if place.in_name else ()
    return Card(str(place.count), place.path, (*named, f"{became}{where}"))


def _lines(place: "LeakLocation") -> str | None:
    return ", ".join(map(str, place.lines)) or None
