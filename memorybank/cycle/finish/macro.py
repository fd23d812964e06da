"""Macro: finishing a session, step by step (Complete cycle design, phase 2, "Macro (SessionEnd)").

Order: sync, judging and summary with its day and month, policy, session note, learned notes, fold of changed notes, publishing, the episodes
of days that are over, rotation where it is wanted. Every step that is done has its line in log/organize.jsonl (but learned notes, which the
next end looks at again), so that a run which its deadline stopped, or which died, is gone on with by the next one. One process at a time finishes
sessions; the summaries follow from the log (`finished.catch_up`).
"""

from __future__ import annotations

import os

from memorybank.cycle.finish import finished, outbox, session_note, sessions, summaries
from memorybank.cycle.finish.over import Days
from memorybank.errors import LockTimeout, MemorybankError
from memorybank.index import glance
from memorybank.log import events, hook_errors, organize
from memorybank.log import rotation as rotation_log
from memorybank.log.organize import OrganizeStep
from memorybank.storage.lock import Lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.finish.outbox import Due, Left

_TOO_LONG = 60_000
"""Milliseconds that fit into no end of a session."""
_LEAST_TO_FOLD = 100
"""Milliseconds: a few days into the index."""
_BUSY_MILLISECONDS = 500
"""How long a step waits for somebody else's fold."""


def finish(base: CycleContext, connection: Connection, left: Left, session: str | None = None) -> list[str]:
    """Finish the sessions that are due as far as time allows; which ones were begun. session: this one first.

    When another process is at it, nothing happens here: what it leaves, the next one finds.
    """
    try:
        with Lock(os.path.join(base.layout.log, "organize.lock"), "memorybank hook", base.clock, timeout=0):
            connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
            return _finish(base, connection, outbox.due(base, connection, left, session), left) if finished.catch_up(base, connection) else []
    except LockTimeout:
        return []


def _finish(base: CycleContext, connection: Connection, waiting: list[Due], left: Left) -> list[str]:
    rounds: list[tuple[OrganizeStep, set[str]]] = []
    for one in waiting:
        if left() < outbox.LEAST_FOR_A_SESSION:
            break
        round_ = _open(base, one.session) if one.covered_to is None else _opened(connection, one.session, one.covered_to)
        if round_ is None:
            continue
        done = one.done | {organize.SYNC}
        if not finished.catch_up(base, connection):
            return [round_.session for round_, _ in rounds]
        if organize.POLICY not in done and left() >= outbox.LEAST_FOR_A_SESSION:
            _learn(base, connection, round_)
            done.add(organize.POLICY)
        if organize.NOTE not in done and left() >= outbox.LEAST_FOR_A_SESSION:
            _note(base, connection, round_)
            done.add(organize.NOTE)
        rounds.append((round_, done))
    if rounds:
        _learned(base, connection, left)
    _upkeep(base, connection, [(round_, done) for round_, done in rounds if done.issuperset((organize.POLICY, organize.NOTE))], left)
    finished.catch_up(base, connection)
    return [round_.session for round_, _ in rounds]


def _open(base: CycleContext, session: str) -> OrganizeStep | None:
    """A new round: the log is safe on the disk, and everything in it is covered."""
    events.sync(base.layout, session)
    count, covered_to, head = 0, 0, ""
    for line in events.read(base.layout, events.name_of(session)):
        count, covered_to, head = count + 1, line.end, str(line.fields.get("signature") or "")
    if not count:
        return None
    step = OrganizeStep(session, organize.SYNC, base.clock.now(), covered_to, count, head, {})
    organize.append(base.layout, (step,), base.clock)
    return step


def _opened(connection: Connection, session: str, covered_to: int) -> OrganizeStep:
    at, lines, head = connection.execute("SELECT at, lines, head FROM finished WHERE session = ?", (session,)).fetchone()
    return OrganizeStep(session, organize.SYNC, at, covered_to, lines, head, {})


def _done(base: CycleContext, rounds: list[OrganizeStep], step: str, details: dict[str, object]) -> None:
    at = base.clock.now()
    organize.append(
        base.layout, (OrganizeStep(round_.session, step, at, round_.covered_to, round_.lines, round_.head, details) for round_ in rounds), base.clock
    )


def _learn(base: CycleContext, connection: Connection, round_: OrganizeStep) -> None:
    """Let the session's end improve recall. A policy log that somebody else is writing, or that cannot be written, changes nothing."""
    version = None
    if base.settings.phases.improve:
        from memorybank.cycle.improve import rounds

        try:
            version = rounds.learn(base, connection, round_.session)
        except MemorybankError as error:
            hook_errors.append(base.layout, error, base.clock)
    _done(base, [round_], organize.POLICY, {} if version is None else {"version": version})


def _note(base: CycleContext, connection: Connection, round_: OrganizeStep) -> None:
    """Write the session note, saying first what is about to be written, so that a run that dies knows its own note again."""
    details = _write_note(base, connection, round_) if base.settings.session_notes else None
    _done(base, [round_], organize.NOTE, details or {})


def _learned(base: CycleContext, connection: Connection, left: Left) -> None:
    """Write the notes of what is proven by now. What does not fit, or cannot be written, the next end of a session takes up."""
    if not base.settings.learned_notes:
        return
    from memorybank.cycle.finish import learned_notes

    try:
        learned_notes.write(base, connection, left)
    except MemorybankError as error:
        hook_errors.append(base.layout, error, base.clock)


def write_notes(base: CycleContext, connection: Connection, asked: Iterable[str]) -> int:
    """Write the notes of finished sessions that were imported, which nobody gets unasked; how many of them have one now."""
    written = 0
    with Lock(os.path.join(base.layout.log, "organize.lock"), "memorybank import", base.clock):
        for session in asked:
            row = connection.execute("SELECT covered_to FROM finished WHERE session = ?", (session,)).fetchone()
            if row is not None:
                round_ = _opened(connection, session, row[0])
                details = _write_note(base, connection, round_, imported=True)
                _done(base, [round_], organize.NOTE, details or {})
                finished.catch_up(base, connection)
                written += details is not None
    return written


def _write_note(base: CycleContext, connection: Connection, round_: OrganizeStep, *, imported: bool = False) -> dict[str, object] | None:
    """imported: also of a session that no hook was at, of which nobody expects a file among the notes."""
    if not imported and _is_imported(base, round_):
        return None
    public = [line for line in summaries.lines_of(base, round_.session, round_.covered_to) if line.cell.is_public]
    summary = sessions.summarise(public)
    if summary is None:
        return None
    tree = rotation_log.tree_of(base.layout)
    known, digests, known_tree = connection.execute("SELECT note, note_digests, note_tree FROM finished WHERE session = ?", (round_.session,)).fetchone()
    if known is not None and known_tree != tree:
        return None  # another worktree has this session's note among its own notes
    data = session_note.render(summary, round_.session, public[0].role)
    ours = tuple((digests or "").split())
    host = str(public[0].fields.get("host") or "")
    while True:
        key = session_note.choose(base.layout, data, host=host, session=round_.session, first_at=summary.first_at, known=known, digests=ours)
        details: dict[str, object] = {"key": key, "digest": session_note.digest_of(data), "tree": tree}
        if (key, session_note.digest_of(data)) != (known, ours[-1] if ours else ""):
            _done(base, [round_], organize.NOTING, details)
        if session_note.write(base.layout, key, data, ours if key == known else ()):
            return details


def _is_imported(base: CycleContext, round_: OrganizeStep) -> bool:
    """Whether every line of a session was; without reading more of them than that (no text holds these signs: JSON escapes its quotes)."""
    with open(events.path_of(base.layout, round_.session), "rb") as stream:
        return all(b'"origin":"import"' in line for line in stream.read(round_.covered_to).splitlines())


def _upkeep(base: CycleContext, connection: Connection, rounds: list[tuple[OrganizeStep, set[str]]], left: Left) -> None:
    """What is done once for all rounds that still lack it, in order; a step that does not fit waits with those after it. One that
    fits into no end of a session is left to commands, and said to be; so is one that was waited for long enough."""
    tells_days = base.settings.session_episodes
    for step in (organize.INDEX, organize.PUBLISH, organize.EPISODES):
        waiting = [round_ for round_, done in rounds if step not in done]
        if step == organize.EPISODES:
            waiting = _over(base, connection, waiting)
            if waiting and not tells_days:
                _done(base, waiting, step, {"skipped": "switched_off"})
                break
        needed = _needed(base, connection, step) if waiting else 0
        if outbox.fits_never(base, step, needed):
            _lower_expectation(connection, step)
            _done(base, waiting, step, {"skipped": "too_long"})
        elif needed > left():
            given_up = [round_ for round_ in waiting if outbox.is_given_up(base, step, round_.at)]
            _done(base, given_up, step, {"skipped": "too_long"})
            rounds = [(round_, done) for round_, done in rounds if round_ not in waiting or round_ in given_up]
        elif waiting:
            _do(base, connection, step, waiting, left)
    if rounds and base.settings.maintain_at_session_end and outbox.needed(connection, organize.MAINTAIN) <= left():
        _done(base, [rounds[0][0]], organize.MAINTAIN, _run(base, organize.MAINTAIN, left()))


def _needed(base: CycleContext, connection: Connection, step: str) -> float:
    """Milliseconds that a step is likely to need. Publishing takes what it took until somebody else has published: that tells how long it takes now."""
    needed = outbox.needed(connection, step)
    if step == organize.PUBLISH and outbox.fits_never(base, step, needed):
        published = glance.published(base.layout)
        if published is not None and published[0] != finished.seen_of(connection, step):
            finished.expect(connection, step, published[1], seen=published[0])
            return outbox.needed(connection, step)
    return needed


def _lower_expectation(connection: Connection, step: str) -> None:
    """Some day a step that fitted into no end is tried again: folding, because others fold what has waited; telling days, because the next ones are
    other work. Publishing is as much work the next time: it waits for evidence (`_needed`)."""
    if step != organize.PUBLISH:
        finished.expect(connection, step, finished.milliseconds_of(connection, step) // 2 if step == organize.INDEX else 0)


def _do(base: CycleContext, connection: Connection, step: str, rounds: list[OrganizeStep], left: Left) -> None:
    """Do a step. Until it is done it is taken to last too long: what ends this process halfway would end the next one too."""
    took = finished.milliseconds_of(connection, step)
    published = glance.published(base.layout) if step == organize.PUBLISH else None
    finished.expect(connection, step, _TOO_LONG, seen=published[0] if published is not None else 0)
    if step == organize.EPISODES:
        _tell_days(base, connection, rounds, left, took)
    else:
        details = _run(base, step, left())
        finished.expect(connection, step, took)
        _done(base, rounds, step, details)


def _over(base: CycleContext, connection: Connection, rounds: list[OrganizeStep]) -> list[OrganizeStep]:
    """The rounds of sessions whose last day is over."""
    days = Days(base)
    asked = "SELECT last_at FROM files WHERE session = ?"
    return [round_ for round_ in rounds if days.are_over((connection.execute(asked, (round_.session,)).fetchone() or (round_.at,))[0])]


def _tell_days(base: CycleContext, connection: Connection, rounds: list[OrganizeStep], left: Left, took: int) -> None:
    """Episodes of the days of these rounds; those of which something is left to tell stay in the outbox."""
    try:
        from memorybank.cycle.finish import episode_step, upkeep

        outcome = episode_step.run(base, rounds, left, lambda round_: _is_imported(base, round_))
    except ImportError:
        finished.expect(connection, organize.EPISODES, took)
        _done(base, rounds, organize.EPISODES, {"skipped": "missing_library"})
        return
    finished.expect(connection, organize.EPISODES, outcome.milliseconds or took)
    for told, details in outcome.done:
        _done(base, list(told), organize.EPISODES, details)
    if outcome.done and left() >= _LEAST_TO_FOLD:
        try:
            upkeep.fold_episodes(base)
        except MemorybankError:  # recall hears of these days at the next fold
            return


def _run(base: CycleContext, step: str, milliseconds: float) -> dict[str, object]:
    """Do one heavy step, loading it included; what it has to tell. Where a library is missing, commands say so; a hook goes on."""
    begun = base.clock.monotonic()
    try:
        from memorybank.cycle.finish import upkeep

        skipped = upkeep.run(base, step, milliseconds)
    except ImportError:
        skipped = "missing_library"
    return {"skipped": skipped} if skipped else {"ms": round((base.clock.monotonic() - begun) * 1000)}
