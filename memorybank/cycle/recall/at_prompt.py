"""What helps at a prompt, or at the task of a sub-agent: answers, earlier requests, what is mentioned, the work that is continued, and what to mind."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import FIX, SAID
from memorybank.cycle.know import findings, latest, standing, works
from memorybank.cycle.recall import continuation
from memorybank.cycle.recall.knowledge import MOST_RULES_AT_ONCE, Knowledge
from memorybank.cycle.recall.sayings import Sayings
from memorybank.summarize.findings import asks_why
from memorybank.text.commands.paths import without_folders
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.printed import asked_besides, errors_in, only_repairs
from memorybank.text.prompts.questions import asks_the_agent
from memorybank.text.prompts.refers_back import LONGEST, referring
from memorybank.text.prompts.reporters import without_reporters
from memorybank.text.prompts.routine import asks_of_a_fault, is_routine
from memorybank.text.prompts.sentences import ends, joined, sentences
from memorybank.text.prompts.stated import ENVIRONMENT
from memorybank.text.prompts.typed import asked_by, title, typed
from memorybank.text.prose.passages import excerpt
from memorybank.text.prose.readable import readable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence

    from memorybank.cycle.event import Event
    from memorybank.cycle.know.search import Passage
    from memorybank.cycle.recall.ranking import Memory
    from memorybank.cycle.recall.reading import Reading

_MOST_SAYINGS, _MOST_ANSWERS = 1, 2
LONGEST_REPLY = 60
"""Maximum number of characters of a reply that only chooses."""
_MAY_CHOOSE = lazy_pattern(
    r"^\W*(?:yes|yep|yeah|ok|sure|agree|sounds|do|go|let|implement|take|use|choose|pick|i|great|good|perfect|cool|right|fine|please|option|choice|plan|number"
    r"|start|try|proceed|continue|no|はい|うん|いい|了解|それ|賛成|お願い|進め|やって|案|オプション|選択|プラン|方法|では|じゃあ|まず"
    r"|(?-i:[1-9１-９A-FＡ-Ｆ])(?![A-Za-z0-9]))",
    "i",
)
"""Matches the beginning of every reply that `choosing` may understand, so that its patterns are not loaded for the others."""
_QUOTED = lazy_pattern(r"`([\w.+-]{1,40})`")
_WORD = lazy_pattern(r"[a-z][a-z0-9_-]{5,}")


class AtPrompt(Knowledge):
    """The knowledge that helps at one prompt.

    typed, asked: what a person typed, and the part of it that asks. Where an error is pasted or quoted, this is what they ask besides it.
    errors: the messages of these errors.
    is_first: whether the prompt begins its session. After a compaction it goes on with that session's own work.
    is_pasted: whether it is a text that a person pasted, such as a plan.
    """

    def __init__(self, reading: Reading, event: Event, connection: Connection) -> None:
        super().__init__(reading, event, connection)
        self.typed = typed(self.prompt)
        self.errors = errors_in(self.prompt)
        self._is_bare = bool(self.errors) or only_repairs(self.typed)
        self.asked = self._chosen() or without_reporters(without_folders(ends(asked_besides(self.typed) if self._is_bare else asked_by(self.prompt))))
        self.is_first = reading.context.epoch <= 1 and all(past == self.prompt for past in reading.context.past.prompts)
        self.is_pasted = bool(title(self.prompt))
        self._why = asks_why(self.typed)
        self._referring = referring(self.typed, is_first=self.is_first)
        self._asks_agent = not self._referring and asks_the_agent(self.typed)
        self._sayings = Sayings(self.memories, self.typed, why=self._why, is_pasted=self.is_pasted)

    def _chosen(self) -> str:
        """Return what a short reply chooses of the agent's last message; "" for any other prompt."""
        if len(self.typed) > LONGEST_REPLY or _MAY_CHOOSE.search(self.typed) is None:
            return ""
        from memorybank.cycle.recall.context import last_message  # late: most prompts choose nothing
        from memorybank.text.prompts.choosing import chosen

        return chosen(self.typed, lambda: last_message(self.reading.tail, self.event.agent_id))

    def find(self) -> list[Memory]:
        """Return answers to the prompt, similar earlier requests, the files that it names, and the work that it continues."""
        work = continuation.work_of(self.memories, self.going, is_first=self.is_first)
        answers, said, requests = findings.answering(self.earlier, self.asked, why=self._why, recalls=bool(self._referring))
        asks_nothing = self._asks_agent or is_routine(self.asked)
        answers, said = ([], []) if asks_nothing else (latest.up_to_date(self.earlier, answers), latest.up_to_date(self.earlier, said))
        if work is not None and work.is_of_phase:
            answers, said = map(continuation.about_no_step, (answers, said))
        best = max((passage.rank for passage in (*answers, *said)), default=1.0)
        found = [self.memories.of_passage(passage, best) for passage in answers]
        asked_before = filter(None, (self._sayings.of(passage, best, answers) for passage in said))
        found += [saying for _, saying in zip(range(_MOST_SAYINGS), asked_before, strict=False)]
        continued = continuation.told(self.memories, work, answers, is_first=self.is_first)
        names_nothing = not self.errors and (self._asks_agent or asks_of_a_fault(self.asked))
        if len(answers) < _MOST_ANSWERS and not (continued or self.is_pasted or names_nothing):
            found += self._first_new(self._mentioned(with_turns=not found), answers)
        own = self.asked if self._is_bare else self.typed
        files = [name for name in works.named_files(self.earlier, set(_WORD.findall(own.lower()))) if name not in self.typed]
        found += [self.memories.of_files(files)] if files else []
        found += self._not_found() + self._postponed([*found, *continued])
        return found + self._said_after(requests) + continued + self._cautions(found)

    def _mentioned(self, *, with_turns: bool) -> list[Passage]:
        """Return what ended the error that was pasted into a prompt, and what was said about the code and the errors that it mentions; else, `with_turns`, the
        earlier turn or the passage that it is about."""
        from memorybank.cycle.know.mentioned import Mentioned

        own = self.asked if self._is_bare else without_reporters(without_folders(self.typed))
        referring = list(map(without_reporters, self._referring)) if own else []
        asked = Mentioned(self.earlier, self.prompt, own, self.errors, referring, is_first=self.is_first)
        said = latest.up_to_date(self.earlier, asked.said(with_turns=with_turns and own != ""))
        if not self.errors:
            return list(said)
        from memorybank.cycle.know.called import FailedCall
        from memorybank.cycle.know.same_error import harmless

        failed = FailedCall((), "", "\n".join(self.errors), self.errors)
        known = [one for one in self.after_failure(failed) if one.kind == FIX or one.error or one.led_to]
        return [*known, *harmless(said)]

    def _not_found(self) -> list[Memory]:
        """Return how a program that the prompt quotes must be started, if the shell did not find it by its name alone when it was last run."""
        quoted = _QUOTED.findall(self.typed) if "`" in self.typed and not self.is_pasted else []
        if not quoted:
            return []
        from memorybank.cycle.know import launched  # late: few prompts quote a program

        known = launched.find(self.earlier.connection, quoted, self.earlier.own, self.reading.now)
        return [self.memories.of_problem(problem, 1.0) for problem in self.first(known, 1)]

    def _postponed(self, shown: Sequence[Memory]) -> list[Memory]:
        """Return what earlier sessions put off until the part of the work that this prompt begins, unless it is shown anyway, and the documents about it."""
        if len(self.typed) > LONGEST or self.is_pasted or not any(map(str.isdigit, self.typed)):
            return []
        from memorybank.cycle.know import postponed  # late: few prompts name a phase

        found: list[Memory] = []
        for one in postponed.until(self.earlier, self.typed):
            if any(one.sentence in memory.text for memory in (*shown, *found)) or latest.of(self.earlier, one.passage) is not None:
                continue
            before = next((memory for memory in found if memory.memory == one.passage.memory), None)
            memory = before or self.memories.of(one.passage, 1.0)
            self.memories.say(memory, joined(filter(None, (memory.text, one.said))))
            found += [] if before else [memory]
        files = [name for name in postponed.files_of(self.earlier, self.typed) if name not in self.typed]
        return [*found, *([self.memories.of_files(files)] if files else [])]

    def _first_new(self, mentioned: Sequence[Passage], answers: Sequence[Passage]) -> list[Memory]:
        """Return the memory of the first of these passages that none of the answers repeats."""
        for passage in mentioned:
            if any(findings.say_the_same(passage.terms, one.terms) for one in answers):
                continue
            memory: Memory | None = self.memories.of_passage(passage, passage.rank)
            if passage.kind == SAID:
                is_fact = bool(standing.stated_in(self.earlier.connection, passage, kind=ENVIRONMENT))  # a rule is shown by its own memory
                memory = self._sayings.of(passage, passage.rank, answers, alone=is_fact or findings.says_enough(passage))
            if memory is not None:
                return [memory]
        return []

    def _cautions(self, found: Sequence[Memory]) -> list[Memory]:
        """Return what earlier sessions said to mind about what a prompt asks to make or change, unless that is found anyway or was changed later."""
        from memorybank.cycle.know import cautions

        if self.is_pasted or len(self.asked) > LONGEST:
            return []
        said: list[Memory] = []
        left = cautions.LONGEST
        for one in cautions.at_request(self.earlier, sentences(self.asked)):
            text = excerpt(readable(one.said), cautions.LONGEST)
            is_said = any(text in memory.text or memory.memory == one.passage.memory for memory in (*found, *said))
            if is_said or len(text) > left or len(said) == cautions.MOST or latest.of(self.earlier, one.passage) is not None:
                continue
            memory = self.memories.of(one.passage, one.passage.rank)
            self.memories.say(memory, text)
            said.append(memory)
            left -= len(text)
        return said

    def _said_after(self, requests: Sequence[Passage]) -> list[Memory]:
        """Return the rules that people stated right after earlier requests like this one."""
        least = findings.least_sum(self.earlier.rarity) if requests else 0.0
        alike = [one for one in requests if one.sum >= least]  # "show the commits" is like many requests
        stated = standing.said_after(self.earlier, alike) if alike else []
        if not stated:
            return []
        rules = (rule for rule in self.in_force(standing=False) if rule.is_standing and not rule.made_by)
        concerned = [rule for rule in rules if any(one.statement.text in stated for one in rule.stated)]
        return [self.memories.of_rule(rule) for rule in self.first(concerned, MOST_RULES_AT_ONCE)]
