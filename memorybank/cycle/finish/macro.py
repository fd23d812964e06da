"""Finishes a session step by step (Complete cycle design, phase 2, "Macro (SessionEnd)").

Order: sync, judging and summary with its day and month, counting recalls, session note, learned notes, policy, fold of changed notes, publishing, the episodes
of days that are over, rotation if it is switched on. Each completed step adds a line to log/organize.jsonl, so the next run continues
where a deadline or a crash stopped this one. (Learned notes have no line; each end of a session checks them.) Only one process at a time
finishes sessions. The summaries follow from the log (`finished.catch_up`).
"""

from __future__ import annotations

import os

from memorybank.cycle.finish import durations, finished, outbox, session_note, sessions, summaries
from memorybank.cycle.finish.durations import StepDurations
from memorybank.cycle.finish.outbox import FinishingRound
from memorybank.errors import LockTimeout, MemorybankError
from memorybank.log import events, hook_errors, organize
from memorybank.log import rotation as rotation_log
from memorybank.log.organize import OrganizeStep
from memorybank.storage import compressed, disk, full_text
from memorybank.storage.lock import Lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Iterable, Sequence

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.finish.durations import Left

_BUSY_MILLISECONDS = 500
"""How long a step waits while another process folds."""


def finish(base: CycleContext, connection: Connection, left: Left, session: str | None = None) -> list[str]:
    """Finish the sessions that are due, as far as time allows. Return those that were begun; none while another process finishes sessions.

    session: the one that ends, which comes first; None at other events, which do less.
    """
    try:
        with Lock(os.path.join(base.layout.log, "organize.lock"), "memorybank hook", base.clock, timeout=0):
            connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
            if not finished.catch_up(base, connection):
                return []
            return SessionFinisher(base, connection, left, ends=session is not None).finish(outbox.due(base, connection, left, session))
    except LockTimeout:
        return []


def write_notes(base: CycleContext, connection: Connection, asked: Iterable[str]) -> int:
    """Write the notes of these imported sessions, which get none unless somebody asks. Return how many of them have one now.

    Raises LockTimeout when another process finishes sessions.
    """
    written = 0
    finisher = SessionFinisher(base, connection, lambda: durations.ENDLESS)
    with Lock(os.path.join(base.layout.log, "organize.lock"), "memorybank import", base.clock):
        for session in asked:
            round_ = outbox.begun(connection, session)
            if round_ is not None:
                details = finisher.write_note(round_)
                finisher.record([round_], organize.NOTE, details or {})
                finished.catch_up(base, connection)
                written += details is not None
    return written


class SessionFinisher:
    """One run that finishes sessions. left: returns the milliseconds until the deadline. ends: whether it runs because a session ends."""

    def __init__(self, base: CycleContext, connection: Connection, left: Left, *, ends: bool = False) -> None:
        self.base = base
        self.layout = base.layout
        self.connection = connection
        self.left = left
        self.ends = ends
        self.durations = StepDurations(base, connection, left)

    def finish(self, waiting: list[FinishingRound]) -> list[str]:
        """Finish these sessions, as far as time allows. Return those that were begun."""
        rounds: list[FinishingRound] = []
        for found in waiting:
            if not self._has_time():
                break
            round_ = found if found.done else self._begin(found)
            if round_ is None:
                continue
            if not finished.catch_up(self.base, self.connection):
                return [begun.session for begun in rounds]
            if organize.NOTE not in round_.done and self._has_time():
                self._count_recalls(round_)
                self._write_own_note(round_)
            rounds.append(round_)
            if len(rounds) == 1:  # what this session taught comes before the work on earlier ones
                self._write_learned_notes()
            if organize.POLICY not in round_.done and self._has_time():
                self._learn_policy(round_)
        if len(rounds) > 1:
            self._write_learned_notes()
        self._upkeep([round_ for round_ in rounds if round_.done.issuperset((organize.POLICY, organize.NOTE))])
        finished.catch_up(self.base, self.connection)
        full_text.merge_some(self.connection, "passage_text")
        return [round_.session for round_ in rounds]

    def record(self, rounds: Sequence[FinishingRound], step: str, details: dict[str, object]) -> None:
        """Log a completed step of these rounds."""
        at = self.base.clock.now()
        lines = []
        for round_ in rounds:
            covered = round_.covered
            lines.append(OrganizeStep(covered.session, step, at, covered.covered_to, covered.lines, covered.head, details))
            round_.done.add(step)
        organize.append(self.layout, lines, self.base.clock)

    def _begin(self, waiting: FinishingRound) -> FinishingRound | None:
        """Begin a round: the log is synced to the disk, and all of its lines are covered. Return None for a log without lines."""
        session = waiting.session
        events.sync(self.layout, session)
        count, covered_to, head = 0, 0, ""
        for line in events.read(self.layout, events.name_of(session)):
            count, covered_to, head = count + 1, line.end, str(line.fields.get("signature") or "")
        if not count:
            return None
        covered = OrganizeStep(session, organize.SYNC, self.base.clock.now(), covered_to, count, head, {})
        organize.append(self.layout, (covered,), self.base.clock)
        return FinishingRound(covered, {organize.SYNC}, waiting.covered.covered_to)

    def _has_time(self) -> bool:
        return self.left() >= durations.LEAST_FOR_A_SESSION

    def _learn_policy(self, round_: FinishingRound) -> None:
        """Learn a policy from the finished session."""
        version = None
        if self.base.settings.phases.improve:
            from memorybank.cycle.improve import rounds

            version = self._attempt(rounds.learn, round_.session)
        self.record([round_], organize.POLICY, {} if version is None else {"version": version})

    def _attempt(self, work: Callable[..., object], *values: object) -> object:
        """Return what some work returns. When what it writes is locked or not writable, log the error and return None: the session is finished without."""
        try:
            return work(self.base, self.connection, *values)
        except MemorybankError as error:
            hook_errors.append(self.layout, error, self.base.clock)
            return None

    def _count_recalls(self, round_: FinishingRound) -> None:
        """Count the notes that recall showed and the agent used as access."""
        from memorybank.cycle.finish import recalled_notes

        self._attempt(recalled_notes.count, round_.session, round_.begin, round_.covered.covered_to)

    def _write_own_note(self, round_: FinishingRound) -> None:
        """Write the note of a session, unless notes are switched off or the session was only imported, in which case nobody expects one."""
        wanted = self.base.settings.session_notes and not self._is_imported(round_.covered)
        details = self.write_note(round_) if wanted else None
        self.record([round_], organize.NOTE, details or {})

    def write_note(self, round_: FinishingRound) -> dict[str, object] | None:
        """Write the session note and return the details for the log; None when the session gets no note."""
        covered = round_.covered
        public = summaries.lines_of(self.base, covered.session, covered.covered_to)
        summary = sessions.summarise(public)
        if summary is None:
            return None
        tree = rotation_log.tree_of(self.layout)
        known, known_tree = self.connection.execute("SELECT note, note_tree FROM finished WHERE session = ?", (covered.session,)).fetchone()
        if known is not None and known_tree != tree:
            return None  # the note belongs to another worktree
        data = session_note.render(summary, covered.session, public[0].role)
        host = str(public[0].fields.get("host") or "")
        key = session_note.put(self.layout, data, self.base.clock, host=host, session=covered.session, first_at=summary.first_at, known=known)
        return {"key": key, "tree": tree}

    def _write_learned_notes(self) -> None:
        """Write the notes of everything that is proven by now. What does not fit or cannot be written is left for the next end of a session."""
        if not self.base.settings.learned_notes:
            return
        from memorybank.cycle.finish import learned_notes

        self._attempt(learned_notes.write, self.left)

    def _is_imported(self, covered: OrganizeStep) -> bool:
        """Return whether every line of a session was imported. The bytes decide without parsing: JSON escapes quotes, so no text can contain this pattern."""
        path, left = events.path_of(self.layout, covered.session), covered.covered_to
        with disk.typed_errors(path), compressed.stream(path) as stream:
            for line in stream:  # in nearly every log the first line says no, so the rest is not read
                if left <= 0:
                    break
                if b'"origin":"import"' not in line[:left]:
                    return False
                left -= len(line)
        return True

    def _upkeep(self, rounds: list[FinishingRound]) -> None:
        """Do the steps that are done once for all rounds that lack them, in order. If a step does not fit, its rounds wait with it and all later
        steps. A step that fits into no end of a session, or was waited for long enough, is skipped with that reason and left to commands."""
        for step in (organize.INDEX, organize.PUBLISH, organize.EPISODES):
            waiting = [round_ for round_ in rounds if step not in round_.done]
            if step == organize.EPISODES:
                waiting = self._with_days_over(waiting)
                if not self.base.settings.session_episodes and waiting:
                    self.record(waiting, step, {"skipped": "switched_off"})
                    break
            if not waiting:
                continue
            self.durations.look_again(step)
            if self.durations.never_fits(step):
                self.durations.skip(step)
                self.record(waiting, step, {"skipped": "too_long"})
            elif self.durations.fits(step):
                self._do_step(step, waiting)
            else:
                given_up = [round_ for round_ in waiting if self.durations.is_given_up(step, round_.covered.at)]
                self.record(given_up, step, {"skipped": "too_long"})
                # Steps keep their order within a round, so a round that waits for this step gets no later one either.
                rounds = [round_ for round_ in rounds if step in round_.done or round_ not in waiting]
        if rounds and self.base.settings.maintain_at_session_end and self.durations.fits(organize.MAINTAIN):
            self.record(rounds[:1], organize.MAINTAIN, self._run_step(organize.MAINTAIN))

    def _do_step(self, step: str, rounds: list[FinishingRound]) -> None:
        took = self.durations.begin(step)
        if step == organize.EPISODES:
            self._write_episodes(rounds, took)
        else:
            details = self._run_step(step)
            self.durations.end(step, took)
            self.record(rounds, step, details)

    def _with_days_over(self, rounds: list[FinishingRound]) -> list[FinishingRound]:
        """Return the rounds of sessions whose last day is over."""
        days = outbox.Days(self.base)
        asked = "SELECT last_at FROM files WHERE session = ?"
        return [round_ for round_ in rounds if days.are_over((self.connection.execute(asked, (round_.session,)).fetchone() or (round_.covered.at,))[0])]

    def _write_episodes(self, rounds: list[FinishingRound], took: int) -> None:
        """Write the episodes of these rounds' days. Rounds with days left stay in the outbox."""
        try:
            from memorybank.cycle.finish import episode_step, upkeep

            run = episode_step.EpisodeRun(self.base, self.left)
            run.write([round_.covered for round_ in rounds], self._is_imported)
        except ImportError:
            self.durations.end(organize.EPISODES, took)
            self.record(rounds, organize.EPISODES, {"skipped": "missing_library"})
            return
        self.durations.end(organize.EPISODES, run.milliseconds or took)
        for covered, details in run.done:
            self.record([round_ for round_ in rounds if round_.covered in covered], organize.EPISODES, details)
        if run.done and self.left() >= durations.LEAST_TO_FOLD_DAYS:
            try:
                upkeep.fold_episodes(self.base)
            except MemorybankError:  # the next fold adds these days to the index
                return

    def _run_step(self, step: str) -> dict[str, object]:
        """Do one heavy step, including its imports. Return the details for the log. A missing library is reported by commands; a hook continues without."""
        begun = self.base.clock.monotonic()
        try:
            from memorybank.cycle.finish import upkeep

            skipped = upkeep.run(self.base, step, self.left(), ends=self.ends)
        except ImportError:
            skipped = "missing_library"
        return {"skipped": skipped} if skipped else {"ms": round((self.base.clock.monotonic() - begun) * 1000)}
