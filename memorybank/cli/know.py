"""`memorybank know list|show|reject|restore|undo|extract` and `memorybank tick`."""

from typing import TYPE_CHECKING

import click

from memorybank import clock
from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.episodes import SummarizerOptions, summarizer_options
from memorybank.cli.episodes_report import show_tokens
from memorybank.cli.options import limit_option, quiet_option
from memorybank.cli.output import Column
from memorybank.cli.page import Card
from memorybank.cli.progress import progress
from memorybank.errors import UsageError
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.bank.knowledge import SessionToRead
    from memorybank.bank.known_items import KnowledgeItem, KnowledgeSource
    from memorybank.cycle.finish.extraction import ExtractionReport
    from memorybank.summarize.summarizer import TokenPrice


KINDS = ("problem", "rule", "finding", "commands")
_NOTE = "note:"
_CHARACTERS = 160
"""Maximum length of a text in a list; `show` prints it in full."""
_SOURCES = 10
_NO_MODEL = "no model is set up: the extractive summarizer names no rules, findings or reasons"
_ROLE = click.option("--role", default="main", show_default=True, metavar="R", help="Show what agents of this role may see.")

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


@click.group(
    epilog=examples(
        "memorybank know list",
        "memorybank know list --kind rule --all",
        "memorybank know list --rejected",
        "memorybank know show problem:1a2b3c4d",
        "memorybank know reject rule:9f8e7d6c",
        "memorybank know undo",
        "memorybank know extract --dry-run",
    )
)
def command() -> None:
    """List what sessions taught, and reject what is wrong: problems with their solutions, usual commands, rules in people's own words, findings.

    What you reject is never recalled again. The rejection of a finding also applies to later findings that say the same. It is a line of
    `rejected.jsonl` in the bank; commit it, so that it applies to everybody.
    """


@command.command("list", short_help="List what is known.", epilog=examples("memorybank know list --kind problem", "memorybank know list --format json"))
@click.option("--kind", type=click.Choice(KINDS), help="Only this kind.")
@click.option("--all", "every", is_flag=True, help="Also show what was superseded or rejected.")
@click.option("--rejected", "is_rejected", is_flag=True, help="Show only what was rejected, including findings that say the same.")
@click.option("--shown", "is_shown", is_flag=True, help="Of the findings, show those that agents were shown.")
@limit_option("Maximum number of findings, the newest ones; other kinds are always listed.", default=20, least=0)
@_ROLE
@output.format_option()
@click.pass_obj
def list_(call: CommandCall, kind: str | None, every: bool, is_rejected: bool, is_shown: bool, limit: int, role: str, form: str) -> None:
    """List problems by the number of sessions that met them, the usual commands, rules in force, and findings with the newest first."""
    found = call.open().knowledge.list(kind, every=every, is_rejected=is_rejected, is_shown=is_shown, limit=limit, role=role)
    columns = (Column("id"), Column("sessions", right=True), Column("last"), *([Column("status")] if every else []), Column("what", flexible=True))

    def cells(known: "KnowledgeItem") -> tuple[object, ...]:
        return known.id, known.sessions or "-", clock.day_of(known.at), *([known.status] if every else []), _short(known.text)

    empty = "nothing is rejected" if is_rejected else "nothing is known yet; recorded sessions add to it"
    page.listing(form, found, columns, cells, _card, [one.to_json() for one in found], empty=empty)


@command.command("show", short_help="Show one entry with its sources.", epilog=examples("memorybank know show problem:1a2b"))
@click.argument("name", metavar="ID")
@_ROLE
@output.format_option()
@click.pass_obj
def show(call: CommandCall, name: str, role: str, form: str) -> None:
    """Show the text of ID, why it counts, and where it comes from. The beginning of the id is enough."""
    found = call.open().knowledge.show(name, role=role)
    if output.as_json(form, found):
        return
    known = found.known
    page.say(known.text, "")
    facts = [("id", known.id), ("status", known.status), ("sessions", str(known.sessions)), ("last", clock.day_of(known.at))]
    facts += [("made by", f"a model ({output.clean(known.made_by)})")] if known.made_by else []
    page.facts(form, [*facts, *(("because", str(why)) for why in found.why)])
    page.say("")
    _sources(found.sources, form)


@command.command("reject", short_help="Make sure that entries are never recalled again.", epilog=examples("memorybank know reject rule:9f8e7d6c"))
@click.argument("names", metavar="ID...", nargs=-1, required=True)
@click.pass_obj
def reject(call: CommandCall, names: tuple[str, ...]) -> None:
    """Reject ID, so that no session recalls it again, nor what says the same. Everybody who has the commit with `rejected.jsonl` shares the rejection."""
    knowledge = call.open().knowledge
    for name in names:
        known = knowledge.reject(name)
        output.write(f"rejected: {output.clean(known.id)}  {_short(known.text)}\n")
    output.notice("'memorybank know undo' undoes the last rejection; commit rejected.jsonl, so that it applies to everybody")


@command.command("restore", short_help="Undo a rejection.", epilog=examples("memorybank know restore rule:9f8e7d6c"))
@click.argument("name", metavar="ID")
@click.pass_obj
def restore(call: CommandCall, name: str) -> None:
    """Undo the rejection of ID, so that it is recalled again where it fits. If ID only says the same as a rejected finding, only ID is restored."""
    _print_restored(call.open().knowledge.restore(name))


@command.command("undo", short_help="Undo the newest rejection.", epilog=examples("memorybank know undo"))
@click.pass_obj
def undo(call: CommandCall) -> None:
    """Undo the newest rejection, whoever made it."""
    _print_restored(call.open().knowledge.undo())


@command.command(
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

    The prompts that people typed and the answers of agents are sent: at most 24,000 characters of a session, without secrets and without text that not
    everybody may see. Each rule, finding or reason must quote the session, otherwise it is dropped. The others are recalled like other knowledge, marked
    as made by a model, and below what people said themselves. Without a model of your choice this command does nothing, and nothing else needs it.
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
            show_extraction_plan(waiting, choice.leaves_by, form)
            return
        if waiting:
            chosen.ask(choice, call, len(waiting), "session", sum(one.characters for one in waiting))
    model = choice.model(call.clock)
    assert model is not None
    with progress("reading sessions", call.clock) as step:
        report = knowledge.extract(model, session=session, every=every, again=again, step=step)
    show_extraction_report(report, form, choice.price)


def _print_restored(known: "KnowledgeItem") -> None:
    output.write(f"restored: {output.clean(known.id)}  {_short(known.text)}".rstrip() + "\n")


def _card(known: "KnowledgeItem") -> Card:
    came_up = f"{counted(known.sessions, 'session')}, last " if known.sessions else ""
    status = "" if known.status == "in force" else f", {known.status}"
    status += f", made by a model ({output.clean(known.made_by)})" if known.made_by else ""
    return Card(known.kind, _short(known.text), (f"{known.id}; {came_up}{clock.day_of(known.at)}{status}",))


def _sources(sources: "tuple[KnowledgeSource, ...]", form: str) -> None:
    newest = sources[:_SOURCES]
    columns = (Column("date"), Column("session"), Column("what the log says", flexible=True))
    page.listing(form, newest, columns, _source_cells, _source_card, empty="no source is left in the log")
    if len(sources) > len(newest):
        page.say(f"{counted(len(sources) - len(newest), 'earlier source')}; --format json lists all of them")


def _source_cells(source: "KnowledgeSource") -> tuple[object, ...]:
    return clock.day_of(source.at), source.session, _short(source.text)


def _source_card(source: "KnowledgeSource") -> Card:
    return Card(clock.day_of(source.at), _short(source.text), (f"session {source.session}",))


def _short(text: str) -> str:
    return output.cut(output.clean(text), _CHARACTERS)


@click.command(
    epilog=examples(
        "memorybank tick problem:1a2b3c4d helpful",
        "memorybank tick answer:86a95ca6d21ae7fc.0 wrong",
        "memorybank tick note:planning/retry.md helpful",
    )
)
@click.argument("name", metavar="ID")
@click.argument("verdict", type=click.Choice(("helpful", "wrong")))
@output.text_format_option("One line, or a JSON object.")
@quiet_option
@click.pass_obj
def tick(call: CommandCall, name: str, verdict: str, form: str) -> None:
    """Mark the memory ID, as an agent was shown it, as helpful or wrong.

    The mark applies to the most recent time the memory was shown. A memory derived from sessions that is marked wrong is not shown until it is marked helpful
    again. A note, a rule or a problem only carries the mark ('memorybank know reject' stops the recall of rules and problems). 'memorybank know list' and
    'memorybank recall --explain' print ids.
    """
    bank = call.open()
    if name.startswith(_NOTE):
        name = _NOTE + bank.notes.find(name.removeprefix(_NOTE))
    memory = bank.knowledge.tick(name, verdict)
    output.result(form, f"{verdict}: {output.clean(memory)}", {"memory": memory, "verdict": verdict})


def show_extraction_plan(waiting: "Sequence[SessionToRead]", to: str, form: str) -> None:
    """Print the sessions that would be read.

    to: host or program that would receive them
    """
    columns = (Column("session"), Column("last"), Column("characters", right=True))
    cells = [(one.session, clock.day_of(one.at), one.characters) for one in waiting]
    output.rows(form, columns, cells, {"to": to, "sessions": [one.to_json() for one in waiting]}, empty=_NOTHING)


def show_extraction_report(report: "ExtractionReport", form: str, price: "TokenPrice") -> None:
    """Print what a run recorded.

    price: price for a million tokens of the model
    """
    if output.as_json(form, _as_json(report)):
        return
    columns = (Column("session"), Column("kind"), Column("what", flexible=True))
    cells = [
        (session, item.item, output.clean(f"{item.heading}: {item.text}" if item.heading else item.text)) for session, items, _ in report.read for item in items
    ]
    empty = "" if report.failed else "the model named nothing that the sessions bear out" if report.read else _NOTHING
    output.rows(form, columns, cells, None, empty=empty)
    dropped: dict[str, int] = {}
    for _, _, reasons in report.read:
        for reason, count in reasons.items():
            dropped[reason] = dropped.get(reason, 0) + count
    if dropped:
        page.say(f"dropped: {'; '.join(f'{count} that {_WHY[reason]}' for reason, count in dropped.items())}")
    show_tokens(report.tokens, price)
    _show_failures(report)


def _show_failures(report: "ExtractionReport") -> None:
    """Print one notice for each kind of failure."""
    kinds: dict[str, list[str]] = {}
    for _, kind, message in report.failed:
        kinds.setdefault(kind, []).append(message)
    for kind, messages in kinds.items():
        more = f", and {counted(len(messages) - 1, 'other session')}" if len(messages) > 1 else ""
        output.notice(f"nothing was changed ({kind}): {output.clean(messages[0])}{more}")
    if report.left:
        output.notice(f"the model was busy; {counted(report.left, 'session')} not reached")


def _as_json(report: "ExtractionReport") -> dict[str, object]:
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
        "tokens": report.tokens and report.tokens.to_json(),
    }
