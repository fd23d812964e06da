"""What the sessions taught, for a person: listed with counts, shown with sources, rejected and restored."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from memorybank import clock as time_of
from memorybank.bank import arguments, remembered
from memorybank.bank.facade import BankFacade
from memorybank.cycle.event import MAIN
from memorybank.cycle.finish import learned_notes
from memorybank.cycle.fold.passages import FIX, REMARK
from memorybank.cycle.fold.phrases import language_of
from memorybank.cycle.know import findings, problems, rejected, rules
from memorybank.cycle.know.learned import memory_of
from memorybank.cycle.know.rejected import Verdict
from memorybank.cycle.recall import ranking
from memorybank.errors import NotFound, UsageError
from memorybank.log import ticks
from memorybank.text.redact import redact
from memorybank.visibility import Viewer

if TYPE_CHECKING:
    from memorybank.cycle.know.problems import KnownProblem
    from memorybank.cycle.know.rules import Rule
    from memorybank.cycle.know.search import Passage

KINDS = (problems.PROBLEM, rules.RULE, findings.FINDING)
IN_FORCE, SUPERSEDED, REJECTED = "in force", "superseded", "rejected"
FINDINGS = 20
"""Number of findings that are listed by default."""
_NOTE = "note:"
_NEXT = "'memorybank know list --all' lists what is known"


@dataclass(frozen=True, slots=True)
class KnowledgeItem:
    """One thing that is known.

    id: its merge id
    kind: one of `KINDS`
    sessions: number of sessions in which it occurred
    at: last occurrence (ms)
    status: `in force`, `superseded` or `rejected`
    """

    id: str
    kind: str
    text: str
    sessions: int
    at: int
    status: str = IN_FORCE

    def to_json(self) -> dict[str, Any]:
        return {
            **{"id": self.id, "kind": self.kind, "text": self.text, "sessions": self.sessions},
            **{"last": time_of.isoformat(self.at), "status": self.status},
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


@arguments.checked
class KnowledgeFacade(BankFacade):
    """What `memorybank know` and `memorybank tick` do."""

    def list(self, kind: str | None = None, *, every: bool = False, limit: int = FINDINGS, role: str = MAIN) -> "list[KnowledgeItem]":
        """Return what is known: problems by the number of sessions they cost, rules in force, findings with the newest first.

        kind: only this kind
        every: include what was superseded or rejected
        limit: maximum number of findings
        role: only what an agent of this role may see
        """
        if kind is not None:
            arguments.one_of(kind, KINDS, "kind")
        arguments.at_least(limit, 0, "limit")
        refused = rejected.rejections(self._bank.layout)
        with self._opened(role) as connection:
            found = [item.known for item in self._items(connection, kind, every, limit) if every or item.known.id not in refused]
        held = {known.id for known in found}
        gone = [_of_verdict(verdict) for verdict in refused.values() if every and verdict.memory not in held] if kind is None else []
        return [_judged(known, refused) for known in found] + gone

    def show(self, name: str, *, role: str | None = MAIN) -> KnowledgeDetails:
        """Return one known thing with its sources and the reasons why it counts.

        name: its id, or a unique beginning of it
        role: only what an agent of this role may see; None: what everybody may see
        Raises `NotFound` for none, `UsageError` for an ambiguous beginning.
        """
        refused = rejected.verdicts(self._bank.layout)
        with self._opened(role) as connection:
            found = self._find(connection, name)
            sources, why = found.sources(connection, self._now), [found.counts(connection)]
            why += _exposed(connection, found.known.id)
        verdict = refused.get(found.known.id)
        if verdict is not None:
            why.append(f"{rejected.REJECTED if verdict.is_rejected else rejected.RESTORED} on {time_of.day_of(verdict.at)} ({verdict.by})")
        return KnowledgeDetails(_judged(found.known, refused), tuple(sources), tuple(filter(None, why)))

    def reject(self, name: str) -> KnowledgeItem:
        """Never recall this again: in no session, and for nobody who has this commit. `restore` reverses it.

        Its learned note is deleted, unless somebody edited it.
        name: as for `show`
        """
        refused = rejected.rejections(self._bank.layout)
        if name in refused:
            return _of_verdict(refused[name])
        with self._opened(MAIN) as connection:
            known = self._find(connection, name).known
        if known.id not in refused:
            rejected.add(self._bank.layout, known.id, is_rejected=True, by=rejected.COMMAND, what=self._public_text(known.id), clock=self._bank.clock)
        learned_notes.withdraw(self._bank.layout, known.id)
        return KnowledgeItem(known.id, known.kind, known.text, known.sessions, known.at, REJECTED)

    def restore(self, name: str) -> KnowledgeItem:
        """Reverse a rejection. Raises `NotFound` unless exactly one has this id or beginning."""
        refused = rejected.rejections(self._bank.layout)
        same = [memory for memory in refused if memory == name] or [memory for memory in refused if name and memory.startswith(name)]
        if len(same) != 1:
            raise NotFound(f"{name!r} matches {'no' if not same else 'more than one'} rejected memory", next_step="'memorybank know list --all' lists them")
        return self._restore(refused[same[0]])

    def undo(self) -> KnowledgeItem:
        """Reverse the newest rejection. Raises `NotFound` when there is none."""
        refused = list(rejected.rejections(self._bank.layout).values())
        if not refused:
            raise NotFound("nothing is rejected", next_step=_NEXT)
        return self._restore(refused[-1])

    def tick(self, name: str, verdict: str, *, by: str = ticks.PERSON, role: str | None = MAIN) -> str:
        """Mark a memory as `helpful` or `wrong` and return its id.

        The mark judges the most recent time the memory was shown. A derived memory that is marked wrong is not shown again until a later
        mark says otherwise.
        name: an id from `know list`, from `recall --explain` or of a note, or its beginning
        by: `person` or `agent`
        role: only what an agent of this role may see
        """
        if verdict not in ticks.VERDICTS:
            raise UsageError(f"{verdict!r} is not a verdict", next_step=f"use one of {', '.join(ticks.VERDICTS)}")
        arguments.one_of(by, (ticks.PERSON, ticks.AGENT), "by")
        with self._opened(role) as connection:
            memory = self._shown(connection, name) or self._find(connection, name).known.id
        base = remembered.base_of(self._bank)
        ticks.append(self._bank.layout, base.key(), memory, verdict, by, self._bank.clock)
        remembered.fold(self._bank, base)
        return memory

    def _shown(self, connection: Connection | None, name: str) -> str:
        """Return the memory with this id among the notes and those that agents were shown; "" when there is none."""
        if connection is not None and connection.execute("SELECT 1 FROM exposures WHERE memory = ? AND shown LIMIT 1", (name,)).fetchone():
            return name
        key = name.removeprefix(_NOTE)
        if key == name:
            return ""
        resolved = self._bank.notes.resolve(key)
        return memory_of(resolved) or f"{_NOTE}{resolved}"

    def _restore(self, verdict: Verdict) -> KnowledgeItem:
        taken = rejected.add(self._bank.layout, verdict.memory, is_rejected=False, by=rejected.COMMAND, what=verdict.what, clock=self._bank.clock)
        return _of_verdict(taken)

    @property
    def _now(self) -> int:
        return self._bank.clock.now()

    @contextmanager
    def _opened(self, role: str | None) -> Iterator[Connection | None]:
        """Open the cycle's cache, restricted to what a role may see; None: to what everybody may see."""
        base = remembered.base_of(self._bank)
        remembered.fold(self._bank, base)
        viewer = Viewer(role=role)

        def sees(kind: str, at: int, acl: str, privacy: str, hold: int, author: str | None, session: str | None, agent: str | None) -> bool:
            return role is not None and ranking.sees(kind, at, acl, privacy, bool(hold), author, session, agent, viewer, base.settings, self._now)

        with remembered.opened(self._bank, still=self._bank.read_only) as connection:
            if connection is not None:
                connection.create_function("sees", 8, sees)
            yield connection

    def _items(self, connection: Connection | None, kind: str | None, every: bool, limit: int) -> "Iterator[_Item]":
        if connection is None:
            return
        if kind in (None, problems.PROBLEM):
            yield from map(_OfProblem, problems.find(connection, "", self._now))
        if kind in (None, rules.RULE):
            yield from map(_OfRule, rules.find(connection, "", self._now))
        if kind in (None, rules.RULE) and every:
            yield from (_OfRule(older, newer) for older, newer in rules.superseded(connection, "", self._now))
        if kind in (None, findings.FINDING):
            yield from map(_OfPassage, findings.newest(connection, self._now, limit))

    def _find(self, connection: Connection | None, name: str) -> "_Item":
        found = [item for item in self._items(connection, None, True, 0) if name and item.known.id.startswith(name)]
        if connection is not None and name:
            found += map(_OfPassage, findings.named(connection, name, self._now))
        exact = [item for item in found if item.known.id == name] or found
        if len({item.known.id for item in exact}) > 1:
            raise UsageError(f"more than one memory begins with {name!r}", next_step="write more characters of its id")
        if not exact:
            raise NotFound(f"nothing is known by the id {name!r}", next_step=_NEXT)
        return exact[0]

    def _public_text(self, memory: str) -> str:
        """Return the text of a memory that everybody may see, for a file that is committed."""
        with self._opened(None) as connection:
            try:
                found = self._find(connection, memory)
            except NotFound:
                return ""
        return redact(found.known.text, None)


class _Item(ABC):
    """One known thing with the data it is made from."""

    known: KnowledgeItem

    @abstractmethod
    def sources(self, connection: Connection | None, now: int) -> list[KnowledgeSource]:
        """Return where it comes from, oldest first."""

    @abstractmethod
    def counts(self, connection: Connection | None) -> str:
        """Return why it counts, in one sentence."""


class _OfProblem(_Item):
    def __init__(self, problem: "KnownProblem") -> None:
        self.problem = problem
        text = problems.text(problem, "en")
        self.known = KnowledgeItem(problem.memory, problems.PROBLEM, text, problem.failed, problem.at)

    def sources(self, connection: Connection | None, now: int) -> list[KnowledgeSource]:
        if connection is None:
            return []
        found = problems.occurrences(connection, self.problem, "", now)[::-1]
        ended = {True: f"; worked with `{self.problem.remedy}`", False: ""}
        return [KnowledgeSource(one.session, one.at, f"`{one.form}` failed: {one.said or 'no message'}{ended[one.is_mended]}") for one in found]

    def counts(self, connection: Connection | None) -> str:
        return f"`{self.problem.remedy}` helped in {self.problem.mended} of {self.problem.failed} sessions in which the call failed"


class _OfRule(_Item):
    def __init__(self, rule: "Rule", newer: "Rule | None" = None) -> None:
        self.rule = rule
        self.newer = newer
        status = SUPERSEDED if newer is not None else IN_FORCE
        text = rules.text(rule, language_of(rule.sayings[0]))
        self.known = KnowledgeItem(rule.memory, rules.RULE, text, rule.sessions, rule.at, status)

    def sources(self, connection: Connection | None, now: int) -> list[KnowledgeSource]:
        return [KnowledgeSource(one.session, one.at, one.statement.text) for one in self.rule.stated]

    def counts(self, connection: Connection | None) -> str:
        if self.newer is not None:
            return f"superseded on {time_of.day_of(self.newer.at)} by {self.newer.memory}: {rules.text(self.newer, 'en')}"
        if self.rule.is_expected:
            return f"people asked for it in {self.rule.sessions} sessions"
        return f"a person stated it ({self.rule.kind}), and nothing later replaced it"


class _OfPassage(_Item):
    def __init__(self, passage: "Passage") -> None:
        self.passage = passage
        heading = f"{passage.heading}: " if passage.heading else ""
        self.known = KnowledgeItem(passage.memory, findings.FINDING, f"{heading}{passage.text}", 1, passage.at)

    def sources(self, connection: Connection | None, now: int) -> list[KnowledgeSource]:
        asked = connection.execute("SELECT text FROM passages WHERE turn = ? AND kind = 'said' ORDER BY id", (self.passage.turn,)) if connection else ()
        said = [KnowledgeSource(self.passage.session, self.passage.at, f"asked: {text}") for (text,) in asked]
        return [KnowledgeSource(self.passage.session, self.passage.at, self.passage.text), *said]

    def counts(self, connection: Connection | None) -> str:
        if self.passage.kind == REMARK:
            return "an agent stated it as a cause or decision" + (" after a failed call" if self.passage.failure is not None else "")
        if self.passage.kind == FIX:
            return "edits after which a call that had failed worked"
        return "an agent ended a turn with it"


def _exposed(connection: Connection | None, memory: str) -> list[str]:
    """Return how often a memory was shown to agents and used, and how it was marked."""
    if connection is None:
        return []
    asked = "SELECT count(*), count(used_at), max(at) FROM exposures WHERE memory = ? AND shown"
    shown, used, last = connection.execute(asked, (memory,)).fetchone()
    told = [f"shown {shown} times, last on {time_of.day_of(last)}; used {used} times"] if shown else ["never shown to an agent so far"]
    for worth, by, at in connection.execute("SELECT worth, by, at FROM ticks WHERE memory = ? ORDER BY at, id", (memory,)):
        told.append(f"marked {ticks.HELPFUL if worth else ticks.WRONG} by {'an' if by == ticks.AGENT else 'a'} {by} on {time_of.day_of(at)}")
    return told


def _judged(known: KnowledgeItem, verdicts: dict[str, Verdict]) -> KnowledgeItem:
    verdict = verdicts.get(known.id)
    if verdict is None or not verdict.is_rejected:
        return known
    return KnowledgeItem(known.id, known.kind, known.text, known.sessions, known.at, REJECTED)


def _of_verdict(verdict: Verdict) -> KnowledgeItem:
    """Return what a verdict says about a memory that is not known here (any more)."""
    prefix = verdict.memory.partition(":")[0]
    kind = prefix if prefix in KINDS else findings.FINDING
    return KnowledgeItem(verdict.memory, kind, verdict.what, 0, verdict.at, REJECTED if verdict.is_rejected else IN_FORCE)
