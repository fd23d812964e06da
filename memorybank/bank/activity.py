"""What agents did and were shown: the sessions with their results, one session turn by turn, and what came of the memories of a week.

A turn is read from the session's log: what a person asked, what the agent was shown and why, what it did, and how it ended. `titles` names
memories for a person: the title of a note, the text of something known, the day of an episode.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from sqlite3 import Connection
from typing import Any

from memorybank import clock
from memorybank.bank import arguments, cycle_cache
from memorybank.bank.arguments import BankFacade, Instant
from memorybank.bank.known_items import KnowledgeItem
from memorybank.bank.opened import OpenBank
from memorybank.clock import DAY
from memorybank.cycle.finish import summaries
from memorybank.cycle.fold import schema
from memorybank.cycle.fold.kinds import COMMANDS
from memorybank.cycle.fold.wording import EDITS
from memorybank.cycle.know import by_person, last_run, problems, rules, usual
from memorybank.cycle.recall import outcomes
from memorybank.cycle.recall.outcomes import GOOD, ExposureOutcome, MemoryOutcomes
from memorybank.cycle.recall.query import as_written
from memorybank.cycle.recall.ranking import EPISODE
from memorybank.errors import NotFound
from memorybank.index import listing
from memorybank.log import events as event_log
from memorybank.log import sessions
from memorybank.log.lines import LogLine
from memorybank.reasons.reason import Reason
from memorybank.values import Value

NOTE = "note:"
_COUNTED = (problems.PROBLEM, rules.RULE, COMMANDS)
"""Kinds of knowledge that is counted when it is needed, and stored nowhere."""
_CHARACTERS = 200
_MOST_ANSWER = 1_200
_ANCHORS = ("file", "cmd", "note", "url")
_SUBJECTS = ("command", "file_path", "path", "pattern", "query", "url", "description", "text")

WEEK_DAYS = 7
_MOST_REMINDED = 8
_MOST_TIMES = 20


class TurnMemory(Value):
    """A memory that an agent was shown.

    exposure: when, at which moment, and what came of it.
    why: the anchors and words by which it was found, as far as the log has them.
    """

    exposure: ExposureOutcome
    title: str
    why: tuple[str | Reason, ...] = ()


class SessionCall(Value):
    """One tool call. subject: its command, its file, or what it was about; status: `success`, `failure` or "" while it is unknown"""

    tool: str
    subject: str
    status: str
    error: str = ""

    @property
    def is_edit(self) -> bool:
        """Whether it changed a file."""
        return self.tool in EDITS and self.status != "failure"


class SessionTurn(Value, frozen=False):
    """One turn. Before the first prompt of a session there is one without a prompt.

    at: ms.
    status: how it ended (`success`, `failure`), "" while it goes on.
    """

    at: int
    prompt: str
    shown: list[TurnMemory]
    calls: list[SessionCall]
    answer: str = ""
    status: str = ""

    @property
    def edited(self) -> Sequence[str]:
        """The files that were edited, each once."""
        return list(dict.fromkeys(call.subject for call in self.calls if call.is_edit and call.subject))

    @property
    def failures(self) -> Sequence[SessionCall]:
        return [call for call in self.calls if call.status == "failure"]


class RemindedMemory(Value):
    """A memory that agents were shown in a period. counts: how often it was shown, how often that helped, and when it was shown last"""

    title: str
    counts: MemoryOutcomes


class RecallWeek(Value):
    """What agents were shown in a period, and what came of it.

    begin, end: ms.
    sessions: number of sessions with an event in the period.
    outcomes: {outcome: how often it occurred}, see `cycle.recall.outcomes`.
    memories: those that helped most often.
    learned: what became known or occurred again in the period, the latest first.
    """

    begin: int
    end: int
    sessions: int
    outcomes: Mapping[str, int]
    memories: tuple[RemindedMemory, ...]
    learned: tuple[KnowledgeItem, ...]

    @property
    def shown(self) -> int:
        """How often a memory was shown."""
        return sum(self.outcomes.values())

    @property
    def helped(self) -> int:
        """How often a memory was used, repeated in an answer, or marked as helpful."""
        return sum(self.outcomes.get(outcome, 0) for outcome in GOOD)


class SessionResult(Value):
    """One session and its results.

    first, last: ms.
    request: the beginning of the first prompt.
    summary: the summary that its end wrote; "" before.
    prompts, calls, failures: how many it had.
    edited: number of files that were edited in its turns.
    shown, helped: how often it was shown a memory, and how often that helped.
    """

    session: str
    first: int
    last: int
    request: str
    summary: str
    prompts: int
    calls: int
    failures: int
    edited: int
    shown: int
    helped: int


class Activity(BankFacade):
    """What agents did in their sessions, and what the memories that they were shown were good for."""

    def week(self, *, until: Instant | None = None, days: int = WEEK_DAYS) -> RecallWeek:
        """Return what agents were shown in the days before an instant, what came of it, and what was learned.

        until: default now
        """
        from memorybank.bank.knowledge import KnowledgeFacade

        arguments.at_least(days, 1, "days")
        end = arguments.instant(self._bank, until, "until", end_of_day=True)
        end = self._bank.clock.now() if end is None else end
        begin = end - days * DAY
        with cycle_cache.seen_by(self._bank) as connection:
            count = connection.execute("SELECT count(*) FROM files WHERE session IS NOT NULL AND last_at BETWEEN ? AND ?", (begin, end)).fetchone()[0]
            found = outcomes.counted(connection, begin, end)
            most = outcomes.most_shown(connection, begin, end, _MOST_REMINDED)
            names = memory_titles(self._bank, connection, [each.memory for each in most])
        known = KnowledgeFacade(self._bank).list(limit=_MOST_REMINDED)
        learned = sorted((each for each in known if begin <= each.at <= end), key=lambda each: (-each.at, each.id))
        return RecallWeek(begin, end, int(count), found, tuple(RemindedMemory(names[each.memory], each) for each in most), tuple(learned))

    def sessions(self, *, first: int = 0, limit: int = 20) -> tuple[Sequence[SessionResult], int]:
        """Return (one page of the sessions, the most recent first; the number of sessions).

        first: number of sessions before the page
        """
        arguments.at_least(first, 0, "first")
        arguments.at_least(limit, 0, "limit")
        with cycle_cache.seen_by(self._bank) as connection:
            total = connection.execute("SELECT count(*) FROM files WHERE session IS NOT NULL").fetchone()[0]
            rows = connection.execute(
                "SELECT id, session, last_at FROM files WHERE session IS NOT NULL ORDER BY last_at DESC, session LIMIT ? OFFSET ?", (limit, first)
            ).fetchall()
            return [self._result(connection, *row) for row in rows], int(total)

    def session(self, name: str) -> SessionResult:
        """Return one session. name: its id, or a unique beginning of it. Raises `NotFound`."""
        with cycle_cache.seen_by(self._bank) as connection:
            session = self._identifier(name)
            row = connection.execute("SELECT id, session, last_at FROM files WHERE session = ?", (session,)).fetchone()
            if row is None:
                raise NotFound(f"session not found: {name!r}", next_step="list the sessions with: memorybank log list")
            return self._result(connection, *row)

    def turns(self, name: str) -> tuple[SessionTurn, ...]:
        """Return what happened in one session, turn by turn: the prompt, the memories shown with reasons and outcomes, the calls, the answer.

        name: its id, or a unique beginning of it
        Raises `NotFound`.
        """
        layout = self._bank.layout
        session = self._identifier(name)
        with cycle_cache.seen_by(self._bank) as connection:
            exposed = {(each.offset, each.memory): each for each in outcomes.of_session(connection, session)}
            named = memory_titles(self._bank, connection, [memory for _, memory in exposed])
        return turns_of(event_log.read(layout, event_log.name_of(session)), exposed, named)

    def times_shown(self, memory: str, *, limit: int = _MOST_TIMES) -> tuple[Sequence[TurnMemory], int]:
        """Return (the latest times that a memory was shown, and what came of each; how often it was shown at all).

        memory: its id, such as `note:planning/overview.md`
        """
        arguments.at_least(limit, 0, "limit")
        with cycle_cache.seen_by(self._bank) as connection:
            total = connection.execute("SELECT count(*) FROM exposures WHERE memory = ? AND shown = 1", (memory,)).fetchone()[0]
            found = outcomes.of_memory(connection, memory, limit)
            named = memory_titles(self._bank, connection, [memory])
        return [TurnMemory(each, named[memory]) for each in found], int(total)

    def titles(self, memories: Sequence[str]) -> dict[str, str]:
        """Return {memory: its title for a person}."""
        with cycle_cache.seen_by(self._bank) as connection:
            return memory_titles(self._bank, connection, memories)

    def _result(self, connection: Connection, file: int, session: str, last: int) -> SessionResult:
        counted = connection.execute("SELECT first_at, prompts, calls, failures FROM retired WHERE file = ?", (file,)).fetchone()
        if counted is None:
            counted = connection.execute(
                "SELECT min(at), ifnull(sum(event = 'prompt'), 0), ifnull(sum(event = 'tool_after'), 0),"
                " ifnull(sum(event = 'tool_after' AND status = 'failure'), 0) FROM events WHERE file = ?",
                (file,),
            ).fetchone()
        first, prompts, calls, failures = counted
        asked = connection.execute("SELECT text FROM passages WHERE session = ? AND kind = 'said' ORDER BY offset LIMIT 1", (session,)).fetchone()
        edited = connection.execute("SELECT count(DISTINCT f.name) FROM turns t JOIN turn_files f ON f.turn = t.id WHERE t.file = ?", (file,)).fetchone()[0]
        exposed: list[ExposureOutcome] = outcomes.of_session(connection, session)
        return SessionResult(
            session, first or last, last, cut(asked[0]) if asked else "", self._summary(connection, session), prompts, calls, failures, edited,
            len(exposed), sum(each.outcome in GOOD for each in exposed),
        )  # fmt: skip

    def _summary(self, connection: Connection, session: str) -> str:
        """Return the summary of a session; that of an old one is made from its log again."""
        asked = "SELECT text, detail = '', covered_to FROM summaries JOIN finished USING (session) WHERE session = ?"
        text, is_cut, covered_to = connection.execute(asked, (session,)).fetchone() or ("", False, 0)
        return summaries.text_of(cycle_cache.base_of(self._bank), session, covered_to) if is_cut else str(text)

    def _identifier(self, name: str) -> str:
        """Return the id of the session that a person means. Raises `NotFound`."""
        file = sessions.find(self._bank.layout, name)
        return next((str(line.fields.get("session_id")) for line in event_log.read(self._bank.layout, file)), name)


def turns_of(lines: Iterable[LogLine], exposed: Mapping[tuple[int, str], ExposureOutcome], titles: Mapping[str, str]) -> tuple[SessionTurn, ...]:
    """Return the turns of a session, in order. A turn in which nothing was asked, shown or done is left out.

    exposed: {(offset of its line, memory): what came of an exposure}
    titles: {memory: its title}
    """
    found = [SessionTurn(0, "", [], [])]
    for line in lines:
        fields = line.fields
        event, turn, at = fields.get("event"), found[-1], clock.parse(str(fields.get("timestamp"))) or 0
        if event == "prompt" and fields.get("human") is not False:
            found.append(SessionTurn(at, _text(fields.get("inputs"), "text"), [], []))
            continue
        turn.at = turn.at or at
        if event == "exposure":
            turn.shown += _shown(line, turn.prompt, exposed, titles)
        elif event == "tool_after":
            turn.calls.append(_call(fields))
        elif event == "turn_end":
            turn.answer = _text(fields.get("outputs"), "head", "text", "tail")[:_MOST_ANSWER]
            turn.status = str(fields.get("status") or "")
    return tuple(turn for turn in found if turn.prompt or turn.shown or turn.calls)


def _shown(line: LogLine, prompt: str, exposed: Mapping[tuple[int, str], ExposureOutcome], titles: Mapping[str, str]) -> Iterable[TurnMemory]:
    for fields in line.fields.get("exposures") or ():
        memory = str(fields.get("memory"))
        outcome = exposed.get((line.offset, memory))
        if outcome is not None:
            yield TurnMemory(outcome, titles.get(memory, memory), tuple(_in_words(str(why), prompt) for why in fields.get("why") or ()))


def _in_words(why: str, prompt: str) -> str | Reason:
    """Return a reason of the log as a person reads it: the name of an anchor, that an error is the same, or a stem as the prompt wrote the word."""
    kind, colon, name = why.partition(":")
    if kind == "err" and colon:
        return Reason("shown.same_error")
    return name if colon and kind in _ANCHORS else as_written(why, prompt)


def _call(fields: Mapping[str, Any]) -> SessionCall:
    inputs = fields.get("inputs")
    subject = next((text for name in _SUBJECTS if (text := _text(inputs, name))), "")
    status = str(fields.get("status") or "")
    return SessionCall(str(fields.get("tool") or ""), cut(subject), status, cut(str(fields.get("error") or "")) if status == "failure" else "")


def _text(fields: object, *names: str) -> str:
    """Return the first of these members that is a text; "" without one, as when it was blanked."""
    found = (fields.get(name) for name in names) if isinstance(fields, dict) else ()
    return next((text for text in found if isinstance(text, str) and text.strip()), "").strip()


def memory_titles(bank: OpenBank, connection: Connection, memories: Iterable[str]) -> dict[str, str]:
    """Return {memory: its title}. For a memory that is no longer known, that is its id without the kind.

    connection: the cycle's cache, opened for a reader
    """
    found = {memory: memory.partition(":")[2] or memory for memory in memories}
    keys = [memory.removeprefix(NOTE) for memory in found if memory.startswith(NOTE)]
    if keys:
        with bank.glanced() as (index, _):
            found.update((NOTE + key, title) for key, title in listing.titles(index.connection, keys).items())
    for memory in found:
        if not memory.startswith((NOTE, EPISODE, *_COUNTED)):
            found[memory] = _stored(connection, memory) or found[memory]
    if any(memory.startswith(_COUNTED) for memory in found):
        now = bank.clock.now()
        known = {problem.memory: problem.shown("en") for problem in last_run.problems_at_calls(connection, now)}
        known |= {rule.memory: rule.shown for rule in rules.find(connection, "", now)}
        known |= {done.memory: done.shown("en") for done, _ in by_person.known(connection, now)}
        commands = usual.find(connection, "", now)
        known |= {commands.memory: commands.shown("en")} if commands is not None else {}
        found.update((memory, cut(known[memory])) for memory in found if memory in known)
    return found


def cut(text: str) -> str:
    """Return the beginning of a text as one line."""
    line = " ".join(text.split())
    return line if len(line) <= _CHARACTERS else line[: _CHARACTERS - 1].rstrip() + "…"


def _stored(connection: Connection, memory: str) -> str:
    asked = "SELECT text FROM passages WHERE memory = ?1 UNION ALL SELECT text FROM summaries WHERE ?2 || session = ?1 LIMIT 1"
    row = connection.execute(asked, (memory, f"{schema.SESSION}:")).fetchone()
    return cut(row[0]) if row is not None else ""
