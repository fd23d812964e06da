"""Settings: of the bank, and of the person."""

from collections.abc import Iterator

from memorybank.config.settings import WARNINGS
from memorybank.doctor.context import Context
from memorybank.doctor.finding import FAIL, WARN, Symptom
from memorybank.errors import Problem

UNTRUSTED = "config_untrusted"
"""The code of a key of a bank that names a program, an address, a model or a key."""


def valid(context: Context) -> Iterator[Symptom]:
    """Nothing in config/ that no command could work with."""
    for problem in context.configured[1]:
        if problem.code not in WARNINGS:
            yield Symptom(FAIL, problem.message, _at(problem), "mend this line; until then no command that needs settings runs")


def effective(context: Context) -> Iterator[Symptom]:
    """Every key is known and has an effect."""
    for problem in context.configured[1]:
        if problem.code in WARNINGS and problem.code != UNTRUSTED:
            yield Symptom(WARN, problem.message, _at(problem), "correct the key, or take it out")


def names_nothing_outside(context: Context) -> Iterator[Symptom]:
    """A bank can come from a stranger: what it names as a program, an address, a model or a key is ignored, and somebody should know."""
    for problem in context.configured[1]:
        if problem.code == UNTRUSTED:
            step = "take it out, and ask who put it there: only your own settings may say such things"
            yield Symptom(FAIL, problem.message, _at(problem), step)


def _at(problem: Problem) -> str:
    return f"{problem.path}:{problem.line}" if problem.line else problem.path
