"""One known thing as a person sees it: a problem, a rule or a finding, with its sources and the reason why it counts."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from memorybank import clock as time_of
from memorybank.cycle.fold.kinds import FIX, REMARK
from memorybank.cycle.fold.phrases import language_of
from memorybank.cycle.know import findings, problems, rules
from memorybank.cycle.know.rejected import Rejections, Verdict
from memorybank.log import ticks

if TYPE_CHECKING:
    from memorybank.cycle.know.by_model import ModelSource
    from memorybank.cycle.know.problems import KnownProblem
    from memorybank.cycle.know.rules import Rule
    from memorybank.cycle.know.search import Passage

KINDS = (problems.PROBLEM, rules.RULE, findings.FINDING)
IN_FORCE, SUPERSEDED, REJECTED = "in force", "superseded", "rejected"


@dataclass(frozen=True, slots=True)
class KnowledgeItem:
    """One thing that is known.

    id: its merge id
    kind: one of `KINDS`
    sessions: number of sessions in which it occurred
    at: last occurrence (ms)
    status: `in force`, `superseded` or `rejected`
    made_by: the model that named it (`llm:<model>`, `command:<program>`); "" for everything else
    """

    id: str
    kind: str
    text: str
    sessions: int
    at: int
    status: str = IN_FORCE
    made_by: str = ""

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
    """Where something known comes from.

    at: ms
    text: what the log contains there
    """

    session: str
    at: int
    text: str

    def to_json(self) -> dict[str, Any]:
        return {"session": self.session, "at": time_of.isoformat(self.at), "text": self.text}


@dataclass(frozen=True, slots=True)
class KnowledgeDetails:
    """One known thing with its details.

    sources: newest first
    why: reasons why it counts, or does not
    """

    known: KnowledgeItem
    sources: tuple[KnowledgeSource, ...]
    why: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {**self.known.to_json(), "why": list(self.why), "sources": [source.to_json() for source in self.sources]}


class KnownItem(ABC):
    """One known thing with the data it is made from."""

    known: KnowledgeItem

    def verdict(self, refused: Rejections) -> Verdict | None:
        """Return the verdict that rejects it, or None."""
        return refused.of(self.known.id)

    def judged(self, refused: Rejections) -> KnowledgeItem:
        """Return it with the status that the rejections give it."""
        known = self.known
        if self.verdict(refused) is None:
            return known
        return KnowledgeItem(known.id, known.kind, known.text, known.sessions, known.at, REJECTED, known.made_by)

    @abstractmethod
    def sources(self, connection: Connection, now: int) -> list[KnowledgeSource]:
        """Return where it comes from, oldest first."""

    @abstractmethod
    def counts(self) -> str:
        """Return why it counts, in one sentence."""


class KnownProblemItem(KnownItem):
    def __init__(self, problem: "KnownProblem") -> None:
        self.problem = problem
        text = problems.text(problem, "en")
        self.known = KnowledgeItem(problem.memory, problems.PROBLEM, text, problem.failed, problem.at)

    def sources(self, connection: Connection, now: int) -> list[KnowledgeSource]:
        found = problems.occurrences(connection, self.problem, "", now)[::-1]
        ended = {True: f"; worked with `{self.problem.remedy}`", False: ""}
        return [KnowledgeSource(one.session, one.at, f"`{one.form}` failed: {one.said or 'no message'}{ended[one.is_remedied]}") for one in found]

    def counts(self) -> str:
        return f"`{self.problem.remedy}` helped in {self.problem.remedied} of {self.problem.failed} sessions in which the call failed"


class KnownRuleItem(KnownItem):
    def __init__(self, rule: "Rule", newer: "Rule | None" = None) -> None:
        self.rule = rule
        self.newer = newer
        status = SUPERSEDED if newer is not None else IN_FORCE
        text = rules.text(rule, language_of(rule.sayings[0]))
        self.known = KnowledgeItem(rule.memory, rules.RULE, text, rule.sessions, rule.at, status, rule.made_by)

    def sources(self, connection: Connection, now: int) -> list[KnowledgeSource]:
        if self.rule.made_by:
            return [KnowledgeSource(one.session, one.at, quote) for one, quote in zip(self.rule.stated, self.rule.quotes, strict=True)]
        return [KnowledgeSource(one.session, one.at, one.statement.text) for one in self.rule.stated]

    def counts(self) -> str:
        if self.newer is not None:
            return f"superseded on {time_of.day_of(self.newer.at)} by {self.newer.memory}: {rules.text(self.newer, 'en')}"
        if self.rule.is_expected:
            return f"people asked for it in {self.rule.sessions} sessions"
        if self.rule.made_by:
            return f"{self.rule.made_by} read it in what a person said, and no person stated anything about the same subject"
        return f"a person stated it ({self.rule.kind}), and nothing later replaced it"


class KnownFindingItem(KnownItem):
    def __init__(self, passage: "Passage", made: "ModelSource | None" = None) -> None:
        self.passage = passage
        self.made = made
        sign = " " if passage.heading.endswith(("?", "？")) else ": "
        heading = f"{passage.heading}{sign}" if passage.heading else ""
        made_by = made.made_by if made is not None else ""
        self.known = KnowledgeItem(passage.memory, findings.FINDING, f"{heading}{passage.text}", 1, passage.at, made_by=made_by)

    def verdict(self, refused: Rejections) -> Verdict | None:
        return refused.of_passage(self.passage)

    def sources(self, connection: Connection, now: int) -> list[KnowledgeSource]:
        if self.made is not None:
            return [KnowledgeSource(self.passage.session, self.passage.at, self.made.quote)]
        asked = connection.execute("SELECT text FROM passages WHERE turn = ? AND kind = 'said' ORDER BY id", (self.passage.turn,))
        said = [KnowledgeSource(self.passage.session, self.passage.at, f"asked: {text}") for (text,) in asked]
        return [KnowledgeSource(self.passage.session, self.passage.at, self.passage.text), *said]

    def counts(self) -> str:
        if self.made is not None:
            return f"{self.made.made_by} named it, with a quote from the session"
        if self.passage.kind == REMARK:
            return "an agent stated it as a cause or decision" + (" after a failed call" if self.passage.failure is not None else "")
        if self.passage.kind == FIX:
            return "edits after which a call that had failed worked"
        return "an agent ended a turn with it"


def exposed(connection: Connection, memory: str) -> list[str]:
    """Return how often a memory was shown to agents and used, and how it was marked."""
    asked = "SELECT count(*), count(used_at), max(at) FROM exposures WHERE memory = ? AND shown"
    shown, used, last = connection.execute(asked, (memory,)).fetchone()
    facts = [f"shown {shown} times, last on {time_of.day_of(last)}; used {used} times"] if shown else ["never shown to an agent so far"]
    for worth, by, at in connection.execute("SELECT worth, by, at FROM ticks WHERE memory = ? ORDER BY at, id", (memory,)):
        facts.append(f"marked {ticks.HELPFUL if worth else ticks.WRONG} by {'an' if by == ticks.AGENT else 'a'} {by} on {time_of.day_of(at)}")
    return facts


def of_verdict(verdict: Verdict) -> KnowledgeItem:
    """Return what a verdict says about a memory that is not known here (any more)."""
    prefix = verdict.memory.partition(":")[0]
    kind = prefix if prefix in KINDS else findings.FINDING
    return KnowledgeItem(verdict.memory, kind, verdict.what, 0, verdict.at, REJECTED if verdict.is_rejected else IN_FORCE)
