"""Work on a file: what an earlier session said about a file that it changed for a request like the current one.

Both are needed. The same file is changed for many reasons, and requests about different things share words.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import schema
from memorybank.cycle.fold.kinds import ANSWER, SAID
from memorybank.cycle.know import search
from memorybank.cycle.know.findings import IDS, least_sum, says_enough
from memorybank.storage import database
from memorybank.storage.sqlite import sqlite3
from memorybank.text.passages import is_table_row
from memorybank.text.paths import relative
from memorybank.text.pattern import lazy_pattern
from memorybank.text.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Iterable, Sequence

    from memorybank.cycle.event import Event
    from memorybank.cycle.know.search import Passage, Rarity
    from memorybank.storage.layout import Layout

_FEW = 3
"""Sessions that may have changed a file. One that more sessions changed is part of most work here, and says little about a request."""
_ABOUT_IT = 0.5
"""Share of `findings.LEAST_SUM` that the passage itself must have in common with the request. All that was said in its turn must have `LEAST_SUM`."""

_NAME = lazy_pattern(r"[\w.-]*\w", "a")
_MOST_TURNS = 20
_MOST_SHOWN = 3
"""Findings in one context from which none is added because of a file."""


def may_be_known(layout: Layout, event: Event, root: str) -> bool:
    """Return whether other sessions changed the file of a call, and only a few: otherwise `said_about` finds nothing. Much cheaper than asking it."""
    path = event.inputs.get("file_path")
    connection = database.open_reading(schema.path(layout), schema.VERSION) if isinstance(path, str) else None
    if connection is None or not isinstance(path, str):
        return False
    try:
        counted = "SELECT count(DISTINCT session) FROM turn_files JOIN turns ON id = turn WHERE name = ? AND session IS NOT ?"
        sessions: int = connection.execute(counted, (relative(path, root, folder=event.cwd), event.session_id)).fetchone()[0]
    except (sqlite3.DatabaseError, UnicodeEncodeError):  # damaged, locked for longer than a hook waits, or a name that is no UTF-8
        return False
    finally:
        connection.close()
    return 0 < sessions <= _FEW


def changed_by_few(connection: Connection, file: str, own: str, now: int) -> dict[int, str]:
    """Return {turn: session} of the last turns of other sessions in which a file was edited; {} when more than a few sessions edited it.

    file: path relative to the repository.
    own: id of the current session.
    now: ms.
    """
    rows = connection.execute(
        f"SELECT id, session FROM turn_files JOIN turns ON id = turn WHERE name = ? AND session IS NOT ? AND at <= ? AND {search.IS_SEEN}"
        " ORDER BY at DESC, session, offset",
        (file, own, now),
    ).fetchall()
    return dict(rows[:_MOST_TURNS]) if len({session for _, session in rows}) <= _FEW else {}


def said_about(connection: Connection, rarity: Rarity, file: str, terms: Iterable[str], own: str, now: int, shown: Collection[str]) -> Sequence[Passage]:
    """Return the answers that name a file, of turns that edited it for a request like this one, the best first.

    file: path relative to the repository.
    terms: terms of the request.
    own: id of the current session.
    now: ms.
    shown: ids of memories that the agent was shown. Turns that one of them is from are left out, and after a few findings so is everything.
    """
    name = file.rpartition("/")[2]
    named = set(content_terms(name))
    asked = set(terms) - named  # that both are about this file is known
    rarity.learn(asked)
    least = least_sum(rarity)
    if rarity.sum(asked) < least or sum(memory.startswith(IDS) for memory in shown) >= _MOST_SHOWN:
        return []
    turns = changed_by_few(connection, file, own, now)
    found: list[Passage] = []
    for said in _said_in(connection, turns, now).values():
        common = asked & {term for passage in said for term in passage.terms}
        if rarity.sum(common) < least or any(passage.memory in shown for passage in said):
            continue
        naming = [passage for passage in said if passage.kind == ANSWER and _names(f"{passage.heading}\n{passage.text}", name)]
        found += [passage for passage in naming if says_enough(passage) and not is_table_row(passage.text)]
    search.weigh(rarity, asked, found)
    best = [passage for passage in found if passage.sum >= least * _ABOUT_IT]
    for passage in best:  # of a long passage, the part from the sentence on that names the file is shown
        passage.matched = [term for term in passage.terms if term in named]
    return best


def _names(text: str, name: str) -> bool:
    """Return whether a text contains the name of a file: `state.go` does not occur in `old_state.go`."""
    return name in text and (not name.isascii() or name in _NAME.findall(text))


def _said_in(connection: Connection, turns: dict[int, str], now: int) -> dict[int, list[Passage]]:
    """Return what was typed and answered in each of these turns."""
    found: dict[int, list[Passage]] = {}
    listed = ",".join("?" * len(turns))
    rows = connection.execute(
        f"SELECT {search.COLUMNS} FROM passages p JOIN passage_terms t ON t.id = p.id WHERE session IN ({listed}) AND turn IN ({listed})"
        f" AND kind IN ('{SAID}', '{ANSWER}') AND at <= ? AND {search.IS_SEEN} ORDER BY p.id",
        (*turns.values(), *turns, now),
    )
    for passage in map(search.read, rows):
        found.setdefault(passage.turn or 0, []).append(passage)
    return found
