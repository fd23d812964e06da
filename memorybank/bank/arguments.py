"""The base of the facade. It checks and converts the arguments of its methods, so that a wrong type or an impossible value raises `UsageError`
instead of finding nothing.
"""

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import wraps
from types import FunctionType, NoneType, UnionType
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin

from memorybank.bank.opened import OpenBank
from memorybank.episodes.dates import LocalCalendar
from memorybank.errors import UsageError

if TYPE_CHECKING:
    from datetime import date
    from typing import TypeAlias

    from memorybank.text.instants import GivenInstant

    Instant: TypeAlias = date | str
else:

    class Instant:
        """A `datetime`, a `date`, or a text in any form that `text.instants` reads, such as '2025-09-17' or 'yesterday'. Without an offset it is local
        time of this machine, as in the rest of Python.

        At run time it is the name of these types: `datetime` is loaded when a value may be one.
        """


_INSTANT = "a datetime, a date or a text such as '2025-09-17', '2025-09-17T12:30:00+09:00' or 'yesterday'"
_WORDS: dict[Any, str] = {str: "a str", int: "an int", float: "a number", bool: "True or False", NoneType: "None", os.PathLike: "a pathlib.Path"}
_SHOWN = 60
"""Maximum number of characters of a wrong value in a message."""

_Facade = TypeVar("_Facade")


def checked(facade: type[_Facade]) -> type[_Facade]:
    """Make the public methods of a class refuse arguments of other types than they declare. For use as a decorator.

    str, numbers, truth values, paths, functions, instants and lists of str are checked. Any iterable of str is accepted as a list, except a
    single str. Arguments of other types are passed on: using a value of a wrong type fails anyway.
    """
    for name, member in list(vars(facade).items()):
        if name.startswith("_"):
            continue
        if isinstance(member, classmethod):
            setattr(facade, name, classmethod(_checked(member.__func__)))
        elif isinstance(member, FunctionType) and not hasattr(member, "__wrapped__"):
            setattr(facade, name, _checked(member))
    return facade


class BankFacade:
    """The base of one part of the Python interface, such as `bank.notes`. The arguments of its methods are checked."""

    def __init_subclass__(cls) -> None:
        checked(cls)

    def __init__(self, bank: OpenBank) -> None:
        self._bank = bank

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._bank!r})"


def instant(bank: OpenBank, value: Instant | None, name: str, *, end_of_day: bool = False) -> int | None:
    """Return the instant (ms) of a parameter, None for None. Raises `UsageError` for a text that is not a date.

    name: name of the parameter
    end_of_day: whether a date without a time means the last millisecond of that day
    """
    if value is None:
        return None
    found = _given(bank, value, name)
    return found.end if end_of_day else found.at


def day(bank: OpenBank, value: Instant | None, name: str) -> str:
    """Return the calendar date that a parameter names, `YYYY-MM-DD`, and "" for None. Raises `UsageError` for a text that is not a date.

    An exact instant means the day in the bank's time zone, by which episodes are divided.
    """
    if value is None:
        return ""
    found = _given(bank, value, name)
    return found.day or LocalCalendar(bank.settings.episodes.timezone).day_of(found.at)


def _given(bank: OpenBank, value: Instant, name: str) -> "GivenInstant":
    from datetime import UTC, datetime, timedelta  # late, like the next: few calls name an instant

    from memorybank.text import instants

    if isinstance(value, datetime) and value.tzinfo is not None:
        at = (value - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
        return instants.GivenInstant(at, "", at)
    found = instants.read(value if isinstance(value, str) else value.isoformat(), bank.clock)
    if found is None:
        raise UsageError(f"{name}: {_shown(value)} is not a date", next_step=f"pass {_INSTANT}")
    return found


def one_of(value: str, known: Collection[str], name: str) -> None:
    """Raise `UsageError` unless a value is one of those that the parameter knows."""
    if value not in known:
        raise UsageError(f"{name}: {_shown(value)} is not one of {', '.join(known)}", next_step=f"pass one of {', '.join(known)}")


def at_least(value: int, minimum: int, name: str) -> None:
    """Raise `UsageError` for a number below the minimum."""
    if value < minimum:
        raise UsageError(f"{name} must be at least {minimum}, not {value}", next_step=f"pass {minimum} or more")


def _checked(method: Callable[..., Any]) -> Callable[..., Any]:
    expected: dict[str, Any] = {}
    code = method.__code__
    names = code.co_varnames[1 : code.co_argcount]

    @wraps(method)
    def call(self: Any, *given: Any, **named: Any) -> Any:
        if not expected:
            expected.update(_declared(method))
        values = [_accepted(name, expected.get(name), value) for name, value in zip(names, given, strict=False)]
        named = {name: _accepted(name, expected.get(name), value) for name, value in named.items()}
        return method(self, *values, *given[len(values) :], **named)

    return call


def _declared(method: Callable[..., Any]) -> dict[str, Any]:
    """Return {parameter: declared type}; None for a type that is known only to type checkers."""
    found = {}
    for name, declared in method.__annotations__.items():
        if isinstance(declared, str):
            try:
                declared = eval(declared, method.__globals__)
            except NameError:
                declared = None
        found[name] = declared
    return found


def _accepted(name: str, declared: Any, value: Any) -> Any:
    """Return the value to pass on: lists become tuples. Raises `UsageError` for a value of a wrong type."""
    kinds = get_args(declared) if isinstance(declared, UnionType) else (declared,)
    if not any(_fits(kind, value) for kind in kinds):
        raise _refusal(name, kinds, value)
    if not _is_list(kinds) or value is None:
        return value
    found = tuple(value)
    wrong = next((item for item in found if not isinstance(item, str)), None)
    if wrong is not None:
        raise UsageError(f"{name} must be a list of str, but it contains the {type(wrong).__name__} {_shown(wrong)}", next_step="pass a list of str")
    return found


def _fits(kind: Any, value: Any) -> bool:
    origin = get_origin(kind) or kind
    if origin is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if origin is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value
    if origin is Instant:
        return isinstance(value, str) or (value is not None and _is_date(value))
    if origin in (str, bool, NoneType, os.PathLike):
        return isinstance(value, origin)
    if origin is Callable:
        return callable(value)
    if origin in (Sequence, Iterable):
        return isinstance(value, Iterable) and not isinstance(value, (str, bytes, bytearray, Mapping))
    return True


def _is_date(value: object) -> bool:
    from datetime import date  # late: most instants are texts, or None

    return isinstance(value, date)


def _is_list(kinds: Iterable[Any]) -> bool:
    return any(get_origin(kind) in (Sequence, Iterable) and get_args(kind) == (str,) for kind in kinds)


def _refusal(name: str, kinds: Sequence[Any], value: Any) -> UsageError:
    given = f"the {type(value).__name__} {_shown(value)}"
    if Instant in kinds:
        seconds = isinstance(value, (int, float)) and not isinstance(value, bool)
        return UsageError(
            f"{name} must be {_INSTANT}, not {given}",
            next_step=f"convert seconds with datetime.fromtimestamp({_shown(value)}, timezone.utc)" if seconds else f"pass {_INSTANT}",
        )
    if _is_list(kinds):
        return UsageError(f"{name} must be a list of str, not {given}", next_step=f"pass [{_shown(value)}]" if isinstance(value, str) else "pass a list of str")
    wanted = " or ".join(dict.fromkeys(_WORDS.get(get_origin(kind) or kind, "a function") for kind in kinds))
    return UsageError(f"{name} must be {wanted}, not {given}", next_step=f"pass {wanted}")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
