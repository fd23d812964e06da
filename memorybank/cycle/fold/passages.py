"""What was said, in passages: what a person typed, the last words of an agent's turn, and the causes and decisions that the agent stated within it."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import cache, passage_rows, refuted
from memorybank.cycle.fold.kinds import ANSWER, FIX, REMARK, SAID
from memorybank.text.prose import passages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

    from memorybank.cycle.fold.recorded import LogEvent

_LONGEST_SAID = 300
_MOST_ANSWERS = 2
"""Prompts that may answer one failure: "wait, somebody else edits that file", then "commit without the hook this time"."""
_MOST_SAID, _MOST_ANSWERED, _MOST_REMARKS = 12, 40, 40


def begin_turn(connection: Connection, file: int, line: LogEvent) -> None:
    """Store what a person typed: the beginning of a turn, its sentences (of a pasted plan its title), and the lasting statements in it."""
    # Late, as the others here: the end of a turn stores only what the agent said.
    from memorybank.text.prompts.expectations import asks
    from memorybank.text.prompts.objects import objects
    from memorybank.text.prompts.sentences import with_reasons
    from memorybank.text.prompts.stated import EXPECTATION
    from memorybank.text.prompts.statements import statements
    from memorybank.text.prompts.typed import title, typed

    row = line.row(file)
    turn = cache.insert(connection, "turns", row)
    if turn is not None:
        refuted.by_prompt(connection, file, line, turn)
    written = typed(line.text("text"))
    said = with_reasons(passages.sentences(written), _LONGEST_SAID) or [title(line.text("text"))]
    failure = _unanswered(connection, file, line, written)
    _write(connection, SAID, line, file, turn, (("", sentence, failure, sentence) for sentence in (one[:_LONGEST_SAID] for one in said[:_MOST_SAID])))
    for place, stated in enumerate((*statements(line.text("text")), *asks(line.text("text")))):
        from memorybank.cycle.fold import statement_rows

        named = "\n".join(objects(stated.text)) if stated.kind != EXPECTATION else ""
        values = {"place": place, "kind": stated.kind, "subject": stated.subject, "text": stated.text, "objects": named}
        statement_rows.write(connection, {**row, **values})


def _unanswered(connection: Connection, file: int, line: LogEvent, said: str) -> int | None:
    """Return the failed command that a prompt answers: one after which nothing was done, and which the same command with another error did not follow, because
    then something repaired it. Of several the one whose error shares most words with what the person `said`, else the last.

    None if there is none, or if what the person said only asks for the next step.
    """
    rows = connection.execute(
        "SELECT id, form, line, error FROM failures f WHERE file = ? AND agent = ? AND mended IS NULL AND cell = ?"
        " AND NOT EXISTS (SELECT 1 FROM steps_since WHERE failure = id)"
        " AND (SELECT count(DISTINCT turn) FROM passages p WHERE p.failure = f.id AND kind = ?) < ? ORDER BY offset",
        (file, line.agent, line.cell.name, SAID, _MOST_ANSWERS),
    ).fetchall()
    if not rows or not said:
        return None
    from memorybank.cycle.fold import repairs  # late, as below: most prompts answer no failure
    from memorybank.text.prompts.routine import is_routine
    from memorybank.text.words.ordinary import share_of
    from memorybank.text.words.terms import content_terms

    if is_routine(said):
        return None
    last = {form: wrong for _, form, wrong, _ in rows}
    found = [row for row in rows if row[2] == last[row[1]] or repairs.is_same_line(row[2], last[row[1]])]
    # What a linter complains about is other code the next time.
    found = [row for row in found if not repairs.checks_style(row[1])] or found
    words = {term for term in content_terms(said) if not share_of(term)}
    return int(max(enumerate(found), key=lambda one: (len(words.intersection(one[1][3].split(" "))), one[0]))[1][0])


def end_turn(connection: Connection, file: int, line: LogEvent) -> None:
    """Store what an agent answered, and what it found out during the turn."""
    turn = cache.turn_of(connection, file, line)
    remarks = []
    for call, text in line.remarks:
        failure = connection.execute("SELECT id FROM failures WHERE file = ? AND call = ?", (file, call)).fetchone() if call else None
        pieces = ((heading, passages.lasting(piece), piece) for heading, piece in passages.passages(text))
        remarks += [(heading, said, failure and failure[0], piece) for heading, said, piece in pieces if said]
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
