"""Settings: of the bank, and of the person."""

import os
from collections.abc import Iterator
from stat import S_IWGRP, S_IWOTH

from memorybank.config import own as own_settings
from memorybank.config.settings import WARNINGS
from memorybank.doctor.context import Context
from memorybank.doctor.finding import FAIL, WARN, Symptom
from memorybank.errors import Problem
from memorybank.storage import modes

_WRITE = S_IWGRP | S_IWOTH
UNTRUSTED = "config_untrusted"
"""The code of a key of a bank that names a program, an address, a model or a key."""


def valid(context: Context) -> Iterator[Symptom]:
    """Nothing in config/ that no command could work with."""
    for problem in context.configured[1]:
        if problem.code not in WARNINGS:
            yield Symptom(FAIL, problem.message, _in_bank(context, problem), "mend this line; until then no command that needs settings runs")


def effective(context: Context) -> Iterator[Symptom]:
    """Every key is known and has an effect."""
    for problem in context.configured[1]:
        if problem.code in WARNINGS and problem.code != UNTRUSTED:
            yield Symptom(WARN, problem.message, _in_bank(context, problem), "correct the key, or take it out")


def names_nothing_outside(context: Context) -> Iterator[Symptom]:
    """A bank can come from a stranger: what it names as a program, an address, a model or a key is ignored, and somebody should know."""
    for problem in context.configured[1]:
        if problem.code == UNTRUSTED:
            step = "take it out, and ask who put it there: only your own settings may say such things"
            yield Symptom(FAIL, problem.message, _in_bank(context, problem), step)


def own(context: Context) -> Iterator[Symptom]:
    """Your own settings can be used."""
    for problem in own_settings.load_with_problems(context.environ)[1]:
        yield Symptom(FAIL, problem.message, _at(problem.path, problem.line), "mend your own settings; docs/configuration.md lists what they may say")


def own_alone(context: Context) -> Iterator[Symptom]:
    """Your own settings may name a program: whoever can write them decides what runs."""
    for path in _open_to_others(context):
        yield Symptom(FAIL, "others may write it, and it may name a program that memorybank runs", path, f"chmod go-w {path}")


def close_own(context: Context) -> Iterator[str]:
    for path in _open_to_others(context):
        modes.take(path, _WRITE)
        yield f"took the right to write {path} from others"


def _open_to_others(context: Context) -> list[str]:
    folder = own_settings.folder(context.environ)
    found = (folder, os.path.join(folder, "config.json"))
    return [path for path in found if os.path.exists(path) and os.stat(path).st_mode & _WRITE]


def _in_bank(context: Context, problem: Problem) -> str:
    """Where the line stands, relative to the bank as everything that doctor names there."""
    path = os.path.join(context.layout.config, os.path.basename(problem.path))
    return _at(context.shown(path), problem.line)


def _at(path: str, line: int | None) -> str:
    return f"{path}:{line}" if line else path
