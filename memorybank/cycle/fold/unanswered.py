"""The failed call that a prompt answers: a command after which nothing was done, and which nothing repaired.

The same command with another error shows that the earlier error is gone. Of several failures that are left, the answer is about the one whose error has most
words in common with it, else about the last.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import repairs
from memorybank.cycle.fold.kinds import SAID
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.fold.recorded import LogEvent

_MOST_ANSWERS = 2
"""Prompts that may answer one failure: "wait, somebody else edits that file", then "commit without the hook this time"."""


def failure(connection: Connection, file: int, line: LogEvent) -> int | None:
    """Return the row of the failure that a prompt answers; None if there is none, or if the person only asks for the next step."""
    still_open = ",".join(str(number) for number, *_ in repairs.still_open(connection, file, line))
    rows = connection.execute(
        f"SELECT id, form, line, error FROM failures f WHERE id IN ({still_open}) AND NOT EXISTS (SELECT 1 FROM steps_since WHERE failure = id)"
        " AND (SELECT count(DISTINCT turn) FROM passages p WHERE p.failure = f.id AND kind = ?) < ? ORDER BY offset",
        (SAID, _MOST_ANSWERS),
    ).fetchall()
    if not rows:
        return None
    from memorybank.text.prompts.routine import is_routine  # late, as the others: most prompts answer no failure
    from memorybank.text.prompts.typed import typed
    from memorybank.text.words.ordinary import share_of

    said = typed(line.text("text"))
    if not said or is_routine(said):
        return None
    last = {form: wrong for _, form, wrong, _ in rows}
    found = [row for row in rows if row[2] == last[row[1]] or repairs.is_same_line(row[2], last[row[1]])]
    # What a linter complains about is other code the next time.
    found = [row for row in found if not repairs.checks_style(row[1])] or found
    words = {term for term in content_terms(said) if not share_of(term)}
    return int(max(enumerate(found), key=lambda one: (len(words.intersection(one[1][3].split(" "))), one[0]))[1][0])
