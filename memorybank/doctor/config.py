"""Checks of settings: those of the bank, and those of the person."""

import os
from collections.abc import Iterator
from stat import S_IWGRP, S_IWOTH

from memorybank.config import personal_bank, sources
from memorybank.config.settings import WARNINGS
from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import FAIL, WARN, Symptom
from memorybank.errors import NewerFormat, NotFound, Problem, UsageError
from memorybank.storage import database, disk
from memorybank.storage.layout import has_notes
from memorybank.trust import gate

_WRITE = S_IWGRP | S_IWOTH
OUTSIDE = "source_outside"
"""The problem code for a source of a bank that is outside the repository."""
UNTRUSTED = "config_untrusted"
"""The problem code for a key in a bank's settings that names a program, an address, a model or an API key."""


def valid(context: DoctorContext) -> Iterator[Symptom]:
    """Report errors in config/ that prevent commands from running."""
    for problem in context.configured[1]:
        if problem.code not in WARNINGS:
            yield Symptom(FAIL, problem.message, _in_bank(context, problem), "correct this line; until then, commands that need settings fail")


def effective(context: DoctorContext) -> Iterator[Symptom]:
    """Report keys of the settings that are unknown or have no effect."""
    for problem in context.configured[1]:
        if problem.code in WARNINGS and problem.code not in (UNTRUSTED, NewerFormat.code):
            yield Symptom(WARN, problem.message, _in_bank(context, problem), "correct the key, or remove it")


def names_nothing_outside(context: DoctorContext) -> Iterator[Symptom]:
    """Report settings of a bank that name a program, an address, a model or an API key.

    A bank can come from a stranger, so these are ignored; a person should know about them.
    """
    for problem in context.configured[1]:
        if problem.code == UNTRUSTED:
            step = "remove it, and find out who added it: only your own settings may contain such keys"
            yield Symptom(FAIL, problem.message, _in_bank(context, problem), step)


def sources_usable(context: DoctorContext) -> Iterator[Symptom]:
    """Report declared sources that are ignored, above all those of a bank that names files outside its repository, and sources without files."""
    known = sources.load(context.layout, context.environ)
    for problem in known.problems:
        if problem.code == OUTSIDE:
            step = "remove it, and find out who added it: only your own settings may name files outside the repository"
            yield Symptom(FAIL, problem.message, _in_bank(context, problem), step)
        else:
            yield Symptom(WARN, problem.message, problem.where, "correct the entry, or remove it")
    for source in known.sources:
        if not os.path.exists(source.root):
            where = context.shown(source.root)
            yield Symptom(WARN, f"the source {source.name!r} does not exist", where, "remove its entry, or bring the files back")


def own(context: DoctorContext) -> Iterator[Symptom]:
    """Report errors in the person's own settings."""
    if not os.path.lexists(sources.own_path(context.environ)):
        return
    from memorybank.config import own as own_settings  # late: few people have such a file, and `status` asks each time

    for problem in own_settings.load_with_problems(context.environ)[1]:
        yield Symptom(FAIL, problem.message, problem.where, "correct your own settings; docs/configuration.md lists the possible keys")


def own_alone(context: DoctorContext) -> Iterator[Symptom]:
    """Report own settings that others can write: these settings may name a program, so whoever writes them decides what runs."""
    for path in _open_to_others(context):
        yield Symptom(FAIL, "other users can write to it, and it may name a program that memorybank runs", path, f"chmod go-w {path}")


def personal_ready(context: DoctorContext) -> Iterator[Symptom]:
    """Report a personal bank that no session is shown although it exists, and one that a repository could commit."""
    try:
        layout = personal_bank.existing(context.environ)
    except NotFound:
        return
    except UsageError as error:
        if context.environ.get(personal_bank.VARIABLE, "").lower() != personal_bank.OFF:
            yield Symptom(WARN, f"{personal_bank.VARIABLE}: {error.message}", suggestion=error.next_step)
        return
    where = personal_bank.as_written(layout.root, context.environ)
    home = os.path.realpath(personal_bank.home(context.environ))
    if layout.repository not in (None, layout.root, home):
        step = f"move it out of {context.shown(str(layout.repository))}, and set {personal_bank.VARIABLE} if it is not in the usual place"
        yield Symptom(WARN, "your personal bank is inside a repository, which could commit it", where, step)
    if not gate.gate_of(layout, context.environ, context.clock, keep=False).is_open:
        yield Symptom(WARN, "sessions are shown nothing of your personal bank: nobody on this machine has accepted it", where, "memorybank --personal trust")
    from memorybank.index.schema import VERSION  # late: most people have no personal bank

    if has_notes(layout) and not (os.path.exists(layout.database) and database.is_of(layout.database, VERSION)):
        yield Symptom(WARN, "your personal bank has no index of this version, so sessions are shown nothing of it", where, "memorybank --personal index")


def close_own(context: DoctorContext) -> Iterator[str]:
    """Fix: remove the write permission of others."""
    for path in _open_to_others(context):
        disk.remove_permissions(path, _WRITE)
        yield f"removed the write permission of other users from {path}"


def _open_to_others(context: DoctorContext) -> list[str]:
    path = sources.own_path(context.environ)
    return [path for path in (os.path.dirname(path), path) if os.path.exists(path) and os.stat(path).st_mode & _WRITE]


def _in_bank(context: DoctorContext, problem: Problem) -> str:
    """Return the place of a problem relative to the bank, in the form of all places that doctor reports in a bank."""
    path = os.path.join(context.layout.config, os.path.basename(problem.path))
    return Problem(problem.code, context.shown(path), problem.message, problem.line).where
