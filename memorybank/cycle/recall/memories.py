"""Builds memories from what is known: what each kind says to an agent, where it comes from, and what would show that it was used."""

from __future__ import annotations

__light__ = True

from memorybank.cycle import event as events
from memorybank.cycle import importance
from memorybank.cycle.fold.kinds import BY_MODEL, COMMANDS, FAILS, FIX, FORM, FOUND, PROBLEM, RULE, SAID, SET_UP, STARTED, WORKED_AS
from memorybank.cycle.fold.phrases import phrase
from memorybank.cycle.know import findings
from memorybank.cycle.recall.ranking import HUMAN, Memory
from memorybank.text.commands import anchors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memorybank.cycle.know.by_person import Deed
    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.problems import KnownProblem
    from memorybank.cycle.know.rules import Rule
    from memorybank.cycle.know.search import Passage
    from memorybank.cycle.know.usual import UsualCommands
    from memorybank.cycle.recall.reading import Reading

_PASSAGE_CHARACTERS = 260
_ANSWER_CHARACTERS, _REQUEST_CHARACTERS = 340, 200
"""Maximum numbers of characters in the result of an earlier request, and in the request."""
_BEFORE_CHARACTERS, _LATER_CHARACTERS = 180, 140
"""The same for two results, of a request and of one that followed it."""
_ASKED_CHARACTERS, _ERROR_CHARACTERS, _ERROR_ANSWER_CHARACTERS = 80, 120, 480
_MOST_TERMS = 12
_MANY = 10
"""Sessions after which a problem or a rule has the highest importance."""
_EVENT_OF_PASSAGE = "SELECT p.file, p.offset, e.task FROM passages p LEFT JOIN events e ON e.file = p.file AND e.offset = p.offset WHERE p.id = ?"


class Memories:
    """Builds memories for one reader, in one language."""

    def __init__(self, reading: Reading, earlier: Earlier, language: str) -> None:
        self.reading = reading
        self.earlier = earlier
        self.language = language

    def of_problem(self, problem: KnownProblem, relevance: float = 0.0) -> Memory:
        weight = min(1.0, problem.failed / _MANY)
        # the agent of the count: it contains only failures that this reader may see
        memory = Memory(problem.memory, PROBLEM, 0, problem.at, importance=weight, agent=events.MAIN, author="tool")
        is_ahead = self.reading.query.moment == events.TOOL_BEFORE  # after the failure the agent knows the error
        memory.text = (problem.shown_at_call if is_ahead else problem.shown)(self.language)
        worked = problem.form if problem.how in (SET_UP, STARTED) else problem.remedy
        memory.names = [*([f"{FORM}{worked}"] if problem.remedy else []), f"{FAILS}{problem.form}"]
        if relevance:  # the problem is about exactly this call, so its remedy is a known success
            memory.shared = [f"cmd:{problem.form}"]
            memory.fingerprint = self.reading.query.fingerprint
        memory.relevance = relevance
        return memory

    def of_commands(self, usual: UsualCommands) -> Memory:
        memory = Memory(usual.memory, COMMANDS, 0, usual.at, importance=min(1.0, usual.sessions / _MANY), agent=events.MAIN, author="tool")
        memory.text = usual.shown(self.language)
        memory.names = [f"{FORM}{command}" for command in usual.commands]
        return memory

    def of_rule(self, rule: Rule) -> Memory:
        memory = Memory(rule.memory, RULE, 0, rule.at, importance=min(1.0, (rule.sessions + 2) / _MANY), author=HUMAN, text=rule.shown)
        memory.terms = self.distinctive(rule.terms)
        if rule.made_by:
            memory.author, memory.importance = "", 0.0
            self._mark(memory, rule.made_by, self.session(rule.stated[0].session))
        return memory

    def of_deed(self, done: Deed) -> Memory:
        memory = Memory(done.memory, RULE, 0, done.at, importance=min(1.0, (done.sessions + 2) / _MANY), author=HUMAN)
        memory.text = done.shown(self.language)
        memory.source = self.session(done.session)
        return memory

    def _mark(self, memory: Memory, made_by: str, source: str) -> None:
        """Say in the source of a memory that a model made it."""
        memory.made_by = made_by
        memory.source = phrase("by_model", self.language, source=source)

    def of_passage(self, passage: Passage, best: float) -> Memory:
        memory = self.of(passage, best)
        if passage.kind == FIX:
            from memorybank.text.commands import forms  # late: few findings are fixes

            changes = passage.text.removeprefix(WORKED_AS)
            name = "fixed_by" if changes == passage.text else "worked_as"
            memory.text = phrase(name, self.language, changes=changes, error=passage.heading)
            files = [anchor for anchor in anchors.of_text(passage.text, self.reading.base.root) if anchor.startswith("file:")]
            memory.names = files or [f"{FORM}{form}" for form in forms.of_command(changes.strip("`"))]
            return memory
        if passage.error or passage.led_to:
            from memorybank.text.commands.error_names import message_of, without_folders  # late, as the next one: few errors come again
            from memorybank.text.prose.passages import excerpt

            error = excerpt(without_folders(message_of(passage.error or passage.led_to)), _ERROR_CHARACTERS)
            self.say(memory, phrase("met" if passage.error else "led_to", self.language, said=excerpt(passage.text, _ERROR_ANSWER_CHARACTERS), error=error))
            return memory
        if passage.kind == SAID and passage.heading:
            from memorybank.text.prompts.permissions import is_for_good  # late, as the next one

            name = "answered_for_good" if is_for_good(passage.text) else "answered"
            memory.text = phrase(name, self.language, said=passage.text, error=passage.heading)
            return memory
        if passage.refused:
            name, _, call = passage.refused.partition(":")
            memory.text = phrase(name, self.language, call=call, said=passage.text)
            return memory
        from memorybank.cycle.know.part import part_about
        from memorybank.text.prose.readable import readable, readable_heading

        # A model's answer is shown without its question.
        heading = readable_heading(passage.heading) if passage.kind != FOUND else ""
        heading = f"{heading}: " if heading and heading.lower() not in passage.text.lower() else ""
        said = heading + readable(part_about(passage.text, passage.matched, self.earlier.rarity, _PASSAGE_CHARACTERS - len(heading)))
        if passage.later is not None and (followed := self._result_of(passage.later, passage, _LATER_CHARACTERS)) and followed not in said:
            said = phrase("later", self.language, answered=said, later=followed)
        if passage.gone:
            said = phrase("quoted", self.language, said=said) if passage.kind == SAID else said
            said = phrase("gone", self.language, file=passage.gone, said=said)
        is_outdated = passage.is_outdated or self.reading.repeats_taken_back(passage)
        self.say(memory, phrase("outdated", self.language, said=said) if is_outdated else said)
        return memory

    def say(self, memory: Memory, text: str) -> None:
        """Set the text of a memory, with the paths of the files that it names; using one of them counts as using the memory."""
        from memorybank.cycle.know import works  # late: most moments show nothing

        memory.text = works.with_paths(self.earlier.connection, text, self.reading.now)
        memory.names = [anchor for anchor in anchors.of_text(memory.text, self.reading.base.root) if anchor.startswith("file:")]

    def of(self, passage: Passage, best: float) -> Memory:
        file, offset, task = self.earlier.connection.execute(_EVENT_OF_PASSAGE, (passage.id,)).fetchone()
        factors = importance.of_event(self.earlier.connection, file, offset)
        weight = importance.event_importance(factors, self.reading.base.settings.event_importance) if factors is not None else importance.NEUTRAL
        memory = Memory(passage.memory, findings.FINDING, 0, passage.at, importance=weight, session=passage.session, task=task, author="")
        memory.matched = sorted(passage.matched, key=lambda term: (-self.earlier.rarity.of(term), term))
        memory.match = passage.share
        memory.relevance = min(1.0, passage.rank / best)
        memory.terms = self.distinctive(term for term in passage.terms if term not in passage.matched)
        memory.source = self.session(passage.session)
        memory.refused = passage.why
        if passage.kind in BY_MODEL:
            row = self.earlier.connection.execute("SELECT made_by FROM extracted WHERE memory = ?", (passage.memory,)).fetchone()
            self._mark(memory, str(row[0]) if row is not None else passage.kind, memory.source)
        return memory

    def result(self, passage: Passage, is_shown: Callable[[Passage], bool]) -> tuple[str, int]:
        """Return (what was answered to a request, "" for nothing; the number of characters for the request), with the result of the `later` turn.

        is_shown: whether a passage may be shown and is still so.
        """
        if passage.later is None or not (followed := self._result_of(passage.later, passage, _LATER_CHARACTERS, is_shown)):
            return self._result_of(passage.turn, passage, _ANSWER_CHARACTERS, is_shown), _REQUEST_CHARACTERS
        answered = self._result_of(passage.turn, passage, _BEFORE_CHARACTERS, is_shown)
        return (phrase("later", self.language, answered=answered, later=followed) if answered else followed), _ASKED_CHARACTERS

    def _result_of(self, turn: int | None, passage: Passage, limit: int, is_shown: Callable[[Passage], bool] | None = None) -> str:
        """Return what came of a turn as far as it is about what a passage has in common with the question."""
        from memorybank.cycle.know import works

        return works.result_of_turn(self.earlier, turn, limit, set(passage.matched), is_shown)

    def of_files(self, files: Sequence[str]) -> Memory:
        from memorybank.cycle.know import works

        name = "files:" + ",".join(files)
        memory = Memory(name, works.FILES, 0, self.reading.now, importance=0.5, author="tool")
        memory.text = phrase("files", self.language, parts=", ".join(files))
        memory.names = [f"file:{name}" for name in files]
        memory.relevance = 0.5
        return memory

    def distinctive(self, terms: Iterable[str]) -> list[str]:
        """Return the rarest of these terms: a later text that contains them probably took them from here."""
        found = list(dict.fromkeys(terms))
        self.earlier.rarity.learn(found)
        return sorted(found, key=lambda term: (self.earlier.rarity.count(term), term))[:_MOST_TERMS]

    def session(self, session: str) -> str:
        """Return the place where a reader finds more about a session: its note, or else its id."""
        row = self.earlier.connection.execute("SELECT note FROM finished WHERE session = ?", (session,)).fetchone()
        if row is not None and row[0]:
            layout = self.reading.base.layout
            return layout.relative(layout.note_path(row[0]))
        return f"session {session[:8]}"
