"""The decisions of notes, and which of them replace which. Everything follows from the rows of notes, so every clone of a bank has the same pairs.

`settle` compares what changed with what shares a key with it. Two decisions have an order when their dates do not overlap, or when the words of one
say what it leaves behind. What a person decided counts more than what an agent wrote.
"""

from __future__ import annotations

__light__ = True

from itertools import repeat

from memorybank import clock
from memorybank.decisions import keys, sentence
from memorybank.decisions.decision import Decision, Replacement
from memorybank.decisions.extract import LEARNED_RULES
from memorybank.decisions.keys import KeyedDecision
from memorybank.index import replacements
from memorybank.index.changes import FoldChanges
from memorybank.index.replacements import STATED
from memorybank.index.working import Index
from memorybank.storage.sqlite import sqlite3
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Mapping, Sequence

_INSERT_KEY = "INSERT INTO decision_keys VALUES (?, ?, ?, ?)"
_MOST_OF_ONE_KEY = 40
"""A key that more decisions have says little about their subject."""
_DAY = 86_400_000
_OTHER_SIDE = f"NOT k.is_left AND NOT k.key & {keys.SUBJECT_BIT}"
"""SQL: whether a key leads to the decisions that leave its name. A subject leads to the same subject, and a name that is left to those that use it."""
_GIVEN = "(SELECT value AS key, 0 AS is_left FROM json_each(?1) UNION ALL SELECT value, 1 FROM json_each(?2))"
"""SQL: keys that are used and keys that are left, each as `_listed` passes them."""
_CANDIDATES = f"""
    SELECT k.key, k.is_left, d.note, d.position FROM {_GIVEN} k CROSS JOIN decision_keys d ON d.key = k.key AND d.is_left = ({_OTHER_SIDE})
    WHERE NOT EXISTS (SELECT 1 FROM crowded_keys c WHERE c.key = k.key AND c.is_left IN (k.is_left, {_OTHER_SIDE}))"""
"""SQL: (key, is_left, note, position): the keys with the decisions that can replace one with this key, or be replaced by it. Both sides of a key must be
compared: otherwise it would depend on the order of the folds which of two notes finds the other."""
_TOUCHED = f"""
    SELECT key, is_left, is_shared, is_crowded, was_crowded FROM (
        SELECT t.key, t.is_left,
               (SELECT 1 FROM decision_keys k WHERE k.key = t.key AND k.is_left = t.is_left LIMIT 1 OFFSET ?3) IS NOT NULL AS is_crowded,
               EXISTS (SELECT 1 FROM crowded_keys c WHERE c.key = t.key AND c.is_left = t.is_left) AS was_crowded,
               CASE WHEN t.key & {keys.SUBJECT_BIT} THEN (SELECT 1 FROM decision_keys k WHERE k.key = t.key LIMIT 1 OFFSET 1) IS NOT NULL
                    ELSE EXISTS (SELECT 1 FROM decision_keys k WHERE k.key = t.key AND k.is_left = NOT t.is_left) END AS is_shared
          FROM {_GIVEN} t
    ) WHERE is_shared OR is_crowded <> was_crowded"""
"""SQL: the touched keys that lead to another decision, and those that begin or cease to be crowded.

?3: the largest number of decisions that is compared
"""


class _Standing(Value):
    """One decision with what decides whether it counts more than another.

    since, until: the decision was made between these instants (ms)
    """

    note: int
    position: int
    decision: Decision
    is_of_person: bool
    since: int
    until: int


def put(
    connection: sqlite3.Connection, note: int, found: Sequence[KeyedDecision], stated: Sequence[Replacement], changes: FoldChanges, *, is_new: bool
) -> None:
    """Store what a note decides, and what it says about replacing other notes, in place of what it said before.

    Only keys that differ from the stored ones are written: each is on a page of its own, and an edit changes few of them.

    is_new: whether the note has no row yet
    """
    rows = []
    wanted: list[tuple[int, int, int, int]] = []
    for at, (line, text, day, context, used, left) in enumerate(found):
        wanted += zip(used, repeat(0), repeat(note), repeat(at))
        listed = " ".join(map(str, used))
        if left:
            wanted += zip(left, repeat(1), repeat(note), repeat(at))
            listed += "".join([f" -{key}" for key in left])
        rows.append((note, at, line, text, day, context, listed))
    touched = changes.decision_keys
    if is_new:
        changes.rows.add(_INSERT_KEY, wanted)
        for _, _, _, _, used, left in found:
            touched[0].update(used)
            touched[1].update(left)
    else:
        known = _keys_of(connection, note)
        _forget_decisions(connection, note)
        _write_keys(connection, known.difference(wanted), [row for row in wanted if row not in known], touched)
    if rows:
        changes.rows.add("INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    replacements.put(connection, note, stated)


def forget(connection: sqlite3.Connection, note: int, touched: tuple[set[int], set[int]]) -> None:
    """Remove what a note that no longer exists decided, and its pairs. touched: receives its keys, as `FoldChanges.decision_keys`"""
    _write_keys(connection, _keys_of(connection, note), (), touched)
    _forget_decisions(connection, note)


def _forget_decisions(connection: sqlite3.Connection, note: int) -> None:
    """Remove what a note decides, apart from its keys, and the pairs that it is part of: what it replaced is in force again."""
    connection.execute("DELETE FROM decisions WHERE note = ?", (note,))
    replacements.forget(connection, note)
    connection.execute("DELETE FROM superseding WHERE older = ?1 OR newer = ?1", (note,))


def _keys_of(connection: sqlite3.Connection, note: int) -> set[tuple[int, int, int, int]]:
    """Return the rows of a note in `decision_keys`."""
    stored = connection.execute("SELECT position, keys FROM decisions WHERE note = ?", (note,)).fetchall()
    return {(abs(int(key)), int(key[0] == "-"), note, position) for position, listed in stored for key in listed.split()}


def _write_keys(
    connection: sqlite3.Connection,
    gone: Collection[tuple[int, int, int, int]],
    added: Collection[tuple[int, int, int, int]],
    touched: tuple[set[int], set[int]],
) -> None:
    connection.executemany("DELETE FROM decision_keys WHERE key = ? AND is_left = ? AND note = ? AND position = ?", gone)
    connection.executemany(_INSERT_KEY, added)
    for key, is_left, _, _ in (*gone, *added):
        touched[is_left].add(key)


def settle(index: Index, changes: FoldChanges, redated: Iterable[str]) -> None:
    """Compare the decisions of changed notes with those that share their subject, and resolve again which notes replace which.

    redated: keys of notes whose dates changed
    """
    connection = index.connection
    ids = {content.key: content.id for content in changes.contents}
    changed = set(ids.values())
    for key in redated:
        if key not in ids:
            changed.update(row[0] for row in connection.execute("SELECT id FROM notes WHERE key = ?", (key,)))
    affected, shared = _look_up_touched(connection, changes.decision_keys)
    changed |= affected
    if changed:
        candidates: dict[int, Sequence[tuple[int, int, int]]] = {content.id: () for content in changes.contents if content.is_new}
        candidates.update(_candidates_of_new(connection, candidates.keys(), shared))
        _compare(connection, sorted(changed), candidates)
    replacements.settle(index, changes)


def _look_up_touched(connection: sqlite3.Connection, touched: tuple[set[int], set[int]]) -> tuple[set[int], list[int]]:
    """Return (the notes with a key that now has too many decisions to be compared, or no longer has; the touched keys that lead to another decision).

    The pairs of these notes are found again, so that a sequence of small changes leaves the same pairs as an index that is built at once.

    touched: keys of decisions that this fold added or removed: of those that are used, and of those that are left
    """
    affected: set[int] = set()
    shared: dict[int, None] = {}
    for key, is_left, is_shared, is_crowded, was_crowded in connection.execute(_TOUCHED, (*map(_listed, touched), _MOST_OF_ONE_KEY)).fetchall():
        if is_shared:
            shared[key] = None
        if is_crowded != was_crowded:
            crowded = "INSERT INTO crowded_keys VALUES (?, ?)" if is_crowded else "DELETE FROM crowded_keys WHERE key = ? AND is_left = ?"
            connection.execute(crowded, (key, is_left))
            # A key that leads to no other decision made no pair, and makes none. So it is with most words that become common.
            if is_shared:
                affected.update(row[0] for row in connection.execute("SELECT note FROM decision_keys WHERE key = ? AND is_left = ?", (key, is_left)))
    return affected, list(shared)


def _listed(found: Iterable[int]) -> str:
    """Return keys as a JSON array."""
    return f"[{','.join(map(str, found))}]"


def _candidates_of(connection: sqlite3.Connection, note: int) -> list[tuple[int, int, int]]:
    """Return (position, note, position) of the decisions of a note, each with one that can replace it, or be replaced by it, in order."""
    positions: dict[tuple[int, int], list[int]] = {}
    for key, is_left, _, position in _keys_of(connection, note):
        positions.setdefault((key, is_left), []).append(position)
    found = set()
    sides = [_listed(key for key, is_left in positions if is_left == side) for side in (0, 1)]
    for key, is_left, *place in connection.execute(_CANDIDATES, sides):
        found.update([(position, *place) for position in positions[key, is_left] if place != [note, position]])
    return sorted(found)


def _candidates_of_new(connection: sqlite3.Connection, new: Container[int], shared: Iterable[int]) -> dict[int, list[tuple[int, int, int]]]:
    """Return {note: `_candidates_of` it} of the new notes that have any: a fold touched all of their keys, and few lead to another decision."""
    found: dict[int, set[tuple[int, int, int]]] = {}
    for key in shared:
        if connection.execute("SELECT 1 FROM crowded_keys WHERE key = ?", (key,)).fetchone() is not None:
            continue
        places = connection.execute("SELECT is_left, note, position FROM decision_keys WHERE key = ?", (key,)).fetchall()
        for left, note, position in places:
            if note in new:
                others = [place for side, *place in places if key & keys.SUBJECT_BIT or side != left]
                found.setdefault(note, set()).update([(position, *other) for other in others if other != [note, position]])
    return {note: sorted(places) for note, places in found.items()}


def _compare(connection: sqlite3.Connection, changed: Sequence[int], known: Mapping[int, Sequence[tuple[int, int, int]]]) -> None:
    """Find the pairs of changed notes again. known: {note: its candidates} of those that are new, and thus are part of no pair yet"""
    standing = _Standings(connection)
    done: set[int] = set()
    pairs: dict[tuple[int, int, int, int], str] = {}
    for note in changed:
        candidates = known.get(note)
        if candidates is None:
            connection.execute("DELETE FROM superseding WHERE (older = ?1 OR newer = ?1) AND kind <> ?2", (note, STATED))
            candidates = _candidates_of(connection, note)
        for position, *place in candidates:
            if place[0] not in done:
                mine, other = standing.of(note, position), standing.of(*place)
                pair = _pair(mine, other) if mine is not None and other is not None else None
                if pair is not None:
                    older, newer, kind = pair
                    pairs[(older.note, older.position, newer.note, newer.position)] = kind
        done.add(note)
    connection.executemany("INSERT OR REPLACE INTO superseding VALUES (?, ?, ?, ?, ?)", [(*pair, kind) for pair, kind in sorted(pairs.items())])


class _Standings(dict[tuple[int, int], _Standing | None]):
    """Decisions that were read from their rows. One that earlier rules wrote, and that these rules do not read as a decision, is None."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection

    def of(self, note: int, position: int) -> _Standing | None:
        if (note, position) not in self:
            self[note, position] = self._read(note, position)
        return self[note, position]

    def _read(self, note: int, position: int) -> _Standing | None:
        columns = "d.text, d.line, d.day, d.context, n.key, n.agent_created, n.created, n.modified"
        query = f"SELECT {columns} FROM decisions d JOIN notes n ON n.id = d.note WHERE d.note = ? AND d.position = ?"
        text, line, day, context, key, agent, created, modified = self._connection.execute(query, (note, position)).fetchone()
        made = sentence.decision(text, line, frozenset(context.split()), day)
        if made is None:
            return None
        since = clock.parse(f"{day}T00:00:00Z") if day else None
        since, until = (created, modified) if since is None else (since, since + _DAY - 1)
        return _Standing(note, position, made, agent is None or key.startswith(LEARNED_RULES), since, until)


def _pair(one: _Standing, other: _Standing) -> tuple[_Standing, _Standing, str] | None:
    """Return (older, newer, kind) of two decisions, None when neither replaces nor repeats the other."""
    from memorybank.decisions import comparing  # late: few decisions of a note meet another one that could be about the same

    older, newer = (one, other) if (one.since, one.note, one.position) <= (other.since, other.note, other.position) else (other, one)
    is_ordered = newer.since > older.until
    if older.note == newer.note and not (older.decision.day and newer.decision.day):
        is_ordered = False
    if one.is_of_person != other.is_of_person:
        person, agent = (one, other) if one.is_of_person else (other, one)
        relations = (comparing.relation(person.decision, agent.decision), comparing.relation(agent.decision, person.decision))
        return (agent, person, comparing.REPLACES) if comparing.REPLACES in relations else None
    if is_ordered:
        kind = comparing.relation(newer.decision, older.decision)
        return (older, newer, kind) if kind else None
    if older.note == newer.note and newer.position < older.position:
        older, newer = newer, older
    for first, second in ((older, newer), (newer, older)):
        # In one note, what comes later was written later.
        if comparing.leaves(second.decision, first.decision) and not comparing.leaves(first.decision, second.decision):
            is_backwards = first.note == second.note and first.position > second.position
            return None if is_backwards or second.decision.environments != first.decision.environments else (first, second, comparing.REPLACES)
    return None
