"""Programs that the shell did not find when they were last started by their names alone, or that did not find a module, and how they were started since or
before.

One failure is enough, and so is one success: where a shell looks for programs changes neither by chance nor with the code.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY
from memorybank.cycle.fold.kinds import NO_MODULE, NOT_FOUND, SET_UP, STARTED
from memorybank.cycle.know.problems import KnownProblem
from memorybank.text.commands.launching import BY_NAME, INSTALL, MANAGED
from memorybank.text.words.code_names import contains

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable, Sequence

_AGE = 60 * DAY
"""How long it counts that a program was not found (ms), because programs are installed."""
_MODULE = "python -m "
_LOST = f"(how = '{NOT_FOUND}' OR (how >= '{NO_MODULE}' AND how < '{chr(ord(NO_MODULE) + 1)}'))"
_MISSED = f"SELECT DISTINCT program FROM launches WHERE {_LOST} AND at BETWEEN ? AND ?"
_INSTALLED = (
    "SELECT 1 FROM forms JOIN files ON files.id = forms.file WHERE worked AND last_at >= ? AND instr(command, ?)"
    " AND (instr(form, 'install') OR instr(form, ' add') OR instr(form, ' sync') OR form LIKE '% i' OR form LIKE '% ci' OR form LIKE 'make%') LIMIT 1"
)
_STARTED = "SELECT how, at, session FROM launches WHERE program = ? ORDER BY at DESC, how"


def missed(connection: Connection, now: int) -> list[str]:
    """Return the programs that lately were not found or missed a module, whatever was done since."""
    return [program for (program,) in connection.execute(_MISSED, (now - _AGE, now))]


def at_call(connection: Connection, command: str, own: str, now: int) -> KnownProblem | None:
    """Return the first program that a command starts by its name alone, and that was not found when it was last started so.

    own: id of the current session, which knows what it met itself.
    """
    programs = sorted((program for program in missed(connection, now) if program.split(" ")[0] in command), key=len, reverse=True)
    if not programs:
        return None
    from memorybank.text.commands.launching import launches  # late, as the next import: nearly every program is found

    started = launches(command)
    found = (_of(connection, program, own) for program in programs if started.get(program) == BY_NAME)
    return next(filter(None, found), None)


def after_failure(connection: Connection, command: str, error: str, own: str) -> list[KnownProblem]:
    """Return how the programs that a failed call did not find were started in other sessions."""
    from memorybank.text.commands.launching import missing, unmet

    lost = {program: BY_NAME for program, module in unmet(command, error).items() if not is_of_project(connection, module)}
    found = []
    for program, tried in sorted({**lost, **missing(command, error)}.items()):
        ways = [row for row in _ways(connection.execute(_STARTED, (program,)).fetchall()) if row[2] != own and row[0] != tried]
        if ways:
            found.append(KnownProblem(program, STARTED, _shortest(ways), 1, len(ways), ways[0][1], ""))
    return found


def find(connection: Connection, names: Iterable[str], own: str, now: int) -> list[KnownProblem]:
    """Return those of these programs that were not found when they were last started by name."""
    wanted = set(names)
    found = (_of(connection, program, own) for program in missed(connection, now) if program in wanted)
    return [problem for problem in found if problem is not None]


def sources(connection: Connection, program: str) -> list[tuple[str, int, str]]:
    """Return (how a program was started, instant, session), the newest first."""
    rows = connection.execute(_STARTED, (program,)).fetchall()
    told = _ways(rows)
    return [row for row in rows if row[0] == NOT_FOUND or row[0].startswith(NO_MODULE) or row in told]


def _of(connection: Connection, program: str, own: str) -> KnownProblem | None:
    """Return what is known of a program that was not found, or missed a module that a known way to start it has; None if it worked by name since, or the
    current session saw how it is started."""
    rows = connection.execute(_STARTED, (program,)).fetchall()
    if program.startswith(_MODULE) and is_of_project(connection, program.removeprefix(_MODULE)):
        return None  # where it is depends on the folder
    how, lost, session = next((row for row in rows if _is_lost(connection, row[0])), (NOT_FOUND, 0, ""))
    module = how.removeprefix(NO_MODULE) if how.startswith(NO_MODULE) else ""
    ways = _ways(rows)
    if not lost or (module and not ways):
        return None
    is_known_here = bool(own) and own in (session, *(row[2] for row in ways))
    if is_known_here or any(how == BY_NAME and at > lost for how, at, _ in rows) or (not ways and is_installed(connection, lost, program)):
        return None
    error = MANAGED if program == INSTALL else f"No module named '{module}'" if module else ""
    return KnownProblem(program, SET_UP, _shortest(ways), 1, len(ways), lost, "", error)


def _is_lost(connection: Connection, how: str) -> bool:
    """Return whether a row says that a program was not found by its name alone, or missed a module that is none of the project's."""
    return how == NOT_FOUND or (how.startswith(NO_MODULE) and not is_of_project(connection, how.removeprefix(NO_MODULE)))


def _ways(rows: Sequence[tuple[str, int, str]]) -> list[tuple[str, int, str]]:
    """Return those of the rows of a program that say how it was started, without those that failed when they were last tried."""
    lost = {how: at for how, at, _ in rows if how.startswith(NOT_FOUND)}
    return [
        row for row in rows if row[0] != BY_NAME and not row[0].startswith(NO_MODULE) and row[0] not in lost and row[1] > lost.get(f"{NOT_FOUND}{row[0]}", -1)
    ]


def _shortest(ways: Sequence[tuple[str, int, str]]) -> str:
    """Return the shortest way among those of the session that used one last; "" for none."""
    return min((how for how, _, session in ways if session == ways[0][2]), key=lambda how: (len(how), how), default="")


def is_installed(connection: Connection, at: int, name: str) -> bool:
    """Return whether something was installed since; name: what (any package if it is empty)."""
    return connection.execute(_INSTALLED, (at, name)).fetchone() is not None


def is_of_project(connection: Connection, module: str) -> bool:
    """Return whether a module is one that sessions edited."""
    name = module.replace(".", "/").split("/")[0]
    asked = "SELECT name FROM turn_files WHERE instr(name, ?)"
    return any(contains(edited.replace(".", " ").replace("/", " "), name) for (edited,) in connection.execute(asked, (name,)))
