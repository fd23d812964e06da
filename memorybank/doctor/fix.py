"""`--fix`: carries out the fixes for what was found, each once.

Derived files, modes, temporary files, torn last lines and ignore lines are fixed without a question; everything else asks first.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import Check, DoctorFinding, Fix, function
from memorybank.errors import MemorybankError
from memorybank.storage import disk

FixProgress = Callable[[Fix], AbstractContextManager[Callable[[int, int], None]]]
"""Returns the context in which one fix runs, for instance a progress bar; entering it gives a callback for `(done, total)`."""


class FixResult(NamedTuple):
    """The result of a fix.

    fix: its id.
    done: what was done, in words.
    refused: why it was not carried out; "" if it was.
    """

    fix: str
    done: tuple[str, ...]
    refused: str = ""

    def to_json(self) -> dict[str, object]:
        return {"fix": self.fix, "done": list(self.done), "refused": self.refused}


def due(findings: Iterable[DoctorFinding], checks: Iterable[Check]) -> Iterator[Fix]:
    """The fixes that the findings call for, in the order of the table, each once."""
    wanted = {finding.fix for finding in findings} - {None}
    for check in checks:
        if check.fix is not None and check.fix.id in wanted:
            wanted.discard(check.fix.id)
            yield check.fix


def carry_out(
    context: DoctorContext, fixes: Iterable[Fix], agrees: Callable[[str], bool], watch: FixProgress = lambda fix: nullcontext(_unwatched)
) -> Iterator[FixResult]:
    """Carry out the fixes one after another; a fix that fails does not stop the others.

    agrees: asks a person a question, and returns the answer.
    watch: shows the progress of a fix while it runs.
    """
    for fix in fixes:
        if fix.question and not agrees(fix.question):
            yield FixResult(fix.id, (), "not confirmed")
            continue
        done: list[str] = []
        try:
            with watch(fix) as context.step:
                done.extend(function(fix.mend)(context))
        except (MemorybankError, OSError, sqlite3.Error) as error:
            known = disk.from_os_error(error, str(error.filename or "file system")) if isinstance(error, OSError) else error
            yield FixResult(fix.id, tuple(done), str(known))
            continue
        yield FixResult(fix.id, tuple(done))


def _unwatched(done: int, total: int) -> None:
    """The callback when nobody watches the progress."""
