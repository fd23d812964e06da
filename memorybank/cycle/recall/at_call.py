"""What helps before a call: the known problem of this very call, what people said about it, and what earlier sessions said about what it names."""

from __future__ import annotations

__light__ = True

from memorybank.cycle import event as events
from memorybank.cycle.know import inputs, latest, launched, on_call, rules
from memorybank.cycle.know.called import command_of, forms_at_call, forms_of, forms_with_inner
from memorybank.cycle.recall.knowledge import MOST_RULES_AT_ONCE, Knowledge
from memorybank.storage.jsontext import encode
from memorybank.text.commands.actions import by_hand
from memorybank.text.commands.paths import relative
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.cycle.know.inputs import Inputs
    from memorybank.cycle.know.rules import Rule
    from memorybank.cycle.know.search import Passage
    from memorybank.cycle.recall.ranking import Memory

_FEW_PASSAGES, _PASSAGES_FOR_EACH = 4, 250
"""A rule whose object is in more passages than the first, and in more than one for each of the second, would be shown at unrelated calls."""
_UNWANTED = " UNION ALL ".join(f"SELECT 1 FROM advice WHERE form BETWEEN '{kind}:' AND '{kind};'" for kind in ("doubted", "gone", "stopped"))
"""Finds whether anything is known that a call may be unwanted for. Most banks know nothing, so that what decides about it is not even loaded."""
_FAILED = "SELECT 1 FROM failures WHERE form IN (SELECT value FROM json_each(?)) AND mended IS NULL AND session IS NOT ? LIMIT 1"
"""Finds whether a call of some form failed in another session and was not repaired there: much cheaper than what it was."""


class AtCall(Knowledge):
    """The knowledge that helps before one call."""

    def find(self) -> list[Memory]:
        """Return the problems of exactly this call, what earlier sessions said about what it touches or searches for, and what people said about it."""
        found = self.problems_of_call(forms_at_call(self.event), command_of(self.event))
        if self.event.tool == "Bash":
            found += [*(() if found else self._not_found() or self._failed_last()), *self._on_command()]
        path = self.event.inputs.get("file_path") if self.event.tool in events.EDITS else None
        file = relative(path, self.reading.base.root, folder=self.event.cwd) if isinstance(path, str) else ""
        found += self._rules_about(forms_with_inner(self.event), file) if self.event.tool == "Bash" or file else []
        unwanted = self._unwanted() if self.event.tool in ("Bash", "Write") else []
        if self.event.tool == "Bash" and not unwanted and not any(memory.kind == rules.RULE for memory in found):
            unwanted = self._by_person()
        found += unwanted
        named = {memory.memory for memory in found}
        return found + [memory for memory in self._on_call() if memory.memory not in named]

    def _rules_about(self, called: Sequence[str], file: str) -> list[Memory]:
        """Return what people said about a file, about a command of one of these forms, or about what the call brings in."""
        from memorybank.text.commands import fingerprint  # late, as other imports here: not every call has a command or a file
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
        if not self.has_extracted() and not rules.may_concern(earlier.connection, earlier.own, earlier.now, words, lambda: inputs.of_call(self.event)):
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
        return [self.memories.of_rule(rule) for rule in self.first(concerned, 1 if file else MOST_RULES_AT_ONCE)]

    def _has_object(self, rule: Rule, brought: Inputs) -> bool:
        """Return whether a call brings in what a rule forbids or limits, and that is something that few passages mention."""
        rarity = self.earlier.rarity
        most = max(_FEW_PASSAGES, rarity.passages // _PASSAGES_FOR_EACH)
        return any(min(map(rarity.count, content_terms(words)), default=most + 1) <= most for words in brought.having(rule.objects, rule.sayings[0]))

    def _on_call(self) -> list[Memory]:
        """Return what earlier sessions said about the things that this call names; what a person stated for good, as the rule in force about it."""
        context = self.reading.context
        from memorybank.text.prompts.typed import asked_by

        asked = content_terms(" ".join(asked_by(prompt) for prompt in context.past.prompts))
        root = self.reading.base.root
        said = on_call.said_about(self.earlier, self.event, root, asked, context.shown)
        best = next(filter(self.earlier.finds, said), None)
        if best is None:
            return []
        from memorybank.cycle.know.standing import stated_in
        from memorybank.text.commands.forms import is_done_by

        stated = stated_in(self.earlier.connection, best)
        if not stated:
            return self._up_to_date(best)
        rules = (rule for rule in self.in_force(standing=False) if any(one.statement.text in stated for one in rule.stated))
        called, before = forms_of(self.event), self.reading.tail
        wanted = (rule for rule in rules if rule.binds_calls and rule.memory not in context.shown and not is_done_by(rule.sayings[0], called, before))
        return [self.memories.of_rule(rule) for rule in wanted][:1]

    def _not_found(self) -> list[Memory]:
        """Return how a program of this command must be started, if the shell did not find it by its name alone when it was last run."""
        connection, now = self.earlier.connection, self.reading.now
        problem = launched.at_call(connection, command_of(self.event), self.earlier.own, now)
        return [self.memories.of_problem(problem, 1.0)] if problem is not None else []

    def _failed_last(self) -> list[Memory]:
        """Return what this command met when it was last run, if that was about the machine or the account, and it has not worked since."""
        connection, called = self.earlier.connection, forms_of(self.event)
        if connection.execute(_FAILED, (encode(list(called)), self.earlier.own)).fetchone() is None:
            return []
        from memorybank.cycle.know import last_run

        problem = last_run.find(connection, called, command_of(self.event), self.earlier.own, self.reading.now)
        return [self.memories.of_problem(problem, 1.0)] if problem is not None else []

    def _on_command(self) -> list[Memory]:
        """Return what an earlier session found out about how this command must be run."""
        from memorybank.cycle.know import on_command

        shown = self.reading.context.shown
        said = (passage for passage in on_command.said_about(self.earlier, command_of(self.event)) if passage.memory not in shown)
        best = next(filter(self.earlier.finds, said), None)
        return self._up_to_date(best) if best is not None else []

    def _unwanted(self) -> list[Memory]:
        """Return what a person said when they stopped this very call, or why an earlier session removed what it creates again."""
        if self.earlier.connection.execute(f"{_UNWANTED} LIMIT 1").fetchone() is None:
            return []
        from memorybank.cycle.know import refused

        context, root = self.reading.context, self.reading.base.root
        said = refused.said_about(self.earlier, self.event, root, context.past.prompts) or refused.why_removed(
            self.earlier, self.event, root, context.past.prompts
        )
        return [self.memories.of_passage(passage, passage.rank) for passage in said if passage.memory not in context.shown]

    def _by_person(self) -> list[Memory]:
        """Return that the person did what this command does themself in earlier sessions."""
        called = forms_with_inner(self.event)
        if not any(map(by_hand, called)):
            return []
        from memorybank.cycle.know import by_person

        done = by_person.said_about(self.earlier, called, self.reading.context.past.prompts)
        return [self.memories.of_deed(done)] if done is not None else []

    def _up_to_date(self, said: Passage) -> list[Memory]:
        """Return the memory of a finding as it is at last."""
        return [self.memories.of_passage(passage, passage.rank) for passage in latest.up_to_date(self.earlier, [said])]
