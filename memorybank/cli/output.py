"""Prints results: rows as a table, Markdown or JSON.

On a terminal, and where $COLUMNS gives a width, rich draws the table; it is imported only then. Towards a pipe a table is aligned
plain text that is never cut. Colours follow NO_COLOR and the terminal (rich sees to that). Text of notes is data: its control
characters never reach a terminal or a table.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, wraps
from typing import TYPE_CHECKING, Any
from unicodedata import category, east_asian_width

import click

from memorybank.clock import isoformat
from memorybank.storage.layout import PUBLISHED_PREFIX
from memorybank.values import Value

if TYPE_CHECKING:
    from rich.console import RenderableType

    from memorybank.index.row import IndexedNote
    from memorybank.scoring.rank import ImportanceRank

FORMATS = ("table", "json", "markdown")
JSON_VERSION = 1
"""Version of the JSON that commands print. It changes when a member is removed or changes its meaning."""

_LEAST_FOLDED = 24
"""Minimum number of columns for a cell that may be folded."""

# C0 and C1 controls (terminal escapes), line and paragraph separators, bidirectional overrides and isolates.
_UNSAFE = {code: "\ufffd" for code in [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]}
_UNSAFE[9] = _UNSAFE[10] = _UNSAFE[13] = " "
_UNSAFE_BUT_LINES = {**_UNSAFE, 9: "\t", 10: "\n", 13: "\r"}


class Column(Value):
    """One column of a table.

    right: whether to align to the right, for numbers
    flexible: whether a narrow terminal may fold this column
    """

    heading: str
    right: bool = False
    flexible: bool = False


def columns(*headings: str, right: bool = False, flexible: bool = False) -> tuple[Column, ...]:
    """Return several columns of one kind."""
    return tuple(Column(heading, right, flexible) for heading in headings)


def format_option(*extra: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the options `--format table|json|markdown` (and the formats in `extra`) and `--json`, passed on as `form`."""
    return _format_option((*FORMATS, *extra), "Output format: JSON is for programs, Markdown for notes and agents.")


def fresh_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the flag `--fresh` to a command whose output shows the notes as they were a moment ago, if the bank is large."""
    return click.option("--fresh", is_flag=True, help="Check every note for changes first, even in a large bank.")(command)


def text_format_option(text: str, default: str = "text") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the options `--format` and `--json` for a command that prints either a text or JSON.

    text: help
    default: name of the format that is a text
    """
    return _format_option((default, "json"), text)


def _format_option(forms: Sequence[str], text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def run(*arguments: Any, form: str | None, as_json: bool, **given: Any) -> Any:
            if as_json and form not in (None, "json"):
                raise click.UsageError(f"--json and --format {form} exclude each other")
            return command(*arguments, form="json" if as_json else form or forms[0], **given)

        option = click.option("--format", "form", type=click.Choice(forms), help=f"{text} Default: {forms[0]}.")
        return option(click.option("--json", "as_json", is_flag=True, help="The same as --format json.")(run))

    return decorate


def clean(text: str) -> str:
    """Return the text as one line without control, bidirectional-override and line-break characters."""
    return text if text.isprintable() else text.translate(_UNSAFE)  # none of these characters is printable, and most texts have none


def clean_text(text: str) -> str:
    """Like `clean`, for text of several lines: line breaks and tabs stay."""
    return text.translate(_UNSAFE_BUT_LINES)


def rows(form: str, columns: Sequence[Column], cells: Iterable[Sequence[object]], data: object, *, empty: str) -> None:
    """Print rows in the chosen format.

    data: value that JSON shows
    empty: text that is printed when there are no rows
    """
    if form == "json":
        write_json(data)
        return
    lines = [[clean(_text(cell)) for cell in row] for row in cells]
    if not lines:
        write(empty + "\n")
    elif form == "markdown":
        write(markdown(columns, lines))
    elif is_page():
        _page_table(columns, lines)
    else:
        write(plain(columns, lines))


def is_page() -> bool:
    """Return whether output has a width to be folded to: it goes to a terminal, or $COLUMNS is set."""
    return sys.stdout.isatty() or bool(os.environ.get("COLUMNS"))


def note_fields(note: IndexedNote, ranks: Mapping[float, ImportanceRank]) -> dict[str, object]:
    """Return the fields of a note for listings in JSON."""
    from memorybank.scoring.importance import bucket

    return {
        "key": note.key,
        "path": PUBLISHED_PREFIX + note.key,
        "title": note.title,
        "importance": note.importance,
        "bucket": bucket(note.importance),
        "rank": ranks[note.importance].to_json(),
        "created_at": isoformat(note.created),
        "modified_at": isoformat(note.modified),
        "size_bytes": note.size,
        "tags": list(note.tags),
        "topics": list(note.topics),
        "language": note.language,
        "rating": note.rating,
        "bookmarked": note.bookmarked,
    }


def write(text: str) -> None:
    sys.stdout.write(text)


def write_text(text: str) -> None:
    """Print the text of a note, with a line end: as it is to a pipe or a file, without control characters to a terminal."""
    ended = text if text.endswith("\n") or not text else text + "\n"
    write(clean_text(ended) if sys.stdout.isatty() else ended)


def notice(text: str) -> None:
    """Print a notice that is not part of the result. It goes to stderr, so that pipes carry only results."""
    sys.stderr.write(f"memorybank: {clean(text)}\n")


def versioned(data: object) -> object:
    """Return an object with the version of its schema as its first member, unless it has a version of its own. A list stays as it is."""
    return {"version": JSON_VERSION, **data} if isinstance(data, Mapping) else data


def write_json(data: object) -> None:
    """Print JSON. This is the only place where commands do so, and where objects get their version."""
    import json  # late: loading it compiles patterns, and most output is not JSON

    write(json.dumps(versioned(data), ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def as_json(form: str, found: object) -> bool:
    """Print what a command found as JSON if that is the chosen format. Return whether it is. found: data, or a value with `to_json`"""
    if form == "json":
        write_json(found.to_json() if hasattr(found, "to_json") else found)
    return form == "json"


def result(form: str, line: str, data: Mapping[str, object]) -> None:
    """Print what a command did: one line, or a JSON object."""
    if not as_json(form, data):
        write(line + "\n")


def draw(renderable: RenderableType) -> None:
    """Print a renderable of rich at the width of the page, without blanks at the ends of lines."""
    from rich.console import Console

    console = Console(highlight=False)
    with console.capture() as captured:
        console.print(renderable)
    write("".join(line.rstrip() + "\n" for line in captured.get().splitlines()))


def plain(columns: Sequence[Column], lines: Sequence[Sequence[str]]) -> str:
    """Return the table as aligned text with two blanks between columns; nothing is cut."""
    headings = [column.heading for column in columns]
    measured = [[*map(width, line)] for line in (headings, *lines)]
    widths = [*map(max, zip(*measured, strict=True))]
    return "".join(_aligned(columns, widths, line, taken) + "\n" for line, taken in zip((headings, *lines), measured, strict=True))


def markdown(columns: Sequence[Column], lines: Sequence[Sequence[str]]) -> str:
    """Return the table in Markdown (GitHub Flavored Markdown, section 4.10)."""
    rule = ["---:" if column.right else "---" for column in columns]
    escaped = [[cell.replace("\\", "\\\\").replace("|", "\\|") for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in [[column.heading for column in columns], rule, *escaped])


def width(text: str) -> int:
    """Return the columns that text takes on a terminal: two for wide and full-width characters, none for combining marks."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def cut(text: str, limit: int) -> str:
    """Return the text in at most `limit` columns of a terminal; a text that is cut ends with an ellipsis."""
    return text if width(text) <= limit else split(text, max(limit - 1, 0))[0].rstrip() + "…"[:limit]


def split(text: str, limit: int) -> tuple[str, str]:
    """Return the longest beginning of the text that takes at most `limit` columns, and the rest."""
    taken = 0
    for at, character in enumerate(text):
        taken += _columns(character)
        if taken > limit:
            return text[:at], text[at:]
    return text, ""


def split_name(text: str, limit: int) -> tuple[str, str]:
    """Return the beginning of a key or path that takes at most `limit` columns, and the rest: after one of its separators, where one is in the second half."""
    first, rest = split(text, limit)
    at = max(map(first.rfind, "/-_")) + 1 if rest else 0
    return (text[:at], text[at:]) if 2 * width(first[:at]) >= limit > 0 and at else (first, rest)


def page_width() -> int:
    """Return the columns of the page: $COLUMNS, else the width of the terminal."""
    return page_size().columns


def page_size() -> os.terminal_size:
    """Return the columns and lines of the page: $COLUMNS and $LINES, else those of the terminal, else 80 and 24."""
    try:
        seen = os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ is not None else 1)
    except (OSError, ValueError):
        seen = os.terminal_size((0, 0))
    given = [int(text) if (text := os.environ.get(name, "")).isdecimal() else 0 for name in ("COLUMNS", "LINES")]
    return os.terminal_size((given[0] or seen.columns or 80, given[1] or seen.lines or 24))


def has_pager() -> bool:
    """Return whether a person is at a terminal that can show a pager.

    A terminal that cannot move its cursor gets none: less would stop there with a warning and wait. Windows does not name its terminals.
    """
    is_able = os.name == "nt" or os.environ.get("TERM", "") not in ("", "dumb")
    return is_able and sys.stdin.isatty() and sys.stdout.isatty()


def paged(text: str, *, pager: bool) -> None:
    """Print a long text through the pager ($PAGER, else less) if a person is at the terminal and the text does not fit on it."""
    if pager and has_pager() and text.count("\n") >= page_size().lines:
        click.echo_via_pager(text.removesuffix("\n"))  # click adds a line end
    else:
        write(text)


@cache
def _columns(character: str) -> int:
    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def _aligned(columns: Sequence[Column], widths: Sequence[int], line: Sequence[str], taken: Sequence[int]) -> str:
    """Return one line of a table. widths: of the columns; taken: of the cells of this line."""
    cells = []
    for column, wide, text, own in zip(columns, widths, line, taken, strict=True):
        space = " " * (wide - own)
        cells.append(space + text if column.right else text + space)
    return "  ".join(cells).rstrip()


def _page_table(columns: Sequence[Column], lines: Sequence[Sequence[str]]) -> None:
    if not _fits(columns, lines):
        _page_records(columns, lines)
        return
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column.heading, justify="right" if column.right else "left", overflow="fold", no_wrap=not column.flexible)
    for line in lines:
        table.add_row(*map(Text, line))
    draw(table)


def _fits(columns: Sequence[Column], lines: Sequence[Sequence[str]]) -> bool:
    """Return whether every column that must not fold fits on the page, and the others get enough columns to be read."""
    widest = [max(map(width, texts)) for texts in zip([column.heading for column in columns], *lines, strict=True)]
    least = [min(wide, _LEAST_FOLDED) if column.flexible else wide for column, wide in zip(columns, widest, strict=True)]
    return sum(least) + 2 * (len(columns) - 1) <= page_width()


def _page_records(columns: Sequence[Column], lines: Sequence[Sequence[str]]) -> None:
    """Draw each row as a paragraph for a page that is too narrow for the table: the first cell, and below it the others with their headings."""
    from rich.padding import Padding
    from rich.text import Text

    for line in lines:
        named = ((f"{column.heading} " if len(columns) > 2 else "") + cell for column, cell in zip(columns[1:], line[1:], strict=True) if cell not in ("", "-"))
        draw(Text(line[0], style="bold", overflow="fold"))
        if others := ", ".join(named):
            draw(Padding(Text(others, overflow="fold"), (0, 0, 0, 2)))


def _text(cell: object) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{cell:.1f}"
    return str(cell)
