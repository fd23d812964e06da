"""Finds the knowledge from earlier sessions (problems, rules, findings, earlier work, named files) that helps at one moment."""

from __future__ import annotations

__light__ = True

from memorybank.cycle import event as events
from memorybank.cycle.fold.kinds import FIX, SAID
from memorybank.cycle.fold.phrases import language_of
from memorybank.cycle.know import findings, standing, works
from memorybank.cycle.know.earlier import Earlier
from memorybank.cycle.know.latest import Latest
from memorybank.cycle.know.overviews import OVERVIEW, Overviews
from memorybank.cycle.know.passing import OVER, Passing
from memorybank.cycle.recall.memories import Memories
from memorybank.cycle.recall.query import FAILURE
from memorybank.cycle.recall.ranking import Memory
from memorybank.cycle.recall.sayings import Sayings
from memorybank.reasons.reason import Reason
from memorybank.storage.sqlite import sqlite3
from memorybank.summarize.findings import asks_why
from memorybank.text.commands.paths import relative, without_folders
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.refers_back import LONGEST, referring
from memorybank.text.prompts.reporters import without_reporters
from memorybank.text.prompts.routine import is_routine
from memorybank.text.prompts.sentences import ends, sentences
from memorybank.text.prompts.typed import asked_by, title, typed
from memorybank.text.prose.momentary import asks_for_open
from memorybank.text.prose.passages import shortened
from memorybank.text.prose.readable import readable
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence
    from typing import TypeVar

    from memorybank.cycle.event import Event
    from memorybank.cycle.know.called import FailedCall
    from memorybank.cycle.know.continued import GoingOn
    from memorybank.cycle.know.earlier import Decision
    from memorybank.cycle.know.inputs import Inputs
    from memorybank.cycle.know.problems import KnownProblem
    from memorybank.cycle.know.rules import Rule
    from memorybank.cycle.know.search import Passage
    from memorybank.cycle.recall.reading import Reading

    _Known = TypeVar("_Known", KnownProblem, Rule)

MOST_PROBLEMS, MOST_RULES = 4, 10
_MOST_RULES_AT_CALL = 2
"""Maximum number of rules at a command or at a request."""
_FEW_PASSAGES, _PASSAGES_FOR_EACH = 4, 250
"""A rule whose object is in more passages than the first, and in more than one for each of the second, would be shown at unrelated calls."""
_MOST_SAYINGS, _MOST_ANSWERS = 1, 2
_WORD = lazy_pattern(r"[a-z][a-z0-9_-]{5,}")
_BEHIND = 0.7
"""Relevance of the best remark about a failure when a command that works is shown before it."""


class Knowledge:
    """The knowledge of one bank, as one reader may see it at one moment."""

    def __init__(self, reading: Reading, event: Event, connection: Connection) -> None:
        self.reading = reading
        self.event = event
        self.language = language_of(reading.query.text)
        self.prompt = event.prompt or (reading.query.text if reading.query.moment == events.SUBAGENT_START else "")
        self.earlier = Earlier(connection, reading.context.session, reading.now, self._decide)
        self.memories = Memories(reading, self.earlier, self.language)
        self.latest = Latest(self.earlier)
        self._wrapping: frozenset[str] | None = None
        self._going: GoingOn | None = None
        self._passing = Passing(self.earlier, asks_for_open=self.prompt != "" and self._asks_for_open())
        self._overviews = Overviews(connection, reading.base.root, self.prompt, reading.now)

    @property
    def going(self) -> GoingOn:
        """Whether and how the prompt goes on with earlier work."""
        if self._going is None:
            from memorybank.cycle.know.continued import going_on  # late: only prompts continue work

            self._going = going_on(self.prompt)
        return self._going

    def _asks_for_open(self) -> bool:
        return asks_for_open(self.prompt) or self.going.asked is not None or self.going.phase is not None

    def _decide(self, passage: Passage) -> Decision:
        """Decide whether a passage may be told, and what of its text: neither what is over, nor an overview that nobody asked for."""
        refused = self.reading.refuses(passage)
        if refused is not None:
            return refused, passage.text
        left = self._passing.left(passage)
        if not left:
            return OVER, passage.text
        left = self._overviews.left(passage, left)
        return (None, left) if left else (OVERVIEW, passage.text)

    def refused(self) -> list[Memory]:
        """Return what the searches found and may not be told, so that it is listed with its reason."""
        return [self.memories.of_passage(passage, passage.rank or 1.0) for passage in self.earlier.refused.values()]

    def at_start(self) -> list[tuple[Memory, Reason | None]]:
        """Return the recurring problems, the usual commands, then the rules, each with the reason why it is left out; None when it may be shown."""
        from memorybank.cycle.know import usual
        from memorybank.notes import loaded

        problems = [(self.memories.of_problem(problem), None) for problem in self._first(self._problems(), MOST_PROBLEMS)]
        ranked = standing.ranked(self.in_force(), lambda rule: rule.shown(self.language))
        read = loaded.at_top(self.reading.base.root)
        found = usual.find(self.earlier.connection, self.earlier.own, self.reading.now, read, self._wrapping)
        commands = [(self.memories.of_commands(found), None)] if found is not None else []
        return [*problems, *commands, *((self.memories.of_rule(rule), standing.why_not(rule, read)) for rule in self._first(ranked, MOST_RULES))]

    def at_prompt(self) -> list[Memory]:
        """Return answers to a prompt (or to the task of a sub-agent), similar earlier requests, the files that it names, and the work that it continues."""
        from memorybank.cycle.recall import continuation  # late: only prompts continue work

        prompt = typed(self.prompt)
        asked = without_reporters(without_folders(ends(asked_by(self.prompt))))
        why = asks_why(prompt)
        is_first = all(past == self.prompt for past in self.reading.context.past.prompts)
        referred = referring(prompt, is_first=is_first)
        work = continuation.work_of(self.memories, self.going, is_first=is_first)
        answers, said, requests = findings.answering(self.earlier, asked, why=why, recalls=bool(referred))
        answers, said = ([], []) if is_routine(asked) else (self.latest.up_to_date(answers), self.latest.up_to_date(said))
        if work is not None and work.is_of_phase:
            answers, said = map(continuation.about_no_step, (answers, said))
        best = max((passage.rank for passage in (*answers, *said)), default=1.0)
        found = [self.memories.of_passage(passage, best) for passage in answers]
        sayings = Sayings(self.memories, self.latest, prompt, why=why, is_pasted=bool(title(self.prompt)))
        asked_before = filter(None, (sayings.of(passage, best, answers) for passage in said))
        found += [saying for _, saying in zip(range(_MOST_SAYINGS), asked_before, strict=False)]
        continued = continuation.told(self.memories, work, answers, is_first=is_first)
        if len(answers) < _MOST_ANSWERS and not continued and not sayings.is_pasted:
            mentioned = self._mentioned(prompt, list(map(without_reporters, referred)), is_first=is_first, with_turns=not found)
            found += self._first_new(mentioned, answers, sayings)
        files = [name for name in works.named_files(self.earlier, set(_WORD.findall(prompt.lower()))) if name not in prompt]
        found += [self.memories.of_files(files)] if files else []
        cautions = [] if sayings.is_pasted else self._cautions(asked, found)
        return found + self._said_after(requests) + continued + cautions

    def _mentioned(self, prompt: str, referred: Sequence[str], *, is_first: bool, with_turns: bool) -> list[Passage]:
        """Return what ended the error that was pasted into a prompt, and what was said about the code and the errors that it mentions; else, `with_turns`, the
        earlier turn or the passage that it is about."""
        from memorybank.cycle.know.mentioned import Mentioned

        asked = Mentioned(self.earlier, self.prompt, without_reporters(without_folders(prompt)), referred, is_first=is_first)
        fixes: Sequence[Passage] = ()
        if asked.error:
            from memorybank.cycle.know.called import FailedCall

            fixes = self._after_failure(FailedCall((), "", "\n".join(asked.error), asked.error))
        return [*(passage for passage in fixes if passage.kind == FIX), *self.latest.up_to_date(asked.said(with_turns=with_turns))]

    def _first_new(self, mentioned: Sequence[Passage], answers: Sequence[Passage], sayings: Sayings) -> list[Memory]:
        """Return the memory of the first of these passages that none of the answers repeats."""
        for passage in mentioned:
            if any(findings.say_the_same(passage.terms, one.terms) for one in answers):
                continue
            memory: Memory | None = self.memories.of_passage(passage, passage.rank)
            if passage.kind == SAID:
                alone = findings.says_enough(passage) or standing.has_fact(self.earlier.connection, passage)  # a rule is shown by its own memory
                memory = sayings.of(passage, passage.rank, answers, alone=alone)
            if memory is not None:
                return [memory]
        return []

    def _cautions(self, asked: str, found: Sequence[Memory]) -> list[Memory]:
        """Return what earlier sessions said to mind about what a prompt asks to make or change, unless that is found anyway or was changed later."""
        from memorybank.cycle.know import cautions

        if len(asked) > LONGEST:
            return []
        said: list[Memory] = []
        left = cautions.LONGEST
        for one in cautions.at_request(self.earlier, sentences(asked)):
            text = shortened(readable(one.said), cautions.LONGEST)
            is_said = any(text in memory.text or memory.memory == one.passage.memory for memory in (*found, *said))
            if is_said or len(text) > left or len(said) == cautions.MOST or self.latest.of(one.passage) is not None:
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
        return [self.memories.of_rule(rule) for rule in self._first(concerned, _MOST_RULES_AT_CALL)]

    def at_call(self) -> list[Memory]:
        """Return the problems of exactly this call, what earlier sessions said about what it touches or searches for, and what people said about it."""
        from memorybank.cycle.know.called import command_of, forms_at_call, forms_with_inner  # late, as other imports here: most moments need no problems

        found = [*self._problems_of_call(forms_at_call(self.event), command_of(self.event)), *(self._on_command() if self.event.tool == "Bash" else ())]
        path = self.event.inputs.get("file_path") if self.event.tool in events.EDITS else None
        file = relative(path, self.reading.base.root, folder=self.event.cwd) if isinstance(path, str) else ""
        found += self._rules_about(forms_with_inner(self.event), file) if self.event.tool == "Bash" or file else []
        named = {memory.memory for memory in found}
        return found + [memory for memory in self._on_call() if memory.memory not in named]

    def _rules_about(self, called: Sequence[str], file: str) -> list[Memory]:
        """Return what people said about a file, about a command of one of these forms, or about what the call brings in."""
        from memorybank.cycle.know import inputs, rules
        from memorybank.cycle.know.called import command_of
        from memorybank.text.commands import fingerprint
        from memorybank.text.commands.actions import of_forms
        from memorybank.text.prompts.actions import spellings
        from memorybank.text.prompts.folders import names_folder_of

        command, before = command_of(self.event), self.reading.tail
        written = [file] if file else [f"{path}/" for path in fingerprint.written_files(command, self.reading.base.root, self.event.cwd)]
        words = [part.lower() for path in written for part in path.split("/")[:-1] or [path]]
        if not file:
            words += [word.rpartition("/")[2] for form in called for word in form.lower().split(" ")]
            words += [one for action in of_forms(called) for one in spellings(action)]
        earlier = self.earlier
        if not self._has_extracted() and not rules.may_concern(earlier.connection, earlier.own, earlier.now, words, lambda: inputs.of_call(self.event)):
            return []
        binding = [rule for rule in self.in_force(standing=False) if rule.binds_calls]
        brought = inputs.of_call(self.event)
        # What was said about a command ("no prefix" after a commit) forbids nothing in the code of a file.
        about = [rule for rule in binding if brought is not None and not (file and rule.about) and self._has_object(rule, brought)]
        named = (
            rule for rule in binding if any(names_folder_of(rule.sayings[0], path) for path in written) or (not file and rule.concerns(called, command, before))
        )
        concerned = [*about, *(rule for rule in named if rule not in about)]
        concerned = [rule for rule in concerned if not rule.made_by] or concerned
        shown = self.reading.context.shown
        concerned.sort(key=lambda rule: rule.memory in shown)
        # What a person said may be a statement and a correction, of other subjects.
        apart = {rule.sayings[0]: rule for rule in reversed(concerned)}
        concerned = [rule for rule in concerned if apart[rule.sayings[0]] is rule]
        return [self.memories.of_rule(rule) for rule in self._first(concerned, 1 if file else _MOST_RULES_AT_CALL)]

    def _has_object(self, rule: Rule, brought: Inputs) -> bool:
        """Return whether a call brings in what a rule forbids or limits, and that is something that few passages mention."""
        rarity = self.earlier.rarity
        most = max(_FEW_PASSAGES, rarity.passages // _PASSAGES_FOR_EACH)
        return any(min(map(rarity.count, content_terms(words)), default=most + 1) <= most for words in brought.having(rule.objects, rule.sayings[0]))

    def _on_call(self) -> list[Memory]:
        """Return what earlier sessions said about the things that this call names; what a person stated for good, as the rule in force about it."""
        from memorybank.cycle.know import on_call
        from memorybank.cycle.know.called import forms_of
        from memorybank.text.commands.forms import is_done_by

        context = self.reading.context
        asked = content_terms(" ".join(asked_by(prompt) for prompt in context.past.prompts))
        root = self.reading.base.root
        said = on_call.said_about(self.earlier, self.event, root, asked, context.shown)
        best = next(filter(self.earlier.finds, said), None)
        stated = standing.stated_in(self.earlier.connection, best) if best is not None else ()
        if best is None or not stated:
            return self._up_to_date(best)
        rules = (rule for rule in self.in_force(standing=False) if any(one.statement.text in stated for one in rule.stated))
        called, before = forms_of(self.event), self.reading.tail
        wanted = (rule for rule in rules if rule.binds_calls and rule.memory not in context.shown and not is_done_by(rule.sayings[0], called, before))
        return [self.memories.of_rule(rule) for rule in wanted][:1]

    def _on_command(self) -> list[Memory]:
        """Return what an earlier session found out about how this command must be run."""
        from memorybank.cycle.know import on_command
        from memorybank.cycle.know.called import command_of

        shown = self.reading.context.shown
        said = (passage for passage in on_command.said_about(self.earlier, command_of(self.event)) if passage.memory not in shown)
        return self._up_to_date(next(filter(self.earlier.finds, said), None))

    def _up_to_date(self, said: Passage | None) -> list[Memory]:
        """Return the memory of a finding as it is at last."""
        return [self.memories.of_passage(passage, passage.rank) for passage in self.latest.up_to_date([said] if said is not None else [])]

    def at_failure(self) -> list[Memory]:
        """Return what makes this call work, and what was said after similar failures."""
        from memorybank.cycle.know import called

        failed = called.failed_call(self.event)
        found, remarks = self._problems_of_call(failed.forms, failed.command), self._after_failure(failed)
        is_mended = any(one.memory not in self.reading.rejected for one in found)
        best = max((remark.rank for remark in remarks), default=1.0) / (_BEHIND if is_mended else 1.0)
        return found + [self.memories.of_passage(remark, best) for remark in remarks]

    def _after_failure(self, failed: FailedCall) -> list[Passage]:
        from memorybank.cycle.know import after_failure

        return self.latest.up_to_date(after_failure.said(self.earlier, failed))

    def _first(self, found: Sequence[_Known], most: int) -> list[_Known]:
        """Return the first `most` of these. Rejected ones do not count towards the limit and come last, so that they are listed with their reason."""
        allowed = [one for one in found if one.memory not in self.reading.rejected]
        return allowed[:most] + [one for one in found if one.memory in self.reading.rejected]

    def _problems(self, called: Sequence[str] | None = None) -> list[KnownProblem]:
        from memorybank.cycle.know import problems

        self._wrapping = problems.wrappers(self.earlier.connection)
        return problems.find(self.earlier.connection, self.earlier.own, self.reading.now, called, self._wrapping)

    def _problems_of_call(self, called: Sequence[str], command: str) -> list[Memory]:
        """Return the problems of a call of these forms, unless it has what they lacked."""
        from memorybank.cycle.know import variables

        found = (problem for problem in self._problems(called) if problem.concerns(called))
        return [self.memories.of_problem(problem, 1.0) for problem in found if not variables.has_what_it_lacked(self.earlier.connection, problem, command)]

    def in_force(self, *, standing: bool = True) -> list[Rule]:
        """Return the rules in force, those of people first, without permissions: repeated, a single permission would allow an agent to bypass every check that
        ever fails. standing: what applies to all work; otherwise what people stated, without what they only expect."""
        from memorybank.cycle.know import rules

        found = (rules.find if standing else rules.stated)(self.earlier.connection, self.earlier.own, self.reading.now, self.reading.allowed)
        if self._has_extracted():
            from memorybank.cycle.know import by_model

            found += by_model.rules(self.earlier.connection, self.earlier.own, self.reading.now)
        return [rule for rule in found if not rule.is_permission]

    def _has_extracted(self) -> bool:
        return self.earlier.connection.execute("SELECT 1 FROM extracted WHERE kind = 'rule' LIMIT 1").fetchone() is not None


def find(reading: Reading, event: Event, connection: Connection | None) -> list[Memory]:
    """Return the knowledge that concerns this moment; [] when the cache is damaged, or locked for longer than a hook waits, or a name is no UTF-8."""
    ask = {
        events.PROMPT: Knowledge.at_prompt,
        events.SUBAGENT_START: Knowledge.at_prompt,
        events.TOOL_BEFORE: Knowledge.at_call,
        FAILURE: Knowledge.at_failure,
    }.get(reading.query.moment)
    if ask is None or connection is None:
        return []
    try:
        known = Knowledge(reading, event, connection)
        return [*ask(known), *known.refused()]
    except (sqlite3.DatabaseError, UnicodeEncodeError):
        return []
