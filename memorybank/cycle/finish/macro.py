"""Macro: finishing a session step by step (Complete cycle design, phase 2, "Macro (SessionEnd)").

Order: sync, judging and summary with its day and month, policy, session note, learned notes, fold of changed notes, publishing, the episodes
of days that are over, rotation if it is switched on. Each completed step adds a line to log/organize.jsonl, so the next run continues
where a deadline or a crash stopped this one. (Learned notes have no line; each end of a session checks them.) Only one process at a time
finishes sessions. The summaries follow from the log (`finished.catch_up`).
"""

from __future__ import annotations

import os

from memorybank.cycle.finish import finished, outbox, session_note, sessions, summaries
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
"""Milliseconds for adding a few days to the index."""
_BUSY_MILLISECONDS = 500
"""How long a step waits while another process folds."""


def finish(base: CycleContext, connection: Connection, left: Left, session: str | None = None) -> list[str]:
    """Finish the sessions that are due, as far as time allows. Return those that were begun.

    session: this one comes first.

    While another process finishes sessions, this function does nothing; the next run finds what is left.
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
        round_ = _begin_round(base, one.session) if one.covered_to is None else _begun_round(connection, one.session, one.covered_to)
        if round_ is None:
            continue
        done = one.done | {organize.SYNC}
        if not finished.catch_up(base, connection):
            return [round_.session for round_, _ in rounds]
        if organize.POLICY not in done and left() >= outbox.LEAST_FOR_A_SESSION:
            _learn_policy(base, connection, round_)
            done.add(organize.POLICY)
        if organize.NOTE not in done and left() >= outbox.LEAST_FOR_A_SESSION:
            _record_note(base, connection, round_)
            done.add(organize.NOTE)
        rounds.append((round_, done))
    if rounds:
        _write_learned_notes(base, connection, left)
    _upkeep(base, connection, [(round_, done) for round_, done in rounds if done.issuperset((organize.POLICY, organize.NOTE))], left)
    finished.catch_up(base, connection)
    return [round_.session for round_, _ in rounds]


def _begin_round(base: CycleContext, session: str) -> OrganizeStep | None:
    """Begin a new round: the log is synced to the disk, and all of its lines are covered."""
    events.sync(base.layout, session)
    count, covered_to, head = 0, 0, ""
    for line in events.read(base.layout, events.name_of(session)):
        count, covered_to, head = count + 1, line.end, str(line.fields.get("signature") or "")
    if not count:
        return None
    step = OrganizeStep(session, organize.SYNC, base.clock.now(), covered_to, count, head, {})
    organize.append(base.layout, (step,), base.clock)
    return step


def _begun_round(connection: Connection, session: str, covered_to: int) -> OrganizeStep:
    at, lines, head = connection.execute("SELECT at, lines, head FROM finished WHERE session = ?", (session,)).fetchone()
    return OrganizeStep(session, organize.SYNC, at, covered_to, lines, head, {})


def _record(base: CycleContext, rounds: list[OrganizeStep], step: str, details: dict[str, object]) -> None:
    at = base.clock.now()
    organize.append(
        base.layout, (OrganizeStep(round_.session, step, at, round_.covered_to, round_.lines, round_.head, details) for round_ in rounds), base.clock
    )


def _learn_policy(base: CycleContext, connection: Connection, round_: OrganizeStep) -> None:
    """Learn a policy from the finished session. If the policy log is locked or not writable, the policy does not change."""
    version = None
    if base.settings.phases.improve:
        from memorybank.cycle.improve import rounds

        try:
            version = rounds.learn(base, connection, round_.session)
        except MemorybankError as error:
            hook_errors.append(base.layout, error, base.clock)
    _record(base, [round_], organize.POLICY, {} if version is None else {"version": version})


def _record_note(base: CycleContext, connection: Connection, round_: OrganizeStep) -> None:
    """Write the session note. The log says first what will be written, so that the run after a crash recognises its own note."""
    details = _write_note(base, connection, round_) if base.settings.session_notes else None
    _record(base, [round_], organize.NOTE, details or {})


def _write_learned_notes(base: CycleContext, connection: Connection, left: Left) -> None:
    """Write the notes of everything that is proven by now. What does not fit or cannot be written is left for the next end of a session."""
    if not base.settings.learned_notes:
        return
    from memorybank.cycle.finish import learned_notes

    try:
        learned_notes.write(base, connection, left)
    except MemorybankError as error:
        hook_errors.append(base.layout, error, base.clock)


def write_notes(base: CycleContext, connection: Connection, asked: Iterable[str]) -> int:
    """Write the notes of these imported sessions, which get none unless somebody asks. Return how many of them have one now.

    Raises LockTimeout when another process finishes sessions.
    """
    written = 0
    with Lock(os.path.join(base.layout.log, "organize.lock"), "memorybank import", base.clock):
        for session in asked:
            row = connection.execute("SELECT covered_to FROM finished WHERE session = ?", (session,)).fetchone()
            if row is not None:
                round_ = _begun_round(connection, session, row[0])
                details = _write_note(base, connection, round_, imported=True)
                _record(base, [round_], organize.NOTE, details or {})
                finished.catch_up(base, connection)
                written += details is not None
    return written


def _write_note(base: CycleContext, connection: Connection, round_: OrganizeStep, *, imported: bool = False) -> dict[str, object] | None:
    """Write the session note and return the details for the log; None when the session gets no note.

    imported: write it also for a session that was only imported, for which nobody expects a note.
    """
    if not imported and _is_imported(base, round_):
        return None
    public = [line for line in summaries.lines_of(base, round_.session, round_.covered_to) if line.cell.is_public]
    summary = sessions.summarise(public)
    if summary is None:
        return None
    tree = rotation_log.tree_of(base.layout)
    known, digests, known_tree = connection.execute("SELECT note, note_digests, note_tree FROM finished WHERE session = ?", (round_.session,)).fetchone()
    if known is not None and known_tree != tree:
        return None  # the note belongs to another worktree
    data = session_note.render(summary, round_.session, public[0].role)
    ours = tuple((digests or "").split())
    host = str(public[0].fields.get("host") or "")
    # The log gets the digest before the file gets the bytes; a crash in between leaves a note that the next run knows. `write` fails when a
    # file appeared at the key in the meantime: then another key is chosen.
    while True:
        key = session_note.choose(base.layout, data, host=host, session=round_.session, first_at=summary.first_at, known=known, digests=ours)
        details: dict[str, object] = {"key": key, "digest": session_note.digest_of(data), "tree": tree}
        if (key, session_note.digest_of(data)) != (known, ours[-1] if ours else ""):
            _record(base, [round_], organize.NOTING, details)
        if session_note.write(base.layout, key, data, ours if key == known else ()):
            return details


def _is_imported(base: CycleContext, round_: OrganizeStep) -> bool:
    """Whether every line of a session was imported. The bytes decide without parsing: JSON escapes quotes, so no text can contain this pattern."""
    with open(events.path_of(base.layout, round_.session), "rb") as stream:
        return all(b'"origin":"import"' in line for line in stream.read(round_.covered_to).splitlines())


def _upkeep(base: CycleContext, connection: Connection, rounds: list[tuple[OrganizeStep, set[str]]], left: Left) -> None:
    """Do the steps that are done once for all rounds that lack them, in order. If a step does not fit, its rounds wait with it and all later
    steps. A step that fits into no end of a session, or was waited for long enough, is skipped with that reason and left to commands."""
    writes_episodes = base.settings.session_episodes
    for step in (organize.INDEX, organize.PUBLISH, organize.EPISODES):
        waiting = [round_ for round_, done in rounds if step not in done]
        if step == organize.EPISODES:
            waiting = _with_days_over(base, connection, waiting)
            if waiting and not writes_episodes:
                _record(base, waiting, step, {"skipped": "switched_off"})
                break
        needed = _needed(base, connection, step) if waiting else 0
        if outbox.never_fits(base, step, needed):
            _lower_expectation(connection, step)
            _record(base, waiting, step, {"skipped": "too_long"})
        elif needed > left():
            given_up = [round_ for round_ in waiting if outbox.is_given_up(base, step, round_.at)]
            _record(base, given_up, step, {"skipped": "too_long"})
            # Steps keep their order within a round, so a round that waits for this step gets no later one either.
            rounds = [(round_, done) for round_, done in rounds if round_ not in waiting or round_ in given_up]
        elif waiting:
            _do_step(base, connection, step, waiting, left)
    if rounds and base.settings.maintain_at_session_end and outbox.needed(connection, organize.MAINTAIN) <= left():
        _record(base, [rounds[0][0]], organize.MAINTAIN, _run_step(base, organize.MAINTAIN, left()))


def _needed(base: CycleContext, connection: Connection, step: str) -> float:
    """Milliseconds that a step is likely to take. The expectation for publishing stays until another process has published and recorded its time."""
    needed = outbox.needed(connection, step)
    if step == organize.PUBLISH and outbox.never_fits(base, step, needed):
        published = glance.published(base.layout)
        if published is not None and published[0] != finished.seen_of(connection, step):
            finished.expect(connection, step, published[1], seen=published[0])
            return outbox.needed(connection, step)
    return needed


def _lower_expectation(connection: Connection, step: str) -> None:
    """Make sure that a step that fitted into no end of a session is tried again some day: folding, because others fold part of what waits; episodes,
    because the next days are other work. Publishing stays the same amount of work, so it waits for evidence (`_needed`)."""
    if step != organize.PUBLISH:
        finished.expect(connection, step, finished.milliseconds_of(connection, step) // 2 if step == organize.INDEX else 0)


def _do_step(base: CycleContext, connection: Connection, step: str, rounds: list[OrganizeStep], left: Left) -> None:
    """Do a step. Until it is done it is expected to take too long, so that a step that gets this process killed does not kill the next one too."""
    took = finished.milliseconds_of(connection, step)
    published = glance.published(base.layout) if step == organize.PUBLISH else None
    finished.expect(connection, step, _TOO_LONG, seen=published[0] if published is not None else 0)
    if step == organize.EPISODES:
        _write_episodes(base, connection, rounds, left, took)
    else:
        details = _run_step(base, step, left())
        finished.expect(connection, step, took)
        _record(base, rounds, step, details)


def _with_days_over(base: CycleContext, connection: Connection, rounds: list[OrganizeStep]) -> list[OrganizeStep]:
    """The rounds of sessions whose last day is over."""
    days = outbox.Days(base)
    asked = "SELECT last_at FROM files WHERE session = ?"
    return [round_ for round_ in rounds if days.are_over((connection.execute(asked, (round_.session,)).fetchone() or (round_.at,))[0])]


def _write_episodes(base: CycleContext, connection: Connection, rounds: list[OrganizeStep], left: Left, took: int) -> None:
    """Write the episodes of these rounds' days. Rounds with days left stay in the outbox."""
    try:
        from memorybank.cycle.finish import episode_step, upkeep

        outcome = episode_step.run(base, rounds, left, lambda round_: _is_imported(base, round_))
    except ImportError:
        finished.expect(connection, organize.EPISODES, took)
        _record(base, rounds, organize.EPISODES, {"skipped": "missing_library"})
        return
    finished.expect(connection, organize.EPISODES, outcome.milliseconds or took)
    for rounds_done, details in outcome.done:
        _record(base, list(rounds_done), organize.EPISODES, details)
    if outcome.done and left() >= _LEAST_TO_FOLD:
        try:
            upkeep.fold_episodes(base)
        except MemorybankError:  # the next fold adds these days to the index
            return


def _run_step(base: CycleContext, step: str, milliseconds: float) -> dict[str, object]:
    """Do one heavy step, including its imports. Return the details for the log. A missing library is reported by commands; a hook continues without."""
    begun = base.clock.monotonic()
    try:
        from memorybank.cycle.finish import upkeep

        skipped = upkeep.run(base, step, milliseconds)
    except ImportError:
        skipped = "missing_library"
    return {"skipped": skipped} if skipped else {"ms": round((base.clock.monotonic() - begun) * 1000)}
