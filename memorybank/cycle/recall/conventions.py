"""A command that commits, pushes, releases, deploys, tests or migrates: the sentence of a note of people that says how this is to be done.

The index knows which notes have such a sentence, so that no file is read for other commands, or where there is none.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.know.called import command_of, forms_with_inner
from memorybank.cycle.recall import candidates
from memorybank.index.anchors import DOES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.cycle.event import Event
    from memorybank.cycle.recall.ranking import Memory
    from memorybank.cycle.recall.reading import Reading

_SIGNS = ("commit", "push", "releas", "publish", "deploy", "test", "migrat", "db:", "revision", "jest", "phpunit", "spec", "tox", "nox", "mocha", "ava")
"""One of these is in every command that `text.prompts.conventions` knows."""
_MOST_READ = 8
"""Notes that are read, the most important first."""


def at_call(reading: Reading, event: Event) -> Sequence[Memory]:
    """Return the note with the first such sentence that a command does not follow already, at most one; notes that the context was shown are left out."""
    command = command_of(event) if event.tool == "Bash" else ""
    if not any(sign in command for sign in _SIGNS):
        return ()
    from memorybank.text.commands.actions import of_forms  # late, as the next ones: most calls do none of this
    from memorybank.text.prompts import conventions
    from memorybank.text.prose.excerpt import without_front_matter

    called = forms_with_inner(event)
    wanted = conventions.of_call(called, of_forms(called))
    found = candidates.with_anchors(reading.sources, reading.reader, [DOES + action for action in wanted]) if wanted else []
    for memory in [memory for memory in found if memory.memory not in reading.context.shown][:_MOST_READ]:
        for action, sentence in conventions.of_note(without_front_matter(reading.note(memory) or "")):
            if action in wanted and not conventions.is_followed(sentence, command, reading.tail):
                memory.quoted, memory.shared = sentence, [DOES + action]
                return [memory]
    return ()
