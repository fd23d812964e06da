"""Known items as a person sees them: a problem, a rule or a finding, with its sources and the reasons why it counts."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from memorybank import clock as time_of
from memorybank.cycle.fold.kinds import COMMANDS, FIX, LAST, NOT_FOUND, REFUSED, REFUTED, REMARK, SET_UP
from memorybank.cycle.know import by_model, by_person, findings, last_run, launched, problems, rules, usual
from memorybank.cycle.know.rejected import Rejections, Verdict
from memorybank.index import decision_rows
from memorybank.log import ticks
from memorybank.reasons.reason import Reason, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memorybank.cycle.know.by_model import ModelSource
    from memorybank.cycle.know.by_person import Deed
    from memorybank.cycle.know.problems import KnownProblem, Occurrence
    from memorybank.cycle.know.rules import Rule
    from memorybank.cycle.know.search import Passage
    from memorybank.cycle.know.usual import UsualCommands

KINDS = (problems.PROBLEM, rules.RULE, findings.FINDING, COMMANDS)
IN_FORCE, SUPERSEDED, REJECTED, PERMISSION = "in force", "superseded", "rejected", "permission"


@dataclass(frozen=True, slots=True)
class KnowledgeItem:
    """One known item.

    id: its merge id
    kind: one of `KINDS`
    sessions: number of sessions in which it occurred
    at: last occurrence (ms)
    status: `in force`, `superseded`, `rejected`, or `permission` for what is no rule and shown to no agent
    made_by: the model that named it (`llm:<model>`, `command:<program>`); "" for everything else
    japanese: its text in Japanese, if it consists of fixed phrases; else ""
    """

    id: str
    kind: str
    text: str
    sessions: int
    at: int
    status: str = IN_FORCE
    made_by: str = ""
    japanese: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "kind": self.kind,
            "text": self.text,
            "sessions": self.sessions,
            "last": time_of.isoformat(self.at),
            "status": self.status,
            "made_by": self.made_by,
        }


@dataclass(frozen=True, slots=True)
class KnowledgeSource:
    """A source of a known item.

    at: ms
    said: the text in the log, or, for a call or a request, a reason that describes it
    """

    session: str
    at: int
    said: str | Reason

    @property
    def text(self) -> str:
        return text_of(self.said)

    def to_json(self) -> dict[str, Any]:
        return {"session": self.session, "at": time_of.isoformat(self.at), "text": self.text}


@dataclass(frozen=True, slots=True)
class KnowledgeDetails:
    """One known item with its details.

    sources: newest first
    why: reasons why it counts, or does not
    """

    known: KnowledgeItem
    sources: tuple[KnowledgeSource, ...]
    why: tuple[Reason, ...]

    def to_json(self) -> dict[str, Any]:
        return {**self.known.to_json(), "why": [text_of(why) for why in self.why], "sources": [source.to_json() for source in self.sources]}


class KnownItem(ABC):
    """One known item with the data that it is made from."""

    known: KnowledgeItem

    def verdict(self, refused: Rejections) -> Verdict | None:
        """Return the verdict that rejects it, or None."""
        return refused.of(self.known.id)

    def judged(self, refused: Rejections) -> KnowledgeItem:
        """Return it with the status that the rejections give it."""
        known = self.known
        if self.verdict(refused) is None:
            return known
        return replace(known, status=REJECTED)

    @abstractmethod
    def sources(self, connection: Connection, now: int) -> list[KnowledgeSource]:
        """Return its sources, oldest first."""

    @abstractmethod
    def counts(self) -> Reason:
        """Return the reasons why it counts."""


class KnownProblemItem(KnownItem):
    def __init__(self, problem: "KnownProblem") -> None:
        self.problem = problem
        text = problem.shown("en")
        self.known = KnowledgeItem(problem.memory, problems.PROBLEM, text, problem.failed, problem.at, japanese=problem.shown("ja"))

    def sources(self, connection: Connection, now: int) -> list[KnowledgeSource]:
        if self.problem.how == SET_UP:
            started = launched.sources(connection, self.problem.form)
            return [KnowledgeSource(session, at, self._started(how)) for how, at, session in started]
        found = problems.occurrences(connection, self.problem, now)[::-1]
        return [KnowledgeSource(one.session, one.at, self._failure(one)) for one in found]

    def _started(self, how: str) -> Reason:
        """Return what a session shows about a program that was not found. how: how it was started there, `NOT_FOUND` if it was not found there"""
        if how != NOT_FOUND:
            return Reason("known.worked", call=how)
        return Reason("known.failed", call=self.problem.form, error=self.problem.error or Reason("known.no_message"))

    def _failure(self, one: "Occurrence") -> Reason:
        error = one.said or Reason("known.no_message")
        if one.is_remedied:
            return Reason("known.failed_then_worked", call=one.form, error=error, remedy=self.problem.advised)
        return Reason("known.failed", call=one.form, error=error)

    def counts(self) -> Reason:
        if self.problem.how == SET_UP:
            return Reason("known.not_found")
        if self.problem.how == LAST:
            return Reason("known.failed_last")
        if self.problem.how == REFUSED:
            return Reason("known.refused", failed=self.problem.failed)
        return Reason("known.remedied", remedy=self.problem.advised, count=self.problem.remedied, failed=self.problem.failed)


class KnownCommandsItem(KnownItem):
    def __init__(self, commands: "UsualCommands") -> None:
        self.commands = commands
        self.known = KnowledgeItem(commands.memory, COMMANDS, commands.shown("en"), commands.sessions, commands.at, japanese=commands.shown("ja"))

    def sources(self, connection: Connection, now: int) -> list[KnowledgeSource]:
        found = usual.sources(connection, self.commands, now)[::-1]
        return [KnowledgeSource(session, at, Reason("known.worked", call=command)) for session, at, command in found]

    def counts(self) -> Reason:
        return Reason("known.usual", count=self.commands.sessions)


class KnownRuleItem(KnownItem):
    def __init__(self, rule: "Rule", newer: "Rule | None" = None) -> None:
        self.rule = rule
        self.newer = newer
        status = SUPERSEDED if newer is not None else PERMISSION if rule.is_permission else IN_FORCE
        text = rule.shown
        self.known = KnowledgeItem(rule.memory, rules.RULE, text, rule.sessions, rule.at, status, rule.made_by)

    def sources(self, connection: Connection, now: int) -> list[KnowledgeSource]:
        if self.rule.made_by:
            return [KnowledgeSource(one.session, one.at, quote) for one, quote in zip(self.rule.stated, self.rule.quotes, strict=True)]
        return [KnowledgeSource(one.session, one.at, one.statement.text) for one in self.rule.stated]

    def counts(self) -> Reason:
        if self.newer is not None:
            return Reason("known.superseded", day=time_of.day_of(self.newer.at), memory=self.newer.memory, text=self.newer.shown)
        if self.rule.is_permission:
            return Reason("recall.allows")
        if self.rule.is_failing_check:
            return Reason("known.failing", count=self.rule.sessions)
        if self.rule.is_expected:
            return Reason("known.expected", count=self.rule.sessions)
        if self.rule.made_by:
            return Reason("known.rule_by_model", model=self.rule.made_by)
        return Reason("known.stated", kind=self.rule.kind)


class KnownDeedItem(KnownItem):
    def __init__(self, done: "Deed", *, is_over: bool) -> None:
        self.done = done
        status = SUPERSEDED if is_over else IN_FORCE
        self.known = KnowledgeItem(done.memory, rules.RULE, done.shown("en"), done.sessions, done.at, status, japanese=done.shown("ja"))

    def sources(self, connection: Connection, now: int) -> list[KnowledgeSource]:
        return [KnowledgeSource(self.done.session, self.done.at, self.done.text)]

    def counts(self) -> Reason:
        return Reason("known.deed", count=self.done.sessions)


class KnownFindingItem(KnownItem):
    def __init__(self, passage: "Passage", made: "ModelSource | None" = None) -> None:
        self.passage = passage
        self.made = made
        sign = " " if passage.heading.endswith(("?", "？")) else ": "
        heading = f"{passage.heading}{sign}" if passage.heading else ""
        made_by = made.made_by if made is not None else ""
        status = SUPERSEDED if passage.kind == REFUTED else IN_FORCE
        self.known = KnowledgeItem(passage.memory, findings.FINDING, f"{heading}{passage.text}", 1, passage.at, status, made_by)

    def verdict(self, refused: Rejections) -> Verdict | None:
        return refused.of_passage(self.passage)

    def sources(self, connection: Connection, now: int) -> list[KnowledgeSource]:
        if self.made is not None:
            return [KnowledgeSource(self.passage.session, self.passage.at, self.made.quote)]
        asked = connection.execute("SELECT text FROM passages WHERE turn = ? AND kind = 'said' ORDER BY id", (self.passage.turn,))
        said = [KnowledgeSource(self.passage.session, self.passage.at, Reason("known.asked", text=text)) for (text,) in asked]
        return [KnowledgeSource(self.passage.session, self.passage.at, self.passage.text), *said]

    def counts(self) -> Reason:
        if self.made is not None:
            return Reason("known.by_model", model=self.made.made_by)
        if self.passage.kind == REFUTED:
            return Reason("known.refuted")
        if self.passage.kind == REMARK:
            return Reason("known.remark") if self.passage.failure is None else Reason("known.remark_after_failure")
        if self.passage.kind == FIX:
            return Reason("known.fix")
        return Reason("known.answer")


def of_sessions(connection: Connection, kind: str | None, now: int, *, every: bool) -> "Iterator[KnownItem]":
    """Yield what is known of several sessions, or only of one kind: everything except findings. every: as for `KnowledgeFacade.list`"""
    if kind in (None, problems.PROBLEM):
        yield from map(KnownProblemItem, last_run.problems_at_calls(connection, now))
    if kind in (None, COMMANDS) and (commands := usual.find(connection, "", now)) is not None:
        yield KnownCommandsItem(commands)
    if kind not in (None, rules.RULE):
        return
    yield from map(KnownRuleItem, rules.listed(connection, now, permissions=every))
    yield from map(KnownRuleItem, by_model.rules(connection, "", now))
    yield from (KnownDeedItem(done, is_over=is_over) for done, is_over in by_person.known(connection, now) if every or not is_over)
    if every:
        yield from (KnownRuleItem(older, newer) for older, newer in rules.superseded(connection, now))


def exposed(connection: Connection, memory: str) -> list[Reason]:
    """Return how often a memory was shown to agents and used, and how it was marked."""
    asked = "SELECT count(*), count(used_at), max(at) FROM exposures WHERE memory = ? AND shown"
    shown, used, last = connection.execute(asked, (memory,)).fetchone()
    facts = [Reason("known.shown", shown=shown, day=time_of.day_of(last), used=used)] if shown else [Reason("known.never_shown")]
    for worth, by, at in connection.execute("SELECT worth, by, at FROM ticks WHERE memory = ? ORDER BY at, id", (memory,)):
        facts.append(_marked(bool(worth), by == ticks.AGENT, time_of.day_of(at)))
    return facts


def _marked(is_helpful: bool, by_agent: bool, day: str) -> Reason:
    if by_agent:
        return Reason("known.helpful_agent", day=day) if is_helpful else Reason("known.wrong_agent", day=day)
    return Reason("known.helpful_person", day=day) if is_helpful else Reason("known.wrong_person", day=day)


def of_verdict(verdict: Verdict) -> KnowledgeItem:
    """Return the item of a verdict on a memory that is not, or no longer, known here."""
    prefix = verdict.memory.partition(":")[0]
    kind = prefix if prefix in (*KINDS, decision_rows.SUPERSEDED) else findings.FINDING
    return KnowledgeItem(verdict.memory, kind, verdict.what, 0, verdict.at, REJECTED if verdict.is_rejected else IN_FORCE)
