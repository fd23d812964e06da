"""The base of light values: a class declares its fields, and `Value` gives it slots, an `__init__`, a `repr` and `==`.

    class Cut(Value):
        text: str
        at: int
        why: str = ""

It does what a frozen dataclass does, without the 6 ms that importing `dataclasses` costs a hook process. mypy checks calls and refuses to
assign to a field (`class Tally(Value, frozen=False)` allows it); at run time nothing is checked, because a process creates thousands of these values.
Arguments that need conversion are converted by a class method.

A module that declares a value needs `from __future__ import annotations`: the fields are read from the annotations as they are written.
"""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self
    from typing import dataclass_transform as dataclass_transform
else:

    def dataclass_transform(**_options):
        """Return a decorator that does nothing. Only type checkers need the real one."""
        return lambda decorated: decorated


class ValueType(type):
    """Turns the annotations of a class into its slots, and their defaults into `_defaults`."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], *, frozen: bool = True) -> ValueType:
        """Make the class.

        frozen: whether its values may be hashed; a value whose fields change may not.
        """
        own = tuple(field for field, kind in namespace.get("__annotations__", {}).items() if not kind.startswith("ClassVar"))
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
            rest, given = fields[len(values) :], {**defaults, **named}
            for field in rest:
                if field not in given:
                    raise TypeError(f"{type(self).__name__} needs a value for {field!r}")
                setattr(self, field, given[field])
            if named and not named.keys() <= {*rest}:
                raise TypeError(f"{type(self).__name__} has no further field {', '.join(map(repr, named.keys() - {*rest}))}")

    def as_dict(self) -> dict[str, Any]:
        """Return {field: its value}, in the order of the fields."""
        return {field: getattr(self, field) for field in self._fields}

    def with_changes(self, **changes: Any) -> Self:
        """Return the same value with other values of some fields."""
        return type(self)(**{**self.as_dict(), **changes})

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{field}={getattr(self, field)!r}' for field in self._fields)})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, field) == getattr(other, field) for field in self._fields)

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, field) for field in self._fields)))
