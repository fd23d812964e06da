"""`memorybank episodes update|list|show|lookback|inject|compact|repair`; the group `topics` has its own module."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

import click

from memorybank.cli import output
from memorybank.cli.asking import require_consent_to_send
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.episodes_report import beginning, show_merged, show_plan, show_repaired, show_report, show_weeks, state
from memorybank.cli.options import NumberType, day_callback, limit_option, options_as, yes_option
from memorybank.cli.output import Column
from memorybank.cli.progress import progress, progress_of_steps
from memorybank.cli.topics import topics
from memorybank.errors import ConfigInvalid, NotFound, UsageError
from memorybank.text.quantities import counted
from memorybank.values import Value

if TYPE_CHECKING:
    from memorybank.bank.episodes import Episodes
    from memorybank.episodes.entry import Episode
    from memorybank.summarize.choosing import SummarizerChoice


class SummarizerOptions(Value):
    """Values of the summarizer options; None for an option that was not given.

    agreed: whether `--yes` was given
    """

    summarizer: str | None
    model: str | None
    url: str | None
    agreed: bool

    def choose(self) -> SummarizerChoice:
        """Return the summarizer from the options, then the environment, then the person's own settings; never from a bank."""
        from memorybank.summarize import choosing

        return choosing.choose(choosing.read_own(os.environ), os.environ, summarizer=self.summarizer, url=self.url, model=self.model)

    def configured(self) -> str:
        """Return the name of the summarizer that the person set up. What a weaker one writes is marked as a draft."""
        try:
            return self.with_changes(summarizer=None, model=None, url=None).choose().name
        except (ConfigInvalid, UsageError):
            return self.choose().name

    def must_ask(self, choice: SummarizerChoice, call: CommandCall) -> bool:
        """Return whether texts would leave this machine although nobody has agreed to it."""
        from memorybank.summarize import choosing

        own = choosing.read_own(os.environ)
        return choice.leaves_by is not None and not choosing.has_consent(own.folder, call.layout().root, choice.leaves_by)

    def ask(self, choice: SummarizerChoice, call: CommandCall, count: int, unit: str, characters: int) -> None:
        """Say which host would receive how much text, and ask for consent once for each bank and host.

        unit: what `count` counts, `day`, `week` or `session`
        Raises `UsageError` without a terminal and without `--yes`, because nobody can be asked.
        """
        from memorybank.summarize import choosing

        assert choice.leaves_by is not None
        what = f"{counted(count, unit)}, about {characters:,} characters of recorded text"
        require_consent_to_send(f"{choice.name}: {what} would be sent to {choice.leaves_by}", agreed=self.agreed)
        # Consent is kept with the person's own settings, never in the bank: a bank can come from somebody else.
        choosing.give_consent(choosing.read_own(os.environ).folder, call.layout().root, choice.leaves_by, call.clock)


summarizer_options = options_as(
    "chosen",
    SummarizerOptions,
    click.option(
        "--summarizer",
        metavar="S",
        help="extractive, llm, command, openai, gemini, anthropic, ollama, vllm, lmstudio. Default: your own settings, otherwise extractive.",
    ),
    click.option("--model", metavar="NAME", help="Model to use."),
    click.option("--url", metavar="URL", help="Address of the chat API. Default: that of --summarizer, or of your own settings."),
    yes_option("Agree to send texts to the summarizer's host; needed once for each bank and host.", name="agreed"),
)


@click.group(
    epilog=examples(
        "memorybank episodes update --dry-run     which days are due",
        "memorybank episodes update",
        "memorybank episodes list",
        "memorybank episodes show 2025-09-17",
    )
)
def command() -> None:
    """Write and show episodes: one summary for each finished day. They cover the days before the raw log of a session."""


command.add_command(topics)


@command.command(
    "update",
    short_help="Summarise the days that have no episode yet.",
    epilog=examples(
        "memorybank episodes update --dry-run",
        "memorybank episodes update --since 2025-09-01",
        "memorybank episodes update --summarizer gemini",
    ),
)
@click.option("--since", callback=day_callback, metavar="DATE", help="Only days from this date on.")
@click.option("--dry-run", is_flag=True, help="Only show which days are due; nothing is written.")
@summarizer_options
@output.format_option()
@click.pass_obj
def update(call: CommandCall, since: str | None, dry_run: bool, chosen: SummarizerOptions, form: str) -> None:
    """Summarise every finished day that has no episode yet, from the event log, imported transcripts and plain chat logs.

    Each day is saved when it is finished, so running the command again completes an interrupted run. Today is never included. Text that arrives late for a day
    with an episode gets a supplement; an episode that you edited stays as it is. Unless you set up a model, nothing leaves this machine.
    """
    episodes = call.open(read_only=dry_run).episodes
    choice = chosen.choose()
    if dry_run or chosen.must_ask(choice, call):
        with progress("reading", call.clock) as scan:
            days, plan = episodes.due(since=since, by=choice.name, scan=scan)
        if dry_run:
            show_plan(days, plan.given_up, form)
            return
        if days:
            chosen.ask(choice, call, len(days), "day", sum(day.characters for day in days))
    with progress_of_steps(call.clock) as step:
        report = episodes.update(
            since=since,
            summarizer=choice.build(call.clock),
            configured=chosen.configured(),
            scan=partial(step, "reading"),
            step=lambda done, total, date: step("summarising", done, total),
        )
    show_report(report, form, choice.price)


@command.command("list", short_help="List the episodes, newest last.", epilog=examples("memorybank episodes list", "memorybank episodes list --format json"))
@limit_option("Maximum number of episodes, the newest ones.", default=30)
@output.format_option()
@click.pass_obj
def list_(call: CommandCall, limit: int, form: str) -> None:
    """List the episodes, newest last, and show whether an update is running."""
    from memorybank.episodes.running import said

    episodes = call.open(read_only=True).episodes
    entries = _entries(episodes)
    columns = (Column("date"), Column("kind"), Column("by"), Column("characters", right=True), Column("begins", flexible=True))
    newest = [entry for entry in entries if entry.first or form == "json"][-limit:]
    cells = [(entry.date, state(entry), entry.by or "-", len(entry.summary), beginning(entry)) for entry in newest]
    output.rows(form, columns, cells, [entry.raw for entry in newest], empty="no episodes yet; 'memorybank episodes update' writes them")
    goes_on = episodes.progress()
    if goes_on is not None:
        output.notice(said(goes_on))


@command.command("show", short_help="Print the episodes of a day.", epilog=examples("memorybank episodes show 2025-09-17"))
@click.argument("date", callback=day_callback)
@output.format_option()
@click.pass_obj
def show(call: CommandCall, date: str, form: str) -> None:
    """Print every episode of a date; for a merged week also the entries that it was made from."""
    episodes = call.open(read_only=True).episodes
    _entries(episodes)
    found = episodes.of_date(date)
    if any(entry.kind == "week" for entry in found):
        found = [*found, *episodes.archived(date)]
    if not found:
        raise NotFound(f"there is no episode for {date}", next_step="'memorybank episodes update --dry-run' shows which days are due")
    if output.as_json(form, [entry.raw for entry in found]):
        return
    for number, entry in enumerate(found):
        output.write(("\n" if number else "") + f"{output.clean(entry.date)}  {state(entry)}, by {output.clean(entry.by) or 'unknown'}\n")
        output.write(output.clean_text(entry.summary).rstrip("\n") + "\n")


@command.command(
    "lookback",
    short_help="Show or set how far back episodes are shown to agents.",
    epilog=examples("memorybank episodes lookback", "memorybank episodes lookback 2w"),
)
@click.argument("value", required=False, metavar="[1w|2w|1m|3m]")
@click.pass_obj
def lookback(call: CommandCall, value: str | None) -> None:
    """Print or set how far back episodes are shown to agents: 1w, 2w, 1m, 3m, a number of days, or 0 for never.

    The value is stored in config/episodes_config.json; nothing else in that file changes.
    """
    episodes = call.open(read_only=value is None).episodes
    output.write(f"{episodes.lookback if value is None else episodes.set_lookback(value)}\n")


@command.command(
    "inject",
    short_help="Print the episodes that complement a raw log.",
    epilog=examples(
        "memorybank episodes inject --raw-from 2025-09-17",
        "memorybank episodes inject --raw-log log.txt --raw-turns 20 --lookback 1m",
        "memorybank episodes inject --raw-from 2025-09-17T09:30 --session 258c7280 --format json",
    ),
)
@click.option("--raw-from", metavar="WHEN", help="Date or date-time at which the raw log begins; without an offset it is local time.")
@click.option(
    "--raw-log", type=click.Path(exists=True, dir_okay=False), metavar="FILE", help="Plain chat log to use as the raw log; its oldest timestamp counts."
)
@click.option("--raw-turns", type=NumberType(min=0), metavar="N", help="Only the last N turns of the raw log are sent.")
@click.option(
    "--session", metavar="ID", help="The raw log is that of this recorded session only. Default with --raw-from: it contains everything from then on."
)
@click.option("--lookback", metavar="1w|2w|1m|3m", help="How far to go back before the raw log, also as a number of days; 0 is off. Default: the setting.")
@click.option("--budget", type=NumberType(min=0), default=9500, show_default=True, metavar="N", help="Maximum length in UTF-16 units.")
@output.text_format_option("The text; JSON also contains the number of tokens and the dates.")
@click.pass_obj
def inject(
    call: CommandCall,
    raw_from: str | None,
    raw_log: str | None,
    raw_turns: int | None,
    session: str | None,
    lookback: str | None,
    budget: int,
    form: str,
) -> None:
    """Print the text that an agent should receive in addition to a raw log: the episodes of the days before it, and a few words about what neither covers.

    Nothing is shown twice and nothing is left out: a shorter raw log brings more days of episodes. Without --raw-from and --raw-log there is no raw log.
    """
    if raw_from is not None and raw_log is not None:
        raise click.UsageError("--raw-from and --raw-log cannot be combined; give one of them")
    if raw_turns is not None and raw_log is None:
        raise click.UsageError("--raw-turns requires --raw-log FILE")
    if session is not None and raw_log is not None:
        raise click.UsageError("--session requires --raw-from")
    episodes = call.open(read_only=True).episodes
    raw = episodes.raw_log(raw_log, raw_turns) if raw_log is not None else episodes.raw_from(raw_from, session)
    block = episodes.inject(raw, lookback=lookback, budget=budget)
    if form == "json":
        fields = {"text": "", "utf16": 0, "tokens_estimate": 0, "dates": [], "omitted": [], "boundary": raw.date}
        if block is not None:
            fields |= {"text": block.text, "utf16": block.utf16, "tokens_estimate": block.tokens, "dates": list(block.dates), "omitted": list(block.omitted)}
        output.write_json(fields)
    elif block is not None and block.text:
        output.write(output.clean_text(block.text))


@command.command(
    "compact", short_help="Merge weeks older than 180 days.", epilog=examples("memorybank episodes compact --dry-run", "memorybank episodes compact")
)
@click.option("--dry-run", is_flag=True, help="Only show which weeks would be merged; nothing is written.")
@summarizer_options
@output.format_option()
@click.pass_obj
def compact(call: CommandCall, dry_run: bool, chosen: SummarizerOptions, form: str) -> None:
    """Merge the days of each week older than 180 days into one entry.

    The days are copied verbatim to episodes/archives/ before they are removed from the list. 'episodes show DATE' still prints them.
    """
    episodes = call.open(read_only=dry_run).episodes
    if dry_run:
        show_weeks(episodes.ripe(), form)
        return
    choice = chosen.choose()
    if chosen.must_ask(choice, call):
        weeks = episodes.ripe()
        if weeks:
            chosen.ask(choice, call, len(weeks), "week", sum(len(entry.summary) for week in weeks for entry in week.entries))
    with progress("merging weeks", call.clock) as bar:
        merged = episodes.compact(summarizer=choice.build(call.clock), configured=chosen.configured(), step=lambda done, total, week: bar(done, total))
    show_merged(merged, form)


@command.command(
    "repair",
    short_help="Repair a damaged or duplicated list, or unfold a week.",
    epilog=examples("memorybank episodes repair", "memorybank episodes repair --unfold 2025-W38"),
)
@click.option("--unfold", metavar="WEEK", help="Put the days of a merged week back into the list: 2025-W38.")
@output.format_option()
@click.pass_obj
def repair(call: CommandCall, unfold: str | None, form: str) -> None:
    """Repair the list: an unreadable list is kept under another name and its readable entries are recovered; two copies are merged into one.

    Days whose summary failed in three runs are tried again by the next update.
    """
    episodes = call.open().episodes
    if unfold is None:
        show_repaired(episodes.repair(), form)
        return
    found = episodes.unfold(unfold.upper())
    output.rows(
        form,
        (Column("date"), Column("kind"), Column("begins", flexible=True)),
        [(entry.date, state(entry), beginning(entry)) for entry in found],
        [entry.raw for entry in found],
        empty="",
    )


def _entries(episodes: Episodes) -> tuple[Episode, ...]:
    """Return the list of episodes, with notices about entries without a date and about conflict marks of git.

    Raises the error that says how to repair a list that cannot be read.
    """
    entries = episodes.readable()
    undated = sum(not entry.first for entry in entries)
    if undated:
        output.notice(f"entries of the list without a readable date: {undated}; they are kept, and never shown to agents")
    if episodes.stored().merged:
        output.notice("the list contains git's conflict markers; both sides are read, and the next update merges them")
    return entries
