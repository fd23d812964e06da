"""Looks up the claims of notes: after a fold those of changed notes, and after a commit those that it can have made true or untrue.

    refresh(index, seconds=2.0)

The states depend on the repository, the rows of a fold on the bytes of notes alone. Therefore this is a step of its own, which callers that show
states take after a fold. When neither HEAD nor a note changed, it costs two small queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memorybank import git
from memorybank.claims import removals
from memorybank.claims.claim import BRANCH, COMMIT, DATE, HOLDS, NAMES, NOTE, UNKNOWN_STATE, VERSION, Claim, ClaimState
from memorybank.claims.expiry import date_state
from memorybank.claims.lookup import ClaimLookup
from memorybank.claims.tree import RepositoryFiles
from memorybank.errors import LockTimeout
from memorybank.index import claims_due, meta
from memorybank.index.claim_rows import StoredPast, put_vanished
from memorybank.index.claims_due import EXPIRES, GIT_IS_SLOW, LOOKED_AT, OF_NAMES, REVISION, SLOW, SLOW_NAMES, WAITING, is_due, is_slow, present_commit
from memorybank.index.working import Index
from memorybank.notes.date_record import MTIME, RECORDED, SHALLOW
from memorybank.reasons.reason import Reason
from memorybank.storage import database
from memorybank.storage import system as os
from memorybank.storage.sqlite import sqlite3
from memorybank.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.claims.declared import Declarations
    from memorybank.claims.name_lookup import NameLookup
    from memorybank.index.name_states import NameAnswers

SECONDS = 2.0
"""How long an answer waits for git."""
PATIENT_SECONDS = 60.0
"""How long a command waits for git whose purpose is to look claims up."""
MOST_OF_PORTION = 2_000
"""Maximum number of waiting claims that are looked up at the end of a turn: about 30 ms."""
_OF_MANIFESTS = "kind IN ('command', 'version')"
"""SQL condition: what manifests declare."""
_IS_LINKED = "EXISTS (SELECT 1 FROM links l WHERE l.source = claims.note AND l.kind = 'wiki' AND l.target <> '' AND l.written = claims.subject)"
"""SQL: whether a wiki link of the note of a claim leads somewhere: 1 or 0."""
_AT_ONCE = 5_000
"""Number of claims that are looked up at a time, and of notes that are scored again."""
_MANY = 5_000
"""Number of touched names above which all claims are looked up again."""


class _PendingClaim(NamedTuple):
    """A claim that is to be looked up.

    created: instant (ms) at which its note was created.
    written: instant (ms) of the note's last change; None if only this clone's files know it.
    is_linked: whether a link of the note has this target.
    """

    note: int
    position: int
    claim: Claim
    created: int
    written: int | None
    is_linked: bool


def refresh(index: Index, seconds: float = SECONDS, *, anew: bool = False, portion: bool = False) -> Reason | None:
    """Bring the states of all claims up to date. Return why that was not possible, None when it was.

    seconds: time limit of each call of git. A longer one than `SECONDS` also tries again where git took too long before.
    anew: whether to forget all states first
    portion: whether to do it only if it takes little time: history is continued, and few claims have to be looked up
    """
    slow = is_slow(index)
    if not anew and not is_due(index) and (seconds <= SECONDS or not slow):
        return GIT_IS_SLOW if slow else None
    known = None if anew else meta.text(index.connection, meta.CLAIMS_HEAD)
    if portion and (not known or _count(index) > MOST_OF_PORTION):
        return None
    index.thaw()
    try:
        answers = _ask_git(index, known, seconds, anew)
        if portion and answers.part is not None and answers.part.touched is None:
            return None
        with database.transaction(index.connection):
            if anew or meta.text(index.connection, meta.CLAIMS_HEAD) == known:  # else another process has just done the same
                _remember_states(index.connection)
                _look_up(index, answers, anew)
                _rescore(index, _notes_with_other_states(index.connection))
                if answers.is_slow and not portion:
                    meta.write(index.connection, SLOW_NAMES, answers.head)
    except LockTimeout:
        if not portion:
            meta.write(index.connection, SLOW, present_commit(index))
        return GIT_IS_SLOW
    except sqlite3.OperationalError as error:
        if not database.is_busy(error):
            raise
        return Reason("stale.claims_busy")
    return GIT_IS_SLOW if answers.is_slow else None


def _count(index: Index) -> int:
    """Return the number of claims that wait to be looked up."""
    return int(index.connection.execute("SELECT count(*) FROM claims WHERE state = ''").fetchone()[0])


class _GitAnswers(NamedTuple):
    """What git answered before anything is written.

    head: the commit that it was asked about; "" outside git.
    part: what history removed since the known commit; None when HEAD did not move.
    names: what is known about names of code; None without such claims, outside git, or when git was too slow (`is_slow`).
    """

    head: str
    part: removals.HistoryPart | None
    tree: RepositoryFiles
    references: frozenset[str]
    commits: frozenset[str]
    declarations: Declarations | None = None
    names: NameAnswers | None = None
    is_slow: bool = False


def _ask_git(index: Index, known: str | None, seconds: float, anew: bool) -> _GitAnswers:
    """Ask git everything, while no transaction is open. Raises `LockTimeout`, but not for names of code, which take longest."""
    repository, head = index.layout.repository, present_commit(index)
    if not repository:
        return _GitAnswers(head, None, RepositoryFiles(index.layout.work_tree, lambda: None), frozenset(), frozenset())
    part = removals.removed_paths(repository, head, known or None, seconds) if head and head != known else None
    tree = RepositoryFiles(repository, lambda: git.run(repository, "ls-files", "-z", seconds=seconds))
    # A claim that another process adds before the transaction begins is asked about in it.
    if anew or part is not None or _asks_for_files(index):
        tree.list_files()
    asked = [row[0] for row in index.connection.execute("SELECT DISTINCT subject FROM claims WHERE kind = ? AND state <> ?", (COMMIT, HOLDS))]
    declared = None
    if head and _asks_for_manifests(index, part):
        from memorybank.claims import declared as known_names  # late, as everything about manifests: most changed notes name no command and no version

        paths = tree.named(known_names.NAMES) if tree.is_listed else known_names.tracked(repository, seconds)
        declared = known_names.NOTHING
        if paths:
            from memorybank.claims import declarations

            declared = declarations.collect(repository, paths, *_versions(index), seconds)
    references = removals.references(repository, seconds) if _asks_for_branches(index, part, known, anew=anew) else frozenset()
    answers = _GitAnswers(head, part, tree, references, removals.commits(repository, asked, seconds), declared)
    if not head or (seconds <= SECONDS and not anew and meta.text(index.connection, SLOW_NAMES) == head):
        return answers
    if not anew and not claims_due.asks_for_names(index, head):
        return answers
    from memorybank.index import name_states  # late, here and below: most changed notes name no code, and neither do the others of most banks

    bank = os.path.relpath(index.layout.root, repository).replace(os.sep, "/")
    try:
        return answers._replace(names=name_states.ask(index.connection, repository, head, answers.tree, bank, seconds, anew=anew))
    except LockTimeout:
        return answers._replace(is_slow=True)


def _versions(index: Index) -> tuple[set[str], int]:
    """Return the dependencies that notes name, and the creation of the oldest of these notes (instant in ms)."""
    rows = index.connection.execute("SELECT c.place, n.created FROM claims c JOIN notes n ON n.id = c.note WHERE c.kind = ?", (VERSION,)).fetchall()
    return {place.rpartition(" ")[0] for place, _ in rows}, min((created for _, created in rows), default=0)


def _asks_for_manifests(index: Index, part: removals.HistoryPart | None) -> bool:
    """Return whether a command or version is to be looked up: one that was not yet, or all after a commit that changed a manifest."""
    connection = index.connection
    if part is not None and _touches_manifests(part):
        return connection.execute(f"SELECT 1 FROM claims WHERE {_OF_MANIFESTS} LIMIT 1").fetchone() is not None
    return connection.execute(f"SELECT 1 FROM claims WHERE state = '' AND {_OF_MANIFESTS} LIMIT 1").fetchone() is not None


def _asks_for_files(index: Index) -> bool:
    """Return whether a claim is to be looked up that may depend on the files that git tracks: a path, a name of code, or a link that no note answers."""
    rest = f"{WAITING} AND kind NOT IN ('{DATE}', '{BRANCH}', '{COMMIT}', 'command', 'version') AND NOT (kind = '{NOTE}' AND {_IS_LINKED})"
    return bool(index.connection.execute(f"SELECT EXISTS (SELECT 1 FROM relinked) OR EXISTS (SELECT 1 FROM claims WHERE {rest})").fetchone()[0])


def _touches_manifests(part: removals.HistoryPart) -> bool:
    from memorybank.claims.locks import is_lock
    from memorybank.claims.manifests import is_manifest

    return part.touched is None or any(is_manifest(path) or is_lock(path) for path in part.touched)


def _asks_for_branches(index: Index, part: removals.HistoryPart | None, known: str | None, *, anew: bool) -> bool:
    """Return whether a branch is to be looked up: one that was not yet, or all after a commit, because it can have merged any of them."""
    is_first = anew or known is None or part is not None
    return is_first or index.connection.execute("SELECT 1 FROM claims WHERE state = '' AND kind = ? LIMIT 1", (BRANCH,)).fetchone() is not None


def _look_up(index: Index, answers: _GitAnswers, anew: bool) -> None:
    connection = index.connection
    if anew or meta.text(connection, meta.CLAIMS_HEAD) is None:
        connection.execute(f"UPDATE claims SET state = '' WHERE state <> '' AND NOT {OF_NAMES}")
    if answers.part is not None:
        _continue_history(connection, answers.part)
    if answers.declarations is not None:
        connection.execute(f"DELETE FROM vanished WHERE {_OF_MANIFESTS}")
        put_vanished(connection, answers.declarations.vanished)
        connection.execute(f"UPDATE claims SET state = '' WHERE {_OF_MANIFESTS} AND state <> ''")
    if answers.names is not None:
        from memorybank.index import name_states

        name_states.store(connection, answers.names)
        meta.write(connection, SLOW_NAMES, None)
    # Time and the dates of notes change these, and looking them up is cheap.
    connection.execute(f"UPDATE claims SET state = '' WHERE kind = '{DATE}'")
    of_relinked = f"note IN (SELECT note FROM relinked) AND +kind = '{NOTE}' AND state <> ''"
    connection.execute(f"UPDATE claims SET state = '' WHERE {of_relinked} AND (state = '{HOLDS}') <> {_IS_LINKED}")
    connection.execute("DELETE FROM relinked")
    _write(connection, answers, index.now)
    next_expiry = connection.execute(f"SELECT min(at) FROM claims WHERE kind = '{DATE}' AND state = '{HOLDS}'").fetchone()[0]
    meta.write(connection, LOOKED_AT, index.now)
    meta.write(connection, EXPIRES, next_expiry)
    meta.write(connection, SLOW, None)
    meta.write(connection, meta.CLAIMS_HEAD, answers.head)


def _remember_states(connection: sqlite3.Connection) -> None:
    """From now on keep the state that each claim had before its first change, so that nobody has to read the others."""
    connection.execute("CREATE TEMP TABLE earlier_states (note INTEGER, position INTEGER, state TEXT, at INTEGER, PRIMARY KEY (note, position)) WITHOUT ROWID")
    connection.execute(
        "CREATE TEMP TRIGGER remember_state BEFORE UPDATE OF state, at ON main.claims BEGIN "
        "INSERT OR IGNORE INTO earlier_states VALUES (old.note, old.position, old.state, old.at); END"
    )


def _notes_with_other_states(connection: sqlite3.Connection) -> set[int]:
    """Return the notes with a claim whose known state is another one than `_remember_states` kept, and keep no more."""
    connection.execute("DROP TRIGGER remember_state")
    before, now = "e.state NOT IN ('', 'unknown')", "c.state NOT IN ('', 'unknown')"
    rows = connection.execute(
        f"""SELECT DISTINCT e.note FROM earlier_states e JOIN claims c ON c.note = e.note AND c.position = e.position
             WHERE ({before}) <> ({now}) OR ({now} AND (c.state <> e.state OR c.at <> e.at))"""
    )
    changed = {row[0] for row in rows}
    connection.execute("DROP TABLE earlier_states")
    return changed


def _rescore(index: Index, changed: set[int]) -> None:
    """Score the notes again whose claims have other states than before."""
    connection = index.connection
    if changed:
        from memorybank.index import rescore

        revision = (meta.integer(connection, "revision") or 0) + 1
        notes = sorted(changed)
        for begin in range(0, len(notes), _AT_ONCE):
            some = notes[begin : begin + _AT_ONCE]
            rescore.settle(index, {connection.execute("SELECT key FROM notes WHERE id = ?", (note,)).fetchone()[0] for note in some}, revision)
        meta.write(connection, "revision", revision)
    meta.write(connection, REVISION, meta.integer(connection, meta.NOTES_REVISION))


def _continue_history(connection: sqlite3.Connection, part: removals.HistoryPart) -> None:
    """Store what a range of commits removed, and reset the states that it can have changed."""
    if part.touched is None:
        connection.execute("DELETE FROM vanished WHERE kind IN ('path', 'branch')")
    put_vanished(connection, part.vanished)
    names = None if part.touched is None else _names_of(connection, [*part.touched, *(each.path for each in part.vanished)])
    if names is None or len(names) > _MANY:
        connection.execute(f"UPDATE claims SET state = '' WHERE state <> '' AND NOT {OF_NAMES}")
        return
    connection.executemany(f"UPDATE claims SET state = '' WHERE name = ? AND state <> '' AND NOT {OF_NAMES}", [(name,) for name in names])
    connection.execute("UPDATE claims SET state = '' WHERE kind IN ('branch', 'commit') AND state = 'unknown'")


def _names_of(connection: sqlite3.Connection, touched: list[str]) -> set[str]:
    """Return the names of files and folders that claims about these paths can have, also under the names that a file had before it was renamed."""
    seen = set(touched)
    waiting = list(seen)
    while waiting and len(seen) <= _MANY:
        rows = connection.execute("SELECT path FROM vanished WHERE target = ?", (waiting.pop(),)).fetchall()
        earlier = {row[0] for row in rows} - seen
        seen |= earlier
        waiting += earlier
    return {name for path in seen for name in path.split("/")}


def _pending(connection: sqlite3.Connection) -> Iterator[list[_PendingClaim]]:
    """Yield the claims that are to be looked up, `_AT_ONCE` at a time and by note, so that their states can be written in between."""
    last = (-1, -1)
    while found := list(_pending_after(connection, last)):
        yield found
        if len(found) < _AT_ONCE:
            return
        last = found[-1].note, found[-1].position


def _pending_after(connection: sqlite3.Connection, last: tuple[int, int]) -> Iterator[_PendingClaim]:
    columns = f"note, position, claims.kind, subject, line, place, n.created, n.modified, n.date_source, claims.kind = '{NOTE}' AND {_IS_LINKED}"
    after = f"{WAITING} AND (note, position) > (?, ?) ORDER BY note, position LIMIT {_AT_ONCE}"
    rows = connection.execute(f"SELECT {columns} FROM claims JOIN notes n ON n.id = note WHERE {after}", last)
    for note, position, kind, subject, line, place, created, modified, source, is_linked in rows:
        # A sentence can be younger than its note, so its date is the one of the last change.
        written = None if source in (SHALLOW, RECORDED, MTIME) else modified
        yield _PendingClaim(note, position, Claim(kind, subject, line, place), created, written, bool(is_linked))


def _write(connection: sqlite3.Connection, answers: _GitAnswers, now: int) -> None:
    """Write the states of the claims that are to be looked up. A name about which git was not asked keeps waiting."""
    if connection.execute(f"SELECT 1 FROM claims WHERE {WAITING} LIMIT 1").fetchone() is None:
        return
    past = StoredPast(connection)
    lookup = ClaimLookup(answers.tree, past, answers.references, answers.commits, answers.declarations)
    names = None
    if answers.names is not None:
        from memorybank.index import name_states

        names = name_states.lookup_of(connection, answers.tree, answers.names)
    for some in _pending(connection):
        _write_some(connection, some, lookup, names, answers, now)


def _write_some(
    connection: sqlite3.Connection, pending: Iterable[_PendingClaim], lookup: ClaimLookup, names: NameLookup | None, answers: _GitAnswers, now: int
) -> None:
    rows = []
    for each in pending:
        if each.claim.kind == DATE:
            found = date_state(each.claim.place, each.created, each.written, now)
        elif each.claim.kind not in NAMES:
            found = ClaimState(HOLDS) if each.is_linked else lookup.state_of(each.claim, each.created)
        elif names is not None and answers.names is not None:
            if (each.note, each.position, each.claim.subject, each.claim.place) not in answers.names.pending:
                continue
            found = names.state_of(each.claim, each.created)
        elif answers.head:
            continue
        else:
            found = UNKNOWN_STATE
        rows.append((found.state, found.target, found.commit, found.at, each.note, each.position))
    connection.executemany("UPDATE claims SET state = ?, target = ?, commit_id = ?, at = ? WHERE note = ? AND position = ?", rows)
