"""Answers that the person refutes in the next prompt. They get a kind of their own, so that no moment shows them.

In their place stands what the person said instead, with what the agent then answered, as the answer to the question that was asked first. A correction
of one case ("not true for staging") is added to the answer, which stays. If the agent then upholds its answer, that stays too.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import passage_rows
from memorybank.cycle.fold.kinds import ANSWER, REFUTED, REMARK, SAID
from memorybank.cycle.fold.phrases import JAPANESE, language_of
from memorybank.text.prose.passages import answering, excerpt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection
    from typing import Any

    from memorybank.cycle.fold.recorded import LogEvent

_CORRECTION, _TOGETHER = 170, 258
"""Maximum characters of what the person says, and of that with what the agent answered: a passage of this length is shown in full."""
_ALIKE = 0.5
"""A remark that shares this part of its words with a refuted answer, or of the answer's words, says the same."""
_BETWEEN = " → "


def by_prompt(connection: Connection, file: int, line: LogEvent, turn: int) -> None:
    """Mark the answer before a prompt as refuted if the prompt says so. turn: the one that the prompt begins."""
    _judge(connection, file, line, turn, line.offset, line.text("text"))


def by_reply(connection: Connection, file: int, line: LogEvent, turn: int | None) -> bool:
    """Add the first answer of a turn to the correction with which its prompt began, or mark what the prompt doubts as refuted if the agent concedes.

    Return whether the corrected answer contains the first passage of the line, which is then not stored twice.
    """
    if turn is None:
        return False
    offset, corrects, agent = connection.execute("SELECT offset, corrects, agent FROM turns WHERE id = ?", (turn,)).fetchone()
    answered = "SELECT 1 FROM passages WHERE session IS ? AND turn = ? AND kind IN (?, ?) AND offset > ?"
    row = connection.execute("SELECT prompt FROM contexts WHERE session = ? AND agent = ?", (line.session, line.agent)).fetchone()
    if agent != line.agent or row is None or not line.whole.strip() or connection.execute(answered, (line.session, turn, ANSWER, REFUTED, offset)).fetchone():
        return False
    if corrects is None:
        return _judge(connection, file, line, turn, offset, row[0], line.whole)
    limited = _limited(connection, file, line, offset, row[0])
    if limited is not None:
        return _add_case(connection, limited, [piece for _, piece in answering(line.whole)][:1])
    if _is_upheld(connection, file, line, turn, offset, row[0]):
        return False
    return _write(connection, file, line, offset, corrects, row[0], line.whole)


def _judge(connection: Connection, file: int, line: LogEvent, turn: int, offset: int, prompt: str, reply: str = "") -> bool:
    """Mark the answer before the prompt at an offset as refuted if prompt and reply say so. Return whether the corrected answer contains all of the first
    passage of the reply."""
    before, rows = _before(connection, file, line, offset, (ANSWER, REMARK))
    answers = [row for row in rows if row[1] == ANSWER]
    if before is None or not answers:
        return False
    from memorybank.text.prompts.refuting import limits, refutes  # late: most prompts follow no answer

    corrects = before[0] if before[1] is None else before[1]
    is_refuted = refutes(prompt, "\n".join(row[2] for row in answers), reply, _question(connection, file, line, corrects))
    if not (is_refuted or limits(prompt)):
        return False
    connection.execute("UPDATE turns SET corrects = ? WHERE id = ?", (corrects, turn))
    if not is_refuted:
        _add_case(connection, (answers[0][0], answers[0][2]), [_quoted(prompt)])
        return bool(reply) and _add_case(connection, _limited(connection, file, line, offset, prompt), [piece for _, piece in answering(reply)][:1])
    wrong = [set(row[3].split(" ")) for row in answers]
    refuted = [row[0] for row in rows if row[1] == ANSWER or _says_one_of(set(row[3].split(" ")), wrong)]
    for number in refuted:
        passage_rows.hide(connection, number)
        connection.execute("UPDATE passages SET kind = ? WHERE id = ?", (REFUTED, number))
        connection.execute("DELETE FROM advice WHERE passage = ?", (number,))
    return _write(connection, file, line, offset, corrects, prompt, reply)


def _before(connection: Connection, file: int, line: LogEvent, offset: int, kinds: tuple[str, str]) -> tuple[tuple[Any, ...] | None, list[tuple[Any, ...]]]:
    """Return (offset, corrects) of the turn before the prompt at an offset, and (row, kind, text, terms, memory) of its passages of some kinds."""
    turns = "SELECT offset, corrects FROM turns WHERE file = ? AND offset < ? AND agent IS ? ORDER BY offset DESC LIMIT 1"
    before = connection.execute(turns, (file, offset, line.agent)).fetchone()
    found = (
        "SELECT p.id, kind, text, terms, memory FROM passages p JOIN passage_terms t ON t.id = p.id WHERE session IS ? AND kind IN (?, ?) AND file = ?"
        " AND offset >= ? AND offset < ? AND agent IS ? ORDER BY p.id"
    )
    return before, connection.execute(found, (line.session, *kinds, file, before[0], offset, line.agent)).fetchall() if before is not None else []


def _limited(connection: Connection, file: int, line: LogEvent, offset: int, prompt: str) -> tuple[int, str] | None:
    """Return (row, text) of the answer to which the prompt at an offset was added, because it corrects one case of it."""
    found = (
        "SELECT p.id, text FROM passages p WHERE session IS ? AND kind = ? AND file = ? AND offset < ? AND agent IS ? AND substr(text, -length(?)) = ?"
        " ORDER BY p.id DESC LIMIT 1"
    )
    added = f"{_BETWEEN}{_quoted(prompt)}"
    row = connection.execute(found, (line.session, ANSWER, file, offset, line.agent, added, added)).fetchone()
    return (int(row[0]), str(row[1])) if row is not None else None


def _add_case(connection: Connection, answer: tuple[int, str] | None, parts: list[str]) -> bool:
    """Add what was said of one case to an answer if all of it can be shown. Return whether it can."""
    more = "".join(f"{_BETWEEN}{part}" for part in parts if part)
    if answer is None or not more or len(answer[1]) + len(more) > _TOGETHER:
        return False
    passage_rows.extend(connection, answer[0], more)
    return True


def _quoted(prompt: str) -> str:
    """Return what a person says in place of an answer, in quotation marks; "" for nothing."""
    from memorybank.text.prompts.refuting import corrected

    said = excerpt(corrected(prompt), _CORRECTION)
    return said and (f"「{said}」" if language_of(said) == JAPANESE else f"“{said}”")


def _question(connection: Connection, file: int, line: LogEvent, offset: int) -> str:
    """Return what the prompt at an offset asked, as far as it is known to those who may see the line; "." for a prompt that is too short."""
    found = "SELECT text FROM passages WHERE file = ? AND cell = ? AND kind = ? AND offset = ? ORDER BY id"
    return " ".join(row[0] for row in connection.execute(found, (file, line.cell.name, SAID, offset))) or "."


def _is_upheld(connection: Connection, file: int, line: LogEvent, turn: int, offset: int, prompt: str) -> bool:
    """Show the answer again that the prompt at an offset refuted if the agent's reply repeats and defends it. Return whether it does."""
    rows = _before(connection, file, line, offset, (REFUTED, REFUTED))[1]
    from memorybank.text.prompts.refuting import upholds

    answers = [row[2] for row in rows if row[4].startswith(f"{ANSWER}:")]
    if not answers or not upholds(line.whole, "\n".join(answers), prompt):
        return False
    for number, _, _, _, memory in rows:
        passage_rows.show(connection, number)
        connection.execute("UPDATE passages SET kind = ? WHERE id = ?", (memory.partition(":")[0], number))
    _remove_corrected(connection, file, offset)
    connection.execute("UPDATE turns SET corrects = NULL WHERE id = ?", (turn,))
    return True


def _remove_corrected(connection: Connection, file: int, offset: int) -> tuple[str, int]:
    """Remove the corrected answer that the prompt at an offset has brought so far. Return (its id, instant of the prompt)."""
    event, at = connection.execute("SELECT event_id, at FROM events WHERE file = ? AND offset = ?", (file, offset)).fetchone()
    memory = f"{ANSWER}:{event[:16]}.0"
    for (row,) in connection.execute("SELECT id FROM passages WHERE memory = ?", (memory,)).fetchall():
        passage_rows.remove(connection, row)
    return memory, int(at)


def _says_one_of(terms: Collection[str], answers: Collection[Collection[str]]) -> bool:
    return any(len(set(terms).intersection(one)) > _ALIKE * min(len(terms), len(one)) for one in answers)


def _write(connection: Connection, file: int, line: LogEvent, offset: int, corrects: int, prompt: str, reply: str) -> bool:
    """Write the corrected answer to the question at an offset, in place of what was known of it before the reply. Return whether all of the first passage
    of the reply fits into it.

    offset: of the prompt that corrects the answer.
    corrects: of the prompt that asked.
    """
    said = _quoted(prompt)
    answered = [piece for _, piece in answering(reply)][:1]
    parts = [said] * bool(said) + [excerpt(piece, _TOGETHER - len(said) - len(_BETWEEN)) for piece in answered]
    memory, at = _remove_corrected(connection, file, offset)
    if not parts:
        return False
    # The question, and the words of the refuted answer except its values, lead to the corrected one too.
    asked = connection.execute("SELECT id, cell FROM turns WHERE file = ? AND offset = ?", (file, corrects)).fetchone()
    turn = int(asked[0]) if asked is not None and asked[1] == line.cell.name else None
    words = "SELECT text FROM passages WHERE file = ? AND cell = ? AND ((kind = ? AND turn IS ?) OR (kind = ? AND offset BETWEEN ? AND ?)) ORDER BY offset, id"
    known = [row[0] for row in connection.execute(words, (file, line.cell.name, SAID, turn, REFUTED, corrects, offset))]
    row = {**line.row(file), "offset": offset, "at": at, "memory": memory, "kind": ANSWER, "turn": turn, "heading": "", "text": _BETWEEN.join(parts)}
    passage_rows.write(connection, row, " ".join((*parts, *map(_without_values, known))))
    return parts[-1:] == answered


def _without_values(text: str) -> str:
    return " ".join(word for word in text.split(" ") if not any(sign.isdigit() for sign in word))
