"""What the sessions before taught, as it concerns one moment: problems, rules, findings, earlier work, files that go together.

Each is asked for at the moments at which it helps (usefulness: "the right moment, else silence"), and made a candidate like a note.
Light imports only: hooks load this file.
"""

from __future__ import annotations

import re

from memorybank.clock import DAY
from memorybank.cycle import event as events
from memorybank.cycle.fold import failures
from memorybank.cycle.fold.phrases import language_of, phrase
from memorybank.cycle.know import findings, problems, rules, search, works
from memorybank.cycle.recall import together
from memorybank.cycle.recall.query import FAILURE
from memorybank.cycle.recall.ranking import HUMAN, Memory
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
    from memorybank.cycle.know.problems import Problem
    from memorybank.cycle.know.rules import Rule
    from memorybank.cycle.know.search import Passage
    from memorybank.cycle.recall.reading import Reading

    _Known = TypeVar("_Known", Problem, Rule)

MOST_PROBLEMS, MOST_RULES = 4, 10
_MOST_WORKS = 3
_WORK_CHARACTERS = 170
_RESULT_CHARACTERS = 160
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

    def at_start(self) -> list[Memory]:
        """What to know before anything is asked: the problems that recur, then the rules in force, those that come up most."""
        found = [self._of_problem(problem) for problem in self._first(self._problems(), MOST_PROBLEMS)]
        return found + [self._of_rule(rule) for rule in self._first(rules.find(self.connection, self.session, self.reading.now), MOST_RULES)]

    def works(self) -> list[Memory]:
        """What came of the last sessions, the newest first."""
        days = self.reading.base.settings.organize
        within = (days.hot_days * DAY, days.warm_days * DAY)
        last = works.last(self.connection, self.rarity, self.session, self.reading.now, within, _MOST_WORKS, _WORK_CHARACTERS)
        found = []
        for work in last:
            memory = Memory(work.memory, "session", 0, work.at, importance=0.5, session=work.session, author="tool", text=work.result)
            memory.terms = self._distinctive(content_terms(work.result))
            memory.source = self._session(work.session)
            found.append(memory)
        return found

    def at_prompt(self) -> list[Memory]:
        """Answers to what is asked, what was asked like it, and the files that went with it."""
        prompt = typed(self.event.prompt or "")
        asked = content_terms(asked_by(self.event.prompt or ""))
        answers, said = self._answering(asked)
        wanted = [passage for passage in (*answers, *said) if passage.memory not in self._refused()]
        best = max((passage.rank for passage in wanted), default=1.0)
        found = [self._of_passage(passage, best) for passage in answers]
        found += [self._of_saying(passage, best) for passage in said if passage.text.strip() != prompt.strip()]
        files = works.likely_files(self.connection, wanted, self._knows, self.reading.now)
        named = works.named_files(self.connection, set(_WORD.findall(prompt.lower())), self.reading.now)
        files += [name for name in named if name not in files and name not in prompt and not self._knows(name)]
        found += [self._of_files(files)] if files else []
        return found

    def at_call(self) -> list[Memory]:
        """A problem of this very call; what goes together with the file that it changes."""
        called = self._called()
        return [self._of_problem(problem, 1.0) for problem in self._problems() if problem.concerns(called)]

    def at_failure(self) -> list[Memory]:
        """What makes this call work, and what others said after failures like it."""
        called = [*self._called(), *forms.of_output(f"{self.event.output or ''}\n{self.event.error or ''}")]
        found = [self._of_problem(problem, 1.0) for problem in self._problems() if problem.concerns(called)]
        error = content_terms(f"{self.event.error or ''} {self._command()}")
        remarks = self._after_failure(called, error)
        best = max((remark.rank for remark in remarks if remark.memory not in self._refused()), default=1.0)
        return found + [self._of_passage(remark, best) for remark in remarks]

    def _answering(self, asked: Sequence[str]) -> tuple[list[Passage], list[Passage]]:
        """Answers and sayings; refused ones take nobody's place, and come last, so that they are named with their reason."""
        refused = self._refused()
        found = findings.answering(self.connection, self.rarity, asked, self.session, self.reading.now, refused)
        if refused:
            every = findings.answering(self.connection, self.rarity, asked, self.session, self.reading.now)
            for kept, others in zip(found, every, strict=True):
                kept += [passage for passage in others if passage.memory in refused]
        return found

    def _after_failure(self, called: Sequence[str], error: Sequence[str]) -> list[Passage]:
        refused = self._refused()
        found = findings.after_failure(self.connection, self.rarity, called, error, self.session, self.reading.now, refused)
        if refused:
            every = findings.after_failure(self.connection, self.rarity, called, error, self.session, self.reading.now)
            found += [passage for passage in every if passage.memory in refused]
        return found

    def _refused(self) -> set[str]:
        return {*self.reading.rejected, *self.reading.wrong}

    def _first(self, found: Sequence[_Known], most: int) -> list[_Known]:
        """The first of these, rejected ones not counted: they take nobody's place, and are named with their reason."""
        allowed = [one for one in found if one.memory not in self.reading.rejected]
        return allowed[:most] + [one for one in found if one.memory in self.reading.rejected]

    def _knows(self, name: str) -> bool:
        return self.reading.knows(f"file:{name}")

    def _problems(self) -> list[Problem]:
        return problems.find(self.connection, self.session, self.reading.now)

    def _called(self) -> list[str]:
        other = self.event.inputs.get("other")
        named = next((value for value in other.values() if isinstance(value, str)), "") if isinstance(other, dict) else ""
        return failures.forms_of(self.event.tool, self._command(), named)

    def _command(self) -> str:
        command = self.event.inputs.get("command")
        return command if isinstance(command, str) else ""

    def _together(self) -> list[Memory]:
        reading = self.reading
        own = (self.session, reading.context.agent)
        return together.find(self.connection, reading.query.given, own, reading.now, reading.knows, self.language)

    def _of_problem(self, problem: Problem, relevance: float = 0.0) -> Memory:
        memory = Memory(problem.memory, problems.PROBLEM, 0, problem.at, importance=min(1.0, problem.failed / _MANY), author="tool")
        memory.text = problems.text(problem, self.language)
        memory.names = [f"{_FORM}{problem.remedy}"]
        memory.shared = [f"cmd:{problem.form}"] if relevance else ()
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
        heading = f"{passage.heading}: " if passage.heading and passage.heading.lower() not in passage.text.lower() else ""
        memory.text = f"{heading}{passage.text}"
        memory.names = [anchor for anchor in anchors.of_text(passage.text, self.reading.base.root) if anchor.startswith("file:")]
        return memory

    def _of_saying(self, passage: Passage, best: float) -> Memory:
        """What was asked before, with what came of it."""
        memory = self._of(passage, best)
        answered = works.result_of_turn(self.connection, self.rarity, passage.turn, _RESULT_CHARACTERS)
        name = "asked_and_answered" if answered else "asked"
        memory.text = phrase(name, self.language, asked=shortened(passage.text, 200), answered=answered)
        return memory

    def _of(self, passage: Passage, best: float) -> Memory:
        memory = Memory(passage.memory, findings.FINDING, 0, passage.at, importance=0.5, session=passage.session, author="")
        memory.matched = sorted(passage.matched, key=lambda term: (-self.rarity.of(term), term))
        memory.match = passage.share
        memory.relevance = min(1.0, passage.rank / best)
        memory.terms = self._distinctive(term for term in passage.terms if term not in passage.matched)
        memory.source = self._session(passage.session)
        return memory

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
