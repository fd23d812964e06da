"""A command that commits, pushes, releases, deploys, tests or migrates: the sentence of a note of people that says how this is to be done.

The index knows which notes have such a sentence, so that no file is read for other commands, or where there is none.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.know.called import command_of, forms_with_inner
from memorybank.cycle.recall import candidates, shown
from memorybank.errors import MemorybankError
from memorybank.index.anchors import DOES
from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.cycle.event import Event
    from memorybank.cycle.recall.ranking import Memory
    from memorybank.cycle.recall.reading import Reading

_SIGNS = ("commit", "push", "releas", "publish", "deploy", "test", "migrat", "db:", "revision", "jest", "phpunit", "spec", "tox", "nox", "mocha", "ava")
"""One of these is in every command that `text.prompts.conventions` knows."""


def at_call(reading: Reading, event: Event) -> Sequence[Memory]:
    """Return the note with the first such sentence that a command does not follow already, at most one; notes that the context was shown are left out."""
    command = command_of(event) if event.tool == "Bash" else ""
    if not any(sign in command for sign in _SIGNS):
        return ()
    from memorybank.text.commands.actions import of_forms  # late, as the next one: most calls do none of this
    from memorybank.text.prompts import conventions

    called = forms_with_inner(event)
    wanted = conventions.of_call(called, of_forms(called))
    for memory in candidates.with_anchors(reading.sources, reading.reader, [DOES + action for action in wanted]) if wanted else ():
        if memory.memory in reading.context.shown:
            continue
        for action, sentence in conventions.of_note(_text(reading, memory)):
            if action in wanted and not conventions.is_followed(sentence, command, reading.tail):
                memory.quoted, memory.shared = sentence, [DOES + action]
                return [memory]
    return ()


def _text(reading: Reading, memory: Memory) -> str:
    from memorybank.text.prose.excerpt import without_front_matter

    try:
        return without_front_matter(shown.data_of(reading.base.layout, memory.key, shown.MAX_NOTE_BYTES).decode("utf-8", "replace"))
    except (MemorybankError, os.error):
        return ""
