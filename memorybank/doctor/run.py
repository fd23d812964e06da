"""Runs the checks, and carries out the fixes for what they found. A check or fix that fails says so, and never stops the others."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext

from memorybank.clock import Clock
from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import FAIL, LEVELS, OK, UNKNOWN, WARN, Check, DoctorFinding, Fix, Symptom, function
from memorybank.errors import MemorybankError
from memorybank.storage import disk
from memorybank.storage.layout import Layout
from memorybank.storage.sqlite import sqlite3
from memorybank.values import NamedTuple

Step = Callable[[int, int], None]
"""Called with (number of steps done, total number)."""
FixProgress = Callable[[Fix], AbstractContextManager[Step]]
"""Returns the context in which one fix runs, for instance a progress bar."""

_NAMED = 3
_MOST_SEVERE_FIRST = (FAIL, WARN, UNKNOWN, OK)


class FixResult(NamedTuple):
    """The result of a fix.

    fix: its id.
    done: what was done, one sentence each.
    refused: why it was not carried out; "" if it was.
    """

    fix: str
    done: tuple[str, ...]
    refused: str = ""

    def to_json(self) -> dict[str, object]:
        return {"fix": self.fix, "done": list(self.done), "refused": self.refused}


def _unwatched(done: int, total: int) -> None:
    """Do nothing: the callback for a run without a progress display."""


def examine(context: DoctorContext, checks: Iterable[Check], step: Step = _unwatched) -> tuple[DoctorFinding, ...]:
    """Run the checks and return their findings, the most severe first."""
    every = tuple(checks)
    found: list[DoctorFinding] = []
    for number, check in enumerate(every):
        context.step = _still_at(step, number, len(every))
        found += (_finding(check, symptom) for symptom in _looked(check, context))
        step(number + 1, len(every))
    return tuple(sorted(found, key=lambda finding: _MOST_SEVERE_FIRST.index(finding.level)))


def quick(layout: Layout, clock: Clock, environ: Mapping[str, str] | None = None) -> tuple[DoctorFinding, ...]:
    """Run the quick checks, which take milliseconds in any bank and with any settings. Nothing is written.

    environ: environment variables; None means those of the process.
    """
    from memorybank.doctor.table import CHECKS

    return examine(DoctorContext(layout, clock, os.environ if environ is None else environ), (check for check in CHECKS if check.quick))


def working(layout: Layout, clock: Clock, environ: Mapping[str, str] | None = None) -> tuple[DoctorFinding, ...]:
    """Return what keeps recording and recall from working in this project. Nothing is written."""
    from memorybank.doctor.table import CHECKS, WORKING

    return examine(DoctorContext(layout, clock, os.environ if environ is None else environ), (check for check in CHECKS if check.id == WORKING))


def counts(findings: Iterable[DoctorFinding], checks: Iterable[Check]) -> dict[str, int]:
    """Return {level: number of checks}, by the most severe finding of each check."""
    worst = list(most_severe(findings, checks).values())
    return {level: worst.count(level) for level in LEVELS}


def most_severe(findings: Iterable[DoctorFinding], checks: Iterable[Check]) -> dict[str, str]:
    """Return {id of a check: level of its most severe finding}; a check without findings is OK."""
    worst = {check.id: OK for check in checks}
    for finding in findings:
        if finding.id in worst:
            worst[finding.id] = min(worst[finding.id], finding.level, key=_MOST_SEVERE_FIRST.index)
    return worst


def due_fixes(findings: Iterable[DoctorFinding], checks: Iterable[Check]) -> Iterator[Fix]:
    """Yield the fixes that the findings call for, in the order of the table, each once."""
    wanted = {finding.fix for finding in findings} - {None}
    for check in checks:
        if check.fix is not None and check.fix.id in wanted:
            wanted.discard(check.fix.id)
            yield check.fix


def carry_out(
    context: DoctorContext, fixes: Iterable[Fix], agrees: Callable[[str], bool], watch: FixProgress = lambda fix: nullcontext(_unwatched)
) -> Iterator[FixResult]:
    """Carry out the fixes one after another.

    Derived files, modes, temporary files, torn last lines and ignore lines are fixed without a question; everything else asks first.
    agrees: asks a person a question, and returns the answer.
    watch: shows the progress of a fix while it runs.
    """
    for fix in fixes:
        if fix.question and not agrees(fix.question):
            yield FixResult(fix.id, (), "not confirmed")
            continue
        done: list[str] = []
        refused = ""
        try:
            with watch(fix) as context.step:
                done.extend(function(fix.repair)(context))
        except (MemorybankError, OSError, sqlite3.Error) as error:
            refused = str(_typed(error))
        yield FixResult(fix.id, tuple(done), refused)


def _still_at(step: Step, number: int, every: int) -> Step:
    """Return a callback for a slow check: it repeats the current progress, so that a person sees that the check is still running."""
    return lambda done, total: step(number, every)


def _looked(check: Check, context: DoctorContext) -> Iterator[Symptom]:
    context.walked = False
    try:
        yield from function(check.look)(context)
    except ImportError as error:
        step = "reinstall memorybank with its dependencies; the check 'install.libraries' lists what is missing"
        yield Symptom(UNKNOWN, f"could not be checked: {error}", sys.prefix, step, fixable=False)
        return
    except (MemorybankError, OSError, sqlite3.Error) as error:
        known = _typed(error)
        step = known.next_step if isinstance(known, MemorybankError) else ""
        yield Symptom(UNKNOWN, f"could not be checked: {known}", suggestion=step, fixable=False)
        return
    # What the check did not find may be in a folder that it could not list.
    if context.walked and context.unseen:
        named = ", ".join(context.shown(path) for path in context.unseen[:_NAMED])
        more = f" and {len(context.unseen) - _NAMED} more folders" if len(context.unseen) > _NAMED else ""
        yield Symptom(UNKNOWN, f"could not list {named}{more}", fixable=False)


def _typed(error: Exception) -> Exception:
    return disk.from_os_error(error, str(error.filename or "file system")) if isinstance(error, OSError) else error


def _finding(check: Check, symptom: Symptom) -> DoctorFinding:
    fix = check.fix.id if check.fix and symptom.fixable and symptom.level in (WARN, FAIL) else None
    return DoctorFinding(check.id, symptom.level, symptom.what, symptom.where, symptom.suggestion, fix)
