"""Folds failed calls, and what was done to make them work: another call instead, another call first, or edits. One row for each occurrence; what they teach
together is computed when needed (`cycle.know.problems`).
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import cache, repairs
from memorybank.cycle.fold.kinds import FIRST, INSTEAD, NO_MODULE, NOT_FOUND, REFUSED
from memorybank.cycle.fold.wording import EDITS, error_line
from memorybank.text.commands import corrected, exact, fingerprint, forms, launching, programs, purposes, refusals
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

    from memorybank.cycle.fold.recorded import LogEvent

_MOST_TERMS = 60
_SAID = 200
_COMMAND = 300

_OF_THIS_SESSION = frozenset(("KillShell", "KillBash", "TaskStop", "TaskOutput", "BashOutput"))
"""Tools of a host that are called with the id of a process or a task, which no other session has."""


def form_of_line(line: LogEvent) -> str:
    """Return the form of a failed call: of a command with several parts the last one, whose outcome is known."""
    found = forms.of_call(line.tool, line.text("command"), _named(line))
    return found[-1] if found else ""


def count(connection: Connection, file: int, line: LogEvent) -> None:
    """Count a command that ran: which words follow its programs, in which logs its forms occur, and worked, and how its programs were started."""
    counted = "INSERT INTO chains VALUES (?, ?, 1) ON CONFLICT (program, word) DO UPDATE SET uses = uses + 1"
    connection.executemany(counted, forms.chains(line.text("command")))
    launched = (
        "INSERT INTO launches VALUES (?, ?, ?, ?) ON CONFLICT (how, program) DO UPDATE SET at = excluded.at, session = excluded.session"
        " WHERE (excluded.at, excluded.session) > (at, session)"
    )
    connection.executemany(launched, ((how, program, line.at, line.session) for program, how in _launches(line)))
    worked = line.status == "success" and line.cell.is_public
    ran = "INSERT INTO forms VALUES (?, ?, ?, ?) ON CONFLICT (form, file) DO UPDATE SET worked = excluded.worked, command = excluded.command"
    for form, command in exact.by_form(line.text("command")).items():
        before = connection.execute("SELECT worked, command FROM forms WHERE form = ? AND file = ?", (form, file)).fetchone()
        if before is None or not before[0]:
            connection.execute(ran, (form, file, worked, command if worked else ""))
        elif worked and before[1] != command:
            connection.execute(ran, (form, file, worked, exact.common((before[1], command))))


def fold(connection: Connection, file: int, line: LogEvent) -> None:
    """Fold the result of a call: a failure stays open until a success repairs it, and a success is checked for failures that it repairs."""
    refused = None
    if line.tool == "Bash":
        refused = refusals.refused(line.text("command"), line.error or line.whole, failed=line.failed, whole=line.whole)
    if line.failed or refused is not None:
        _keep(connection, file, line, refused)
    elif line.status == "success" and line.tool == "Bash":
        _mend(connection, file, line)


def _launches(line: LogEvent) -> Iterable[tuple[str, str]]:
    """Return (program, how it was started) for what a command shows about it, and (operator, `BY_NAME`) for those that the shell understood."""
    command, output = line.text("command"), line.error or line.whole
    missing = launching.missing(command, output, failed=line.failed)
    if not missing and refusals.word_refused(command, output) is not None:
        return []
    if not missing and (unmet := launching.unmet(command, output)):
        return [(program, f"{NO_MODULE}{module}") for program, module in unmet.items()] if line.cell.is_public else []
    launched = launching.launches(command)
    lost = missing or launching.gone(launched, output)
    if lost:
        return [(program, f"{NOT_FOUND}{how}") for program, how in lost.items()] if line.cell.is_public else []
    found = [(sign, launching.BY_NAME) for sign in refusals.operators_of(command)]
    # Where errors are not printed, nothing shows that a program was found; of a command that failed, only that the first one was, if it said something else.
    if launching.hides_errors(command) or line.inputs.get("run_in_background"):
        return found
    ran = list(launched.items())
    if line.failed:
        ran = ran[:1] if output.strip() and not launching.may_lack(output) else []
    # Everybody may see how a program was started.
    return found + [(program, how) for program, how in ran if how == launching.BY_NAME or line.cell.is_public]


def error_terms(line: LogEvent) -> list[str]:
    """Return the terms of an error and of the command that caused it."""
    return content_terms(f"{line.error} {line.text('command')[:_COMMAND]}")[:_MOST_TERMS]


def _keep(connection: Connection, file: int, line: LogEvent, refused: tuple[str, str] | None) -> None:
    """Store a failure. refused: (form with the option, line of the output) if an option was refused."""
    form, wrong = refused or (form_of_line(line), error_line(line.error, repairs.LINE_CHARACTERS))
    if not form or line.tool in _OF_THIS_SESSION:
        return
    # No other call repairs a refused word, or what failed in a host's own tool.
    is_mended = refused is not None or line.tool in EDITS or fingerprint.is_read_only(line.tool or "")
    row = {
        **line.row(file),
        "form": form,
        "call": line.tool_use_id,
        "error": " ".join(error_terms(line)),
        "said": (line.error or wrong)[:_SAID],
        "line": wrong,
        "command": "" if is_mended and refused is None else line.text("command")[:_COMMAND],
        "mended": line.offset if is_mended else None,
    }
    failure = cache.insert(connection, "failures", row)
    if refused is not None and failure is not None:
        connection.execute("INSERT INTO remedies VALUES (?, ?, '', '')", (failure, REFUSED))


def _replace_refused(connection: Connection, file: int, line: LogEvent) -> None:
    """Note what stands in a command that worked for the word that was refused in the ones before it."""
    waiting = connection.execute(
        "SELECT id, form, f.command FROM failures f JOIN remedies ON failure = id WHERE file = ? AND agent = ? AND cell = ? AND how = ? AND f.command <> ''"
        " AND offset >= (SELECT ifnull(max(offset), 0) FROM turns WHERE file = ?)",
        (file, line.agent, line.cell.name, REFUSED, file),
    ).fetchall()
    for failure, form, command in waiting:
        if remedy := refusals.instead(form, command, line.text("command")):
            connection.execute("UPDATE OR REPLACE remedies SET remedy = ? WHERE failure = ? AND how = ?", (remedy, failure, REFUSED))
            connection.execute("UPDATE failures SET command = '' WHERE id = ?", (failure,))


def _mend(connection: Connection, file: int, line: LogEvent) -> None:
    _replace_refused(connection, file, line)
    still_open = repairs.still_open(connection, file, line)
    if not still_open:
        return
    worked = line.text("command")
    done = exact.by_form(worked)
    (asked_at,) = connection.execute("SELECT max(offset) FROM turns WHERE file = ?", (file,)).fetchone()
    mended, fixed, left = [], [], []
    for failure, form, command, offset in still_open:
        mending = next((one for one in done if mends(form, one)), None)
        is_of_turn = offset >= (asked_at or 0)
        instead = [(mending, done[mending])] if mending is not None and mending != form else []
        if not instead and is_of_turn:
            instead = _instead_at_once(connection, failure, command, worked)
        _remedy(connection, failure, INSTEAD, instead)
        if mending is None and not (is_of_turn and corrected.corrects(worked, command)):
            left.append(failure)  # also if another program did the same: edits may still repair the failed call itself
            continue
        connection.execute("UPDATE failures SET mended = ?, command = '' WHERE id = ?", (line.offset, failure))
        mended.append((failure,))
        if mending in (None, form):
            fixed.append((failure, command))
        # Another call that worked is the remedy itself. If the same call works now, the remedy is what was done before it.
        if mending is not None and not instead:
            _remedy(connection, failure, FIRST, [one for one in _before(connection, failure, done, mending) if repairs.can_end(one[0], form)])
    if fixed:
        repairs.write(connection, file, line, fixed)
    repairs.forget(connection, mended)
    if left:
        repairs.note_command(connection, line, left)


def _instead_at_once(connection: Connection, failure: int, failed: str, worked: str) -> list[tuple[str, str]]:
    """Return (form, exact command) of what worked instead of a failed call, if nothing was changed in between: then only the command differs.

    It is the same call with variables, an option or an argument that the failed one lacked, the call in another form, or another program that does the same.
    What the commands of several sessions have in common counts, so each variable is one remedy.
    """
    done = exact.by_form(worked)
    form = next(reversed(exact.by_form(failed)), "")
    if len(done) != 1 or not form or connection.execute("SELECT 1 FROM steps_since WHERE failure = ? LIMIT 1", (failure,)).fetchone() is not None:
        return []
    (last,) = done
    before, after = exact.by_form(failed)[form], done[last]
    names = exact.lacking(before, after)
    if any(map(corrected.bypasses, names)):
        return []
    set_for_it = [(exact.with_variables(form, [name]), after) for name in names]
    if last == form and set_for_it:
        return set_for_it
    if words := _lacking_words(connection, failure, form, before, after):
        return [(words, after)]
    is_other_form = purposes.names_purpose(form) and purposes.names_purpose(last) and corrected.corrects(worked, failed)
    other = (last if is_other_form else purposes.done_instead(worked, failed)) if last != form else ""
    return [(other, after), *set_for_it] if other else []


def _lacking_words(connection: Connection, failure: int, form: str, failed: str, worked: str) -> str:
    """Return the form of a failed command with the option that it lacked (`form --option`), or `form …` for a script that lacked an argument; "" for another
    difference. A check with an option or a target checks less, and an error in the code says itself what to change."""
    words = [word for word in exact.added(failed, worked) if word not in programs.DISPLAY_FLAGS]
    if not words or not programs.ASKS_FOR_HELP.isdisjoint(words) or any(map(corrected.bypasses, words)) or corrected.is_check(form.split(" ")):
        return ""
    from memorybank.text.commands.error_excerpt import is_about_code  # late: few commands work with another word

    (said,) = connection.execute("SELECT said FROM failures WHERE id = ?", (failure,)).fetchone()
    if is_about_code(said):
        return ""
    option = next((word for word in words if word.startswith("-")), "")
    return f"{form} {option}" if option else f"{form} {exact.OPEN}" if forms.runs_script(form) else ""


def _remedy(connection: Connection, failure: int, how: str, remedies: Iterable[tuple[str, str]]) -> None:
    """Store remedies of a failure: (form, exact command) each."""
    connection.executemany("INSERT OR IGNORE INTO remedies VALUES (?, ?, ?, ?)", [(failure, how, *remedy) for remedy in remedies])


def mends(failed: str, done: str) -> bool:
    """Return whether a successful call served the purpose of a failed one: the same call, with or without a wrapper in front, or a command that does what a
    call by name asked for (`Skill commit`, then `git commit`)."""
    if failed == done:
        return True
    one, other = failed.split(), done.split()
    if len(one) > 1 and (one[1:] == other or one == other[1:]):
        return True
    # Tools other than a shell have capitalised names.
    return one[0][:1].isupper() and len(one) > 1 and one[1] in other


def _before(connection: Connection, failure: int, done: dict[str, str], mending: str) -> list[tuple[str, str]]:
    """Return (form, exact command) of what was done since the failure, and of what the successful command did before its repairing part."""
    found: dict[str, str] = {}
    for form, command in (*repairs.commands_since(connection, failure), *list(done.items())[: list(done).index(mending)]):
        found[form] = exact.common((found.get(form, command), command))
    return list(found.items())


def _named(line: LogEvent) -> str:
    """Return what a tool other than a shell calls by name: a skill, or a type of agent."""
    other = line.inputs.get("other")
    values = other.values() if isinstance(other, dict) else ()
    name = next((value for value in values if isinstance(value, str)), "") or line.text("subagent_type")
    return name if name and " " not in name.strip() and len(name) < 40 else ""
