"""Options and arguments shared by several commands: instants, note keys with shell completion, filters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import wraps
from io import StringIO
from typing import TYPE_CHECKING, Any, TypeVar
from unicodedata import normalize

import click

from memorybank import clock
from memorybank.cli.call import CommandCall
from memorybank.values import Value

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from memorybank.index.row import IndexedNote
    from memorybank.reasons.reason import Reason

    _IntegerType = click.ParamType[int]
else:
    _IntegerType = click.ParamType  # not generic at run time before click 8.2

_Command = TypeVar("_Command", bound=Callable[..., Any])


class InstantType(_IntegerType):
    """An instant in ms, in every form that `text.instants` reads.

    end_of_day: a day means its last millisecond, so that `--until 2025-09-17` and `--until yesterday` include the day
    """

    name = "instant"

    def __init__(self, *, end_of_day: bool = False) -> None:
        self.end_of_day = end_of_day

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        from memorybank.text import instants  # late, like every import of it: few calls name an instant

        found = instants.read(str(value), _clock(context))
        if found is None:
            self.fail(f"{str(value)!r} is not a date; write {instants.FORMS}", parameter, context)
        return found.end if self.end_of_day else found.at


class InstantTextType(InstantType):
    """The same as the text, in UTC, that the methods of the facade accept."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> str:  # type: ignore[override]  # click takes any type
        return clock.isoformat(super().convert(value, parameter, context))


def _clock(context: click.Context | None) -> clock.Clock:
    call = context.find_root().obj if context is not None else None
    return call.clock if isinstance(call, CommandCall) else clock.Clock()


def day_callback(context: click.Context, parameter: click.Parameter, given: str | None) -> str | None:
    """Return a calendar date such as `2025-09-17`; words such as `yesterday` mean a day in the time zone of this machine."""
    if given is None:
        return None
    from memorybank.text import instants

    found = instants.read(given, _clock(context))
    if found is None or not found.is_day:
        raise click.BadParameter(f"{given!r} is not a date; write 2025-09-17, or words such as yesterday or '3 days ago'", context, parameter)
    return found.day


def limit_option(text: str, *, default: int | None = None, least: int = 1, most: int | None = None) -> Callable[[_Command], _Command]:
    """Return the option `-n N`, `--limit N`, passed on as `limit`.

    text: help
    """
    kind = NumberType(least, most) if most is not None else CountType(least)
    return click.option("-n", "--limit", type=kind, default=default, show_default=default is not None, metavar="N", help=text)


class NumberType(click.IntRange):
    """A whole number within bounds. What is no number is refused in words of people."""

    name = "whole number"


class CountType(NumberType):
    """A number of rows from `least` on. One that no machine could count to means all rows, instead of failing in SQLite or in a slice."""

    _MOST = (1 << 31) - 1

    def __init__(self, least: int) -> None:
        super().__init__(min=least)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return min(super().convert(value, param, ctx), self._MOST)


def yes_option(text: str, *, name: str = "yes") -> Callable[[_Command], _Command]:
    """Return the flag `-y`, `--yes`, passed on as `name`.

    text: help
    """
    return click.option("-y", "--yes", name, is_flag=True, help=text)


def quiet_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the flag `-q`, `--quiet`: the command prints only errors. Its exit code does not change."""

    @wraps(command)
    def run(*arguments: Any, is_quiet: bool, **given: Any) -> Any:
        if not is_quiet:
            return command(*arguments, **given)
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            return command(*arguments, **given)

    return click.option("-q", "--quiet", "is_quiet", is_flag=True, help="Print nothing but errors, and ask nothing.")(run)


def as_of_option(command: _Command) -> _Command:
    return click.option(
        "--as-of",
        type=InstantTextType(),
        metavar="WHEN",
        help="Calculate as of this day: 2025-12-31, +60d, -7d.",
    )(command)


class ScaleType(click.FloatRange):
    """A number from 0 to 10, the scale of ratings and importance."""

    def __init__(self) -> None:
        super().__init__(0.0, 10.0)

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = -1.0
        if not 0 <= number <= 10:  # also refuses nan
            self.fail(f"{value} is not a number from 0 to 10", parameter, context)
        return number


class Filters(Value):
    """Conditions that a note must meet; None and () accept every note.

    since, until: bounds of the modification time, both inclusive, in ms
    """

    category: str | None = None
    tags: tuple[str, ...] = ()
    since: int | None = None
    until: int | None = None
    min_importance: float | None = None

    def accept(self, note: IndexedNote) -> bool:
        from memorybank.text.words.similarity import is_within  # late: most lists have no filter

        return (
            (self.category is None or normalize("NFC", _category(note.key)) == normalize("NFC", self.category))
            and all(any(is_within(tag, wanted) for tag in note.tags) for wanted in self.tags)
            and (self.since is None or note.modified >= self.since)
            and (self.until is None or note.modified <= self.until)
            and (self.min_importance is None or note.importance >= self.min_importance)
        )

    def unknown(self, notes: Sequence[IndexedNote]) -> Iterator[Reason]:
        """Yield the folder and the tags that none of all notes has: they may be misspelled."""
        from memorybank.reasons.reason import Reason  # late: most lists have notes

        if self.category is not None and not any(Filters(category=self.category).accept(note) for note in notes):
            folders = tuple(sorted({note.key.partition("/")[0] for note in notes if "/" in note.key}))
            yield Reason("search.no_folder", folder=self.category, folders=folders)
        for tag in self.tags:
            if not any(Filters(tags=(tag,)).accept(note) for note in notes):
                yield Reason("search.no_tag", tag=tag)


def _category(key: str) -> str:
    """Return the category of a note or of a source's file."""
    from memorybank.notes.parse import first_folder  # late: most lists are not filtered

    return first_folder(key)


def options_as(name: str, kind: type[Value], *options: Callable[[Any], Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds options to a command, which receives their values together.

    name: parameter of the command
    kind: a `Value` with a field for each option; options of its fields may also be added to the command elsewhere
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def gather(*arguments: Any, **given: Any) -> Any:
            value = kind(**{field: given.pop(field) for field in kind._fields})
            return command(*arguments, **{name: value}, **given)

        wrapped: Callable[..., Any] = gather
        for option in reversed(options):
            wrapped = option(wrapped)
        return wrapped

    return decorate


filter_options = options_as(
    "filters",
    Filters,
    click.option("--category", metavar="FOLDER", help="Only notes in this folder of active/: planning, implementation, sync, shared, ..."),
    click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only notes with this tag; may be repeated, all must match."),
    click.option("--since", type=InstantType(), metavar="WHEN", help="Only notes modified on or after this day: 2025-09-01, -30d, yesterday, '3 days ago'."),
    click.option("--until", type=InstantType(end_of_day=True), metavar="WHEN", help="Only notes modified on or before this day."),
    click.option("--min-importance", type=ScaleType(), metavar="N", help="Only notes of at least this importance, 0-10."),
)


def completing(candidates: Callable[[CommandCall, str], Mapping[str, str | None]]) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """Return a shell completion: the candidates that begin with the typed text, else those whose file name does; nothing when the bank cannot be read.

    candidates: returns each candidate with its explanation for a call and the typed text
    """

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        from memorybank.errors import MemorybankError

        given = context.find_root().params
        call = CommandCall(given.get("bank"))
        try:
            if given.get("is_personal"):
                call.name_personal()
            found = candidates(call, incomplete)
        except (MemorybankError, OSError):
            return []
        begun = [name for name in found if name.startswith(incomplete)] or [name for name in found if name.rpartition("/")[2].startswith(incomplete)]
        return [CompletionItem(name, help=found[name]) for name in begun]

    return complete


@completing
def complete_key(call: CommandCall, typed: str) -> dict[str, str | None]:
    from memorybank.notes.scan import sweep

    return dict.fromkeys(found.key for found in sweep(call.layout()).found)


def key_argument(name: str = "key", *, many: bool = False, required: bool = True) -> Callable[[_Command], _Command]:
    """Return an argument for a note: its key, its path, or a unique spelling of the key. It completes in the shell."""
    return click.argument(name, nargs=-1 if many else 1, required=required, metavar="KEY..." if many else "KEY", shell_complete=complete_key)
