"""Prints what the `memorybank episodes` commands return: plans, reports, rows."""

from typing import TYPE_CHECKING

from memorybank.cli import output, page
from memorybank.cli.output import Column
from memorybank.text.quantities import counted, tally

if TYPE_CHECKING:
    from memorybank.bank.episodes import DayPlan
    from memorybank.episodes.compaction import MergeableWeek
    from memorybank.episodes.entry import Episode
    from memorybank.episodes.repair import RepairReport
    from memorybank.episodes.update import EpisodeRunReport
    from memorybank.summarize.summarizer import TokenPrice, Tokens


def show_plan(days: "list[DayPlan]", given_up: tuple[str, ...], form: str) -> None:
    columns = (Column("date"), Column("what"), Column("sources", right=True), Column("messages", right=True), Column("characters", right=True))
    cells = [(day.date, day.kind, len(day.sources), day.messages, day.characters) for day in days]
    data = {"due": [day._asdict() for day in days], "given_up": list(given_up)}
    output.rows(form, columns, cells, data, empty="every finished day has an episode")
    if form != "json":
        _print_given_up(given_up)


def show_report(report: "EpisodeRunReport", form: str, price: "TokenPrice | None" = None) -> None:
    """Print what an update did.

    price: price for a million tokens of the summarizer that was used
    """
    if form == "json":
        output.write_json(
            {
                "written": [entry.raw for entry in report.written],
                "skipped": report.skipped,
                "failed": [{"date": date, "kind": kind, "message": message} for date, kind, message in report.failed],
                "given_up": list(report.given_up),
                "left": report.left,
                "tokens": report.tokens and report.tokens.to_json(),
            }
        )
        return
    kinds: dict[str, int] = {}
    for entry in report.written:
        kinds[entry.kind] = kinds.get(entry.kind, 0) + 1
    output.rows(
        form,
        (Column("date"), Column("kind"), Column("characters", right=True), Column("begins", flexible=True)),
        [(entry.date, state(entry), len(entry.summary), beginning(entry)) for entry in report.written],
        None,
        empty="" if report.skipped or report.failed else "every finished day has an episode",
    )
    if kinds:
        page.say("", f"written: {tally(kinds)}")
    show_tokens(report.tokens, price)
    for date, kind, message in report.failed:
        output.notice(f"{date}: no summary ({kind}): {output.clean(message)}")
    if report.skipped:
        rest = f" and {counted(report.left, 'day')} after them" if report.left else ""
        output.notice(f"the summarizer was busy; still due: {', '.join(report.skipped)}{rest}")
    _print_given_up(report.given_up)


def show_tokens(tokens: "Tokens | None", price: "TokenPrice | None") -> None:
    """Print the tokens that a model used, with their cost where the person configured a price. Prints nothing when they are unknown."""
    if tokens is None:
        return
    about = "≈ " if tokens.estimated else ""
    cost = price.of(tokens) if price is not None else None
    money = "" if cost is None else f"; {about}{cost:.4f} at the configured price"
    estimated = ", estimated" if tokens.estimated else ""
    page.say(f"tokens: {about}{tokens.prompt:,} in, {about}{tokens.completion:,} out{estimated}{money}")


def _print_given_up(dates: tuple[str, ...]) -> None:
    if dates:
        output.notice(f"given up after three runs: {', '.join(dates)}; 'memorybank episodes repair' makes the next update try them again")


def state(entry: "Episode") -> str:
    marks = [name for name, is_so in (("draft", entry.draft), ("edited", entry.is_edited), ("cut", entry.truncated)) if is_so]
    return f"{entry.kind} ({', '.join(marks)})" if marks else entry.kind


def beginning(entry: "Episode") -> str:
    return output.cut(output.clean(" ".join(entry.summary.split())), 100)


def show_weeks(weeks: "list[MergeableWeek]", form: str) -> None:
    """Print the weeks that would be merged."""
    cells = [(week.name, week.first, week.last, len(week.entries)) for week in weeks]
    data = [{"week": week.name, "first": week.first, "last": week.last, "entries": len(week.entries)} for week in weeks]
    output.rows(form, (Column("week"), Column("from"), Column("to"), Column("entries", right=True)), cells, data, empty="no week is old enough to be merged")


def show_merged(merged: "list[Episode]", form: str) -> None:
    cells = [(entry.date, entry.original_count, len(entry.summary), beginning(entry)) for entry in merged]
    columns = (Column("week"), Column("entries", right=True), Column("characters", right=True), Column("begins", flexible=True))
    output.rows(form, columns, cells, [entry.raw for entry in merged], empty="no week is old enough to be merged")


def show_repaired(done: "RepairReport", form: str) -> None:
    if output.as_json(form, done._asdict()):
        return
    lines = []
    if done.set_aside:
        lines.append(f"the list could not be read; it is kept as episodes/{done.set_aside}, and {done.saved} of its entries were recovered")
    if done.merged:
        lines.append("merged two copies of the list")
    if done.dropped:
        lines.append(f"{done.dropped} of the entries were replaced by better ones; they are kept in episodes/archives/replaced")
    if done.retried:
        lines.append(f"to be tried again by the next update: {', '.join(done.retried)}")
    if done.lost:
        lines.append(f"merged weeks whose archive is missing or damaged; restore it from git: {', '.join(done.lost)}")
    page.say(*(lines or ["nothing to repair"]))
