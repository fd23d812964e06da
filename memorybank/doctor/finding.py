"""The data types of doctor: a check, what it finds, and what a person reads about it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from memorybank.values import NamedTuple

OK, WARN, FAIL, UNKNOWN = LEVELS = ("OK", "WARN", "FAIL", "UNKNOWN")
"""The levels of findings. UNKNOWN means that the required evidence is missing, so the check has no result."""


class Symptom(NamedTuple):
    """Something that a check found.

    what: the symptom, as a sentence.
    where: a path relative to the bank, or another path as it is shown to people.
    suggestion: what a person can do next.
    fixable: whether the fix of the check applies to this symptom.
    The level OK is for useful information when nothing is wrong.
    """

    level: str
    what: str
    where: str = ""
    suggestion: str = ""
    fixable: bool = True


class DoctorFinding(NamedTuple):
    """A symptom with the id of its check and the id of the fix that would repair it, or None."""

    id: str
    level: str
    what: str
    where: str
    suggestion: str
    fix: str | None

    def to_json(self) -> dict[str, Any]:
        return self._asdict()


class Fix(NamedTuple):
    """A repair that `--fix` can carry out.

    does: its effect, in words.
    repair: name of a function `(DoctorContext) -> Iterable[str]` that does it and yields a sentence for each thing done.
    question: asked first, because it changes something that is not derived or is outside the bank; "" if `--fix` needs no permission.
    """

    id: str
    does: str
    repair: str
    question: str = ""


class Check(NamedTuple):
    """One check of the table.

    id: package and name.
    title: the fact that holds when the check finds nothing.
    needs: the evidence without which the result is UNKNOWN; "" if it needs only the bank.
    look: name of a function `(DoctorContext) -> Iterable[Symptom]`.
    quick: whether it takes only milliseconds in any bank.
    """

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
    """Return the function that a row of the table names as `module.function`. Its module is imported on this call."""
    module, _, function = name.partition(".")
    found: Callable[..., Any] = getattr(import_module(f"memorybank.doctor.{module}"), function)
    return found
