"""What `status` and the page say about the problems of notes: one finding, which names the first and the command that lists all."""

from collections.abc import Sequence

from memorybank.doctor.finding import WARN, DoctorFinding
from memorybank.errors import Problem
from memorybank.storage.layout import is_source_key
from memorybank.text.quantities import counted

READABLE = "notes.readable"
"""The check of `doctor` that reports each of them."""


def summary(problems: Sequence[Problem]) -> list[DoctorFinding]:
    """Return one finding about the problems of notes; none without any."""
    if not problems:
        return []
    count = counted(len({problem.path for problem in problems}), "note has problems", "notes have problems")
    what = f"{count}, first: {problems[0].message}"
    return [DoctorFinding(READABLE, WARN, what, where(problems[0]), "'memorybank list --problems' lists all of them", None)]


def where(problem: Problem) -> str:
    """Return the place of a problem relative to the bank, with its line."""
    path = problem.path if is_source_key(problem.path) or problem.path == "bookmarks.json" else f"active/{problem.path}"
    return path if problem.line is None else f"{path}:{problem.line}"
