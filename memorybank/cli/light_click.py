"""Imports click without the modules that it needs only for what no command uses: a quarter of what its import takes.

click imports `inspect`, and with it `ast`, `dis` and `tokenize`, for a function that removes the indentation of help texts, and `uuid`, and with it
`platform`, and `datetime` for two types of parameters. `gettext`, and with it `locale`, looks for translations of its messages, which click does not
have. While click is imported, stand-ins have their names. A stand-in loads the real module when anything else of it is looked up, so click works with
what commands use of it.
"""

from __future__ import annotations

import sys
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class StandIn(ModuleType):
    """A module with a few attributes, which passes on every other one from the real module of its name."""

    def __init__(self, name: str, **known: object) -> None:
        super().__init__(name)
        self.__dict__.update(known)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the real module. Import machinery looks for names such as `__path__`, which do not load it."""
        if name.startswith("__"):
            raise AttributeError(name)
        _withdraw(self)
        from importlib import import_module

        return getattr(import_module(self.__name__), name)


class LateClass(type):
    """The class of a stand-in for `datetime.datetime`, of which click takes more than the name only when a parameter has its type."""

    def __getattr__(cls, name: str) -> Any:
        """Return an attribute of the real class."""
        from datetime import datetime

        return getattr(datetime, name)

    def __instancecheck__(cls, value: object) -> bool:
        from datetime import datetime

        return isinstance(value, datetime)


def load() -> None:
    """Import click. Modules that are loaded already are used as they are."""
    if "click" in sys.modules:
        return
    inspect = StandIn("inspect", cleandoc=cleandoc)
    uuid = StandIn("uuid", UUID=type("UUID", (), {}))  # click mentions the class when it declares its type of parameter
    gettext = StandIn("gettext", gettext=str, ngettext=lambda one, many, number: one if number == 1 else many)
    datetime = StandIn("datetime", datetime=LateClass("datetime", (), {}))
    for module in (inspect, uuid, gettext, datetime):
        sys.modules.setdefault(module.__name__, module)
    try:
        import click  # noqa: F401  # for its entry in `sys.modules`
    finally:
        for module in (inspect, uuid, gettext, datetime):
            _withdraw(module)
        del uuid.__dict__["UUID"]


def _withdraw(module: StandIn) -> None:
    """Let the next import of this name find the real module."""
    if sys.modules.get(module.__name__) is module:
        del sys.modules[module.__name__]


def cleandoc(text: str) -> str:
    """Return what `inspect.cleandoc` returns: a text without the indentation that all of its lines but the first share, and without blank lines around it."""
    first, *rest = text.expandtabs().split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in rest if line.lstrip()), default=None)
    lines = [first.lstrip(), *(rest if margin is None else (line[margin:] for line in rest))]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        del lines[0]
    return "\n".join(lines)
