"""What one changed note costs: a look at rows of its own and of what it touches, never at those of all notes."""

import re

from memorybank.config.settings import load
from memorybank.index.fold import fold
from memorybank.index.working import open_index

TEXT = "# Note {0}\n\nWhat all of them say.\n\nWhat only {0} says, see [[note-{1}]] and `src/file_{0}.py`.\n"
MAY_BE_SCANNED = {"stale", "s", "touched_bins", "t", "moved", "removals", "CONSTANT"}
"""Temporary tables with the few rows that a fold is about (and their names in a query), and the notes that are gone."""
ASKS = ("SELECT", "UPDATE", "DELETE", "INSERT")
OF_FULL_TEXT = "'main'."
"""How FTS5 names its own tables, which it asks for itself."""


def plans(connection, statements):
    """{statement: steps of SQLite's plan}."""
    whole = (statement for statement in statements if statement.lstrip().startswith(ASKS) and not statement.endswith("LIMIT 1"))
    asked = (statement for statement in whole if OF_FULL_TEXT not in statement)
    return {statement: [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")] for statement in asked}


def scanned(steps):
    """The tables that a plan walks through as a whole; full text is asked by its own index."""
    found = (re.match(r"SCAN (\w+)(?! VIRTUAL TABLE)\b", step) for step in steps)
    return {match[1] for match in found if match} - MAY_BE_SCANNED


def test_a_changed_note_is_taken_in_without_a_look_at_all_others(bank, folded, fixed_clock):
    scratch = bank({f"shared/note-{number}.md": TEXT.format(number, number + 1) for number in range(60)})
    with folded(scratch):
        pass
    path = scratch.active / "shared" / "note-7.md"
    path.write_text(path.read_text() + "\nAnd now this.\n")
    statements: list[str] = []
    with open_index(scratch.layout, load(scratch.layout), fixed_clock) as index:
        index.connection.set_trace_callback(statements.append)
        assert fold(index, only=["shared/note-7.md"], portion=True).changed == 1
        index.connection.set_trace_callback(None)
        found = plans(index.connection, statements)
    assert len(found) > 30, "the fold was not heard"
    assert {statement: tables for statement, steps in found.items() if (tables := scanned(steps))} == {}
