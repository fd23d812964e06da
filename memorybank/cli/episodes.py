"""`memorybank episodes update|list|show`."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from memorybank.cli import output, page
from memorybank.cli.call import Call
from memorybank.cli.help import examples
from memorybank.cli.output import Column
from memorybank.cli.progress import progress
from memorybank.cli.quantities import counted, tally
from memorybank.errors import NotFound

if TYPE_CHECKING:
    from memorybank.bank.episodes import DayPlan, Episodes
    from memorybank.episodes.entry import Episode
    from memorybank.episodes.update import Report

if TYPE_CHECKING:
    _DateType = click.ParamType[str]
else:
    _DateType = click.ParamType  # not generic at run time before click 8.2


class DateType(_DateType):
    """A calendar date, `2025-09-17`, of the bank's own time zone."""

    name = "date"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> str:
        from memorybank.episodes.dates import is_date

        text = str(value).strip()
        if not is_date(text):
            self.fail(f"{text!r} is no date; write 2025-09-17", parameter, context)
        return text


@click.group(
    epilog=examples(
        "memorybank episodes update --dry-run     which days are due",
        "memorybank episodes update",
        "memorybank episodes list",
        "memorybank episodes show 2025-09-17",
    )
)
def command() -> None:
    """Episodes: one summary of each finished day, between the raw log of a session and search."""


@command.command(
    "update",
    short_help="Summarise the days that no episode tells yet.",
    epilog=examples("memorybank episodes update --dry-run", "memorybank episodes update --since 2025-09-01"),
)
@click.option("--since", type=DateType(), metavar="DATE", help="Only days from this date on.")
@click.option("--dry-run", is_flag=True, help="Only say which days are due; nothing is written.")
@output.format_option()
@click.pass_obj
def update(call: Call, since: str | None, dry_run: bool, form: str) -> None:
    """Summarise every finished day that no episode tells yet: of the event log, imported transcripts and plain chat logs.

    Each day is saved when it is done: a run that was stopped is finished by the same command. Today never counts. What came late to a day
    that has its episode gets a supplement; a text that you edited stays as it is.
    """
    episodes = call.open(read_only=dry_run).episodes
    with ExitStack() as bars:
        bar = _bars(bars, call)
        if dry_run:
            days, plan = episodes.due(since=since or "", scan=bar("reading"))
            _show_plan(days, plan.given_up, form)
            return
        days_done = bar("summarising")
        report = episodes.update(since=since or "", scan=bar("reading"), step=lambda done, total, date: days_done(done, total))
    _show_report(episodes, report, form)


@command.command("list", short_help="List the episodes, newest last.", epilog=examples("memorybank episodes list", "memorybank episodes list --format json"))
@click.option("--limit", type=click.IntRange(min=1), default=30, show_default=True, help="The newest so many.")
@output.format_option()
@click.pass_obj
def list_(call: Call, limit: int, form: str) -> None:
    """List the episodes, newest last, and say whether a run goes on."""
    from memorybank.episodes.running import said

    episodes = call.open(read_only=True).episodes
    entries = _entries(episodes)
    columns = (Column("date"), Column("kind"), Column("by"), Column("characters", right=True), Column("begins", flexible=True))
    newest = [entry for entry in entries if entry.first or form == "json"][-limit:]
    cells = [(entry.date, _state(entry), entry.by or "-", len(entry.summary), _beginning(entry)) for entry in newest]
    output.rows(form, columns, cells, [entry.raw for entry in newest], empty="no episode yet: 'memorybank episodes update' writes them")
    goes_on = episodes.progress()
    if goes_on is not None:
        output.notice(said(goes_on))


@command.command("show", short_help="Print what is told of a day.", epilog=examples("memorybank episodes show 2025-09-17"))
@click.argument("date", type=DateType())
@output.format_option()
@click.pass_obj
def show(call: Call, date: str, form: str) -> None:
    """Print every episode that tells of a date."""
    episodes = call.open(read_only=True).episodes
    _entries(episodes)
    found = episodes.of_date(date)
    if not found:
        raise NotFound(f"no episode tells of {date}", next_step="'memorybank episodes update --dry-run' says which days are due")
    if form == "json":
        output.write_json([entry.raw for entry in found])
        return
    for number, entry in enumerate(found):
        output.write(("\n" if number else "") + f"{output.clean(entry.date)}  {_state(entry)}, by {output.clean(entry.by) or 'unknown'}\n")
        output.write(output.clean_text(entry.summary).rstrip("\n") + "\n")


def _entries(episodes: "Episodes") -> "tuple[Episode, ...]":
    """The list, or the error that says how a broken one is mended; what is wrong otherwise is said beside it."""
    entries = episodes.readable()
    undated = sum(not entry.first for entry in entries)
    if undated:
        output.notice(
            f"{counted(undated, 'entry').replace('entrys', 'entries')} without a date that can be read; kept as they are, and never shown to an agent"
        )
    if episodes.stored().merged:
        output.notice("the list holds git's conflict marks: both sides are read; the next update writes them as one")
    return entries


def _bars(bars: ExitStack, call: Call) -> Callable[[str], Callable[[int, int], None]]:
    """A bar for each thing that is done, one after another."""

    def of(label: str) -> Callable[[int, int], None]:
        opened: list[Callable[[int, int], None]] = []

        def step(done: int, total: int) -> None:
            if not opened:
                bars.close()
                opened.append(bars.enter_context(progress(label, call.clock)))
            opened[0](done, total)

        return step

    return of


def _show_plan(days: "list[DayPlan]", given_up: tuple[str, ...], form: str) -> None:
    columns = (Column("date"), Column("what"), Column("sources", right=True), Column("messages", right=True), Column("characters", right=True))
    cells = [(day.date, day.kind, len(day.sources), day.messages, day.characters) for day in days]
    data = {"due": [day._asdict() for day in days], "given_up": list(given_up)}
    output.rows(form, columns, cells, data, empty="every finished day has its episode")
    if form != "json":
        _tell_given_up(given_up)


def _show_report(episodes: "Episodes", report: "Report", form: str) -> None:
    if form == "json":
        output.write_json(
            {
                "written": [entry.raw for entry in report.written],
                "skipped": report.skipped,
                "failed": [{"date": date, "kind": kind, "message": message} for date, kind, message in report.failed],
                "given_up": list(report.given_up),
                "left": report.left,
                "tokens": report.tokens and {"prompt": report.tokens.prompt, "completion": report.tokens.completion, "estimated": report.tokens.estimated},
            }
        )
        return
    kinds: dict[str, int] = {}
    for entry in report.written:
        kinds[entry.kind] = kinds.get(entry.kind, 0) + 1
    output.rows(
        form,
        (Column("date"), Column("kind"), Column("characters", right=True), Column("begins", flexible=True)),
        [(entry.date, _state(entry), len(entry.summary), _beginning(entry)) for entry in report.written],
        None,
        empty="" if report.skipped or report.failed else "every finished day has its episode",
    )
    if kinds:
        page.say("")
        page.say(f"written: {tally(kinds)}")
    if report.tokens is not None:
        about = "≈ " if report.tokens.estimated else ""
        page.say(f"tokens: {about}{report.tokens.prompt:,} in, {about}{report.tokens.completion:,} out{' (estimated)' if report.tokens.estimated else ''}")
    for date, kind, message in report.failed:
        output.notice(f"{date}: no summary ({kind}): {output.clean(message)}")
    if report.skipped:
        rest = f" and {counted(report.left, 'day')} after them" if report.left else ""
        output.notice(f"the summarizer was busy; still due: {', '.join(report.skipped)}{rest}")
    _tell_given_up(report.given_up)


def _tell_given_up(dates: tuple[str, ...]) -> None:
    if dates:
        output.notice(f"tried in three runs and tried no more: {', '.join(dates)}; 'memorybank episodes repair' has them tried again")


def _state(entry: "Episode") -> str:
    marks = [name for name, is_so in (("draft", entry.draft), ("edited", entry.is_edited), ("cut", entry.truncated)) if is_so]
    return f"{entry.kind} ({', '.join(marks)})" if marks else entry.kind


def _beginning(entry: "Episode") -> str:
    text = output.clean(" ".join(entry.summary.split()))
    return text if len(text) <= 100 else text[:99] + "…"
