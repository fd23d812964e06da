"""Prints results for people at any page width: named facts, cards of a few lines, folded sentences, findings about stored data.

A card is a row whose text is too long for the columns of a table: a short mark on the left, the subject, and below it the lines
that explain it. Towards a pipe the same rows are one line each (`memorybank.cli.output`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from memorybank.cli import output
from memorybank.cli.output import Column
from memorybank.errors import ValidationFailed
from memorybank.text.quantities import counted
from memorybank.values import NamedTuple

if TYPE_CHECKING:
    from memorybank.rotation.report import ArchiveFinding

FIRST_ROWS = 20
"""Maximum number of rows on a page. Drawing thousands takes seconds, and nobody reads them."""

Item = TypeVar("Item")
Fact = tuple[str, str]
"""(name, value)."""
_FINDING_COLUMNS = (Column("level"), Column("path"), Column("code"), Column("finding"), Column("next step"))


class Card(NamedTuple):
    """A row of several lines.

    mark: number or word on the left
    title: a key or path
    lines: the lines that explain it
    """

    mark: str
    title: str
    lines: tuple[str, ...]


def say(*sentences: str) -> None:
    """Print sentences, each on a line of its own, folded where the page has a width. "" is a blank line."""
    for text in sentences:
        if text and output.is_page():
            from rich.text import Text

            output.draw(Text(output.clean(text)))
        else:
            output.write(output.clean(text) + "\n")


def facts(form: str, found: Sequence[Fact]) -> None:
    """Print names with their values: as a list in Markdown, otherwise aligned."""
    if form == "markdown":
        output.write("".join(f"- {name}: {output.clean(text)}\n" for name, text in found))
    elif output.is_page():
        _grid((name, (text,)) for name, text in found)
    else:
        wide = max((len(name) for name, _ in found), default=0)
        output.write("".join(f"{name.ljust(wide)}  {output.clean(text)}\n" for name, text in found))


def cards(found: Iterable[Card], *, right: bool = False) -> None:
    """Draw cards over the full width of the page.

    right: whether to align the marks to the right, because they are numbers
    """
    _grid(((card.mark, (card.title, *card.lines)) for card in found), right=right, bold=True)


def listing(
    form: str,
    items: Sequence[Item],
    columns: Sequence[Column],
    cells: Callable[[Item], Sequence[object]],
    card: Callable[[Item], Card],
    data: object = None,
    *,
    empty: str = "",
    right: bool = False,
) -> None:
    """Print items as cards where the page has a width, and otherwise as `output.rows` does."""
    if items and form == "table" and output.is_page():
        cards(map(card, items), right=right)
    else:
        output.rows(form, columns, map(cells, items), data, empty=empty)


def first_rows(
    form: str,
    items: Sequence[Item],
    columns: Sequence[Column],
    cells: Callable[[Item], Sequence[object]],
    card: Callable[[Item], Card],
    *,
    every: bool,
    more_hint: str,
    total: int | None = None,
) -> None:
    """Print the first of many notes.

    every: whether to print all of them
    more_hint: the way to see the others
    total: number of all of them where `items` are only the first; None: the number of items
    """
    shown = items if every else items[:FIRST_ROWS]
    if not shown:
        return
    say("")
    listing(form, shown, columns, cells, card, right=True)
    more = (len(items) if total is None else total) - len(shown)
    if more:
        say("", f"{counted(more, 'more note')}; {more_hint}")


def print_findings(findings: Sequence[ArchiveFinding], form: str) -> None:
    """Print a blank line and every finding; nothing if there are none. JSON is up to the caller."""
    if findings:
        say("")
        listing(form, findings, _FINDING_COLUMNS, _finding_cells, _finding_card)


def fail_on_errors(findings: Sequence[ArchiveFinding]) -> None:
    """Raise `ValidationFailed` (exit code 9) if a finding is an error. Warnings alone do not raise it."""
    errors = [found for found in findings if found.level == "error"]
    if errors:
        step = next((found.next_step for found in errors if found.next_step), "look for the files named above in git, in backups/ or in a colleague's clone")
        raise ValidationFailed(f"{counted(len(errors), 'error')} found in stored data, listed above", next_step=step)


def _finding_cells(found: ArchiveFinding) -> tuple[object, ...]:
    return found.level, found.path, found.code, found.message, found.next_step or None


def _finding_card(found: ArchiveFinding) -> Card:
    step = (f"next: {found.next_step}",) if found.next_step else ()
    return Card(found.level, found.path, (f"{found.code}: {found.message}", *step))


def _grid(found: Iterable[tuple[str, tuple[str, ...]]], *, right: bool = False, bold: bool = False) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right" if right else "left", no_wrap=True)
    table.add_column(overflow="fold")
    rows = [(output.clean(mark), lines) for mark, lines in found]
    left = max(output.page_width() - max((output.width(mark) for mark, _ in rows), default=0) - 2, 1)
    for mark, lines in rows:
        first, *others = (Text(_folded(output.clean(line), left)) for line in lines)
        if bold:
            first.stylize("bold")
        table.add_row(Text(mark), Text("\n").join([first, *others]))
    output.draw(table)


def _folded(line: str, limit: int) -> str:
    """Return a line in which keys and paths that are wider than the page continue after one of their separators. Nothing is cut."""
    words = line.split(" ")
    if all(output.width(word) <= limit for word in words):
        return line
    folded = []
    for word in words:
        parts, rest = list[str](), word
        while output.width(rest) > limit > 1:
            first, rest = output.split_name(rest, limit)
            parts.append(first)
        folded.append("\n".join([*parts, rest]))
    return " ".join(folded)
