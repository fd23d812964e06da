"""What doctor is made of, as data: a check, what it sees, and what a person reads about it."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

OK, WARN, FAIL, UNKNOWN = LEVELS = ("OK", "WARN", "FAIL", "UNKNOWN")
"""UNKNOWN: what would tell is not there. Nobody is reassured, and nobody alarmed."""


class Symptom(NamedTuple):
    """One thing that a check sees. what: a sentence; where: a path relative to the bank, else as it is shown to people; suggestion: what
    a person does next; fixable: the check's fix is for this one. Level OK tells what is worth knowing although nothing is wrong."""

    level: str
    what: str
    where: str = ""
    suggestion: str = ""
    fixable: bool = True


class Finding(NamedTuple):
    """A symptom with the id of its check, and the id of the fix that would mend it, or None."""

    id: str
    level: str
    what: str
    where: str
    suggestion: str
    fix: str | None

    def to_json(self) -> dict[str, Any]:
        return self._asdict()


class Fix(NamedTuple):
    """id; does: what it does, in words; mend: the name of `(Context) -> Iterable[str]`, which does it and tells of each thing done; question:
    asked first because it changes what is not derived, or lies outside the bank ("" for what `--fix` may do unasked)."""

    id: str
    does: str
    mend: str
    question: str = ""


class Check(NamedTuple):
    """id: room and name; title: what is right when it is silent; needs: the evidence without which it says UNKNOWN, "" for none but the
    bank; look: the name of `(Context) -> Iterable[Symptom]`; quick: it takes milliseconds in any bank."""

    id: str
    title: str
    needs: str
    look: str
    fix: Fix | None = None
    quick: bool = False

    def to_json(self) -> dict[str, Any]:
        fix = {"id": self.fix.id, "does": self.fix.does, "asks": bool(self.fix.question)} if self.fix else None
        return {"id": self.id, "title": self.title, "needs": self.needs, "quick": self.quick, "fix": fix}


def function(name: str) -> Callable[..., Any]:
    """What a row of the table calls `module.function`; its module is loaded now."""
    module, _, function = name.partition(".")
    found: Callable[..., Any] = getattr(import_module(f"memorybank.doctor.{module}"), function)
    return found
