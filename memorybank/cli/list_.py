"""`memorybank list`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import Filters, filter_options, limit_option
from memorybank.cli.output import Column
from memorybank.clock import local_day_of
from memorybank.text.quantities import counted, size

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.errors import Problem
    from memorybank.index.row import IndexedNote
    from memorybank.scoring.rank import ImportanceRank

FIRST_NOTES = 50
"""Number of notes that are listed unless --all or --limit is given."""
_COLUMNS = (Column("key"), Column("importance", right=True), Column("modified"), Column("title"))
_SOURCE_COLUMNS = (
    *output.columns("name", "kind"), *output.columns("files", "size", right=True), *output.columns("private", "loaded by"), Column("path", flexible=True),
)  # fmt: skip
_PROBLEM_COLUMNS = (Column("path"), Column("line", right=True), Column("code"), Column("problem", flexible=True))
_BEFORE_KEY = f"{'modified':10}  score  "
_WIDE, _RANK_COLUMNS = 100, 9
"""Minimum width in columns of a page that shows ranks, and the width of a rank."""
_TITLE_COLUMNS = 16
"""Number of columns that remain for titles next to the longest keys."""
_LEAST_TITLE_COLUMNS = 10
"""Minimum number of columns for a title next to its key; a title with less space is on the next line."""


@click.command(
    epilog=examples(
        "memorybank list                          the 50 notes that were modified last",
        "memorybank list --category planning --tag decision --all",
        "memorybank list --since -7d --format json",
        "memorybank list --problems               problems, with file, line and code",
        "memorybank list --sources                what is read in place, from the repository or elsewhere",
    ),
)
@filter_options
@limit_option(f"Only the N newest notes. Default: {FIRST_NOTES}; JSON has all.")
@click.option("--all", "every", is_flag=True, help="List every note.")
@click.option("--problems", is_flag=True, help="List problems of notes and of their file names instead.")
@click.option("--sources", is_flag=True, help="List the sources instead: what 'memorybank adopt' reads in place. JSON also has their files.")
@output.fresh_option
@click.option("--no-pager", is_flag=True, help="Do not show a long list in the pager ($PAGER). Only a terminal gets a pager.")
@output.format_option()
@click.pass_obj
def command(call: CommandCall, filters: Filters, limit: int | None, every: bool, problems: bool, sources: bool, fresh: bool, no_pager: bool, form: str) -> None:
    """List the active notes, the newest first, or their problems, or the sources.

    On a terminal a note is one line, with its title on a second one where both do not fit, and only titles are cut. Output to a pipe is plain text, and
    no cell of it is cut.
    A problem never stops a command: a note with a problem is still indexed and found as far as it can be read.
    """
    if every and limit is not None:
        raise click.UsageError("--all lists every note; omit --limit")
    if problems and sources:
        raise click.UsageError("--problems and --sources exclude each other")
    if problems:
        _problems(call, form, limit)
        return
    if sources:
        _sources(call, form)
        return
    most = None if every or (form == "json" and limit is None) else limit or FIRST_NOTES
    bank = call.open()
    shown, total, ranked, unread = _chosen(bank, filters, most, fresh=fresh or form == "json")
    hint = f"{len(shown):,} of {counted(total, 'note')}; --all lists every note" if len(shown) < total else ""
    missing = _missing(unread)
    if form == "table" and shown and output.is_page():
        output.paged("".join(line + "\n" for line in _page(shown, ranked, output.page_width(), hint)), pager=not no_pager)
        if missing:
            output.notice(missing)
        return
    cells = [(note.key, f"{note.importance:.1f}, {ranked[note.importance].text}", local_day_of(note.modified), note.title) for note in shown]
    data = [output.note_fields(note, ranked) for note in shown] if form == "json" else None
    output.rows(form, _COLUMNS, cells, data, empty="no notes match")
    if hint and limit is None:
        output.notice(hint)
    if missing:
        output.notice(missing)
    if form != "json" and not shown and (filters.category is not None or filters.tags):
        from memorybank.reasons.reason import text_of  # late: rarely needed

        for reason in filters.unknown(bank.notes.list()):
            output.notice(text_of(reason))


def _chosen(
    bank: "Bank", filters: Filters, most: int | None, *, fresh: bool
) -> "tuple[Sequence[IndexedNote], int, Mapping[float, ImportanceRank], Sequence[Problem]]":
    """Return (the newest notes that pass the filters, at most this many; the number of all that pass; the rank of each importance; what is not read)."""
    if most is not None and filters == Filters():
        newest = bank.catalogue.newest(most, fresh=fresh)
        return newest.notes, newest.total, newest.ranks, newest.unread
    from memorybank.scoring.rank import ranks

    with bank.at_once():
        existing, unread = bank.notes.list(), bank.notes.unread()
    notes = sorted((note for note in existing if filters.accept(note)), key=lambda note: (-note.modified, note.key))
    return notes[:most], len(notes), ranks(note.importance for note in existing), unread


def _page(notes: "Sequence[IndexedNote]", ranked: "Mapping[float, ImportanceRank]", width: int, hint: str) -> Iterator[str]:
    """Yield the lines of the list for a page. Only titles are cut; a key that is wider than the page continues on the next line, and a title follows it.

    ranked: the rank of each importance; shown where the page is wide enough
    hint: last line, if any
    """
    has_ranks = width >= _WIDE
    before = f"{_BEFORE_KEY}{'rank':{_RANK_COLUMNS}}  " if has_ranks else _BEFORE_KEY
    indent = len(before)
    keys = [output.clean(note.key) for note in notes]
    available = max(width - indent, 1)
    aligned = min(max(map(output.width, keys)), max(available - 2 - _TITLE_COLUMNS, len("key")))
    yield output.cut(f"{before}{'key'.ljust(aligned)}  title", width)
    for note, key in zip(notes, keys, strict=True):
        first, rest = output.split_name(key, available)
        padded = first + " " * (aligned - output.width(first))
        left = available - output.width(padded) - 2
        said = output.clean(note.title)
        is_beside = not rest and left >= min(_LEAST_TITLE_COLUMNS, output.width(said))
        title = "  " + output.cut(said, left) if is_beside else ""
        rank = f"{ranked[note.importance].text:{_RANK_COLUMNS}}  " if has_ranks else ""
        yield f"{local_day_of(note.modified):10}  {note.importance:5.1f}  {rank}{padded}{title}".rstrip()
        while rest:
            first, rest = output.split_name(rest, max(available, 2))
            yield " " * indent + first
        if said and not is_beside:
            yield " " * (indent + 2) + output.cut(said, max(available - 2, 1))
    if hint:
        yield ""
        yield output.cut(hint, width)


def _missing(unread: "Sequence[Problem]") -> str:
    """Return a sentence about the files that are not listed because they are not read as notes, "" if there is none."""
    if not unread:
        return ""
    first = f"{output.clean(unread[0].path)} is not listed: {unread[0].message}"
    return first if len(unread) == 1 else f"{first}; 'memorybank list --problems' names {counted(len(unread), 'such file')}"


def _problems(call: CommandCall, form: str, limit: int | None) -> None:
    found = call.open().notes.problems()[:limit]
    data = [problem.to_json() for problem in found]
    cells = [(problem.path, problem.line, problem.code, problem.message) for problem in found]
    output.rows(form, _PROBLEM_COLUMNS, cells, data, empty="no problems")


def _sources(call: CommandCall, form: str) -> None:
    bank = call.open()
    found = bank.adoption.sources()
    for problem in bank.adoption.problems():
        output.notice(f"{problem.where}: {problem.message}")
    cells = [
        (
            each.source.name,
            each.source.kind,
            each.files,
            size(each.size),
            "yes" if each.source.is_private else "no",
            ", ".join(each.loaded_by) or None,
            each.path,
        )
        for each in found
    ]
    data = None
    if form == "json":
        files = bank.adoption.files()
        of = {each.source.name: [bank.layout.published_path(file.key) for file in files if file.source == each.source.name] for each in found}
        data = [{**each.to_json(), "paths": of[each.source.name]} for each in found]
    output.rows(form, _SOURCE_COLUMNS, cells, data, empty="nothing is read in place; 'memorybank adopt' shows what a project has already")
