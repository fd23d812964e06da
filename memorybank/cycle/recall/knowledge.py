"""Finds the knowledge from earlier sessions (problems, rules, findings, earlier work, named files) that helps at one moment.

What prompts, calls and failures ask is in `at_prompt`, `at_call` and `moments`, because each moment starts a process, which loads what it needs."""

from __future__ import annotations

__light__ = True

from memorybank.cycle import event as events
from memorybank.cycle.fold.phrases import language_of
from memorybank.cycle.know.earlier import Earlier
from memorybank.cycle.recall.memories import Memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence
    from typing import TypeVar

    from memorybank.cycle.event import Event
    from memorybank.cycle.know.called import FailedCall
    from memorybank.cycle.know.continued import GoingOn
    from memorybank.cycle.know.earlier import Decision
    from memorybank.cycle.know.overviews import Overviews
    from memorybank.cycle.know.passing import Passing
    from memorybank.cycle.know.problems import KnownProblem
    from memorybank.cycle.know.rules import Rule
    from memorybank.cycle.know.search import Passage
    from memorybank.cycle.recall.ranking import Memory
    from memorybank.cycle.recall.reading import Reading
    from memorybank.reasons.reason import Reason

    _Known = TypeVar("_Known", KnownProblem, Rule)

MOST_PROBLEMS, MOST_RULES = 4, 10
MOST_RULES_AT_ONCE = 2
"""Maximum number of rules at a command or at a request."""


class Knowledge:
    """The knowledge of one bank, as one reader may see it at one moment."""

    def __init__(self, reading: Reading, event: Event, connection: Connection) -> None:
        self.reading = reading
        self.event = event
        self.language = language_of(reading.query.text)
        self.prompt = event.prompt or (reading.query.text if reading.query.moment == events.SUBAGENT_START else "")
        self.earlier = Earlier(connection, reading.context.session, reading.now, self._decide)
        self.memories = Memories(reading, self.earlier, self.language)
        self._wrapping: frozenset[str] | None = None
        self._going: GoingOn | None = None
        self._holding: tuple[Passing, Overviews] | None = None

    @property
    def going(self) -> GoingOn:
        """Whether and how the prompt goes on with earlier work."""
        if self._going is None:
            from memorybank.cycle.know.continued import going_on  # late: only prompts continue work

            self._going = going_on(self.prompt)
        return self._going

    def _decide(self, passage: Passage) -> Decision:
        """Decide whether a passage may be shown, and what of its text: neither what is over, nor an overview that nobody asked for."""
        refused = self.reading.refuses(passage)
        if refused is not None:
            return refused, passage.text
        from memorybank.cycle.know.overviews import OVERVIEW, Overviews  # late, as the next one: most calls find nothing
        from memorybank.cycle.know.passing import OVER, Passing

        if self._holding is None:
            self._holding = Passing(self.earlier, asks_for_open=self._asks_for_open()), Overviews(self.earlier, self.reading.base.root, self.prompt)
        passing, overviews = self._holding
        left = passing.left(passage)
        if not left:
            return OVER, passage.text
        left = overviews.left(passage, left)
        return (None, left) if left else (OVERVIEW, passage.text)

    def _asks_for_open(self) -> bool:
        from memorybank.text.prompts.questions import asks_for_open

        return self.prompt != "" and (asks_for_open(self.prompt) or self.going.asked is not None or self.going.phase is not None)

    def refused(self) -> list[Memory]:
        """Return what the searches found and may not be shown, so that it is listed with its reason."""
        return [self.memories.of_passage(passage, passage.rank or 1.0) for passage in self.earlier.refused.values()]

    def at_start(self) -> list[tuple[Memory, Reason | None]]:
        """Return the recurring problems, the usual commands, then the rules, each with the reason why it is left out; None when it may be shown."""
        from memorybank.cycle.know import standing, usual
        from memorybank.notes import loaded

        problems = [(self.memories.of_problem(problem), None) for problem in self.first(self._problems(), MOST_PROBLEMS)]
        ranked = standing.ranked(self.in_force())
        read = loaded.at_top(self.reading.base.root)
        found = usual.find(self.earlier.connection, self.earlier.own, self.reading.now, read, self._wrapping)
        commands = [(self.memories.of_commands(found), None)] if found is not None else []
        return [*problems, *commands, *((self.memories.of_rule(rule), standing.why_not(rule, read)) for rule in self.first(ranked, MOST_RULES))]

    def find(self) -> list[Memory]:
        """Return what helps at the moment of the event."""
        return []

    def after_failure(self, failed: FailedCall) -> list[Passage]:
        """Return what helps after a failed call, as it is at last."""
        from memorybank.cycle.know import after_failure, latest

        return latest.up_to_date(self.earlier, after_failure.said(self.earlier, failed))

    def first(self, found: Sequence[_Known], most: int) -> list[_Known]:
        """Return the first `most` of these. Rejected ones do not count towards the limit and come last, so that they are listed with their reason."""
        allowed = [one for one in found if one.memory not in self.reading.rejected]
        return allowed[:most] + [one for one in found if one.memory in self.reading.rejected]

    def _problems(self, called: Sequence[str] | None = None) -> list[KnownProblem]:
        from memorybank.cycle.know import problems

        self._wrapping = problems.wrappers(self.earlier.connection)
        return problems.find(self.earlier.connection, self.earlier.own, self.reading.now, called, self._wrapping)

    def problems_of_call(self, called: Sequence[str], command: str) -> list[Memory]:
        """Return the problems of a call of these forms, unless it has what they lacked."""
        from memorybank.cycle.know import variables

        found = []
        for problem in self._problems(called):
            lacked = problem.form, problem.remedy, problem.command
            if problem.concerns(called) and not variables.has_what_it_lacked(self.earlier.connection, *lacked, command):
                found.append(self.memories.of_problem(problem, 1.0))
        return found

    def in_force(self, *, standing: bool = True) -> list[Rule]:
        """Return the rules in force, those of people first, without permissions: repeated, a single permission would allow an agent to bypass every check that
        ever fails. standing: what applies to all work; otherwise what people stated, without what they only expect."""
        from memorybank.cycle.know import rules

        found = (rules.find if standing else rules.stated)(self.earlier.connection, self.earlier.own, self.reading.now, self.reading.allowed)
        if self.has_extracted():
            from memorybank.cycle.know import by_model

            found += by_model.rules(self.earlier.connection, self.earlier.own, self.reading.now)
        return [rule for rule in found if not rule.is_permission]

    def has_extracted(self) -> bool:
        return self.earlier.connection.execute("SELECT 1 FROM extracted WHERE kind = 'rule' LIMIT 1").fetchone() is not None
