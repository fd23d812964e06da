"""The fold of one event log, line by line. The rows of a line depend only on earlier lines of the same log."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import CORRECTION, MAIN, UNKNOWN
from memorybank.cycle.fold import novelty, sharing, wording
from memorybank.cycle.fold.recorded import EXPOSURES, LogEvent
from memorybank.cycle.importance import NEUTRAL_SIGNAL, SAID
from memorybank.log import events, lines
from memorybank.storage import system as os
from memorybank.text.words import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.base import CycleContext

INTERRUPTED = "interrupted"
_PROMPT_CHARACTERS = 2_000
_SKETCHED_CHARACTERS = 600


class LogFile:
    """The fold of one log file, with what it must know of earlier lines."""

    def __init__(self, base: CycleContext, connection: Connection, name: str, offset: int) -> None:
        self.connection = connection
        self.name = name
        self.path = os.path.join(events.folder(base.layout), name)
        self.offset = offset
        self.places = base.places
        connection.execute("INSERT OR IGNORE INTO files (name, offset) VALUES (?, 0)", (name,))
        self.id, self.session, self.last_event, self.last_at, self.is_retired = connection.execute(
            "SELECT id, session, last_event, last_at, retired FROM files WHERE name = ?", (name,)
        ).fetchone()
        self._sketches: list[tuple[int, int]] | None = None

    def fold(self, limit: int | None, until: int | None = None) -> int:
        """Fold the file's new lines, at most `limit`, and only those before the offset `until`. Returns their number."""
        folded = 0
        for line in lines.read(self.path, self.offset):
            if folded == limit or (until is not None and line.offset >= until):
                break
            recorded = LogEvent(line)
            recorded.leave_out(self.places)
            # A line of another session does not belong here: the rows of a session must come from one file.
            if recorded.id and recorded.session and events.name_of(recorded.session) == self.name:
                self._line(recorded)
            self.offset = line.end
            folded += 1
        self.connection.execute(
            "UPDATE files SET offset = ?, session = ?, last_event = ?, last_at = ? WHERE id = ?",
            (self.offset, self.session, self.last_event, self.last_at, self.id),
        )
        return folded

    def _line(self, line: LogEvent) -> None:
        if line.event in EXPOSURES:
            from memorybank.cycle.fold import exposed

            exposed.write(self.connection, self.id, line)
            return
        if line.event == CORRECTION:
            self._correction(line)
            return
        # The same event can be in the log twice, for example from a hook and from an import. The first line counts.
        if self.connection.execute("SELECT 1 FROM events WHERE event_id = ?", (line.id,)).fetchone():
            return
        self.session, self.last_event, self.last_at = line.session, line.event, max(self.last_at, line.at)
        if line.event == "tool_before":
            self._event(line, 0, 0.0, NEUTRAL_SIGNAL)
        elif line.event == "tool_after":
            self._result(line)
        else:
            sketch, new = self._novelty(line)
            self._event(line, sketch, new, max(line.signal, SAID) if line.is_human_prompt else line.signal)
            if line.event == "prompt":
                self._prompt(line)
            elif line.event == "turn_end":
                self._end(line)
        self._use(line)
        sharing.share(self.connection, self.id, line)

    def _event(self, line: LogEvent, sketch: int, new: float, signal: float) -> None:
        self.connection.execute(
            f"INSERT INTO events VALUES ({', '.join('?' * 16)}, NULL)",
            (
                *(self.id, line.offset, line.id, line.at, line.agent, line.epoch, line.task, line.event, line.status),
                *(line.fingerprint, line.latency, line.tokens, new, signal, novelty.stored(sketch), line.asked),
            ),
        )

    def _result(self, line: LogEvent) -> None:
        """Fold the result of a call, which fails or repairs a failure."""
        sketch, new = self._novelty(line)
        self._event(line, sketch, new, line.signal or NEUTRAL_SIGNAL)
        if line.tool in wording.EDITS and line.status == "success" and line.files:
            from memorybank.cycle.fold import passages, repairs

            passages.touch(self.connection, self.id, line)
            repairs.note_edit(self.connection, self.id, line)
        if line.signal < 0 or line.reason == INTERRUPTED:  # a person stopped or refused the call
            self._correct(line.end, line.offset)
            from memorybank.cycle.fold import refused

            refused.by_result(self.connection, self.id, line)
        if line.agent == MAIN and line.status == "success" and line.tool in ("Bash", "Write"):
            from memorybank.cycle.fold import refused

            refused.allowed(self.connection, self.id, line)
        if line.tool == "Bash":
            from memorybank.cycle.fold import failures

            failures.count(self.connection, self.id, line)
            if line.agent == MAIN and not line.failed:
                from memorybank.cycle.fold import answered, commits

                answered.note(self.connection, self.id, line)
                commits.note(self.connection, self.id, line)
        self._outcome(line)

    def _outcome(self, line: LogEvent) -> None:
        """Fold the consequences of a call's outcome."""
        if line.failed or line.tool == "Bash":
            from memorybank.cycle.fold import failures

            failures.fold(self.connection, self.id, line)

    def _correction(self, line: LogEvent) -> None:
        """Fold the outcome of a call whose hook could not know it, if that call is in this log."""
        row = self.connection.execute(
            "SELECT offset FROM events WHERE event_id = ? AND file = ? AND status = ? AND event = 'tool_after'",
            (line.fields.get("corrects"), self.id, UNKNOWN),
        ).fetchone()
        if row is None:
            return
        (offset,), corrected = row, line.offset
        # From here on the correction is folded as if it had been the original line.
        line.stand_for(line.fields["corrects"], offset)
        self.connection.execute(
            "UPDATE events SET status = ?, latency = ifnull(?, latency), corrected = ? WHERE file = ? AND offset = ?",
            (line.status, line.latency, corrected, self.id, offset),
        )
        self._outcome(line)
        sharing.share(self.connection, self.id, line)

    def _prompt(self, line: LogEvent) -> None:
        if not line.human:
            return
        if line.signal < 0:
            self._correct(line.offset)
        values = (line.session, line.agent, line.epoch, line.text("text")[:_PROMPT_CHARACTERS])
        self.connection.execute("INSERT OR REPLACE INTO contexts VALUES (?, ?, ?, ?)", values)
        from memorybank.cycle.fold import passages, refused, unanswered

        passages.begin_turn(self.connection, self.id, line, unanswered.failure(self.connection, self.id, line))
        if line.is_human_prompt:
            refused.by_prompt(self.connection, self.id, self.path, line)
        # `answered` compares the commands of two turns.
        before = "SELECT id FROM turns WHERE file = ? AND offset < ? ORDER BY offset DESC LIMIT 4 OFFSET 1"
        self.connection.execute(f"DELETE FROM turn_commands WHERE turn IN ({before})", (self.id, line.offset))

    def _end(self, line: LogEvent) -> None:
        if line.reason == INTERRUPTED or line.signal < 0:
            self._correct(line.offset)
        from memorybank.cycle.fold import exposed, passages

        exposed.use_words(self.connection, line, line.whole)
        exposed.judge_turn(self.connection, line)
        passages.end_turn(self.connection, self.id, line)

    def _correct(self, end: int, begin: int | None = None) -> None:
        """Set the signal of the events before an offset to -1, those since `begin` or the last prompt: the person did not want them."""
        asked = "SELECT ifnull(max(offset), 0) FROM turns WHERE file = ?1 AND offset < ?3"
        changed = f"UPDATE events SET signal = -1 WHERE file = ?1 AND offset >= ifnull(?2, ({asked})) AND offset < ?3 AND event <> 'prompt'"
        self.connection.execute(changed, (self.id, begin, end))

    def _novelty(self, line: LogEvent) -> tuple[int, float]:
        """Return (sketch, novelty compared with the last events of this file). Intents are ignored, because their results repeat them."""
        if self._sketches is None:
            rows = self.connection.execute(
                "SELECT offset, sketch FROM events WHERE file = ? AND event <> 'tool_before' ORDER BY offset DESC LIMIT ?", (self.id, novelty.LOOKED_BACK)
            )
            self._sketches = [(offset, novelty.restored(data)) for offset, data in rows][::-1]
        sketch = novelty.sketch(terms.terms(sketched(line)))
        new = novelty.novelty(sketch, (earlier for _, earlier in self._sketches))
        self._sketches.append((line.offset, sketch))
        if len(self._sketches) > novelty.LOOKED_BACK:  # nothing is compared with it any more
            self.connection.execute("UPDATE events SET sketch = x'' WHERE file = ? AND offset = ?", (self.id, self._sketches.pop(0)[0]))
        return sketch, new

    def _use(self, line: LogEvent) -> None:
        """Check whether a call is the use of a memory that was shown. Rarely is a use awaited, so most calls load no code for it."""
        if line.event not in ("tool_before", "tool_after"):
            return
        waiting = "SELECT 1 FROM exposures WHERE session = ? AND agent = ? AND epoch = ? AND used_at IS NULL AND (awaited OR terms <> '') LIMIT 1"
        if not self.connection.execute(waiting, (line.session, line.agent, line.epoch)).fetchone():
            return
        from memorybank.cycle.fold import exposed

        exposed.use(self.connection, self.id, line)
        if line.tool in wording.EDITS:
            exposed.use_words(self.connection, line, f"{line.text('new_string')} {line.text('content')}")


def sketched(line: LogEvent) -> str:
    """Return the text whose terms decide how similar an event is to others."""
    told = (line.tool or "", wording.what(line), line.text("new_string"), line.text("content"), line.error, line.head, line.tail)
    return " ".join(part[: _SKETCHED_CHARACTERS // 2] for part in told if part)[:_SKETCHED_CHARACTERS]
