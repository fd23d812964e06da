"""What was said, in passages: what a person typed, the last words of an agent's turn, and the causes and decisions that the agent stated within it."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import cache, passage_rows, refuted
from memorybank.cycle.fold.kinds import ACCEPTED, ANSWER, FIX, PASTED, REMARK, SAID
from memorybank.text.commands.error_names import message_of
from memorybank.text.commands.forms import purpose
from memorybank.text.prose import passages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

    from memorybank.cycle.fold.recorded import LogEvent

_LONGEST_SAID = 300
_MOST_SAID, _MOST_ANSWERED, _MOST_REMARKS, _MOST_PASTED = 12, 40, 40, 2


def begin_turn(connection: Connection, file: int, line: LogEvent, failure: int | None) -> None:
    """Store what a person typed: the beginning of a turn, its sentences (of a pasted plan its title), and the lasting statements in it.

    failure: the failed call that it answers (`unanswered`).
    """
    # Late, as the others here: the end of a turn stores only what the agent said.
    from memorybank.text.prompts.accepting import only_accepts, stays
    from memorybank.text.prompts.deeds import deeds
    from memorybank.text.prompts.expectations import asks
    from memorybank.text.prompts.greetings import only_greets
    from memorybank.text.prompts.objectless import only_answers
    from memorybank.text.prompts.objects import objects
    from memorybank.text.prompts.printed import errors_in
    from memorybank.text.prompts.sentences import sentences, with_reasons
    from memorybank.text.prompts.stated import EXPECTATION
    from memorybank.text.prompts.statements import statements
    from memorybank.text.prompts.typed import title, typed

    row = line.row(file)
    turn = cache.insert(connection, "turns", row)
    if turn is not None:
        refuted.by_prompt(connection, file, line, turn)
    if not line.is_human_prompt:
        return
    said = with_reasons(passages.sentences(typed(line.text("text"))), _LONGEST_SAID) or [title(line.text("text"))]
    pieces = (one[:_LONGEST_SAID] for one in said[:_MOST_SAID])
    _write(connection, SAID, line, file, turn, (("", piece, failure, "" if only_greets(piece) else piece) for piece in pieces))  # nothing finds a greeting
    for piece in said[:_MOST_SAID]:
        for action, how in deeds(piece):
            cache.insert(connection, "deeds", {**row, "action": action, "how": how, "text": piece[:_LONGEST_SAID]})
    errors = errors_in(line.text("text"))[:_MOST_PASTED]
    goes_on = "" if errors or stays(said[0]) else ACCEPTED if only_accepts(line.text("text")) else None
    errors = errors or (_pasted_before(connection, file, line) if goes_on is not None else [])
    _write(connection, PASTED, line, file, turn, ((goes_on or "", wrong[:_LONGEST_SAID], None, message_of(wrong)) for wrong in errors))
    lasting = statements(line.text("text"))
    if lasting and (before := _before(connection, file, line)):
        lasting = statements(line.text("text"), before)
    for place, stated in enumerate((*lasting, *asks(line.text("text")))):
        from memorybank.cycle.fold import statement_rows

        named = "\n".join(objects(stated.text)) if stated.kind != EXPECTATION else ""
        begins = "".join(sentences(stated.text)[:1]) if failure is not None and stated.kind != EXPECTATION else ""
        about = _failed(connection, failure) if begins and only_answers(begins) else ""
        values = {"place": place, "kind": stated.kind, "subject": stated.subject, "text": stated.text, "objects": named, "about": about}
        statement_rows.write(connection, {**row, **values})


def _failed(connection: Connection, failure: int | None) -> str:
    """Return the purpose of a failed call, "" for none."""
    found = connection.execute("SELECT form FROM failures WHERE id = ?", (failure,)).fetchone()
    return purpose(found[0]) if found is not None else ""


def _before(connection: Connection, file: int, line: LogEvent) -> str:
    """Return what a person typed in the turn before this line, one sentence a line; "" if not everybody who sees this line may see that turn."""
    last = connection.execute("SELECT offset, cell FROM turns WHERE file = ? AND offset < ? ORDER BY offset DESC LIMIT 1", (file, line.offset)).fetchone()
    if last is None or last[1] != line.cell.name:
        return ""
    asked = f"SELECT text FROM passages WHERE session IS ? AND kind = '{SAID}' AND offset = ? AND file = ? ORDER BY id"
    return "\n".join(text for (text,) in connection.execute(asked, (line.row(file)["session"], last[0], file)))


def _pasted_before(connection: Connection, file: int, line: LogEvent) -> list[str]:
    """Return the errors of the turn before this line: a prompt that says that they stay, or accepts what was proposed, is about them too."""
    turn = "SELECT max(offset) FROM turns WHERE file = ?1 AND offset < ?2 AND cell = ?3"
    found = f"SELECT text FROM passages WHERE session IS ?4 AND kind = '{PASTED}' AND offset = ({turn}) AND file = ?1 ORDER BY id"
    return [text for (text,) in connection.execute(found, (file, line.offset, line.cell.name, line.row(file)["session"]))]


def end_turn(connection: Connection, file: int, line: LogEvent) -> None:
    """Store what an agent answered, and what it found out during the turn."""
    turn = cache.turn_of(connection, file, line)
    remarks = []
    for call, text in line.remarks:
        failure = connection.execute("SELECT id FROM failures WHERE file = ? AND call = ?", (file, call)).fetchone() if call else None
        kept = ((heading, passages.lasting(piece, follows_failure=failure is not None), piece) for heading, piece in passages.passages(text))
        remarks += [(heading, said, failure and failure[0], piece) for heading, said, piece in kept if said]
    first = int(refuted.by_reply(connection, file, line, turn))
    said = _write(connection, REMARK, line, file, turn, remarks[:_MOST_REMARKS])
    answered = [(heading, piece, None, piece) for heading, piece in passages.answering(line.whole)[:_MOST_ANSWERED]]
    said += _write(connection, ANSWER, line, file, turn, answered[first:], first)
    from memorybank.cycle.fold import advised

    advised.note(connection, file, turn, said)


def touch(connection: Connection, file: int, line: LogEvent) -> None:
    """Assign an edit to the turn in which it was made."""
    turn = cache.turn_of(connection, file, line)
    if turn is not None:
        connection.executemany("INSERT OR IGNORE INTO turn_files VALUES (?, ?)", ((turn, name) for name in line.files[:1]))


def write_refusal(connection: Connection, file: int, line: LogEvent, said: str, calls: Iterable[str]) -> int | None:
    """Write what a person said about calls that they stopped, which those find. Return its row."""
    turn = cache.turn_of(connection, file, line)
    found = _write(connection, SAID, line, file, turn, (("", said[:_LONGEST_SAID], None, f"{said} {' '.join(calls)}"),), _MOST_SAID)
    return found[0][0] if found else None


def write_fixes(connection: Connection, file: int, line: LogEvent, pieces: Iterable[tuple[str, str, int]]) -> None:
    """Write what fixed failed calls. pieces: (error, edits, id of the failure)."""
    _write(connection, FIX, line, file, cache.turn_of(connection, file, line), ((error, edits, failure, edits) for error, edits, failure in pieces))


def _write(
    connection: Connection, kind: str, line: LogEvent, file: int, turn: int | None, pieces: Iterable[tuple[str, str, int | None, str]], first: int = 0
) -> list[tuple[int, str]]:
    """Write passages, the first one with the number `first`. Return (row, text) of each.

    pieces: (heading, text to show, failed call before it, text by which it is found).
    """
    found = []
    for number, (heading, text, failure, found_by) in enumerate(pieces, first):
        row = {**line.row(file), "memory": f"{kind}:{line.id[:16]}.{number}", "kind": kind, "turn": turn, "heading": heading, "text": text, "failure": failure}
        written = passage_rows.write(connection, row, found_by)
        if written is not None:
            found.append((written, text))
    return found
