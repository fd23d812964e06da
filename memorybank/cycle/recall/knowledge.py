"""What the sessions before taught, as it concerns one moment: problems, rules, findings, earlier work, named files.

Each is asked for at the moments at which it helps (usefulness: "the right moment, else silence"), and made a candidate like a note.
"""

from __future__ import annotations

__light__ = True

import re

from memorybank.clock import DAY
from memorybank.cycle import event as events
from memorybank.cycle import importance
from memorybank.cycle.fold import failures
from memorybank.cycle.fold.passages import FIX
from memorybank.cycle.fold.phrases import language_of, phrase
from memorybank.cycle.know import findings, problems, rules, search, works
from memorybank.cycle.recall.query import FAILURE
from memorybank.cycle.recall.ranking import HUMAN, SESSION, Memory
from memorybank.storage.sqlite import sqlite3
from memorybank.text import anchors, forms
from memorybank.text.passages import shortened
from memorybank.text.terms import content_terms
from memorybank.text.typed import typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable, Sequence
    from typing import TypeVar

    from memorybank.cycle.event import Event
    from memorybank.cycle.know.problems import KnownProblem
    from memorybank.cycle.know.rules import Rule
    from memorybank.cycle.know.search import Passage
    from memorybank.cycle.recall.reading import Reading

    _Known = TypeVar("_Known", KnownProblem, Rule)

MOST_PROBLEMS, MOST_RULES = 4, 10
_MOST_RULES_AT_CALL = 2
_MOST_WORKS = 3
_WORK_CHARACTERS = 150
_PASSAGE_CHARACTERS = 260
_RESULT_CHARACTERS, _ANSWER_CHARACTERS, _EARLIER_CHARACTERS = 160, 340, 240
"""Of what came of an earlier request: one like this prompt, the same one again, and the work most like a first prompt."""
_SAME_QUESTION = 0.6
"""Share of a prompt that an earlier sentence holds when it asks the same."""
_LEAST_RULE = 3
"""Words of a statement that a call or a prompt must hold, or all it has, so that it concerns it."""
_MOST_TERMS = 12
_MOST_ERROR_LINES, _ERROR_CHARACTERS = 4, 600
_MOSTLY = 0.8
"""Share of a prompt that a person typed, above which nothing was pasted."""
_TITLE = re.compile(r"^#{1,3} +(.+)$", re.MULTILINE)
_WORD = re.compile(r"[a-z][a-z0-9_-]{5,}")
_FORM = "form:"
"""Kind of an anchor: a command of this form is the use of the problem that named it."""
_EVENT_OF_PASSAGE = "SELECT p.file, p.offset, e.task FROM passages p LEFT JOIN events e ON e.file = p.file AND e.offset = p.offset WHERE p.id = ?"
_BEHIND = 0.7
"""Relevance of the best that was said of a failure, behind the command that works."""
_SELDOM, _FEW = 0.05, 3
"""A word names a file while at most this share of the passages holds it, or so few of a small bank."""
_MANY = 10
"""Sessions after which a problem or a rule is as important as any."""


class Knowledge:
    """The knowledge of one bank as one reader may see it at one moment."""

    def __init__(self, reading: Reading, event: Event, connection: Connection) -> None:
        self.reading = reading
        self.event = event
        self.connection = connection
        self.rarity = search.Rarity(connection)
        self.session = reading.context.session
        self.language = language_of(reading.query.text)
        self.prompt = event.prompt or (reading.query.text if reading.query.moment == events.SUBAGENT_START else "")

    def at_start(self) -> list[Memory]:
        """What to know before anything is asked: the problems that recur, then the rules in force, those that come up most."""
        found = [self._of_problem(problem) for problem in self._first(self._problems(), MOST_PROBLEMS)]
        return found + [self._of_rule(rule) for rule in self._first(self._rules(), MOST_RULES)]

    def works(self) -> list[Memory]:
        """What came of the last sessions, the newest first."""
        days = self.reading.base.settings.organize
        within = (days.hot_days * DAY, days.warm_days * DAY)
        last = works.last(self.connection, self.rarity, self.session, self.reading.now, within, _MOST_WORKS, _WORK_CHARACTERS, self._is_refused)
        found = []
        for work in last:
            memory = Memory(work.memory, SESSION, 0, work.at, importance=0.5, session=work.session, author="tool", text=work.result)
            memory.terms = self._distinctive(content_terms(work.result))
            memory.source = self._session(work.session)
            found.append(memory)
        return found

    def at_prompt(self) -> list[Memory]:
        """Answers to what is asked (of a sub-agent by its task), what was asked like it, and the files that it names."""
        prompt = typed(self.prompt)
        asked = content_terms(asked_by(self.prompt))
        answers, said = self._answering(asked)
        wanted = [passage for passage in answers if not self._is_refused(passage)]
        best = max((passage.rank for passage in (*wanted, *said) if not self._is_refused(passage)), default=1.0)
        found = [self._of_passage(passage, best) for passage in answers]
        found += [saying for passage in said if (saying := self._of_saying(passage, best, prompt, wanted)) is not None]
        if not wanted and not self.reading.context.past.prompts:
            named = {memory.memory for memory in found}
            found += [memory for memory in self._of_earlier_work(asked) if memory.memory not in named]
        words = [word for word in dict.fromkeys(_WORD.findall(prompt.lower())) if self._is_seldom(word)]
        mentioned = works.named_files(self.connection, words, self.reading.now)
        files = [name for name in mentioned if name not in prompt and not self._knows(name)]
        found += [self._of_files(files)] if files else []
        return found

    def at_call(self) -> list[Memory]:
        """A problem of this very call; what people said about the command."""
        called = self._called()
        found = [self._of_problem(problem, 1.0) for problem in self._problems() if problem.concerns(called)]
        if self.event.tool == "Bash":
            concerned = [rule for rule in self._rules() if rule.concerns(called)]
            found += [self._of_rule(rule) for rule in self._first(concerned, _MOST_RULES_AT_CALL)]
        return found

    def at_failure(self) -> list[Memory]:
        """What makes this call work, and what others said after failures like it."""
        called = [*self._called(), *forms.of_output(f"{self.event.output or ''}\n{self.event.error or ''}")]
        found = [self._of_problem(problem, 1.0) for problem in self._problems() if problem.concerns(called)]
        error = content_terms(f"{self.event.error or ''} {self._command()}")
        remarks = self._after_failure(called, error)
        is_mended = any(one.memory not in self.reading.rejected for one in found)
        best = max((remark.rank for remark in remarks if not self._is_refused(remark)), default=1.0) / (_BEHIND if is_mended else 1.0)
        return found + [self._of_passage(remark, best) for remark in remarks]

    def _answering(self, asked: Sequence[str]) -> tuple[list[Passage], list[Passage]]:
        """Answers and sayings; refused ones take nobody's place, and come last, so that they are named with their reason."""
        found = findings.answering(self.connection, self.rarity, asked, self.session, self.reading.now, self._is_refused)
        if self._refuses_any():
            every = findings.answering(self.connection, self.rarity, asked, self.session, self.reading.now)
            for kept, others in zip(found, every, strict=True):
                kept += [passage for passage in others if self._is_refused(passage)]
        return found

    def _after_failure(self, called: Sequence[str], error: Sequence[str]) -> list[Passage]:
        found = findings.after_failure(self.connection, self.rarity, called, error, self.session, self.reading.now, self._is_refused)
        if self._refuses_any():
            every = findings.after_failure(self.connection, self.rarity, called, error, self.session, self.reading.now)
            found += [passage for passage in every if self._is_refused(passage)]
        return found

    def _is_refused(self, passage: Passage) -> bool:
        """Whether a person rejected a passage or what says the same, or it was marked wrong."""
        return passage.memory in self.reading.wrong or self.reading.rejection_of(passage) is not None

    def _refuses_any(self) -> bool:
        return bool(self.reading.rejected or self.reading.wrong)

    def _first(self, found: Sequence[_Known], most: int) -> list[_Known]:
        """The first of these, rejected ones not counted: they take nobody's place, and are named with their reason."""
        allowed = [one for one in found if one.memory not in self.reading.rejected]
        return allowed[:most] + [one for one in found if one.memory in self.reading.rejected]

    def _is_seldom(self, word: str) -> bool:
        """Whether so few passages hold a word that it can name a file: a project about Claude does not mean CLAUDE.md by it."""
        return max(map(self.rarity.count, content_terms(word)), default=0) <= max(_FEW, _SELDOM * self.rarity.passages)

    def _knows(self, name: str) -> bool:
        return self.reading.knows(f"file:{name}")

    def _problems(self) -> list[KnownProblem]:
        return problems.find(self.connection, self.session, self.reading.now)

    def _rules(self) -> list[Rule]:
        """The rules in force. What a person allowed once is none: told again, it would allow to pass every check that ever fails."""
        return [rule for rule in rules.find(self.connection, self.session, self.reading.now) if not rule.is_permission]

    def _called(self) -> list[str]:
        other = self.event.inputs.get("other")
        named = next((value for value in other.values() if isinstance(value, str)), "") if isinstance(other, dict) else ""
        return failures.forms_of(self.event.tool, self._command(), named)

    def _command(self) -> str:
        command = self.event.inputs.get("command")
        return command if isinstance(command, str) else ""

    def _of_problem(self, problem: KnownProblem, relevance: float = 0.0) -> Memory:
        weight = min(1.0, problem.failed / _MANY)
        memory = Memory(problem.memory, problems.PROBLEM, 0, problem.at, importance=weight, agent=events.MAIN, author="tool")  # counted for this reader
        memory.text = problems.text(problem, self.language)
        memory.names = [f"{_FORM}{problem.remedy}"]
        if relevance:  # it is about this very call, and its remedy made it succeed
            memory.shared = [f"cmd:{problem.form}"]
            memory.fingerprint = self.reading.query.fingerprint
        memory.relevance = relevance
        return memory

    def _of_rule(self, rule: Rule) -> Memory:
        memory = Memory(
            rule.memory, rules.RULE, 0, rule.at, importance=min(1.0, (rule.sessions + 2) / _MANY), author=HUMAN, text=rules.text(rule, self.language)
        )
        memory.terms = self._distinctive(rule.terms)
        return memory

    def _of_passage(self, passage: Passage, best: float) -> Memory:
        memory = self._of(passage, best)
        if passage.kind == FIX:
            memory.text = phrase("fixed_by", self.language, changes=passage.text, error=passage.heading)
            memory.names = [anchor for anchor in anchors.of_text(passage.text, self.reading.base.root) if anchor.startswith("file:")]
            return memory
        heading = f"{passage.heading}: " if passage.heading and passage.heading.lower() not in passage.text.lower() else ""
        memory.text = shortened(f"{heading}{passage.text}", _PASSAGE_CHARACTERS)
        memory.names = [anchor for anchor in anchors.of_text(passage.text, self.reading.base.root) if anchor.startswith("file:")]
        return memory

    def _of_saying(self, passage: Passage, best: float, prompt: str, answers: Sequence[Passage]) -> Memory | None:
        """What was asked before, with what came of it; None where one of the answers says that, and for the prompt itself, where nothing did."""
        memory = self._of(passage, best)
        limit = _ANSWER_CHARACTERS if passage.share >= _SAME_QUESTION else _RESULT_CHARACTERS
        answered = works.result_of_turn(self.connection, self.rarity, passage.turn, limit, self._is_refused)
        if not answered and passage.text.strip() == prompt.strip():
            return None
        if answered and any(answer.text in answered or answered.rstrip(" …") in answer.text for answer in answers):
            return None
        name = "asked_and_answered" if answered else "asked"
        memory.text = phrase(name, self.language, asked=shortened(passage.text, 200), answered=answered)
        return memory

    def _of(self, passage: Passage, best: float) -> Memory:
        file, offset, task = self.connection.execute(_EVENT_OF_PASSAGE, (passage.id,)).fetchone()
        memory = Memory(
            passage.memory, findings.FINDING, 0, passage.at, importance=self._importance(file, offset), session=passage.session, task=task, author=""
        )
        memory.matched = sorted(passage.matched, key=lambda term: (-self.rarity.of(term), term))
        memory.match = passage.share
        memory.relevance = min(1.0, passage.rank / best)
        memory.terms = self._distinctive(term for term in passage.terms if term not in passage.matched)
        memory.source = self._session(passage.session)
        return memory

    def _of_earlier_work(self, asked: Sequence[str]) -> list[Memory]:
        """At the first prompt of a session what came of the work most like it, though no passage answers the prompt. Where that is refused, it
        comes last, so that it is named with its reason."""
        found = []
        passage = findings.nearest(self.connection, self.rarity, asked, self.session, self.reading.now, self._is_refused)
        result = works.result_of_turn(self.connection, self.rarity, passage.turn, _EARLIER_CHARACTERS, self._is_refused) if passage is not None else ""
        if passage is not None and result:
            found.append(self._of(passage, passage.rank))
            found[0].text = result
        nearest = findings.nearest(self.connection, self.rarity, asked, self.session, self.reading.now) if self._refuses_any() else None
        if nearest is not None and self._is_refused(nearest):
            found.append(self._of_passage(nearest, nearest.rank))
        return found

    def _importance(self, file: int, offset: int) -> float:
        factors = importance.of_event(self.connection, file, offset)
        return importance.event_importance(factors, self.reading.base.settings.event_importance) if factors is not None else importance.NEUTRAL

    def _of_files(self, files: Sequence[str]) -> Memory:
        name = "files:" + ",".join(files)
        memory = Memory(name, works.FILES, 0, self.reading.now, importance=0.5, author="tool")
        memory.text = phrase("files", self.language, parts=", ".join(files))
        memory.names = [f"file:{name}" for name in files]
        memory.relevance = 0.5
        return memory

    def _distinctive(self, terms: Iterable[str]) -> list[str]:
        """The rarest of these terms: a text that carries them took them from here."""
        found = list(dict.fromkeys(terms))
        self.rarity.learn(found)
        return sorted(found, key=lambda term: (self.rarity.count(term), term))[:_MOST_TERMS]

    def _session(self, session: str) -> str:
        """Where a reader finds more of a session: its note, else its id."""
        row = self.connection.execute("SELECT note FROM finished WHERE session = ?", (session,)).fetchone()
        if row is not None and row[0]:
            layout = self.reading.base.layout
            return layout.relative(layout.note_path(row[0]))
        return f"session {session[:8]}"


def asked_by(prompt: str) -> str:
    """What a prompt asks: what the person typed; of a pasted document its title, of a pasted error what it says."""
    own = typed(prompt)
    title = _TITLE.search(prompt)
    if title is not None:
        return own or title[1]
    if len(own) >= len(prompt.strip()) * _MOSTLY:
        return own
    from memorybank.text.telling import telling_lines

    return f"{own} {' '.join(telling_lines(prompt)[:_MOST_ERROR_LINES])[:_ERROR_CHARACTERS]}"


def find(reading: Reading, event: Event, connection: Connection | None) -> list[Memory]:
    """What is known that concerns this moment; nothing where the cache is damaged, or written for longer than a hook waits."""
    ask = {
        events.PROMPT: Knowledge.at_prompt,
        events.SUBAGENT_START: Knowledge.at_prompt,
        events.TOOL_BEFORE: Knowledge.at_call,
        FAILURE: Knowledge.at_failure,
    }.get(reading.query.moment)
    if ask is None or connection is None:
        return []
    try:
        return ask(Knowledge(reading, event, connection))
    except sqlite3.DatabaseError:
        return []
