"""Runs the checks: all of them, or the quick ones. A check that cannot be carried out reports this and never stops the others."""

import os
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping

from memorybank.clock import Clock
from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import FAIL, LEVELS, UNKNOWN, WARN, Check, DoctorFinding, Symptom, function
from memorybank.errors import MemorybankError
from memorybank.storage import disk
from memorybank.storage.layout import Layout

_NAMED = 3
_GRAVITY = {level: number for number, level in enumerate((FAIL, WARN, UNKNOWN))}


def examine(context: DoctorContext, checks: Iterable[Check], step: Callable[[int, int], None] = lambda done, total: None) -> tuple[DoctorFinding, ...]:
    """Run the checks and return their findings, the most severe first.

    step: called with (number of checks done, total number).
    """
    every = tuple(checks)
    found: list[DoctorFinding] = []
    for number, check in enumerate(every):
        context.step = _still_at(step, number, len(every))
        found += (_finding(check, symptom) for symptom in _looked(check, context))
        step(number + 1, len(every))
    return tuple(sorted(found, key=lambda finding: _GRAVITY.get(finding.level, len(_GRAVITY))))


def quick(layout: Layout, clock: Clock, environ: Mapping[str, str] | None = None) -> tuple[DoctorFinding, ...]:
    """Run the quick checks, which take milliseconds in any bank and with any settings. Nothing is written.

    environ: environment variables; None means those of the process.
    """
    from memorybank.doctor.table import CHECKS

    return examine(DoctorContext(layout, clock, os.environ if environ is None else environ), (check for check in CHECKS if check.quick))


def counts(findings: Iterable[DoctorFinding], checks: Iterable[Check]) -> dict[str, int]:
    """{level: number of checks}, by the most severe finding of each check; a check without findings is OK."""
    worst = gravest(findings, checks)
    return {level: sum(each == level for each in worst.values()) for level in LEVELS}


def gravest(findings: Iterable[DoctorFinding], checks: Iterable[Check]) -> dict[str, str]:
    """{id of a check: level of its most severe finding}."""
    found = tuple(findings)
    order = (FAIL, WARN, UNKNOWN)
    levels = {check.id: {finding.level for finding in found if finding.id == check.id} for check in checks}
    return {name: next((level for level in order if level in seen), LEVELS[0]) for name, seen in levels.items()}


def _still_at(step: Callable[[int, int], None], number: int, every: int) -> Callable[[int, int], None]:
    """A callback for a slow check: it repeats the current progress, so that a person sees that work goes on."""
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
        known = disk.from_os_error(error, str(error.filename or "file system")) if isinstance(error, OSError) else error
        step = known.next_step if isinstance(known, MemorybankError) else ""
        yield Symptom(UNKNOWN, f"could not be checked: {known}", suggestion=step, fixable=False)
        return
    # What the check did not find may be in a folder that it could not list.
    if context.walked and context.unseen:
        named = ", ".join(context.shown(path) for path in context.unseen[:_NAMED])
        more = f" and {len(context.unseen) - _NAMED} more folders" if len(context.unseen) > _NAMED else ""
        yield Symptom(UNKNOWN, f"could not list {named}{more}", fixable=False)


def _finding(check: Check, symptom: Symptom) -> DoctorFinding:
    fix = check.fix.id if check.fix and symptom.fixable and symptom.level in (WARN, FAIL) else None
    return DoctorFinding(check.id, symptom.level, symptom.what, symptom.where, symptom.suggestion, fix)
