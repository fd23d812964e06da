"""`memorybank recall` and `memorybank recall stats`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memorybank import clock
from memorybank.cli import output, page, standard_input
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import as_of_option, options_as
from memorybank.cli.output import Column
from memorybank.cli.page import Card
from memorybank.errors import NotFound
from memorybank.reasons.reason import joined, text_of
from memorybank.text.quantities import counted
from memorybank.values import Value

if TYPE_CHECKING:
    from memorybank.bank.memory import JudgedMemory, RecallResult
    from memorybank.cycle.recall.outcomes import Moment, Stats
    from memorybank.storage.layout import Layout

MOMENTS = ("session_start", "prompt", "tool_before", "failure", "subagent_start")


class RecallOptions(Value):
    """Values of the options that describe the agent and its situation. The names are those of the parameters of `Memory.recall`."""

    tool: str | None
    file: str | None
    moment: str | None
    role: str
    agent: str | None
    session: str


@click.command(
    epilog=examples(
        "memorybank recall 'how do uploads retry?'",
        "memorybank recall 再送の上限は何回？ --explain",
        "pbpaste | memorybank recall -                    what a copied prompt would bring",
        "memorybank recall --tool Edit --file src/upload.py",
        "memorybank recall --tool Bash 'npm test'",
        "memorybank recall                                what a new session starts with",
        "memorybank recall --role reviewer                what a sub-agent of that role starts with",
        "memorybank recall --moment failure --tool Bash 'ECONNRESET while uploading'",
        "memorybank recall stats",
    )
)
@click.argument("words", nargs=-1, metavar="[TEXT...|stats]")
@options_as(
    "options",
    RecallOptions,
    click.option("--tool", metavar="T", help="Recall as before a call of this tool: Bash (the text is its command), Edit, Read, ..."),
    click.option("--file", metavar="F", help="File that the call uses."),
    click.option("--moment", type=click.Choice(MOMENTS), help="Moment of the recall. Default: derived from the other options."),
    click.option("--role", default="main", show_default=True, metavar="R", help="Role of the agent."),
    click.option("--agent", metavar="A", help="Id of the agent in its session."),
    click.option(
        "--session", default="", metavar="S", help="Session of the agent; what it was shown already is not shown again. The beginning of its id is enough."
    ),
)
@click.option("--explain", is_flag=True, help="Also show the question, each memory with its band, score and parts, and why others were left out.")
@as_of_option
@output.format_option()
@click.pass_obj
def command(call: CommandCall, words: tuple[str, ...], options: RecallOptions, explain: bool, as_of: str | None, form: str) -> None:
    """Show exactly what a hook would show to an agent, and why. Nothing is written to the log.

    Without TEXT and options it is what a new session starts with; a single - reads TEXT from standard input.

    `memorybank recall stats` shows what recall did so far.
    """
    bank = call.open()
    memory = bank.memory
    if words == ("stats",) and not (options.tool or options.file or options.moment):
        _stats(memory.stats(as_of=as_of), form)
        return
    text = standard_input.text() if words == ("-",) else " ".join(words)
    if options.session:
        options = options.with_changes(session=_session(bank.layout, options.session))
    found = memory.recall(text, as_of=as_of, **options.as_dict())
    if output.as_json(form, _fields(found)):
        return
    if not words and standard_input.is_piped():
        output.notice("standard input was not read; 'memorybank recall -' reads the text from it")
    if found.injection is None:
        page.say(f"nothing would be injected: {found.reason}")
        if found.notice:
            output.notice(found.notice)
        if found.reason is not None and found.reason.code == "silence.notes_wait_for_prompts":
            output.notice("to see what a prompt brings: memorybank recall 'TEXT'")
    else:
        output.write(output.clean_text(found.injection.text) + "\n")
    if explain:
        _explain(found, form)


def _session(layout: Layout, given: str) -> str:
    """Return the id of the session that was meant. One that is not known is said to be none, and recall goes on as for a new context."""
    from memorybank.log import sessions  # late: most recalls name no session

    try:
        return sessions.id_of(layout, given)
    except NotFound as error:
        output.notice(f"{error.message}; {error.next_step}. This is what a new session would be shown")
        return given


def _explain(found: RecallResult, form: str) -> None:
    lines = [f"moment: {found.moment}", f"words: {', '.join(found.words) or 'none'}", f"anchors: {', '.join(found.anchors) or 'none'}"]
    if found.injection is not None:
        lines.append(f"size: {found.injection.utf16:,} UTF-16 units" + (", something was left out for lack of space" if found.injection.truncated else ""))
    page.say("", *lines, "")
    columns = (
        *output.columns("rank", "band", "score", right=True),
        *output.columns("memory", "date"),
        *output.columns("parts", "because", flexible=True),
    )
    page.listing(form, (*found.shown, *found.near), columns, _cells, _card, empty="no memory came close")


def _cells(item: JudgedMemory) -> tuple[object, ...]:
    return item.rank or "-", item.band, f"{item.score:.3f}", item.memory, clock.day_of(item.at), _parts(item), joined(item.why)


def _card(item: JudgedMemory) -> Card:
    rank = f"rank {item.rank}" if item.rank else "not shown"
    because = f"because of {joined(item.why)}" if item.rank else joined(item.why)
    return Card(f"{item.score:.3f}", item.memory, (f"{rank}, band {item.band}, {clock.day_of(item.at)}", _parts(item), because))


def _parts(item: JudgedMemory) -> str:
    return " + ".join(f"{value:.3f} {name}" for name, value in item.parts.items())


def _fields(found: RecallResult) -> dict[str, object]:
    injection = found.injection
    return {
        "moment": found.moment,
        "text": injection.text if injection is not None else None,
        "utf16": injection.utf16 if injection is not None else 0,
        "truncated": injection.truncated if injection is not None else False,
        "reason": text_of(found.reason) or None,
        "code": found.reason.code if found.reason is not None else None,
        "notice": found.notice or None,
        "words": list(found.words),
        "anchors": list(found.anchors),
        "shown": [_item_fields(item) for item in found.shown],
        "near": [_item_fields(item) for item in found.near],
    }


def _item_fields(item: JudgedMemory) -> dict[str, object]:
    return {
        "rank": item.rank or None,
        "memory": item.memory,
        "kind": item.kind,
        "band": item.band,
        "score": round(item.score, 4),
        "parts": {name: round(value, 4) for name, value in item.parts.items()},
        "context_match": round(item.match, 4),
        "why": [text_of(why) for why in item.why],
        "date": clock.isoformat(item.at),
    }


def _stats(found: Stats, form: str) -> None:
    if output.as_json(form, found):
        return
    columns = (Column("moment"), *output.columns("firings", "injected", "silent", "memories", "tokens", "used", "precision", right=True))
    page.listing(form, found.moments, columns, _moment_cells, _moment_card, empty="no moments")
    page.say("", f"resident summary injected: {counted(found.resident, 'time')}")
    if found.turns:
        page.say(f"turns that ended in success: {found.successes:,} of {found.turns:,} ({found.successes / found.turns:.0%})")
    if found.fingerprints:
        page.say(
            f"attempts to the first success: {found.attempts / found.fingerprints:.2f} on average over {counted(found.fingerprints, 'action')}, "
            f"{found.first_time / found.fingerprints:.0%} succeeded at the first attempt"
        )
    page.say("The numbers about turns and attempts are descriptive; they do not show what memory contributed.")


def _moment_card(row: Moment) -> Card:
    fired = [counted(row.firings, "firing")] if row.firings is not None else []
    fired += [f"{row.injected:,} injected", *([f"{row.abstentions:,} silent"] if row.abstentions is not None else [])]
    precision = "" if row.precision is None else f", precision {row.precision:.2f}"
    outcome = f"{row.memories:,} {'memory' if row.memories == 1 else 'memories'}, {counted(row.tokens, 'token')}, {row.used:,} used{precision}"
    return Card(row.moment, ", ".join(fired), (outcome,) if row.memories else ())


def _moment_cells(row: Moment) -> tuple[object, ...]:
    precision = None if row.precision is None else f"{row.precision:.2f}"
    return row.moment, row.firings, row.injected, row.abstentions, row.memories, row.tokens, row.used, precision
