"""`memorybank know extract`, and what it prints."""

from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from memorybank import clock
from memorybank.cli import output, page
from memorybank.cli.call import CommandCall
from memorybank.cli.help import examples
from memorybank.cli.output import Column
from memorybank.cli.progress import progress
from memorybank.cli.quantities import counted
from memorybank.cli.summarizing import SummarizerOptions, summarizer_options
from memorybank.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.bank.extracting import SessionToRead
    from memorybank.cycle.finish.extraction import ExtractionReport
    from memorybank.summarize.summarizer import TokenPrice

_NO_MODEL = "no model is set up: the extractive summarizer names no rules, findings or reasons"
_NOTHING = "nothing to read: nobody said anything there, or this model has read it; --again reads it again"
_WHY = {
    "form": "have another form",
    "length": "are empty or too long",
    "surplus": "are beyond the limit of one answer",
    "against_people": "address an agent behind its people's backs",
    "quote": "quote what the session does not contain",
    "not_a_person": "are rules that no person stated",
    "unrelated": "have nothing in common with their quote",
    "duplicate": "repeat another one",
}


@click.command(
    "extract",
    short_help="Let a model of yours read what a session taught.",
    epilog=examples(
        "memorybank know extract --dry-run",
        "memorybank know extract --summarizer ollama --model qwen3",
        "memorybank know extract --all",
        "memorybank know extract --session 258c7280 --again",
    ),
)
@click.option("--session", metavar="ID", help="Read this session instead of the one that finished last; the beginning of its id is enough.")
@click.option("--all", "every", is_flag=True, help="Read every finished session.")
@click.option("--again", is_flag=True, help="Also read sessions that this model has read before; the new answer replaces the old one.")
@click.option("--dry-run", is_flag=True, help="Only show which sessions would be read; nothing is sent or written.")
@summarizer_options
@output.format_option()
@click.pass_obj
def extract(call: CommandCall, session: str | None, every: bool, again: bool, dry_run: bool, chosen: SummarizerOptions, form: str) -> None:
    """Ask the model or program that you set up for summaries to name rules, findings and reasons of a session.

    What people typed and agents answered is sent, at most 24,000 characters of a session, without secrets and without what not everybody may see. Each
    answer must quote the session; what it cannot quote is dropped. What it can is recalled like other knowledge, marked as made by a model, below what
    people said themselves. Without a model of yours this command does nothing, and nothing else needs it.
    """
    if session is not None and every:
        raise click.UsageError("--session and --all cannot be combined; give one of them")
    choice = chosen.choose()
    if choice.leaves_by is None:
        raise UsageError(_NO_MODEL, next_step="set summarizer.use in your own config.json (docs/configuration.md), or pass --summarizer")
    knowledge = call.open(read_only=dry_run).knowledge
    if dry_run or chosen.must_ask(choice, call):
        waiting = knowledge.to_extract(choice.name, session=session, every=every, again=again)
        if dry_run:
            _show_plan(waiting, choice.leaves_by, form)
            return
        if waiting:
            chosen.ask(choice, call, len(waiting), "session", sum(one.characters for one in waiting))
    model = choice.model(call.clock)
    assert model is not None
    with ExitStack() as bars:
        step = bars.enter_context(progress("reading sessions", call.clock))
        report = knowledge.extract(model, session=session, every=every, again=again, step=step)
    _show_report(report, form, choice.price)


def _show_plan(waiting: "Sequence[SessionToRead]", to: str, form: str) -> None:
    columns = (Column("session"), Column("last"), Column("characters", right=True))
    cells = [(one.session, clock.day_of(one.at), one.characters) for one in waiting]
    output.rows(form, columns, cells, {"to": to, "sessions": [one.to_json() for one in waiting]}, empty=_NOTHING)


def _show_report(report: "ExtractionReport", form: str, price: "TokenPrice") -> None:
    if form == "json":
        output.write_json(_as_json(report))
        return
    columns = (Column("session"), Column("kind"), Column("what", flexible=True))
    cells = [(session, item.item, f"{item.heading}: {item.text}" if item.heading else item.text) for session, items, _ in report.read for item in items]
    empty = "" if report.failed else "the model named nothing that the sessions bear out" if report.read else _NOTHING
    output.rows(form, columns, [(session, kind, output.clean(text)) for session, kind, text in cells], None, empty=empty)
    dropped: dict[str, int] = {}
    for _, _, reasons in report.read:
        for reason, count in reasons.items():
            dropped[reason] = dropped.get(reason, 0) + count
    if dropped:
        page.say(f"dropped: {'; '.join(f'{count} that {_WHY[reason]}' for reason, count in dropped.items())}")
    if report.tokens is not None:
        about = "≈ " if report.tokens.estimated else ""
        cost = price.of(report.tokens)
        money = "" if cost is None else f"; {about}{cost:.4f} at the configured price"
        page.say(f"tokens: {about}{report.tokens.prompt:,} in, {about}{report.tokens.completion:,} out{money}")
    _tell_failed(report)


def _tell_failed(report: "ExtractionReport") -> None:
    """Say once for each kind of failure what happened."""
    kinds: dict[str, list[str]] = {}
    for _, kind, message in report.failed:
        kinds.setdefault(kind, []).append(message)
    for kind, messages in kinds.items():
        more = f", and {counted(len(messages) - 1, 'other session')}" if len(messages) > 1 else ""
        output.notice(f"nothing was changed ({kind}): {output.clean(messages[0])}{more}")
    if report.left:
        output.notice(f"the model was busy; {counted(report.left, 'session')} not reached")


def _as_json(report: "ExtractionReport") -> dict[str, object]:
    tokens = report.tokens
    read = [
        {
            "session": session,
            "items": [{"kind": one.item, "text": one.text, "heading": one.heading, "quote": one.quote, "files": list(one.files)} for one in items],
            "dropped": dropped,
        }
        for session, items, dropped in report.read
    ]
    return {
        "read": read,
        "failed": [{"session": session, "kind": kind, "message": message} for session, kind, message in report.failed],
        "left": report.left,
        "tokens": tokens and {"prompt": tokens.prompt, "completion": tokens.completion, "estimated": tokens.estimated},
    }
