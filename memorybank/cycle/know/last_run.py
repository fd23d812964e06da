"""A call that failed when it was last run, because the machine or the account lacks something, and that nothing has run with success since.

One failure is enough: such an error is not by chance, and no edit ends it. What fails because of the code (tests, builds, searches) says nothing about the next
run. A program that the shell does not find is known by itself (`know.launched`).
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY
from memorybank.cycle.fold.kinds import LAST, REFUSED
from memorybank.cycle.know import launched, problems
from memorybank.cycle.know.problems import KnownProblem
from memorybank.cycle.know.search import IS_SEEN_FAILURE
from memorybank.text.commands import exact, forms, lacking
from memorybank.text.commands.corrected import is_check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence

_AGE = 60 * DAY
"""How long a failure counts (ms), because programs are installed and accounts are set up."""
_NEWEST = f"SELECT session, at, line, said, command, mended FROM failures WHERE form = ? AND at BETWEEN ? AND ? AND {IS_SEEN_FAILURE} ORDER BY at DESC LIMIT 1"
_WORKED = "SELECT 1 FROM forms JOIN files ON files.id = forms.file WHERE worked AND last_at >= ? AND form BETWEEN ? AND ? LIMIT 1"
_ERROR_CHARACTERS = 90


def find(connection: Connection, called: Sequence[str], command: str, own: str, now: int) -> KnownProblem | None:
    """Return the first call of a command that failed when it was last run, for what this machine lacks.

    called: the forms of the command. own: id of the current session, which knows what it met itself.
    """
    for form in called:
        row = connection.execute(_NEWEST, (form, now - _AGE, now)).fetchone()
        if row is None or row[0] == own or row[-1] is not None:
            continue
        _, at, line, said, failed, _ = row
        error = _lacked(connection, form, at, [*line.split(" · "), *said.split("\n")], failed, command)
        if error and not _worked(connection, form, at):
            return KnownProblem(form, LAST, "", 1, 0, at, said, error)
    return None


def problems_at_calls(connection: Connection, now: int) -> list[KnownProblem]:
    """Return every problem that some call would show, those of `problems.find` first: also words that one session did not know, and last failures."""
    words = [form for (form,) in connection.execute(f"SELECT DISTINCT form FROM failures JOIN remedies ON id = failure WHERE how = '{REFUSED}'")]
    proven = problems.find(connection, "", now)
    of_words = problems.find(connection, "", now, words) if words else []
    found = {problem.memory: problem for problem in (*proven, *of_words)}
    found |= {problem.memory: problem for problem in launched.find(connection, launched.missed(connection, now), "", now)}
    open_ones = "SELECT form, command FROM failures WHERE mended IS NULL AND at >= ? GROUP BY form HAVING at = max(at) ORDER BY max(at) DESC"
    for form, command in connection.execute(open_ones, (now - _AGE,)).fetchall():
        problem = find(connection, (form,), command, "", now)
        if problem is not None:
            found.setdefault(problem.memory, problem)
    return list(found.values())


def _lacked(connection: Connection, form: str, at: int, lines: Sequence[str], failed: str, command: str) -> str:
    """Return the line of an error that says what a call of this form lacked, and lacks still as far as is known; "" for none."""
    program = form.partition(" ")[0]
    for line in lines:
        if missing := lacking.program_in(line):
            if missing == program or not _is_alone(connection, form, at, failed):
                return ""
            # A script of the project runs what its packages bring; installing these ends it.
            return "" if _worked(connection, missing, at, is_program=True) or launched.is_installed(connection, at, "") else _shown(line)
        if is_check(form.split(" ")) or not _is_alone(connection, form, at, failed):
            continue
        if module := lacking.module_in(line):
            is_named = not forms.is_interpreter(form) or module.partition(".")[0] in command
            return _shown(line) if is_named and not launched.is_of_project(connection, module) and not launched.is_installed(connection, at, "") else ""
        if lacking.is_about_machine(line):
            is_meant = " " in form or "/" in form or _target(failed, form) == _target(command, form)
            return _shown(line) if is_meant else ""
    return ""


def _shown(line: str) -> str:
    from memorybank.text.prose.passages import excerpt  # late: few calls lack something

    said = lacking.without_shell(line).removeprefix("error: ").removeprefix("fatal: ")
    return "" if exact.MACHINE.search(said) else excerpt(said, _ERROR_CHARACTERS)


def _target(command: str, form: str) -> str:
    """Return what a command of a program without subcommands works on: its host, else its first word without a dash; "" for none."""
    words = [word.strip("'\"") for word in command.partition(f"{form} ")[2].split()]
    url = next((word for word in words if "://" in word), "")
    return "/".join(url.split("/")[:3]) or next((word for word in words if not word.startswith("-")), "")


def _is_alone(connection: Connection, form: str, at: int, failed: str) -> bool:
    """Return whether an error can only be that of a call of this form: the other parts of the command work."""
    return all(other == form or _worked(connection, other, at) for other in forms.of_command(failed))


def _worked(connection: Connection, form: str, at: int, *, is_program: bool = False) -> bool:
    """Return whether a session that ended later ran a form with success. is_program: also any form of this program"""
    last = f"{form} ~" if is_program else form
    return connection.execute(_WORKED, (at, form, last)).fetchone() is not None
