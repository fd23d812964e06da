"""The bases of light values: a class declares its fields, and `Value` gives it slots, an `__init__`, a `repr` and `==`.

    class Cut(Value):
        text: str
        at: int
        why: str = ""

It does what a frozen dataclass does, without the 6 ms that importing `dataclasses` costs a hook process. mypy checks calls and refuses to
assign to a field (`class Tally(Value, frozen=False)` allows it); at run time nothing is checked, because a process creates thousands of these values.
Arguments that need conversion are converted by a class method.

`NamedTuple` is that of `typing` for type checkers, and does the same at run time, without the 10 ms that `typing` and the code it compiles cost.
`lru_cache` and `counted` are the C code of `functools.lru_cache` and `collections.Counter`: loading these two packages takes as many instructions as half
the start of Python. `Memo` keeps what a function makes of each key.

A module that declares a value needs `from __future__ import annotations`: the fields are read from the annotations as they are written.
"""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from functools import lru_cache as lru_cache
    from typing import Any, Self, TypeVar
    from typing import NamedTuple as NamedTuple
    from typing import dataclass_transform as dataclass_transform

    Key = TypeVar("Key")
    Made = TypeVar("Made")
else:

    def dataclass_transform(**_options):
        """Return a decorator that does nothing. Only type checkers need the real one."""
        return lambda decorated: decorated

    def lru_cache(maxsize):
        """Return a decorator that keeps the results of the latest `maxsize` different calls."""
        try:
            from _functools import _lru_cache_wrapper  # late: most hooks load no module that uses it
        except ImportError:
            from functools import lru_cache

            return lru_cache(maxsize)
        return lambda function: _lru_cache_wrapper(function, maxsize, False, lambda *counts: counts)


def counted(items: Iterable[str]) -> dict[str, int]:
    """Return {item: how often it occurs}, in the order in which they first occur."""
    found: dict[str, int] = {}
    try:
        from _collections import _count_elements  # type: ignore[import-not-found]  # typeshed has no stubs for it; late: few hooks count
    except ImportError:
        from collections import Counter

        return Counter(items)
    _count_elements(found, items)
    return found


class Memo(dict["Key", "Made"]):
    """What a function makes of a key, made when it is first asked for: `memo[key]`. With `most` keys, all are forgotten.

    A look-up that finds its key runs no Python code, and terms are looked up by the thousand.
    """

    __slots__ = ("make", "most")

    def __init__(self, make: Callable[[Key], Made], most: int) -> None:
        self.make = make
        self.most = most

    def __missing__(self, key: Key) -> Made:
        if len(self) >= self.most:
            self.clear()
        made = self[key] = self.make(key)
        return made


class ValueType(type):
    """Turns the annotations of a class into its slots, and their defaults into `_defaults`."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], *, frozen: bool = True) -> ValueType:
        """Make the class.

        frozen: whether its values may be hashed; a value whose fields change may not.
        """
        own = tuple([field for field, kind in namespace.get("__annotations__", {}).items() if not kind.startswith("ClassVar")])
        inherited: tuple[str, ...] = ()
        defaults: dict[str, Any] = {}
        for base in reversed(bases):
            inherited += getattr(base, "_fields", ())
            defaults.update(getattr(base, "_defaults", ()))
        for field in own:
            if field in namespace:
                # A slot and a class attribute of one name exclude each other.
                defaults[field] = namespace.pop(field)
        namespace["__slots__"] = own
        namespace["_fields"] = namespace["__match_args__"] = inherited + own
        namespace["_defaults"] = defaults
        if not frozen:
            namespace.setdefault("__hash__", None)
        return super().__new__(mcs, name, bases, namespace)


@dataclass_transform(frozen_default=True)
class Value(metaclass=ValueType):
    """A value with declared fields. Equal to another one of its class with equal fields."""

    if TYPE_CHECKING:
        _fields: tuple[str, ...]
        _defaults: dict[str, Any]
    else:

        def __init__(self, *values, **named):
            """Set the fields: by position in the order of their declaration, or by name.

            Raises:
                TypeError: a field is missing, given twice or not declared.

            """
            fields = self._fields
            for field, value in zip(fields, values, strict=False):
                setattr(self, field, value)
            if len(values) != len(fields) or named:
                self._set_rest(values, named)

        def _set_rest(self, values, named):
            fields, defaults = self._fields, self._defaults
            if len(values) > len(fields):
                raise TypeError(f"{type(self).__name__} takes {len(fields)} values, {len(values)} were given")
            for field in fields[len(values) :]:
                if field in named:
                    setattr(self, field, named.pop(field))
                elif field in defaults:
                    setattr(self, field, defaults[field])
                else:
                    raise TypeError(f"{type(self).__name__} needs a value for {field!r}")
            if named:
                raise TypeError(f"{type(self).__name__} has no further field {', '.join(map(repr, named))}")

    def as_dict(self) -> dict[str, Any]:
        """Return {field: its value}, in the order of the fields."""
        return {field: getattr(self, field) for field in self._fields}

    def with_changes(self, **changes: Any) -> Self:
        """Return the same value with other values of some fields."""
        values = [changes.pop(field) if field in changes else getattr(self, field) for field in self._fields]
        return type(self)(*values, **changes)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{field}={getattr(self, field)!r}' for field in self._fields)})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, field) == getattr(other, field) for field in self._fields)

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, field) for field in self._fields)))


if not TYPE_CHECKING:

    def _items(count):
        """Return attributes that are the first items of a tuple."""
        try:
            from _collections import _tuplegetter  # what `collections.namedtuple` uses; late: few hooks load a class with such items
        except ImportError:
            return [property(lambda self, place=place: self[place]) for place in range(count)]
        return [_tuplegetter(place, None) for place in range(count)]

    class NamedTupleType(type):
        """Turns the annotations of a class into the names of a tuple's items."""

        def __new__(mcs, name, bases, namespace):
            fields = tuple(namespace.get("__annotations__", ()))
            namespace["_fields"] = namespace["__match_args__"] = fields
            namespace["_field_defaults"] = defaults = {field: namespace[field] for field in fields if field in namespace}
            namespace["_last"] = tuple(defaults.values())  # no field without a default follows one with a default
            if fields:
                namespace.update(zip(fields, _items(len(fields)), strict=True))
            namespace["__slots__"] = ()
            return super().__new__(mcs, name, bases, namespace)

    class NamedTuple(tuple, metaclass=NamedTupleType):
        """A tuple whose items have names."""

        def __new__(cls, *values, **named):
            """Return a tuple of the values, given by position or by name.

            Raises:
                TypeError: a value is missing, given twice or not declared.

            """
            missing = len(cls._fields) - len(values)
            if missing or named:
                values = values + cls._last[-missing:] if 0 < missing <= len(cls._last) and not named else cls._completed(values, named)
            return tuple.__new__(cls, values)

        @classmethod
        def _completed(cls, values, named):
            fields, defaults = cls._fields, cls._field_defaults
            if len(values) > len(fields):
                raise TypeError(f"{cls.__name__} takes {len(fields)} values, {len(values)} were given")
            rest = fields[len(values) :]
            if not named.keys() <= {*rest}:
                raise TypeError(f"{cls.__name__} has no further field {', '.join(map(repr, named.keys() - {*rest}))}")
            for field in rest:
                if field not in named and field not in defaults:
                    raise TypeError(f"{cls.__name__} needs a value for {field!r}")
            return (*values, *(named[field] if field in named else defaults[field] for field in rest))

        _make = classmethod(tuple.__new__)

        def _replace(self, **changes):
            return type(self)(**{**self._asdict(), **changes})

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self):
            """Return the values from which a copy or an unpickled one is made."""
            return tuple(self)

        def __repr__(self):
            return f"{type(self).__name__}({', '.join(f'{field}={value!r}' for field, value in zip(self._fields, self, strict=True))})"
