"""ORGANIZE: `micro` after every result; finishing the session that ends, and, in between, sessions whose end was missed or had no time left; notes
(Self-improving memory cycle, phase 2).
"""

from __future__ import annotations

__light__ = True

from memorybank import git
from memorybank.cycle.event import SESSION_START, TOOL_AFTER
from memorybank.cycle.fold import cache, logs
from memorybank.errors import MemorybankError
from memorybank.index.schema import VERSION
from memorybank.log import events, lines
from memorybank.storage import database, full_text
from memorybank.storage import system as os
from memorybank.storage.answering import answer
from memorybank.storage.layout import IN_REPOSITORY
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.event import Event
    from memorybank.cycle.slices import WorkSlice

_LEAST_FOR_NOTES = 100
"""Milliseconds of processor time below which no notes are folded: loading the code that reads notes takes about this long."""
_LEAST_FOR_CLAIMS = 60
"""Milliseconds of processor time below which no claim is looked up."""
_SHARE_OF_DEADLINE = 0.8
"""On a busy machine the last portion of a slice takes longer than the ones before, and the person waits for the end of a turn."""
_NOTE = b'"note:'
_DOCUMENT = b".md"
_SETTLED_BY_MICRO, _SETTLED_BY_OTHERS = 3 << 20, 1 << 18
"""Sizes of the cache's write-ahead log (bytes; more than twenty results) from which it is settled. Settling takes two syncs, so it must be rare."""
_MOST_RETIRED = 200
"""Maximum number of sessions retired at the end of one turn or session."""
_LEARNED = "learned.jsonl"
"""The log of `log.learned`, which most ends of a turn need not load."""
_LINES_OF_MICRO = 50
"""Maximum lines folded after one result: its own, and those of hooks that found the cache busy."""


def micro(base: CycleContext, event: Event) -> None:
    """Fold the new lines of this session's log. When another process is writing the cache, the next fold takes these lines too."""
    with cache.CacheConnection(base.layout) as connection:
        logs.fold(base, connection, session=event.session_id, limit=_LINES_OF_MICRO)
        cache.settle(base.layout, _SETTLED_BY_MICRO)


def finish_sessions(base: CycleContext, event: Event, deadline: int, *, ends: bool) -> None:
    """Finish the sessions that are due, as far as time allows. What does not fit waits in the outbox.

    deadline: ms after the start of the process
    ends: whether this session ends. Then it is finished first, and all other sessions are examined, not only those with recent additions.
    """
    from memorybank.cycle.finish import outbox

    def left() -> float:
        return base.milliseconds_left(deadline)

    session = event.session_id
    with cache.CacheConnection(base.layout) as connection:
        outbox.gather(base, connection, left, session, since=None if ends else base.clock.now() - outbox.AWAKE)
        if outbox.due(base, connection, left, session if ends else None):
            from memorybank.cycle.finish.macro import finish

            finish(base, connection, left, session if ends else None)
        if ends:
            outbox.gather(base, connection, left, since=0)
        if event.name != SESSION_START:  # before a start is answered somebody waits
            _retire_sessions(base, connection, deadline)
            full_text.merge_some(connection, "passage_text")  # each turn adds two segments, and every prompt reads all of them
        cache.settle(base.layout, _SETTLED_BY_OTHERS)
    if ends:
        from memorybank.config import team_folder

        if team_folder.copy_of(base.layout, os.environ) is not None:
            from memorybank.cycle.finish import team_pull  # late: most banks are connected to no team

            team_pull.pull(base, left)


def _retire_sessions(base: CycleContext, connection: Connection, deadline: int) -> None:
    """Retire old sessions, as many as fit into this slice."""
    waiting = cache.retirable(connection, _MOST_RETIRED)
    if not waiting:
        return
    from memorybank.cycle.fold import retired
    from memorybank.cycle.slices import WorkSlice

    try:
        for portion in WorkSlice(base, deadline * _SHARE_OF_DEADLINE).portions(waiting):
            retired.retire(connection, portion)
    except sqlite3.OperationalError as error:
        if not database.is_busy(error):
            raise


def announce(base: CycleContext, event: Event) -> str:
    """Return the line that informs a person about the first learned note, "" when there is nothing to say."""
    if not lines.size(f"{base.layout.log}/{_LEARNED}"):
        return ""
    from memorybank.cycle.finish import announcing

    return announcing.announce(base, event.session_id)


def take_in_notes(base: CycleContext, event: Event, deadline: int) -> None:
    """Fold notes that the index lacks into it, one slice at a time, so that recall finds them: first those that this session's calls named, then the latest.

    After a commit, look up again what notes name.
    """
    from memorybank.cycle.slices import WorkSlice  # late, as elsewhere here: a result needs none

    work = WorkSlice(base, deadline * _SHARE_OF_DEADLINE)
    if not work.fits(_LEAST_FOR_NOTES):
        return
    from memorybank.index.glance import suspects_in

    # One connection for everything: each one reads the schema, and the last one that is closed deletes the files that the next one creates.
    connection = database.open_reading(base.layout.database, VERSION)
    try:
        keys = suspects_in(base.layout, connection, _named(base, event.session_id))
        has_new_commits = _has_new_commits(base, connection)
        if keys:
            from memorybank.cycle.finish.upkeep import take_in

            take_in(base, keys, work, connection)
    finally:
        if connection is not None:
            connection.close()
    if has_new_commits and work.fits(_LEAST_FOR_CLAIMS):
        from memorybank.cycle.finish.upkeep import look_up_claims

        look_up_claims(base, work)
    own = _personal_bank(base) if event.name == SESSION_START and work.fits(_LEAST_FOR_NOTES) else None
    if own is not None:
        _take_in_personal_notes(own, WorkSlice(own, work.deadline))


def prepare_personal_bank(base: CycleContext, deadline: int) -> None:
    """Take in the notes of the personal bank before a start shows its rules, if it has no index that this version can read."""
    own = _personal_bank(base)
    if own is None:
        return
    connection = database.open_reading(own.layout.database, VERSION)
    if connection is not None:
        connection.close()
        return
    from memorybank.cycle.slices import WorkSlice

    work = WorkSlice(own, deadline * _SHARE_OF_DEADLINE)
    if work.fits(_LEAST_FOR_NOTES):
        _take_in_personal_notes(own, work)


def _personal_bank(base: CycleContext) -> CycleContext | None:
    """Return the personal bank as sessions of this one read it; None if they read none."""
    from memorybank.config import personal_bank  # late: results and turns need nothing of it

    if not base.settings.budgets.personal or not personal_bank.is_there(os.environ):
        return None
    from memorybank.cycle.base import CycleContext

    layout = personal_bank.beside(base.layout, os.environ)
    own = CycleContext(layout, base.settings, base.clock, base.started) if layout is not None else None
    return own if own is not None and own.gate.is_open else None


def _take_in_personal_notes(own: CycleContext, work: WorkSlice) -> None:
    """Fold notes of the personal bank that were changed without a command, such as in an editor. One that cannot be written stays as it is."""
    from memorybank.index.glance import suspects

    keys = suspects(own.layout)
    if keys:
        from memorybank.cycle.finish.upkeep import take_in

        try:
            take_in(own, keys, work)
        except MemorybankError:  # read-only, full, or used by another process: a later session continues
            return


def _has_new_commits(base: CycleContext, connection: Connection | None) -> bool:
    """Return whether HEAD moved since the claims of notes were looked up. A bank in which they never were is left to commands and to ends of sessions."""
    if not base.layout.repository:
        return False
    from memorybank.index import meta

    known = answer(connection, None, lambda index: meta.text(index, meta.CLAIMS_HEAD))
    return bool(known) and known != git.head(base.layout.repository)


def _named(base: CycleContext, session: str) -> list[str]:
    """Return the keys of the notes and documents that the last calls of a session named: editing a file in place does not change its folder, so a look at
    the folder misses it.
    """
    named = (lines.decode(line) for line in events.end_of(base.layout, session).split(b"\n") if _NOTE in line or _DOCUMENT in line)
    anchors = (anchor for fields in named if fields is not None and fields.get("event") == TOOL_AFTER for anchor in fields.get("anchors") or ())
    return list(dict.fromkeys(key for anchor in anchors if (key := _key_of(anchor))))


def _key_of(anchor: str) -> str:
    """Return the key that an anchor may stand for: that of a note, or of a file of a source; "" for none."""
    if anchor.startswith("note:"):
        return anchor.removeprefix("note:")
    return IN_REPOSITORY + anchor.removeprefix("file:") if anchor.startswith("file:") and anchor.endswith((".md", ".mdc")) else ""
