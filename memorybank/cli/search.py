"""`memorybank search`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output
from memorybank.cli.call import Call
from memorybank.cli.help import examples
from memorybank.cli.options import Filters, as_of_option, filter_options
from memorybank.cli.output import Column

if TYPE_CHECKING:
    from memorybank.search.hit import Hit

TYPES = ("keyword", "content", "importance", "recent")


@click.command(
    epilog=examples(
        "memorybank search why did we choose sqlite",
        "memorybank search '\"exact phrase\" rotation' --limit 3",
        "memorybank search 認証 トークン --category shared",
        "memorybank search --type content 'E_TIMEOUT' --format json",
        "memorybank search --type importance --limit 5",
        "memorybank search --type recent --since -7d",
        "memorybank search --archive staging         also what rotation put away",
        "memorybank search -- --dry-run              a query that looks like an option",
    )
)
@click.argument("words", nargs=-1, metavar="[QUERY...]")
@click.option(
    "--type",
    "kind",
    type=click.Choice(TYPES),
    default="keyword",
    show_default=True,
    help="keyword: ranked by words and phrases; content: every line with this literal text; importance, recent: ordered by score or date, the query optional.",
)
@click.option("--limit", type=click.IntRange(1, 10_000), default=10, show_default=True, metavar="N", help="At most N hits.")
@filter_options
@click.option("--regex", is_flag=True, help="With --type content: the query is a regular expression.")
@click.option("--archive", is_flag=True, help="Also search archived notes; a hit names the command that restores it.")
@click.option("--fresh", is_flag=True, help="Look at every note first, also in a large bank.")
@click.option("--as", "role", metavar="ROLE", help="Show only what this role may see (front matter acl and privacy).")
@as_of_option
@output.format_option("summary")
@click.pass_obj
def command(
    call: Call,
    words: tuple[str, ...],
    kind: str,
    limit: int,
    filters: Filters,
    regex: bool,
    archive: bool,
    fresh: bool,
    role: str | None,
    as_of: int | None,
    form: str,
) -> None:
    """Find notes, in English and Japanese, best first.

    An empty result is no error: exit code 0.
    """
    query = " ".join(words)
    if not query.strip() and kind in ("keyword", "content"):
        raise click.UsageError(f"--type {kind} needs a query")
    if regex and kind != "content":
        raise click.UsageError("--regex goes with --type content")
    answer = call.open().search(
        query,
        type=kind,
        limit=limit,
        regex=regex,
        archive=archive,
        fresh=fresh,
        role=role,
        as_of=as_of,
        category=filters.category,
        tags=filters.tags,
        since=filters.since,
        until=filters.until,
        min_importance=filters.min_importance,
    )
    if answer.stale:
        output.notice(answer.stale)
    if form == "table":
        output.rows(form, COLUMNS, map(_cells, answer.hits), None, empty="no hits")
        return
    from memorybank.search import render

    output.write(render.RENDERERS[form](answer))


COLUMNS = (Column("importance", right=True), Column("note"), Column("lines", right=True), Column("passage", flexible=True))


def _cells(hit: "Hit") -> tuple[object, ...]:
    first, last = hit.lines
    return hit.importance, hit.key, f"{first}-{last}" if last != first else first, hit.snippet
