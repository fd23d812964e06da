"""`memorybank search`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import Filters, as_of_option, filter_options, limit_option, options_as
from memorybank.cli.output import Column
from memorybank.clock import isoformat
from memorybank.errors import NotFound
from memorybank.reasons.reason import Reason, joined, text_of
from memorybank.values import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memorybank.bank import Bank
    from memorybank.bank.everywhere import RepositoryAnswer
    from memorybank.search.hit import Hit, SearchAnswer
    from memorybank.storage.layout import Layout

TYPES = ("keyword", "semantic", "hybrid", "content", "importance", "recent")
RANKED = ("keyword", "semantic", "hybrid")
KINDS = ("note", "episode")


class SearchOptions(Value):
    """Values of the options that the facade's `search` takes under the same names."""

    type: str
    limit: int
    regex: bool
    archive: bool
    fresh: bool
    role: str | None
    as_of: str | None


def _kinds(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Return the kinds of all values, each of which is one kind or several, separated by commas."""
    kinds = tuple(dict.fromkeys(kind.strip() for value in given for kind in value.split(",")))
    for kind in kinds:
        if kind not in KINDS:
            raise click.BadParameter(f"{kind!r} is not one of {', '.join(KINDS)}", context, parameter)
    return kinds


@click.command(
    epilog=examples(
        "memorybank search why did we choose sqlite",
        "memorybank search '\"exact phrase\" rotation' --limit 3",
        "memorybank search 認証 トークン --category shared",
        "memorybank search 'start page slow' --or 'dashboard latency'   the same question in other words",
        "memorybank search --type hybrid 'people get logged out'   by words and meaning (docs/search.md)",
        "memorybank search --type content 'E_TIMEOUT' --format json",
        "memorybank search --type importance --limit 5",
        "memorybank search --tag decision            every note with this tag, the newest first",
        "memorybank search --since yesterday         what changed since then",
        "memorybank search --kind episode 'upload retries'   days that were about it",
        "memorybank search --kind note,episode --type recent",
        "memorybank search --archive staging         archived notes, too",
        "memorybank search --all-banks 'retry policy'   every bank of the repository",
        "memorybank search --all 'VPN token'        every bank that you registered on this machine",
        "memorybank search -- --dry-run              a query that looks like an option",
    )
)
@click.argument("words", nargs=-1, metavar="[QUERY...]")
@click.option(
    "--type",
    type=click.Choice(TYPES),
    default="keyword",
    show_default=True,
    help="keyword: ranked by words and phrases; semantic: by meaning, with the embedder of your own settings; hybrid: by both; content: every line that "
    "contains this literal text; importance, recent: by score or date, query optional.",
)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    callback=_kinds,
    metavar="|".join(KINDS),
    help="What to search; may be repeated, or separated by commas. Default: all. --type importance, --category, --tag and --min-importance find notes only.",
)
@limit_option("Maximum number of hits.", default=10, most=10_000)
@filter_options
@options_as("options", SearchOptions)
@click.option(
    "--or", "also", multiple=True, metavar="TEXT", help="The same question in other words; may be repeated. A hit counts where it answers one of them best."
)
@click.option("--regex", is_flag=True, help="With --type content: the query is a regular expression, which may run for 20 seconds.")
@click.option("--archive", is_flag=True, help="Also search archived notes; such a hit shows the command that restores it.")
@output.fresh_option
@click.option("--as", "role", metavar="ROLE", help="Show only what this role may see (front matter acl and privacy).")
@as_of_option
@click.option("--all-banks", "every", is_flag=True, help="Search every bank .claude/memory of this repository; hits name their bank.")
@click.option("--all", "registered", is_flag=True, help="Search the banks of this machine that 'banks add' registered, your personal bank and this one.")
@output.format_option("summary")
@click.pass_obj
def command(
    call: CommandCall,
    words: tuple[str, ...],
    kinds: tuple[str, ...],
    also: tuple[str, ...],
    options: SearchOptions,
    filters: Filters,
    every: bool,
    registered: bool,
    form: str,
) -> None:
    """Find notes and episodes, in English and Japanese, best first.

    A hit that contains less than half of the query is marked as a weak match; rare words count more. With filters and no words, everything that matches the
    filters is listed, the newest first. An empty result is not an error: the exit code is 0.
    """
    query = " ".join(words)
    is_listing = options.type in RANKED and (kinds or any(value not in (None, ()) for value in filters.as_dict().values()))
    if not query.strip() and options.type in (*RANKED, "content") and not is_listing:
        raise click.UsageError(f"--type {options.type} needs a query" + ("" if options.type == "content" else ", or a filter such as --tag or --since"))
    if every and registered:
        raise click.UsageError("--all-banks searches this repository, and --all this machine; omit one of them")
    if options.regex and options.type != "content":
        raise click.UsageError("--regex requires --type content")

    def asked(bank: Bank) -> SearchAnswer:
        return bank.search(
            query,
            **options.as_dict(),
            category=filters.category,
            tags=filters.tags,
            since=None if filters.since is None else isoformat(filters.since),
            until=None if filters.until is None else isoformat(filters.until),
            min_importance=filters.min_importance,
            kinds=kinds,
            also=also,
        )

    found = _everywhere(call, asked, options.limit) if every else _on_this_machine(call, asked, options.limit) if registered else None
    answer = asked(call.open()) if found is None else found.answer
    for each in found.left_out if found is not None else ():
        output.notice(f"{each.bank} was left out: {each.reason}; {each.next_step}")
    if answer.stale:
        output.notice(joined(answer.stale, between="; "))
    if form != "json":
        for reason in _remarks(call, options, filters, answer, is_of_one_bank=found is None):
            output.notice(text_of(reason))
    _write(answer, found, form)


def _write(answer: SearchAnswer, found: RepositoryAnswer | None, form: str) -> None:
    """Write the hits. found: the answer of several banks, None for that of one"""
    if form == "json":
        from memorybank.search import render

        of_banks = {} if found is None else {"banks": found.banks, "left_out": [each.to_json() for each in found.left_out]}
        output.write_json({**render.fields(answer), **of_banks})
    elif form == "table" and answer.hits and output.is_page():
        _page(answer.hits)
    elif form == "table":
        output.rows(form, COLUMNS, map(_cells, count(1), answer.hits), None, empty="no hits")
    else:
        from memorybank.search.render import RENDERERS

        output.write(output.clean_text(RENDERERS[form](answer) + "\n"))


def _remarks(call: CommandCall, options: SearchOptions, filters: Filters, answer: SearchAnswer, *, is_of_one_bank: bool) -> Iterator[Reason]:
    """Yield that every hit is weak; of a search for words that found nothing, what it did not look at."""
    if answer.hits:
        if all(hit.is_weak for hit in answer.hits):
            yield Reason("search.only_weak")
        return
    if not is_of_one_bank:
        return
    if filters.category is not None or filters.tags:
        yield from filters.unknown(call.open().notes.list())
    if not answer.query.strip():
        return
    from memorybank.archive import files  # late: most searches have hits
    from memorybank.log import events

    if not options.archive and next(files.names(call.layout()), None) is not None:
        yield Reason("search.not_archive")
    if events.names(call.layout()):
        yield Reason("search.not_sessions")


def _everywhere(call: CommandCall, asked: Callable[[Bank], SearchAnswer], limit: int) -> RepositoryAnswer:
    """Search every bank of the repository of the working folder."""
    from memorybank.bank import everywhere, neighbours

    own = _own_bank(call)  # the root of a monorepo needs no bank of its own
    banks = neighbours.banks_beside(own, os.getcwd())
    return everywhere.search(banks, own.root if own is not None else None, call.open, asked, limit)


def _on_this_machine(call: CommandCall, asked: Callable[[Bank], SearchAnswer], limit: int) -> RepositoryAnswer:
    """Search the registered banks, the personal bank and the bank of the working folder."""
    from memorybank.bank import registered

    return registered.search(_own_bank(call), os.environ, call.open, asked, limit)


def _own_bank(call: CommandCall) -> Layout | None:
    """Return the bank of the working folder; None without one. A bank that was named must exist."""
    try:
        return call.layout()
    except NotFound:
        if call.named is not None or os.environ.get("MEMORYBANK_DIR"):
            raise
        return None


COLUMNS = (Column("rank", right=True), Column("match"), Column("importance", right=True), Column("kind"), Column("where"), Column("passage"))


def _cells(rank: int, hit: Hit) -> tuple[object, ...]:
    return rank, _match(hit), hit.standing or None, hit.kind, hit.place, hit.snippet + _untrue(hit) + _restore(hit)


def _match(hit: Hit) -> str | None:
    """Return how well a hit matches, and by what; None where the order does not follow the query."""
    if hit.match_type not in RANKED:
        return None
    return ("weak" if hit.is_weak else "good") + (f", {hit.found_by}" if hit.found_by else "")


def _untrue(hit: Hit) -> str:
    return f" ({joined(hit.untrue, between='; ')})" if hit.untrue else ""


def _restore(hit: Hit) -> str:
    return f"  [{hit.restore}]" if hit.restore else ""


def _page(hits: Sequence[Hit]) -> None:
    """Draw hits for a terminal: rank and place, and below them, over the full width, what is known of the hit and the passage with its matches highlighted."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for rank, hit in enumerate(hits, 1):
        passage = Text(output.clean(hit.snippet))
        for start, end in hit.marks:
            passage.stylize("bold yellow", start, end)
        place = Text(output.clean(hit.place), style="bold").append(output.clean(_restore(hit)), style="not bold")
        about = [
            *(["weak match"] if hit.is_weak else []),
            *([f"by {hit.found_by}"] if hit.found_by else []),
            f"importance {hit.standing}" if hit.standing else hit.kind,
        ]
        marks = [Text(output.clean(_untrue(hit).strip()), style="red")] if hit.untrue else []
        table.add_row(Text(f"{rank}."), Text("\n").join([place, Text(", ".join(about), style="dim"), passage, *marks]))
    output.draw(table)
